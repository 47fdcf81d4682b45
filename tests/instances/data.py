#!/usr/bin/env python3
"""`fundsim data` with a log in PostgreSQL: it is checked, written out, taken in and brought to other rules, and refused while an instance uses it.

usage: tests/instances/data.py FUNDSIM      (a binary with the feature `postgres`)
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from database import Database, binary_folder

BINARY = sys.argv[1]
FIXTURE = Path(__file__).parents[2] / "fixtures/formats/upgrade-1.jsonl"


def data(*arguments, text=None):
    done = subprocess.run([BINARY, "data", *arguments], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def expect(is_so, what, seen):
    if not is_so:
        raise SystemExit(f"{what}: {seen}")


class Instance:
    def __init__(self, log, waits=True):
        flags = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--log-level", "warn", "--seed", "7", "--log", log]
        self.process = subprocess.Popen([BINARY, *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.line = json.loads(self.process.stdout.readline()) if waits else None

    def logs(self, words):
        """Waits until it has logged these words."""
        while words not in (line := self.process.stderr.readline()):
            expect(line, f"an instance that logs `{words}`", "it has ended")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def main(folder):
    server = Database(binary_folder(), Path(folder) / "server").make().start()
    try:
        def log(name):
            server.sql(f"create database {name}")
            return f"postgres://fundsim@127.0.0.1:{server.port}/{name}"

        one, two, earlier = log("one"), log("two"), log("earlier")
        instance = Instance(one)
        worlds = urllib.request.urlopen(instance.line["url"] + "/_sandbox/worlds").read()
        for job in (["snapshot", one], ["upgrade", one], ["import", one, "-"]):
            code, _, output = data(*job, text="")
            expect(code == 2 and "end all instances first" in output, f"{job[0]} beside an instance is refused", output)
        code, output, _ = data("check", one)
        expect(code == 0 and "each batch was read" in output, "a log can be checked beside an instance", output)
        instance.stop()

        code, output, _ = data("snapshot", one)
        expect((code, output) == (0, "world-1: its state is kept\n"), "a snapshot", output)
        code, output, why = data("upgrade", one)
        expect((code, output) == (0, "all worlds follow the rules of this version\n"), "nothing to upgrade", output + why)
        code, lines, _ = data("export", one)
        expect(code == 0 and '"snapshot"' in lines.splitlines()[-1], "the snapshot is the last record", lines[-300:])
        code, output, why = data("import", two, "-", text=lines)
        expect(code == 0 and output.startswith(f"{len(lines.splitlines())} records"), "an import", output + why)
        expect(data("export", two)[1] == lines, "what was taken in is what was written out", "it is something else")
        code, _, output = data("import", two, "-", text=lines)
        expect(code == 2 and "records already" in output, "a log with records takes none in", output)
        for name in (one, two):
            instance = Instance(name)
            found = urllib.request.urlopen(instance.line["url"] + "/_sandbox/worlds").read()
            expect(json.loads(found)[0]["worldId"] == json.loads(worlds)[0]["worldId"], "the world continues", found)
            instance.stop()

        # A build of earlier rules has written it, up to the snapshot.
        lines = FIXTURE.read_text().splitlines(keepends=True)
        until = next(at for at, line in enumerate(lines) if '"adopted"' in line)
        code, output, why = data("import", earlier, "-", text="".join(lines[:until]))
        expect(code == 0, "an import", why)
        code, _, output = data("upgrade", earlier)
        expect(code == 2 and "no instance has used it yet" in output, "no key is made for it", output)
        instance = Instance(earlier, waits=False)
        instance.logs("can make none of the worlds")
        instance.stop()
        code, output, why = data("upgrade", earlier)
        expect((code, output) == (0, "world-1: it continues by the rules of this version\n"), "an upgrade", output + why)
        instance = Instance(earlier)
        found = json.load(urllib.request.urlopen(instance.line["url"] + "/_sandbox/worlds"))
        expect([world["name"] for world in found] == ["test"], "the world continues by the rules of this build", found)
        instance.stop()

        # A batch that is lost is noticed.
        server.sql("delete from fundsim_batch where last = (select min(last) from fundsim_batch)", "two")
        code, output, why = data("check", two)
        expect(code == 1 and "damaged" in output, "a lost batch is damage", output + why)
        code, _, output = data("check", "postgres://fundsim:secret@127.0.0.1:1/none")
        expect(code == 2 and "secret" not in output, "what cannot be reached is refused, without its password", output)
        print("fundsim data: checked, written out, taken in, brought to other rules, refused beside an instance")
    finally:
        server.end()


with tempfile.TemporaryDirectory(prefix="fundsim-data-") as folder:
    Path(folder).chmod(0o755)
    main(folder)
