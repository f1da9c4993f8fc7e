#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh BUILD [NAME...] - every artefact, or those named, made, installed on a clean system, used and removed; see cases.sh. The last line counts.
set -u
. "$(dirname "$0")/cases.sh"
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- install static wheel sdist deb container dist abi mac
SHOAL_README_SHA256=$(mkdir -p "$work/first" && cd "$work/first" && readme_release "$build/shoal")
export SHOAL_README_SHA256
echo "the README's release: ${SHOAL_README_SHA256:-none}"
status=0
for name in "$@"; do
    echo "== $name"
    begin=$(date +%s)
    sh "$tree/tests/packages/test_$name.sh" "$build" >"$work/log" 2>&1 || status=1
    cat "$work/log"
    echo "   $(($(date +%s) - begin)) s"
    tail -n 1 "$work/log" >>"$work/counts"
done
awk -v status=$status '
/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5; next }
{ failed++ } # a test that did not get to its last line
END {
    if (status != 0 && failed == 0) failed = 1
    printf "%d passed, %d failed%s\n", passed, failed, skipped ? sprintf(", %d skipped", skipped) : ""
}' "$work/counts"
exit "$status"
