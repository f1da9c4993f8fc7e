#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# datasets.sh SHOAL FOLDER NAME... - lay out the tables of the benchmarks: FOLDER/NAME/table.csv and
# hierarchies/.
#
#   census-N       N invented persons, seed 1
#   adult30162     the first 30,162 rows of adult/adult-complete.csv (the complete rows of the
#                  training part of UCI Adult) with adult/hierarchies. Looked for in $SHOAL_DATA,
#                  then in ../shared/data beside the repository; left out with a message when it is
#                  in neither.
set -eu
shoal=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)

find_adult() {
    for place in "${SHOAL_DATA:-}" "$here/../../shared/data"; do
        if [ -n "$place" ] && [ -f "$place/adult/adult-complete.csv" ]; then
            echo "$place/adult"
            return
        fi
    done
}

for name in "$@"; do
    to=$folder/$name
    [ -f "$to/table.csv" ] && continue
    mkdir -p "$to"
    case $name in
    census-*)
        "$shoal" generate census --rows "${name#census-}" --seed 1 -o "$to/table.csv" \
            --hierarchies-out "$to/hierarchies" --force
        ;;
    adult30162)
        adult=$(find_adult)
        if [ -z "$adult" ]; then
            rmdir "$to"
            echo 'Adult is left out: set SHOAL_DATA to the folder that holds adult/adult-complete.csv' >&2
            continue
        fi
        head -n 30163 "$adult/adult-complete.csv" >"$to/table.csv"
        rm -rf "$to/hierarchies"
        cp -r "$adult/hierarchies" "$to/hierarchies"
        ;;
    *)
        echo "datasets.sh: no such table: $name" >&2
        exit 2
        ;;
    esac
done
