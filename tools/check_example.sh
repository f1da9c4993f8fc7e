#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_example.sh TREE - does the program of docs/library.md compile, as C11 and as C++20?
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
awk '/^<!-- compiled as C and C\+\+/ { wanted = 1 }
     wanted && /^```c$/ { inside = 1; next }
     inside && /^```$/ { exit }
     inside { print }' docs/library.md >"$work/example.c"
if [ ! -s "$work/example.c" ]; then
    echo 'docs/library.md has no program to compile'
    exit 1
fi
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$work/example.c"
cplusplus=$(command -v "${CXX:-g++}" || command -v clang++ || true)
if [ -z "$cplusplus" ]; then
    echo 'there is no C++ compiler here: the program is checked as C only'
    exit 0
fi
"$cplusplus" -std=c++20 -Wall -Wextra -Wno-missing-field-initializers -Werror -Iinclude \
    -fsyntax-only -x c++ "$work/example.c"
