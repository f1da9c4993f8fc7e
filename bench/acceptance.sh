#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# acceptance.sh SHOAL [DATASET [K...]] - is every release one that others accept?
#
# For each k (2 to 100) and each of the default method, kmembers and mondrian: release the table
# (adult30162 by default; datasets.sh knows the names) with the command, with one thread and with
# two; the bytes must be the same;
# `shoal check` must accept them, and so must independent_check.py, which shares no code with Shoal
# and is left out with a message where python3 is missing. Then a release is spoilt in four ways,
# and both must refuse what they can see.
# ACCEPTANCE_ALGORITHMS="a b" names other methods, ACCEPTANCE_OPTIONS="--effort 2" adds options.
# Exit 1 when anything was refused, 77 when there is no table.
set -eu
# threads that wait by spinning starve those that work, where cores are shared
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
case $1 in /*) shoal=$1 ;; *) shoal=$PWD/$1 ;; esac
dataset=${2:-adult30162}
[ $# -lt 3 ] || { shift 2; ks=$*; }
[ -n "${ks:-}" ] || ks=$(awk 'BEGIN { for (k = 2; k <= 100; k++) print k }')
qids=sex,age,race,marital-status,education,native-country,workclass,occupation
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-acceptance.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

"$here/datasets.sh" "$shoal" "$work" "$dataset"
table=$work/$dataset/table.csv hierarchies=$work/$dataset/hierarchies
if [ ! -f "$table" ]; then
    echo "there is no table to release: skipped"
    exit 77
fi
if command -v python3 >/dev/null 2>&1; then
    read_by_other() { python3 "$here/independent_check.py" "$table" "$1" "$hierarchies" "$2" \
        $qids; }
    has_other=1
else
    echo 'python3 is missing: the independent reader is left out'
    read_by_other() { return 0; }
    has_other=0
fi

default=$("$shoal" algorithms | awk 'NR == 1 { print $1 }')
algorithms=${ACCEPTANCE_ALGORITHMS:-$(printf '%s\n' "$default" kmembers mondrian |
    awk '!seen[$0]++')}
passed=0 failed=0 skipped=0

# judge WHAT COMMAND...: count whether the command succeeds
judge() {
    what=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "REFUSED  $what"
        head -n 5 "$work/said"
    fi
}
release() { # release ALGORITHM K THREADS OUT
    # shellcheck disable=SC2086 # options are words
    "$shoal" anonymize "$table" -o "$4" --force --qid $qids --numeric age \
        --hierarchies "$hierarchies" --rest keep \
        -k "$2" --algorithm "$1" --threads "$3" --no-bound ${ACCEPTANCE_OPTIONS:-}
}
check() { "$shoal" check "$1" --qid $qids -k "$2"; }

for algorithm in $algorithms; do
    before=$failed
    for k in $ks; do
        rm -f "$work/one.csv" "$work/two.csv"
        judge "$algorithm, k = $k: release, one thread" release "$algorithm" "$k" 1 "$work/one.csv"
        judge "$algorithm, k = $k: release, two threads" release "$algorithm" "$k" 2 "$work/two.csv"
        [ -f "$work/one.csv" ] || continue
        judge "$algorithm, k = $k: same bytes for one and two threads" cmp "$work/one.csv" \
            "$work/two.csv"
        judge "$algorithm, k = $k: shoal check" check "$work/one.csv" "$k"
        if [ $has_other = 1 ]; then
            judge "$algorithm, k = $k: independent reader" read_by_other "$work/one.csv" "$k"
        else
            skipped=$((skipped + 1))
        fi
    done
    echo "$algorithm: $(echo $ks | wc -w) values of k from $(echo $ks |
        awk '{ print $1 " to " $NF }')," \
        "$((failed - before)) refusals"
done

# The judges must be able to refuse: a release of the last k, spoilt.
refuses() { ! "$@"; }
spoil() { awk -F, -v OFS=, "$1" "$work/one.csv" >"$work/spoilt.csv"; }
if [ -f "$work/one.csv" ]; then
    # shellcheck disable=SC2016 # awk programs
    spoil 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "age") at = i } NR == 2 {
        $at = "[-1..200]" } { print }'
    judge 'shoal check refuses a tuple that occurs once' refuses check "$work/spoilt.csv" "$k"
    if [ $has_other = 1 ]; then
        judge 'the independent reader refuses a tuple that occurs once' refuses read_by_other \
            "$work/spoilt.csv" "$k"
        spoil 'NR > 2 || NR == 1'
        judge 'the independent reader refuses a lost row' refuses read_by_other \
            "$work/spoilt.csv" "$k"
        spoil 'NR == 2 { kept = $0; next } { print } NR == 20 { print kept }'
        judge 'the independent reader refuses a row that moved' refuses read_by_other \
            "$work/spoilt.csv" "$k"
        spoil 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "age") at = i }
            NR > 1 { $at = "[1..3]" } { print }'
        judge 'the independent reader refuses cells that do not cover' refuses read_by_other \
            "$work/spoilt.csv" "$k"
    fi
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
