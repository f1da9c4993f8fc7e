#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# results.sh [BUILD [add]] - write bench/results.csv again: the quality that the tests hold the
# algorithms to. With `add` only what is not pinned yet is run.
set -eu
# threads that wait by spinning starve those that work, where cores are shared
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
cd "$(dirname "$0")"
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-results.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
./datasets.sh "$build/shoal" "$work" census-2000 census-10000 adult30162
"$build/bench/results" "${2:-print}" "$work" results.csv >"$work/results.csv"
cp "$work/results.csv" results.csv
echo "bench/results.csv: $(($(wc -l <results.csv) - 1)) rows; read the difference before you commit it"
