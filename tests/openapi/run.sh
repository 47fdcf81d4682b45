#!/bin/sh
# Outsiders take the descriptions at their word: validators from PyPI and npm, Schemathesis with all checks over all planes
# (schemathesis.toml says what it may not hold against the server, and why), and a client from npm whose types are
# generated from it.
# usage: tests/openapi/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
home=$target/openapi
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
cp "$here/package.json" "$here/tsconfig.json" "$here/play.ts" "$here/asyncapi.mjs" "$home"
if ! cmp -s "$here/package.json" "$home/installed.json"; then
    npm install --prefix "$home" --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
    cp "$here/package.json" "$home/installed.json"
fi

"$1" openapi >"$home/openapi.json"
"$venv/bin/openapi-spec-validator" "$home/openapi.json"
(
    cd "$home"
    node_modules/.bin/openapi-typescript openapi.json --output api.d.ts >/dev/null
    node_modules/.bin/tsc
)
exec "$venv/bin/python" "$here/play.py" "$1" "$home"
