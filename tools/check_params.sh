#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_params.sh - no function has more than seven parameters: what belongs together is a struct.
#
#     check_params.sh TREE
#
# Looked at are the lists behind a name outside of braces (declarations and definitions), and those
# of function pointers anywhere.
set -eu
cd "$1"
find src cli include python/src r/src \( -name '*.c' -o -name '*.h' \) 2>/dev/null | sort |
    xargs awk '
/^extern "C" \{/ { next }
FNR == 1 { braces = parens = 0; in_comment = in_macro = 0; before = "" }
in_macro || /^[ \t]*#/ { in_macro = /\\$/; next }
{
    line = $0
    if (in_comment) { if (!sub(/^.*\*\//, "", line)) next; in_comment = 0 }
    gsub(/\\["\\\047]/, "", line); gsub(/"[^"]*"/, "S", line); gsub(/\047[^\047]*\047/, "C", line)
    while (match(line, /\/\*/)) {
        rest = substr(line, RSTART + 2); line = substr(line, 1, RSTART - 1)
        if (!match(rest, /\*\//)) { in_comment = 1; break }
        line = line " " substr(rest, RSTART + 2)
    }
    while (match(line, /[(){},]/)) {
        mark = substr(line, RSTART, 1)
        before = before substr(line, 1, RSTART - 1)
        line = substr(line, RSTART + 1)
        if (mark == "{") braces++
        else if (mark == "}") braces -= braces > 0
        else if (mark == "(") {
            parens++
            is_pointer[parens] = after_pointer && before ~ /^[ \t]*$/
            is_list[parens] = is_pointer[parens] || (braces == 0 && before ~ /[A-Za-z0-9_][ \t]*$/)
            n[parens] = 1; at[parens] = FNR; depth_of[parens] = braces
            name = before; sub(/[ \t]*$/, "", name); sub(/.*[^A-Za-z0-9_]/, "", name)
            name_of[parens] = is_pointer[parens] ? pointer_name : name
        } else if (mark == ")") {
            if (is_list[parens] && n[parens] > 7) {
                printf "%s:%d: %s has %d parameters\n", FILENAME, at[parens], name_of[parens],
                    n[parens]; bad++
            }
            pointer_name = before; sub(/^[ \t]*\*[ \t]*/, "", pointer_name)
            after_pointer = before ~ /^[ \t]*\*[ \t]*[A-Za-z_0-9]*$/
            if (parens > 0) parens--
            before = ""
            continue
        } else if (mark == "," && parens > 0 && braces == depth_of[parens]) n[parens]++
        before = ""; after_pointer = 0
    }
    before = before line " "
}
END { if (bad) { printf "%d functions with more than 7 parameters\n", bad; exit 1 } }'
