# SPDX-License-Identifier: Apache-2.0
"""A table of counted tuples in parts: where to cut, the release of one part, and which groups are
worth grouping again.

A cut is at one value of one quasi-identifier, as in Mondrian. The choice is made by a sample that
was grouped as a whole: the cut that runs through the fewest of its groups, among those that leave a
fifth of the tuples on either side. A group is worth taking apart where its rows lose more than it
costs to reach the other side of the nearest cut; such groups of several parts are regrouped
together, and what then does not lose less is left as it was. What a text loses, and what a group
may publish, the library says.
"""

from __future__ import annotations

import copy
import csv
import io
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import _core, _counted
from ._counted import CATEGORICAL, DATE, NUMERIC, Request
from ._errors import ShoalError
from ._hierarchy import Hierarchy
from ._plan import Plan

_LEAST_SIDE = 0.2  # of the tuples of a part on either side of a cut
_OFF_BALANCE = 0.02  # share of tuples in crossed groups that a cut at the very edge must save
MOST_TAKEN = 0.25  # of the tuples of a part are regrouped


def _numpy() -> Any:
    import numpy

    return numpy


# ---- domains ----


class Domain:
    """The values of each quasi-identifier in the whole table: what losses are measured by, and how
    values are ordered for cuts.

    ``values`` has the distinct texts of each one, or just the least and the greatest of plain
    numbers and days.
    """

    def __init__(self, request: Request, values: Mapping[str, Any]) -> None:
        pa = _counted.arrow()
        self.request = request
        self.values = {name: pa.array(column, pa.string()) for name, column in values.items()}
        self.kinds = {name: self._kind(name) for name in request.qids}
        self._order = {
            name: self._sorted(name) for name, kind in self.kinds.items() if kind == CATEGORICAL
        }
        self.widths = {name: self._width(name) for name in request.qids}

    def _kind(self, name: str) -> str:
        """Numbers and days are positions as they are; what cannot be read as one is a category."""
        kind = column_type(self.request, name)
        if kind in (NUMERIC, DATE):
            try:
                _read_positions(self.values[name], kind)
                return kind
            except _counted.arrow().ArrowInvalid:
                pass
        return CATEGORICAL

    def _sorted(self, name: str) -> Any:
        """Values of a hierarchy by their paths from the root, so that those below one node are
        beside each other; others by their text.
        """
        texts = [text for text in self.values[name].to_pylist() if text is not None]
        hierarchy = self.request.plan.hierarchies.get(name)
        paths: Dict[str, List[str]] = {}
        if hierarchy is not None and not hierarchy.is_recipe:
            rows = csv.reader(io.StringIO(hierarchy.text), delimiter=";")
            paths = {row[0]: row[::-1] for row in rows if row}
        return _counted.arrow().array(
            sorted(texts, key=lambda text: (paths.get(text, []), text)), _counted.arrow().string()
        )

    def _width(self, name: str) -> float:
        np = _numpy()
        if self.kinds[name] == CATEGORICAL:
            return float(max(len(self._order[name]) - 1, 1))
        at = self.positions(name, self.values[name])
        at = at[np.isfinite(at)]
        return float(at.max() - at.min()) or 1.0 if len(at) else 1.0

    def positions(self, name: str, texts: Any) -> Any:
        """Where texts are along a quasi-identifier, as numbers; missing ones come first."""
        np, pc = _numpy(), _counted.arrow().compute
        kind = self.kinds[name]
        found = (
            pc.index_in(texts, value_set=self._order[name])
            if kind == CATEGORICAL
            else _read_positions(texts, kind)
        )
        return np.asarray(pc.fill_null(found.cast("float64"), -np.inf))

    def points(self, tuples: Any) -> Any:
        """A row of positions for each tuple."""
        np = _numpy()
        columns = [self.positions(name, _whole(tuples.column(name))) for name in self.request.qids]
        return np.stack(columns, axis=1) if columns else np.zeros((len(tuples), 0))

    def losses(self, name: str, texts: Any) -> Any:
        """What each of these published texts loses, by the domain of the whole table."""
        np = _numpy()
        encoded = _whole(texts).dictionary_encode()
        each = self.losses_of(name, encoded.dictionary.to_pylist(), self.values[name])
        at = encoded.indices
        return (
            np.asarray(each)[np.asarray(at.fill_null(0))] * np.asarray(at.is_valid())
            if len(each)
            else np.zeros(len(texts))
        )

    def losses_of(self, name: str, texts: List[str], values: Any) -> List[float]:
        """The same by a domain of these values."""
        request = self.request
        columns = [
            {**column, "type": column_type(request, name)}
            for column in request.plan.columns
            if column["name"] == name
        ]
        fields = {
            key: value
            for key, value in request.plan.fields.items()
            if key in ("input", "domain", "on-missing", "hierarchies")
        }
        fields["input"] = {
            key: value
            for key, value in request.plan.get("input", {}).items()
            if key in ("nulls", "missing")
        }
        for column in columns:
            column.pop("priority", None)
        text, trees = Plan(
            {**{key: value for key, value in fields.items() if value}, "columns": columns},
            request.plan.hierarchies,
        )._job()
        table = _counted.arrow().table(
            {name: _counted.arrow().compute.fill_null(values, request.nulls[0])}
        )
        return _core.text_losses(text, table.__arrow_c_stream__(), trees, name, texts)


def column_type(request: Request, name: str) -> str:
    """numeric, date or categorical, as the library will take it."""
    return request.type_of(
        next(column for column in request.plan.columns if column["name"] == name)
    )


def has_tree(request: Request, name: str) -> bool:
    """May there be a hierarchy? With a folder of them it is not known yet."""
    plan = request.plan
    return (
        name in plan.hierarchies
        or "hierarchies" in plan.fields
        or any("hierarchy" in column for column in plan.columns if column["name"] == name)
    )


def _read_positions(texts: Any, kind: str) -> Any:
    pa = _counted.arrow()
    return (
        texts.cast(pa.float64())
        if kind == NUMERIC
        else texts.cast(pa.date32()).cast(pa.int32()).cast(pa.float64())
    )


def _whole(column: Any) -> Any:
    pa = _counted.arrow()
    if not isinstance(column, pa.ChunkedArray):
        return column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def with_built_trees(request: Request, values: Mapping[str, Any]) -> Request:
    """Recipes of hierarchies carried out on the values of the whole table: on those of a part they
    would give other labels.
    """
    plan = request.plan
    trees = dict(plan.hierarchies)
    columns = []
    for column in plan.columns:
        spec = column.get("hierarchy", "")
        if spec.startswith("build:"):
            column = {key: value for key, value in column.items() if key != "hierarchy"}
            trees.setdefault(column["name"], Hierarchy(spec=spec[len("build:"):]))
        columns.append(column)
    for name, tree in trees.items():
        if tree.is_recipe and name in values:
            trees[name] = tree.over([text for text in values[name].to_pylist() if text is not None])
    made = copy.copy(request)
    made.plan = Plan({**plan.fields, "columns": columns}, trees)
    return made


# ---- cuts ----


class Cut(NamedTuple):
    """Positions up to ``left`` along quasi-identifier number ``axis`` are on one side, those from
    ``right`` on the other.
    """

    axis: int
    left: float
    right: float


class Cuts:
    """A tree of cuts; its leaves are the parts. A node is (cut, node on the left, node on the
    right), a leaf ~(number of its part).
    """

    def __init__(self) -> None:
        self.nodes: List[Tuple[Cut, int, int]] = []
        self.root = ~0
        self.n_parts = 1

    def parts(self, points: Any) -> Any:
        """The number of each point's part."""
        np = _numpy()
        made = np.zeros(len(points), dtype=np.int32)
        waiting = [(self.root, np.arange(len(points)))]
        while waiting:
            node, rows = waiting.pop()
            if node < 0:
                made[rows] = ~node
                continue
            cut, left, right = self.nodes[node]
            is_left = points[rows, cut.axis] <= cut.left
            waiting += [(left, rows[is_left]), (right, rows[~is_left])]
        return made

    def around(self, part: int) -> List[Cut]:
        """The cuts at which a part ends."""
        parents = {
            child: (cut, node)
            for node, (cut, left, right) in enumerate(self.nodes)
            for child in (left, right)
        }
        found, node = [], ~part
        while node in parents:
            cut, node = parents[node]
            found.append(cut)
        return found


class _Sample:
    """Points with the groups that they form as a whole."""

    def __init__(self, points: Any, groups: Any) -> None:
        self.points, self.groups = points, groups

    def take(self, rows: Any) -> "_Sample":
        return _Sample(self.points[rows], self.groups[rows])

    def cuts_of(self, axis: int) -> Any:
        """(values, share of points up to each value, share of points in groups that a cut behind it
        would divide)
        """
        np = _numpy()
        n = len(self.points)
        values, at = np.unique(self.points[:, axis], return_inverse=True)
        _, group = np.unique(self.groups, return_inverse=True)
        sizes = np.bincount(group)
        first = np.full(len(sizes), len(values))
        last = np.zeros(len(sizes), dtype=np.int64)
        np.minimum.at(first, group, at)
        np.maximum.at(last, group, at)
        opened = np.bincount(first, sizes, len(values)) - np.bincount(last, sizes, len(values))
        return values, np.cumsum(np.bincount(at, minlength=len(values))) / n, np.cumsum(opened) / n

    def best_cut(self) -> Optional[Tuple[Cut, float]]:
        """(cut, share of points on its left), or None where nothing can be cut."""
        np = _numpy()
        best: Optional[Tuple[float, Cut, float]] = None
        for axis in range(self.points.shape[1]):
            values, left, crossed = self.cuts_of(axis)
            price = crossed + _OFF_BALANCE * np.abs(left - 0.5)
            for i in np.flatnonzero((left >= _LEAST_SIDE) & (left <= 1 - _LEAST_SIDE)):
                cut = Cut(axis, float(values[i]), float(values[i + 1]))
                if best is None or price[i] < best[0]:
                    best = (float(price[i]), cut, float(left[i]))
        return None if best is None else (best[1], best[2])


def find_cuts(points: Any, groups: Any, n_parts: int) -> Cuts:
    """Cuts into about as many parts of about as many tuples; `points` are a sample, `groups` those
    that it forms as a whole.
    """
    np = _numpy()
    made = Cuts()
    sample = _Sample(points, groups)
    n_leaves = 0

    def grow(rows: Any, wanted: int) -> int:
        nonlocal n_leaves
        found = sample.take(rows).best_cut() if wanted > 1 and len(rows) > 1 else None
        if found is None:
            n_leaves += 1
            return ~(n_leaves - 1)
        cut, share = found
        node = len(made.nodes)
        made.nodes.append((cut, 0, 0))
        n_left = min(max(round(wanted * share), 1), wanted - 1)
        is_left = points[rows, cut.axis] <= cut.left
        left = grow(rows[is_left], n_left)
        made.nodes[node] = (cut, left, grow(rows[~is_left], wanted - n_left))
        return node

    made.root = grow(np.arange(len(points)), n_parts)
    made.n_parts = n_leaves
    return made


def group_sample(request: Request, tuples: Any, counts: Any) -> Tuple[Any, Any]:
    """(number of the tuple, number of the group) of each share of a sample, grouped quickly and
    without models.
    """
    quick = copy.copy(request)
    left_out = ("models", "algorithm", "params", "suppression-limit", "recoding")
    fields = {key: value for key, value in request.plan.fields.items() if key not in left_out}
    fields["columns"] = [
        column for column in request.plan.columns if column["name"] in request.qids
    ]
    quick.plan = Plan(
        {**fields, "params": [{"name": "effort", "value": "1"}]}, request.plan.hierarchies
    )
    quick.keys = list(request.qids)
    _, shares = _counted.run(quick, tuples.select(request.qids), counts)
    return shares.column("tuple").to_numpy(), number_groups(shares, request.qids)


def number_groups(shares: Any, qids: Sequence[str]) -> Any:
    """Numbers of the distinct published tuples."""
    np = _numpy()
    codes = [
        np.asarray(
            _whole(shares.column(f"released_{name}")).dictionary_encode("encode").indices,
            dtype=np.int64,
        )
        for name in qids
    ]
    number = codes[0]
    for more in codes[1:]:
        _, number = np.unique(number * (more.max(initial=0) + 1) + more, return_inverse=True)
    return np.unique(number, return_inverse=True)[1]


# ---- the release of a part ----


def run_part(domain: Domain, tuples: Any, counts: Any) -> Any:
    """Shares of the tuples of one part; see `_counted.run`. The domain is the whole table's, by
    priorities.
    """
    part = copy.copy(domain.request)
    plan = part.plan
    if "priority" not in plan.fields and not any("priority" in column for column in plan.columns):
        counts_for = _priorities(domain, tuples)
        columns = [
            (
                {**column, "priority": counts_for[column["name"]]}
                if column["name"] in counts_for
                else column
            )
            for column in plan.columns
        ]
        part.plan = Plan({**plan.fields, "columns": columns}, plan.hierarchies)
    return _counted.run(part, tuples, counts)[1]


def _priorities(domain: Domain, tuples: Any) -> Dict[str, float]:
    """What makes the losses of a part proportional to those of the table: a range of ages is a
    greater share of few ages than of all.
    """
    shares = {}
    for name in domain.request.qids:
        distinct = _whole(tuples.column(name)).unique()
        texts = distinct.drop_null().to_pylist()
        if len(texts) < 2:
            continue
        probe = [_spell_range(domain.kinds[name], texts)]
        inside, outside = (
            domain.losses_of(name, probe, distinct)[0],
            domain.losses_of(name, probe, domain.values[name])[0],
        )
        if inside > 0 and outside > 0:
            shares[name] = outside / inside
    most = max(shares.values(), default=1.0)
    return {name: max(round(share / most, 9), 1e-6) for name, share in shares.items()}


def _spell_range(kind: str, texts: List[str]) -> str:
    """Two values as one published text."""
    if kind == CATEGORICAL:
        return "{%s}" % "|".join(
            text.replace("\\", "\\\\").replace("|", "\\|") for text in texts[:2]
        )
    low, high = sorted(texts[:2], key=float if kind == NUMERIC else None)
    return f"[{low}..{high}]"


def loss_of_shares(domain: Domain, shares: Any) -> Any:
    """The loss of each share's rows: the mean over the quasi-identifiers."""
    np = _numpy()
    total = np.zeros(len(shares))
    for name in domain.request.qids:
        total += domain.losses(name, shares.column(f"released_{name}"))
    return total / len(domain.request.qids)


class Border(NamedTuple):
    """Of each share: its group, whether it is taken apart, and a point that all shares of the group
    have in common.
    """

    groups: Any
    is_taken: Any
    points: Any


def find_border(domain: Domain, tuples: Any, shares: Any, cuts: Sequence[Cut]) -> Border:
    """Groups whose rows lose more than reaching the other side of a cut costs, the nearest by their
    own measure first, up to a share of the part.
    """
    np = _numpy()
    groups = number_groups(shares, domain.request.qids)
    points = domain.points(tuples)[shares.column("tuple").to_numpy()]
    n_groups = int(groups.max(initial=-1)) + 1
    first = np.full(n_groups, len(groups))
    np.minimum.at(first, groups, np.arange(len(groups)))
    loss = loss_of_shares(domain, shares)[first] if n_groups else np.zeros(0)
    gain = loss - _reach(domain, points, groups, cuts, n_groups)
    sizes = np.bincount(groups, minlength=n_groups)
    order = np.argsort(-gain / np.maximum(loss, np.finfo(float).tiny), kind="stable")
    room = np.cumsum(sizes[order]) <= MOST_TAKEN * len(groups)
    is_taken = np.zeros(n_groups, dtype=bool)
    is_taken[order[room & (gain[order] > 0)]] = True
    return Border(groups, is_taken[groups], points[first[groups]] if n_groups else points)


def _reach(domain: Domain, points: Any, groups: Any, cuts: Sequence[Cut], n_groups: int) -> Any:
    """What each group would lose at least by taking a row from beyond the nearest cut."""
    np = _numpy()
    best = np.full(n_groups, np.inf)
    for cut in cuts:
        name = domain.request.qids[cut.axis]
        at = np.where(np.isfinite(points[:, cut.axis]), points[:, cut.axis], cut.left)
        far = np.where(at <= cut.left, cut.right - at, at - cut.left)
        near = np.full(n_groups, np.inf)
        np.minimum.at(near, groups, far)
        steps = near if domain.kinds[name] != CATEGORICAL else np.ones(n_groups)
        best = np.minimum(best, steps / domain.widths[name] / len(domain.request.qids))
    return best


def regroup(domain: Domain, tuples: Any, shares: Any) -> Tuple[Any, Any, bool]:
    """(tuples, shares, is new): the tuples of groups that were taken apart, regrouped, or as
    they were where that does not lose less.

    `tuples` are the texts of each share in `shares` (n, released_...), tuple by tuple.
    """
    np, pa = _numpy(), _counted.arrow()
    names = domain.request.keys
    layout = [f"c{i}" for i in range(len(names))]
    counted = (
        pa.table([*tuples.select(names).columns, shares.column("n")], names=[*layout, "n"])
        .group_by(layout)
        .aggregate([("n", "sum")])
    )
    merged = pa.table([counted.column(column) for column in layout], names=names).combine_chunks()
    order = _counted.sorted_order(merged)
    merged, counts = merged.take(order), _whole(counted.column("n_sum")).take(order)
    try:
        made = run_part(domain, merged, counts)
    except ShoalError:  # the groups as they were satisfy everything
        return tuples, shares, False
    before, after = (
        float(np.dot(loss_of_shares(domain, found), found.column("n").to_numpy()))
        for found in (shares, made)
    )
    if after >= before:
        return tuples, shares, False
    return merged.take(made.column("tuple")), made, True
