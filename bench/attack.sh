#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# attack.sh [BUILD] - the default attacks on 100,000 generated rows, released at k = 10: seconds of
# each.
#
# Invented persons (shoal generate census, seed 1): eight quasi-identifiers, disease is sensitive,
# names are identifiers, the rest is published.
# Exit 1 when all of it, reading included, takes a minute or more on two threads.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-attack.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$build/shoal" generate census --rows 100000 --seed 1 -o "$work/people.csv" \
    --hierarchies-out "$work/trees"
roles="--qid sex,age,race,marital-status,education,native-country,workclass,occupation --numeric age --sensitive disease --identifier name --rest keep
    --hierarchies $work/trees -k 10 --seed 1 --threads ${BENCH_THREADS:-2}"
# shellcheck disable=SC2086 # roles are words
"$build/shoal" anonymize "$work/people.csv" -o "$work/release.csv" -q --no-bound --effort 0 $roles
start=$(date +%s.%N)
# shellcheck disable=SC2086
"$build/shoal" attack "$work/people.csv" "$work/release.csv" --json $roles >"$work/found.json"
end=$(date +%s.%N)
printf '%-22s %10s %10s %10s\n' attack rate control seconds
awk -F'[:, ]+' '
    $2 == "\"name\"" { gsub(/"/, "", $3); name = $3 }
    $2 == "\"rate\"" && name != "" { rate = $3 }
    $2 == "\"control\"" && name != "" { control = $3 }
    $2 == "\"seconds\"" && name != "" { printf "%-22s %10.4f %10.4f %10.2f\n", name, rate, control,
        $3; name = "" }' "$work/found.json"
echo "$start $end" | awk '{ printf "attacks on 100,000 rows: %.1f s in all\n", $2 - $1;
    exit $2 - $1 >= 60 }'
