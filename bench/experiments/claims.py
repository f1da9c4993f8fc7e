# SPDX-License-Identifier: Apache-2.0
"""claims.py - every claim of the documents beside what the results say, and whether it holds.

A claim is tried at several places: sizes of k, numbers of columns, classifiers. It holds if its
condition is true at all of them, holds in part if at some, and does not hold if at none. The
condition stands beside it, and every figure is computed here from the rows of RESULTS/*.csv.
Loukides' claims are in claims_loukides.py.
"""

from claim_rows import FAILS, HOLDS, PART, UNTESTED, claim, claims, each, span, untested
from claims_loukides import queries, rql, toc, upc
from table_text import fixed, mean, number, one, pick, table, values

DOCUMENTS = {
    "S3": "Li 2006 (KACA)",
    "S0": "Sun 2008 (DBCA)",
    "S1": "Pramanik 2016 (KOC)",
    "S2": "Loukides 2008 (MRG, UPC)",
    "S4": "Li 2011 (IACk)",
}


def kaca(rows):
    part = pick(rows, weights="uniform")
    by = {m: pick(part, method=m) for m in ("kaca", "incognito")}
    for weights in ("uniform", "height"):
        some = pick(rows, weights=weights)
        sums = {
            m: mean([number(r["distortion_ratio"]) for r in pick(some, method=m)])
            for m in ("kaca", "incognito")
        }
        times = sums["incognito"] / sums["kaca"]
        claim(
            "S3",
            f"KACA distorts 5.57 times less than Incognito on average, {weights} weights",
            "ratio of the means over both k and all sizes is at least 5.57",
            [times >= 5.57],
            f"{fixed(times, 2)} times",
        )
    ratios = [
        number(a["seconds"]) / number(b["seconds"]) for a, b in zip(by["kaca"], by["incognito"])
    ]
    claim(
        "S3",
        "KACA takes longer than Incognito",
        "more seconds for every k and number of quasi-identifiers",
        [r > 1 for r in ratios],
        f"{span(ratios, 1)} times Incognito's seconds",
    )


def dbca(rows):
    equal = pick(rows, priorities="equal")
    ks = values(rows, "k")

    def ratios(field, a, b, part=equal):
        return [one(part, field, k=k, method=a) / one(part, field, k=k, method=b) for k in ks]

    for priorities, name in (("equal", "no priorities"), ("falling", "priorities")):
        part = pick(rows, priorities=priorities)
        r = ratios("distortion", "dbca", "mondrian", part)
        claim(
            "S0",
            f"DBCA distorts less than Mondrian ({name})",
            "less at every k",
            [x < 1 for x in r],
            "times Mondrian's, k = " + each(zip(ks, r)),
        )
        r = ratios("distortion", "dbca-cm", "dbca", part)
        claim(
            "S0",
            f"DBCA:CM distorts no more than DBCA ({name})",
            "no more at every k",
            [x <= 1 for x in r],
            f"{span(r)} times DBCA's",
        )
    cm = {m: [one(equal, "cm", k=k, method=m) for k in ks] for m in ("dbca-cm", "dbca", "mondrian")}
    claim(
        "S0",
        "DBCA:CM has the lowest CM of the three",
        "lower than both at every k",
        [a < min(b, c) for a, b, c in zip(cm["dbca-cm"], cm["dbca"], cm["mondrian"])],
        f"{span(cm['dbca-cm'], 3)}; DBCA {span(cm['dbca'], 3)}, Mondrian"
        f" {span(cm['mondrian'], 3)}",
    )
    claim(
        "S0",
        "DBCA has a lower CM than Mondrian",
        "lower at every k",
        [a < b for a, b in zip(cm["dbca"], cm["mondrian"])],
        "times Mondrian's, k = " + each(zip(ks, ratios("cm", "dbca", "mondrian"))),
    )
    r = ratios("seconds", "dbca", "mondrian")
    claim(
        "S0",
        "DBCA takes longer than Mondrian",
        "more seconds at every k",
        [x > 1 for x in r],
        f"{span(r, 0)} times",
    )


def koc(rows):
    names = {
        "koc": "floor(n/k) centres, left-over rows by loss",
        "koc-split": "a quarter of the centres, clusters fragmented into two",
        "koc-printed": "the same with the dispersal of Fig. 5",
        "koc-spread": "centres spread over the table, which is not in the paper",
    }
    seven = pick(rows, size="7")
    ks = values(seven, "k")
    for wid in ("off", "on"):
        for method, name in names.items():
            ratios = []
            for k in ks:
                loss = {
                    m: one(seven, "loss", k=k, wid=wid, method=m) for m in values(seven, "method")
                }
                ratios.append(min(loss["kmeans"], loss["kmeans-fill"]) / loss[method])
            claim(
                "S1",
                "KOC loses 2.5 times less than k-means, k = 20 to 250"
                f"{', with WID' if wid == 'on' else ''}: {name}",
                "mean over k of the better k-means / KOC is at least 2.5",
                [mean(ratios) >= 2.5],
                f"{fixed(mean(ratios), 2)} times; k = {each(zip(ks, ratios))}",
            )
    off = pick(seven, wid="off")
    ratios = [
        one(off, "seconds", k=k, method="koc") / one(off, "seconds", k=k, method="kmeans-fill")
        for k in ks
    ]
    claim(
        "S1",
        "KOC takes longer than k-means",
        "more seconds at every k",
        [x > 1 for x in ratios],
        f"{span(ratios)} times",
    )
    for method, name in (("koc", "KOC"), ("kmeans-fill", "k-means")):
        seconds = [one(off, "seconds", k=k, method=method) for k in ks]
        claim(
            "S1",
            f"The time of {name} falls as k grows",
            "less at the largest k than at the least",
            [seconds[-1] < seconds[0]],
            f"{fixed(seconds[0], 3)} s, then {fixed(seconds[-1], 3)} s",
        )
        grown = [
            one(rows, "seconds", k="50", wid="off", method=method, size=size) for size in ("1", "7")
        ]
        claim(
            "S1",
            f"The time of {name} grows with the quasi-identifiers",
            "more with seven than with one",
            [grown[1] > grown[0]],
            f"{fixed(grown[0], 3)} s, then {fixed(grown[1], 3)} s",
        )


def classify(rows):
    titles = {"eight": "eight quasi-identifiers", "four": "four quasi-identifiers"}
    for setting, title in titles.items():
        part = pick(rows, setting=setting)
        lost, ahead = [], []
        for r in pick(part, method="iack"):
            rival = one(
                part, "accuracy", k=r["k"], classifier=r["classifier"], method="infogain-mondrian"
            )
            lost.append(number(r["original_accuracy"]) - number(r["accuracy"]))
            if rival == rival:
                ahead.append(number(r["accuracy"]) - rival)
        claim(
            "S4",
            f"Accuracy after IACk is near the original's, {title}",
            "at most 1 point below it, for each classifier and k",
            [x <= 0.01 for x in lost],
            f"{span(100 * x for x in lost)} points below",
        )
        if setting == "eight":
            claim(
                "S4",
                f"Above InfoGain Mondrian in most settings, {title}",
                "higher in more than half of the pairs of classifier and k",
                [2 * sum(x > 0 for x in ahead) > len(ahead)],
                f"{sum(x > 0 for x in ahead)} of {len(ahead)};"
                f" {span(100 * x for x in ahead)} points",
            )
        else:
            claim(
                "S4",
                f"Above InfoGain Mondrian always, {title}",
                "higher for each classifier and k",
                [x > 0 for x in ahead],
                f"{sum(x > 0 for x in ahead)} of {len(ahead)};"
                f" {span(100 * x for x in ahead)} points",
            )
        further = [
            number(r["accuracy"])
            - one(part, "accuracy", k=r["k"], classifier=r["classifier"], method="iack")
            for r in pick(part, method="iack-further")
        ]
        claim(
            "S4",
            f"Future work: further levels instead of suppression keep more accuracy, {title}",
            "higher than IACk's for each classifier and k",
            [x > 0 for x in further],
            (
                f"{span(100 * x for x in further)} points above, k = "
                + ", ".join(values(pick(part, method="iack-further"), "k"))
                if further
                else ""
            ),
        )
        ks = values(pick(part, method="infogain-mondrian"), "k")
        r = [
            one(part, "seconds", k=k, method="iack")
            / one(part, "seconds", k=k, method="infogain-mondrian")
            for k in ks
        ]
        claim(
            "S4",
            f"IACk is faster than InfoGain Mondrian, {title}",
            "fewer seconds at every k",
            [x < 1 for x in r],
            f"times, k = {each(zip(ks, r))}",
        )


def not_tested():
    untested("S3", "The curves of Fig. 2 point by point", "the hierarchies are not printed")
    untested(
        "S0",
        "Total distortion of Fig. 2 in its own unit",
        "the hierarchies and the implementation of Mondrian are not printed",
    )
    untested(
        "S1",
        "Loss of KOC and k-means in the unit of Fig. 6",
        "how k-means is brought to groups of k rows is not described",
    )
    untested("S2", "Chapter 6 on the census of the thesis", "that extract of IPUMS is not public")
    untested(
        "S2", "Table 6.4: the greatest relative error", "depends on queries that are not printed"
    )
    untested("S4", "IACk against TDR and kACTUS", "these methods are not part of Shoal")
    untested("S4", "The support vector machine of Fig. 4", "its kernel parameters are not printed")


def claim_tables(load):
    claims.clear()
    for make in (kaca, dbca, koc, toc, rql, queries, upc, classify):
        rows = load(make.__name__)
        if rows:
            make(rows)
    not_tested()
    verdicts = (HOLDS, PART, FAILS, UNTESTED)
    table(
        "claims-count",
        ["document", *verdicts],
        [
            [name] + [str(sum(c[0] == document and c[4] == v for c in claims)) for v in verdicts]
            for document, name in DOCUMENTS.items()
        ]
        + [["all"] + [str(sum(c[4] == v for c in claims)) for v in verdicts]],
    )
    for document in DOCUMENTS:
        table(
            f"claims-{document.lower()}",
            ["claim", "measured here", "it holds if", "verdict"],
            [
                [text, measured, condition, f"**{verdict}**{share}"]
                for where, text, measured, condition, verdict, share in claims
                if where == document
            ],
            "---",
        )
