"""A server, and requests to it, one by one and by `wrk`, a package of Debian."""

import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request

SCRIPT = """wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.headers["authorization"] = "Bearer " .. os.getenv("TOKEN")
wrk.body = os.getenv("BODY")
"""


def serve(*words):
    """A server, which ends with this script at the latest, and the line that it writes when it is ready."""
    server = subprocess.Popen(words, stdout=subprocess.PIPE)
    atexit.register(server.kill)
    return server, json.loads(server.stdout.readline())


def ask(url, body=None, token=None, form=None):
    headers = {"authorization": "Bearer " + token} if token else {}
    data = form.encode() if form else None
    if body is not None:
        headers["content-type"], data = "application/json", json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as answer:
        return json.load(answer)


def wrk(url, token, connections, seconds, body=None):
    if shutil.which("wrk") is None:
        sys.exit("wrk is not installed; it is a package of Debian")
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-H", "authorization: Bearer " + token]
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        if body is not None:
            script.write(SCRIPT)
            script.flush()
            command += ["-s", script.name]
        environment = dict(os.environ, TOKEN=token, BODY=json.dumps(body))
        out = subprocess.run([*command, url], env=environment, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out:
        sys.exit("some requests were refused:\n" + out)
    rows = [row.split() for row in out.splitlines()]
    of = {row[0]: row[1] for row in rows if len(row) == 2}
    return f"{float(of['Requests/sec:']):9,.0f}/s, p50 {of['50%']}, p99 {of['99%']}"
