#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SHOAL - compare with other tools, where they are installed. PYTHON names the interpreter
# that has scikit-learn.
#
# The table is Adult where $SHOAL_DATA (or ../shared/data beside the repository) has it, else
# generated persons.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
command -v "$python" >/dev/null || { echo 'skipped: there is no python3'; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-cross.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
table=
for place in "${SHOAL_DATA:-}" "$here/../../../shared/data"; do
    [ -z "$table" ] && [ -n "$place" ] && [ -f "$place/adult/adult-complete.csv" ] &&
        table=$place/adult/adult-complete.csv
done
if [ -z "$table" ]; then
    "$1" generate census --rows 20000 --seed 1 -o "$work/people.csv"
    table=$work/people.csv
fi
"$python" "$here/classify.py" "$1" "$table"
