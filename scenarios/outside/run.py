"""The stories of this folder against `examples/portfolio-python`: all pass, and each mistake of `PORTFOLIO_FAULT` makes one fail.

usage: run.py FUNDSIM_BINARY   (with a Python that has what the example needs; `kits/run.sh` calls it so)

Each run has a sandbox and an application of its own, on ports that the system gives, and all runs are beside each other.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE.parent.parent / "examples" / "portfolio-python"
START = "2026-03-02T08:00:00+01:00"

# A mistake, the story that shows it, and the field that then has another value than expected.
MISTAKES = [
    ("drop-event", "month-end.yaml", "body.cash"),
    ("ignore-bounce", "a-deposit-bounces.yaml", "body.cash"),
    ("double-deposit", "events-come-twice-and-late.yaml", "body.cash"),
    ("retry-as-new", "an-answer-is-lost.yaml", "body"),
    ("miss-clock-change-day", "month-end.yaml", "body.cash"),
]


def asked(url: str, body: object = None) -> Any:
    """The answer to a request, as JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@contextlib.contextmanager
def running(command: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    """A process that is ended with the block."""
    process = subprocess.Popen(command, text=True, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


@contextlib.contextmanager
def sandbox(fundsim: str) -> Iterator[str]:
    """A sandbox whose clock stands still; its address."""
    options = ["--listen", "127.0.0.1:0", "--clock", "frozen", "--start", START, "--output", "json"]
    command = [fundsim, "serve", *options]
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        yield str(json.loads(process.stdout.readline())["url"])


@contextlib.contextmanager
def application(service: str, fault: str) -> Iterator[str]:
    """The example with a mistake, for the first client of the sandbox; its address."""
    partner = asked(f"{service}/_sandbox/worlds/world-1")["partners"][0]
    client = partner["clients"][0]["id"]
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    webhook = asked(f"{service}/_sandbox/worlds/world-1/webhooks", {"url": f"{url}/events", "client": client})
    told = {
        "SERVICE_URL": service,
        "CLIENT": client,
        "CLIENT_ID": partner["clientId"],
        "CLIENT_SECRET": partner["clientSecret"],
        "CALLBACK_SECRET": partner["callbackSecret"],
        "WEBHOOK_SECRET": webhook["secret"],
        "PUBLIC_URL": url,
        "DATABASE": ":memory:",
        "RECONCILE_SECONDS": "0",
        "FAULT": fault,
    }
    environment = os.environ | {"PORT": str(port)} | {f"PORTFOLIO_{name}": value for name, value in told.items()}
    with tempfile.TemporaryFile("w+") as log:
        command = [sys.executable, "-m", "portfolio"]
        with running(command, cwd=EXAMPLE, env=environment, stdout=log, stderr=subprocess.STDOUT) as process:
            for _ in range(600):
                with contextlib.suppress(urllib.error.URLError):
                    asked(f"{url}/holdings")
                    break
                if process.poll() is not None:
                    log.seek(0)
                    raise SystemExit(f"the application has not started:\n{log.read()}")
                time.sleep(0.05)
            yield url


def played(fundsim: str, fault: str, story: Path) -> dict[str, Any]:
    """What `fundsim run` says of a story, or of a folder, against the application with a mistake."""
    with sandbox(fundsim) as service, application(service, fault) as app:
        command = [fundsim, "run", str(story), "--url", service, "--app", app, "--output", "json"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if ended.returncode not in (0, 1):
            raise SystemExit(ended.stderr)
        return dict(json.loads(ended.stdout))


def differences(results: dict[str, Any]) -> list[dict[str, str]]:
    """Everything that was not as expected."""
    failures = [failure for file in results["files"] for failure in file.get("failures", [])]
    return [mismatch for failure in failures for mismatch in failure.get("mismatches", [])]


def main(fundsim: str) -> int:
    """Plays everything, prints a line for each run, and returns how many are not as they should be."""
    stories = sorted(path for path in HERE.glob("*.yaml") if path.read_text().startswith("fundsim: 1\nscenario:"))
    wrong = 0
    with ThreadPoolExecutor() as beside:
        well = beside.submit(played, fundsim, "", HERE)
        found = [(*row, beside.submit(played, fundsim, row[0], HERE / row[1])) for row in MISTAKES]
        results = well.result()
        counts = f"{results['passed']} of {len(stories)} stories pass"
        print(f"no mistake: {counts}")
        if results["passed"] != len(stories) or results["failed"]:
            wrong += 1
            print(json.dumps([file for file in results["files"] if file["outcome"] != "passed"], indent=2))
        for fault, story, field, run in found:
            seen = [one for one in differences(run.result()) if one["path"] == field]
            if seen:
                print(f"{fault}: {story} fails, {field} is {seen[0]['got']} instead of {seen[0]['expected']}")
            else:
                wrong += 1
                print(f"{fault}: NOT FOUND by {story}: {json.dumps(run.result())}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(str(Path(sys.argv[1]).resolve())))
