"""What all parts share: where things are, the version, the instant that archives carry, and how programs are run."""

import hashlib
import os
import pathlib
import subprocess
import sys
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DIST = ROOT / "dist"
OUT = DIST / "out"
# What a user may have to load, in bytes.
MOST = 15 * 2**20
BEGAN = time.monotonic()


class Failure(Exception):
    """One sentence for the person who has started the script."""


def target():
    """Cargo's target folder, and what this script keeps beside it."""
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()


def cache():
    folder = target() / "dist"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def manifest():
    return tomllib.loads((ROOT / "Cargo.toml").read_text())


def version():
    return manifest()["workspace"]["package"]["version"]


def description():
    return manifest()["package"]["description"]


def git(*arguments):
    """What git says, or nothing where this is no checkout."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def revision():
    """The commit, with a mark where the sources are not those of it."""
    commit = git("rev-parse", "HEAD")
    return f"{commit}-changed" if commit and git("status", "--porcelain") else commit


def epoch():
    """The instant of every file in every archive: SOURCE_DATE_EPOCH, or when the commit was made. ZIP begins in 1980."""
    given = os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or "315532800"
    return max(int(given), 315532800)


def say(text):
    print(f"[{time.monotonic() - BEGAN:6.0f} s] {text}", flush=True)


def run(*command, **options):
    """Runs a program; its words go where this script's go."""
    command = [str(word) for word in command]
    try:
        return subprocess.run(command, check=True, text=True, **options)
    except FileNotFoundError:
        raise Failure(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as error:
        written = "".join(text for text in (error.stdout, error.stderr) if text)
        raise Failure(f"this has failed with {error.returncode}: {' '.join(command)}\n{written}".rstrip()) from None


def answer(*command, **options):
    return run(*command, capture_output=True, **options).stdout


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def mebibytes(path):
    return f"{path.stat().st_size / 2**20:.1f} MiB"


def main(function):
    """Runs a script whose failures are sentences."""
    try:
        sys.exit(function())
    except Failure as failure:
        print(f"{pathlib.Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
