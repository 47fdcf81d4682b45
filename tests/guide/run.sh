#!/bin/sh
# The programs of docs/guide/first-client.md, taken from the page and run as they are printed, beside a running server: a first call
# with a token, a receiver of webhooks and a socket, in Python and in TypeScript, whose types are checked, too.
# usage: tests/guide/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
home=$target/guide
venv=$home/venv

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$target/debug/fundsim"
fi
mkdir -p "$home"
if ! cmp -s "$here/requirements.txt" "$home/installed.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" --quiet --disable-pip-version-check install -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$home/installed.txt"
fi
cp "$here/package.json" "$here/tsconfig.json" "$home"
if ! cmp -s "$here/package.json" "$home/installed.json"; then
    npm install --prefix "$home" --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
    cp "$here/package.json" "$home/installed.json"
fi
exec "$venv/bin/python" "$here/play.py" "$1" "$root/docs/guide/first-client.md" "$home"
