#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# learn.sh SHOAL DATA - what learnt hierarchies (build:learn) lose against sets: gcp and query error
# on the tables of the data folder, k = 10.
set -eu
shoal=$1 data=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# run TABLE HIERARCHIES QIDS ASKED INPUT [FLAGS]: one line. Queries ask for one value of each column
# of ASKED, so that they are the same for all.
run() {
    table=$1 kind=$2 qids=$3 asked=$4 input=$5
    shift 5
    "$shoal" anonymize "$input" -o "$work/r.csv" -f --qid "$qids" --rest drop -k 10 --seed 1 \
        --no-bound --effort 0 --row-order keep --json --no-progress "$@" >"$work/r.json"
    "$shoal" evaluate queries "$input" "$work/r.csv" --qid "$qids" --workload type-1 \
        --columns "$asked" --json --no-progress --seed 1 "$@" >"$work/q.json"
    python3 - "$table" "$kind" "$work/r.json" "$work/q.json" <<'P'
import json, sys
release, queries = (json.load(open(path)) for path in sys.argv[3:])
print("%-10s %-6s gcp %.4f  query error: mean %.4f, median %.4f" % (
    sys.argv[1], sys.argv[2], release["gcp"], queries["are"], queries["median"]), flush=True)
P
}

adult=age,workclass,education,marital-status,occupation,race,sex,native-country
a=$data/adult/adult-complete.csv
run adult sets "$adult" age,occupation "$a" --numeric age
run adult learn "$adult" age,occupation "$a" --numeric age \
    $(for c in workclass education marital-status occupation race native-country; do echo \
    "--hierarchy $c=build:learn"; done)
run adult files "$adult" age,occupation "$a" --numeric age \
    --hierarchies "$data/adult/hierarchies-deep"

zstd -dqf "$data/acs2018-government/gov_census.csv.zst" -o "$work/all.csv"
head -n 30001 "$work/all.csv" >"$work/gov.csv"
gov=age,sex,race,marital,occupation,economic_region
g="$work/gov.csv"
run gov sets "$gov" age,occupation "$g" --numeric age
run gov learn "$gov" age,occupation "$g" --numeric age \
    $(for c in race marital occupation economic_region; do echo "--hierarchy $c=build:learn"; done)
run gov known "$gov" age,occupation "$g" --numeric age --hierarchy occupation=known:soc2018

zstd -dqf "$data/diabetes130/diabetic_data.csv.zst" -o "$work/all.csv"
head -n 30001 "$work/all.csv" >"$work/diab.csv"
diab=race,gender,age,medical_specialty,diag_1
d="$work/diab.csv"
run diabetes sets "$diab" gender,diag_1 "$d" --null '?'
run diabetes learn "$diab" gender,diag_1 "$d" --null '?' \
    $(for c in race age medical_specialty diag_1; do echo "--hierarchy $c=build:learn"; done)
run diabetes known "$diab" gender,diag_1 "$d" --null '?' --hierarchy diag_1=known:icd9cm
