#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SHOAL [--update] [CASE...] - golden tests of the command: what it prints, how it exits,
# what it leaves behind.
#
# A case is a file cases/NAME.case. It is a shell script up to the first line that begins with
# "=== "; its first line, a comment, says what the case shows. "$shoal" is the program. The script
# runs in a fresh folder that holds a copy of data/. Exit 77 there skips the case; why, it says on
# standard error. A case that does something to a running command waits for an event, not for a
# time: python3 "$until", see until.py. That needs a pseudo-terminal; where there is none (a bare
# chroot) such cases are skipped. Then follow, each at most once but `file`, in any order:
#   === file NAME     a file of the folder
#   === exit STATUS   the exit status (0 if absent)
#   === stdout        standard output, byte for byte (nothing if absent)
#   === stdout like   a shell pattern for all of it
#   === stderr        standard error, or `=== stderr like`, in the same way
#   === new           files that are there afterwards and were not before (none if absent)
#   === changes       files that were there may change; without it they must be as they were
# No other line begins with "=== ". A text that does not end with a newline has
# ", no newline at the end" behind its heading.
#
# --update writes what happens into the cases, all or those named: read the diff before you commit
# it. Lines of a pattern that still match stay; the others become the text itself, and you say
# again what of it may differ.
# Covers: attack_json.c, evaluate_json.c, exact_sets.c, loss_json.c, persons_step.c, risk_json.c
# Covers: sets_json.c
set -u
LC_ALL=C
export LC_ALL
unset NO_COLOR

case $1 in /*) shoal=$1 ;; *) shoal=$PWD/$1 ;; esac
export shoal
shift
update=0
[ "${1:-}" != --update ] || { update=1 && shift; }
here=$(cd "$(dirname "$0")" && pwd)
until=$here/until.py
export until
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-cli.XXXXXX") || exit 1
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
[ $# -gt 0 ] || set -- "$here"/cases/*.case
has_terminals=1
python3 -c 'import pty; pty.openpty()' 2>/dev/null || has_terminals=0

list() { (cd "$1" && find . ! -type d | sed 's|^\./||' | sort); }
sums() { (cd "$1" && find . -type f -exec cksum {} + | sort); }

# take_apart CASE BOX: the parts of a case become files: BOX/want/cmd, BOX/want/stdout, BOX/run/NAME
take_apart() {
    awk -v box="$2" '
        function wrong(why) { print FILENAME ": line " FNR ": " why; exit 1 }
        BEGIN { to = box "/want/cmd" }
        FNR == 1 && !/^# ./ { wrong("no heading that says what the case shows") }
        !/^=== / { # a line break is printed before a line if the text may end without one
            if (!to) wrong("text where none belongs")
            if (open_end) printf "%s%s", (lines++ ? "\n" : ""), $0 > to
            else print > to
            next
        }
        {
            if (to) close(to)
            open_end = sub(/, no newline at the end$/, "")
            lines = 0
            name = substr($0, 5)
            if (name ~ /^file ./) {
                to = box "/run/" substr(name, 6)
                folder = to
                sub(/\/[^\/]*$/, "", folder)
                if (name ~ /\//) system("mkdir -p \"" folder "\"")
            } else if (name ~ /^exit [0-9]+$/) {
                print substr(name, 6) > (box "/want/exit")
                close(box "/want/exit")
                to = ""
            } else if (name ~ /^std(out|err)( like)?$|^new$|^changes$/) {
                sub(/ like$/, ".glob", name)
                to = box "/want/" name
                if (seen[name]++) wrong("twice the same part")
            } else wrong("not a part of a case: " name)
            if (to) printf "" > to
        }' "$1"
}

# matches TEXT PATTERN: does the pattern (newlines and all) match the whole text?
matches() {
    # shellcheck disable=SC2254 # the pattern is meant as one
    case $1 in $2) return 0 ;; esac
    return 1
}

# check_stream BOX STREAM: what was printed against want/STREAM or want/STREAM.glob
check_stream() {
    if [ -f "$1/want/$2" ]; then
        cmp -s "$1/want/$2" "$1/$2" || { diff "$1/want/$2" "$1/$2" | head -n 20; return 1; }
    elif [ -f "$1/want/$2.glob" ]; then
        matches "$(cat "$1/$2")" "$(cat "$1/want/$2.glob")" ||
            { echo "$2 is not like its pattern:"; head -n 40 "$1/$2"; return 1; }
    elif [ -s "$1/$2" ]; then
        echo "$2 should be empty:"
        head -n 40 "$1/$2"
        return 1
    fi
}

# part HEADING FILE: a part of a case, nothing if the file is empty
part() {
    [ -s "$2" ] || return 0
    end='' && [ -z "$(tail -c 1 "$2")" ] || end=', no newline at the end'
    echo "=== $1$end"
    cat "$2"
    [ -z "$end" ] || echo
}

# new_pattern TEXT-FILE PATTERN-FILE: the pattern, with the text for the lines that do not match
new_pattern() {
    if [ "$(wc -l <"$1")" -eq "$(wc -l <"$2")" ]; then
        exec 3<"$2"
        while IFS= read -r line; do
            IFS= read -r pattern <&3
            if matches "$line" "$pattern"; then printf '%s\n' "$pattern"
            else printf '%s\n' "$line" | sed 's/[][*?\\]/\\&/g'; fi
        done <"$1"
        exec 3<&-
    else
        sed 's/[][*?\\]/\\&/g' "$1"
    fi
}

# rewrite CASE BOX STATUS: the case with what happened for what was expected
rewrite() {
    {
        awk '/^=== / { kept = /^=== file / } FNR == 1 { kept = 1 } kept' "$1"
        [ "$3" -eq 0 ] || echo "=== exit $3"
        for stream in stdout stderr; do
            if [ ! -f "$2/want/$stream.glob" ]; then
                part $stream "$2/$stream"
            elif check_stream "$2" $stream >/dev/null; then
                part "$stream like" "$2/want/$stream.glob"
            else
                new_pattern "$2/$stream" "$2/want/$stream.glob" >"$2/pattern"
                part "$stream like" "$2/pattern"
            fi
        done
        part new "$2/new"
        [ ! -f "$2/want/changes" ] || echo '=== changes'
    } >"$2/case"
    cmp -s "$1" "$2/case" && return
    cat "$2/case" >"$1" && echo "updated: $1" >&4
}

run_case() {
    box=$work/$(basename "$1" .case)
    mkdir -p "$box/run" "$box/want" && cp -R "$here/data/." "$box/run" || return 1
    take_apart "$1" "$box" || return 1
    if [ $has_terminals -eq 0 ] && grep -q '"$until"' "$box/want/cmd"; then
        echo 'there are no pseudo-terminals here: mount devpts at /dev/pts'
        return 77
    fi
    list "$box/run" >"$box/before"
    sums "$box/run" >"$box/sums"
    (cd "$box/run" && sh "$box/want/cmd") >"$box/stdout" 2>"$box/stderr" </dev/null 4>&-
    code=$?
    [ $code -ne 77 ] || { cat "$box/stderr"; return 77; }
    list "$box/run" | comm -13 "$box/before" - >"$box/new"
    sums "$box/run" | comm -23 "$box/sums" - >"$box/changed"
    if [ $update -eq 1 ]; then
        rewrite "$1" "$box" $code
        rm -r "$box/want" && mkdir "$box/want" && take_apart "$1" "$box" || return 1
    fi
    good=0
    wanted=0
    [ ! -f "$box/want/exit" ] || read -r wanted <"$box/want/exit"
    [ "$code" -eq "$wanted" ] ||
        { echo "exit $code, not $wanted"; head -n 10 "$box/stderr"; good=1; }
    check_stream "$box" stdout || good=1
    check_stream "$box" stderr || good=1
    [ -f "$box/want/new" ] || : >"$box/want/new"
    cmp -s "$box/want/new" "$box/new" ||
        { echo 'files left behind differ:'; diff "$box/want/new" "$box/new"; good=1; }
    [ -f "$box/want/changes" ] || [ ! -s "$box/changed" ] ||
        { sed 's/^/changed: /' "$box/changed"; good=1; }
    return $good
}

exec 4>&1
passed=0 failed=0 skipped=0
for case in "$@"; do
    [ -f "$case" ] || case=$here/cases/$(basename "$case" .case).case
    name=$(basename "$case" .case)
    [ -f "$case" ] ||
        { failed=$((failed + 1)) && echo "FAILED: there is no case '$name'" && continue; }
    run_case "$case" >"$work/said" 2>&1
    case $? in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) && echo "skipped: $name $(sed 's/.*/(&)/' "$work/said")" ;;
    *) failed=$((failed + 1)) && echo "FAILED: $name" && sed 's/^/    /' "$work/said" ;;
    esac
done
some_skipped='' && [ $skipped -eq 0 ] || some_skipped=", $skipped skipped"
echo "$passed passed, $failed failed$some_skipped"
[ $failed -eq 0 ]
