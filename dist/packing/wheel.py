"""The wheel `fundsim`: the Python package with the binary in it, at `fundsim/_bin/fundsim`.

The sources are `kits/python/src/fundsim`. `dist/python/metadata.toml` says what the wheel says of itself; what the package needs and
offers, its dependencies, extras and entry points, is in `kits/python/pyproject.toml` where there is one. The binary needs no library of the machine, so one
wheel serves glibc and musl. It is put together here and not by maturin, so that it carries the very binary of the other forms.
"""

import base64
import hashlib
import tomllib

from . import notices
from .archives import Entry, zipped
from .common import DIST, OUT, ROOT, Failure, version

# What pip on any Linux of the last decade accepts; the longest name is the most that PyPI takes for one file.
TAG = "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"
KIT = ROOT / "kits" / "python"
SOURCES = KIT / "src"
# What the package's own file says of the wheel.
OF_KIT = ("requires-python", "dependencies", "optional-dependencies", "scripts", "entry-points")


def project():
    """The `project` table of the wheel."""
    table = tomllib.loads((DIST / "python" / "metadata.toml").read_text())["project"]
    own = KIT / "pyproject.toml"
    if own.exists():
        kit = tomllib.loads(own.read_text())["project"]
        table |= {key: kit[key] for key in OF_KIT if key in kit}
        table["classifiers"] = sorted({*table["classifiers"], *kit.get("classifiers", [])})
    return table


def sources():
    """The Python package."""
    found = []
    for path in sorted((SOURCES / "fundsim").rglob("*")):
        if path.is_file() and not {"__pycache__", "_bin"} & set(path.relative_to(SOURCES).parts):
            found.append(Entry(path.relative_to(SOURCES).as_posix(), path.read_bytes()))
    if not any(entry.name == "fundsim/__init__.py" for entry in found):
        raise Failure(f"{SOURCES} has no package `fundsim`")
    return found


def entry_points(table, files):
    """`entry_points.txt`; every module that it names is in the wheel."""
    modules = {entry.name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for entry in files}
    lines = []
    groups = {**table.get("entry-points", {}), "console_scripts": table.get("scripts", {})}
    for group, points in sorted(groups.items()):
        lines.append(f"[{group}]\n")
        for name, where in sorted(points.items()):
            if where.split(":")[0] not in modules:
                raise Failure(f"{group} `{name}` names {where}, which is not in {SOURCES}")
            lines.append(f"{name} = {where}\n")
    return "".join(lines)


def metadata(table):
    """`METADATA`, in the form of version 2.4."""
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {table['name']}",
        f"Version: {version()}",
        f"Summary: {table['description']}",
        f"License-Expression: {table['license']}",
        *(f"License-File: {name}" for name in ("LICENSE-APACHE", "LICENSE-MIT", "NOTICES.txt")),
        f"Keywords: {','.join(table['keywords'])}",
        *(f"Classifier: {it}" for it in table["classifiers"]),
        f"Requires-Python: {table['requires-python']}",
        *(f"Requires-Dist: {it}" for it in table.get("dependencies", [])),
    ]
    for extra, needs in sorted(table.get("optional-dependencies", {}).items()):
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {need}; extra == '{extra}'" for need in needs]
    lines += ["Description-Content-Type: text/markdown", "", (DIST / "readme.md").read_text()]
    return "\n".join(lines)


def pack(binary, libc):
    """Writes the wheel."""
    table = project()
    stem = f"fundsim-{version()}"
    info = f"{stem}.dist-info"
    files = sources()
    points = entry_points(table, files)
    files.append(Entry("fundsim/_bin/fundsim", binary.read_bytes(), executable=True))
    files += [Entry(f"{info}/licenses/{it.name}", it.content) for it in (*notices.own(), notices.of_others(libc))]
    files.append(Entry(f"{info}/METADATA", metadata(table).encode()))
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in TAG.removeprefix("py3-none-").split("."))
    wheel = f"Wheel-Version: 1.0\nGenerator: fundsim dist/build\nRoot-Is-Purelib: false\n{tags}"
    files.append(Entry(f"{info}/WHEEL", wheel.encode()))
    files.append(Entry(f"{info}/entry_points.txt", points.encode()))
    rows = []
    for entry in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(entry.content).digest()).rstrip(b"=").decode()
        rows.append(f"{entry.name},sha256={digest},{len(entry.content)}\n")
    record = f"{info}/RECORD"
    files.append(Entry(record, "".join([*rows, f"{record},,\n"]).encode()))
    path = OUT / f"{stem}-{TAG}.whl"
    path.write_bytes(zipped(files))
    return [path]
