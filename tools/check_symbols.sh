#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_symbols.sh INCLUDE LIBRARY... - is every symbol that a shared library exports declared in a
# header below INCLUDE?
#
# All names start with shoal_. A library that exports nothing fails too. What sanitizers add (two
# underscores) is not ours to name.
set -eu
include=$1
shift
status=0
public=$(cat "$include"/shoal/*.h | grep -oE '\bshoal_[a-z0-9_]+' | LC_ALL=C sort -u)
for library in "$@"; do
    exported=$(nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $NF); print $NF }')
    if ! printf '%s\n' "$exported" | grep -q '^shoal_'; then
        echo "$library: exports no shoal_ symbol"
        status=1
    fi
    strangers=$(printf '%s\n' "$exported" |
        grep -v -E '^shoal_|^__(asan|odr_asan|ubsan|sanitizer|lsan|start|stop)|^$' || true)
    if [ -n "$strangers" ]; then
        echo "$library exports names that do not start with shoal_:"
        printf '%s\n' "$strangers"
        status=1
    fi
    private=$(printf '%s\n' "$exported" | grep '^shoal_' | LC_ALL=C sort | while read -r symbol; do
        printf '%s\n' "$public" | grep -qxF "$symbol" || echo "$symbol"
    done)
    if [ -n "$private" ]; then
        echo "$library exports what no public header declares:"
        printf '%s\n' "$private"
        status=1
    fi
done
exit $status
