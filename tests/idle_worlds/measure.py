#!/usr/bin/env python3
"""What idle worlds cost the server: memory of each, and processor time of all.

    tests/idle_worlds/measure.py target/release/fundsim 1000 1024 1

Makes that many demo worlds whose clocks run in real time, then leaves them alone for ten seconds. Prints the resident memory of each in
KiB, and the part of one core that all of them take; fails when one takes more memory than the third argument, or all of them more percent
of a core than the fourth.
"""

import json, os, subprocess, sys, time, urllib.request

SECONDS = 10


def resident(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def make(url, seed):
    body = json.dumps({"seed": seed, "start": "2026-03-02T08:00:00+01:00", "clock": "real"}).encode()
    headers = {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/_sandbox/worlds", body, headers)) as answer:
        return json.load(answer)


def main():
    program, worlds, kib, percent = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    arguments = ["serve", "--listen", "127.0.0.1:0", "--seed", "1", "--max-worlds", str(worlds + 1), "--output", "json"]
    server = subprocess.Popen([program, *arguments, "--log-level", "off"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        url = json.loads(server.stdout.readline())["url"]
        before = resident(server.pid)
        for seed in range(worlds):
            make(url, seed)
        each = (resident(server.pid) - before) / worlds
        worked = processor_seconds(server.pid)
        time.sleep(SECONDS)
        idle = 100 * (processor_seconds(server.pid) - worked) / SECONDS
        print(f"{worlds} idle worlds: {each:.0f} KiB each, {idle:.2f} % of a core for all")
        if each > kib or idle > percent:
            sys.exit(f"more than {kib:.0f} KiB each, or more than {percent:g} % of a core")
    finally:
        server.terminate()
        server.wait()


main()
