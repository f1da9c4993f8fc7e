#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# series.sh [BUILD] - what the second release of a series costs, beside releasing the changed rows
# alone.
#
# A table of invented persons (shoal generate census, seed 1, with a column `id`), seven
# quasi-identifiers, k = 10, --effort 0. Between the two releases every SERIES_EVERY-th row is
# erased and as many new ones come: 2.5 % and 2.5 %. Timed in turn, SERIES_REPEAT times, the
# shortest counts:
#
#   series    the second release, from a fresh copy of the state after the first
#   changed   a plain release of the new rows alone
#   state     reading the state (shoal series show)
#   table     reading, writing and verifying the second table without a search: a plain release of
#             it, less the phases search and refine
#   plain     the same with them
#
# Strictly, the release should cost no more than changed + state. But a release has all rows, which
# must be read, written and verified: the honest yardstick is changed + state + table. The series
# also hashes and matches every record key, compares each group with every earlier release, makes
# the digest of the release, and writes and seals its state; so a third line says whether all of it
# costs less than changed + state + plain, releasing the whole table anew. Prints "holds" or "does
# not hold" for each reading; nothing is asserted.
#
#   SERIES_ROWS=1000000  SERIES_EVERY=40  SERIES_REPEAT=3  SERIES_THREADS=2  SERIES_OUT=FOLDER (for
#                        the tables; TMPDIR)
#
# The same in bench/out/series.md.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${SERIES_OUT:-${TMPDIR:-/tmp}}/shoal-series.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
rows=${SERIES_ROWS:-1000000} every=${SERIES_EVERY:-40} repeat=${SERIES_REPEAT:-3} \
    threads=${SERIES_THREADS:-2}
mkdir -p "$here/out"
options="--row-order keep --qid zip,age,sex,race,marital-status,education,hours-per-week --sensitive disease --drop name --rest keep -k 10 --effort 0 --threads $threads --force"
shoal=$build/shoal

"$shoal" generate census --rows $((rows + rows / every)) --seed 1 -o "$work/all.csv" --quiet
awk -v rows="$rows" -v every="$every" -v first="$work/1.csv" -v second="$work/2.csv" \
    -v new="$work/new.csv" '
NR == 1 { print "id," $0 >first; print "id," $0 >second; print "id," $0 >new; next }
{ n = NR - 1 }
n <= rows { print n "," $0 >first }
n > rows { print n "," $0 >new }
n > rows || n % every != 0 { print n "," $0 >second }' "$work/all.csv"
rm "$work/all.csv"
# shellcheck disable=SC2086 # options are words
"$shoal" anonymize "$work/1.csv" -o "$work/r1.csv" --series "$work/kept" --record-key id $options \
    --quiet
cat "$work/2.csv" "$work/new.csv" >/dev/null

timed() { # NAME COMMAND...: a line "NAME seconds" more in $work/times
    name=$1
    shift
    sync
    begin=$(date +%s%N)
    "$@" >"$work/report"
    end=$(date +%s%N)
    echo "$name $begin $end" | awk '{ printf "%s %.3f\n", $1, ($3 - $2) / 1e9 }' >>"$work/times"
}
search() { awk -F'[:, ]+' '$2 == "\"search\"" || $2 == "\"refine\"" { sum += $3 } END {
    print sum + 0 }' "$work/report"; }

turn=1
while [ "$turn" -le "$repeat" ]; do
    rm -rf "$work/state"
    cp -r "$work/kept" "$work/state"
    # shellcheck disable=SC2086
    timed series "$shoal" anonymize "$work/2.csv" -o "$work/out.csv" --series "$work/state" \
        --record-key id $options --json --quiet
    cp "$work/report" "$work/entry"
    timed state "$shoal" series show "$work/kept"
    # shellcheck disable=SC2086
    timed changed "$shoal" anonymize "$work/new.csv" -o "$work/out.csv" --identifier id $options \
        --no-bound --quiet
    # shellcheck disable=SC2086
    timed plain "$shoal" anonymize "$work/2.csv" -o "$work/out.csv" --identifier id $options \
        --no-bound --json --quiet
    awk -v search="$(search)" 'END { printf "table %.3f\n", $2 - search }' "$work/times" \
        >>"$work/times"
    turn=$((turn + 1))
done

awk -v rows="$rows" -v threads="$threads" -v state="$(wc -c <"$work/state/state")" \
    -v every="$every" '
!($1 in best) || $2 < best[$1] { best[$1] = $2 }
function verdict(name, is, text) { printf "- %s: %s: %.2f s against %.2f s, %s\n", name,
    best["series"] <= is ? "holds" : "does not hold", best["series"], is, text }
END {
    printf "%d rows, every %dth erased and as many new, %d threads; the state has %.1f MB.\n\n",
        rows, every, threads, state / 1e6
    print "| command | seconds |\n|---|---:|"
    n = split("series changed state table plain", order, " ")
    for (i = 1; i <= n; i++) printf "| %s | %.2f |\n", order[i], best[order[i]]
    print ""
    verdict("strict", best["changed"] + best["state"], "changed + state")
    verdict("honest", best["changed"] + best["state"] + best["table"], "changed + state + table")
    verdict("anew", best["changed"] + best["state"] + best["plain"], "changed + state + plain")
}' "$work/times" | tee "$here/out/series.md"
awk -F'[:, ]+' '$2 == "\"published\"" || $2 == "\"erased\"" || $2 == "\"inserted\"" ||
    $2 == "\"withdrawn\"" { print "second release: " $2 " " $3 }' "$work/entry"
