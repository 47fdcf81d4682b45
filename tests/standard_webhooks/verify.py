"""A Standard Webhooks library that knows nothing of fundsim verifies what a running `fundsim serve` really delivers.

usage: verify.py FUNDSIM_BINARY

Starts the server with a receiver beside it, causes a webhook by an order and a callback by a canceled journey, and hands
both, byte for byte as received, to the library. It must accept them, and must refuse them once anything about them changes.
"""

import http.server
import json
import queue
import subprocess
import sys
import threading
import urllib.parse
import urllib.request

from standardwebhooks import Webhook, WebhookVerificationError

FUND = "SE0SBX000016SEK"
PATIENCE = 20


class Receiver(http.server.BaseHTTPRequestHandler):
    """Keeps every post; the first one is refused, so that a retry is verified too."""

    posts = queue.Queue()
    first = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.posts.put((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(503 if Receiver.first else 200)
        Receiver.first = False
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Sandbox:
    """A running server and the demo partner's token."""

    def __init__(self, binary):
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--seed", "42"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the server ended with {self.process.wait(PATIENCE)} before it was ready")
        self.line = json.loads(line)
        self.partner = self.line["partners"][0]
        self.client = self.partner["clients"][0]["id"]
        form = urllib.parse.urlencode({
            "grant_type": "client_credentials",
            "client_id": self.partner["clientId"],
            "client_secret": self.partner["clientSecret"],
        })
        headers = {"content-type": "application/x-www-form-urlencoded"}
        self.headers = {"content-type": "application/json"}
        token = self.ask("POST", "/v2/partner/auth/token", form.encode(), headers)["access_token"]
        self.headers["authorization"] = "Bearer " + token

    def ask(self, method, path, body=None, headers=None):
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        url = self.line["url"] + path
        request = urllib.request.Request(url, data=data, method=method, headers=headers or self.headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            sys.exit(f"{method} {path} answered {error.code}: {error.read().decode()}")

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE)


def await_post(path, event_type):
    """The next post at `path` about an event of `event_type`."""
    while True:
        try:
            got = Receiver.posts.get(timeout=PATIENCE)
        except queue.Empty:
            sys.exit(f"no {event_type} came to {path} within {PATIENCE} s")
        if got[0] == path and got[1]["event-type"] == event_type:
            return got[1], got[2]


def refused(webhook, body, headers):
    try:
        webhook.verify(body, headers)
    except WebhookVerificationError:
        return True
    return False


def check(what, secret, headers, body):
    """The library accepts the delivery as it came, and no other."""
    webhook = Webhook(secret)
    verified = webhook.verify(body, headers)
    other = "whsec_" + "A" * 43 + "="
    later = {**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1)}
    tampered = [
        ("another body", webhook, body[:-1] + b" }", headers),
        ("another id", webhook, body, {**headers, "webhook-id": headers["webhook-id"][::-1]}),
        ("another moment", webhook, body, later),
        ("another secret", Webhook(other), body, headers),
    ]
    for change, verifier, changed, with_headers in tampered:
        if not refused(verifier, changed, with_headers):
            sys.exit(f"{what}: the library accepts {change}")
    print(f"{what}: verified, and refused once changed in {len(tampered)} ways")
    return verified


def webhook_of_an_order(sandbox, receiver):
    asked = {"client": sandbox.client, "url": receiver + "/webhook", "events": ["order.create"]}
    secret = sandbox.ask("POST", "/_sandbox/worlds/current/webhooks", asked)["secret"]
    account = sandbox.ask("POST", "/simulations/account", {"clientId": sandbox.client, "accountType": "isk", "cash": 10000})
    order = {"account": account["id"], "orderType": "subscription", "instrument": FUND, "amount": 1000}
    placed = sandbox.ask("POST", f"/v2/partner/client/{sandbox.client}/order", order)
    first, body = await_post("/webhook", "order.create")
    verified = check("webhook", secret, first, body)
    assert verified["current"]["id"] == placed["id"] and "previous" not in verified, verified
    again, body = await_post("/webhook", "order.create")
    check("webhook, second attempt", secret, again, body)
    assert again["webhook-id"] == first["webhook-id"], "attempts share their id"


def callback_of_a_journey(sandbox, receiver):
    journey = {
        "journey": {"journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
                    "accountCategories": ["retail"]},
        "callbackUrl": receiver + "/callback",
        "scope": "c2NvcGU=",
    }
    made = sandbox.ask("POST", f"/v2/partner/client/{sandbox.client}/journey", journey)
    sandbox.ask("POST", f"/simulations/journey/{made['id']}/cancel", {})
    headers, body = await_post("/callback", "journey.callback")
    verified = check("callback", sandbox.partner["callbackSecret"], headers, body)
    assert verified["id"] == made["id"] and verified["status"] == "canceled" and verified["scope"] == "c2NvcGU=", verified
    assert verified["error"] == {"code": "USER_ERROR", "journeyType": "createAccount"}, verified


def main(binary):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    receiver = f"http://127.0.0.1:{server.server_port}"
    sandbox = Sandbox(binary)
    try:
        webhook_of_an_order(sandbox, receiver)
        callback_of_a_journey(sandbox, receiver)
    finally:
        sandbox.stop()
    if sandbox.process.returncode != 0:
        sys.exit(f"the server ended with {sandbox.process.returncode}")


if __name__ == "__main__":
    main(sys.argv[1])
