#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_columns.sh [TREE] - is every line of every header at most 100 columns wide?
#
# Columns are counted as bytes, tabs as one.
set -eu
cd "${1:-$(dirname "$0")/..}"
folders=''
for folder in include src cli python r bench tests; do [ ! -d "$folder" ] ||
    folders="$folders $folder"; done
# shellcheck disable=SC2086 # the words of the list are meant to be split
long=$(find $folders -name '*.h' -exec awk 'length($0) > 100 {
    print FILENAME ":" FNR ": " length($0) " columns" }' {} +)
[ -n "$long" ] || exit 0
printf '%s\n' "$long"
echo '^ wrap these lines at 100 columns'
exit 1
