#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_errors.sh [TREE] - are the formats of failures marked, so that no program has to parse prose
# to find their parts?
#
# Looked at are the texts in calls of shoal_fail() and shoal_fail_in() below src, cli and python: a
# fix is divided from what went wrong by {fix} and not by "; " alone, and braces hold what status.h
# says. Below src, where the reader of the message is not known, options stand in braces, in calls
# of anything that has "fail" in its name: {--missing}, {-k %u}.
set -eu
cd "${1:-$(dirname "$0")/..}"
folders=''
for folder in src cli python/src; do [ ! -d "$folder" ] || folders="$folders $folder"; done
# shellcheck disable=SC2086 # the words of the list are meant to be split
find $folders -name '*.c' | LC_ALL=C sort | xargs awk '
function complain(why, text) { print name ":" line ": " why ": " text; bad++ }
function check(call, text,    bare) {
    bare = text
    gsub(/\{[^}]*\}/, "", bare)
    if (name ~ /^src\// && bare ~ /(^|[^A-Za-z0-9_-])(--[a-z%]|-k (%|[0-9K]))/) complain("an option without braces", text)
    if (call !~ /^shoal_fail(_in)?$/) return
    if (index(text, "; ") > 0 && index(text, "{fix}") == 0) complain("a fix without {fix}", text)
    bare = text
    gsub(/\{(fix|text %s|-[^}]*|(file|column|row|line|source) [^}]+)\}/, "", bare)
    if (bare ~ /[{}]/) complain("braces that mean nothing", text)
}
# The literals of the call whose arguments begin at `at`, one after the other.
function literals(at,    depth, out, c) {
    depth = 1
    for (out = ""; depth > 0 && at <= length(all); at++) {
        c = substr(all, at, 1)
        if (c == "(") depth++
        else if (c == ")") depth--
        else if (c == "/" && substr(all, at + 1, 1) == "*") {
            at += 1 + index(substr(all, at + 2), "*/") + 1
        } else if (c == "\"") {
            while ((c = substr(all, ++at, 1)) != "\"" && c != "") {
                out = out c
                if (c == "\\") out = out substr(all, ++at, 1)
            }
        } else if (c == "\047") {
            while ((c = substr(all, ++at, 1)) != "\047" && c != "") if (c == "\\") at++
        }
    }
    return out
}
function check_file(    rest, call, n) {
    line = 1
    while (match(all, /[a-z_]*fail[a-z_]*\(/)) {
        rest = substr(all, 1, RSTART)
        line += gsub(/\n/, "", rest)
        call = substr(all, RSTART, RLENGTH - 1)
        n = RSTART + RLENGTH
        check(call, literals(n))
        all = substr(all, n)
    }
}
FNR == 1 { if (name != "") check_file(); name = FILENAME; all = "" }
{ all = all $0 "\n" }
END { check_file(); exit bad > 0 }
'
