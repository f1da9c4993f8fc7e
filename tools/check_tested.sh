#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_tested.sh - every .c file of the library has a test that names it, or is covered by one that
# says so.
#
#     check_tested.sh TREE
#
# tests/*/test_X.c covers src/**/X.c by its name. What else a test covers, its first comment says:
# "Covers: a.c, b.c", over several lines where each but the last ends in a comma. Files without
# logic of their own are listed here, with the reason.
set -eu
cd "$1"
exceptions='
clock.c            one call of the system clock
pages.c            one call of the system, a hint without an effect that a program sees
registry.c         a table of pointers
census_tables.c    numbers of the census model
'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
find src -name '*.c' | sed 's|.*/||' | sort >"$work/files"
find tests -name 'test_*.c' | sed 's|.*/test_||' | sort -u >"$work/named"
find tests \( -name 'test_*.c' -o -name run.sh \) | sort | xargs awk '
    FNR == 1 { in_list = 0 }
    sub(/.*Covers: /, "") { in_list = 1 }
    in_list {
        in_list = /,[ \t]*$/
        sub(/\*\/.*/, "")
        n = split($0, words, /[ \t,*]+/)
        for (i = 1; i <= n; i++) if (words[i] != "") print words[i]
    }' /dev/null | sort -u >"$work/claimed"
printf '%s' "$exceptions" | awk -v tree="$(cat "$work/files")" \
    'NF && index("\n" tree "\n", "\n" $1 "\n") { print $1 }' | sort >"$work/excepted"
sort -u "$work/named" "$work/claimed" >"$work/covered"
bad=0
say() { # say WHAT: the lines of $work/found are wrong
    [ -s "$work/found" ] || return 0
    sed "s|\$|: $1|" "$work/found"
    bad=1
}
sort "$work/covered" "$work/excepted" | comm -23 "$work/files" - >"$work/found"
say 'no test names it; write tests/*/test_NAME.c, or "Covers: NAME.c" in the head of the test'\
' that covers it'
comm -13 "$work/files" "$work/claimed" >"$work/found"
say 'a test says that it covers it, but there is no such file'
comm -12 "$work/covered" "$work/excepted" >"$work/found"
say 'an exception in tools/check_tested.sh, but a test covers it'
exit $bad
