#!/bin/sh
# A reader of JUnit files from PyPI finds the totals that ran, and every case where it belongs: good, bad, skipped, rows of
# examples, a title full of markup, a file that is no story. A reader of HTML finds the page well-formed, each link leading to a
# line, and 1,000 stories on a page that stays light.
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
"$home/venv/bin/pip" install --quiet --disable-pip-version-check junitparser==4.0.2 html5lib==1.1
cd "$here"
"$binary" run stories --driver in-process --junit "$home/junit.xml" --html "$home/page.html" --output json >"$home/results.json" 2>/dev/null && {
    echo "a run with failures ended well" >&2
    exit 1
}
rm -rf "$home/many"
mkdir "$home/many"
for story in $(seq 1000); do
    sed "s/NUMBER/$story/g" many.txt >"$home/many/$story.yaml"
done
"$binary" run "$home/many" --driver in-process --html "$home/many.html" --output json >"$home/many.json"
exec "$home/venv/bin/python" check.py "$home"
