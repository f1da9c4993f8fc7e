#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run-tests.sh BUILD [meson test options]... - run the tests and count their cases.
#
# Meson counts programs; this script counts cases. Each program's part of the log is
# read:
# cmocka's "[  PASSED  ] n test(s)." lines, or "n passed, m failed[, s skipped]" of a script that
#              runs cases.
# A program that says neither is one case; one that fails without a failed case (a crash, a
# time-out) is one failed case more. What was skipped is listed with the reason. The last line is
# the sum; the exit status is Meson's.
set -u
# tests run side by side: threads that wait by spinning would starve those that work
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

build=$1
shift
status=0
meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 3 "$@" || status=$?

log=$build/meson-logs/testlog.txt
for option in "$@"; do # a wrapped run keeps a log of its own
    case $option in --wrap) log=$(ls -t "$build"/meson-logs/testlog*.txt | head -n 1) ;; esac
done
if [ ! -f "$log" ]; then
    echo '0 passed, 1 failed'
    exit 1
fi

awk -v status="$status" '
function close_program() {
    if (!open) return
    good = result ~ /^(exit status 0|OK|\(exit status 0)/
    skip = result ~ /77|SKIP/
    if (p + f + s == 0) { if (good) p = 1; else if (skip) s = 1; else f = 1 }
    else if (!good && !skip && f == 0) f = 1
    passed += p; failed += f; skipped += s
    if (s > 0) reasons = reasons (said != "" ? said : "  " name ": it does not say why\n")
    p = f = s = 0; result = name = said = ""; open = 0
}
/^=+ [0-9]+\/[0-9]+ =+$/ { close_program(); open = 1; next }
open && name == "" && /^test: / { name = $0; sub(/^test: */, "", name); next }
open && /^skipped: / { said = said "  " name ": " substr($0, 10) "\n" }
open && /^SKIPPED \[/ { said = said "  " name ": " substr($0, 9) "\n" } # as pytest writes it
open && result == "" && /^result: / { result = $0; sub(/^result: */, "", result); next }
/^\[  PASSED  \] [0-9]+ test/ { p += $4; next }
/^\[  FAILED  \] ([^ ]+: )?[0-9]+ test/ { for (i = 4; i <= NF; i++) if ($i ~ /^[0-9]+$/) { f += $i;
    break } next }
/^\[  SKIPPED \] ([^ ]+: )?[0-9]+ test/ { for (i = 4; i <= NF; i++) if ($i ~ /^[0-9]+$/) { s += $i;
    break } next }
/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { p += $1; f += $3; if (NF >= 6) s += $5 }
END {
    close_program()
    if (reasons != "") printf "\nskipped:\n%s", reasons
    if (status != 0 && failed == 0) failed = 1
    printf "\n%d passed, %d failed%s\n", passed, failed, skipped ? sprintf(", %d skipped",
        skipped) : ""
}' "$log"
exit "$status"
