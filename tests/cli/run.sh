#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SHOAL [CASE...] - golden tests of the command: what it prints, how it exits, what it leaves behind.
#
# A case is a folder in cases/:
#   cmd          shell commands; "$shoal" is the program. They run in a fresh folder that holds a copy of data/
#                and of the case's in/, if it has one. Exit 77 there skips the case; why, it says on standard error.
#                A case that does something to a running command waits for an event, not for a time: python3 "$until", see until.py.
#                That needs a pseudo-terminal; where there is none (a bare chroot) such cases are skipped.
#   exit         the exit status (0 if absent)
#   stdout       standard output, byte for byte; or stdout.glob, a shell pattern for all of it (nothing if both absent)
#   stderr.glob  a shell pattern for standard error (nothing if absent)
#   new          the files that are there afterwards and were not before, one a line (none if absent)
# Files that were there must be as they were, unless the case has a file `changes`.
# Covers: attack_json.c, evaluate_json.c, loss_json.c, persons_step.c, risk_json.c, sets_json.c
# REFRESH=1 rewrites stdout, exit and new from what happens: read the diff before you commit it.
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR

case $1 in /*) shoal=$1 ;; *) shoal=$PWD/$1 ;; esac
export shoal
shift
here=$(cd "$(dirname "$0")" && pwd)
until=$here/until.py
export until
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-cli.XXXXXX") || exit 1
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
[ $# -gt 0 ] || set -- "$here"/cases/*/
has_terminals=1
python3 -c 'import pty; pty.openpty()' 2>/dev/null || has_terminals=0

list() { (cd "$1" && find . ! -type d | sed 's|^\./||' | sort); }
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort -k 3); }

# matches TEXT-FILE PATTERN-FILE: does the pattern (newlines and all) match the whole text?
matches() {
    text=$(cat "$1")
    pattern=$(cat "$2")
    # shellcheck disable=SC2254 # the pattern is meant as one
    case $text in $pattern) return 0 ;; esac
    return 1
}

# check NAME STREAM FILE: a stream against NAME's stdout, stdout.glob or stderr.glob
check_stream() {
    if [ -f "$1/$2" ]; then
        cmp -s "$1/$2" "$3" || { diff "$1/$2" "$3" | head -n 20; return 1; }
    elif [ -f "$1/$2.glob" ]; then
        matches "$3" "$1/$2.glob" || { echo "$2 does not match $2.glob:"; head -n 40 "$3"; return 1; }
    elif [ -s "$3" ]; then
        echo "$2 should be empty:"
        head -n 40 "$3"
        return 1
    fi
}

refresh() {
    [ -f "$1/stdout.glob" ] || { [ ! -s "$2/stdout" ] && rm -f "$1/stdout"; } || cp "$2/stdout" "$1/stdout"
    if [ "$3" -eq 0 ]; then rm -f "$1/exit"; else echo "$3" >"$1/exit"; fi
    if [ -s "$2/new" ]; then cp "$2/new" "$1/new"; else rm -f "$1/new"; fi
}

run_case() {
    if [ $has_terminals -eq 0 ] && grep -q '"$until"' "$1/cmd"; then
        echo 'there are no pseudo-terminals here: mount devpts at /dev/pts'
        return 77
    fi
    box=$work/$(basename "$1")
    mkdir -p "$box/run" && cp -R "$here/data/." "$box/run" || return 1
    [ ! -d "$1/in" ] || cp -R "$1/in/." "$box/run"
    list "$box/run" >"$box/before"
    sums "$box/run" >"$box/sums"
    (cd "$box/run" && sh "$1/cmd") >"$box/stdout" 2>"$box/stderr" </dev/null
    code=$?
    [ $code -ne 77 ] || { cat "$box/stderr"; return 77; }
    list "$box/run" | comm -13 "$box/before" - >"$box/new"
    [ -z "${REFRESH:-}" ] || refresh "$1" "$box" $code
    good=0
    wanted=$(cat "$1/exit" 2>/dev/null || echo 0)
    [ "$code" -eq "$wanted" ] || { echo "exit $code, not $wanted"; head -n 10 "$box/stderr"; good=1; }
    check_stream "$1" stdout "$box/stdout" || good=1
    check_stream "$1" stderr "$box/stderr" || good=1
    if [ -f "$1/new" ]; then cp "$1/new" "$box/wanted"; else : >"$box/wanted"; fi
    cmp -s "$box/wanted" "$box/new" || { echo 'files left behind differ:'; diff "$box/wanted" "$box/new"; good=1; }
    if [ ! -f "$1/changes" ]; then
        while read -r sum; do
            sums "$box/run" | grep -qxF "$sum" || { echo "changed: $sum"; good=1; }
        done <"$box/sums"
    fi
    return $good
}

passed=0 failed=0 skipped=0
for folder in "$@"; do
    [ -d "$folder" ] || folder=$here/cases/$folder
    folder=$(cd "$folder" && pwd) || { failed=$((failed + 1)); continue; }
    run_case "$folder" >"$work/said" 2>&1
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) && echo "skipped: $(basename "$folder") $(sed 's/.*/(&)/' "$work/said")" ;;
    *) failed=$((failed + 1)) && echo "FAILED: $(basename "$folder")" && sed 's/^/    /' "$work/said" ;;
    esac
done
if [ $skipped -gt 0 ]; then echo "$passed passed, $failed failed, $skipped skipped"; else echo "$passed passed, $failed failed"; fi
[ $failed -eq 0 ]
