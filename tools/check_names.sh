#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_names.sh [TREE] - does every name have one meaning?
#
# Three rules, for src, cli, python, r, bench and include: no two files of the same name in
# different folders (a public header may be called like the source behind it); no two visible types
# or functions of the same name; no type called like a function. Visible is what a header declares
# or what is not static; names that a file keeps to itself may recur.
set -eu
cd "${1:-$(dirname "$0")/..}"
folders=''
for folder in src cli python r bench include; do [ ! -d "$folder" ] ||
    folders="$folders $folder"; done
# shellcheck disable=SC2086 # the words of the list are meant to be split
find $folders -name '*.[ch]' ! -path '*/experiments/*' | LC_ALL=C sort | xargs awk '
function complain(text) { print text; bad++ }
function declare(kind, name) {
    if (kind == "type" && (name in types) && types[name] != FILENAME)
        complain("type " name ": " types[name] " and " FILENAME)
    if (kind == "function" && (name in functions) && functions[name] != FILENAME && name != "main")
        complain("function " name ": " functions[name] " and " FILENAME)
    if (kind == "type") types[name] = FILENAME; else functions[name] = FILENAME
}
FNR == 1 {
    is_header = FILENAME ~ /\.h$/
    base = FILENAME; sub(/.*\//, "", base)
    if (FILENAME !~ /^include\//) {
        if (base in files) complain("file " base ": " files[base] " and " FILENAME)
        files[base] = FILENAME
    }
    previous = ""
}
/^typedef (struct|enum|union) [A-Za-z_0-9]+ \{/ && (is_header || $3 ~ /^(shoal|cli)_/) {
    declare("type", $3) }
# a definition: the name stands before the first parenthesis of the lines above
/^\{/ && previous != "" {
    head = previous
    if (head !~ /^static/ || (is_header && head ~ /^static inline/)) {
        sub(/\(.*/, "", head); sub(/.*[ *]/, "", head)
        if (head ~ /^[a-z_][A-Za-z_0-9]*$/) declare("function", head)
    }
}
/^[A-Za-z]/ { previous = /;[ \t]*$/ || /^(typedef|enum|struct|union|extern|return)/ ? "" : $0;
    next }
/^[ \t]+[^ \t]/ && previous != "" { next } # parameters on further lines
{ previous = "" }
END {
    for (name in types) if (name in functions)
        complain("type and function " name ": " types[name] " and " functions[name])
    if (bad) { printf "%d names with two meanings\n", bad; exit 1 }
}'
