# SPDX-License-Identifier: Apache-2.0
"""figures.py [--check] RESULTS PLOT FIGURES [PAGE...] - pictures and tables of the experiments.

Reads RESULTS/*.csv, draws FIGURES/*.svg with the program PLOT (-: none), and fills the tables
between `<!-- table NAME -->` and `<!-- end -->` of each PAGE: those made here and those of
claims.py, which has every claim of the documents, its condition and its verdict. What has no
results is left as it is. --check: writes nothing, exit 1 where a page differs. Standard library.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
from claims import claim_tables
from table_text import fixed, load_from, mean, number, one, page_with, pick, table, tables, values

CHECK = sys.argv[1:2] == ["--check"]
RESULTS, PLOT, FIGURES, *PAGES = sys.argv[1 + CHECK :]


def load(name):
    return load_from(RESULTS, name)


# ---- pictures ----

class Figure:
    def __init__(self, name, title, note=None, size=None):
        self.name, self.lines = name, [f"title\t{title}"]
        if note:
            self.lines.append(f"note\t{note}")
        if size:
            self.lines.append(f"size\t{size[0]}\t{size[1]}")

    def panel(self, title, x_label, *flags):
        self.lines.append("\t".join(["panel", title, x_label, *flags]))

    def curve(self, name, colour, points, *flags):
        """Points are (x, y) or (x, y, label) or (x, y, label, "mark")."""
        self.lines.append("\t".join(["curve", name, str(colour), *flags]))
        for point in points:
            if point[0] == point[0] and point[1] == point[1]:
                self.lines.append(
                    "\t".join(
                        ["point", *[repr(p) if isinstance(p, float) else str(p) for p in point]]
                    )
                )

    def curves(self, rows, x, y, by, names, *flags):
        """One curve for each value of `by` in `names`, which gives its name and colour."""
        for colour, (value, name) in enumerate(names.items()):
            self.curve(
                name,
                colour,
                [(number(r[x]), number(r[y])) for r in pick(rows, **{by: value})],
                *flags,
            )

    def draw(self):
        if PLOT == "-":
            return
        done = subprocess.run(
            [PLOT], input="\n".join(self.lines) + "\n", capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            sys.exit(f"{self.name}: {done.stderr}")
        with open(f"{FIGURES}/{self.name}.svg", "w") as file:
            file.write(done.stdout)


# ---- every method ----

def methods():
    rows = load("methods")
    if not rows:
        return
    k = rows[0]["k"]
    families = {
        "shoal": "shoal, by effort 0 to 9",
        "clustering": "clustering",
        "partitioning": "partitioning",
        "full-domain": "full-domain levels",
        "protection": "protection of a sensitive column",
    }
    figure = Figure(
        "methods",
        f"Every method at k = {k}: what it loses, what it takes",
        "Below and left is better. Adult, 30,162 rows, eight quasi-identifiers. anatomy publishes"
        " them unchanged, without k.",
        (1000, 600),
    )
    figure.panel(
        "Loss (gcp): 0 nothing, 1 everything", "processor seconds, all threads added up", "logx"
    )
    for colour, (family, name) in enumerate(families.items()):
        points = [
            (
                number(r["seconds"]),
                number(r["gcp"]),
                "shoal (default)" if r["method"] == "shoal 5" else r["method"],
                *(["mark"] if r["method"] == "shoal 5" else []),
            )
            for r in pick(rows, family=family)
        ]
        figure.curve(name, colour, points, "labels", *([] if family == "shoal" else ["points"]))
    bound, times = one(rows, "gcp", family="bound"), [
        t for t in (number(r["seconds"]) for r in rows) if t == t
    ]
    figure.curve(
        "",
        7,
        [(min(times), bound, ""), (max(times), bound, "no release loses less than this")],
        "labels",
        "dashed",
    )
    figure.draw()
    table(
        "methods",
        [
            "method",
            "gcp",
            "processor seconds",
            "query error (A.R.E.)",
            "suppressed rows",
            "groups",
            "",
        ],
        [
            [
                "lower bound" if r["family"] == "bound" else f"`{r['method'].split()[0]}`",
                number(r["gcp"]),
                fixed(number(r["seconds"]), 3),
                number(r["are"]),
                fixed(number(r["suppressed_rows"]), 0),
                fixed(number(r["groups"]), 0),
                "the default" if r["method"] == "shoal 5" else r["note"],
            ]
            for r in sorted(rows, key=lambda r: number(r["gcp"]))
        ],
    )


# ---- KACA ----

def kaca():
    rows = load("kaca")
    if not rows:
        return
    names = {"kaca": "KACA", "incognito": "Incognito"}
    figure = Figure(
        "kaca",
        "KACA against Incognito",
        "Adult, 45,222 rows; uniform weights, height weights dashed",
    )
    for k in ("2", "10"):
        for field, title in (
            ("distortion_ratio", "Distortion ratio"),
            ("seconds", "Processor seconds"),
        ):
            figure.panel(
                f"{title}, k = {k}", "quasi-identifiers", *(["logy"] if field == "seconds" else [])
            )
            figure.curves(pick(rows, k=k, weights="uniform"), "size", field, "method", names)
            if field == "distortion_ratio":
                for colour, method in enumerate(names):
                    figure.curve(
                        "",
                        colour,
                        [
                            (number(r["size"]), number(r[field]))
                            for r in pick(rows, k=k, weights="height", method=method)
                        ],
                        "dashed",
                    )
    figure.draw()
    body, ratios = [], {}
    for size in values(rows, "size"):
        line = [size]
        for k in ("2", "10"):
            for weights in ("uniform", "height"):
                pair = [
                    one(rows, "distortion_ratio", k=k, size=size, weights=weights, method=m)
                    for m in names
                ]
                ratios.setdefault((k, weights), []).append(pair)
                line += [pair[0], pair[1], fixed(pair[1] / pair[0], 1)]
        body.append(line[:4] + line[7:10] + [line[6], line[12]])
    sums = {
        key: (mean([p[0] for p in pairs]), mean([p[1] for p in pairs]))
        for key, pairs in ratios.items()
    }
    tail = ["mean"]
    for k in ("2", "10"):
        tail += [
            sums[k, "uniform"][0],
            sums[k, "uniform"][1],
            fixed(sums[k, "uniform"][1] / sums[k, "uniform"][0], 1),
        ]
    tail += [fixed(sums[k, "height"][1] / sums[k, "height"][0], 1) for k in ("2", "10")]
    table("kaca", [
        "quasi-identifiers", "KACA, k = 2", "Incognito", "times", "KACA, k = 10", "Incognito",
        "times", "height weights: times, k = 2", "k = 10",
    ], body + [tail])


# ---- DBCA ----

def dbca():
    rows = load("dbca")
    if not rows:
        return
    names = {
        "mondrian": "Mondrian (MPA)", "dbca": "DBCA", "dbca-cm": "DBCA:CM", "kaca": "KACA",
        "kmembers": "K-Members", "shoal": "shoal",
    }
    figure = Figure(
        "dbca",
        "DBCA and DBCA:CM against Mondrian",
        "Adult, 45,222 rows, eight quasi-identifiers; class: salary",
    )
    for title, field, priorities, flags in (
        ("Distortion", "distortion", "equal", []),
        ("Classification metric (CM)", "cm", "equal", []),
        ("Distortion with priorities, weighted by them", "distortion", "falling", []),
        ("Processor seconds", "seconds", "equal", ["logy"]),
    ):
        figure.panel(title, "k", "logx", *flags)
        figure.curves(pick(rows, priorities=priorities), "k", field, "method", names)
    figure.draw()
    three = ["dbca-cm", "dbca", "mondrian"]
    heads = ["DBCA:CM", "DBCA", "Mondrian"]
    if pick(rows, method="kmembers"):
        three.append("kmembers")
        heads.append("K-Members")
    body = []
    for k in values(rows, "k"):
        line = [k]
        for field, priorities in (
            ("distortion", "equal"),
            ("distortion", "falling"),
            ("cm", "equal"),
            ("seconds", "equal"),
        ):
            line += [
                fixed(
                    one(rows, field, k=k, priorities=priorities, method=m),
                    2 if field == "seconds" else 4,
                )
                for m in three
            ]
        body.append(line)
    table(
        "dbca",
        ["k"]
        + [
            part + head if head == heads[0] else head
            for part in ("distortion: ", "with priorities: ", "CM: ", "seconds: ")
            for head in heads
        ],
        body,
    )


# ---- KOC ----

def koc():
    rows = load("koc")
    if not rows:
        return
    names = {
        "koc": "KOC",
        "koc-split": "KOC, split in two",
        "koc-printed": "KOC, Fig. 5's dispersal",
        "koc-spread": "KOC, centres spread",
        "kmeans-fill": "k-means, groups filled up",
        "kmeans": "k-means, groups dissolved",
    }
    figure = Figure(
        "koc",
        "KOC against k-means",
        "Adult, 45,222 rows, seven quasi-identifiers (the last panel: k = 50)",
    )
    seven = pick(rows, size="7")
    for title, field, wid in (
        ("Loss, without WID", "loss", "off"),
        ("Loss, with WID", "loss", "on"),
        ("Processor seconds", "seconds", "off"),
    ):
        figure.panel(title, "k")
        figure.curves(pick(seven, wid=wid), "k", field, "method", names)
    figure.panel("Processor seconds, k = 50", "quasi-identifiers")
    figure.curves(
        sorted(pick(rows, wid="off", k="50"), key=lambda r: number(r["size"])),
        "size",
        "seconds",
        "method",
        {k: names[k] for k in ("koc",)},
    )
    figure.curve(
        "",
        2,
        [
            (number(r["size"]), number(r["seconds"]))
            for r in sorted(
                pick(rows, wid="off", k="50", method="kmeans-fill"), key=lambda r: number(r["size"])
            )
        ],
    )
    figure.draw()
    ours = ("koc", "koc-split", "koc-printed", "koc-spread")
    for wid in ("off", "on"):
        body, ratios = [], []
        for k in values(seven, "k"):
            loss = {m: one(seven, "loss", k=k, wid=wid, method=m) for m in names}
            rival = min(loss["kmeans"], loss["kmeans-fill"])
            ratios.append([rival / loss[m] for m in ours])
            body.append([k] + list(loss.values()) + [fixed(x, 2) for x in ratios[-1]])
        body.append(
            ["mean"] + [""] * len(names) + [fixed(mean(column), 2) for column in zip(*ratios)]
        )
        table(
            f"koc-{wid}",
            ["k", "KOC", "split", "Fig. 5", "spread", "k-means, filled", "k-means, dissolved"]
            + ["better k-means / KOC", "/ split", "/ Fig. 5", "/ spread"],
            body,
        )


# ---- MRG ----

def toc():
    rows = load("toc")
    if not rows:
        return
    for r in rows:
        r["score"] = str(
            float(r["w_u"]) * number(r["um"]) + (1 - float(r["w_u"])) * number(r["mpm"])
        )
    names = {
        "mrg-printed": "MRG, Algorithm 2 as printed", "mrg": "MRG, Algorithm 2 repaired",
        "mrg-whole": "MRG without parts", "toc": "toc, by linkage",
        "mondrian": "Mondrian", "kmembers": "K-Members", "kmembers-p": "K-Members-p",
    }
    trade = pick(rows, part="trade-off")
    figure = Figure(
        "toc",
        "Utility against protection: MRG",
        "Adult, 30,162 rows, w_u = w_p = 0.5; UM and MPM: less is better",
    )
    for title, field, flags in (
        ("UM / 2 + MPM / 2", "score", []),
        ("UM: what groups lose", "um", []),
        ("MPM: similarity of sensitive values", "mpm", []),
        ("DM", "dm", ["logy"]),
    ):
        figure.panel(title, "k", "logx", *flags)
        figure.curves(trade, "k", field, "method", names)
    figure.draw()
    figure = Figure("toc-weights", "MRG: weights and time")
    for title, field in (("UM against w_u, k = 10", "um"), ("MPM against w_u, k = 10", "mpm")):
        figure.panel(title, "w_u")
        weights = pick(rows, part="weights", source=trade[0]["source"])
        for colour, method in enumerate(("mrg-printed", "mrg", "mrg-whole")):
            figure.curve(
                names[method],
                colour,
                sorted((number(r["w_u"]), number(r[field])) for r in pick(weights, method=method)),
            )
        figure.curve(
            "MRG repaired, normal integers",
            7,
            [
                (number(r["w_u"]), number(r[field]))
                for r in pick(rows, part="weights", source="normal", method="mrg")
            ],
        )
    figure.panel("Processor seconds against rows, k = 5", "rows", "logx", "logy")
    runtime = pick(rows, part="runtime")
    for colour, method in (
        (0, "mrg-printed"),
        (1, "mrg"),
        (2, "mrg-whole"),
        (4, "mondrian"),
        (5, "kmembers"),
        (6, "kmembers by scan"),
    ):
        figure.curve(
            method if colour > 3 else "",
            colour,
            [(number(r["x"]), number(r["seconds"])) for r in pick(runtime, method=method)],
        )
    figure.panel("Processor seconds against rows of a part, k = 10", "s", "logx")
    figure.curve("", 0, [
        (number(r["x"]), number(r["seconds"]))
        for r in pick(rows, part="parts")
        if r["method"] != "mrg-printed"
    ])
    # The legend is that of the first panel: name there what the third one draws.
    legend = [
        f"curve\t{name}\t{colour}"
        for colour, name in ((4, "Mondrian"), (5, "K-Members, tree"), (6, "K-Members, scan"))
    ]
    second = [i for i, line in enumerate(figure.lines) if line.startswith("panel")][1]
    figure.lines = figure.lines[:second] + legend + figure.lines[second:]
    figure.lines = [
        re.sub(r"^curve\t(mondrian|kmembers.*?)\t", "curve\t\t", line) for line in figure.lines
    ]
    figure.draw()
    body = []
    for method, name in names.items():
        body.append(
            [name]
            + [one(trade, "score", k=k, method=method) for k in values(trade, "k")]
            + [
                one(trade, "um", k="10", method=method),
                one(trade, "mpm", k="10", method=method),
                one(trade, "gcp", k="10", method=method),
                fixed(one(trade, "seconds", k="10", method=method), 2),
            ]
        )
    table(
        "toc",
        ["score"]
        + [f"k = {k}" for k in values(trade, "k")]
        + ["k = 10: UM", "MPM", "gcp", "seconds"],
        body,
    )
    flat = pick(rows, part="flat")
    if flat:
        table(
            "toc-flat",
            ["flat hierarchies"]
            + [f"{field.upper()}, k = {k}" for field in ("um", "mpm") for k in values(flat, "k")],
            [
                [name]
                + [
                    one(flat, field, k=k, method=method)
                    for field in ("um", "mpm")
                    for k in values(flat, "k")
                ]
                for method, name in names.items()
                if pick(flat, method=method)
            ],
        )
    table(
        "toc-dm",
        ["DM / 10^6"] + [f"k = {k}" for k in values(trade, "k")],
        [
            [name]
            + [fixed(one(trade, "dm", k=k, method=method) / 1e6, 3) for k in values(trade, "k")]
            for method, name in names.items()
            if pick(trade, method=method)
        ],
    )
    body = []
    for n in values(runtime, "x"):
        body.append(
            [f"{int(n):,}"]
            + [
                fixed(one(runtime, "seconds", x=n, method=m), 3)
                for m in (
                    "mondrian", "mrg-printed", "mrg", "mrg-whole", "kmembers", "kmembers by scan",
                )
            ]
        )
    table("toc-time", [
        "rows", "Mondrian", "MRG as printed", "MRG repaired", "MRG without parts",
        "K-Members, tree", "K-Members, scan",
    ], body)


def rql():
    rows = load("rql")
    if not rows:
        return
    claims = {
        "sample": {},
        "sigma": {"0.5": "0", "1": "0", "2.5": "0.041", "5": "0.0008"},
        "k": {"2": "0.00001", "5": "0", "10": "0.00001", "50": "0", "100": "0.0075"},
        "iterations": {"2": "0.041", "3": "0.00003", "4": "0.00003", "5": "0.00003", "6": "0"},
        "s": {"2": "0", "5": "0.0004", "10": "0.0106", "50": "0.0221", "100": "0.0204"},
    }
    names = {
        "sample": "sample, rows",
        "sigma": "standard deviation",
        "k": "k",
        "iterations": "iterations",
        "s": "rows of a part (s), k",
    }
    table(
        "rql",
        [
            "reading",
            "varied",
            "value",
            "UM + MPM found",
            "best of 16 deltas, or of all s",
            "RQL",
            "the thesis",
        ],
        [
            [
                "as printed" if r["reading"] == "mrg-printed" else "repaired",
                names[r["vary"]],
                r["x"],
                number(r["score"]),
                number(r["best"]),
                number(r["rql"]),
                claims[r["vary"]].get(r["x"], ""),
            ]
            for r in rows
        ],
    )


# ---- queries ----

def queries():
    rows = load("queries")
    if not rows:
        return
    names = {
        "mondrian": "Mondrian", "kmembers": "K-Members", "mrg-printed-b": "MRGB as printed",
        "mrg-printed-u": "MRGU as printed", "mrg-printed-p": "MRGP as printed",
        "mrg-b": "MRGB repaired", "mrg-u": "MRGU repaired", "mrg-p": "MRGP repaired",
        "mrg-whole-b": "MRGB without parts", "shoal": "shoal",
    }
    figure = Figure(
        "queries",
        "Query error: average relative error (A.R.E.)",
        "Adult, 30,162 rows; 10,000 queries. Type-1: age, gender, income; type-2: race and work"
        " class besides",
    )
    for kind in ("1", "2"):
        figure.panel(f"A.R.E. of type-{kind} queries", "k", "logx", "logy")
        figure.curves(pick(rows, type=kind), "k", "are", "method", names)
    figure.draw()
    for kind in ("1", "2"):
        part = pick(rows, type=kind)
        thesis = [m for m in names if m in (
            "mondrian", "kmembers", "mrg-b", "mrg-u", "mrg-p", "mrg-whole-b", "mrg-printed-b",
            "mrg-printed-u", "mrg-printed-p",
        )]
        body = []
        for method, name in names.items():
            line = [name]
            for k in values(part, "k"):
                x, field = one(part, "are", k=k, method=method), [
                    one(part, "are", k=k, method=m) for m in thesis
                ]
                field = [f for f in field if f == f]
                normal = (x - min(field)) / (max(field) - min(field))
                line.append(
                    f"{fixed(x, 3)} ({fixed(normal, 2)})"
                    if method in thesis and x == x
                    else fixed(x, 3)
                )
            body.append(line)
        table(f"queries-{kind}", [f"type-{kind}"] + [f"k = {k}" for k in values(part, "k")], body)


# ---- UPC ----

UPC = {
    "upc-printed": "UPC, Algorithm 2 as printed",
    "upc": "UPC, repaired",
    "incognito l": "Incognito, (2,2)-diversity",
    "incognito t": "Incognito, t = 0.9",
    "personalised": "Personalised",
}


def upc():
    rows = load("upc")
    if not rows:
        return
    part = pick(rows, part="census")
    figure = Figure(
        "upc",
        "UPC against methods that limit protection alone",
        "100,000 generated persons, five quasi-identifiers, sensitive income; U = 0.7, P = 0.5."
        " Both Incognitos publish the same: their limits do not bind",
    )
    for title, field in (
        ("WGU: what the worst group loses", "wgu"),
        ("WGP: what the worst group gives away", "wgp"),
        ("UM", "um"),
    ):
        figure.panel(title, "k", "logx")
        figure.curves(part, "k", field, "method", UPC)
    figure.panel("Query error (A.R.E.), a range of incomes", "k", "logx", "logy")
    figure.curves(part, "k", "are_range", "method", UPC)
    figure.draw()
    table(
        "upc",
        [
            "k",
            "method",
            "groups",
            "suppressed",
            "UM",
            "WGU",
            "WGP",
            "A.R.E., range of incomes",
            "median",
            "A.R.E., one income",
            "median",
            "seconds",
        ],
        [
            [
                r["k"],
                UPC[r["method"]],
                fixed(number(r["groups"]), 0),
                fixed(number(r["suppressed"]), 0),
                number(r["um"]),
                number(r["wgu"]),
                number(r["wgp"]),
                number(r["are_range"]),
                number(r["median_range"]),
                number(r["are_value"]),
                number(r["median_value"]),
                fixed(number(r["seconds"]), 2),
            ]
            for r in part
        ],
    )
    table(
        "upc-guarantee",
        ["k", "method", "delta", "groups", "suppressed", "UM", "WGU", "WGP"],
        [
            [
                r["k"],
                UPC.get(r["method"], "MRG"),
                r["x"] if r["method"] == "mrg" else "",
                fixed(number(r["groups"]), 0),
                fixed(number(r["suppressed"]), 0),
                number(r["um"]),
                number(r["wgu"]),
                number(r["wgp"]),
            ]
            for r in pick(rows, part="guarantee")
        ],
    )
    upc_growth(rows)
    upc_normal(rows)


def upc_growth(rows):
    names = dict(UPC, mondrian="Mondrian")
    figure = Figure(
        "upc-growth", "Time against rows and quasi-identifiers", "Generated persons, k = 5"
    )
    figure.panel("Processor seconds, five quasi-identifiers", "rows", "logx", "logy")
    figure.curves(pick(rows, part="rows"), "x", "seconds", "method", names)
    figure.panel("Processor seconds, 100,000 rows", "quasi-identifiers", "logy")
    figure.curves(pick(rows, part="columns"), "x", "seconds", "method", names)
    figure.draw()
    for which, head in (("rows", "rows"), ("columns", "quasi-identifiers")):
        part = pick(rows, part=which)
        table(
            f"upc-{which}",
            [head] + list(names.values()),
            [
                [f"{int(x):,}"] + [fixed(one(part, "seconds", x=x, method=m), 3) for m in names]
                for x in values(part, "x")
            ],
        )


def upc_normal(rows):
    part = pick(rows, part="normal")
    names = {
        "upc-printed": UPC["upc-printed"],
        "upc": UPC["upc"],
        "kmembers": "K-Members",
        "kmembers-p": "K-Members-p",
        "incognito t": "Incognito, t = 0.8",
    }
    figure = Figure(
        "upc-normal",
        "UPC on normally distributed integers",
        "50,000 rows, five quasi-identifiers, two sensitive columns; U is the WGU of K-Members, P"
        " = 0.7",
    )
    for title, field, flags in (
        ("UM", "um", []),
        ("WGU", "wgu", []),
        ("WGP", "wgp", []),
        ("Query error (A.R.E.)", "are_value", ["logy"]),
    ):
        figure.panel(title, "k", "logx", *flags)
        figure.curves(part, "k", field, "method", names)
    figure.draw()
    both = any(r.get("are_both") for r in part)  # one quasi-identifier and both sensitive columns
    table(
        "upc-normal",
        ["k", "method", "suppressed", "UM", "WGU", "WGP", "A.R.E.", "median error"]
        + (["A.R.E., both sensitive columns", "median error"] if both else []),
        [
            [
                r["k"],
                names[r["method"]],
                fixed(number(r["suppressed"]), 0),
                number(r["um"]),
                number(r["wgu"]),
                number(r["wgp"]),
                number(r["are_value"]),
                number(r["median_value"]),
            ]
            + ([number(r["are_both"]), number(r["median_both"])] if both else [])
            for r in part
        ],
    )
    part = pick(rows, part="policies")
    thesis = {
        "2": (3.728, 3.755, 3.763, 4.164, 42.661),
        "5": (3.805, 3.806, 3.906, 4.220, 42.661),
        "10": (3.839, 3.861, 3.902, 4.220, 42.646),
        "25": (3.855, 3.879, 3.934, 4.247, 42.667),
        "50": (5.686, 5.594, 5.621, 5.718, 43.227),
    }
    policies = values(part, "x")
    table(
        "upc-policies",
        ["k"]
        + [f"A.R.E., {p}" for p in policies]
        + [f"UM, {p}" for p in policies]
        + [f"suppressed, {p}" for p in policies]
        + ["the thesis: A.R.E., P1 ... P5"],
        [
            [k]
            + [
                fixed(one(part, f, k=k, x=p), d)
                for f, d in (("are_value", 3), ("um", 3), ("suppressed", 0))
                for p in policies
            ]
            + [", ".join(f"{t:.2f}" for t in thesis[k])]
            for k in values(part, "k")
        ],
    )
    figure = Figure(
        "upc-limits",
        "What the limits U and P cost",
        "50,000 rows of normally distributed integers, k = 25, policy P5; 100 % suppressed: no such"
        " release",
    )
    for title, field in (("UM", "um"), ("Suppressed rows, %", "suppressed")):
        for which, label in (("limit-P", "P (U = 0.3)"), ("limit-U", "U (P = 0.5)")):
            figure.panel(title, label)
            points = []
            for r in pick(rows, part=which, method="upc"):
                y = number(r[field])
                points.append(
                    (number(r["x"]), (100.0 if y != y else y / 500) if field == "suppressed" else y)
                )
            figure.curve("UPC", 0, points)
    figure.draw()


# ---- classifiers ----

def classify():
    rows = load("classify")
    if not rows:
        return
    classifiers = [
        c
        for c in ("decision-tree", "logistic-regression", "svm", "svm-rbf", "naive-bayes")
        if pick(rows, classifier=c)
    ]
    names = {
        "iack": "IACk",
        "infogain-mondrian": "InfoGain Mondrian",
        "iack-further": "IACk, further levels",
    }
    titles = {
        "eight": "Eight quasi-identifiers",
        "four": "Four quasi-identifiers, four other columns",
    }
    for setting, title in titles.items():
        figure = Figure(
            f"classify-{setting}",
            f"Accuracy of classifiers that learnt from releases: {title.lower()}",
            "Adult, 45,222 rows, ten folds; every training part released on its own. Dashed: the"
            " original",
        )
        for classifier in classifiers:
            part = pick(rows, setting=setting, classifier=classifier)
            if not part:
                continue
            figure.panel(
                {
                    "svm": "support vector machine (linear)",
                    "svm-rbf": "support vector machine (RBF)",
                }.get(classifier, classifier.replace("-", " ")),
                "k",
                "logx",
                "freey",
            )
            figure.curves(part, "k", "accuracy", "method", names)
            figure.curve(
                "",
                7,
                [
                    (number(r["k"]), number(r["original_accuracy"]))
                    for r in pick(part, method="iack")
                ],
                "dashed",
            )
        figure.draw()
        body = []
        for classifier in classifiers:
            part = pick(rows, setting=setting, classifier=classifier)
            for method, name in names.items():
                if not pick(part, method=method):
                    continue
                body.append(
                    [classifier, name]
                    + [
                        one(part, "accuracy", k=k, method=method)
                        for k in values(pick(rows, setting=setting), "k")
                    ]
                    + [mean([number(r["original_accuracy"]) for r in part])]
                )
        if body:
            table(
                f"classify-{setting}",
                ["classifier", "method"]
                + [f"k = {k}" for k in values(pick(rows, setting=setting), "k")]
                + ["original"],
                body,
            )
    table(
        "classify-time",
        ["setting", "method"] + [f"k = {k}" for k in values(rows, "k")],
        [
            [titles[s], names[m]]
            + [fixed(one(rows, "seconds", setting=s, method=m, k=k), 3) for k in values(rows, "k")]
            for s in titles
            for m in ("iack", "infogain-mondrian")
        ],
    )


for make in (methods, kaca, dbca, koc, toc, rql, queries, upc, classify):
    make()
claim_tables(load)
stale = []
for page in PAGES:
    with open(page) as file:
        before = file.read()
    after = page_with(before, tables)
    if CHECK and after != before:
        stale.append(page)
    elif after != before:
        with open(page, "w") as file:
            file.write(after)
for page in stale:
    print(f"{page}: differs from {RESULTS}; run bench/experiments/pages", file=sys.stderr)
sys.exit(1 if stale else 0)
