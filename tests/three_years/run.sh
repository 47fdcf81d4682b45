#!/bin/sh
# A client in Python, by the partner API alone, reckons three years of a customer beside a running server; what it did is written
# down as a scenario file, which is answered the same when it is played again.
# usage: tests/three_years/run.sh [FUNDSIM_BINARY [SEED]]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

target=${CARGO_TARGET_DIR:-$root/target}

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$target/debug/fundsim"
fi
binary=$1
shift
exec python3 -B "$here/client.py" "$binary" "$target/recorded" "$@"
