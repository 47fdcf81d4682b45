#!/usr/bin/env python3
"""Orders and reads over HTTP, of one server in memory and of three instances on a PostgreSQL server, and on three etcd servers, through the one
that leads and through another, in turns; then how long requests wait when the leader is killed, and when it is stopped.

usage: tests/instances/measure.py FUNDSIM [ROUNDS]      (2 rounds; a release binary with the features `postgres` and `etcd`; needs `wrk`)
"""

import http.client
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

from cluster import Cluster
from database import Database, binary_folder, free_port

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kept"))
from load import ask, serve, wrk

BINARY = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
FUND = "SE0SBX000016SEK"


def start(log=None):
    port = free_port()
    flags = ["serve", "--listen", f"127.0.0.1:{port}", "--output", "json", "--log-level", "off", "--clock", "frozen", "--seed", "7"]
    return serve(BINARY, *flags, *(["--log", log] if log else []))


def measure(what, line, url):
    partner = line["partners"][0]
    client = partner["clients"][0]["id"]
    form = f"grant_type=client_credentials&client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
    token = ask(url + "/v2/partner/auth/token", form=form)["access_token"]
    account = ask(url + "/simulations/account", {"clientId": client, "accountType": "depot", "cash": 1_000_000_000}, token)["id"]
    order = {"account": account, "instrument": FUND, "orderType": "subscription", "amount": 100}
    path = f"{url}/v2/partner/client/{client}"
    posts = wrk(f"{path}/order", token, 256, 4, order)
    lone = wrk(f"{path}/order", token, 1, 3, order)
    reads = wrk(f"{path}/account/{account}", token, 32, 3)
    print(f"{what:22} orders, 256 at once {posts} | alone {lone} | reads, 32 at once {reads}", flush=True)
    return token, path


def longest_wait(url, token, end):
    """How long a request waits, tried again where its connection breaks, while `end` happens to the leader."""
    waits = []
    done = threading.Event()

    def read():
        while not done.is_set():
            began, answered = time.monotonic(), False
            while not answered:
                # A connection breaks when the leader dies that has begun with its request: it is asked again.
                try:
                    ask(url, token=token)
                    answered = True
                except (OSError, http.client.HTTPException):
                    pass
            waits.append(time.monotonic() - began)

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(0.3)
    end()
    time.sleep(5)
    done.set()
    reader.join()
    return max(waits)


def several(kind, log, leading):
    """Three instances that share a log."""
    instances = [start(log) for _ in range(3)]
    line = instances[0][1]
    measure(f"{kind}, the leader", line, line["url"])
    url = instances[1][1]["url"]
    token, path = measure(f"{kind}, another", line, url)
    waited = longest_wait(f"{path}/account?limit=1", token, instances[0][0].terminate)
    print(f"{kind}, the leader is stopped: a request waits {waited:.2f} s at most", flush=True)
    leads = leading()
    left = {line["url"]: server for server, line in instances[1:]}
    leader, asked = left.pop(leads), next(iter(left))
    waited = longest_wait(path.replace(url, asked) + "/account?limit=1", token, leader.kill)
    print(f"{kind}, the leader is killed: a request waits {waited:.2f} s at most", flush=True)
    for server, _ in instances:
        server.kill()


def main():
    folder = Path(tempfile.mkdtemp(prefix="fundsim-instances-"))
    folder.chmod(0o755)
    database = Database(binary_folder(), folder / "data").make().start()
    try:
        for round in range(ROUNDS):
            alone, line = start()
            measure("one, in memory", line, line["url"])
            alone.kill()
            database.sql(f"create database round_{round}")
            log = f"postgres://fundsim@127.0.0.1:{database.port}/round_{round}"
            several("PostgreSQL", log, lambda: database.sql("select url from fundsim_head", f"round_{round}"))
            cluster = Cluster(folder / f"etcd-{round}").start()
            try:
                several("etcd", cluster.log(), cluster.leading_url)
            finally:
                cluster.end()
    finally:
        database.end()
        shutil.rmtree(folder, ignore_errors=True)


main()
