"""The stories of this folder against `examples/portfolio-python`: all pass, and each mistake of `PORTFOLIO_FAULT` makes one fail.

usage: run.py FUNDSIM_BINARY [exercise]   (with a Python that has what the example needs; `kits/run.sh` calls it so)

With `exercise`, each mistake is found by `fundsim exercise` within a minute, in a story of at most eight steps which fails with
the mistake and passes without it; without a mistake nothing is found.

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
# Two days before clocks go forward.
EXERCISE_START = "2026-03-27T08:00:00+01:00"
MOST_STEPS = 8

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
def sandbox(fundsim: str, start: str = START) -> Iterator[str]:
    """A sandbox whose clock stands still; its address."""
    options = ["--listen", "127.0.0.1:0", "--clock", "frozen", "--start", start, "--output", "json"]
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
    settings = {
        "SERVICE_URL": service,
        "CLIENT": client,
        "CLIENT_ID": partner["clientId"],
        "CLIENT_SECRET": partner["clientSecret"],
        "CALLBACK_SECRET": partner["callbackSecret"],
        "WEBHOOK_SECRET": webhook["secret"],
        "PUBLIC_URL": url,
        "DATABASE": ":memory:",
        "RECONCILE_SECONDS": "0",
        "MAY_RESET": "1",
        "FAULT": fault,
    }
    environment = os.environ | {"PORT": str(port)} | {f"PORTFOLIO_{name}": value for name, value in settings.items()}
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


def played(fundsim: str, fault: str, story: Path, start: str = START) -> dict[str, Any]:
    """What `fundsim run` says of a story, or of a folder, against the application with a mistake."""
    with sandbox(fundsim, start) as service, application(service, fault) as app:
        command = [fundsim, "run", str(story), "--url", service, "--app", app, "--output", "json"]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if ended.returncode not in (0, 1):
            raise SystemExit(ended.stderr)
        return dict(json.loads(ended.stdout))


def exercised(fundsim: str, fault: str, found: Path, seconds: int = 60) -> dict[str, Any]:
    """What `fundsim exercise` says of the application with a mistake, and whether its story fails again."""
    with sandbox(fundsim, EXERCISE_START) as service, application(service, fault) as app:
        of = ["--url", service, "--app", app, "--output", "json"]
        what = ["--holdings", "GET /holdings", "--map", str(EXAMPLE / "exercise" / "map.yaml")]
        command = [fundsim, "exercise", *of, *what, "--for", f"{seconds}s", "--save", str(found)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if ended.returncode not in (0, 1):
            raise SystemExit(ended.stderr)
        report = dict(json.loads(ended.stdout))
        if report["found"]:
            again = subprocess.run([fundsim, "run", report["found"]["file"], *of], capture_output=True, text=True, timeout=300)
            report["again"] = again.returncode
        return report


def exercise(fundsim: str) -> int:
    """Exercises the application with each mistake and without, prints a line each, and returns how many are wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as beside:
        runs = [(fault, beside.submit(exercised, fundsim, fault, Path(folder) / fault)) for fault, *_ in MISTAKES]
        right = beside.submit(exercised, fundsim, "", Path(folder) / "none", 20)
        stories = []
        for fault, run in runs:
            report = run.result()
            found = report["found"]
            if not found:
                wrong += 1
                print(f"{fault}: NOT FOUND in {report['runs']} runs")
                continue
            stories.append(Path(found["file"]))
            steps, tries = found["stepsAfter"], found["tries"]
            seen = found["mismatches"][0]
            where = "cash" if "cash" in seen["path"] else seen["path"]
            print(
                f"{fault}: run {report['runs']}, {steps} steps after {tries} tries: {where} {seen['got']}, not {seen['expected']}"
            )
            if steps > MOST_STEPS or report["again"] != 1:
                wrong += 1
                print(f"  NOT AS IT SHOULD BE: at most {MOST_STEPS} steps, and exit 1 again; it was {report['again']}")
        report = right.result()
        print(f"no mistake: {report['runs']} runs, {report['steps']} steps, found {report['found']}")
        wrong += bool(report["found"])
        for story in stories:
            if played(fundsim, "", story, EXERCISE_START)["passed"] != 1:
                wrong += 1
                print(f"{story.parent.name}: its story does NOT PASS without the mistake")
    return wrong


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
    job = exercise if sys.argv[2:] == ["exercise"] else main
    sys.exit(job(str(Path(sys.argv[1]).resolve())))
