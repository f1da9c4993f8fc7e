#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# toc.sh [BUILD] - utility against protection: UM, MPM, DM and time of MRG (the TOC method),
# Mondrian, K-Members and K-Members-p.
# Loukides 2008, sections 4.3 to 4.5.1 (Figs. 4.1 to 4.11). mrg-printed is Algorithms 1 to 5 as
# printed (growth=literal prepartition=printed), mrg the same with the cuts of Algorithm 2 repaired
# (prepartition=on), mrg-whole without parts; toc is our growth=linkage of that method, without its
# guard. TOC_METHODS=mrg: some of them.
. "$(dirname "$0")/lib.sh"
. "$here/trade.sh"
all=${TOC_METHODS:-mondrian kmembers kmembers-p mrg-printed mrg mrg-whole toc}
header source,part,x,k,w_u,method,um,mpm,dm,gcp,groups,seconds

# one PART X METHOD K W_U OPTION...: a release measured, or dashes where there is none
one() {
    part=$1 x=$2 as=$3 k=$4 w=$5
    shift 5
    if thesis_release "$as" "$k" "$w" "$@" 2>"$work/why"; then
        row "$source" "$part" "$x" "$k" "$w" "$as$suffix" "$(field um)" "$(field mpm)" \
            "$(field dm)" "$(field gcp)" "$(field groups)" "$(seconds)"
    else
        row "$source" "$part" "$x" "$k" "$w" "$as$suffix" - - - - - -
        say "$part $x $as: $(head -n 1 "$work/why")"
    fi
}
suffix=
use_thesis
for k in 5 10 25 50 100; do
    for method in $all; do one trade-off $k $method $k 0.5; done
    say "k = $k done"
done
for w in 0 0.25 0.5 0.75 1; do
    for method in mrg-printed mrg mrg-whole; do one weights $w $method 10 $w; done
done
for s in 50 100 500 2000 8000; do
    for method in mrg-printed mrg; do one parts $s $method 10 0.5 --param s=$s; done
done
one parts 30162 mrg-whole 10 0.5
say 'weights and parts done'

# Definition 3.1.1 for a category without hierarchy counts distinct values; the paragraph after it
# assumes a flat hierarchy, value and `*`. Above it is the definition; here the other reading, by a
# flat level file for each category.
use_flat
for k in 5 10 25 50 100; do
    for method in $all; do one flat $k $method $k 0.5; done
done
say 'flat hierarchies done'
use_sets

whole=$table
for n in 500 1000 2500 5000 10000; do
    table=$work/sample.csv
    awk -v n=$n 'NR == 1 || int((NR - 1) * n / 30162) > int((NR - 2) * n / 30162)' "$whole" \
        >"$table"
    for method in mondrian kmembers mrg-printed mrg mrg-whole; do one runtime $n $method 5 0.5; done
    suffix=' by scan'
    one runtime $n kmembers 5 0.5 --param search=scan
    suffix=
done
say 'runtime done'

source=normal
use_normal 20000 2.5
for w in 0 0.25 0.5 0.75 1; do
    for method in mrg-printed mrg; do one weights $w $method 10 $w; done
done
