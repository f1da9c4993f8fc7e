#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_experiments.sh - the pages of the experiments say what their results say: every table and
# verdict is computed again and compared (bench/experiments/pages). No experiment is run. The text
# of docs/experiments.md around the tables has no figure with decimals and no verdict.
#
#     check_experiments.sh TREE
set -eu
cd "$1"
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
bench/experiments/pages --check
# what is left without tables; settings have one decimal at most, figures more
prose=$(awk '/^<!-- table /, /^<!-- end -->/ { next } /^    / || /^```/ { next }
    { gsub(/`[^`]*`/, "")
        gsub(/Figs?[.] [0-9.]+( (to|and) [0-9.]+)?/, "")
        gsub(/\]\([^)]*\)/, "") }
    /[0-9]\.[0-9][0-9]/ || /\*\*(yes|no|holds)/ { print FILENAME ":" FNR ": " $0 }' \
    docs/experiments.md)
if [ -n "$prose" ]; then
    echo "$prose"
    echo '^ figures and verdicts belong into tables that bench/experiments/claims.py makes'
    exit 1
fi
