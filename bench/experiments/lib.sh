# SPDX-License-Identifier: Apache-2.0
# lib.sh - what the experiments share: sourced by scripts that are called as NAME.sh [BUILD].
#
# Results are rows of CSV in $EXPERIMENTS_OUT (bench/out/experiments by default), one file an
# experiment: $csv.
# The Adult table is taken where $SHOAL_DATA, or ../shared/data beside the repository, has
# adult/adult-complete.csv; otherwise as many generated persons are used instead, which have the
# same columns. $source says which.
set -eu
LC_ALL=C
export LC_ALL
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
experiment=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
shoal=$build/shoal
out=${EXPERIMENTS_OUT:-$root/bench/out/experiments}
mkdir -p "$out"
out=$(cd "$out" && pwd)
csv=$out/$experiment.csv
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-$experiment.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
threads=${EXPERIMENTS_THREADS:-2}
# of the papers, for Adult
quasi=age,workclass,education,marital-status,occupation,race,sex,native-country

find_adult() {
    for place in "${SHOAL_DATA:-}" "$root/../shared/data"; do
        if [ -n "$place" ] && [ -f "$place/adult/adult-complete.csv" ]; then
            (cd "$place/adult" && pwd)
            return
        fi
    done
}

# use_adult [ROWS]: Adult (its first ROWS rows), or persons: $table, $trees, $source
use_adult() {
    rows=${1:-45222}
    adult=$(find_adult)
    table=$work/adult.csv
    if [ -n "$adult" ]; then
        source=adult
        trees=$adult/hierarchies-deep
        head -n $((rows + 1)) "$adult/adult-complete.csv" >"$table"
    else
        source=census
        trees=$work/trees
        echo "$experiment: Adult is not here (SHOAL_DATA), generated persons instead" >&2
        "$shoal" generate census --rows "$rows" --seed 1 -o "$table" --hierarchies-out "$trees" \
            --force
    fi
}

# use_levels DOCUMENT: the hierarchies of a document (hierarchies/DOCUMENT.txt) in $levels.
# Generated persons keep theirs where columns are to be taken from Adult's.
use_levels() {
    levels=$work/levels-$1
    mkdir -p "$levels"
    while read -r column how what; do
        file=$levels/$column.csv
        case $column:$how in
        '#'*) ;;
        *:build) "$shoal" hierarchy build "$table" --column "$column" --spec "$what" -o "$file" \
            -q 2>/dev/null || [ "$source" != adult ] ;;
        *:levels)
            if [ ! -f "$trees/$column.csv" ]; then
                awk -F, -v name="$column" 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == name)
                    at = c; next } at && !($at in seen) { seen[$at]; print $at ";*" }' \
                    "$table" >"$file"
                [ -s "$file" ] || rm "$file"
            elif [ "$source" = adult ]; then
                cut -d';' -f"$what" "$trees/$column.csv" >"$file"
            else
                cp "$trees/$column.csv" "$file"
            fi ;;
        esac
    done <"$here/hierarchies/$1.txt"
}

# use_census ROWS: generated persons: $table, $trees, $source
use_census() {
    rows=$1 source=census table=$work/census-$1.csv trees=$work/trees
    [ -f "$table" ] || "$shoal" generate census --rows "$rows" --seed 1 -o "$table" \
        --hierarchies-out "$trees" --force
}

# release OPTION...: publish $table in $work/out.csv, the report in $work/report. Not 0 where there
# is no such release.
release() {
    "$shoal" anonymize "$table" -o "$work/out.csv" --force --no-bound --json --seed 1 \
        --threads "$threads" "$@" >"$work/report"
}

# field NAME [FILE]: a number of a JSON report, the first of that name; - where there is none
field() {
    awk -F'[:, ]+' -v name="\"$1\"" '$2 == name { print ($3 == "null" ? "-" : $3); found = 1;
        exit } END { if (!found) print "-" }' "${2:-$work/report}"
}

# seconds: of processor time for forming the groups, both threads added up: other work on the
# machine counts little
seconds() { field processor; }

# quickest N OPTION...: the same release N times, the least seconds in $least
quickest() {
    times=$1 least=
    shift
    while [ "$times" -gt 0 ]; do
        release "$@" || return 1
        least=$(echo "$(seconds) ${least:-1e9}" | awk '{ print $1 < $2 ? $1 : $2 }')
        times=$((times - 1))
    done
}

header() { printf '%s\n' "$1" >"$csv"; }
row() { (IFS=,; printf '%s\n' "$*") >>"$csv"; }
say() { printf '%s: %s\n' "$experiment" "$*" >&2; }
