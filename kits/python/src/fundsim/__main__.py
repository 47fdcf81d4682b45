"""`python -m fundsim` and the command `fundsim`: the program, in the place of this process."""

from __future__ import annotations

import os
import sys

from fundsim import BinaryNotFound, binary


def main() -> None:
    """Becomes the program."""
    try:
        program = binary()
    except BinaryNotFound as error:
        sys.exit(f"fundsim: {error}")
    os.execv(program, [str(program), *sys.argv[1:]])


if __name__ == "__main__":
    main()
