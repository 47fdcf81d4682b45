"""The npm packages: `@fundsim/linux-x64` has the binary, `@fundsim/cli` starts the one that fits the machine."""

import gzip
import json
import shutil

from . import notices
from .archives import squeezed
from .common import DIST, OUT, answer, cache, version

PLATFORM = "linux-x64"


def stage(name, folder):
    """The folder of a package, with the version and the licences that all have."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DIST / "npm" / name, folder)
    path = folder / "package.json"
    package = json.loads(path.read_text())
    package["version"] = version()
    for dependency in package.get("optionalDependencies", {}):
        package["optionalDependencies"][dependency] = version()
    path.write_text(json.dumps(package, indent=2) + "\n")
    for entry in notices.own():
        (folder / entry.name).write_bytes(entry.content)
    return folder


def pack(binary, libc):
    """Writes both packages as `npm pack` does."""
    platform = stage(PLATFORM, cache() / "npm" / PLATFORM)
    (platform / "bin").mkdir()
    shutil.copy(binary, platform / "bin" / "fundsim")
    (platform / "bin" / "fundsim").chmod(0o755)
    (platform / "NOTICES.txt").write_bytes(notices.of_others(libc).content)
    cli = stage("cli", cache() / "npm" / "cli")
    shutil.copy(DIST / "readme.md", cli / "README.md")
    (cli / "bin" / "fundsim.js").chmod(0o755)
    packed = []
    for folder in (platform, cli):
        listed = answer("npm", "pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", OUT, cwd=folder)
        listed = json.loads(listed)
        # npm 11 answers a list, later ones an object by name.
        (row,) = listed if isinstance(listed, list) else listed.values()
        path = OUT / row["filename"].replace("@", "").replace("/", "-")
        # npm compresses less well.
        path.write_bytes(squeezed(gzip.decompress(path.read_bytes())))
        packed.append(path)
    return packed
