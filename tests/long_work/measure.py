#!/usr/bin/env python3
"""How long others wait while much time passes.

    tests/long_work/measure.py target/release/fundsim 500000 250 50 8 100000

Places that many orders that are due at one instant, then advances past their settlement. Meanwhile asks that world for the clock and an
order, places orders in it, and asks another world for its clock. Prints the 99th percentile of each in milliseconds; fails when those of
the world are longer than the third argument, or those of the other than the fourth. Does the same while a fund is merged that as many
accounts hold as the last argument says. Then advances as many worlds at once as the fifth says, and fails when one of them has its answer
before another has come a quarter of the way. With 0 orders, worlds or accounts that part is left out.
"""

import http.client, json, subprocess, sys, threading, time, urllib.parse

FUND = "SE0SBX000016SEK"
MERGED, INTO = "SE0SBX000032SEK", "SE0SBX000024SEK"


class Server:
    def __init__(self, program):
        arguments = ["serve", "--listen", "127.0.0.1:0", "--seed", "1", "--clock", "frozen", "--output", "json", "--log-level", "off"]
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.line = json.loads(self.process.stdout.readline())
        self.port = urllib.parse.urlsplit(self.line["url"]).port

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=900)


def ask(connection, method, path, body=None, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{method} {path}: {answer.status} {text[:300]!r}")
    return json.loads(text)


def token_of(connection, partner):
    form = urllib.parse.urlencode({"grant_type": "client_credentials", "client_id": partner["clientId"], "client_secret": partner["clientSecret"]})
    connection.request("POST", "/v2/partner/auth/token", form, {"content-type": "application/x-www-form-urlencoded"})
    return json.loads(connection.getresponse().read())["access_token"]


def percentile(times):
    return sorted(times)[int(len(times) * 0.99)] * 1000 if times else 0.0


def watch(server, over, act, times, pause):
    connection = server.connect()
    while not over.is_set():
        begun = time.perf_counter()
        act(connection)
        times.append(time.perf_counter() - begun)
        time.sleep(pause)


def ask_often(server, count, path, body, token, workers=4):
    def some():
        connection = server.connect()
        for _ in range(count // workers):
            ask(connection, "POST", path, body, token)

    threads = [threading.Thread(target=some) for _ in range(workers)]
    [it.start() for it in threads]
    [it.join() for it in threads]


def watched(server, what, prepare, most, most_elsewhere):
    """Advances five days while others ask; `prepare` brings about what is due then."""
    connection = server.connect()
    partner = server.line["partners"][0]
    client, token = partner["clients"][0]["id"], token_of(connection, partner)
    path = f"/v2/partner/client/{client}/order"
    body = prepare(connection, client, path, token)
    # The server closes a connection that has been idle for so long.
    connection = server.connect()
    other = ask(connection, "POST", "/_sandbox/worlds", {"seed": 2, "clock": "frozen"})["worldId"]
    first = ask(connection, "POST", path, body, token)["id"]
    over, kinds = threading.Event(), {"clock": [], "order": [], "command": [], "elsewhere": []}
    world = server.line["worldId"]
    acts = {
        "clock": lambda c: ask(c, "GET", f"/_sandbox/worlds/{world}/clock"),
        "order": lambda c: ask(c, "GET", f"{path}/{first}", token=token),
        "command": lambda c: ask(c, "POST", path, body, token),
        "elsewhere": lambda c: ask(c, "GET", f"/_sandbox/worlds/{other}/clock"),
    }
    threads = [threading.Thread(target=watch, args=(server, over, acts[kind], kinds[kind], 0.02)) for kind in kinds]
    [it.start() for it in threads]
    begun = time.perf_counter()
    advanced = ask(connection, "POST", f"/_sandbox/worlds/{world}/clock/advance", {"by": "P5D"})
    took = time.perf_counter() - begun
    over.set()
    [it.join() for it in threads]
    print(f"{what}, five days in {took:.1f} s, now {advanced['now']}")
    wrong = []
    for kind, times in kinds.items():
        bound, found = (most_elsewhere if kind == "elsewhere" else most), percentile(times)
        print(f"  {kind:9} {len(times):5} times, 99 %: {found:.1f} ms, longest {1000 * max(times):.1f} ms")
        if found > bound:
            wrong.append(f"{kind}: {found:.1f} ms is more than {bound:g} ms")
    return wrong


def one_instant(server, orders, most, most_elsewhere):
    def prepare(connection, client, path, token):
        opened = {"clientId": client, "accountType": "depot", "cash": 900 * orders + 10_000_000}
        account = ask(connection, "POST", "/simulations/account", opened, token)["id"]
        body = {"orderType": "subscription", "account": account, "instrument": FUND, "amount": 700}
        ask_often(server, orders, path, body, token)
        return body

    return watched(server, f"{orders} orders at one instant", prepare, most, most_elsewhere)


def one_merger(server, holders, most, most_elsewhere):
    def prepare(connection, client, path, token):
        opened = {"clientId": client, "accountType": "depot", "cash": 10_000_000, "positions": [{"instrument": MERGED, "units": 12.5}]}
        account = ask(connection, "POST", "/simulations/account", opened, token)["id"]
        ask_often(server, holders, "/simulations/account", opened, token)
        ask(server.connect(), "POST", f"/simulations/instrument/{MERGED}/merge", {"into": INTO}, token)
        return {"orderType": "subscription", "account": account, "instrument": FUND, "amount": 700}

    return watched(server, f"a merger for {holders} accounts", prepare, most, most_elsewhere)


def at_once(server, count):
    connection = server.connect()
    made = [ask(connection, "POST", "/_sandbox/worlds", {"seed": seed, "clock": "frozen"}) for seed in range(count)]
    ends = {}

    def advance(world):
        ask(server.connect(), "POST", f"/_sandbox/worlds/{world}/clock/advance", {"by": "P20Y"})
        ends[world] = time.perf_counter()

    begun = time.perf_counter()
    threads = [threading.Thread(target=advance, args=(it["worldId"],)) for it in made]
    [it.start() for it in threads]
    [it.join() for it in threads]
    took = [end - begun for end in ends.values()]
    print(f"{count} worlds at once, twenty years each: the first after {min(took):.1f} s, the last after {max(took):.1f} s")
    return [] if min(took) > max(took) / 4 else ["one world had its answer while another was far behind"]


def main():
    program, orders, most, most_elsewhere, worlds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
    holders = int(sys.argv[6])
    server = Server(program)
    try:
        wrong = one_instant(server, orders, most, most_elsewhere) if orders else []
        wrong += one_merger(server, holders, most, most_elsewhere) if holders else []
        wrong += at_once(server, worlds) if worlds else []
    finally:
        server.process.terminate()
        server.process.wait()
    if wrong:
        sys.exit("; ".join(wrong))


main()
