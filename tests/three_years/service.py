"""A running `fundsim serve`, its partner, and requests to both faces that this client uses.

Numbers are read as decimals, so that no digit is lost.
"""

import http.client
import json
import os
import pathlib
import subprocess
import sys
import urllib.parse
from decimal import Decimal

PATIENCE = 60
# Three years are more than a recording has room for with its usual bound.
RECORDING = 16 * 1024 * 1024


class Service:
    def __init__(self, binary, seed, start):
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen",
                   "--seed", str(seed), "--start", start]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the server ended with {self.process.wait(PATIENCE)} before it was ready")
        ready = json.loads(line)
        self.address = urllib.parse.urlsplit(ready["url"])
        self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=PATIENCE)
        self.requests = 0
        partner = self.partner = ready["partners"][0]
        self.client = partner["clients"][0]["id"]
        form = urllib.parse.urlencode({"grant_type": "client_credentials", "client_id": partner["clientId"],
                                       "client_secret": partner["clientSecret"]})
        granted = self.send("POST", "/v2/partner/auth/token", form, "application/x-www-form-urlencoded")
        self.token = granted["access_token"]
        self.send("PATCH", "/_sandbox/worlds/current/settings", json.dumps({"recordingBytes": RECORDING}))

    def send(self, method, path, body=None, kind="application/json"):
        headers = {"content-type": kind} if body is not None else {}
        if hasattr(self, "token"):
            headers["authorization"] = "Bearer " + self.token
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        self.requests += 1
        if answer.status != 200:
            sys.exit(f"{method} {path} {body} answered {answer.status}: {text}")
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)

    def get(self, path, **query):
        return self.send("GET", self.under_client(path) + ("?" + urllib.parse.urlencode(query) if query else ""))

    def post(self, path, **body):
        return self.send("POST", self.under_client(path), json.dumps(body, default=str_of))

    def delete(self, path):
        return self.send("DELETE", self.under_client(path))

    def under_client(self, path):
        whole = path.startswith(("/v2", "/simulations", "/_sandbox"))
        return path if whole else f"/v2/partner/client/{self.client}{path}"

    def advance(self, instant):
        return self.post("/_sandbox/worlds/current/clock/advance", to=instant)

    def plays_again(self, binary, folder):
        """What was done is written down, and played again with the same answers."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        again = pathlib.Path(__file__).parent.parent / "recorded" / "again.sh"
        partner = {"FUNDSIM_CLIENT_ID": self.partner["clientId"], "FUNDSIM_CLIENT_SECRET": self.partner["clientSecret"]}
        url = urllib.parse.urlunsplit(self.address)
        subprocess.run([again, binary, url, folder / "three-years.yaml"], check=True, env={**os.environ, **partner})

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def str_of(number):
    """Decimals go out with the digits that they have."""
    return float(number) if isinstance(number, Decimal) else str(number)
