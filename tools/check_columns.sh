#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_columns.sh [TREE] - is every line of the headers listed here at most 100 columns wide?
#
# The list has the folders and headers that have been wrapped so far; entries that do not exist are skipped.
# Columns are counted as bytes, tabs as one.
set -eu
done_so_far='
src/base src/table src/hierarchy src/search src/privacy src/cost
src/generate src/profile src/plan src/io tests/support
include/shoal/generate.h include/shoal/hierarchy.h include/shoal/io.h include/shoal/plan.h
include/shoal/privacy.h include/shoal/profile.h include/shoal/status.h include/shoal/table.h
'
cd "${1:-$(dirname "$0")/..}"
status=0
for place in $done_so_far; do
    [ -e "$place" ] || continue
    long=$(find "$place" -name '*.h' -exec awk 'length($0) > 100 { print FILENAME ":" FNR ": " length($0) " columns" }' {} +)
    [ -z "$long" ] && continue
    printf '%s\n' "$long"
    status=1
done
[ "$status" = 0 ] || echo '^ wrap these lines at 100 columns'
exit $status
