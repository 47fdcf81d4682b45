"""The sources in another folder."""

import shutil
import subprocess
from pathlib import Path

from .common import ROOT, Failure


def copy(folder):
    """Copies what git knows or would add: no build output, and nothing that is ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode != 0:
        raise Failure(f"{ROOT} is no git checkout, so nobody knows which files belong to it: {listed.stderr.strip()}")
    for name in filter(None, listed.stdout.split("\0")):
        source, goal = ROOT / name, Path(folder) / name
        # A file that is deleted and not committed is listed, too.
        if source.is_file():
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, goal)
