"""The compiler of the musl binary, fetched once into the cache.

rustup's toolchain has no sources of the standard library on a machine that reaches package registries only. Debian packages
rustc, cargo and those sources in one version; Zig brings musl and a linker. None of it is installed: packages are unpacked into a
folder. Every version is pinned, and apt and pip check what they fetch.
"""

import os
import shutil
import sys

from .common import DIST, Failure, cache, run, say, sha256

RUST = "1.96.0+dfsg1-1~deb12u2"
# Package and version. What the packages need beside the libraries of every Debian is among them.
DEBIAN = {
    "rustc-web": RUST,
    "cargo-web": RUST,
    "rust-web-src": RUST,
    "libstd-rust-web-1.96": RUST,
    "libstd-rust-web-dev": RUST,
    "libllvm22": "1:22.1.8-1~deb12u1",
    "libgit2-1.5": "1.5.1+ds-1+deb12u2",
    "libhttp-parser2.9": "2.9.4-5",
    "libmbedcrypto7": "2.28.3-1",
    "libmbedtls14": "2.28.3-1",
    "libmbedx509-1": "2.28.3-1",
    "libssh2-1": "1.10.0-3+deb12u1",
}
# Tools of the build from crates.io, by stable Rust.
CARGO = {"cargo-auditable": "0.7.7", "cargo-cyclonedx": "0.5.9"}


def debian():
    """The folder in which Debian's packages are unpacked."""
    folder = cache() / "deb"
    done = folder / "done"
    wanted = "".join(f"{name}={version}\n" for name, version in DEBIAN.items())
    if done.exists() and done.read_text() == wanted:
        return folder / "root"
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise Failure("the musl binary is built with packages of Debian 12, and this machine has no apt; try --libc glibc")
    say("fetching rustc, cargo and the standard library's sources from Debian")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        run("apt-get", "-q", "download", *(f"{name}={version}" for name, version in DEBIAN.items()), cwd=folder)
    except Failure as failure:
        raise Failure(
            f"{failure}\nThe versions are pinned in dist/packing/toolchain.py. `apt-get update` may help; where Debian has newer "
            "ones, `apt-cache policy rustc-web` shows them. `--libc glibc` needs none of these packages."
        ) from None
    for package in sorted(folder.glob("*.deb")):
        run("dpkg", "-x", package, folder / "root")
        package.unlink()
    done.write_text(wanted)
    return folder / "root"


def zig():
    """The virtual environment that has Zig and cargo-zigbuild."""
    return environment("venv", "requirements.txt")


def squeezer():
    """The virtual environment that has libdeflate."""
    return environment("squeezer", "squeeze-requirements.txt")


def environment(name, requirements):
    """A virtual environment in the cache, with what a file of pins and digests lists."""
    folder = cache() / name
    wanted = DIST / requirements
    done = folder / "done"
    if done.exists() and done.read_text() == sha256(wanted):
        return folder
    say(f"fetching from PyPI what dist/{requirements} lists")
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "--quiet", "--require-hashes", "--only-binary", ":all:", "-r", wanted)
    done.write_text(sha256(wanted))
    return folder


def tools():
    """The folder of cargo's helpers."""
    folder = cache() / "tools"
    for name, version in CARGO.items():
        if not (folder / "bin" / name).exists() or f'"{name} {version} ' not in (folder / ".crates.toml").read_text():
            say(f"compiling {name} {version}")
            environment = {**os.environ, "CARGO_TARGET_DIR": str(cache() / "tools-target")}
            run("cargo", "install", "--quiet", "--locked", "--root", folder, f"{name}@{version}", env=environment)
    return folder / "bin"
