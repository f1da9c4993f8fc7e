#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_headers.sh [INCLUDE_DIR] - does each public header compile alone, as C11 and as C++, without
# a warning? Is it installed? Does no function return a structure by value, and no structure hold
# one that grows (with a `size`) by value? Either would fix the layout for every program.
set -eu
include=${1:-$(dirname "$0")/../include}
status=0
cplusplus=$(command -v "${CXX:-g++}" || command -v clang++ || true)
[ -n "$cplusplus" ] || echo 'there is no C++ compiler here: headers are checked as C only'
for header in "$include"/shoal/*.h; do
    name=shoal/$(basename "$header")
    if ! grep -qs "'${name#shoal/}'" "$include/shoal/meson.build"; then
        echo "$name is not installed: name it in include/shoal/meson.build"
        status=1
    fi
    # Twice, so that a missing include guard shows.
    text=$(printf '#include <%s>\n#include <%s>\nint shoal_nothing;\n' "$name" "$name")
    printf '%s\n' "$text" | ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$include" \
        -fsyntax-only -x c - || status=1
    [ -n "$cplusplus" ] || continue
    printf '%s\n' "$text" | "$cplusplus" -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$include" \
        -fsyntax-only -x c++ - || status=1
done
# All headers as one text without comments; typedefs of structures by name.
text=$(cat "$include"/shoal/*.h | tr '\n' ' ' |
    sed 's,/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/,,g' | tr -s ' ')
structures=$(printf '%s' "$text" | grep -oE '(typedef )?struct shoal_[a-z_]+' |
    sed 's/.*struct //' | LC_ALL=C sort -u)
grow=$(printf '%s' "$text" | grep -oE 'typedef struct shoal_[a-z_]+ \{ size_t size;' |
    sed 's/typedef struct //; s/ .*//' | LC_ALL=C sort -u)
for name in $structures; do
    if printf '%s' "$text" | grep -qE "SHOAL_API (SHOAL_NODISCARD )?(const )?$name shoal_"; then
        echo "a function returns $name by value: return a pointer, or fill one in"
        status=1
    fi
done
for name in $grow; do
    if printf '%s' "$text" | grep -oE '\{[^{}]*\}' | grep -qE "[{;] (const )?$name [a-z]"; then
        echo "a structure holds $name, which grows, by value: hold a pointer"
        status=1
    fi
done
exit $status
