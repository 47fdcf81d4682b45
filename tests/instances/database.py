#!/usr/bin/env python3
"""PostgreSQL servers for tests, on loopback, in temporary folders.

usage: tests/instances/database.py COMMAND...     (runs COMMAND while FUNDSIM_TEST_POSTGRES names an empty database)
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Database:
    """A PostgreSQL server in a folder."""

    def __init__(self, bin, folder):
        self.bin, self.folder, self.port = bin, folder, free_port()

    def run(self, *command, **more):
        drop = {"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} | more
        return subprocess.run(command, check=True, cwd="/", **drop, **quiet)

    def make(self):
        self.own()
        self.run(f"{self.bin}/initdb", "-D", self.folder, "-U", "fundsim", "--auth=trust", "--no-sync")
        self.set("listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", "wal_keep_size = '1GB'")
        return self

    def own(self):
        self.folder.mkdir(mode=0o700)
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)

    def set(self, *lines):
        with open(self.folder / "postgresql.conf", "a") as conf:
            conf.write("\n".join(lines) + "\n")

    def start(self):
        command = ["-w", "-D", self.folder, "-o", f"-p {self.port}", "-l", self.folder / "log", "start"]
        until = time.monotonic() + 20
        while True:
            try:
                self.run(f"{self.bin}/pg_ctl", *command)
                return self
            except subprocess.CalledProcessError:
                # Processes of a server that was killed hold its memory for a moment.
                if time.monotonic() > until:
                    sys.exit(f"the database does not start: {(self.folder / 'log').read_text()[-500:]}")
                time.sleep(0.1)

    def kill(self):
        pid = int((self.folder / "postmaster.pid").read_text().split()[0])
        # The file stays: by it the next server sees whether any process of this one is still there.
        os.kill(pid, signal.SIGKILL)

    def stop(self, how="fast"):
        self.run(f"{self.bin}/pg_ctl", "-w", "-m", how, "-D", self.folder, "stop")

    def end(self):
        """Stops it, if it runs."""
        if (self.folder / "postmaster.pid").exists():
            subprocess.run([f"{self.bin}/pg_ctl", "-m", "immediate", "-D", self.folder, "stop"], check=False, cwd="/",
                           user="postgres" if os.geteuid() == 0 else None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def standby(self, folder):
        other = Database(self.bin, folder)
        other.own()
        source = f"host=127.0.0.1 port={self.port} user=fundsim application_name=standby"
        self.run(f"{self.bin}/pg_basebackup", "-D", folder, "-R", "-X", "stream", "-c", "fast", "-d", source)
        return other

    def promote(self):
        self.run(f"{self.bin}/pg_ctl", "-w", "-D", self.folder, "promote")

    def sql(self, text, database="postgres"):
        command = [f"{self.bin}/psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "fundsim", "-Atc", text, database]
        return self.run(*command, stdout=subprocess.PIPE).stdout.decode().strip()

    def leading_url(self):
        """Where the instance is reached that leads by the log."""
        return self.sql("select url from fundsim_head", "sandbox")


def binary_folder():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise SystemExit("PostgreSQL is not installed: tests/instances/install.sh")
    return found[-1].parent


def main():
    folder = Path(tempfile.mkdtemp(prefix="fundsim-database-"))
    folder.chmod(0o755)
    server = Database(binary_folder(), folder / "data").make().start()
    try:
        server.sql("create database sandbox")
        url = f"postgres://fundsim@127.0.0.1:{server.port}/sandbox"
        sys.exit(subprocess.run(sys.argv[1:], env=os.environ | {"FUNDSIM_TEST_POSTGRES": url}).returncode)
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
