#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rql.sh [BUILD] - how far the settings that MRG finds on a sample are from the best ones: relative
# quality loss.
# Loukides 2008, section 4.2 (Tables 4.3 to 4.7): normally distributed integers, six
# quasi-identifiers, two sensitive columns; 20,000 rows here (the thesis has 100,000; RQL_ROWS=N).
# The best are those of sixteen deltas tried on the whole table. Not stated: sample 2 %, sigma 2.5,
# k = 5, three iterations. s, the rows of a part (Table 4.7): found on the sample against the best
# of k, 2k, 4k, ... on the whole table. Two readings of MRG, see trade.sh; RQL_READINGS=mrg: one.
# RQL_PARTS="s": some of it (sample sigma k iterations s).
. "$(dirname "$0")/lib.sh"
. "$here/trade.sh"
source=normal
rows=${RQL_ROWS:-20000}
header source,reading,vary,x,um,mpm,score,best,rql

score() { echo "$(field um) $(field mpm)" | awk '{ printf "%.6f\n", $1 + $2 }'; }

# best SIGMA K: the least score of sixteen deltas, found once
best() {
    file=$work/best-$reading-$1-$2
    if [ ! -f "$file" ]; then
        for i in 1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31; do
            delta=$(echo $i | awk '{ print $1 / 32 }')
            thesis_release "$reading" "$2" 0.5 --param "delta=$delta" 2>/dev/null && score
        done | sort -g | head -n 1 >"$file"
    fi
    cat "$file"
}

# one VARY X SIGMA K SAMPLE ITERATIONS
one() {
    use_normal "$rows" "$3"
    least=$(best "$3" "$4")
    if thesis_release "$reading" "$4" 0.5 --param "sample=$5" --param "iterations=$6" \
        2>/dev/null; then
        found=$(score)
        row "$source" "$reading" "$1" "$2" "$(field um)" "$(field mpm)" "$found" "$least" \
            "$(echo "$found $least" | awk '{ d = ($1 - $2) / $2; printf "%.4f\n", d }')"
    else
        row "$source" "$reading" "$1" "$2" - - - "$least" -
    fi
}
# one_s K: s found on the sample against the best s
one_s() {
    use_normal "$rows" 2.5
    size=$1
    while [ "$size" -le "$rows" ]; do
        thesis_release "$reading" "$1" 0.5 --param "sample=$two" --param "s=$size" \
            2>/dev/null && score
        size=$((size * 2))
    done | sort -g | head -n 1 >"$work/best-s"
    read -r least <"$work/best-s" || least=-
    if ! thesis_release "$reading" "$1" 0.5 --param "sample=$two" 2>/dev/null; then
        row "$source" "$reading" s "$1" - - - "$least" -
        return
    fi
    found=$(score)
    row "$source" "$reading" s "$1" "$(field um)" "$(field mpm)" "$found" "$least" \
        "$(echo "$found $least" | awk '{ d = ($1 - $2) / $2; printf "%.4f\n", d }')"
}
two=$((rows / 50)) # per cent
try_part() {
    case $1 in
    sample)
        for sample in "$(echo "$rows" | awk '{ printf "%d\n", sqrt($1) }')" $((rows / 100)) $two \
            $((rows / 20)) $((rows / 10)); do one sample "$sample" 2.5 5 "$sample" 3; done ;;
    sigma) for sigma in 0.5 1 2.5 5; do one sigma $sigma $sigma 5 $two 3; done ;;
    k) for k in 2 5 10 50 100; do one k $k 2.5 $k $two 3; done ;;
    iterations) for iterations in 2 3 4 5 6; do one iterations $iterations 2.5 5 $two \
        $iterations; done ;;
    s) for k in 2 5 10 50 100; do one_s $k; done ;;
    esac
    say "$reading: $1 done"
}
for reading in ${RQL_READINGS:-mrg-printed mrg}; do
    for part in ${RQL_PARTS:-sample sigma k iterations s}; do try_part $part; done
done
