#!/bin/sh
# A validator and an editor's language server from npm take the JSON Schema of scenario files at its word: every story is
# valid, every slip of `slips.yaml` is not, and the fields of a step are offered where they belong.
# usage: tests/schema/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
home=${CARGO_TARGET_DIR:-$root/target}/schema

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$root/target/debug/fundsim"
fi
mkdir -p "$home"
cp "$here/package.json" "$here/check.mjs" "$home"
if ! cmp -s "$here/package.json" "$home/installed.json"; then
    npm install --prefix "$home" --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
    cp "$here/package.json" "$home/installed.json"
fi
"$1" schema >"$home/scenario.schema.json"
exec node "$home/check.mjs" "$home/scenario.schema.json" "$here/slips.yaml" "$root/scenarios"
