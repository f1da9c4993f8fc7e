#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# resume-tests.sh BUILD SECONDS [meson test option]... - run the tests that did not pass yet, for so
# long; to be called again until all have.
#
# For builds that take hours: sanitizers, another machine under qemu-user. BUILD/passed has the
# names of programs that passed since the command was built, so a change of the code starts over.
# What was running when the time was over runs again. BUILD/resume.log has the output.
# The last line counts; the exit status is 0 when every program has passed.
set -eu
# each result is there as soon as it is known
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}" PYTHONUNBUFFERED=1

build=$1
seconds=$2
shift 2
[ "$build/passed" -nt "$build/shoal" ] || : >"$build/passed"
meson test -C "$build" --no-rebuild --list "$@" 2>/dev/null | sed -n 's/.* \/ //p' |
    sort -u >"$build/wanted"
due=$(sort -u "$build/passed" | comm -13 - "$build/wanted")
: >"$build/resume.log"
if [ -n "$due" ]; then
    # shellcheck disable=SC2086 # names
    timeout -k 20 "$seconds" meson test -C "$build" --no-rebuild --timeout-multiplier 20 \
        --print-errorlogs $due >"$build/resume.log" 2>&1 || true
    sed -n 's#^ *[0-9]*/[0-9]* [^/]* / \([^ ]*\) *\(OK\|SKIP\) .*#\1#p' "$build/resume.log" \
        >>"$build/passed"
    grep -E '^ *[0-9]+/[0-9]+ .* (FAIL|TIMEOUT|ERROR) ' "$build/resume.log" || true
fi
n_passed=$(sort -u "$build/passed" | comm -12 - "$build/wanted" | wc -l)
n_wanted=$(wc -l <"$build/wanted")
echo "$n_passed of $n_wanted programs passed"
[ "$n_passed" = "$n_wanted" ]
