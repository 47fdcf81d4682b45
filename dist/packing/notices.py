"""Whose work is in the binary beside this project's: crates, and what no crate brings, the standard library and musl."""

from . import toolchain
from .archives import Entry
from .common import ROOT, Failure


def own():
    """The licences of this project."""
    return [Entry(name, (ROOT / name).read_bytes()) for name in ("LICENSE-APACHE", "LICENSE-MIT")]


def of_others(libc):
    """The notices of all others in one file."""
    parts = [(ROOT / "src" / "notices.txt").read_text()]
    if libc == "musl":
        rust = toolchain.debian() / "usr" / "src" / "rustc-1.96.0"
        (zig,) = toolchain.zig().glob("lib/python*/site-packages/ziglang")
        texts = {
            "The standard library of Rust, taken under the Apache License 2.0, whose text is in LICENSE-APACHE": rust / "COPYRIGHT",
            "musl, the C library": zig / "lib" / "libc" / "musl" / "COPYRIGHT",
            "Zig, whose runtime library is linked": zig / "LICENSE",
            "libunwind, which Zig brings": zig / "lib" / "libunwind" / "LICENSE.TXT",
        }
        for title, path in texts.items():
            if not path.exists():
                raise Failure(f"the notice of this part is missing, and the binary must not go out without it: {title} ({path})")
            parts.append(f"\n{'=' * 80}\n{title}\n{'=' * 80}\n\n{path.read_text()}")
    return Entry("NOTICES.txt", "".join(parts).encode())
