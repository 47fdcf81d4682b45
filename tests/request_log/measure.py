#!/usr/bin/env python3
"""What the request log and the lines on standard error cost: processor time of the server for a request, and its memory.

Two requests in turn, a GET of an account and an order that is only validated, over one connection; the runs of a round are
interleaved. usage: tests/request_log/measure.py FUNDSIM_BINARY [REQUESTS] [ROUNDS]
"""
import http.client
import json
import os
import statistics
import subprocess
import sys

START = "2026-03-02T08:00:00+01:00"
CASES = [("one request kept, no lines", 1, "off"), ("1,000 kept, no lines", 1000, "off"), ("1,000 kept, a line each", 1000, "info")]


FUND = "SE0SBX000016SEK"


class Customer:
    """A client's account with money, and what its partner asks about it through `call`."""

    def open_account(self, client):
        opening = {"clientId": client, "accountType": "isk", "cash": 100_000_000}
        self.account = self.call("POST", "/simulations/account", opening)["id"]
        self.path = f"/v2/partner/client/{client}"

    def get_account(self):
        self.call("GET", f"{self.path}/account/{self.account}")

    def post_order(self):
        order = {"account": self.account, "orderType": "subscription", "instrument": FUND, "amount": 1000.5, "clientRef": "bench"}
        self.call("POST", f"{self.path}/order", order)

    def list_orders(self):
        if len(self.call("GET", f"{self.path}/order?limit=100")) < 100:
            sys.exit("the list of orders is too short")


class Server:
    def __init__(self, program, level, *more):
        flags = ["--listen", "127.0.0.1:0", "--seed", "42", "--start", START, "--clock", "frozen", "--output", "json"]
        self.process = subprocess.Popen(
            [*program, "serve", *flags, "--log-level", level, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        banner = json.loads(self.process.stdout.readline())
        self.partner = banner["partners"][0]
        self.connection = http.client.HTTPConnection("127.0.0.1", int(banner["url"].rsplit(":", 1)[1]))
        self.headers = self.authorised(self.partner)

    def authorised(self, partner):
        """The headers of requests of a partner."""
        form = {"content-type": "application/x-www-form-urlencoded"}
        secret = f"client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
        token = self.call("POST", "/v2/partner/auth/token", f"grant_type=client_credentials&{secret}", form)["access_token"]
        return {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def call(self, method, path, body=None, headers=None):
        body = body if body is None or isinstance(body, str) else json.dumps(body)
        self.connection.request(method, path, body, headers or self.headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="utf-8") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def measure(binary, kept, level, requests):
    """Microseconds a request, and KiB more than before the first."""
    server = Server([binary], level)
    try:
        server.call("PATCH", "/_sandbox/worlds/current/settings", {"requestsKept": kept})
        client = server.partner["clients"][0]["id"]
        account = {"clientId": client, "accountType": "isk", "cash": 1000000}
        account = server.call("POST", "/simulations/account", account)["id"]
        order = {"account": account, "orderType": "subscription", "instrument": "SE0SBX000016SEK", "amount": 100}

        def pair():
            server.call("POST", f"/v2/partner/client/{client}/order?validate-only=true", order)
            server.call("GET", f"/v2/partner/client/{client}/account/{account}")

        pair()
        before, memory = server.seconds(), server.kib()
        for _ in range(requests // 2):
            pair()
        return (server.seconds() - before) / requests * 1e6, server.kib() - memory
    finally:
        server.stop()


def main():
    binary = sys.argv[1]
    requests = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    found = {name: [] for name, _, _ in CASES}
    for _ in range(rounds):
        for name, kept, level in CASES:
            found[name].append(measure(binary, kept, level, requests))
    base = [time for time, _ in found[CASES[0][0]]]
    for name, figures in found.items():
        ratio = statistics.median(time / bare for (time, _), bare in zip(figures, base))
        time, memory = (statistics.median(column) for column in zip(*figures))
        print(f"{name}: {time:.0f} us a request, {ratio:.2f} of the first, {memory:.0f} KiB after {requests} requests")


if __name__ == "__main__":
    main()
