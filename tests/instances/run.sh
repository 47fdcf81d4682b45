#!/bin/sh
# Three instances on a real PostgreSQL and on three etcd servers, of which instances and servers are killed under load; each log by itself,
# and `fundsim data` with one. The rounds of the two engines run beside each other: mostly instances wait for a lease to end.
# usage: tests/instances/run.sh [--kills N] [--server-kills N] ...   (what run.py takes)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
fundsim=${CARGO_TARGET_DIR:-$root/target}/debug/fundsim
# The packages and features of `.ci/run`, so that nothing is compiled twice.
tests="cargo test --quiet --manifest-path $root/Cargo.toml --features postgres,etcd,otel"
sh "$here/install.sh" > /dev/null
# With the tests of `tests/` their binary is built.
$tests --no-run --lib --bins --test fundsim

said=$(mktemp)
python3 "$here/run.py" "$fundsim" --engine etcd "$@" > "$said" 2>&1 &
etcd=$!
trap 'kill "$etcd" 2> /dev/null || true; rm -f "$said"' EXIT
failed=
python3 "$here/run.py" "$fundsim" --engine postgres "$@" || failed=postgres
wait "$etcd" || failed="$failed etcd"
cat "$said"
[ -z "$failed" ] || { echo "not passed: $failed" >&2; exit 1; }

python3 "$here/data.py" "$fundsim"
python3 "$here/database.py" $tests --lib --bins postgres -- --ignored
# One after the other: each writes megabytes to three servers that share this machine.
python3 "$here/cluster.py" $tests --lib --bins etcd -- --ignored --test-threads 1
