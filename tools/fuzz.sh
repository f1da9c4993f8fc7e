#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz.sh BUILD SECONDS - run each libFuzzer target for so long, beginning from its corpus in the
# tree; tests/fuzz/words/NAME is its dictionary.
#
# The corpus is unpacked into BUILD/seeds/NAME. Finds of interest go to BUILD/corpus/NAME, crashing
# inputs to BUILD/crashes. To keep a crash as a test give it a name that says what it is, and
# tests/fuzz/corpus.py add NAME FILE: the replay driver runs every input of that archive.
set -eu

build=$1
seconds=$2
tree=$(cd "$(dirname "$0")/.." && pwd)
found=0
failed=0
mkdir -p "$build/crashes"
for target in "$build"/tests/fuzz/fuzz_*; do
    [ -f "$target" ] && [ -x "$target" ] || continue
    found=$((found + 1))
    name=$(basename "$target" | sed 's/^fuzz_//')
    mkdir -p "$build/corpus/$name"
    set -- "$build/corpus/$name"
    if [ -f "$tree/tests/fuzz/corpus/$name.tar" ]; then
        rm -rf "$build/seeds/$name"
        python3 "$tree/tests/fuzz/corpus.py" unpack "$name" "$build/seeds/$name"
        set -- "$@" "$build/seeds/$name"
    fi
    if [ -f "$tree/tests/fuzz/words/$name" ]; then set -- \
        -dict="$tree/tests/fuzz/words/$name" "$@"; fi
    echo "== $name, $seconds s"
    if ! "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$build/crashes/$name-" "$@" >"$build/fuzz-$name.log" 2>&1; then
        failed=$((failed + 1))
        tail -n 40 "$build/fuzz-$name.log"
    fi
    grep -E '^stat::(number_of_executed_units|peak_rss_mb)' "$build/fuzz-$name.log" || true
done
[ "$found" -gt 0 ] || { echo 'no fuzz target was built' >&2; exit 1; }
echo "$((found - failed)) passed, $failed failed"
[ "$failed" = 0 ]
