#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# toc_table.sh BUILD FOLDER - the table that toc is measured on: FOLDER/adult.csv. Exit 77 when
# Adult is not there.
#
# Roles of Loukides' thesis (Table 4.2): age, gender, race, salary, country and work class are
# quasi-identifiers, marital status (a category) and occupation (a number) are sensitive; ranges and
# sets, no hierarchies; 30,162 rows. Occupations are numbered so that like ones are neighbours:
#   1 Exec-managerial, 2 Prof-specialty, 3 Tech-support, 4 Adm-clerical, 5 Sales, 6 Protective-serv,
#   7 Armed-Forces, 8 Craft-repair, 9 Machine-op-inspct, 10 Transport-moving, 11 Handlers-cleaners,
#   12 Farming-fishing, 13 Other-service, 14 Priv-house-serv
set -eu
build=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
"$here/datasets.sh" "$build/shoal" "$work" adult30162
if [ ! -f "$work/adult30162/table.csv" ]; then
    echo 'there is no table: skipped'
    exit 77
fi
awk -F, -v OFS=, -f "$here/thesis_table.awk" "$work/adult30162/table.csv" >"$work/adult.csv"
