#!/usr/bin/env python3
"""What an idle connection costs the server: memory before and after many have come.

    tests/idle_sockets/measure.py target/release/fundsim 5000 40

Measured are sockets that subscribe, opened by many at once; the same after an event and a ping; and connections kept alive after a
request. Prints the resident memory of each in KiB; fails when one costs more than the last argument, or is not there any
more at the end. Absent on purpose: the kernel's own buffers, which no process is charged for.
"""

from concurrent.futures import ThreadPoolExecutor
import base64, json, os, resource, socket, subprocess, sys, time, urllib.parse, urllib.request


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def ask(url, method, token=None, body=None, form=None):
    headers = {"authorization": f"Bearer {token}"} if token else {}
    data = None
    if form is not None:
        data = urllib.parse.urlencode(form).encode()
    elif body is not None:
        data, headers["content-type"] = json.dumps(body).encode(), "application/json"
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
        return json.load(answer)


def upgrade(address, client, token):
    stream = socket.create_connection(address)
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(
        f"GET /v2/partner/client/{client}/subscribe HTTP/1.1\r\nhost: {address[0]}:{address[1]}\r\n"
        f"authorization: Bearer {token}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
        f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n".encode()
    )
    received = b""
    while b'"hello"' not in received:
        piece = stream.recv(4096)
        if not piece:
            sys.exit(f"refused: {received.decode(errors='replace')}")
        received += piece
    return stream


def keep_alive(address, client, token):
    stream = socket.create_connection(address)
    stream.sendall(
        f"GET /v2/partner/client/{client}/account HTTP/1.1\r\nhost: {address[0]}:{address[1]}\r\n"
        f"authorization: Bearer {token}\r\n\r\n".encode()
    )
    if not stream.recv(65536).startswith(b"HTTP/1.1 200"):
        sys.exit("a request was not answered with 200")
    return stream


def all_at_once(open_one, count, *how):
    with ThreadPoolExecutor(64) as pool:
        return list(pool.map(lambda _: open_one(*how), range(count)))


class Server:
    """A server of its own for each figure, so that no figure has the memory that another let go."""

    def __init__(self, fundsim):
        self.process = subprocess.Popen(
            [fundsim, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen", "--seed", "1"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        line = json.loads(self.process.stdout.readline())
        self.url, partner = line["url"], line["partners"][0]
        self.world = f"{self.url}/_sandbox/worlds/{line['worldId']}"
        parts = urllib.parse.urlsplit(self.url)
        client = partner["clients"][0]["id"]
        form = {"grant_type": "client_credentials", "client_id": partner["clientId"], "client_secret": partner["clientSecret"]}
        token = ask(f"{self.url}/v2/partner/auth/token", "POST", form=form)["access_token"]
        self.who = ((parts.hostname, parts.port), client, token)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def cost(self, what, count, most, before):
        time.sleep(1)
        after = resident(self.process.pid)
        each = (after - before) / count
        print(f"{count} {what}: {each:.1f} KiB each ({before} KiB before, {after} KiB after)", flush=True)
        if each > most:
            sys.exit(f"each may cost {most} KiB")


def sockets(server, count, most):
    bounds = {"socketsPerClient": count + 100, "socketsPerPartner": count + 100}
    ask(f"{server.world}/settings", "PATCH", body=bounds)
    # What the first hundred bring along is not theirs alone: pools, threads, tables.
    kept = all_at_once(upgrade, 100, *server.who)
    before = resident(server.process.pid)
    kept += all_at_once(upgrade, count, *server.who)
    server.cost("idle sockets", count, most, before)
    _, client, token = server.who
    opening = {"clientId": client, "accountType": "depot", "cash": 1000}
    ask(f"{server.url}/simulations/account", "POST", token, opening)
    for stream in kept:
        stream.sendall(b"\x89\x84\0\0\0\0ping")
    server.cost("sockets after an event and a ping", count, most, before)
    there = len(ask(f"{server.world}/sockets", "GET"))
    if there != len(kept):
        sys.exit(f"{len(kept)} sockets were opened, {there} are open")


def connections(server, count, most):
    kept = all_at_once(keep_alive, 100, *server.who)
    before = resident(server.process.pid)
    kept += all_at_once(keep_alive, count, *server.who)
    server.cost("kept-alive connections", count, most, before)


def main(fundsim, count, most):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 1_000)), hard))
    for measure in (sockets, connections):
        with Server(fundsim) as server:
            measure(server, count, most)


main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
