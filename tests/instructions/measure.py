#!/usr/bin/env python3
"""How many instructions things take, as callgrind counts them, beside the budget for each.

    tests/instructions/measure.py FUNDSIM_BINARY              prints the figures
    tests/instructions/measure.py FUNDSIM_BINARY --check      fails where one is more than 3 % above its budget
    tests/instructions/measure.py FUNDSIM_BINARY --write      makes them the budget
    ... --only NAME                                           the rows whose names hold NAME

Instructions do not depend on how busy a machine is. Each thing is done few times, and many times; the difference is what it takes without
the program's start. The server is as `fundsim serve` starts it, with a line of the log for each request, the request log and the
recording. A figure that has fallen by more than 3 % is named, so that its budget follows. Needs valgrind, and installs it on Debian
and its relatives where it is missing.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "request_log"))
import measure as request_log  # noqa: E402

BUDGET = Path(__file__).with_name("budget.json")
FREEDOM = 0.03


def install():
    if shutil.which("valgrind") is None:
        as_root = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*as_root, "apt-get", "update", "-qq"], check=True)
        subprocess.run([*as_root, "apt-get", "install", "-qq", "-y", "--no-install-recommends", "valgrind"],
                       check=True, stdout=subprocess.DEVNULL)


def valgrind(log):
    return ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log}"]


def collected(log):
    """What callgrind has counted: the sum over the processes whose reports begin so."""
    return int(re.search(r"Collected : (\d+)", Path(log).read_text())[1])


class Counted(request_log.Server, request_log.Customer):
    """A server under callgrind, with one funded account."""

    def __init__(self, binary, level, log):
        super().__init__([*valgrind(log), binary], level)
        self.open_account(self.partner["clients"][0]["id"])

    def journey(self):
        journey = {"journeyType": "createAccount", "accountTypes": ["depot"], "accountServiceType": "executionOnly",
                   "accountCategories": ["retail"]}
        made = self.call("POST", f"{self.path}/journey", {"journey": journey, "callbackUrl": "http://127.0.0.1:9/callback"})
        self.call("POST", f"/simulations/journey/{made['id']}/complete", {})


def of_requests(name, level, few, many, before=lambda server: None):
    """The instructions of one call of `Counted.name`."""
    def count(binary, times):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            server = Counted(binary, level, log)
            before(server)
            for _ in range(times):
                getattr(server, name)()
            server.connection.close()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait()
            return collected(log)

    return lambda binary: (count(binary, many) - count(binary, few)) / (many - few)


def a_hundred_orders(server):
    for _ in range(100):
        server.post_order()


def one_attempt_a_callback(server):
    """However long the run takes: a second attempt would be counted where the machine is slow."""
    server.call("PATCH", "/_sandbox/worlds/world-1/settings", {"deliveryWaitsSeconds": [86_400]}, {"content-type": "application/json"})


def of_fuzz_steps(binary):
    """The instructions of a step of a world's generated runs, with all checks."""
    def count(seeds):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            seeds = ["--seeds", f"1..{seeds}", "--seed-timeout", "600s"]
            run = [*valgrind(log), binary, "fuzz", "--level", "world", *seeds, "--output", "json"]
            output = subprocess.run(run, check=True, capture_output=True, text=True).stdout
            return collected(log), json.loads(output.splitlines()[-1])["steps"]

    (few, fewer_steps), (many, more_steps) = count(3), count(9)
    return (many - few) / (more_steps - fewer_steps)


def of_account_years(binary):
    """The instructions of a year of one customer with a past: monthly savings, fees, events."""
    def count(accounts):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log")
            server = Counted(binary, "info", log)
            start = {"seed": 7, "start": request_log.START, "clock": "frozen", "setup": {"history": {"accounts": accounts, "days": 60}}}
            world = server.call("POST", "/_sandbox/worlds", start, {"content-type": "application/json"})["worldId"]
            advance = f"/_sandbox/worlds/{world}/clock/advance"
            server.call("POST", advance, {"by": "P1Y"}, {"content-type": "application/json"})
            server.connection.close()
            server.process.send_signal(signal.SIGTERM)
            server.process.wait()
            return collected(log)

    return (count(250) - count(50)) / 200


ROWS = {
    "GET account": of_requests("get_account", "info", 200, 1200),
    "GET account, log off": of_requests("get_account", "off", 200, 1200),
    "POST order": of_requests("post_order", "info", 200, 1200),
    "list of 100 orders": of_requests("list_orders", "info", 20, 220, a_hundred_orders),
    "journey created and completed": of_requests("journey", "info", 20, 120, one_attempt_a_callback),
    "step of a generated run": of_fuzz_steps,
    "year of an account": of_account_years,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    install()
    budget = json.loads(BUDGET.read_text()) if BUDGET.exists() else {}
    exceeded = []
    for name, count in ROWS.items():
        if arguments.only not in name:
            continue
        began, found, allowed = time.monotonic(), round(count(arguments.binary)), budget.get(name)
        beside = "" if allowed is None else f"   budget {allowed:>11,}   {found / allowed:6.3f}"
        if allowed is None or found > allowed * (1 + FREEDOM):
            exceeded.append(name)
            beside += "   above its budget" if allowed else "   has no budget"
        elif found < allowed * (1 - FREEDOM):
            beside += "   below: --write makes this the budget"
        print(f"{name:<30} {found:>11,}{beside}   ({time.monotonic() - began:.0f} s)", flush=True)
        if arguments.write:
            budget[name] = found
    if arguments.write:
        BUDGET.write_text(json.dumps(budget, indent=2) + "\n")
    elif arguments.check and exceeded:
        sys.exit(f"more instructions than the budget: {', '.join(exceeded)}")


if __name__ == "__main__":
    main()
