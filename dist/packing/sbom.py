"""The list of what is in the binary: CycloneDX 1.5, as JSON.

cargo-cyclonedx knows licences, checksums and sources of every crate, and cargo-auditable has written into the binary which crates it is made
of, and more: it counts what a crate brings when its tests are compiled, too. The list has the crates of the binary that Cargo compiles for it,
as cargo-cyclonedx describes them, and what no crate brings.
"""

import json
import os
import re
import tempfile
import tomllib
import uuid
import zlib
from pathlib import Path

from . import toolchain, tree
from .binary import FEATURES
from .common import OUT, ROOT, Failure, answer, epoch, run, say, sha256, version

# How long names of crates begin that are paths of this machine.
LOCAL = "path+file://"


def crates(binary):
    """The crates that the binary says it is made of, as (name, version)."""
    with tempfile.TemporaryDirectory() as folder:
        section = Path(folder) / "section"
        run("objcopy", "--dump-section", f".dep-v0={section}", binary, Path(folder) / "copy")
        audited = json.loads(zlib.decompress(section.read_bytes()))
    return {(it["name"], it["version"]) for it in audited["packages"] if it.get("kind", "runtime") == "runtime"}


def compiled(triple):
    """The crates that Cargo compiles for the program, procedural macros included, as (name, version)."""
    words = ["--package", "fundsim", "--features", FEATURES, "--target", triple, "--edges", "normal", "--prefix", "none", "--format", "{p}"]
    lines = answer("cargo", "tree", "--locked", *words, cwd=ROOT).splitlines()
    return {(name, number.removeprefix("v")) for name, number, *_ in map(str.split, lines)}


def named(binary):
    """The crates whose sources the program names, for instance where it says at which line it panicked, as (name, version)."""
    sources = re.finditer(rb"/cargo/registry/src/[^/\0]+/([A-Za-z0-9_-]+?)-([0-9]+\.[0-9A-Za-z.+-]+)/", Path(binary).read_bytes())
    return {(name.decode(), number.decode()) for name, number in (found.groups() for found in sources)}


def of_standard_library():
    """The crates that the standard library of the musl binary may be made of, as (name, version); the list has it as one."""
    lock = toolchain.debian() / "usr" / "lib" / "rustlib" / "src" / "rust" / "library" / "Cargo.lock"
    return {(it["name"], it["version"]) for it in tomllib.loads(lock.read_text())["package"]}


def described(triple):
    """What cargo-cyclonedx says, which writes it beside the manifest: of a copy, since a build leaves the sources alone."""
    with tempfile.TemporaryDirectory() as folder:
        tree.copy(folder)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
        words = ["--format", "json", "--describe", "binaries", "--spec-version", "1.5", "--no-build-deps", "--quiet"]
        words += ["--features", FEATURES]
        run(toolchain.tools() / "cargo-cyclonedx", "cyclonedx", *words, "--target", triple, cwd=folder, env=environment)
        text = (Path(folder) / "fundsim_bin.cdx.json").read_text()
        # As at every other folder.
        return json.loads(text.replace(f"{LOCAL}{Path(folder).resolve()}", f"{LOCAL}/fundsim"))


def beside(libc):
    """What is in the binary and is no crate."""
    if libc != "musl":
        return []
    rust = toolchain.RUST.split("+")[0]
    zig = answer(toolchain.zig() / "bin" / "python", "-m", "ziglang", "version").strip()
    rows = [
        ("rust-std", rust, "MIT OR Apache-2.0", f"pkg:deb/debian/rust-web-src@{toolchain.RUST.replace('+', '%2B')}?arch=all"),
        ("musl", "of-zig-" + zig, "MIT", f"pkg:pypi/ziglang@{zig}#ziglang/lib/libc/musl"),
        ("libunwind", "of-zig-" + zig, "Apache-2.0 WITH LLVM-exception", f"pkg:pypi/ziglang@{zig}#ziglang/lib/libunwind"),
        ("zig-compiler-rt", zig, "MIT", f"pkg:pypi/ziglang@{zig}#ziglang/lib/compiler_rt"),
    ]
    return [
        {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": number,
            "scope": "required",
            "licenses": [{"expression": licence}],
            "purl": purl,
        }
        for name, number, licence, purl in rows
    ]


def write(binary, libc, triple):
    """Writes `fundsim-VERSION.cdx.json`."""
    listed, taken = crates(binary), compiled(triple)
    # What only tests bring. It is printed, so that nothing is left out unseen.
    say("listed in the binary, but not compiled for it: " + ", ".join(sorted(name for name, _ in listed - taken)))
    inside = (listed & taken) - {("fundsim", version())}
    bill = described(triple)
    kept = [it for it in bill["components"] if (it["name"], it["version"]) in inside]
    missing = inside - {(it["name"], it["version"]) for it in kept}
    if missing:
        raise Failure(f"these crates are in the binary and not in the list of cargo-cyclonedx: {sorted(missing)}")
    others = beside(libc)
    main = bill["metadata"]["component"]
    main["hashes"] = [{"alg": "SHA-256", "content": sha256(binary)}]
    refs = {main["bom-ref"], *(it["bom-ref"] for it in kept)}
    links = [it for it in bill["dependencies"] if it["ref"] in refs]
    for link in links:
        needs = [ref for ref in link.get("dependsOn", []) if ref in refs]
        if link["ref"] == main["bom-ref"]:
            needs += [it["bom-ref"] for it in others]
        link["dependsOn"] = sorted(needs)
    bill["components"] = kept + others
    bill["dependencies"] = links + [{"ref": it["bom-ref"]} for it in others]
    # One list has one number: it follows from the binary.
    ordered = {"bomFormat": bill.pop("bomFormat"), "specVersion": bill.pop("specVersion")}
    ordered["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, f"fundsim:{sha256(binary)}").urn
    path = OUT / f"fundsim-{version()}.cdx.json"
    path.write_text(json.dumps({**ordered, **bill}, indent=2) + "\n")
    return path
