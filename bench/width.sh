#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# width.sh [BUILD] - what many quasi-identifiers cost: hospital and census tables with 10 to 40 of
# them, k = 10, CSV to CSV.
#
# The tables are diabetes130 and nist-acs of the benchmark data ($SHOAL_DATA, then ../shared/data;
# without them nothing is measured), all columns but record numbers, in the order of the file. The
# default, Mondrian and k-Members take turns, once each. Then the same tables (30 columns of
# diabetes130) by sets and by learnt hierarchies: sets must cost no more time (a tenth is noise).
# Beside them invented persons, a narrow table, by both.
#
#   WIDTHS="10 18 30 40"   of diabetes130
#   WIDTH_LIMIT=300        seconds after which a method is given up
#
# Prints a table and which goals hold; the same in bench/out/width.md, the figures in
# bench/out/width.csv. Nothing is asserted.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
data=${SHOAL_DATA:-$here/../../shared/data}
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-width.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
limit=${WIDTH_LIMIT:-300}
mkdir -p "$here/out"
csv=$here/out/width.csv report=$here/out/width.md
echo 'table,qids,method,seconds,processor,gcp,gap' >"$csv"

field() { awk -F'[:, ]+' -v name="\"$1\"" '$2 == name { print $3; exit }' "$work/report"; }

# TABLE QIDS METHOD INPUT COLUMNS OPTION...: one release; a failure is put down and does not end the
# run
release() {
    table=$1 qids=$2 method=$3 input=$4 columns=$5
    shift 5
    rm -f "$work/out.csv"
    if timeout "$limit" "$build/shoal" anonymize "$input" -o "$work/out.csv" --qid "$columns" \
        --rest drop -k 10 --algorithm "$method" --json --quiet "$@" \
        >"$work/report" 2>"$work/errors"; then
        echo "$table,$qids,$method,$(field total),$(field processor),$(field gcp),$(field gap)" \
            >>"$csv"
    else
        echo "$table,$qids,$method,,,," >>"$csv"
        echo "width: $table, $qids quasi-identifiers, $method: no release: $(head \
            -c 300 "$work/errors")" >&2
    fi
}

columns_of() { head -n 1 | tr ',' '\n' | grep -v -E \
    '^(encounter_id|patient_nbr|PUMA|WGTP|PWGTP)$' | head -n "$1" | paste -s -d,; }

if [ -f "$data/diabetes130/diabetic_data.csv.zst" ]; then
    zstd -dcq "$data/diabetes130/diabetic_data.csv.zst" >"$work/diabetes130.csv"
    for width in ${WIDTHS:-10 18 30 40}; do
        columns=$(columns_of "$width" <"$work/diabetes130.csv")
        echo "width: diabetes130, $width quasi-identifiers" >&2
        for method in shoal mondrian kmembers; do release diabetes130 "$width" "$method" \
            "$work/diabetes130.csv" "$columns"; done
    done
    columns=$(columns_of 99 <"$data/nist-acs/national2019.csv")
    n=$(echo "$columns" | tr ',' '\n' | wc -l)
    echo "width: nist-acs, $n quasi-identifiers" >&2
    for method in shoal mondrian kmembers; do release nist-acs "$n" "$method" \
        "$data/nist-acs/national2019.csv" "$columns"; done
else
    echo "width: no diabetes130 in $data: set SHOAL_DATA" >&2
fi
for it in diabetes130:30 nist-acs:99; do
    name=${it%:*} width=${it#*:}
    input=$work/$name.csv
    [ "$name" != nist-acs ] || input=$data/nist-acs/national2019.csv
    [ -f "$input" ] || continue
    columns=$(columns_of "$width" <"$input")
    n=$(echo "$columns" | tr ',' '\n' | wc -l)
    nodes=$("$here/learnt_options.py" "$input" "$columns")
    echo "width: $name, $n quasi-identifiers, by hierarchies and by sets" >&2
    # shellcheck disable=SC2086
    release "$name-nodes" "$n" shoal "$input" "$columns" --no-bound $nodes
    release "$name-sets" "$n" shoal "$input" "$columns" --no-bound \
        --categorical "$(echo "$nodes" | sed 's/--hierarchy \([^=]*\)=build:learn */\1,/g; s/,$//')"
done
"$build/shoal" generate census --rows 100000 --seed 1 -o "$work/census.csv" \
    --hierarchies-out "$work/hierarchies"
columns=sex,age,race,marital-status,education,native-country,workclass,occupation
release census-nodes 8 shoal "$work/census.csv" $columns --hierarchies "$work/hierarchies" \
    --no-bound
release census-sets 8 shoal "$work/census.csv" $columns --no-bound

awk -F, -v cores="$(getconf _NPROCESSORS_ONLN)" -v load="$(cut -d' ' -f1-3 /proc/loadavg)" '
function holds(is, text) { printf "- %s: %s\n", is ? "holds" : "MISSED", text }
NR == 1 { next }
{ at = $1 SUBSEP $2; if (!(at in seen)) { seen[at] = 1; order[++n] = at } seconds[at, $3] = $4;
    gcp[at, $3] = $6; lines[NR] = $0; last = NR }
END {
    print "| table | quasi-identifiers | method | seconds | processor seconds of forming groups | gcp | gap |"
    print "|---|--:|---|--:|--:|--:|--:|"
    for (i = 2; i <= last; i++) {
        split(lines[i], f, ",")
        if (f[4] == "") printf "| %s | %s | %s | none in time | | | |\n", f[1], f[2], f[3]
        else printf "| %s | %s | %s | %.1f | %.1f | %.4f | %s |\n", f[1], f[2], f[3], f[4], f[5],
            f[6], f[7] == "null" ? "" : sprintf("%.2f", f[7])
    }
    printf "\nGoals (%d cores, load at the end %s):\n\n", cores, load
    for (i = 1; i <= n; i++) {
        split(order[i], key, SUBSEP)
        own = seconds[order[i], "shoal"]; mine = gcp[order[i], "shoal"]
        if (!((order[i], "mondrian") in seconds)) continue
        what = key[1] ", " key[2] " quasi-identifiers"
        if (key[1] == "diabetes130" && key[2] == 30) holds(own != "" &&
            own <= 30, sprintf("%s in at most 30 s: %.1f s", what, own))
        other = seconds[order[i], "mondrian"]
        holds(own != "" && own - 10 <= 10 * other, sprintf("%s: beyond the first 10 s at most 10 times mondrian: %.1f s, mondrian %.1f s", what, own, other))
        holds(mine != "" && mine <= gcp[order[i], "mondrian"],
            sprintf("%s: loses no more than mondrian: %.4f, %.4f", what, mine, gcp[order[i],
                "mondrian"]))
        if (gcp[order[i], "kmembers"] != "") holds(mine <= gcp[order[i], "kmembers"],
            sprintf("%s: loses no more than k-Members: %.4f, %.4f", what, mine, gcp[order[i],
                "kmembers"]))
        else print "- k-Members gave no release of " what " in time: nothing to compare"
    }
    for (i = 1; i <= n; i++) {
        split(order[i], key, SUBSEP)
        if (key[1] !~ /-sets$/) continue
        what = substr(key[1], 1, length(key[1]) - 5)
        nodes = seconds[what "-nodes", key[2], "shoal"]; sets = seconds[order[i], "shoal"]
        if (nodes == "" || sets == "") continue
        seen_times = sprintf("%s, %s quasi-identifiers: %.1f s and %.1f s", what, key[2], sets,
            nodes)
        if (key[2] > 16) holds(sets <= 1.1 * nodes,
            "sets cost no more than hierarchies, " seen_times)
        else print "- beside them a narrow table by sets and by hierarchies, " seen_times
    }
}' "$csv" >"$report"
cat "$report"
echo "the same as bench/out/width.md; the figures in bench/out/width.csv"
