#!/usr/bin/env python3
"""Clusters of etcd for tests, on loopback, in temporary folders.

usage: tests/instances/cluster.py COMMAND...     (runs COMMAND while FUNDSIM_TEST_ETCD names an empty cluster of three members)
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from database import free_port


class Member:
    """One etcd server."""

    def __init__(self, name, folder):
        self.name, self.folder, self.process, self.flags = name, folder, None, []
        self.port, self.peer = free_port(), free_port()
        self.url, self.peer_url = f"http://127.0.0.1:{self.port}", f"http://127.0.0.1:{self.peer}"

    def start(self):
        out = open(self.folder / f"{self.name}.log", "ab")
        command = ["etcd", "--name", self.name, "--data-dir", self.folder / self.name, "--logger", "zap", "--log-level", "warn",
                   "--listen-client-urls", self.url, "--advertise-client-urls", self.url,
                   "--listen-peer-urls", self.peer_url, "--initial-advertise-peer-urls", self.peer_url, *self.flags]
        self.process = subprocess.Popen(command, stdout=out, stderr=out)
        out.close()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def suspend(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)


class Delay:
    """A way to a member on which what is sent can be held for a while, and arrives then."""

    def __init__(self, port):
        self.there, self.listener = port, socket.create_server(("127.0.0.1", 0))
        self.port, self.open = self.listener.getsockname()[1], threading.Event()
        self.open.set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            threading.Thread(target=self.join, args=(near,), daemon=True).start()

    def join(self, near):
        try:
            far = socket.create_connection(("127.0.0.1", self.there))
        except OSError:
            near.close()
            return
        threading.Thread(target=self.carry, args=(far, near, False), daemon=True).start()
        self.carry(near, far, True)

    def carry(self, source, target, is_held):
        try:
            while data := source.recv(1 << 16):
                if is_held:
                    self.open.wait()
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Cluster:
    """Members in a folder."""

    def __init__(self, folder, members=3, flags=()):
        folder.mkdir()
        self.members = [Member(f"m{n}", folder) for n in range(1, members + 1)]
        peers = ",".join(f"{member.name}={member.peer_url}" for member in self.members)
        for member in self.members:
            member.flags = ["--initial-cluster", peers, "--initial-cluster-token", str(folder), *flags]

    def start(self):
        for member in self.members:
            member.start()
        self.is_up()
        return self

    def is_up(self):
        until = time.monotonic() + 30
        while self.leader() is None:
            if time.monotonic() > until:
                sys.exit("the cluster has no leader after 30 s")
            time.sleep(0.1)

    def control(self, *command, members=None):
        """What etcdctl prints; nothing when it fails."""
        urls = ",".join(member.url for member in members or self.members)
        command = ["etcdctl", "--endpoints", urls, "--command-timeout", "3s", *command]
        done = subprocess.run(command, env=os.environ | {"ETCDCTL_API": "3"}, capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else ""

    def leader(self):
        """The member that leads, if one says so."""
        for member in self.members:
            fields = self.control("endpoint", "status", members=[member]).split(", ")
            if len(fields) > 4 and fields[4] == "true":
                return member
        return None

    def log(self, prefix="sandbox", ways=None):
        return "etcd://" + ",".join(f"127.0.0.1:{way.port}" for way in ways or self.members) + f"/{prefix}"

    def leading_url(self, prefix="sandbox"):
        """Where the instance is reached that leads by the log."""
        return self.control("get", "--print-value-only", f"/{prefix}/head/url").strip()

    def size(self):
        """Bytes of the database of a member."""
        return max((member.folder / member.name / "member/snap/db").stat().st_size for member in self.members)

    def end(self):
        for member in self.members:
            if member.process and member.process.poll() is None:
                member.kill()


def main():
    folder = Path(tempfile.mkdtemp(prefix="fundsim-cluster-"))
    cluster = Cluster(folder / "etcd")
    try:
        cluster.start()
        url = cluster.log().rsplit("/", 1)[0]
        sys.exit(subprocess.run(sys.argv[1:], env=os.environ | {"FUNDSIM_TEST_ETCD": url}).returncode)
    finally:
        cluster.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
