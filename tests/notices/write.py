#!/usr/bin/env python3
"""Writes the notices of what the shipped program is made of beside this project's own code.

    tests/notices/write.py            # writes src/notices.txt
    tests/notices/write.py --check    # fails when that file is not what it would write

Reads the locked dependencies of the program on any system, and the licence files of their packages. Of a package that
offers a choice, the text of the MIT licence is enough where it has one; where it has no text, its licence is named.
"""

import json, pathlib, re, subprocess, sys, tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "src" / "notices.txt"
NAMES = re.compile(r"^(licen[cs]e|copying|notice|unlicense|copyright)", re.IGNORECASE)
# Files of others that are in this repository and are served by the program.
ASSETS = sorted((ROOT / "sandbox" / "src" / "planes").rglob("*LICENSE*"))

HEAD = """Third-party software in fundsim

The program contains the packages below, each under its own licence. A number in brackets names the text at the end of this file.
tests/notices/write.py writes this file.

"""


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def shipped():
    """Names and versions of what the program is built of, on any system and with any feature: what Cargo.lock says of the
    dependencies of its crates, and of theirs. Tools of the build are among them."""
    members = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["members"]
    manifests = [tomllib.loads((ROOT / folder / "Cargo.toml").read_text()) for folder in (".", *members)]
    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    own = {manifest["package"]["name"] for manifest in manifests}

    def named(reference):
        name, *version = reference.split()
        return next(it for it in locked if it["name"] == name and version[:1] in ([], [it["version"]]))

    needs = {manifest["package"]["name"]: set(manifest.get("dependencies", {})) for manifest in manifests}
    used, ahead = set(), ["fundsim"]
    while ahead:
        new = needs.get(ahead.pop(), set()) - used
        used |= new
        ahead += new
    used -= own
    mine = [reference for it in locked if it["name"] in own for reference in it.get("dependencies", [])]
    ahead = [named(reference) for reference in mine if reference.split()[0] in used]
    found = set()
    while ahead:
        it = ahead.pop()
        if (it["name"], it["version"]) not in found:
            found.add((it["name"], it["version"]))
            ahead += [named(reference) for reference in it.get("dependencies", [])]
    return found


def texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and NAMES.match(path.name))
    licence = package["license"] or ""
    chooses = (" OR " in licence or "/" in licence) and " AND " not in licence
    mit = [path for path in files if "mit" in path.name.lower()]
    if chooses and mit:
        files = mit + [path for path in files if path.name.lower().startswith("notice")]
    return [path.read_text(errors="replace") for path in files]


def tidy(text):
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip("\n\ufeff").split("\n"))


def notices():
    packages = json.loads(cargo("metadata", "--locked", "--all-features", "--format-version", "1"))["packages"]
    wanted = shipped()
    packages = [it for it in packages if (it["name"], it["version"]) in wanted and it["source"]]
    numbers, lines = {}, []

    def number(text):
        return numbers.setdefault(tidy(text), len(numbers) + 1)

    for it in sorted(packages, key=lambda it: (it["name"], it["version"])):
        of = "".join(f" [{number(text)}]" for text in texts(it))
        lines.append(f"{it['name']} {it['version']}: {it['license']}{of}")
    for path in ASSETS:
        lines.append(f"{path.name.removesuffix('-LICENSE.txt')}, a script that the page of the API loads [{number(path.read_text())}]")
    rule = "\n\n" + "=" * 80 + "\n"
    return HEAD + "\n".join(lines) + "".join(f"{rule}[{at}]\n\n{text}" for text, at in numbers.items()) + "\n"


def main():
    written = notices()
    if "--check" not in sys.argv:
        FILE.write_text(written)
    elif FILE.read_text() != written:
        sys.exit("src/notices.txt is not what the locked dependencies say; write it again: tests/notices/write.py")


main()
