#!/usr/bin/env python3
"""What the lines on standard error cost: instructions of the server for a GET of an account, as callgrind counts them.

Each server is asked few times, and another like it many times; the difference is what requests take without its start. Needs
valgrind. usage: tests/request_log/instructions.py FUNDSIM_BINARY...
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

import measure

FEW, MANY = 200, 2200


class Counted(measure.Server):
    def __init__(self, binary, level, log):
        self.log = log
        valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]
        super().__init__([*valgrind, binary], level)


def instructions(binary, level, requests):
    with tempfile.TemporaryDirectory() as folder:
        server = Counted(binary, level, os.path.join(folder, "log"))
        client = server.partner["clients"][0]["id"]
        account = {"clientId": client, "accountType": "isk", "cash": 1000000}
        account = server.call("POST", "/simulations/account", account)["id"]
        for _ in range(requests):
            server.call("GET", f"/v2/partner/client/{client}/account/{account}")
        server.connection.close()
        server.process.send_signal(signal.SIGTERM)
        server.process.wait()
        with open(server.log, encoding="utf-8") as log:
            return int(re.search(r"Collected : (\d+)", log.read())[1])


def main(*binaries):
    for binary in binaries:
        for level in ("off", "info"):
            of_one = (instructions(binary, level, MANY) - instructions(binary, level, FEW)) / (MANY - FEW)
            print(f"{binary}, --log-level {level}: {of_one:,.0f} instructions a request", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
