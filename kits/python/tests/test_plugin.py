"""The plugin seen from outside: suites of partners that pass, fail, leak, and run on several workers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fundsim.server import Server

PASSES = """
    def test_one(partner, customer):
        account = customer.account(cash=10)
        assert partner.accounts.get(account)["balance"] == 10
"""

FAILS = """
    def test_that_fails(partner, customer, clock):
        account = customer.account(cash=1000)
        order = partner.orders.subscribe(account, "SE0SBX000016SEK", 1000)
        clock.until_settlement(order)
        assert partner.orders.get(order)["status"] == "sent"
"""


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FUNDSIM_URL", raising=False)


def test_a_failed_test_shows_its_world_its_requests_and_how_to_repeat_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILS)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.re_match_lines(
        [
            r"-+ fundsim -+",
            r"world    http://127.0.0.1:\d+/_sandbox/worlds/world-2  seed 42, from 2026-03-02T07:00:00.000Z to 2026-03-04T",
            r"console  http://127.0.0.1:\d+/console/world-2",
            r"again    fundsim run .fundsim/.*test_that_fails.yaml",
            r"open     fundsim open .fundsim/.*test_that_fails.capsule.json",
            r"  200 POST /v2/partner/client/.*/order",
            r"why      fundsim why [0-9a-f-]{36} --url http://127.0.0.1:\d+ --world world-2",
            r"  order [0-9a-f-]{36}: \d+ changes",
        ]
    )


def test_the_story_of_a_failed_test_plays(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAILS)
    pytester.runpytest()
    (story,) = (pytester.path / ".fundsim").glob("*.yaml")
    played = subprocess.run([os.environ["FUNDSIM_BINARY"], "run", story], capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stdout


def test_a_refused_request_of_a_failed_test_is_shown_with_its_words(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_that_fails(partner, customer):
            partner.orders.subscribe(customer.account(cash=1), "SE0SBX000016SEK", 1000)
        """
    )
    result = pytester.runpytest()
    result.stdout.re_match_lines([r"last refusal: 400 POST .*/order: amount .*"])


def test_of_a_server_that_ends_in_a_test_the_log_is_shown(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import time

        def test_that_fails(fundsim, partner, customer):
            account = customer.account()
            time.sleep(0.2)
            fundsim._process.kill()
            fundsim._process.wait()
            partner.accounts.get(account)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "nothing more is known of it: NoAnswer(*); the server has ended with -9",
            "log of the server:",
            "*200 POST*_sandbox/worlds*",
        ]
    )
    result.stdout.fnmatch_lines(["*ServerFailed: the server has ended with -9 before the session did"])


def test_a_test_that_passes_says_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(PASSES)
    result = pytester.runpytest("-rA")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("*_sandbox*")
    assert not (pytester.path / ".fundsim").exists()


def never_met(coverage: Any) -> set[tuple[str, str, str]]:
    return {(group["name"], row["of"], row["what"]) for group in coverage["groups"] for row in group["never"]}


def test_of_the_coverage_of_all_worlds_the_sum_names_what_none_has_met(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(PASSES + FAILS)
    folder = pytester.path / "coverage"
    pytester.runpytest("-n", "2", "--fundsim-coverage", "coverage").assert_outcomes(passed=1, failed=1)
    written = [json.loads(file.read_text()) for file in sorted(folder.iterdir())]
    assert len(written) == 2
    summed = subprocess.run(
        [os.environ["FUNDSIM_BINARY"], "readiness", "--from", folder, "--output", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    one, other = (never_met(coverage) for coverage in written)
    assert never_met(json.loads(summed.stdout)) == one & other
    assert one & other < one


def test_the_variable_has_coverage_kept_too_and_nothing_keeps_it_unasked(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(PASSES)
    pytester.runpytest().assert_outcomes(passed=1)
    assert not (pytester.path / "coverage").exists()
    monkeypatch.setenv("FUNDSIM_COVERAGE", "coverage")
    for _ in range(2):
        pytester.runpytest().assert_outcomes(passed=1)
    assert len(list((pytester.path / "coverage").iterdir())) == 1


def test_a_fixture_that_leaks_worlds_is_found(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def second_world(fundsim):
            return fundsim.make_world(name="second world of a fixture")

        def test_with_it(second_world):
            assert second_world.partner.accounts.list()
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*LeakedWorlds: worlds were made and never dropped*", "*made for second world of a fixture"])


def test_the_server_is_stopped_at_the_end(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pathlib

        def test_one(fundsim):
            pathlib.Path("pid").write_text(str(fundsim._process.pid))
        """
    )
    pytester.runpytest().assert_outcomes(passed=1)
    pid = int((pytester.path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_each_worker_has_a_server_and_no_test_sees_another(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pathlib
        import pytest

        @pytest.mark.parametrize("number", range(20))
        def test_one(number, partner, customer, fundsim, clock):
            before = len(partner.accounts.list())
            customer.account(cash=number)
            assert len(partner.accounts.list()) == before + 1
            clock.advance("1 day")
            pathlib.Path(f"server-{fundsim.url.rpartition(':')[2]}").touch()
        """
    )
    pytester.runpytest_subprocess("-n", "2", "-q").assert_outcomes(passed=20)
    assert len(list(pytester.path.glob("server-*"))) == 2


def test_a_running_server_is_used_and_keeps_the_world_of_a_failed_test(pytester: pytest.Pytester) -> None:
    with Server.start() as server:
        pytester.makepyfile(PASSES + FAILS)
        result = pytester.runpytest("--fundsim-url", server.url)
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines([f"world    {server.url}/*", "console * (the world is kept)"])
        names = [world["name"] for world in server.call("GET", "/_sandbox/worlds")]
        assert names[1:] == ["test_a_running_server_is_used_and_keeps_the_world_of_a_failed_test.py::test_that_fails"[-64:]]


def test_a_running_server_with_an_operator_is_used_with_the_operators_token(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUNDSIM_OPERATOR_TOKEN", "0123456789abcdef0123456789abcdef")
    command = [os.environ["FUNDSIM_BINARY"], "serve", "--listen", "127.0.0.1:0", "--output", "json", "--operator-token-env"]
    with subprocess.Popen([*command, "FUNDSIM_OPERATOR_TOKEN"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        pytester.makepyfile(PASSES + FAILS)
        result = pytester.runpytest("--fundsim-url", url)
        server.terminate()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.re_match_lines([r"why      fundsim why .* --operator-token-env FUNDSIM_OPERATOR_TOKEN", r"  order .* changes"])


def test_a_marker_that_names_nothing_known_is_an_error_with_what_there_is(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.fundsim(sed=1)
        def test_one(world):
            pass
        """
    )
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["*unexpected keyword argument 'sed'; the marker is fundsim(seed=42,*"])


def test_without_the_program_the_error_says_where_it_was_looked_for(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(PASSES)
    monkeypatch.setenv("FUNDSIM_BINARY", "/no/such")
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["*BinaryNotFound: FUNDSIM_BINARY is /no/such, which is no file that can be run"])


def test_a_suite_that_uses_no_fixture_of_the_kit_imports_nothing_of_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_one():
            assert "fundsim.pytest_plugin" in sys.modules
            assert not {"httpx", "simplejson", "bs4", "fundsim.server"} & set(sys.modules)
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_version_is_that_of_the_program() -> None:
    from importlib.metadata import version

    answer = subprocess.run([os.environ["FUNDSIM_BINARY"], "--version"], capture_output=True, text=True, check=True)
    assert version("fundsim") in answer.stdout


def test_the_shapes_are_those_of_the_program() -> None:
    tool = Path(__file__).parents[1] / "tools/shapes.py"
    subprocess.run([sys.executable, tool, os.environ["FUNDSIM_BINARY"], "--check"], check=True)
