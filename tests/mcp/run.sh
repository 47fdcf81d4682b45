#!/bin/sh
# The Model Context Protocol's own Python client, from PyPI, works a running sandbox through `fundsim mcp`.
# usage: tests/mcp/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
venv=$target/mcp

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$target/debug/fundsim"
fi
if ! "$venv/bin/python" -c 'import mcp, jsonschema' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" --quiet --disable-pip-version-check install 'mcp==2.3.0' 'jsonschema>=4,<5'
fi
exec "$venv/bin/python" "$here/work.py" "$1"
