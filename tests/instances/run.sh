#!/bin/sh
# Three instances on a real PostgreSQL, of which instances and servers are killed under load; the log in PostgreSQL by itself, and `fundsim data` with it.
# usage: tests/instances/run.sh [--kills N] [--server-kills N] ...   (what run.py takes; builds in debug mode, with the feature `postgres`)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
sh "$here/install.sh" > /dev/null
cargo build --quiet --manifest-path "$root/Cargo.toml" --features postgres
python3 "$here/run.py" "$target/debug/fundsim" "$@"
python3 "$here/data.py" "$target/debug/fundsim"
python3 "$here/database.py" cargo test --quiet --manifest-path "$root/Cargo.toml" -p fundsim-instances --features postgres --lib -- --ignored
