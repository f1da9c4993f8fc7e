#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# upc.sh [BUILD] - utility and protection guaranteed: UPC against TOC, Incognito with
# (2,2)-diversity or t-closeness, the personalised method.
# Loukides 2008, chapter 6 (Figs. 6.4 to 6.37, Tables 6.3 to 6.5). U = 0.7, P = 0.5. The thesis'
# census of 100,000 persons is not public; generated ones with the same columns are used instead:
# age, sex, education, marital status and occupation are quasi-identifiers, income is sensitive, a
# category whose sensitive range is the ancestor two levels above. Its synthetic table: 50,000 rows
# of normally distributed integers 0..19, standard deviation UPC_SIGMA (5 by default).
. "$(dirname "$0")/lib.sh"
header "source,part,x,k,method,groups,suppressed,um,gcp,wgu,wgp,are_range,median_range,"\
"are_value,median_value,greatest_value,seconds,are_both,median_both"

# measure: of the published text beside its original
measure() {
    # shellcheck disable=SC2086 # words
    "$shoal" measure "$table" "$work/out.csv" $roles --json >"$work/measures"
}

# ask WORKLOAD: 10,000 queries on the release
ask() {
    # shellcheck disable=SC2086
    "$shoal" evaluate queries "$table" "$work/out.csv" $asked --workload "census-$1" \
        --dimensions 1 --seed 1 --threads "$threads" --json >"$work/$1" 2>/dev/null || : >"$work/$1"
}
# draw_both: 10,000 queries of one quasi-identifier, drawn at random, and both sensitive columns
# (Fig. 6.23), in $both: four of the twenty values of the one, a value of each of the others. Those
# of a row that is drawn, so that no query counts nothing.
draw_both() {
    both=$work/both-queries.csv
    awk -F, -v OFS=, 'function below(n) { state = (state * 1103515245 + 12345) % 2147483648;
        return int(state / 2147483648 * n) }
        BEGIN { state = 1 }
        NR == 1 { header = $0; next }
        { line[NR - 2] = $0 }
        END {
            print header
            for (i = 0; i < 10000; i++) {
                split(line[below(NR - 1)], cell, ",")
                at = 1 + below(5)
                low = cell[at] - below(4)
                if (low < 0) low = 0
                if (low > 16) low = 16
                row = ""
                four = "{" low "|" low + 1 "|" low + 2 "|" low + 3 "}"
                for (c = 1; c <= 7; c++)
                    row = row (c > 1 ? "," : "") (c > 5 ? cell[c] : c == at ? four : "")
                print row
            }
        }' "$table" >"$both"
}

# ask_both: these queries, where they were drawn
ask_both() {
    : >"$work/both"
    [ -n "${both:-}" ] || return 0
    # shellcheck disable=SC2086
    "$shoal" evaluate queries "$table" "$work/out.csv" $asked --workload-file "$both" \
        --threads "$threads" --json >"$work/both" 2>"$work/why" || : >"$work/both"
}
greatest() { awk -F'[ ,]+' '/"curve"/ { inside = 1; next } inside && /\]/ { exit } inside {
    last = $2 } END { print last == "" ? "-" : last }' "$work/value"; }

# one PART X K METHOD ASKS OPTION...
one() {
    part=$1 x=$2 k=$3 method=$4 asks=$5
    shift 5
    : >"$work/range"
    : >"$work/value"
    : >"$work/both"
    # shellcheck disable=SC2086
    if ! release $roles --rest drop -k "$k" "$@" 2>"$work/why"; then
        row "$source" "$part" "$x" "$k" "$method" - - - - - - - - - - - - - -
        say "$part $x $method: $(head -n 1 "$work/why")"
        return
    fi
    measure
    if [ "$asks" = yes ]; then
        ask range
        ask value
        ask_both
    fi
    row "$source" "$part" "$x" "$k" "$method" "$(field groups)" "$(field suppressed_rows)" \
        "$(field um "$work/measures")" "$(field gcp "$work/measures")" \
        "$(field wgu "$work/measures")" "$(field wgp "$work/measures")" \
        "$(field are "$work/range")" "$(field median "$work/range")" \
        "$(field are "$work/value")" "$(field median "$work/value")" "$(greatest)" "$(seconds)" \
        "$(field are "$work/both")" "$(field median "$work/both")"
}
upc() { # PART X K ASKS OPTION...: both readings of Algorithm 2, repaired and as printed
    part=$1 x=$2 k=$3 asks=$4
    shift 4
    one "$part" "$x" "$k" upc "$asks" -a upc "$@"
    one "$part" "$x" "$k" upc-printed "$asks" -a upc --param prepartition=printed "$@"
}

# census_roles NAMES
census_roles() {
    asked="--qid $1 --numeric age --sensitive income --categorical income --hierarchies $trees"
    roles="$asked --sensitive-range income=level:2"
}
five=age,sex,education,marital-status,occupation
use_census 100000
census_roles $five

# 6.2: trade-off against guarantees; delta is given, rows without a cluster are suppressed
for k in 2 5; do
    upc guarantee upc $k no --param U=0.7 --param P=0.5
    for delta in 0.1 0.2 0.3 0.4 0.5 0.6 0.7; do
        one guarantee $delta $k mrg no -a toc --param growth=literal --param delta=$delta \
            --param leftovers=suppress --param w_u=0.5
    done
done
say 'trade-off against guarantees done'

# 6.3: against methods with a limit on protection alone
for k in 2 5 10 25 50; do
    upc census $k $k yes --param U=0.7 --param P=0.5
    one census $k $k 'incognito l' yes -a incognito --l-diversity income=recursive:2,2
    one census $k $k 'incognito t' yes -a incognito --t-closeness income=hierarchical:0.9
    one census $k $k personalised yes -a personalised --param breach=0.5 --param guard=level:1
    say "k = $k done"
done

# 6.6: growth with rows and with quasi-identifiers
for n in 10000 50000 100000 250000 500000; do
    use_census $n
    census_roles $five
    upc rows $n 5 no --param U=0.7 --param P=0.5
    one rows $n 5 'incognito l' no -a incognito --l-diversity income=recursive:2,2
    one rows $n 5 'incognito t' no -a incognito --t-closeness income=hierarchical:0.9
    one rows $n 5 personalised no -a personalised --param breach=0.5 --param guard=level:1
    one rows $n 5 mondrian no -a mondrian
    [ $n = 100000 ] || rm "$table"
done
say 'rows done'
use_census 100000
for size in 2 3 4 5 6 7; do
    census_roles "$(echo $five,race,workclass | cut -d, -f1-$size)"
    upc columns $size 5 no --param U=0.7 --param P=0.5
    one columns $size 5 'incognito l' no -a incognito --l-diversity income=recursive:2,2
    one columns $size 5 'incognito t' no -a incognito --t-closeness income=hierarchical:0.9
    one columns $size 5 personalised no -a personalised --param breach=0.5 --param guard=level:1
    one columns $size 5 mondrian no -a mondrian
done
say 'quasi-identifiers done'

# 6.4: the synthetic table, two sensitive columns; U is what K-Members reaches, P = 0.7
source=normal
table=$work/normal.csv
"$shoal" generate normal --rows 50000 --columns 7 --sigma "${UPC_SIGMA:-5}" --seed 1 -o "$table"
names=$(head -n 1 "$table")
levels=$work/levels
mkdir "$levels"
awk 'BEGIN { n = split("0-4 4 0-9,5-9 9 0-9,10-12 12 10-15,13-15 15 10-15,16-17 17 16-19,18-19 19 16-19", part, ",")
             for (v = 0; v < 20; v++) for (i = 1; i <= n; i++) { split(part[i], p, " ");
                 if (v <= p[2]) { print v ";" p[1] ";" p[3] ";*"; break } } }' >"$levels/one"
for name in $(echo "$names" | tr , ' '); do cp "$levels/one" "$levels/$name.csv"; done
qids=$(echo "$names" | cut -d, -f1-5) sa=$(echo "$names" | cut -d, -f6) \
    sb=$(echo "$names" | cut -d, -f7)
asked="--qid $qids --sensitive $sa,$sb --categorical $sa,$sb --hierarchies $levels"
roles="$asked --sensitive-range $sa=level:2 --sensitive-range $sb=level:2"
draw_both
for k in ${UPC_NORMAL_K:-2 5 10 25 50}; do
    one normal $k $k kmembers yes -a kmembers
    limit=$(field wgu "$work/measures")
    one normal $k $k kmembers-p yes -a kmembers-p --param objective=range-diversity
    one normal $k $k 'incognito t' yes -a incognito --t-closeness "$sa=hierarchical:0.8" \
        --t-closeness "$sb=hierarchical:0.8"
    upc normal $k $k yes --param "U=$limit" --param P=0.7
done
both=
say 'synthetic table done'

# 6.5: policies P1 to P5, U = P = 0.5, one sensitive column; then the limits, k = 25
asked="--qid $qids --sensitive $sa --numeric $sa --hierarchies $levels"
for policy in 'value' 'map:10..15' 'map:10..15|16..17' 'map:0..9|16..19' \
    'map:0..9|10..15|16..19'; do
    number=$((${number:-0} + 1))
    roles="$asked --sensitive-range $sa=$policy"
    for k in 2 5 10 25 50; do one policies P$number $k upc yes -a upc --param U=0.5 \
        --param P=0.5; done
done
say 'policies done'
roles="$asked --sensitive-range $sa=map:0..9|10..15|16..19"
for p in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1; do upc limit-P $p 25 no --param U=0.3 \
    --param P=$p; done
for u in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1; do upc limit-U $u 25 no --param U=$u \
    --param P=0.5; done
