"""`python -m fundsim` and the console script `fundsim`: the program with the same arguments."""

from __future__ import annotations

import os
import subprocess
import sys

from fundsim import BinaryNotFound, binary


def main() -> None:
    """Becomes the program; on Windows, which cannot do that, runs it and ends as it does."""
    try:
        program = binary()
    except BinaryNotFound as error:
        sys.exit(str(error))
    arguments = [str(program), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(arguments, check=False).returncode)
    os.execv(program, arguments)


if __name__ == "__main__":
    main()
