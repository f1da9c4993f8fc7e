#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_wall.sh ARCHIVE - does the verifier call anything that made the release?
#
# Includes are checked by check_includes.sh, but public headers declare functions of every folder.
# So the objects of the static library are read too: no object of verify or published may need a
# symbol that an object of publish or method defines.
set -eu
nm -A "$1" | awk '
{
    object = $0; sub(/: *[0-9a-fA-F]* [A-Za-z] .*/, "", object); sub(/.*[:\/]/, "", object)
    symbol = $NF; type = $(NF - 1)
    is_checker = object ~ /^src_(verify|published)_/
    is_maker = object ~ /^src_(publish|method)_/
    if (is_checker) checkers++
    if (is_maker) makers++
    if (type == "U" && is_checker) needed[object " needs " symbol] = symbol
    else if (type ~ /^[TDBRGSV]$/ && is_maker) made[symbol] = object
}
END {
    if (checkers == 0 || makers == 0) { print "no objects of verify, published, publish or method in the archive"; exit 1 }
    for (need in needed) if (needed[need] in made) {
        printf "%s, which is of %s\n", need, made[needed[need]]; bad++ }
    if (bad) exit 1
}'
