#!/bin/sh
# A server built with the feature `otel` sends the spans of its requests to a collector.
# usage: tests/otel/run.sh [FUNDSIM_BINARY]   (built in debug mode, with that feature, when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim --features otel
    set -- "$target/debug/fundsim"
fi
exec python3 "$here/collect.py" "$1"
