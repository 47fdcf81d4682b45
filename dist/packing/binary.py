"""The one binary that every form carries: static, without names of folders, with its dependencies listed inside.

`cargo auditable` writes the list of crates into the binary, where `cargo audit bin`, Trivy, Grype and others read it.
"""

import os
import pathlib
import struct
import subprocess

from . import common, toolchain
from .common import DIST, ROOT, Failure, answer, cache, mebibytes, run, say

TRIPLES = {"musl": "x86_64-unknown-linux-musl", "glibc": "x86_64-unknown-linux-gnu"}
# The optional features that are given away.
FEATURES = "postgres"
# Variables that would change what is compiled.
FOREIGN = ("RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS", "CFLAGS", "RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER")


def build(libc, source=ROOT, target=None):
    """Compiles the sources in `source`, and returns the path of the binary."""
    target = pathlib.Path(target or common.target() / libc)
    home = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo").resolve()
    source = pathlib.Path(source).resolve()
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    # C compilers take the instant of the commit for the time at which they run, which mimalloc writes into the program.
    environment |= {"CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0", "SOURCE_DATE_EPOCH": str(common.epoch())}
    environment |= {"CARGO": str(source / "dist" / "packing" / "cargo"), "FUNDSIM_CARGO": "cargo"}
    path = [toolchain.tools()]
    flags = []
    # What rustc and the C compiler write instead of folders of this machine.
    names = {home: "/cargo", source: "/fundsim"}
    if libc == "musl":
        debian, zig = toolchain.debian(), toolchain.zig()
        path = [zig / "bin", *path, debian / "usr" / "bin"]
        environment |= {
            "LD_LIBRARY_PATH": f"{debian}/usr/lib/x86_64-linux-gnu:{debian}/usr/lib/llvm-22/lib",
            # The standard library is compiled with the program, which stable Rust allows only so.
            "RUSTC_BOOTSTRAP": "1",
            "RUSTC": f"{debian}/usr/bin/rustc",
            "FUNDSIM_CARGO": f"{debian}/usr/bin/cargo",
            "XDG_CACHE_HOME": str(cache() / "cache"),
        }
        flags += [f"--sysroot={debian}/usr", "-Clink-self-contained=no", f"-Clink-arg={comparison(zig)}"]
        job = ["zigbuild", "-Zbuild-std=std,panic_abort"]
    else:
        debian = None
        # glibc is larger than musl: here the judge of generated runs is for size, too, so that the forms stay within their bound.
        job = ["build", *(f'--config=profile.dist.package.{name}.opt-level="s"' for name in ("fundsim-fuzz", "fundsim-oracle"))]
        # At fixed addresses, as the musl binary is: a table of what is to be moved at the start would take a megabyte.
        flags.append("-Crelocation-model=static")
        # A static program has no table of glibc's functions to look getrandom up in; without the system call it would need /dev/urandom.
        flags += ["--cfg", 'getrandom_backend="linux_getrandom"']
    flags.append("-Ctarget-feature=+crt-static")
    # rustc takes the last prefix that fits. Cargo names what is below the sources as seen from there.
    of_rust = dict(names)
    if debian:
        library = debian / "usr" / "lib" / "rustlib" / "src" / "rust"
        of_rust |= {library: "/rustc"}
        if library.is_relative_to(source):
            of_rust |= {library.relative_to(source): "/rustc"}
    flags += [f"--remap-path-prefix={folder}={name}" for folder, name in of_rust.items()]
    of_c = {**names, target: "/target"}
    environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
    environment["CFLAGS"] = " ".join(f"-ffile-prefix-map={folder}={name}" for folder, name in of_c.items())
    environment["PATH"] = ":".join([*map(str, path), os.environ["PATH"]])
    words = ["--profile", "dist", "--locked", "--package", "fundsim", "--features", FEATURES, "--target", TRIPLES[libc]]
    say(f"compiling the {libc} binary in {source}")
    run(toolchain.tools() / "cargo-auditable", "auditable", *job, *words, cwd=source, env=environment)
    binary = target / TRIPLES[libc] / "dist" / "fundsim"
    examine(binary, [home, source, target, cache(), pathlib.Path.home()])
    return binary


def note():
    """The file that says which C library the binary in `dist/out` has."""
    return cache() / f"libc-of-{common.version()}"


def libc():
    """The C library of the binary in `dist/out`, as it was built last."""
    return note().read_text() if note().exists() else "musl"


def comparison(zig):
    """The object file that compares bytes in place of musl's own, after its test has passed."""
    folder = cache() / "memcmp"
    folder.mkdir(exist_ok=True)
    sources = DIST / "musl"
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache() / "cache")}
    compiler = [zig / "bin" / "python", "-m", "ziglang", "cc", "-target", "x86_64-linux-musl", "-Wall", "-Wextra", "-Werror"]
    built, test = folder / "memcmp.o", folder / "test"
    words = ["-O2", "-g0", "-ffreestanding", "-fno-builtin", f"-ffile-prefix-map={sources}=/fundsim"]
    run(*compiler, *words, "-c", sources / "memcmp.c", "-o", built, env=environment)
    run(*compiler, "-O1", "-fno-builtin", sources / "memcmp_test.c", built, "-o", test, env=environment)
    run(test, stdout=subprocess.DEVNULL)
    return built


def examine(binary, folders):
    """Fails unless the binary runs, is static, has the list of its crates, and names none of the folders."""
    if interpreter(binary):
        raise Failure(f"{binary} is not static: it asks for {interpreter(binary)}")
    run(ROOT / ".ci" / "no-folders", binary, *folders)
    if ".dep-v0" not in answer("readelf", "--section-headers", "--wide", binary):
        raise Failure(f"{binary} has no list of its crates: cargo-auditable has not taken part")
    say(f"{answer(binary, '--version').strip()}, {mebibytes(binary)}: static, names no folder, lists its crates")


def interpreter(binary):
    """The program that loads this one, or nothing: PT_INTERP of a 64-bit ELF file."""
    bytes_ = pathlib.Path(binary).read_bytes()
    if bytes_[:5] != b"\x7fELF\x02":
        raise Failure(f"{binary} is no 64-bit ELF file")
    (at,) = struct.unpack_from("<Q", bytes_, 32)
    size, count = struct.unpack_from("<HH", bytes_, 54)
    for row in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", bytes_, at + row * size)
        if kind == 3:
            return bytes_[offset : offset + length].rstrip(b"\0").decode()
    return ""
