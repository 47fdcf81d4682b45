"""fundsim: the program, and a kit for test suites of partners.

`fundsim.binary()` finds the program. Everything else is in its module: `fundsim.server`, `fundsim.world`, `fundsim.partner`,
`fundsim.customer`, `fundsim.receiver`, and the fixtures in `fundsim.pytest_plugin`.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

__all__ = ["BinaryNotFound", "binary"]

_PROGRAM = "fundsim.exe" if sys.platform == "win32" else "fundsim"


class BinaryNotFound(RuntimeError):
    """No program `fundsim` was found."""


def _packed() -> Path:
    """The place of the program in a wheel that packs it."""
    return Path(__file__).with_name("_bin") / _PROGRAM


def _on_path() -> Path | None:
    """The program on `PATH`, other than the console script of this very distribution, which asks here."""
    own = {Path(sys.argv[0]).absolute(), Path(sys.executable).with_name(_PROGRAM).absolute()}
    for folder in os.get_exec_path():
        found = shutil.which(_PROGRAM, path=folder)
        if found and Path(found).absolute() not in own:
            return Path(found).absolute()
    return None


def binary() -> Path:
    """The program `fundsim`: the one packed in this distribution, else `FUNDSIM_BINARY`, else the one on `PATH`.

    Raises `BinaryNotFound` where there is none, or where `FUNDSIM_BINARY` names no file that can be run.
    """
    packed = _packed()
    if packed.is_file():
        return packed
    named = os.environ.get("FUNDSIM_BINARY")
    if named:
        found = Path(named).absolute()
        if not os.access(found, os.X_OK) or not found.is_file():
            raise BinaryNotFound(f"FUNDSIM_BINARY is {named}, which is no file that can be run")
        return found
    on_path = _on_path()
    if on_path is None:
        raise BinaryNotFound(
            "fundsim was not found: this distribution packs no program, FUNDSIM_BINARY is not set, and there is none on PATH"
        )
    return on_path
