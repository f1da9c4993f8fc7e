#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# queries.sh [BUILD] - how well COUNT queries are answered: type-1 (age, gender, income) and type-2
# (race and work class besides).
# Loukides 2008, section 4.5.2 (Figs. 4.12 and 4.13): Adult, 30,162 rows, 10,000 queries. mrg-b,
# mrg-u and mrg-p weigh utility 0.5, 1 and 0; mrg-printed-b, -u and -p with Algorithm 2 as printed.
. "$(dirname "$0")/lib.sh"
. "$here/trade.sh"
use_thesis
header source,type,k,method,are,median,gcp
for k in 5 10 15 25 50 100; do
    for method in ${QUERIES_METHODS:-mondrian kmembers kmembers-p mrg-printed-b mrg-printed-u \
        mrg-printed-p mrg-b mrg-u mrg-p mrg-whole-b shoal}; do
        base=$method w=1
        case $method in
        *-b) base=${method%-b} w=0.5 ;;
        *-u) base=${method%-u} ;;
        mrg*-p) base=${method%-p} w=0 ;;
        esac
        if ! thesis_release "$base" $k $w 2>/dev/null; then
            say "k = $k: $method has no release"
            continue
        fi
        gcp=$(field gcp)
        for type in 1 2; do
            "$shoal" evaluate queries "$table" "$work/out.csv" --qid $thesis_qid --numeric age \
                --workload type-$type --seed 1 --threads "$threads" --json >"$work/queries"
            row "$source" $type $k $method "$(field are "$work/queries")" \
                "$(field median "$work/queries")" "$gcp"
        done
    done
    say "k = $k done"
done
