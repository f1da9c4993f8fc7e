#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# koc.sh [BUILD] - KOC against k-means: loss with and without WID, and time, against k; time against
# the number of quasi-identifiers.
# Pramanik et al. 2016, Figs. 6 and 7: Adult, seven quasi-identifiers (age and education as
# numbers), k = 20 to 250, the levels of its Table I.
. "$(dirname "$0")/lib.sh"
use_adult
use_levels koc
if [ "$source" = adult ]; then education=education-num numbers=age,education-num; \
    else education=education numbers=age; fi
all=age,sex,$education,native-country,workclass,marital-status,race

# one SIZE K WID METHOD PARAM...
one() {
    size=$1 k=$2 wid=$3 method=$4 label=$5
    shift 5
    names=$(echo $all | cut -d, -f1-"$size")
    types=$([ "$size" -lt 3 ] && echo age || echo $numbers)
    release --qid "$names" --numeric "$types" --rest drop --hierarchies "$levels" -k "$k" \
        -a "$method" --param "wid=$wid" "$@"
    loss=$(field "$([ "$wid" = on ] && echo s1_loss_wid || echo s1_loss)")
    row "$source" "$size" "$k" "$wid" "$label" "$loss" "$(field gcp)" "$(seconds)"
}
header source,size,k,wid,method,loss,gcp,seconds
for k in 20 50 100 150 200 250; do
    for wid in off on; do
        one 7 $k $wid koc koc
        one 7 $k $wid koc koc-spread --param centres=spread
        # a quarter of the centres, so that clusters are fragmented into two
        one 7 $k $wid koc koc-split --param groups=$((rows / (4 * k)))
        one 7 $k $wid koc koc-printed --param groups=$((rows / (4 * k))) --param dispersal=centre
        one 7 $k $wid kmeans kmeans
        one 7 $k $wid kmeans kmeans-fill --param repair=fill
    done
    say "k = $k done"
done
for size in 1 2 3 4 5 6; do
    one $size 50 off koc koc
    one $size 50 off kmeans kmeans-fill --param repair=fill
done
