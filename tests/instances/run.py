#!/usr/bin/env python3
"""Holds three instances on a real PostgreSQL, or on three etcd servers, to what they promise while instances and servers are killed under load.

usage: tests/instances/run.py FUNDSIM [--kills N] [--server-kills N] [--rounds WORD,...] [--engine postgres|etcd] [--seed N] [--keep]
       (a binary with the features `postgres` and `etcd`; 50 kills, 20 of the server; all rounds)

Four callers send to the instances in turn, as a proxy would, and note what was answered. In each round, what was answered must be there
afterwards, by every instance and with the token of the start, each order must have been posted to the webhook, with one webhook-id, and the
clock must never have gone back.

  kills     instances are killed and stopped, mostly the one that leads
  servers   the database server is killed and started again
  standby   the primary is killed and its synchronous standby takes over: nothing may be lost
  behind    the primary is killed and a standby takes over that is seconds behind: what is lost must be noticed
  etcd-kills     as kills, on etcd
  etcd-leaders   the member of etcd that leads is killed and started again
  etcd-suspended the member that leads is suspended for 10 s, then another one
  etcd-late      what the instance that leads sends to etcd arrives 5 s late, in the term of another: it must not be written
  etcd-minority  two of three members are killed: nothing is answered, and nothing that was is lost when they are back
"""

import argparse
import http.server
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from cluster import Cluster, Delay
from database import Database, binary_folder, free_port

FUND = "SE0SBX000016SEK"
CALLERS = 4
INSTANCES = 3
LONGEST_WRITE = 5.0
ROUNDS = ("kills", "servers", "standby", "behind",
          "etcd-kills", "etcd-leaders", "etcd-suspended", "etcd-late", "etcd-minority")


class Receiver:
    """Takes webhooks, and notes what came with each webhook-id, and of which resources."""

    def __init__(self):
        self.ids, self.known = {}, set()
        taken, created = self.ids, self.known

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                taken.setdefault(self.headers["webhook-id"], set()).add(body)
                created.add(json.loads(body)["current"]["id"])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/events"


class Instance:
    def __init__(self, binary, log, folder, name):
        self.binary, self.log, self.folder, self.name = binary, log, folder, name
        self.port, self.process, self.line = free_port(), None, None
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self, waits=True):
        flags = ["serve", "--listen", f"127.0.0.1:{self.port}", "--log", self.log, "--output", "json"]
        world = ["--seed", "42", "--start", "2026-03-02T08:00:00+01:00", "--clock", "60"]
        errors = open(self.folder / f"{self.name}.log", "ab")
        command = [self.binary, *flags, *world, "--log-level", "error,sandbox::server=info"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors)
        errors.close()
        if waits:
            self.is_up()

    def is_up(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} does not start: {self.log_text()[-500:]}")
        self.line = json.loads(line)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        if self.process.wait(timeout=30) != 0:
            raise SystemExit(f"{self.name} has not stopped as it should: {self.process.returncode}")

    def log_text(self):
        return (self.folder / f"{self.name}.log").read_text()


def ask(url, method, path, body=None, token=None, timeout=12):
    headers = {"content-type": "application/json"}
    if token:
        headers["authorization"] = "Bearer " + token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=timeout) as answer:
        text = answer.read()
        return json.loads(text) if text else None


class Load:
    """Callers that send to the instances in turn."""

    def __init__(self, instances, client, token):
        self.instances, self.client, self.token = instances, client, token
        self.stopped = threading.Event()
        self.answered, self.slowest, self.failed, self.back = [], 0.0, 0, []
        self.threads = [threading.Thread(target=self.call, args=(number,)) for number in range(CALLERS)]
        self.threads.append(threading.Thread(target=self.watch))
        for thread in self.threads:
            thread.start()

    def send(self, turn, method, path, body=None):
        """One request, to the next instance; None when it was not answered."""
        began = time.monotonic()
        try:
            answer = ask(self.instances[turn % INSTANCES].url, method, path, body, self.token)
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            if error.code != 503:
                self.failed_badly(f"{method} {path}: {error.code} {text}")
            self.failed += 1
            time.sleep(0.01)
            return None
        except (OSError, ValueError, http.client.HTTPException):
            self.failed += 1
            time.sleep(0.01)
            return None
        if method == "POST":
            self.slowest = max(self.slowest, time.monotonic() - began)
        return answer

    def failed_badly(self, why):
        print(why, file=sys.stderr, flush=True)
        os._exit(1)

    def call(self, turn):
        while not self.stopped.is_set():
            turn += 1
            account = {"clientId": self.client, "accountType": "depot", "cash": 10_000}
            account = self.send(turn, "POST", "/simulations/account", account)
            if account is None:
                continue
            self.answered.append(account["id"])
            for _ in range(5):
                turn += 1
                order = {"account": account["id"], "instrument": FUND, "orderType": "subscription", "amount": 100}
                order = self.send(turn, "POST", f"/v2/partner/client/{self.client}/order", order)
                if order is not None:
                    self.answered.append(order["id"])

    def watch(self):
        """The clock as clients see it."""
        turn, last = 0, ""
        while not self.stopped.is_set():
            turn += 1
            time.sleep(0.02)
            clock = self.send(turn, "GET", "/_sandbox/worlds/world-1/clock")
            if clock is not None:
                if clock["now"] < last:
                    self.back.append((last, clock["now"]))
                last = clock["now"]

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()
        if self.back:
            raise SystemExit(f"the clock went back: {self.back[:3]}")
        return self


class Sandbox:
    def __init__(self, options, binary, log, folder, receiver):
        self.instances = [Instance(binary, log, folder, f"instance-{n}") for n in range(1, INSTANCES + 1)]
        for instance in self.instances:
            instance.start()
        self.draws = random.Random(options.seed)
        partner = self.instances[0].line["partners"][0]
        self.client = partner["clients"][0]["id"]
        form = f"grant_type=client_credentials&client_id={partner['clientId']}&client_secret={partner['clientSecret']}"
        with urllib.request.urlopen(self.instances[1].url + "/v2/partner/auth/token", form.encode()) as answer:
            self.token = json.load(answer)["access_token"]
        self.receiver = receiver
        webhook = {"client": self.client, "url": receiver.url}
        ask(self.instances[2].url, "POST", "/_sandbox/worlds/world-1/webhooks", webhook)
        self.answered = set()

    def leader(self, database):
        url = database.leading_url()
        return next((instance for instance in self.instances if instance.url == url), None)

    def load(self):
        return Load(self.instances, self.client, self.token)

    def listed(self, url):
        path = f"/v2/partner/client/{self.client}/"
        return {row["id"] for what in ("account", "order") for row in ask(url, "GET", path + what, None, self.token, 60)}

    def check(self, load, what):
        """What was answered is there, by each instance."""
        self.answered.update(load.answered)
        for instance in self.instances:
            until = time.monotonic() + 15
            while True:
                try:
                    kept = self.listed(instance.url)
                    break
                except (OSError, urllib.error.URLError, http.client.HTTPException) as error:
                    if time.monotonic() > until:
                        raise SystemExit(f"{what}: {instance.name} does not serve what was answered: {error}")
                    time.sleep(0.2)
            lost = self.answered - kept
            if lost:
                raise SystemExit(f"{what}: {len(lost)} of {len(self.answered)} answered are lost: {sorted(lost)[:3]}")

    def delivered(self, what):
        """What was answered came to the webhook, each event with one id."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            queued = ask(self.instances[0].url, "GET", "/_sandbox/worlds/world-1/deliveries?status=queued&limit=1")
            if not queued["deliveries"]:
                break
            time.sleep(0.2)
        missing = self.answered - self.receiver.known
        several = [id for id, bodies in self.receiver.ids.items() if len(bodies) != 1]
        bodies = sum(len(bodies) for bodies in self.receiver.ids.values())
        distinct = len({body for bodies in self.receiver.ids.values() for body in bodies})
        if several or distinct != bodies:
            raise SystemExit(f"{what}: {len(several)} webhook-ids with several events, {bodies - distinct} events with several ids")
        if missing:
            raise SystemExit(f"{what}: {len(missing)} of {len(self.answered)} never came to the webhook: {sorted(missing)[:3]}")
        print(f"  {len(self.receiver.ids)} events came to the webhook, each with one webhook-id", flush=True)

    def end(self):
        for instance in self.instances:
            if instance.process and instance.process.poll() is None:
                instance.kill()


def report(what, load, more=""):
    print(f"{what}: {len(load.answered)} answered, 0 lost; {load.failed} not answered; "
          f"slowest write {load.slowest:.2f} s{more}", flush=True)


def kills(sandbox, database, count):
    load, killed, stopped = sandbox.load(), 0, 0
    for kill in range(count):
        time.sleep(sandbox.draws.uniform(0.1, 0.8))
        leader = sandbox.leader(database)
        which = leader if leader and sandbox.draws.random() < 0.7 else sandbox.draws.choice(sandbox.instances)
        if sandbox.draws.random() < 0.25:
            which.stop()
            stopped += 1
        else:
            which.kill()
            killed += 1
        which.start()
        if kill % 10 == 9:
            load.stop()
            sandbox.check(load, f"kill {kill + 1}")
            report(f"  {kill + 1} of {count}", load)
            load = sandbox.load()
    load.stop()
    sandbox.check(load, "kills")
    print(f"kills: {killed} instances killed and {stopped} stopped, {len(sandbox.answered)} answered in all, 0 lost", flush=True)


def servers(sandbox, database, count):
    load = sandbox.load()
    for _ in range(count):
        time.sleep(sandbox.draws.uniform(0.3, 1.0))
        database.kill()
        database.start()
    time.sleep(1)
    load.stop()
    sandbox.check(load, "servers")
    report(f"servers: {count} kills of the database", load)


def etcd_leaders(sandbox, cluster, count):
    load = sandbox.load()
    for _ in range(count):
        time.sleep(sandbox.draws.uniform(0.3, 1.0))
        member = cluster.leader() or sandbox.draws.choice(cluster.members)
        member.kill()
        # Members elect another, which instances find.
        time.sleep(sandbox.draws.uniform(0.5, 2.5))
        member.start()
        cluster.is_up()
    time.sleep(1)
    load.stop()
    sandbox.check(load, "etcd-leaders")
    is_quick("etcd-leaders", load)
    report(f"etcd-leaders: {count} kills of the member that leads", load)


def etcd_suspended(sandbox, cluster):
    load = sandbox.load()
    for which in ("leads", "follows"):
        leader = cluster.leader()
        member = leader if which == "leads" else next(it for it in cluster.members if it is not leader)
        time.sleep(1)
        member.suspend()
        before = len(load.answered)
        time.sleep(10)
        if len(load.answered) - before < 10:
            raise SystemExit(f"etcd-suspended: {len(load.answered) - before} answered in 10 s while a member that {which} is suspended")
        member.resume()
        time.sleep(2)
    load.stop()
    sandbox.check(load, "etcd-suspended")
    is_quick("etcd-suspended", load)
    report("etcd-suspended: a member that leads and one that follows are suspended for 10 s", load)


def etcd_late(sandbox, cluster, count):
    ways = {}
    for instance in sandbox.instances:
        # Each reaches the members by ways of its own.
        ways[instance] = [Delay(member.port) for member in cluster.members]
        instance.log = cluster.log(ways=ways[instance])
        instance.kill()
        instance.start()
    time.sleep(4)
    load = sandbox.load()
    for _ in range(count):
        time.sleep(1.5)
        held = ways[sandbox.leader(cluster)]
        for way in held:
            way.open.clear()
        time.sleep(5)
        for way in held:
            way.open.set()
        time.sleep(1)
    load.stop()
    sandbox.check(load, "etcd-late")
    logs = "".join(instance.log_text() for instance in sandbox.instances)
    if "has lost" in logs or "does not follow" in logs:
        raise SystemExit(f"etcd-late: the log is not one any more: {logs[-500:]}")
    report(f"etcd-late: what the instance that leads sends is held {count} times", load)


def etcd_minority(sandbox, cluster):
    load = sandbox.load()
    time.sleep(2)
    for member in cluster.members[:2]:
        member.kill()
    time.sleep(8)
    before = len(load.answered)
    time.sleep(3)
    if len(load.answered) != before:
        raise SystemExit("etcd-minority: something was answered that no majority has")
    for instance in sandbox.instances:
        try:
            ask(instance.url, "GET", "/readyz")
            raise SystemExit(f"etcd-minority: {instance.name} calls itself ready")
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
    for member in cluster.members[:2]:
        member.start()
    cluster.is_up()
    time.sleep(6)
    if len(load.answered) == before:
        raise SystemExit("etcd-minority: nothing is answered after the members are back")
    load.stop()
    sandbox.check(load, "etcd-minority")
    report("etcd-minority: two of three members are down for 11 s; no instance is ready", load)


def is_quick(what, load):
    if load.slowest > LONGEST_WRITE:
        raise SystemExit(f"{what}: a write waited {load.slowest:.2f} s")


def failover(sandbox, primary, standby, is_behind):
    load = sandbox.load()
    time.sleep(2)
    if is_behind:
        standby.stop("immediate")
        time.sleep(1.5)
    primary.kill()
    if is_behind:
        load.stop()
        # What the standby does not have must not be fetched by anybody.
        standby.start()
    standby.promote()
    if not is_behind:
        time.sleep(5)
        load.stop()
    return load


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--server-kills", type=int, default=20)
    parser.add_argument("--rounds", default=",".join(ROUNDS))
    parser.add_argument("--engine", choices=("postgres", "etcd"), help="the rounds of one engine alone")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fundsim-instances-"))
    folder.chmod(0o755)
    bin = binary_folder()
    databases, sandboxes = [], []
    try:
        for word in options.rounds.split(","):
            if options.engine not in (None, "etcd" if word.startswith("etcd-") else "postgres"):
                continue
            began = time.monotonic()
            here = folder / word
            here.mkdir()
            if word.startswith("etcd-"):
                primary = Cluster(here / "etcd").start()
                databases.append(primary)
                sandbox = Sandbox(options, options.binary, primary.log(), here, Receiver())
                sandboxes.append(sandbox)
                if word == "etcd-kills":
                    kills(sandbox, primary, options.kills)
                elif word == "etcd-leaders":
                    etcd_leaders(sandbox, primary, options.server_kills)
                elif word == "etcd-suspended":
                    etcd_suspended(sandbox, primary)
                elif word == "etcd-late":
                    etcd_late(sandbox, primary, 5)
                elif word == "etcd-minority":
                    etcd_minority(sandbox, primary)
                else:
                    raise SystemExit(f"there is no round {word}")
                sandbox.delivered(word)
                print(f"  {time.monotonic() - began:.0f} s", flush=True)
                sandbox.end()
                primary.end()
                continue
            primary = Database(bin, here / "primary").make().start()
            databases.append(primary)
            primary.sql("create database sandbox")
            hosts, standby = f"127.0.0.1:{primary.port}", None
            if word in ("standby", "behind"):
                standby = primary.standby(here / "standby").start()
                databases.append(standby)
                hosts += f",127.0.0.1:{standby.port}"
                if word == "standby":
                    primary.sql("alter system set synchronous_standby_names = '*'")
                    primary.sql("select pg_reload_conf()")
            log = f"postgres://fundsim@{hosts}/sandbox"
            sandbox = Sandbox(options, options.binary, log, here, Receiver())
            sandboxes.append(sandbox)
            logs = lambda: "".join(instance.log_text() for instance in sandbox.instances)
            if word == "kills":
                kills(sandbox, primary, options.kills)
            elif word == "servers":
                servers(sandbox, primary, options.server_kills)
            elif word == "standby":
                load = failover(sandbox, primary, standby, False)
                sandbox.check(load, word)
                report("standby: a synchronous standby took over", load)
                if "has lost" in logs():
                    raise SystemExit(f"standby: a loss was noticed that cannot be: {logs()[-500:]}")
            elif word == "behind":
                load = failover(sandbox, primary, standby, True)
                until = time.monotonic() + 20
                while logs().count("has lost") + logs().count("does not follow") < INSTANCES and time.monotonic() < until:
                    time.sleep(0.2)
                if logs().count("has lost") + logs().count("does not follow") < INSTANCES:
                    raise SystemExit(f"behind: the loss was not noticed by each instance: {logs()[-800:]}")
                time.sleep(4)
                kept = [sandbox.listed(instance.url) for instance in sandbox.instances]
                if kept[0] != kept[1] or kept[0] != kept[2]:
                    raise SystemExit("behind: instances have different worlds")
                lost = len(set(load.answered) - kept[0])
                if lost == 0:
                    raise SystemExit("behind: nothing was lost, so nothing was shown")
                again = sandbox.load()
                time.sleep(2)
                again.stop()
                sandbox.check(again, "behind, afterwards")
                print(f"behind: {lost} of {len(load.answered)} answered were lost by the database, and each instance noticed; "
                      f"{len(again.answered)} answered afterwards, 0 lost", flush=True)
            if word != "behind":
                sandbox.delivered(word)
            print(f"  {time.monotonic() - began:.0f} s", flush=True)
            sandbox.end()
    except BaseException:
        for sandbox in sandboxes[-1:]:
            for instance in sandbox.instances:
                print(f"--- {instance.name}\n{instance.log_text()[-1500:]}", file=sys.stderr)
        raise
    finally:
        for sandbox in sandboxes:
            sandbox.end()
        for database in databases:
            database.end()
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


main()
