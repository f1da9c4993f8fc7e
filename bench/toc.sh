#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# toc.sh [BUILD] - utility against protection on Adult: the score w_u UM + w_p MPM of toc and of others, for k and w_u.
#
# Roles of Loukides' thesis (Table 4.2): age, gender, race, salary, country and work class are quasi-identifiers, marital status (a category) and occupation
# (a number) are sensitive; ranges and sets, no hierarchies; 30,162 rows. Occupations are numbered so that like ones are neighbours:
#   1 Exec-managerial, 2 Prof-specialty, 3 Tech-support, 4 Adm-clerical, 5 Sales, 6 Protective-serv, 7 Armed-Forces, 8 Craft-repair,
#   9 Machine-op-inspct, 10 Transport-moving, 11 Handlers-cleaners, 12 Farming-fishing, 13 Other-service, 14 Priv-house-serv
#
#   TOC_K="5 10"  TOC_W="0 0.5 1"   the k and w_u to try (5 10 25 50 100; 0 0.25 0.5 0.75 1)
#   TOC_RQL=1     also: how far the settings found by toc are from the best of a grid (sizes and deltas), as relative loss of the score
# Exit 1 when toc's score is not the lowest somewhere, 77 when Adult is not there.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-toc.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$here/datasets.sh" "$build/shoal" "$work" adult30162
if [ ! -f "$work/adult30162/table.csv" ]; then
    echo 'there is no table: skipped'
    exit 77
fi
awk -F, -v OFS=, '
BEGIN {
    n = split("Exec-managerial Prof-specialty Tech-support Adm-clerical Sales Protective-serv Armed-Forces Craft-repair " \
              "Machine-op-inspct Transport-moving Handlers-cleaners Farming-fishing Other-service Priv-house-serv", names, " ")
    for (i = 1; i <= n; i++) number[names[i]] = i
}
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "age,gender,race,salary,country,workclass,marital,occupation"; next }
{ print $at["age"], $at["sex"], $at["race"], $at["salary-class"], $at["native-country"], $at["workclass"], $at["marital-status"], number[$at["occupation"]] }
' "$work/adult30162/table.csv" >"$work/adult.csv"

# release OPTION...: prints "um mpm groups gcp seconds"
release() {
    "$build/shoal" anonymize "$work/adult.csv" -o "$work/out.csv" --force --no-bound --json --seed 1 --threads 2 \
        --qid age,gender,race,salary,country,workclass --sensitive marital,occupation --numeric age,occupation "$@" >"$work/report"
    awk -F'[:, ]+' '
        $2 == "\"um\"" { um = $3 } $2 == "\"mpm\"" && mpm == "" { mpm = $3 } $2 == "\"groups\"" { groups = $3 } $2 == "\"gcp\"" { gcp = $3 }
        $2 == "\"search\"" { seconds = $3 }
        END { print um, mpm, groups, gcp, seconds }' "$work/report"
}
bad=0
for k in ${TOC_K:-5 10 25 50 100}; do
    mondrian=$(release -k "$k" -a mondrian)
    kmembers=$(release -k "$k" -a kmembers)
    kmembers_p=$(release -k "$k" -a kmembers-p)
    printf 'k = %s\n%-5s %-22s %9s %9s %9s %7s %9s %8s\n' "$k" w_u method score um mpm groups gcp seconds
    for w in ${TOC_W:-0 0.25 0.5 0.75 1}; do
        whole=$(release -k "$k" -a toc --param w_u="$w" --param prepartition=off)
        parts=$(release -k "$k" -a toc --param w_u="$w" --param prepartition=on)
        printf '%s\n' "toc $whole" "toc,prepartition=on $parts" "mondrian $mondrian" "kmembers $kmembers" "kmembers-p $kmembers_p" |
            awk -v w="$w" '
                { score = w * $2 + (1 - w) * $3; printf "%-5s %-22s %9.4f %9.4f %9.4f %7d %9.4f %8.2f\n", w, $1, score, $2, $3, $4, $5, $6 }
                NR == 1 { own = score }
                NR > 2 && score <= own && !(score == 0 && own == 0) { print "NOT BELOW " $1; bad = 1 }
                END { exit bad }' || bad=1
        if [ "${TOC_RQL:-0}" = 1 ]; then
            for size in "$k" $((k * 3 / 2)) $((k * 2)) $((k * 3)) $((k * 4)) $((k * 6)) $((k * 8)) $((k * 12)) $((k * 16)) $((k * 24)) $((k * 32)); do
                for delta in auto 0.01 0.02 0.03 0.05 0.07 0.1 0.15 0.2 0.3 0.5 1; do
                    release -k "$k" -a toc --param w_u="$w" --param prepartition=off --param size="$size" --param delta="$delta" 2>/dev/null || :
                done
            done | awk -v w="$w" -v own="$whole" 'NF == 5 { score = w * $1 + (1 - w) * $2; if (n++ == 0 || score < best) best = score }
                END { split(own, o, " "); own = w * o[1] + (1 - w) * o[2]; printf "      relative quality loss against the best of %d settings: %.4f\n", n, best > 0 ? (own - best) / best : 0 }'
        fi
    done
done
exit $bad
