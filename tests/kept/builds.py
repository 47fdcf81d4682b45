#!/usr/bin/env python3
"""What one build has kept with --data, another build makes into the same worlds: each of two builds works in a folder of its own, and then both
open a copy of each folder and say the digests of all worlds.

usage: tests/kept/builds.py FUNDSIM FUNDSIM     (such as a release build and a debug build)
"""

import shutil
import sys
import tempfile

from load import ask, serve

FUND = "SE0SBX000016SEK"
WORLDS = "/_sandbox/worlds"


def opened(binary, folder):
    flags = ["--output", "json", "--log-level", "error", "--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "frozen"]
    return serve(binary, "serve", "--listen", "127.0.0.1:0", "--data", folder, *flags)


def works(binary, folder):
    server, line = opened(binary, folder)
    url, partner = line["url"], line["partners"][0]
    client, world = partner["clients"][0]["id"], line["worldId"]
    form = f"grant_type=client_credentials&client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
    token = ask(url + "/v2/partner/auth/token", form=form)["access_token"]
    for number in range(12):
        opening = {"clientId": client, "accountType": ["isk", "depot"][number % 2], "cash": 50_000 + number}
        account = ask(url + "/simulations/account", opening, token)["id"]
        order = {"account": account, "instrument": FUND, "orderType": "subscription", "amount": 1_000 + number}
        ask(f"{url}/v2/partner/client/{client}/order", order, token)
        ask(f"{url}{WORLDS}/{world}/clock/advance", {"by": "P5D"})
        if number == 6:
            ask(f"{url}{WORLDS}/{world}/fork", {})
    ask(f"{url}{WORLDS}", {"seed": 7, "start": "2026-03-02T08:00:00+01:00"})
    server.kill()
    server.wait()


def digests(binary, folder):
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        server, line = opened(binary, copy)
        worlds = [world["worldId"] for world in ask(line["url"] + WORLDS)]
        found = {world: ask(f"{line['url']}{WORLDS}/{world}/digest")["digest"] for world in worlds}
        server.kill()
        server.wait()
    return found


builds = sys.argv[1:3]
for worker in builds:
    with tempfile.TemporaryDirectory() as folder:
        works(worker, folder)
        one, other = (digests(build, folder) for build in builds)
        if one != other or len(one) != 3:
            sys.exit(f"what {worker} has kept becomes {one} by {builds[0]} and {other} by {builds[1]}")
        print(f"{worker}: {len(one)} worlds, the same by both builds: {', '.join(one.values())}")
