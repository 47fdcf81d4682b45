#!/usr/bin/env python3
"""What many events of one moment cost many sockets: the processor time of the server for each frame.

    tests/busy_sockets/burst.py target/release/fundsim --sockets 500 --orders 200

All sockets read one client's events. The orders are placed one by one, and then settle in one advance, each with its transactions and
its account. Fails when a socket has not received all events within a minute after the last request. Prints the processor time for each
frame of the orders as they are placed, and of those as they settle.
"""

import argparse, json, os, pathlib, select, subprocess, sys, time, urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import measure

FUND = "SE0SBX000016SEK"


def spent(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Counter:
    """One socket: how many whole frames with an event it has got."""

    def __init__(self, stream, world):
        self.rest, self.stream, self.frames = measure.Reader(stream, world).rest, stream, 0

    def read(self):
        try:
            piece = self.stream.recv(1 << 20)
        except BlockingIOError:
            return
        data, at = self.rest + piece, 0
        while len(data) - at >= 4:
            length, body = data[at + 1] & 127, at + 2
            if length == 126:
                length, body = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            if len(data) - body < length:
                break
            self.frames += data.find(b'"eventId"', body, body + length) >= 0
            at = body + length
        self.rest = data[at:]


def quiet(watch, counters, seconds=1.5, most=60):
    begin = last = time.monotonic()
    while time.monotonic() - last < seconds:
        for number, _ in watch.poll(0.1):
            counters[number].read()
            last = time.monotonic()
        if last - begin > most:
            sys.exit("the sockets have not received all events within a minute")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fundsim")
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--orders", type=int, default=200)
    given = parser.parse_args()
    server = subprocess.Popen(
        [given.fundsim, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--seed", "1", "--clock", "frozen", "--log-level", "off"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = json.loads(server.stdout.readline())["url"]
        parts = urllib.parse.urlsplit(url)
        world, client, token = made = measure.make_world(url, 1, given.sockets)
        ask = lambda path, method, body=None: measure.ask(url + path, method, token, body)
        account = ask("/simulations/account", "POST", {"clientId": client, "accountType": "depot", "cash": 10_000_000})["id"]
        counters, watch = {}, select.epoll()
        for _ in range(given.sockets):
            counter = Counter(measure.upgrade((parts.hostname, parts.port), made), made)
            counters[counter.stream.fileno()] = counter
            watch.register(counter.stream.fileno(), select.EPOLLIN)
        quiet(watch, counters)
        order = {"account": account, "instrument": FUND, "orderType": "subscription", "amount": 500}
        steps = {
            "placed": lambda: [ask(f"/v2/partner/client/{client}/order", "POST", order) for _ in range(given.orders)],
            "settled": lambda: measure.ask(f"{url}/_sandbox/worlds/{world}/clock/advance", "POST", body={"by": "P10D"}),
        }
        for name, step in steps.items():
            frames, before = [counter.frames for counter in counters.values()], spent(server.pid)
            step()
            quiet(watch, counters)
            received = [counter.frames - earlier for counter, earlier in zip(counters.values(), frames)]
            if len(set(received)) != 1 or not received[0]:
                sys.exit(f"the sockets received {min(received)} to {max(received)} frames")
            each = (spent(server.pid) - before) * 1e6 / sum(received)
            print(f"{given.orders} orders are {name}: {received[0]} frames for each of {given.sockets} sockets, {each:.1f} µs of processor a frame")
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
