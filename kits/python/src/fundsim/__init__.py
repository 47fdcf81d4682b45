"""fundsim, a simulated fund-distribution platform: where its program is.

`binary()` is the path of the program that was installed with this package; `python -m fundsim` runs it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

__all__ = ["BinaryNotFound", "binary"]


class BinaryNotFound(RuntimeError):
    """No program `fundsim` was found."""


def binary() -> Path:
    """The program: the one in this package, else the one that FUNDSIM_BINARY names, else the one on the path.

    Raises `BinaryNotFound` where there is none.
    """
    packed = Path(__file__).with_name("_bin") / "fundsim"
    if packed.is_file():
        return packed
    found = os.environ.get("FUNDSIM_BINARY") or shutil.which("fundsim")
    if not found:
        raise BinaryNotFound("this package has no program, FUNDSIM_BINARY names none, and there is none on the path")
    return Path(found).absolute()
