"""`fundsim-VERSION-x86_64-linux-LIBC.tar.gz`: the binary with what belongs beside it on a disk."""

from . import notices
from .archives import Entry, squeezed, tar
from .common import DIST, OUT, ROOT, answer, version

COMPLETIONS = {"bash": "fundsim.bash", "zsh": "_fundsim", "fish": "fundsim.fish"}


def name(libc):
    return f"fundsim-{version()}-x86_64-linux-{libc}"


def pack(binary, libc, sbom):
    """Writes the archive."""
    files = [
        Entry("fundsim", binary.read_bytes(), executable=True),
        Entry("README.md", (DIST / "readme.md").read_bytes()),
        Entry("CHANGELOG.md", (ROOT / "CHANGELOG.md").read_bytes()),
        Entry("man/fundsim.1", answer(binary, "man").encode()),
        Entry("sbom.cdx.json", sbom.read_bytes()),
        *notices.own(),
        notices.of_others(libc),
    ]
    for shell, file in COMPLETIONS.items():
        files.append(Entry(f"completions/{file}", answer(binary, "completions", shell).encode()))
    top = name(libc)
    for entry in files:
        entry.name = f"{top}/{entry.name}"
    folders = [Entry(f"{top}{inner}") for inner in ("", "/completions", "/man")]
    path = OUT / f"{top}.tar.gz"
    path.write_bytes(squeezed(tar([*folders, *files])))
    return [path]
