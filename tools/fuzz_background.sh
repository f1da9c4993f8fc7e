#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_background.sh FAST CHECKED UNTIL - fuzz every parser in turn with what the machine has left,
# until a time as `date -d` reads it.
#
# FAST is a build folder of libFuzzer targets without sanitizers, for volume; CHECKED one with
# address and undefined-behaviour sanitizers, which has every fourth round. Targets that take many
# inputs a second are given longer turns; inputs are short but for each third round.
# One process at a time, at the lowest priority there is. FAST/fuzz.tsv gains a line a turn: target,
# `fast` or `checked`, inputs, edges, features, exit code (124: no processor was free);
# `fuzz_background.sh FAST --table` sums them. FAST/corpus/TARGET and FAST/crashes hold what was
# found. Times are those of a wall clock: a target that gets no processor for minutes must not count
# as one that hangs.
set -eu

fast=$1
tree=$(cd "$(dirname "$0")/.." && pwd)
if [ "$2" = --table ]; then
    awk -F '\t' '{ n[$1] += 0; $2 == "fast" ? f[$1] += $3 : c[$1] += $3; if ($4 > e[$1]) e[$1] = $4;
        bad += $6 != 0 && $6 != 124; }
        END {
            print "| target | inputs without sanitizers | with | edges reached |\n|---|---|---|---|"
            for (t in n) { printf "| %s | %d | %d | %d |\n", t, f[t], c[t], e[t] | "sort";
                all_f += f[t]; all_c += c[t] }
            close("sort")
            printf "| all | %d | %d | |\n\n%d inputs, %d turns with a finding\n", all_f, all_c,
                all_f + all_c, bad
        }' "$fast/fuzz.tsv"
    exit
fi
checked=$2
until=$(date -d "$3" +%s)
[ "${FUZZ_IDLE:-}" = 1 ] || {
    echo 19 >/proc/self/autogroup 2>/dev/null || true
    FUZZ_IDLE=1 exec nice -n 19 chrt -i 0 "$0" "$@"
}
export OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1
mkdir -p "$fast/crashes"

# turn TARGET KIND BUILD SECONDS MAX_LEN
turn() {
    log=$fast/fuzz-$1.log
    mkdir -p "$fast/corpus/$1"
    [ -d "$fast/seeds/$1" ] || python3 "$tree/tests/fuzz/corpus.py" unpack "$1" "$fast/seeds/$1"
    code=0
    words=$tree/tests/fuzz/words/$1
    [ -f "$words" ] || words=/dev/null
    timeout -k 5 $(($4 + 900)) "$3/tests/fuzz/fuzz_$1" -dict="$words" -max_total_time="$4" \
        -max_len="$5" -timeout=600 -rss_limit_mb=2048 -print_final_stats=1 -reload=0 \
        -entropic=$([ "$2" = fast ] && echo 0 || echo 1) \
        -artifact_prefix="$fast/crashes/$1-" "$fast/corpus/$1" "$fast/seeds/$1" >"$log" 2>&1 ||
        code=$?
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    [ -n "$inputs" ] || inputs=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    reached=$(sed -n 's/^#.* cov: \([0-9]*\) ft: \([0-9]*\) .*/\1\t\2/p' "$log" | tail -n 1)
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "${inputs:-0}" "${reached:-0	0}" "$code" \
        >>"$fast/fuzz.tsv"
    [ "$code" = 0 ] || cp "$log" "$fast/crashes/$1-$(date +%s).log"
}

# shape TARGET: sets the longest input of a short round and the seconds of a turn without sanitizers
shape() {
    case $1 in
    manifest) short=2500 seconds=90 ;;
    series) short=500 seconds=120 ;;
    levels | mapping | plan | specs | transcode | unpack) short=96 seconds=120 ;;
    # a few thousand inputs a second, where those above take ten times as many
    *) short=96 seconds=30 ;;
    esac
}

round=0
while [ "$(date +%s)" -lt "$until" ]; do
    round=$((round + 1))
    kind=fast build=$fast
    [ $((round % 4)) != 2 ] || { kind=checked && build=$checked; }
    for target in "$fast"/tests/fuzz/fuzz_*; do
        [ -f "$target" ] && [ -x "$target" ] || continue
        [ $((until - $(date +%s))) -gt 15 ] || exit 0
        shape "${target##*/fuzz_}"
        [ $((round % 3)) != 0 ] || short=$((short + 1400))
        [ "$kind" = fast ] || seconds=30
        turn "${target##*/fuzz_}" "$kind" "$build" "$seconds" "$short"
    done
done
