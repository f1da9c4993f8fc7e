#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# classify.sh [BUILD] - is a release by IACk better to learn from than one by InfoGain Mondrian?
# Li et al. 2011, Figs. 4 to 6: Adult, 45,222 rows, class salary; eight quasi-identifiers, or four
# (age, sex, race, native country) and four other columns; ten folds, every training part released
# on its own. Four classifiers: ours, and a support vector machine by scikit-learn where $PYTHON
# (python3 by default) has it. CLASSIFY_K="2 10", CLASSIFY_METHODS=iack: some of it.
. "$(dirname "$0")/lib.sh"
use_adult
four=age,sex,race,native-country others=workclass,education,marital-status,occupation
python=${PYTHON:-python3}
header source,setting,k,method,classifier,accuracy,balanced_accuracy,auc,original_accuracy,seconds
has_svm=no
if "$python" -c 'import sklearn' 2>/dev/null; then has_svm=yes
else say 'no support vector machine: scikit-learn is not here; PYTHON names an interpreter that has it'; fi

# scores FILE: classifier, accuracy, balanced accuracy, auc, accuracy on the original; one line each
scores() {
    awk -F'[:,"]+' '
        /"classifiers"/ { inside = 1 }
        inside && $2 == "name" { name = $3; sub(/^ */, "", name);
            if (name == "" || name == " ") name = $4; side = "" }
        inside && ($2 == "original" || $2 == "release") { side = $2 }
        inside && $2 ~ /^(accuracy|balanced_accuracy|auc)$/ { v[side, $2] = $3 + 0
            if (side == "release" && $2 == "auc") printf "%s %.6f %.6f %.6f %.6f\n", name,
                v["release", "accuracy"], v["release", "balanced_accuracy"], v["release", "auc"],
                    v["original", "accuracy"] }' "$1"
}

# svm NAME [--rbf]: a row of a support vector machine; that of the original is found once
svm() {
    as=$1
    shift
    if [ ! -f "$work/$as-$setting" ]; then "$python" "$here/svm.py" "$@" "$work/folds.csv" \
        "$table" >"$work/$as-$setting"; fi
    read -r original _ <"$work/$as-$setting"
    # shellcheck disable=SC2046 # two words
    set -- $("$python" "$here/svm.py" "$@" "$work/folds.csv")
    row "$source" "$setting" "$k" "$method" "$as" "$1" "$2" - "$original" "$time"
}

# one SETTING K METHOD OPTION...: k = 1 is no suppression; iack-further lifts rows of small groups
# further instead of suppressing them, which the paper names as future work
one() {
    setting=$1 k=$2 method=$3
    shift 3
    how="-a $method -k $k"
    [ "$method" = iack-further ] && how="-a iack -k $k --param small=generalise"
    [ "$k" = 1 ] && how='-a iacc --param delta_D=0 --param alone=publish'
    # shellcheck disable=SC2086 # words
    "$shoal" evaluate classify "$table" "$@" --numeric age --class salary-class \
        --hierarchies "$trees" $how --seed 1 --threads "$threads" \
        --folds-out "$work/folds.csv" --force --json >"$work/scores"
    # shellcheck disable=SC2086
    "$shoal" anonymize "$table" -o "$work/out.csv" --force --no-bound --json --seed 1 \
        --threads "$threads" --qid "$2" --numeric age --class salary-class \
        --rest drop --hierarchies "$trees" $how >"$work/report"
    time=$(seconds)
    scores "$work/scores" | while read -r classifier accuracy balanced auc original; do
        row "$source" "$setting" "$k" "$method" "$classifier" "$accuracy" "$balanced" "$auc" \
            "$original" "$time"
    done
    if [ $has_svm = yes ]; then
        svm svm
        svm svm-rbf --rbf
    fi
    say "$setting quasi-identifiers, k = $k, $method done"
}
for k in ${CLASSIFY_K:-1 2 10 50 200}; do
    for method in ${CLASSIFY_METHODS:-iack iack-further infogain-mondrian}; do
        [ "$k" = 1 ] && [ $method != iack ] && continue
        one eight "$k" $method --qid $quasi
        one four "$k" $method --qid $four --features $others
    done
done
