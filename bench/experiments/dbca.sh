#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dbca.sh [BUILD] - DBCA and DBCA:CM against Mondrian, and k-Members (which the paper wants
# compared): distortion, classification metric and time against k, and distortion with priorities.
# Sun et al. 2008, Figs. 2 to 4: Adult, 45,222 rows, eight quasi-identifiers, class salary.
# Mondrian, the paper's rival, has no priorities there; the others are given them. DBCA_K="5 10",
# DBCA_METHODS=kmembers: some of it.
. "$(dirname "$0")/lib.sh"
use_adult
use_levels dbca
# Priorities fall evenly from the first quasi-identifier to the last: 1, 6/7, ... 0.
falling=1,0.857142857,0.714285714,0.571428571,0.428571429,0.285714286,0.142857143,0
header source,k,priorities,method,distortion,cm,gcp,seconds
for k in ${DBCA_K:-5 10 25 50 100 200}; do
    for method in ${DBCA_METHODS:-mondrian dbca dbca-cm kaca kmembers shoal}; do
        release --qid $quasi --categorical age --class salary-class --rest drop \
            --hierarchies "$levels" -k $k -a $method
        distortion=$(python3 "$here/distortion.py" "$table" "$work/out.csv" "$levels" $quasi)
        row "$source" $k equal $method "${distortion% *}" "$(field cm)" "$(field gcp)" "$(seconds)"
        case $method in dbca*|kaca|kmembers|shoal) release --qid $quasi --categorical age \
            --class salary-class --rest drop --hierarchies "$levels" -k $k -a $method \
            --priority $quasi ;; esac
        distortion=$(python3 "$here/distortion.py" "$table" "$work/out.csv" "$levels" $quasi \
            uniform $falling)
        row "$source" $k falling $method "${distortion% *}" "$(field cm)" "$(field gcp)" \
            "$(seconds)"
    done
    say "k = $k done"
done
