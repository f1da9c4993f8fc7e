#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kaca.sh [BUILD] - KACA against Incognito: distortion ratio and time for 1 to 9 quasi-identifiers,
# k = 2 and 10, uniform and height weights.
# Li et al. 2006, Fig. 2: Adult, 45,222 rows, hierarchies of 4, 3, 4, 3, 2, 2, 1, 3 and 1 steps.
. "$(dirname "$0")/lib.sh"
use_adult
use_levels kaca

all=$quasi,salary-class
header source,k,size,weights,method,distortion_ratio,gcp,groups,seconds
for k in 2 10; do
    for size in 1 2 3 4 5 6 7 8 9; do
        names=$(echo "$all" | cut -d, -f1-$size)
        for weights in uniform height; do
            for method in kaca incognito; do
                param=
                [ $method = kaca ] && param="--param weights=$weights"
                # shellcheck disable=SC2086 # none or two words
                release --qid "$names" --categorical age --rest drop --hierarchies "$levels" \
                    -k $k -a $method $param
                measured=$(python3 "$here/distortion.py" "$table" "$work/out.csv" "$levels" \
                    "$names" $weights | cut -d' ' -f2)
                row "$source" $k $size $weights $method "$measured" "$(field gcp)" \
                    "$(field groups)" "$(seconds)"
                # two programs, one figure
                [ $weights = height ] || echo "$measured $(field distortion_ratio)" |
                    awk '{ d = $1 - $2; exit d * d > 1e-10 }' ||
                        { say "distortion.py finds $measured, the report $(field \
                            distortion_ratio)"; exit 1; }
            done
        done
    done
    say "k = $k done"
done
