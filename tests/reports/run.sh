#!/bin/sh
# A reader of JUnit files from PyPI finds the totals that ran, and every case where it belongs: good, bad, skipped, rows of
# examples, a title full of markup, a file that is no story.
# usage: tests/reports/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
home=${CARGO_TARGET_DIR:-$root/target}/reports

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$root/target/debug/fundsim"
fi
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$home"
[ -x "$home/venv/bin/python" ] || python3 -m venv "$home/venv"
"$home/venv/bin/pip" install --quiet --disable-pip-version-check junitparser==4.0.2
cd "$here"
"$binary" run stories --driver in-process --junit "$home/junit.xml" --html "$home/page.html" --output json >"$home/results.json" 2>/dev/null && {
    echo "a run with failures ended well" >&2
    exit 1
}
exec "$home/venv/bin/python" check.py "$home"
