#!/usr/bin/env python3
"""Orders placed over HTTP, with worlds in memory and kept by --data, in turns; then how long a start takes that does all of it again. At the
end how long a start takes with a thousand worlds, with one of them once the others were dropped, and once `data compact` has left those out.

usage: tests/kept/measure.py FUNDSIM [ROUNDS]      (2 rounds; needs `wrk`, a package of Debian)

Prints for each: requests a second and their median and 99th percentile with 256 and with one in flight, reads a second of an account, and,
of a kept world, how long the next start takes and how large the file is. Every order is accepted.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

from load import ask, serve, wrk

BINARY = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2


def start(folder):
    flags = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--log-level", "warn", "--clock", "frozen", "--seed", "7"]
    kept = ["--data", folder] if folder else []
    began = time.monotonic()
    server, line = serve(BINARY, *flags, *kept)
    return server, line, time.monotonic() - began


def measure(folder, connections):
    server, line, _ = start(folder)
    url, partner = line["url"], line["partners"][0]
    client = partner["clients"][0]["id"]
    form = f"grant_type=client_credentials&client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
    token = ask(url + "/v2/partner/auth/token", form=form)["access_token"]
    opened = {"clientId": client, "accountType": "depot", "cash": 1_000_000_000}
    account = ask(url + "/simulations/account", opened, token)["id"]
    order = {"account": account, "instrument": "SE0SBX000016SEK", "orderType": "subscription", "amount": 100}
    posts = wrk(f"{url}/v2/partner/client/{client}/order", token, connections, 4, order)
    reads = wrk(f"{url}/v2/partner/client/{client}/account/{account}", token, 32, 2)
    inputs = ask(url + "/_sandbox/worlds")[0]["input"]
    server.kill()
    server.wait()
    print(f"{'kept' if folder else 'in memory':9}  {connections:3} in flight: {posts}; reads {reads}", flush=True)
    if folder:
        server, _, took = start(folder)
        server.kill()
        server.wait()
        size = os.path.getsize(folder + "/fundsim.redb") / 1024
        print(f"           the next start does {inputs:,} inputs again in {took:.2f} s; the file has {size:,.0f} KiB", flush=True)


for _ in range(ROUNDS):
    for connections in (256, 1):
        measure(None, connections)
        kept = tempfile.mkdtemp(prefix="fundsim-kept-")
        measure(kept, connections)
        shutil.rmtree(kept)


def stopped(server):
    server.terminate()
    server.wait()


def starts(folder, what):
    took = []
    for _ in range(3):
        server, _, seconds = start(folder)
        stopped(server)
        took.append(seconds)
    print(f"a start with {what}: {sorted(took)[1]:.2f} s", flush=True)


def delete(url):
    urllib.request.urlopen(urllib.request.Request(url, method="DELETE")).close()


def measure_starts(folder, worlds):
    server, line, _ = start(folder)
    made = [ask(line["url"] + "/_sandbox/worlds", {"seed": seed})["worldId"] for seed in range(1, worlds)]
    stopped(server)
    starts(folder, f"{worlds} worlds")
    server, line, _ = start(folder)
    for world in made:
        delete(f"{line['url']}/_sandbox/worlds/{world}")
    stopped(server)
    starts(folder, f"one world, and {len(made)} that were dropped")
    print(subprocess.run([BINARY, "data", "compact", folder], capture_output=True, text=True, check=True).stdout, end="")
    starts(folder, "one world")


kept = tempfile.mkdtemp(prefix="fundsim-kept-")
measure_starts(kept, 1_000)
shutil.rmtree(kept)
