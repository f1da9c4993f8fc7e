# SPDX-License-Identifier: Apache-2.0
"""svm.py [--rbf] FOLDS [ORIGINAL] - accuracy and balanced accuracy of a support vector machine on
folds that `evaluate classify --folds-out` wrote.

Linear, or with --rbf a radial kernel (gamma: one over the number of features) through 300 landmarks
(Nystroem), seeded: the exact one takes hours here.

It learns from the training rows of a fold and is tried on its test rows, as they were recoded
there; with ORIGINAL, from and on the same rows of that table. Numbers are scaled by the training
rows, a missing one is their mean; a category that training rows do not have says nothing. Equal
rows are one with a weight, which changes nothing but the time. Needs scikit-learn.
"""

import collections
import csv
import itertools
import sys

import numpy
import scipy.sparse
from sklearn.kernel_approximation import Nystroem
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import LinearSVC

LANDMARKS = 300


def read_original(path, names):
    with open(path, newline="") as file:
        return [[row[name] for name in names] for row in csv.DictReader(file)]


def is_number_column(rows, column):
    def is_number(text):
        try:
            float(text)
            return True
        except ValueError:
            return False
    return all(row[column] == "" or is_number(row[column]) for row in rows)


class Coder:
    """Categories one by one, numbers scaled, as the training rows say."""

    def __init__(self, rows, weights):
        self.numbers = [c for c in range(len(rows[0])) if is_number_column(rows, c)]
        self.categories = [c for c in range(len(rows[0])) if c not in self.numbers]
        self.encoder = OneHotEncoder(handle_unknown="ignore")
        self.encoder.fit(self.pick(rows))
        values, known = self.values(rows)
        weights = numpy.asarray(weights)[:, None] * known
        self.mean = (values * weights).sum(0) / numpy.maximum(weights.sum(0), 1)
        spread = (((values - self.mean) ** 2) * weights).sum(0) / numpy.maximum(weights.sum(0), 1)
        self.scale = numpy.where(spread > 0, numpy.sqrt(spread), 1)

    def pick(self, rows):
        return numpy.array([[row[c] for c in self.categories] for row in rows], dtype=object)

    def values(self, rows):
        known = numpy.array([[row[c] != "" for c in self.numbers] for row in rows], dtype=float)
        return numpy.array([[float(row[c] or 0) for c in self.numbers] for row in rows]), known

    def code(self, rows):
        values, known = self.values(rows)
        return scipy.sparse.hstack(
            [
                self.encoder.transform(self.pick(rows)),
                scipy.sparse.csr_matrix((values - self.mean) / self.scale * known),
            ]
        ).tocsr()


def predict(train, test, is_radial):
    counts = collections.Counter(map(tuple, train))
    rows, weights = list(counts), numpy.array(list(counts.values()), dtype=float)
    features = [row[:-1] for row in rows]
    coder = Coder(features, weights)
    coded = coder.code(features)
    model = LinearSVC(dual=False)
    if is_radial:
        kernel = Nystroem(
            gamma=1 / coded.shape[1], n_components=min(LANDMARKS, coded.shape[0]), random_state=1
        )
        model = make_pipeline(kernel, model)
    model.fit(
        coded,
        [row[-1] for row in rows],
        **{"linearsvc__sample_weight" if is_radial else "sample_weight": weights},
    )
    return model.predict(coder.code([row[:-1] for row in test]))


def main():
    arguments = [word for word in sys.argv[1:] if word != "--rbf"]
    is_radial = len(arguments) < len(sys.argv) - 1
    with open(arguments[0], newline="") as file:
        lines = csv.reader(file)
        names = next(lines)[3:]
        original = read_original(arguments[1], names) if len(arguments) > 1 else None
        right, total = collections.Counter(), collections.Counter()
        for _, fold in itertools.groupby(lines, key=lambda line: line[0]):
            parts = {"train": [], "test": []}
            for line in fold:
                parts[line[1]].append(original[int(line[2]) - 1] if original else line[3:])
            for row, label in zip(parts["test"], predict(parts["train"], parts["test"], is_radial)):
                total[row[-1]] += 1
                right[row[-1]] += row[-1] == label
    print(
        f"{sum(right.values()) / sum(total.values()):.6f}"
        f" {sum(right[c] / total[c] for c in total) / len(total):.6f}"
    )


main()
