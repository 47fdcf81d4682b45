"""A running fundsim, asked as a client asks it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from .common import Failure

# Seconds that a server, an answer or a stop may take.
PATIENCE = 30


def clean(**more):
    """The environment without what would steer the program or pip."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FUNDSIM_", "PIP_", "PYTHON", "npm_"))}
    return {**kept, **more}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url, method="GET", body=None, headers=None):
    """The status and the JSON of an answer."""
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as got:
            return got.status, json.loads(got.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def first_answer(url, partner):
    """Gets a token with a partner's credentials, and reads the accounts of its first client: the first conversation."""
    form = urllib.parse.urlencode(
        {"grant_type": "client_credentials", "client_id": partner["clientId"], "client_secret": partner["clientSecret"]}
    )
    kind = {"content-type": "application/x-www-form-urlencoded"}
    status, token = ask(f"{url}/v2/partner/auth/token", "POST", form.encode(), kind)
    if status != 200:
        raise Failure(f"{url} gives no token: {status} {token}")
    headers = {"authorization": f"Bearer {token['access_token']}", "content-type": "application/json"}
    status, accounts = ask(f"{url}/v2/partner/client/{partner['clients'][0]['id']}/account", headers=headers)
    if status != 200 or not accounts:
        raise Failure(f"{url} shows no accounts: {status} {accounts}")
    return headers


@contextlib.contextmanager
def served(*command, **options):
    """A server started by `command serve`, and what its first line says; it must stop with 0 by SIGTERM."""
    words = [*map(str, command), "serve", "--listen", "127.0.0.1:0", "--output", "json"]
    options = {"env": clean(), **options}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    try:
        line = process.stdout.readline()
        if not line:
            raise Failure(f"{' '.join(words)} ended before it was ready: {process.stderr.read()}")
        yield json.loads(line)
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure(f"{' '.join(words)} does not stop by SIGTERM") from None
        if code != 0:
            raise Failure(f"{' '.join(words)} ends with {code} by SIGTERM")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def until(what, condition):
    """Waits for `condition()`, and returns what it returns."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.2)
    raise Failure(f"after {PATIENCE} s this has not happened: {what}")
