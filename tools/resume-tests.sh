#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# resume-tests.sh BUILD SECONDS [meson test option]... - run the tests that did not pass yet, for so long; to be called again until all have.
#
# For builds that take hours: sanitizers, another machine under qemu-user. BUILD/passed has the names of programs that passed since the command was
# built, so a change of the code begins anew. Four programs at a time; what was running when the time was over runs again. BUILD/failed.txt has what failed.
# The last line counts; the exit status is 0 when every program has passed.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"

build=$1
end=$(($(date +%s) + $2))
shift 2
[ "$build/passed" -nt "$build/shoal" ] || : >"$build/passed"
meson test -C "$build" --no-rebuild --list "$@" 2>/dev/null | sed -n 's/.* \/ //p' | sort -u >"$build/wanted"
sort -u "$build/passed" | comm -13 - "$build/wanted" >"$build/due"
: >"$build/failed.txt"
while left=$((end - $(date +%s))) && [ "$left" -gt 0 ] && [ -s "$build/due" ]; do
    # shellcheck disable=SC2046 # names
    timeout "$left" meson test -C "$build" --no-rebuild --timeout-multiplier 20 --print-errorlogs $(head -n 4 "$build/due") >"$build/resume.log" 2>&1 || true
    sed -n 's#^ *[0-9]*/[0-9]* [^/]* / \([^ ]*\) *OK .*#\1#p' "$build/resume.log" >>"$build/passed"
    if grep -qE '^ *[0-9]+/[0-9]+ .* (FAIL|TIMEOUT|ERROR) ' "$build/resume.log"; then cat "$build/resume.log" >>"$build/failed.txt"; fi
    sed -i 1,4d "$build/due"
done
grep -E '^ *[0-9]+/[0-9]+ .* (FAIL|TIMEOUT|ERROR) ' "$build/failed.txt" || true
n_passed=$(sort -u "$build/passed" | comm -12 - "$build/wanted" | wc -l)
n_wanted=$(wc -l <"$build/wanted")
echo "$n_passed of $n_wanted programs passed"
[ "$n_passed" = "$n_wanted" ]
