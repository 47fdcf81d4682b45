#!/bin/sh
# What a client has just done to a world of a running server is written down, and played again: in process and over the simulated
# network it has to be answered the same. The file says what was left out; a session that was not kept whole is a failure.
# usage: tests/recorded/again.sh FUNDSIM_BINARY URL FILE    (the partner in FUNDSIM_CLIENT_ID and FUNDSIM_CLIENT_SECRET)
set -eu
"$1" record --url "$2" --output "$3"
if grep -E '^about:.*(missing|does not begin)' "$3"; then
    echo "$3 is not the whole session" >&2
    exit 1
fi
for driver in in-process turmoil; do
    "$1" run --driver "$driver" "$3" >"$3.$driver.txt" || { tail -n 40 "$3.$driver.txt"; exit 1; }
done
echo "recorded $(grep -cE '^  - ' "$3") steps, answered the same again: $3"
