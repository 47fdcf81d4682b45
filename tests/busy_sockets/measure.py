#!/usr/bin/env python3
"""What many sockets receive of many events: how late, how much memory each takes, and whether anything is lost.

    tests/busy_sockets/measure.py target/release/fundsim --sockets 2000 --seconds 60 --stalled 100 --p99 50

Two processes beside the server: one opens accounts by lever, at a steady pace in each of several worlds, and writes into each account's name when
it asked; one holds all sockets and reads that instant out of every event. So lateness is counted from before the request was sent,
which is more than from the commit to the frame. Readers that are stalled open a socket and never read. Fails when a socket has missed an
event or received one twice, when a socket takes more than 40 KiB, or when the 99th percentile is later than `--p99` milliseconds, where
that is given.
"""

import argparse, base64, json, multiprocessing, os, resource, select, socket, struct, subprocess, sys, time, urllib.parse, urllib.request

MOST_KIB = 40


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


def make_world(url, seed, sockets):
    world = ask(f"{url}/_sandbox/worlds", "POST", body={"seed": seed, "start": "2026-03-02T08:00:00+01:00", "clock": "frozen"})
    bounds = {"socketsPerClient": sockets, "socketsPerPartner": sockets}
    ask(f"{url}/_sandbox/worlds/{world['worldId']}/settings", "PATCH", body=bounds)
    partner = world["partners"][0]
    form = {"grant_type": "client_credentials", "client_id": partner["clientId"], "client_secret": partner["clientSecret"]}
    return world["worldId"], partner["clients"][0]["id"], ask(f"{url}/v2/partner/auth/token", "POST", form=form)["access_token"]


def upgrade(address, world, buffer=None):
    _, client, token = world
    stream = socket.socket()
    if buffer:
        # Small segments keep the kernel on the other side from taking a minute's worth by itself.
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    stream.connect(address)
    key = base64.b64encode(os.urandom(16)).decode()
    stream.sendall(
        f"GET /v2/partner/client/{client}/subscribe HTTP/1.1\r\nhost: {address[0]}:{address[1]}\r\n"
        f"authorization: Bearer {token}\r\nconnection: Upgrade\r\nupgrade: websocket\r\n"
        f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n".encode()
    )
    return stream


class Reader:
    """One socket: bytes that are not a whole frame yet, and how many events it has received."""

    def __init__(self, stream, world):
        self.stream, self.world, self.rest, self.received, self.sum = stream, world, b"", 0, 0
        while b"\r\n\r\n" not in self.rest:
            piece = stream.recv(4096)
            if not piece:
                sys.exit(f"refused: {self.rest.decode(errors='replace')}")
            self.rest += piece
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            sys.exit(f"refused: {head.decode(errors='replace')}")
        stream.setblocking(False)

    def read(self, late):
        try:
            piece = self.stream.recv(65536)
        except BlockingIOError:
            return
        if not piece:
            sys.exit("a socket was closed")
        now, data, at = time.monotonic_ns(), self.rest + piece, 0
        while len(data) - at >= 2:
            length, body = data[at + 1], at + 2
            if length == 126:
                if len(data) - at < 4:
                    break
                length, body = struct.unpack_from(">H", data, at + 2)[0], at + 4
            elif length == 127:
                if len(data) - at < 10:
                    break
                length, body = struct.unpack_from(">Q", data, at + 2)[0], at + 10
            if len(data) - body < length:
                break
            name = data.find(b'"name":"t-', body, body + length)
            if name >= 0:
                asked = int(data[name + 10 : data.index(b'"', name + 10)])
                late.append(now - asked)
                self.received += 1
                self.sum += asked
            at = body + length
        self.rest = data[at:]


def open_accounts(address, worlds, pace, seconds, result):
    """Asks for accounts at a steady pace; sends how many each world got, and the sum of the instants in their names."""
    stream = socket.create_connection(address)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    emitted = [[0, 0] for _ in worlds]
    begin, slowest = time.monotonic(), 0.0
    for number in range(int(pace * seconds) * len(worlds)):
        due = begin + number / (pace * len(worlds))
        time.sleep(max(0.0, due - time.monotonic()))
        at = number % len(worlds)
        _, client, token = worlds[at]
        asked = time.monotonic_ns()
        body = json.dumps({"clientId": client, "accountType": "depot", "name": f"t-{asked}"})
        stream.sendall(
            f"POST /simulations/account HTTP/1.1\r\nhost: {address[0]}:{address[1]}\r\nauthorization: Bearer {token}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += stream.recv(65536)
        head, rest = answer.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 200"):
            sys.exit(f"refused: {answer.decode(errors='replace')}")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(rest) < length:
            rest += stream.recv(65536)
        emitted[at][0] += 1
        emitted[at][1] += asked
        slowest = max(slowest, time.monotonic() - due)
    result.send((emitted, slowest))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fundsim")
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--worlds", type=int, default=20, help="among which they are shared out")
    parser.add_argument("--pace", type=float, default=10, help="events a second that each socket receives")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--stalled", type=int, default=0, help="more sockets, which are never read")
    parser.add_argument("--p99", type=float, help="milliseconds")
    given = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 2 * given.sockets + 1_000)), hard))
    server = subprocess.Popen(
        [given.fundsim, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--seed", "1", "--clock", "frozen", "--log-level", "off"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        measure(given, server)
    finally:
        server.kill()
        server.wait()


def measure(given, server):
    url = json.loads(server.stdout.readline())["url"]
    parts = urllib.parse.urlsplit(url)
    address = (parts.hostname, parts.port)
    worlds = [make_world(url, seed, given.sockets + given.stalled) for seed in range(given.worlds)]
    warm = [Reader(upgrade(address, worlds[at % given.worlds]), at % given.worlds) for at in range(100)]
    before = resident(server.pid)
    readers = warm + [Reader(upgrade(address, worlds[at % given.worlds]), at % given.worlds) for at in range(100, given.sockets)]
    stalled = [upgrade(address, worlds[at % given.worlds], buffer=2048) for at in range(given.stalled)]
    watch, late = select.epoll(), []
    by_number = {reader.stream.fileno(): reader for reader in readers}
    for number in by_number:
        watch.register(number, select.EPOLLIN)
    memory, result = None, multiprocessing.Pipe(False)
    asking = multiprocessing.Process(target=open_accounts, args=(address, worlds, given.pace, given.seconds, result[1]))
    asking.start()
    begin, emitted, quiet = time.monotonic(), None, 0
    while emitted is None or quiet < 20:
        ready = watch.poll(0.05)
        for number, _ in ready:
            by_number[number].read(late)
        if memory is None and time.monotonic() - begin > 2:
            memory = resident(server.pid)
        if emitted is None and result[0].poll():
            emitted, slowest = result[0].recv()
        quiet = 0 if ready or emitted is None else quiet + 1
    asking.join()
    late.sort()
    at = lambda share: late[min(len(late) - 1, int(len(late) * share))] / 1e6
    each = (memory - before) / (given.sockets - len(warm) + given.stalled)
    events = sum(count for count, _ in emitted)
    print(
        f"{given.sockets} sockets in {given.worlds} worlds, {given.pace:g} events a second each for {given.seconds:g} s, {len(stalled)} stalled beside them\n"
        f"{events} events, {len(late)} frames; from before the request to the frame: half within {at(0.5):.1f} ms, 99 % within "
        f"{at(0.99):.1f} ms, 99.9 % within {at(0.999):.1f} ms, all within {at(1):.1f} ms\n"
        f"{each:.1f} KiB a socket; requests were at most {1000 * slowest:.0f} ms behind their pace"
    )
    if stalled:
        sent = [one["sent"] for world, _, _ in worlds for one in ask(f"{url}/_sandbox/worlds/{world}/sockets", "GET")]
        waits = sum(count < max(sent) / 2 for count in sent)
        closed = given.sockets + len(stalled) - len(sent)
        print(f"of the stalled sockets the server waits for {waits}, and has closed {closed}")
        if waits + closed != len(stalled):
            sys.exit("not all of them were stalled")
    wrong = [reader for reader in readers if [reader.received, reader.sum] != emitted[reader.world]]
    if wrong:
        sys.exit(f"{len(wrong)} sockets have not received every event once")
    if each > MOST_KIB:
        sys.exit(f"a socket may take {MOST_KIB} KiB")
    if given.p99 and at(0.99) > given.p99:
        sys.exit(f"the 99th percentile is above {given.p99:g} ms")


if __name__ == "__main__":
    main()
