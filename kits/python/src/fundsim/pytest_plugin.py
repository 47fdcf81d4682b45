"""The pytest plugin: fixtures `fundsim`, `world`, `partner`, `customer`, `receiver`, `clock`, `bank`, `fund_company`, `platform`.

Nothing of the kit is imported until a test asks for a fixture: a suite that does not use fundsim pays nothing for the plugin.

Under pytest-xdist each worker starts a server of its own when its first test needs one: the start takes 16 to 35 ms and the
process 60 MB, and no worker waits for another or depends on another's server. `FUNDSIM_URL` makes all workers use one server.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fundsim.customer import Customer
    from fundsim.partner import Partner
    from fundsim.receiver import Receiver
    from fundsim.server import Server
    from fundsim.world import Bank, Clock, FundCompany, Platform, World

_WORLD = pytest.StashKey["World"]()
_HAS_FAILED = pytest.StashKey[bool]()
_PARTS = "pip install 'fundsim[pytest]'"
_MARKER = (
    'fundsim(seed=42, start="2026-03-02T08:00:00+01:00", clock="frozen", setup={}, settings={}, market={}): '
    "the world of a test: its seed, its first instant, how its clock goes, its setup, settings of it, and prices of funds"
)
_REQUESTS_SHOWN, _LOG_LINES, _WHY_LINES = 8, 15, 30
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--fundsim-url`, and where stories of failed tests and coverage go."""
    group = parser.getgroup("fundsim")
    group.addoption("--fundsim-url", metavar="URL", help="use a running server [env: FUNDSIM_URL]")
    group.addoption(
        "--fundsim-stories",
        metavar="FOLDER",
        default=".fundsim",
        help="folder in which what a failed test has asked is kept as a scenario file [default: .fundsim]",
    )
    group.addoption(
        "--fundsim-coverage",
        metavar="FOLDER",
        help="folder in which what each test has met is kept, for `fundsim readiness --from FOLDER` [env: FUNDSIM_COVERAGE]",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marker."""
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture(scope="session")
def fundsim(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server. It is started on a free port and stopped at the end; with `--fundsim-url` or `FUNDSIM_URL`, a running one."""
    try:
        from fundsim.server import Server, ServerFailed
    except ImportError as missing:
        pytest.fail(f"the fixtures of fundsim need more packages ({missing}): {_PARTS}", pytrace=False)
    url = request.config.getoption("--fundsim-url") or os.environ.get("FUNDSIM_URL")
    with Server.at(url) if url else Server.start() as server:
        yield server
        code = server.exit_code()
        if code is not None:
            raise ServerFailed(f"the server has ended with {code} before the session did")
        server.check_leaks()


@pytest.fixture
def world(request: pytest.FixtureRequest, fundsim: Server) -> Iterator[World]:
    """A world of its own for each test, dropped after it. `@pytest.mark.fundsim(seed=…, start=…, …)` says what it is like.

    On a server that ran already, the world of a failed test is kept, so that its console can be opened.
    """
    wanted: dict[str, Any] = {}
    for mark in reversed(list(request.node.iter_markers("fundsim"))):
        if mark.args:
            raise pytest.UsageError(f"{request.node.nodeid}: the marker is {_MARKER}")
        wanted |= mark.kwargs
    try:
        made = fundsim.make_world(name=request.node.nodeid, **wanted)
    except TypeError as error:
        raise pytest.UsageError(f"{request.node.nodeid}: {error}; the marker is {_MARKER}") from None
    request.node.stash[_WORLD] = made
    try:
        yield made
    finally:
        del request.node.stash[_WORLD]
        try:
            if fundsim.exit_code() is None:
                _keep_coverage(made, request)
        finally:
            if request.node.stash.get(_HAS_FAILED, False) and not fundsim.is_own:
                made.keep()
            elif fundsim.exit_code() is None:
                made.drop()


@pytest.fixture
def partner(world: World) -> Partner:
    """The first partner of the world, with a token."""
    return world.partner


@pytest.fixture
def customer(world: World) -> Iterator[Customer]:
    """A customer in front of hosted pages."""
    from fundsim.customer import Customer

    made = Customer(world)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def receiver(world: World) -> Iterator[Receiver]:
    """A server for callbacks and webhooks, whose signatures it checks."""
    from fundsim.receiver import Receiver

    with Receiver(world) as made:
        yield made


@pytest.fixture
def clock(world: World) -> Clock:
    """The clock of the world. It stands still until the test moves it."""
    return world.clock


@pytest.fixture
def bank(world: World) -> Bank:
    """What customers' banks do."""
    return world.bank


@pytest.fixture
def fund_company(world: World) -> FundCompany:
    """What fund companies do."""
    return world.fund_company


@pytest.fixture
def platform(world: World) -> Platform:
    """What the platform does."""
    return world.platform


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds what the world of a failed test says."""
    report = yield
    world = item.stash.get(_WORLD, None)
    if world is not None and report.when == "call" and report.failed:
        item.stash[_HAS_FAILED] = True
        try:
            words = _about(world, item, report.longreprtext)
        except Exception as error:
            # The test's own failure is what matters.
            words = _without_answers(world, error)
        report.sections.append(("fundsim", words))
    return report


def _about(world: World, item: pytest.Item, failure: str) -> str:
    """The short section of a failed test."""
    now = world.clock.now
    lines = [f"world    {world.url}  seed {world.seed}, from {world.start} to {now.isoformat(timespec='milliseconds')}"]
    kept = "the world is kept" if not world.server.is_own else "while the server runs: `pytest --pdb`, or FUNDSIM_URL"
    lines.append(f"console  {world.console}  ({kept})")
    story = _story(world, item)
    if story is not None:
        lines.append(f"again    fundsim run {shlex.quote(_relative(story))}")
        capsule = _capsule(world, item, failure, story)
        if capsule is not None:
            lines.append(f"open     fundsim open {shlex.quote(_relative(capsule))}")
    requests = world.requests(limit=_REQUESTS_SHOWN)
    if requests:
        lines.append("requests, the last one last:")
        lines += [f"  {one['status'] or '---'} {one['method']} {one['path']}" for one in reversed(requests)]
        lines += _refusals(requests)
    named = _last_named(requests)
    if named is not None:
        lines += _why(world, named)
    log = [line for line in world.server.log(world.id, _LOG_LINES) if " warn " in line or " error " in line]
    if log:
        lines += ["log of the server:", *(f"  {line}" for line in log)]
    return "\n".join(lines)


def _without_answers(world: World, error: Exception) -> str:
    """The section of a failed test whose server does not answer any more: why, and what it has written last."""
    code = world.server.exit_code()
    ended = "" if code is None else f"; the server has ended with {code}"
    log = [f"  {line}" for line in world.server.log(lines=_LOG_LINES)]
    return "\n".join(
        [world.url, f"nothing more is known of it: {error!r}{ended}", *(["log of the server:", *log] if log else [])]
    )


def _relative(path: Path) -> str:
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def _story(world: World, item: pytest.Item) -> Path | None:
    """Writes what partners have asked of the world as a scenario file."""
    folder = item.config.rootpath / str(item.config.getoption("--fundsim-stories"))
    with suppress(Exception):
        text = world.scenario()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        path = folder / f"{_file_name(item.nodeid)}.yaml"
        path.write_text(text, encoding="utf-8")
        return path
    return None


def _capsule(world: World, item: pytest.Item, failure: str, story: Path) -> Path | None:
    """Writes the world as it is, with all that led to it and why the test has failed, beside its story."""
    with suppress(Exception):
        run = {"name": item.nodeid, "failure": failure, "story": story.read_text(encoding="utf-8")}
        path = story.with_suffix(".capsule.json")
        path.write_text(json.dumps(world.capsule() | {"run": run}), encoding="utf-8")
        return path
    return None


def _keep_coverage(world: World, request: pytest.FixtureRequest) -> None:
    """Writes what a test has met, where that is wanted. A test has a file, whichever worker runs it; another run replaces it."""
    wanted = request.config.getoption("--fundsim-coverage") or os.environ.get("FUNDSIM_COVERAGE")
    if not wanted:
        return
    folder = request.config.rootpath / wanted
    folder.mkdir(parents=True, exist_ok=True)
    test = request.node.nodeid
    # Names that differ in signs alone, or in what is cut, have files of their own.
    name = f"{_file_name(test)[-150:]}-{hashlib.sha256(test.encode()).hexdigest()[:8]}"
    path = folder / f"{name}.json"
    beside = path.with_suffix(f".{os.getpid()}.part")
    # Amounts in examples of requests are decimals.
    beside.write_text(json.dumps(world.coverage(), default=float), encoding="utf-8")
    beside.replace(path)


def _file_name(test: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", test.removesuffix(".py")).strip("-")


def _refusals(requests: Any) -> list[str]:
    """What the last refused request was answered."""
    for one in requests:
        if (one["status"] or 0) >= 400:
            body = (one.get("answered") or {}).get("json") or {}
            words = body.get("error_description") if isinstance(body, dict) else None
            return [f"last refusal: {one['status']} {one['method']} {one['path']}: {words or 'without words'}"]
    return []


def _last_named(requests: Any) -> str | None:
    """The id of the resource that the last request was about: the last one in its path, or that of its answer."""
    for one in requests:
        in_path = _UUID.findall(one["path"].partition("/client/")[2])[1:]
        if in_path:
            return str(in_path[-1])
        answered = ((one.get("answered") or {}).get("json")) or {}
        if isinstance(answered, dict) and isinstance(answered.get("id"), str):
            return str(answered["id"])
    return None


def _why(world: World, named: str) -> list[str]:
    """What `fundsim why` says of a resource, shortened."""
    from fundsim import BinaryNotFound, binary
    from fundsim.server import OPERATOR_TOKEN

    command = f"fundsim why {named} --url {world.server.url} --world {world.id}"
    if os.environ.get(OPERATOR_TOKEN):
        command += f" --operator-token-env {OPERATOR_TOKEN}"
    try:
        program = str(binary())
        called = [program, *shlex.split(command)[1:], "--color", "never"]
        answer = subprocess.run(called, capture_output=True, text=True, timeout=10, check=False)
    except (BinaryNotFound, subprocess.TimeoutExpired):
        return [f"why      {command}"]
    written = answer.stdout.splitlines()
    if answer.returncode != 0 or not written:
        return []
    left_out = [f"  ... {len(written) - _WHY_LINES} more lines"] if len(written) > _WHY_LINES else []
    return [f"why      {command}", *(f"  {line}" for line in written[:_WHY_LINES]), *left_out]
