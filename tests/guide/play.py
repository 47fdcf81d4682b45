"""Runs the programs that a page prints beside a running `fundsim serve`, and looks at what they say.

usage: play.py FUNDSIM_BINARY PAGE FOLDER

Each program is a block of code whose first line names its file. The first call must list the partner's clients, and fail with a
wrong secret; the socket and the receiver must tell of an account that is opened, and the receiver must refuse what nobody signed.
"""

import json
import os
import pathlib
import queue
import re
import socket
import subprocess
import sys
import threading

import requests

PATIENCE = 30
BLOCK = re.compile(r"^```(python|typescript)\n(?:#|//) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Program:
    """A program under way; its lines can be waited for."""

    def __init__(self, command, environment):
        self.command = command
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines = queue.Queue()
        self.output = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def awaits(self, wanted):
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                line = None
            if line is None:
                sys.exit(f"{self.command} has not printed `{wanted}`, but: {self.output}")
            self.output.append(line)
            if line == wanted:
                return

    def stop(self):
        self.process.kill()
        self.process.wait(PATIENCE)


def programs(page, folder):
    """Writes the page's programs into the folder; how each is run."""
    # The page is UTF-8 wherever this runs.
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    for _, name, text in blocks:
        (folder / name).write_text(text, encoding="utf-8")
    names = sorted(name for _, name, _ in blocks)
    expected = [f"{stem}.{ending}" for stem in ("follow", "partner", "webhook") for ending in ("py", "ts")]
    assert names == expected, f"the page has {names}"
    python, runner = folder / "venv/bin/python", folder / "node_modules/.bin/tsx"
    return {"Python": lambda stem: [python, folder / f"{stem}.py"], "TypeScript": lambda stem: [runner, folder / f"{stem}.ts"]}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def opens_account(url, token, client):
    asked = {"clientId": client, "accountType": "isk", "cash": 10000}
    headers = {"authorization": f"Bearer {token}"}
    answer = requests.post(f"{url}/simulations/account", json=asked, headers=headers, timeout=PATIENCE)
    assert answer.ok, answer.text
    return answer.json()["id"]


def plays(language, of, line):
    partner = line["partners"][0]
    clients = partner["clients"]
    port = free_port()
    environment = {**os.environ, "SANDBOX_URL": line["url"], "CLIENT_ID": partner["clientId"],
                   "CLIENT_SECRET": partner["clientSecret"], "PORT": str(port)}
    first = subprocess.run(of("partner"), env=environment, capture_output=True, text=True, timeout=PATIENCE)
    listed = [row.split(" ", 1) for row in first.stdout.splitlines()]
    assert sorted(listed) == sorted([client["id"], client["name"]] for client in clients), f"{listed}\n{first.stderr}"
    wrong = subprocess.run(of("partner"), env={**environment, "CLIENT_SECRET": "wrong"}, capture_output=True, text=True, timeout=PATIENCE)
    assert wrong.returncode != 0 and wrong.stdout == "", f"a wrong secret is taken: {wrong.stdout}"

    running = [Program(of("follow"), environment), Program(of("webhook"), environment)]
    try:
        follow, webhook = running
        follow.awaits("hello")
        webhook.awaits("listening")
        form = {"grant_type": "client_credentials", "client_id": partner["clientId"], "client_secret": partner["clientSecret"]}
        granted = requests.post(f"{line['url']}/v2/partner/auth/token", data=form, timeout=PATIENCE).json()
        account = opens_account(line["url"], granted["access_token"], clients[0]["id"])
        follow.awaits(f"account.create {account}")
        webhook.awaits(f"account.create {account}")
        unsigned = requests.post(f"http://127.0.0.1:{port}/", json={"current": {"id": account}}, timeout=PATIENCE)
        assert unsigned.status_code == 401, f"what nobody signed is answered {unsigned.status_code}"
    finally:
        for program in running:
            program.stop()
    print(f"{language}: a first call, a webhook and a socket work as printed")


def main(binary, page, folder):
    languages = programs(page, folder)
    subprocess.run([folder / "node_modules/.bin/tsc", "--project", folder], check=True)
    command = [binary, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--seed", "42"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        first = server.stdout.readline()
        if not first:
            sys.exit(f"the server ended with {server.wait(PATIENCE)} before it was ready")
        for language, of in languages.items():
            plays(language, of, json.loads(first))
    finally:
        server.terminate()
        server.wait(PATIENCE)


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
