#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh SOURCE - do the recipes of docs/architecture.md hold by count? A model, a method, a
# measure, an input format and a kind of attribute are added to a copy of the tree, each by three
# files (its own, the list of its room, meson.build); the command then knows them everywhere.
#
# The recipe of an output format is proven by the sinks of tests/unit/test_pipeline.c. Takes some
# minutes: the copy is built.
set -eu
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
passed=0
failed=0
expect() { # expect WHAT COMMAND...
    what=$1
    shift
    if "$@" >"$work/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        tail -n 5 "$work/said"
    fi
}

mkdir "$work/tree"
(cd "$source" && tar cf - include src cli examples bench docs tests python tools meson.build \
    meson_options.txt) | (cd "$work/tree" && tar xf -)
cd "$work/tree"

# add FILE ROOM LIST_HEADER ROW_BEFORE NEW_ROW: the three files of a recipe
add() {
    cp "$source/tests/recipes/$1" "src/$2/$1"
    sed -i "s/^[a-z]*_sources += files(\$/&\n  '$1',/" "src/$2/meson.build"
    sed -i "s/^    ROW($4) *\\\\\$/&\n    ROW($5) \\\\/" "$3"
}
add two_thirds.c privacy src/privacy/model.h alpha two_thirds
add one_group.c method/cluster src/method/algorithm.h kmembers one_group
add largest_group.c measure src/measure/measures.h gcp largest_group
add markdown_table.c io src/io/input_format.h csv markdown_table
# before number, which would take its columns
cp "$source/tests/recipes/kind_magnitude.c" src/hierarchy/kind_magnitude.c
sed -i "s/^core_sources += files(\$/&\n  'kind_magnitude.c',/" src/hierarchy/meson.build
sed -i 's/^    ROW(number) *\\$/    ROW(magnitude) \\\n&/' src/hierarchy/kind.h
expect 'fifteen files were touched' test "$(diff -rq "$source/src" src | wc -l)" -eq 15

meson setup build >"$work/log" 2>&1 && ninja -C build shoal >>"$work/log" 2>&1 ||
    { tail -n 20 "$work/log"; echo '0 passed, 1 failed'; exit 1; }
shoal=$work/tree/build/shoal
cp "$source/tests/cli/data/people.csv" "$work/people.csv"
cd "$work"
"$shoal" anonymize --help >help
"$shoal" man >man
"$shoal" completions bash >completions
expect 'the model is an option with help' grep -q -- '--two-thirds .*FACTOR' help
expect 'the model is in the manual' grep -q 'two.*thirds' man
expect 'the model is completed' grep -q -- '--two-thirds' completions
expect 'the model is explained' "$shoal" explain two-thirds
expect 'the method is listed' sh -c '"$0" algorithms | grep -q one-group' "$shoal"
expect 'the method is explained' "$shoal" explain one-group
expect 'the measure is explained' "$shoal" explain largest_group
expect 'a release by all three' sh -c '"$0" anonymize people.csv -o out.csv --qid zip,age,sex --identifier name --sensitive disease -k 2 \
    --algorithm one-group --two-thirds 1.5 --json >report' "$shoal"
expect 'the report has the measure' grep -q '"largest_group": 1.0' report
expect 'the report has the model' grep -q 'two-thirds' report
expect 'a model that fails is refused' sh -c '"$0" anonymize people.csv -o no.csv --qid zip,age,sex --identifier name --sensitive disease \
    -k 2 --algorithm one-group --two-thirds 0; test $? -eq 3 && test ! -e no.csv' "$shoal"
expect 'the format is in the help' grep -q '\.md .*Markdown' help
expect 'the format is in the manual' grep -q 'Markdown' man
sed 's/,/ | /g; s/^/| /; s/$/ |/' people.csv | sed '1{p;s/[^|]/-/g}' >people.md
expect 'a table of the format is read' sh -c '"$0" anonymize people.md -o from-md.csv --qid zip,age,sex --identifier name \
    --sensitive disease -k 2 --seed 1 && "$0" anonymize people.csv -o from-csv.csv --qid zip,age,sex --identifier name \
    --sensitive disease -k 2 --seed 1 && cmp from-md.csv from-csv.csv' "$shoal"
printf '| a | b |\n|---|---|\n| 1 |\n' >bad.md
expect 'a bad table of the format is refused' sh -c '"$0" init bad.md; test $? -eq 4' "$shoal"
printf 'age\n1\n10\n100\n1000\n' >ages.csv
expect 'a release with the kind' sh -c '"$0" anonymize ages.csv -o kind.csv --qid age \
    --numeric age -k 2 --json >report' "$shoal"
expect 'the method counts its losses' grep -q '"gcp": 0.3333' report
expect 'its texts are read back and lose the same' sh -c '"$0" measure ages.csv kind.csv \
    --qid age --numeric age --json | grep -q "\"gcp\": 0.3333"' "$shoal"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
