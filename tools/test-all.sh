#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test-all.sh BUILD - every suite, one after the other; the last line is the sum of theirs.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
status=0
suite() { # suite COMMAND...: run it, keep its last line
    { "$@" || echo $? >"$work/failed"; } | tee "$work/log"
    tail -n 1 "$work/log" >>"$work/counts"
}
suite tools/run-tests.sh "$1"
suite make --no-print-directory test-web BUILD="$1"
suite make --no-print-directory test-r BUILD="$1"
suite make --no-print-directory test-packages BUILD="$1"
[ ! -f "$work/failed" ] || status=1
awk -v status="$status" '
/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5; next }
{ failed++ } # a suite that did not get to its last line
END {
    if (status != 0 && failed == 0) failed = 1
    printf "\n%d passed, %d failed%s\n", passed, failed, skipped ? sprintf(", %d skipped",
        skipped) : ""
}' "$work/counts"
exit "$status"
