#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh EXPECTED PROGRAM ARGUMENT... - does the program print exactly the expected file?
set -eu
expected=$1
shift
got=$(mktemp)
trap 'rm -f "$got"' EXIT INT TERM
"$@" >"$got"
diff -u "$expected" "$got"
