#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh [BUILD] - generate a town, release it at k = 10, and show the result.
#
# Everything is seeded: the same version shows the same rows and figures, times aside. DEMO_ROWS
# sets the size.
set -eu

shoal=$(cd "${1:-build}" && pwd)/shoal
rows=${DEMO_ROWS:-100000}
k=10
qids=age,sex,race,marital-status,education,native-country,workclass,occupation
cd "$(dirname "$0")/.."
rm -rf demo
mkdir demo

title() { printf '\n== %s\n' "$1"; }
run() { # show a command, a long one on several lines, then run it
    printf '\n$ shoal'
    width=0
    for word in "$@"; do
        width=$((width + ${#word} + 1))
        case $word in -*) if [ $width -gt 90 ]; then printf ' \\\n     '; width=0; fi ;; esac
        printf ' %s' "$word"
    done
    printf '\n'
    "$shoal" "$@"
}

# show FILE COLUMNS ROW...: those rows of a simple CSV file (no quotes in it) as a tidy table
show() {
    shown=$1 wanted=$2
    shift 2
    awk -F, -v wanted="$wanted" -v rows=" $* " '
    NR == 1 { n = split(wanted, name, ","); for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 1 || index(rows, " " NR - 1 " ") {
        m++
        for (i = 1; i <= n; i++) {
            cell[m, i] = (name[i] in at) ? $at[name[i]] : ""
            if (length(cell[m, i]) > 17) cell[m, i] = substr(cell[m, i], 1, 16) "~"
            if (length(cell[m, i]) > width[i]) width[i] = length(cell[m, i])
        }
    }
    END {
        for (j = 1; j <= m; j++) {
            line = " "
            for (i = 1; i <= n; i++) line = line sprintf(" %-*s", width[i], cell[j, i])
            sub(/ +$/, "", line)
            print line
        }
    }' "$shown"
}

title "A town of $rows generated persons"
run generate census --rows "$rows" --seed 1 -o demo/people.csv --hierarchies-out demo/hierarchies

title "Release it so that every person hides among at least $k"
run anonymize demo/people.csv -o demo/release.csv --hierarchies demo/hierarchies \
    --identifier name --qid "$qids" --numeric age --sensitive disease --rest drop -k $k \
    --report demo/report.json

quasi=age,sex,marital-status,education,native-country,occupation # some of them, to fit a terminal
columns=$quasi,disease
title 'The first rows before (with the name, which is left out) ...'
show demo/people.csv "name,$columns" 1 2 3 4 5
title '... and after'
show demo/release.csv "$columns" 1 2 3 4 5

# The rows that are published like row 1, in the release and as they were.
alike=$(awk -F, -v qids="$qids" '
    NR == 1 { n = split(qids, name, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
    { tuple = ""; for (i = 1; i <= n; i++) tuple = tuple "," $at[name[i]] }
    NR == 2 { first = tuple }
    tuple == first { printf "%d ", NR - 1; if (++shown == 12) exit }' demo/release.csv)
title 'Persons of the group of row 1 (at most twelve), as they were ...'
# shellcheck disable=SC2086 # a list of row numbers
show demo/people.csv "$columns" $alike
title '... and as all of them are published'
# shellcheck disable=SC2086
show demo/release.csv "$quasi" ${alike%% *}

title 'Check the file on its own, as its recipient can'
run check demo/release.csv --qid "$qids" -k $k

title 'Where things are'
printf '  %-18s %s\n' demo/people.csv 'the table' demo/hierarchies/ \
    'which value generalises to which' \
    demo/release.csv 'the release' demo/report.json 'its report'
