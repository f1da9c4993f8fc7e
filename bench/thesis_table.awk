# SPDX-License-Identifier: Apache-2.0
# thesis_table.awk - Adult as in Loukides' thesis, chapter 4, from its CSV: run with -F, -v OFS=,
#
# Occupation becomes a number, so that like ones are neighbours (bench/toc_table.sh has the list);
# occupations that Adult does not have follow.
BEGIN {
    n = split("Exec-managerial Prof-specialty Tech-support Adm-clerical Sales Protective-serv " \
              "Armed-Forces Craft-repair Machine-op-inspct Transport-moving Handlers-cleaners " \
              "Farming-fishing Other-service Priv-house-serv", names, " ")
    for (i = 1; i <= n; i++) number[names[i]] = i
}
NR == 1 {
    for (i = 1; i <= NF; i++) at[$i] = i
    print "age,gender,race,salary,country,workclass,marital,occupation"
    next
}
{
    job = $at["occupation"]
    if (!(job in number)) number[job] = ++n
    print $at["age"], $at["sex"], $at["race"], $at["salary-class"], $at["native-country"],
        $at["workclass"], $at["marital-status"], number[job]
}
