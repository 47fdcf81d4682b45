#!/bin/sh
# Three instances on a real PostgreSQL and on three etcd servers, of which instances and servers are killed under load; each log by itself, and `fundsim data` with one.
# usage: tests/instances/run.sh [--kills N] [--server-kills N] ...   (what run.py takes; builds in debug mode, with both features)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
sh "$here/install.sh" > /dev/null
cargo build --quiet --manifest-path "$root/Cargo.toml" --features postgres,etcd
python3 "$here/run.py" "$target/debug/fundsim" "$@"
python3 "$here/data.py" "$target/debug/fundsim"
python3 "$here/database.py" cargo test --quiet --manifest-path "$root/Cargo.toml" -p fundsim-instances --features postgres,etcd --lib postgres -- --ignored
python3 "$here/cluster.py" cargo test --quiet --manifest-path "$root/Cargo.toml" -p fundsim-instances --features postgres,etcd --lib etcd -- --ignored
