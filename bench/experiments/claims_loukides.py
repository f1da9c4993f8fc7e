# SPDX-License-Identifier: Apache-2.0
"""claims_loukides.py - the claims of Loukides' thesis; see claims.py. Two readings of its Algorithm
2 are two claims."""

from claim_rows import claim, each, span
from table_text import fixed, number, one, pick, values

READINGS = {"mrg-printed": "as printed", "mrg": "repaired"}


def score(row):
    return (number(row["um"]) + number(row["mpm"])) / 2


def toc(rows):
    trade = {m: pick(rows, part="trade-off", method=m) for m in values(rows, "method")}
    flat = {m: pick(rows, part="flat", method=m) for m in values(rows, "method")}
    ks = [r["k"] for r in trade["mrg"]]
    rivals = ("mondrian", "kmembers", "kmembers-p")
    for reading, name in READINGS.items():
        ours = [score(r) for r in trade[reading]]
        best = [min(score(trade[m][i]) for m in rivals) for i in range(len(ks))]
        whole = [score(r) for r in trade["mrg-whole"]]
        claim(
            "S2",
            f"MRG {name} has the best UM / 2 + MPM / 2",
            "lower than every rival's at every k",
            [a < b for a, b in zip(ours, best)],
            f"k = {each(zip(ks, ours), 3)}; the best rival {each(zip(ks, best), 3)}",
        )
        claim(
            "S2",
            f"Parts cost no quality (MRG {name})",
            "score no higher than without parts",
            [a <= b for a, b in zip(ours, whole)],
            f"{span([a / b for a, b in zip(ours, whole)])} times the score without parts",
        )
        for table_name, part in (("", trade), (", flat hierarchies", flat)):
            um_mpm(name, table_name, part, reading)
        dm = {m: [number(r["dm"]) for r in trade[m]] for m in trade}
        claim(
            "S2",
            f"DM of MRG {name} is a little below Mondrian's",
            "below it, by a tenth at most",
            [0.9 * b <= a < b for a, b in zip(dm[reading], dm["mondrian"])],
            f"{span([a / b for a, b in zip(dm[reading], dm['mondrian'])])} times Mondrian's,"
            f" {span([a / b for a, b in zip(dm[reading], dm['kmembers'])])} times K-Members'",
        )
        for source, where in (("adult", "Adult"), ("normal", "normal integers")):
            part = sorted(
                pick(rows, part="weights", source=source, method=reading),
                key=lambda r: number(r["w_u"]),
            )
            um, mpm = ([number(r[f]) for r in part] for f in ("um", "mpm"))
            claim(
                "S2",
                f"Weights steer MRG {name}: UM falls and MPM rises with w_u ({where})",
                "less UM and more MPM at w_u = 1 than at 0",
                [um[-1] < um[0], mpm[-1] > mpm[0]] if part else [],
                (
                    f"UM {fixed(um[0], 3)} to {fixed(um[-1], 3)}, MPM {fixed(mpm[0], 3)} to"
                    f" {fixed(mpm[-1], 3)}"
                    if part
                    else ""
                ),
            )
        runtime = {m: pick(rows, part="runtime", method=m) for m in values(rows, "method")}
        seconds = {m: [number(r["seconds"]) for r in runtime[m]] for m in runtime}
        slower = [a / b for a, b in zip(seconds[reading], seconds["mondrian"])]
        faster = [b / a for a, b in zip(seconds[reading], seconds["kmembers by scan"])]
        claim(
            "S2",
            f"MRG {name} is 8 % slower than Mondrian",
            "at most twice its seconds at every size",
            [x <= 2 for x in slower],
            f"{span(slower, 0)} times its seconds",
        )
        claim(
            "S2",
            f"MRG {name} is 6 times faster than K-Members",
            "a sixth of its seconds (by scan)",
            [x >= 6 for x in faster],
            f"K-Members takes {span(faster)} of MRG's seconds",
        )


def um_mpm(name, table_name, part, reading):
    um, mpm = ({m: [number(r[f]) for r in part[m]] for m in part} for f in ("um", "mpm"))
    claim(
        "S2",
        f"UM of MRG {name} is below Mondrian's{table_name}",
        "below it at every k",
        [a < b for a, b in zip(um[reading], um["mondrian"])],
        f"{span(um[reading], 3)}; Mondrian {span(um['mondrian'], 3)}",
    )
    claim(
        "S2",
        f"UM of MRG {name} is near K-Members'{table_name}",
        "at most 1.25 times it",
        [a <= 1.25 * b for a, b in zip(um[reading], um["kmembers"])],
        f"{span([a / b for a, b in zip(um[reading], um['kmembers'])], 1)} times it",
    )
    claim(
        "S2",
        f"MPM of MRG {name} is below Mondrian's and K-Members'{table_name}",
        "below both at every k",
        [a < min(b, c) for a, b, c in zip(mpm[reading], mpm["mondrian"], mpm["kmembers"])],
        f"{span(mpm[reading], 3)}; Mondrian {span(mpm['mondrian'], 3)}, K-Members"
        f" {span(mpm['kmembers'], 3)}",
    )
    claim(
        "S2",
        f"MPM of MRG {name} is near K-Members-p's{table_name}",
        "at most 1.25 times it",
        [a <= 1.25 * b for a, b in zip(mpm[reading], mpm["kmembers-p"])],
        f"{span([a / b for a, b in zip(mpm[reading], mpm['kmembers-p'])], 1)} times it",
    )


def rql(rows):
    for reading, name in READINGS.items():
        part = pick(rows, reading=reading)
        some = [number(r["rql"]) for r in part if r["vary"] != "s"]
        claim(
            "S2",
            f"Settings of MRG {name} from a sample: RQL at most 0.06",
            "at most 0.06 everywhere",
            [x <= 0.06 for x in some if x == x],
            f"{span(x for x in some if x == x)}",
        )
        some = pick(part, vary="s")
        claim(
            "S2",
            f"s of MRG {name} from a sample: RQL at most 0.056 (Table 4.7)",
            "at most 0.056 at every k",
            [number(r["rql"]) <= 0.056 for r in some],
            "k = " + each((r["x"], number(r["rql"])) for r in some),
        )


def queries(rows):
    for kind, most, claimed in (("1", 15, "up to k = 15"), ("2", 1e9, "at every k")):
        for reading, name in READINGS.items():
            part = [r for r in pick(rows, type=kind) if number(r["k"]) <= most]
            tries, wins = [], {}
            for k in values(part, "k"):
                at = {m: one(part, "are", k=k, method=m) for m in values(part, "method")}
                for letter in "bup":
                    won = at[f"{reading}-{letter}"] < min(at["mondrian"], at["kmembers"])
                    tries.append(won)
                    wins[letter] = wins.get(letter, 0) + won
            claim(
                "S2",
                f"type-{kind} queries: every configuration of MRG {name} answers better than"
                f" Mondrian and K-Members {claimed}",
                "lower A.R.E. than both, each of the three",
                tries,
                ", ".join(f"MRG{c.upper()} at {n} k" for c, n in wins.items()),
            )
    for kind in ("1", "2"):
        part = pick(rows, type=kind)
        ks = values(part, "k")
        for reading, name in READINGS.items():
            ours = [one(part, "are", k=k, method=f"{reading}-p") for k in ks]
            rival = [one(part, "are", k=k, method="mondrian") for k in ks]
            claim(
                "S2",
                f"MRGP {name} answers type-{kind} queries poorly",
                "more than Mondrian's A.R.E.",
                [a > b for a, b in zip(ours, rival)],
                f"{span(ours)}; Mondrian {span(rival)}",
            )
            with_parts = [one(part, "are", k=k, method=f"{reading}-b") for k in ks]
            whole = [one(part, "are", k=k, method="mrg-whole-b") for k in ks]
            ratios = [b / a for a, b in zip(with_parts, whole)]
            claim(
                "S2",
                f"Parts do not matter for type-{kind} queries (MRGB {name})",
                "A.R.E. without parts within a tenth",
                [0.9 <= x <= 1.1 for x in ratios],
                f"{span(ratios)} times the A.R.E. with parts",
            )


def upc(rows):
    for method, name in (("upc-printed", "as printed"), ("upc", "repaired")):
        census = pick(rows, part="census")
        if not pick(census, method=method):
            continue
        limits(rows, method, name)
        rivals(census, method, name)
        synthetic(pick(rows, part="normal"), method, name)
        growth(rows, method, name)
    census = pick(rows, part="census")
    ks = values(census, "k")
    for rival, name in (("incognito l", "with (2,2)-diversity"), ("incognito t", "with t = 0.9")):
        wgp = [one(census, "wgp", k=k, method=rival) for k in ks]
        claim(
            "S2",
            f"Incognito {name} leaves groups above P = 0.5",
            "WGP above P at every k",
            [x > 0.5 for x in wgp],
            "WGP, k = " + each(zip(ks, wgp)),
        )
    wgp = [one(census, "wgp", k=k, method="personalised") for k in ks]
    claim(
        "S2",
        "The personalised method leaves groups above P up to k = 10, none at 25 and 50",
        "WGP above 0.5 up to k = 10, not above from 25 on",
        [(x > 0.5) == (int(k) <= 10) for k, x in zip(ks, wgp)],
        "WGP, k = " + each(zip(ks, wgp)),
    )
    mrg = pick(rows, part="guarantee", method="mrg")
    kept = [number(r["wgp"]) <= 0.5 for r in mrg]
    claim(
        "S2",
        "MRG (repaired) keeps P for no delta, although it suppresses many rows",
        "WGP above 0.5 for every k and delta",
        [not x for x in kept],
        f"WGP {span(number(r['wgp']) for r in mrg)}; suppressed rows"
        f" {span((number(r['suppressed']) for r in mrg), 0)}",
    )
    policies(rows)


def limits(rows, method, name):
    kept, most = [], 0
    for part, u, p in (
        ("guarantee", 0.7, 0.5),
        ("census", 0.7, 0.5),
        ("rows", 0.7, 0.5),
        ("columns", 0.7, 0.5),
        ("policies", 0.5, 0.5),
    ):
        for r in pick(rows, part=part, method=method):
            if number(r["groups"]) == number(r["groups"]):
                if number(r["suppressed"]) == 0:
                    kept.append(number(r["wgu"]) <= u + 1e-9 and number(r["wgp"]) <= p + 1e-9)
                else:
                    kept.append(number(r["wgp"]) <= p + 1e-9)
    claim(
        "S2",
        f"UPC {name} keeps WGU <= U and WGP <= P",
        "both in every release; WGP alone where rows are suppressed, which lose everything",
        kept,
        f"{len(kept)} releases",
    )
    shares = [
        number(r["suppressed"]) / (50000 if r["part"] == "normal" else 100000)
        for part in ("census", "normal")
        for r in pick(rows, part=part, method=method)
    ]
    claim(
        "S2",
        f"UPC {name} suppresses no rows",
        "none on the census and with two sensitive columns",
        [x == 0 for x in shares if x == x],
        f"at most {fixed(100 * max(shares), 1)} % of the rows",
    )
    part = [
        r for r in pick(rows, part="limit-U", method=method) if number(r["um"]) == number(r["um"])
    ]
    claim(
        "S2",
        f"UM of UPC {name} stays below U",
        "UM at most U for each U with a release; suppressed rows are a group of loss 1",
        [number(r["um"]) <= number(r["x"]) for r in part],
        f"{span(number(r['um']) / number(r['x']) for r in part)} times U" if part else "",
    )


def rivals(census, method, name):
    ks = values(census, "k")

    def times(field, rival):
        return [
            one(census, field, k=k, method=rival) / one(census, field, k=k, method=method)
            for k in ks
        ]

    r = times("are_range", "incognito l")
    claim(
        "S2",
        f"Error of UPC {name} is an order of magnitude below Incognito's",
        "Incognito's A.R.E. is at least 10 times it, a range of incomes",
        [x >= 10 for x in r],
        "times, k = " + each(zip(ks, r), 1),
    )
    r = times("are_range", "personalised")
    claim(
        "S2",
        f"Error of UPC {name} is near the personalised method's for ranges of incomes",
        "at most 1.25 times its A.R.E.",
        [x >= 0.8 for x in r],
        f"the personalised method has {span(r, 1)} times it",
    )
    r = times("are_value", "personalised")
    claim(
        "S2",
        f"Error of UPC {name} is below the personalised method's for single incomes",
        "lower A.R.E. at every k",
        [x > 1 for x in r],
        f"the personalised method has {span(r, 1)} times it",
    )
    r = times("um", "incognito l")
    um = [one(census, "um", k=k, method=method) for k in ks]
    claim(
        "S2",
        f"UM of UPC {name} is below Incognito's",
        "below it at every k",
        [x > 1 for x in r],
        f"{span(um, 3)}; Incognito {span(a * b for a, b in zip(um, r))}",
    )


def synthetic(part, method, name):
    ks = values(part, "k")

    def times(field, rival):
        return [
            one(part, field, k=k, method=method) / one(part, field, k=k, method=rival) for k in ks
        ]

    r = times("are_both", "incognito t")
    claim(
        "S2",
        f"Integers: error of UPC {name} is below that of Incognito with t-closeness (Fig. 6.23)",
        "lower A.R.E. at every k",
        [x < 1 for x in r],
        f"{span(r)} times it",
    )
    for field, title in (("are_both", "error"), ("um", "UM")):
        r = times(field, "kmembers")
        claim(
            "S2",
            f"Integers: {title} of UPC {name} is near K-Members'",
            "at most 1.25 times it",
            [x <= 1.25 for x in r],
            f"{span(r)} times it",
        )
    if method == "upc":
        for rival, title in (("kmembers-p", "K-Members-p"), ("incognito t", "Incognito, t = 0.8,")):
            wgp = [one(part, "wgp", k=k, method=rival) for k in ks]
            claim(
                "S2",
                f"Integers: {title} passes P = 0.7",
                "WGP above 0.7 at every k",
                [x > 0.7 for x in wgp],
                f"WGP {span(wgp)}",
            )


def growth(rows, method, name):
    seconds = {}
    for part in ("rows", "columns"):
        some = pick(rows, part=part)
        for m in values(some, "method"):
            seconds[part, m] = [one(some, "seconds", x=x, method=m) for x in values(some, "x")]
    xs = [number(x) for x in values(pick(rows, part="rows"), "x")]
    ours = seconds["rows", method]
    grown = (ours[-1] / ours[0]) / (xs[-1] / xs[0])
    claim(
        "S2",
        f"Time of UPC {name} grows linearly with rows",
        "seconds for each row change by at most 1.5 times from the least to the most rows",
        [grown <= 1.5],
        f"{fixed(ours[-1] / ours[0], 1)} times for {fixed(xs[-1] / xs[0], 0)} times" " the rows",
    )
    wide = seconds["columns", method]
    claim(
        "S2",
        f"Time of UPC {name} grows linearly with quasi-identifiers",
        "at most 3.5 times from 2 to 7 of them",
        [wide[-1] / wide[0] <= 3.5],
        f"{fixed(wide[-1] / wide[0], 1)} times",
    )
    for rival, title in (("incognito l", "Incognito"), ("personalised", "the personalised method")):
        r = [
            b / a
            for part in ("rows", "columns")
            for a, b in zip(seconds[part, method], seconds[part, rival])
        ]
        claim(
            "S2",
            f"UPC {name} is orders of magnitude faster than {title}",
            "a tenth of its seconds or less, rows and quasi-identifiers",
            [x >= 10 for x in r],
            f"{title} takes {span(r)} times UPC's seconds",
        )
    r = [
        a / b
        for part in ("rows", "columns")
        for a, b in zip(seconds[part, method], seconds[part, "mondrian"])
    ]
    claim(
        "S2",
        f"Time of UPC {name} is near Mondrian's",
        "at most twice its seconds",
        [x <= 2 for x in r],
        f"{span(r, 1)} times it",
    )


def policies(rows):
    part = pick(rows, part="policies")
    ks, names = values(part, "k"), values(part, "x")
    are = [[one(part, "are_value", k=k, x=x) for x in names] for k in ks]
    claim(
        "S2",
        "Stricter policies cost more: A.R.E. rises from P1 to P5 (UPC repaired)",
        "no fall from one policy to the next, at every k",
        [all(a <= b for a, b in zip(line, line[1:])) for line in are],
        "P5 / P1, k = " + each((k, line[-1] / line[0]) for k, line in zip(ks, are)),
    )
    um = [[one(part, "um", k=k, x=x) for x in names] for k in ks]
    spread = [max(line) - min(line) for line in um]
    claim(
        "S2",
        "UM hardly depends on the policy (UPC repaired)",
        "within 0.1 over policies at every k",
        [x <= 0.1 for x in spread],
        f"spread {span(spread)}",
    )
