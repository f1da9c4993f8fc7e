# SPDX-License-Identifier: Apache-2.0
"""classify.py SHOAL TABLE - are our classifiers as accurate as scikit-learn's?

Ten stratified folds on the table as it is, numbers as numbers, categories as categories.
scikit-learn has no naive Bayes for both at once, so its two are put together: the sum of their
log-likelihoods. Its decision trees are CART, cut in two by one-hot categories and pruned by leaf
size, not C4.5: near, but another method. Each accuracy must be within one point.
Exit 1 if one is not, 77 without scikit-learn.
"""

import csv
import json
import subprocess
import sys

try:
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import CategoricalNB, GaussianNB
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier
except ImportError:
    print("skipped: scikit-learn is not installed")
    sys.exit(77)

FEATURES = [
    "age", "workclass", "education", "marital-status", "occupation", "race", "sex",
    "native-country",
]
LABEL = "salary-class"
POINTS = 0.01


def bayes(train, y, test):
    """Log-likelihoods of both kinds added up, the prior counted once."""
    (numbers, codes), (test_numbers, test_codes) = train, test
    gauss = GaussianNB().fit(numbers, y)
    categories = CategoricalNB(min_categories=codes.max(axis=0) + 1).fit(codes, y)
    scores = gauss.predict_joint_log_proba(test_numbers) + categories.predict_joint_log_proba(
        test_codes
    )
    return gauss.classes_[np.argmax(scores - np.log(gauss.class_prior_), axis=1)]


def one_hot(train, test):
    (numbers, codes), (test_numbers, test_codes) = train, test
    scale = StandardScaler().fit(numbers)
    expand = OneHotEncoder(handle_unknown="ignore", sparse_output=False).fit(codes)
    return (np.hstack([scale.transform(numbers), expand.transform(codes)]),
            np.hstack([scale.transform(test_numbers), expand.transform(test_codes)]))


def logistic(train, y, test):
    x, x_test = one_hot(train, test)
    return LogisticRegression(max_iter=1000).fit(x, y).predict(x_test)


def tree(train, y, test):
    x, x_test = one_hot(train, test)
    model = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=15, random_state=0)
    return model.fit(x, y).predict(x_test)


def theirs(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    labels = np.array([row[LABEL] for row in rows])
    numbers = np.array([[float(row["age"])] for row in rows])
    codes = np.array(
        [np.unique([row[f] for row in rows], return_inverse=True)[1] for f in FEATURES[1:]]
    ).T
    right = {"naive-bayes": 0, "decision-tree": 0, "logistic-regression": 0}
    for train, test in StratifiedKFold(10, shuffle=True, random_state=1).split(numbers, labels):
        parts = (numbers[train], codes[train]), labels[train], (numbers[test], codes[test])
        for name, predict in (
            ("naive-bayes", bayes),
            ("decision-tree", tree),
            ("logistic-regression", logistic),
        ):
            right[name] += int(np.sum(predict(*parts) == labels[test]))
    return {name: n / len(rows) for name, n in right.items()}


def ours(shoal, path):
    command = [
        shoal,
        "evaluate",
        "classify",
        path,
        path,
        "--qid",
        ",".join(FEATURES),
        "--numeric",
        "age",
        "--class",
        LABEL,
        "--categorical",
        ",".join(FEATURES[1:]),
        "--json",
    ]
    result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {c["name"]: c["original"]["accuracy"] for c in result["classifiers"]}


def main():
    shoal, path = sys.argv[1:]
    mine, other = ours(shoal, path), theirs(path)
    failed = 0
    for name in mine:
        difference = mine[name] - other[name]
        is_near = abs(difference) <= POINTS
        failed += not is_near
        print(
            f"{name:20s}  shoal {mine[name]:.4f}  scikit-learn {other[name]:.4f}  {difference:+.4f}"
            f"  {'ok' if is_near else 'TOO FAR'}"
        )
    print(f"{len(mine) - failed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
