"""Where the program is looked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import fundsim


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\necho stand-in $@\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fundsim, "_packed", lambda: tmp_path / "packed/fundsim")
    monkeypatch.delenv("FUNDSIM_BINARY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


def test_the_packed_program_comes_before_the_environment_and_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_path = program(tmp_path / "bin/fundsim")
    assert fundsim.binary() == on_path
    named = program(tmp_path / "named/fundsim")
    monkeypatch.setenv("FUNDSIM_BINARY", str(named))
    assert fundsim.binary() == named
    packed = program(tmp_path / "packed/fundsim")
    assert fundsim.binary() == packed


def test_without_a_program_the_error_names_all_three_places() -> None:
    with pytest.raises(fundsim.BinaryNotFound, match="packs no program, FUNDSIM_BINARY is not set, and there is none on PATH"):
        fundsim.binary()


def test_a_named_program_that_cannot_be_run_is_an_error_and_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path / "bin/fundsim")
    monkeypatch.setenv("FUNDSIM_BINARY", str(tmp_path / "no-such"))
    with pytest.raises(fundsim.BinaryNotFound, match="no-such, which is no file that can be run"):
        fundsim.binary()


def test_the_console_script_on_path_is_not_the_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = program(tmp_path / "bin/fundsim")
    monkeypatch.setattr(sys, "argv", [str(script)])
    with pytest.raises(fundsim.BinaryNotFound):
        fundsim.binary()


def test_the_module_is_the_program(tmp_path: Path) -> None:
    stand_in = program(tmp_path / "named/fundsim")
    environment = {"FUNDSIM_BINARY": str(stand_in), "PATH": ""}
    called = subprocess.run(
        [sys.executable, "-m", "fundsim", "--version"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert called.stdout == "stand-in --version\n"
