#!/bin/sh
# A Standard Webhooks library from PyPI verifies real deliveries of a running server.
# usage: tests/standard_webhooks/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/standard_webhooks

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$target/debug/fundsim"
fi
if ! "$venv/bin/python" -c 'import standardwebhooks' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" --quiet --disable-pip-version-check install 'standardwebhooks==1.1.0'
fi
exec "$venv/bin/python" "$here/verify.py" "$1"
