#!/usr/bin/env python3
"""Kills a server under load, again and again, and holds what it says afterwards against what it had answered.

usage: tests/kills/run.py FUNDSIM [KILLS] [FOLDER]      (200 kills, in a new folder that is removed)

Each start serves the same folder with --data. Four callers open accounts and place orders; after a while drawn from a fixed seed
the server is killed with SIGKILL. The next start must have every account and order that was answered (it may have some that were not),
know the same token, and show the books balanced. At the end the folder is checked with `fundsim data check`.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

BINARY = sys.argv[1]
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 200
FOLDER = sys.argv[3] if len(sys.argv) > 3 else None
CALLERS = 4
FUND = "SE0SBX000016SEK"


class Server:
    def __init__(self, folder):
        flags = ["serve", "--listen", "127.0.0.1:0", "--data", folder, "--output", "json", "--log-level", "error"]
        world = ["--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"]
        began = time.monotonic()
        self.process = subprocess.Popen([BINARY, *flags, *world], stdout=subprocess.PIPE)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the server does not start again")
        self.line = json.loads(line)
        self.started = time.monotonic() - began

    def ask(self, method, path, body=None, token=None):
        headers = {"content-type": "application/json"}
        if token:
            headers["authorization"] = "Bearer " + token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.line["url"] + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def token(self):
        partner = self.line["partners"][0]
        form = f"grant_type=client_credentials&client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
        with urllib.request.urlopen(self.line["url"] + "/v2/partner/auth/token", form.encode(), timeout=30) as answer:
            return json.load(answer)["access_token"]

    def kill(self):
        self.process.kill()
        self.process.wait()


def call(server, client, token, answered):
    """Opens accounts and places orders until the server is gone; notes what was answered."""
    try:
        while True:
            account = {"clientId": client, "accountType": "depot", "cash": 10_000}
            account = server.ask("POST", "/simulations/account", account, token)["id"]
            answered.append(account)
            for _ in range(5):
                order = {"account": account, "instrument": FUND, "orderType": "subscription", "amount": 100}
                answered.append(server.ask("POST", f"/v2/partner/client/{client}/order", order, token)["id"])
    except urllib.error.HTTPError as error:
        sys.exit(f"a caller was refused: {error.code} {error.read().decode()}")
    except (OSError, ValueError, urllib.error.URLError):
        return  # It was killed.


def listed(server, client, token, what):
    """All ids of a list."""
    return {row["id"] for row in server.ask("GET", f"/v2/partner/client/{client}/{what}", None, token)}


def main():
    folder = FOLDER or tempfile.mkdtemp(prefix="fundsim-kills-")
    draws = random.Random(42)
    answered, slowest = set(), 0.0
    server = Server(folder)
    token, client = server.token(), server.line["partners"][0]["clients"][0]["id"]
    began = time.monotonic()
    for kill in range(1, KILLS + 1):
        taken = []
        callers = [threading.Thread(target=call, args=(server, client, token, taken)) for _ in range(CALLERS)]
        for caller in callers:
            caller.start()
        time.sleep(draws.uniform(0.005, 0.06))
        server.kill()
        for caller in callers:
            caller.join()
        answered.update(taken)
        server = Server(folder)
        slowest = max(slowest, server.started)
        if kill % 10 == 0 or kill == KILLS:
            kept = listed(server, client, token, "account") | listed(server, client, token, "order")
            lost = answered - kept
            if lost:
                sys.exit(f"kill {kill} has lost {len(lost)} of {len(answered)} answered: {sorted(lost)[:3]}")
        if kill % 100 == 0:
            print(f"{kill} kills, {len(answered)} answered, 0 lost, {time.monotonic() - began:.0f} s", flush=True)
    server.kill()
    checked = subprocess.run([BINARY, "data", "check", folder], capture_output=True, text=True)
    print(checked.stdout.strip())
    if checked.returncode != 0:
        sys.exit("the folder is damaged")
    print(f"{KILLS} kills: {len(answered)} answered, all kept; the slowest start took {slowest:.2f} s")
    if FOLDER is None:
        shutil.rmtree(folder)


main()
