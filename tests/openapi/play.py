"""Servers for the outsiders: the generated client plays against one, Schemathesis against another.

usage: play.py FUNDSIM_BINARY FOLDER_WITH_THE_INSTALLED_TOOLS
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse
import urllib.request

PATIENCE = 60
OPERATOR = "operator-of-the-check"
FUND = "SE0SBX000016SEK"
HERE = pathlib.Path(__file__).parent


class Server:
    """A demo world of a fixed seed, standing still."""

    def __init__(self, binary, *flags):
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen", "--seed", "42",
                   "--start", "2026-03-02T08:00:00+01:00", *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env={**os.environ, "OPERATOR": OPERATOR})
        self.line = self.process.stdout.readline()
        if not self.line:
            sys.exit(f"the server ended with {self.process.wait(PATIENCE)} before it was ready")
        self.ready = json.loads(self.line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)

    def send(self, path, body=None, token=None, kind="application/json"):
        """Sends a POST with `body`, or a GET without one."""
        headers = {"content-type": kind} | ({"authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(self.ready["url"] + path, body and body.encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def token(self, line):
        partner = line["partners"][0]
        form = urllib.parse.urlencode({"grant_type": "client_credentials", "client_id": partner["clientId"],
                                       "client_secret": partner["clientSecret"]})
        return self.send("/v2/partner/auth/token", form, kind="application/x-www-form-urlencoded")["access_token"]


def client(binary, home):
    with Server(binary) as server:
        with urllib.request.urlopen(server.ready["url"] + "/asyncapi.json", timeout=PATIENCE) as answer:
            pathlib.Path(home, "asyncapi.json").write_bytes(answer.read())
        subprocess.run(["node", "asyncapi.mjs", "asyncapi.json"], cwd=home, check=True, timeout=PATIENCE)
        subprocess.run(["node", "built/play.js", server.line], cwd=home, check=True, timeout=PATIENCE)
        partner = server.ready["partners"][0]
        secrets = {"FUNDSIM_CLIENT_ID": partner["clientId"], "FUNDSIM_CLIENT_SECRET": partner["clientSecret"]}
        again = HERE.parent / "recorded" / "again.sh"
        session = pathlib.Path(home, "session.yaml")
        subprocess.run([again, binary, server.ready["url"], session], check=True, timeout=PATIENCE, env={**os.environ, **secrets})


def populate(ask, client, accounts):
    """Gives the world something of every kind, and says its ids by the names of parameters and fields."""
    account = next(one for one in accounts if one["accountType"] == "isk" and one["owner"]["ownerType"] == "natural_person")
    own = account["id"]
    bank = next(bank["id"] for bank in account["bankAccounts"] if bank["validated"])
    journey = {"callbackUrl": "https://partner.example/journeys"}
    opening = {"journeyType": "createAccount", "accountTypes": ["isk"], "accountServiceType": "executionOnly",
               "accountCategories": ["retail"], "allocationPlan": {}}
    journeys = [ask(f"{client}/journey", journey | {"journey": {"journeyType": "addBankAccount", "account": own}})
                for _ in range(12)]
    for _ in range(3):
        ask(f"/simulations/journey/{ask(f'{client}/journey', journey | {'journey': opening})['id']}/complete", {})
    ask("/simulations/account/" + own + "/book", {"transactionType": "settlement", "refType": "dividend", "amount": 90000})
    orders = [ask(f"{client}/order", {"orderType": "subscription", "account": own, "instrument": FUND, "amount": 500})
              for _ in range(8)]
    payments = [ask(f"{client}/account/{own}/deposit/mobilepay", {"amount": 100, "type": "same_device"}) for _ in range(8)]
    transactions = {kind: ask(f"{client}/account/{own}/transaction/{kind}") for kind in ("cash", "fund")}
    ids = lambda many: [one["id"] for one in many]
    return {
        "account": [own], "bankAccount": [bank], "bankAccountId": [bank], "instrument": [FUND], "destinationAccount": [own],
        "journeyId": ids(journeys), "orderId": ids(orders), "mobilepayId": ids(payments),
        "allocationPlanId": ids(ask(f"{client}/allocationplan")),
        "cashTransactionId": ids(transactions["cash"]), "fundTransactionId": ids(transactions["fund"]),
    }


# What is asked of which part: a name, who asks, what is picked, what is left out.
RUNS = [
    ("partner API and levers", "partner", ["--include-path-regex", "^/(v2|ping|simulations)"], []),
    # A client that drops the world has none left to ask about, so that comes last, and alone.
    ("machinery", "operator", ["--include-path-regex", "^/(_sandbox|healthz|readyz|metrics)"], ["dropWorld"]),
    ("dropping worlds", "operator", ["--include-operation-id", "dropWorld", "--phases", "examples,coverage,fuzzing"], []),
]


def schemathesis(binary, home):
    with Server(binary, "--operator-token-env", "OPERATOR") as server:
        for name, who, picked, left_out in RUNS:
            # A world of its own for each, so that what one breaks the next does not miss.
            line = server.send("/_sandbox/worlds", json.dumps({"seed": 42, "start": "2026-03-02T08:00:00+01:00",
                                                               "clock": "frozen"}), OPERATOR)
            client = line["partners"][0]["clients"][0]["id"]
            token = server.token(line)
            accounts = server.send(f"/v2/partner/client/{client}/account", token=token)
            known = populate(lambda path, body=None: server.send(path, body and json.dumps(body), token),
                             f"/v2/partner/client/{client}", accounts)
            environment = {
                **os.environ,
                "TOKEN": OPERATOR if who == "operator" else token,
                "WORLD": line["worldId"],
                "CLIENT": client,
                "ACCOUNT": accounts[0]["id"],
                "SPARE_ACCOUNT": accounts[1]["id"],
                "FUND": FUND,
                "KNOWN": json.dumps(known),
                "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py"),
            }
            options = [option for id in left_out for option in ("--exclude-operation-id", id)]
            began = time.monotonic()
            ran = subprocess.run(
                [f"{home}/venv/bin/schemathesis", "--config-file", str(HERE / "schemathesis.toml"), "run",
                 "--url", server.ready["url"], *picked, *options, f"{home}/openapi.json"],
                cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            (pathlib.Path(home) / f"{name.replace(' ', '-')}.log").write_text(ran.stdout)
            print(f"{name}: {'well' if ran.returncode == 0 else 'FAILED'} in {time.monotonic() - began:.0f} s", flush=True)
            if ran.returncode != 0:
                print(ran.stdout)
                yield name


if __name__ == "__main__":
    binary, home = sys.argv[1:]
    client(binary, home)
    failed = list(schemathesis(binary, home))
    sys.exit(f"Schemathesis: {', '.join(failed)}" if failed else 0)
