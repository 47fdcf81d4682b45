#!/bin/sh
# A client in Python, by the partner API alone, reckons three years of a customer beside a running server.
# usage: tests/three_years/run.sh [FUNDSIM_BINARY [SEED]]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "${CARGO_TARGET_DIR:-$root/target}/debug/fundsim"
fi
exec python3 -B "$here/client.py" "$@"
