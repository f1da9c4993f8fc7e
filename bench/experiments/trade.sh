# SPDX-License-Identifier: Apache-2.0
# trade.sh - sourced after lib.sh: the tables and methods of Loukides' thesis, chapter 4.
#
# Adult, 30,162 rows: age, gender, race, salary, country and work class are quasi-identifiers,
# marital status (a category) and occupation (a number; like ones are neighbours, bench/toc_table.sh
# has the list) are sensitive; ranges and sets, no hierarchies.

# use_thesis: $table, $roles, $source
use_thesis() {
    use_adult 30162
    awk -F, -v OFS=, -f "$here/../thesis_table.awk" "$table" >"$work/thesis.csv"
    table=$work/thesis.csv
    thesis_qid=age,gender,race,salary,country,workclass
    roles="--qid $thesis_qid --sensitive marital,occupation --numeric age,occupation"
}

# use_flat: categories have the hierarchy {value, *}; use_sets: none again
use_flat() {
    mkdir -p "$work/flat"
    for name in gender race salary country workclass marital; do
        awk -F, -v name=$name 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == name) at = c;
            next } !($at in seen) { seen[$at]; print $at ";*" }' "$table" >"$work/flat/$name.csv"
    done
    sets_roles=$roles
    roles="$roles --hierarchies $work/flat"
}
use_sets() { roles=$sets_roles; }

# use_normal ROWS SIGMA: six quasi-identifiers, two sensitive columns, normally distributed integers
# 0..19
use_normal() {
    table=$work/normal-$1-$2.csv
    [ -f "$table" ] || "$shoal" generate normal --rows "$1" --columns 8 --sigma "$2" --seed 1 \
        -o "$table"
    roles="--qid $(head -n 1 "$table" | cut -d, -f1-6) --sensitive $(head -n 1 "$table" |
        cut -d, -f7-8)"
}

# thesis_release METHOD K W_U OPTION...: a method by its name in the experiments
thesis_release() {
    name=$1 k=$2 w=$3
    shift 3
    case $name in
    mrg) set -- -a toc --param growth=literal --param prepartition=on --param "w_u=$w" "$@" ;;
    mrg-printed) set -- -a toc --param growth=literal --param prepartition=printed \
        --param "w_u=$w" "$@" ;;
    mrg-whole) set -- -a toc --param growth=literal --param prepartition=off \
        --param "w_u=$w" "$@" ;;
    toc) set -- -a toc --param growth=linkage --param guard=none --param "w_u=$w" "$@" ;;
    toc-whole) set -- -a toc --param growth=linkage --param guard=none --param prepartition=off \
        --param "w_u=$w" "$@" ;;
    shoal) set -- -a shoal --param "w_u=$w" "$@" ;;
    *) set -- -a "$name" "$@" ;;
    esac
    # shellcheck disable=SC2086 # roles are words
    release $roles -k "$k" "$@"
}
