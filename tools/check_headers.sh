#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_headers.sh [INCLUDE_DIR] - does each public header compile alone, as C11 and as C++, without
# a warning? Is it installed?
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
exit $status
