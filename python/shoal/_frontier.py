# SPDX-License-Identifier: Apache-2.0
"""Loss against protection: the same table released for many k, models or parameters, by one method
or several.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple

from ._api import AnyPlan, Hierarchies, Models, _only, _population, _prepare, _read, _need_qids
from ._ask import ask
from ._card import _STYLE, _number
from ._errors import usage
from ._plan import Columns, Formats, Ordered, build_plan, listed
from ._progress import Progress, watching
from ._record import Record


class Frontier:
    """Releases that were tried, one row each: ``rows`` (records), ``frame`` (a pandas or polars
    frame), ``plot()`` (an SVG).

    A row has algorithm, vary, value, k, gcp, um, wgu, dm, cavg, groups, suppressed_rows, mpm, wgp,
    risk_max, risk_mean, are, median_error, seconds, ``lower_bound`` and ``knee``: is it the release
    of its method that is furthest below the line from the first to the last?
    """

    def __init__(self, rows: List[Record], vary: str) -> None:
        self.rows = rows
        self.vary = vary

    @property
    def frame(self) -> Any:
        """A tidy frame: pandas where it is installed, else polars."""
        plain = [dict(row) for row in self.rows]
        try:
            import pandas as pd

            return pd.DataFrame(plain)
        except ImportError:
            import polars as pl

            return pl.DataFrame(plain)

    @property
    def knees(self) -> List[Record]:
        return [row for row in self.rows if row["knee"]]

    def plot(self, y: str = "gcp", x: Optional[str] = None) -> "Picture":
        """A plot of one number against another (default: against the varied parameter); rings are
        knees.
        """
        return Picture(_svg(self.rows, x or ("k" if self.vary == "k" else "x"), y, x or self.vary))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Frontier({len(self.rows)} releases, {self.vary} varies)"

    def _repr_html_(self) -> str:
        heads = ("algorithm", "value", "k", "gcp", "risk_max", "are", "groups", "seconds")
        head = "".join(f'<th style="text-align:right;padding:0 8px">{name}</th>' for name in heads)
        body = "".join(
            "<tr>"
            + "".join(
                f'<td style="text-align:right;padding:0 8px">{_number(row[name])}</td>'
                for name in heads
            )
            + ("<td>knee</td>" if row["knee"] else "")
            + "</tr>"
            for row in self.rows
        )
        return f'<div style="{_STYLE}"><table><tr>{head}</tr>{body}</table>{self.plot()}</div>'


class Picture(str):
    """An SVG, displayed by notebooks."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Any) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


_COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280", "#4a5568")


def _svg(rows: Sequence[Record], x: str, y: str, label: str) -> str:
    points = [
        (row, float(row[x]), float(row[y]))
        for row in rows
        if row.get(x) is not None and row.get(y) is not None
    ]
    if not points:
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="40"><text x="8" y="24">no'
            " release</text></svg>"
        )
    low, high = min(p[1] for p in points), max(p[1] for p in points)
    top = max(p[2] for p in points) or 1.0
    bounds = sorted(
        {
            (px, float(row["lower_bound"]))
            for row, px, _ in points
            if y == "gcp" and x in ("k", "x") and row.get("lower_bound") is not None
        }
    )
    names = list(dict.fromkeys(row["algorithm"] for row in rows))

    def at(px: float, py: float) -> Tuple[float, float]:
        return 56 + 300 * ((px - low) / (high - low) if high > low else 0.5), 220 - 190 * py / top

    parts = [
        '<line x1="56" y1="220" x2="360" y2="220" stroke="#888"/><line x1="56" y1="26" x2="56"'
        ' y2="220" stroke="#888"/>'
    ]
    for i, name in enumerate(names):
        colour = _COLOURS[i % len(_COLOURS)]
        own = [(at(px, py), row) for row, px, py in points if row["algorithm"] == name]
        path = " ".join(f"{px:.1f},{py:.1f}" for (px, py), _ in own)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        )
        for (px, py), row in own:
            parts.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>')
            if row["knee"]:
                parts.append(
                    f'<circle cx="{px:.1f}" cy="{py:.1f}" r="7" fill="none" stroke="{colour}"/>'
                )
        parts.append(
            f'<text x="370" y="{40 + 16 * i}" font-size="11" fill="{colour}">{escape(name)}</text>'
        )
    if bounds:
        path = " ".join("{:.1f},{:.1f}".format(*at(px, py)) for px, py in bounds)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="#888" stroke-width="1.5"'
            ' stroke-dasharray="5 4"/>'
        )
        parts.append(
            f'<text x="370" y="{40 + 16 * len(names)}" font-size="11" fill="#888">lower'
            " bound</text>"
        )
    ticks = [(low, 220, f"{low:g}"), (high, 220, f"{high:g}")]
    parts += [
        f'<text x="{at(px, 0)[0]:.1f}" y="234" font-size="11" text-anchor="middle"'
        f' fill="currentColor">{text}</text>'
        for px, _, text in ticks
    ]
    parts.append(
        f'<text x="50" y="34" font-size="11" text-anchor="end" fill="currentColor">{top:.3g}</text>'
    )
    parts.append(
        '<text x="206" y="248" font-size="12" text-anchor="middle"'
        f' fill="currentColor">{escape(label)}</text>'
    )
    parts.append(f'<text x="56" y="16" font-size="12" fill="currentColor">{escape(y)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="480" height="256">{"".join(parts)}</svg>'
    )


def _number_of(value: str, place: int) -> float:
    """The last number in a value ("distinct:3" is 3), or its place in the list."""
    found = re.search(r"[0-9.]+$", value)
    return float(found.group()) if found else place + 1.0


def frontier(
    table: Any,
    qids: Columns = None,
    ks: Iterable[int] = (2, 5, 10, 25, 50, 100),
    *,
    algorithms: Columns = None,
    vary: Optional[Tuple[str, Iterable[Any]]] = None,
    queries: int = 10_000,
    bound: bool = True,
    dimensions: Optional[int] = None,
    hierarchies: Hierarchies = None,
    sensitive: Columns = None,
    models: Models = None,
    class_: Columns = None,
    identifiers: Columns = None,
    entity: Columns = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    sensitive_ranges: Any = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    domain: Optional[str] = None,
    recoding: Optional[str] = None,
    priority: Any = None,
    weights: Any = None,
    max_level: Any = None,
    suppression_limit: Optional[float] = None,
    suppressed: Optional[str] = None,
    population: Any = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    time_limit: Optional[float] = None,
    params: Optional[Mapping[str, Any]] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
    **given: Any,
) -> Frontier:
    """Loss, risk and query error of releases with increasing privacy parameters. Each is made,
    verified and measured in memory, and then freed.

    ``vary=("l-diversity", ["distinct:2", "distinct:3"])`` varies a model, or a parameter of the
    method, for each of ``ks``.
    ``lower_bound`` of a row: no release with its k loses less; ``bound=False`` skips it, to save
    time.

    >>> import pandas as pd, shoal
    >>> people = pd.DataFrame({"age": range(40), "sex": ["f", "m"] * 20})
    >>> found = shoal.frontier(people, qids=["age", "sex"], ks=[2, 5, 10], queries=50)
    >>> [row.k for row in found.rows], found.rows[0].gcp < found.rows[-1].gcp
    ([2, 5, 10], True)
    """
    settings = {key: value for key, value in locals().items()
            if key not in (
                "table", "plan", "given", "population", "progress", "ks", "algorithms", "vary",
                "queries", "bound", "dimensions",
            )}
    names = [str(name) for name in listed(algorithms)]
    made = build_plan(plan, settings, given, names).replace(k=None)
    numbers = [int(k) for k in ([ks] if isinstance(ks, int) else ks)]
    if not numbers or min(numbers) < 2:
        raise usage("each k must be a whole number of at least 2", "write ks=[2, 5, 10]")
    varied, values = (str(vary[0]), [str(value) for value in vary[1]]) if vary else (None, [])
    _need_qids(made)
    made = made.replace(rest="drop")
    frame, wanted = _prepare(
        table, made, complete=True, roles=("quasi", "sensitive", "class", "entity")
    )
    tables = [("original", _read(frame, wanted)), ("population", _population(population, made))]
    with watching(progress) as callback:
        found = ask(
            "frontier",
            _only(made, frame, wanted)._job(),
            tables,
            callback,
            ks=numbers,
            algorithms=[str(name) for name in listed(algorithms)],
            vary=varied,
            values=values,
            queries=queries,
            dimensions=dimensions,
            without_bound=not bound,
        )
    rows = [
        Record(
            algorithm=series.algorithm,
            vary=found.vary,
            x=_number_of(point.value, place),
            **point,
            knee=point.value == series.knee,
        )
        for series in found.series
        for place, point in enumerate(series.points)
    ]
    return Frontier(rows, found.vary)
