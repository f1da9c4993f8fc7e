#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# toc.sh [BUILD] - utility against protection on Adult: the score w_u UM + w_p MPM of toc and of
# others, for k and w_u.
#
# The table is that of toc_table.sh.
#
#   TOC_K="5 10"  TOC_W="0 0.5 1"   the k and w_u to try (5 10 25 50 100; 0 0.25 0.5 0.75 1)
# Exit 1 when toc's score is not the lowest somewhere, 77 when Adult is not there.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-toc.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$here/toc_table.sh" "$build" "$work" || exit $?

# release OPTION...: prints "um mpm groups gcp seconds"
release() {
    "$build/shoal" anonymize "$work/adult.csv" -o "$work/out.csv" --force --no-bound --json \
        --seed 1 --threads 2 \
        --qid age,gender,race,salary,country,workclass --sensitive marital,occupation \
        --numeric age,occupation "$@" >"$work/report"
    awk -F'[:, ]+' '
        $2 == "\"um\"" { um = $3 } $2 == "\"mpm\"" && mpm == "" { mpm = $3 } $2 == "\"groups\"" {
            groups = $3 } $2 == "\"gcp\"" { gcp = $3 }
        $2 == "\"search\"" { seconds = $3 }
        END { print um, mpm, groups, gcp, seconds }' "$work/report"
}
bad=0
for k in ${TOC_K:-5 10 25 50 100}; do
    mondrian=$(release -k "$k" -a mondrian)
    kmembers=$(release -k "$k" -a kmembers)
    kmembers_p=$(release -k "$k" -a kmembers-p)
    printf 'k = %s\n%-5s %-22s %9s %9s %9s %7s %9s %8s\n' "$k" w_u method score um mpm groups gcp \
        seconds
    for w in ${TOC_W:-0 0.25 0.5 0.75 1}; do
        whole=$(release -k "$k" -a toc --param growth=linkage --param guard=none --param w_u="$w" \
            --param prepartition=off)
        parts=$(release -k "$k" -a toc --param growth=linkage --param guard=none --param w_u="$w" \
            --param prepartition=on)
        printf '%s\n' "toc $whole" "toc,prepartition=on $parts" "mondrian $mondrian" \
            "kmembers $kmembers" "kmembers-p $kmembers_p" |
            awk -v w="$w" '
                { score = w * $2 + (1 - w) * $3
                  printf "%-5s %-22s %9.4f %9.4f %9.4f %7d %9.4f %8.2f\n", \
                      w, $1, score, $2, $3, $4, $5, $6 }
                NR == 1 { own = score }
                NR > 2 && score <= own && !(score == 0 && own == 0) { print "NOT BELOW " $1;
                    bad = 1 }
                END { exit bad }' || bad=1
    done
done
exit $bad
