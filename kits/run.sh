#!/bin/sh
# The kits for test suites of partners and the applications that use them: installed from their lock files, linted, types checked, and
# tested, Python and TypeScript beside each other; stories hold the application in Python from outside. What the descriptions of the program say is compared with the types of the kits.
# usage: kits/run.sh [FUNDSIM_BINARY]   (built in debug mode when none is given)
set -eu
kits=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$kits/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
home=$target/kits
venv=$home/venv

if [ $# -eq 0 ]; then
    cargo build --quiet --manifest-path "$root/Cargo.toml" --package fundsim
    set -- "$target/debug/fundsim"
fi
FUNDSIM_BINARY=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export FUNDSIM_BINARY
unset FUNDSIM_URL || true
mkdir -p "$home"

python() {
    set -eu
    if ! cmp -s "$kits/python/requirements.lock" "$home/installed.lock"; then
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" --quiet --disable-pip-version-check install --require-hashes -r "$kits/python/requirements.lock"
        cp "$kits/python/requirements.lock" "$home/installed.lock"
    fi
    "$venv/bin/pip" --quiet --disable-pip-version-check install --no-deps --no-build-isolation --editable "$kits/python"
    for folder in "$kits/python" "$root/examples/portfolio-python"; do
        cd "$folder"
        "$venv/bin/ruff" format --check .
        "$venv/bin/ruff" check .
        "$venv/bin/mypy"
        "$venv/bin/pytest" -q -n 2
    done
    cd "$root/scenarios/outside"
    "$venv/bin/ruff" format --check --config "$kits/python/pyproject.toml" .
    "$venv/bin/ruff" check --config "$kits/python/pyproject.toml" .
    "$venv/bin/python" run.py "$FUNDSIM_BINARY"
}

typescript() {
    set -eu
    for folder in "$kits/typescript" "$root/examples/portfolio-typescript"; do
        cd "$folder"
        if ! cmp -s package-lock.json node_modules/installed.lock; then
            npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
            cp package-lock.json node_modules/installed.lock
        fi
        npm run --silent lint -- --error-on-warnings
        if [ "$folder" = "$kits/typescript" ]; then npm run --silent build; else npm run --silent types; fi
        npm run --silent test
    done
}

# Both at once; what each has written is printed when both have ended. `set -e` counts for them because nothing but `&` follows.
(python) >"$home/python.log" 2>&1 &
first=$!
(typescript) >"$home/typescript.log" 2>&1 &
second=$!
failed=''
wait "$first" || failed='python'
wait "$second" || failed="$failed typescript"
cat "$home/python.log" "$home/typescript.log"
if [ -n "$failed" ]; then
    echo "not passed: $failed" >&2
    exit 1
fi
