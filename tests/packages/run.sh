#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD [NAME...] - every artefact, or those named, made, installed on a clean system, used
# and removed; see cases.sh. The last line counts.
set -u
. "$(dirname "$0")/cases.sh"
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- install static wheel sdist deb container dist abi mac
SHOAL_README_SHA256=$(mkdir -p "$work/first" && cd "$work/first" && readme_release "$build/shoal")
export SHOAL_README_SHA256
echo "the README's release: ${SHOAL_README_SHA256:-none}"
status=0
# of all children so far
seconds='NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); sum += part[1] * 60 + part[2] } printf "%d", sum }'
for name in "$@"; do
    echo "== $name"
    times >"$work/times"
    begin=$(awk "$seconds" "$work/times")
    sh "$tree/tests/packages/test_$name.sh" "$build" >"$work/log" 2>&1 || status=1
    cat "$work/log"
    times >"$work/times"
    echo "   $(($(awk "$seconds" "$work/times") - begin)) s of processor time"
    tail -n 1 "$work/log" >>"$work/counts"
done
awk -v status=$status '
/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5; next }
{ failed++ } # a test that did not get to its last line
END {
    if (status != 0 && failed == 0) failed = 1
    printf "%d passed, %d failed%s\n", passed, failed, skipped ? sprintf(", %d skipped",
        skipped) : ""
}' "$work/counts"
exit "$status"
