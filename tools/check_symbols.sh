#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_symbols.sh LIBRARY... - does every symbol that a shared library exports start with shoal_?
#
# A library that exports nothing fails too. What sanitizers add (two underscores) is not ours to name.
set -eu
status=0
for library in "$@"; do
    exported=$(nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $NF); print $NF }')
    if ! printf '%s\n' "$exported" | grep -q '^shoal_'; then
        echo "$library: exports no shoal_ symbol"
        status=1
    fi
    strangers=$(printf '%s\n' "$exported" | grep -v -E '^shoal_|^__(asan|odr_asan|ubsan|sanitizer|lsan|start|stop)|^$' || true)
    if [ -n "$strangers" ]; then
        echo "$library exports names that do not start with shoal_:"
        printf '%s\n' "$strangers"
        status=1
    fi
done
exit $status
