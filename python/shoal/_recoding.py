# SPDX-License-Identifier: Apache-2.0
"""What a release says about rows that were not in it: the published tuples, and which of them cover
a new row.

A recoding is learned from what is published and from nothing else: the distinct tuples, how many
rows have each, and the hierarchies.
A new row belongs to the tuple that covers it in every column and loses least. Tuples are kept in
the order of their loss, and for each value of a column there is a row of bits, one a tuple: the
bits of a row's values are and-ed, and the first that is left is the answer. Cost:
O(distinct rows x columns x tuples / 8) bytes of memory traffic; memory O(values x tuples / 8).
"""

from __future__ import annotations

import datetime
import re
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import pandas as pd

from ._errors import usage
from ._hierarchy import Hierarchy

_RANGE = re.compile(r"\[(.+?)\.\.(.+?)([\])])\Z", re.DOTALL)
_CHUNK = 1 << 23  # bytes of bits at once
ANY = "*"


class Value(NamedTuple):
    """A value as the engine spells it, and its place among numbers or days where it has one."""

    text: Optional[str]  # None: missing
    kind: str = ""  # "number", "day" or ""
    place: float = 0.0


MISSING = Value(None)


def _placed(text: str) -> Tuple[str, float]:
    try:
        return "number", float(text)
    except ValueError:
        pass
    try:
        return "day", float(datetime.date.fromisoformat(text).toordinal())
    except ValueError:
        return "", 0.0


def _number_text(number: float) -> str:
    return (
        str(int(number))
        if float(number).is_integer() and abs(number) < 1e15
        else repr(float(number))
    )


def values_of(series: "pd.Series[Any]") -> Tuple[Any, List[Value]]:
    """(the place of each row's value in the list, distinct values)"""
    codes, distinct = pd.factorize(series, use_na_sentinel=True)
    dtype = series.dtype
    made: List[Value] = []
    numeric = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    for value in distinct.tolist() if hasattr(distinct, "tolist") else list(distinct):
        if numeric:
            made.append(Value(_number_text(value), "number", float(value)))
            continue
        if (
            pd.api.types.is_datetime64_any_dtype(dtype)
            and value == value.normalize()
            and value.tzinfo is None
        ):
            value = value.date()
        text = str(value)
        # an empty text is missing, as in the engine
        made.append(Value(text, *_placed(text)) if text else MISSING)
    codes = np.where(codes < 0, len(made), codes)
    return codes, [*made, MISSING]


def _members(text: str) -> List[str]:
    """Of ``{a|b\\|c}``."""
    found, member, at = [], "", 1
    while at < len(text) - 1:
        if text[at] == "\\" and at + 2 < len(text):
            at += 1
            member += text[at]
        elif text[at] == "|":
            found.append(member)
            member = ""
        else:
            member += text[at]
        at += 1
    return [*found, member]


class Cell:
    """A published text, taken apart: a range, a set, or one text (a value or a label)."""

    __slots__ = ("text", "kind", "low", "high", "open", "members")

    def __init__(self, text: Optional[str]) -> None:
        self.text = text
        self.kind, self.low, self.high, self.open = "", 0.0, 0.0, False
        self.members: List[str] = []
        if text is None or text == ANY:
            return
        found = _RANGE.match(text)
        if found:
            (kind, self.low), (other, self.high) = _placed(found[1]), _placed(found[2])
            self.kind = kind if kind == other else ""
            self.open = found[3] == ")"
        if not self.kind:
            self.members = (
                _members(text) if len(text) > 2 and text[0] == "{" and text[-1] == "}" else [text]
            )

    @property
    def is_set(self) -> bool:
        return len(self.members) > 1

    def holds(self, value: Value) -> bool:
        """Is the value inside a range?"""
        return bool(self.kind) and value.kind == self.kind and self.low <= value.place and (
            value.place < self.high if self.open else value.place <= self.high)


class Axis:
    """One quasi-identifier: the texts that were published in it, and its hierarchy."""

    def __init__(
        self,
        name: str,
        texts: Sequence[Optional[str]],
        hierarchy: Optional[Hierarchy],
        numeric: bool,
        frequent: Optional[Sequence[str]] = None,
    ) -> None:
        self.name = name
        self.texts = list(texts)
        self.hierarchy = hierarchy
        self.numeric = numeric
        # of `rare`: the values that are not under Other
        self.frequent = None if frequent is None else set(frequent)
        self.cells = [Cell(text) for text in self.texts]
        ends = [end for cell in self.cells for end in ([cell.low, cell.high] if cell.kind else [])]
        ends += [place for cell in self.cells for kind, place in map(_placed, cell.members) if kind]
        self.extent = (max(ends) - min(ends)) if ends else 0.0
        self.size = len({member for cell in self.cells for member in cell.members})

    def ladders(self, values: Sequence[Value]) -> Dict[str, List[str]]:
        """The labels above each value, the lowest first, without ``*``; values that the hierarchy
        lacks have none.
        """
        if self.hierarchy is None:
            return {}
        texts = [value.text for value in values if value.text is not None]
        if self.frequent is not None:
            return {text: [] if text in self.frequent else ["Other"] for text in texts}
        made = self.hierarchy.over(texts) if texts else None
        return {row[0]: row[1:-1] for row in made.levels} if made is not None else {}

    def losses(self, ladders: Dict[str, List[str]]) -> Any:
        """Of each published text, between 0 and 1; only their order counts."""
        below: Dict[str, int] = {}
        steps: Dict[str, float] = {}
        for ladder in ladders.values():
            for label in dict.fromkeys(ladder):
                below[label] = below.get(label, 0) + 1
            for step, label in enumerate(ladder):
                steps.setdefault(label, (step + 1) / (len(ladder) + 1))
        counted = self.hierarchy is not None and not self.hierarchy.is_recipe
        return np.array(
            [
                self._loss(cell, below if counted else None, steps, max(len(ladders), 2))
                for cell in self.cells
            ],
            dtype=float,
        )

    def _loss(
        self, cell: Cell, below: Optional[Dict[str, int]], steps: Dict[str, float], leaves: int
    ) -> float:
        if cell.text is None:
            return 0.0
        if cell.text == ANY:
            return 1.0
        if cell.kind:
            return min((cell.high - cell.low) / self.extent, 1.0) if self.extent else 0.0
        if cell.is_set:
            return (len(cell.members) - 1) / max(self.size - 1, len(cell.members) - 1)
        if below is not None:
            return (below.get(cell.text, 1) - 1) / (leaves - 1)
        return steps.get(cell.text, 0.0)

    def covers(self, values: Sequence[Value], ladders: Dict[str, List[str]]) -> Any:
        """A matrix: does the published text (column) cover the value (row)?"""
        made = np.zeros((len(values), len(self.cells)), dtype=bool)
        by_text: Dict[Optional[str], List[int]] = {}
        by_number: Dict[float, List[int]] = {}
        for at, cell in enumerate(self.cells):
            if cell.text == ANY:
                made[:, at] = True
            elif cell.text is None:
                by_text.setdefault(None, []).append(at)
            elif cell.kind:
                inside = [value.kind == cell.kind for value in values]
                places = np.array([value.place for value in values])
                made[:, at] = (
                    inside
                    & (places >= cell.low)
                    & ((places < cell.high) if cell.open else (places <= cell.high))
                )
                by_text.setdefault(cell.text, []).append(at)  # it may be a label, too
            for member in cell.members:
                by_text.setdefault(None if cell.is_set and not member else member, []).append(at)
                kind, place = _placed(member) if self.numeric else ("", 0.0)
                if kind == "number":
                    by_number.setdefault(place, []).append(at)
        for row, value in enumerate(values):
            hits = by_text.get(value.text, []) + (
                by_number.get(value.place, []) if self.numeric and value.kind == "number" else []
            )
            for label in ladders.get(value.text or "", ()):
                hits = hits + by_text.get(label, [])
            made[row, hits] = True
        return made

    def widen(
        self,
        text: Optional[str],
        value: Value,
        row: Any,
        losses: Any,
        ladders: Dict[str, List[str]],
    ) -> str:
        """The tightest text that covers both a published cell and a value: one that was published,
        a label, or ``*``.

        Ends of ranges are never moved to the value: that would publish it.
        """
        wanted = Cell(text)
        ladder = ladders.get(value.text or "", [])
        for at in np.argsort(losses, kind="stable"):
            if (
                row[at]
                and self.texts[at] not in (None, ANY)
                and self._contains(self.cells[at], wanted, ladders)
            ):
                return str(self.texts[at])
        for label in ladder:
            if self._contains(Cell(label), wanted, ladders):
                return label
        return ANY

    @staticmethod
    def _contains(outer: Cell, inner: Cell, ladders: Dict[str, List[str]]) -> bool:
        if outer.text == inner.text:
            return True
        if inner.text is None or inner.text == ANY:
            return inner.text is None and outer.is_set and "" in outer.members
        if outer.kind and inner.kind:
            return (
                outer.kind == inner.kind
                and outer.low <= inner.low
                and inner.high <= outer.high
                and (outer.open or not inner.open)
            )
        if outer.kind:
            return all(outer.holds(Value(member, *_placed(member))) for member in inner.members)
        if outer.is_set:
            return bool(inner.members) and set(inner.members) <= set(outer.members)
        for ladder in ladders.values():  # a label above another label, or above a value
            if inner.text in ladder:
                return outer.text in ladder[ladder.index(inner.text):]
        return outer.text in ladders.get(inner.text, [])


class Recoding:
    """The tuples of a release, learned; :meth:`place` gives new rows one each."""

    def __init__(
        self, axes: List[Axis], codes: Any, rows: Any, levels: Optional[Dict[str, int]]
    ) -> None:
        self.axes = axes
        self.codes = codes  # tuples x axes: places in axis.texts
        self.rows = rows  # of the release with each tuple
        self.levels = levels  # of a full-domain method

    @classmethod
    def learn(
        cls,
        table: "pd.DataFrame",
        qids: Sequence[str],
        k: int,
        hierarchies: Dict[str, Hierarchy],
        original: "pd.DataFrame",
        levels: Optional[Dict[str, int]],
    ) -> "Recoding":
        published = table[list(qids)].astype(object)
        # an empty text is a gap, too
        published = published.where(published.notna() & (published != ""), None)
        counted: Dict[Tuple[Any, ...], int] = {}
        for row in published.itertuples(index=False, name=None):
            counted[row] = counted.get(row, 0) + 1
        tuples = sorted(
            (row for row, n in counted.items() if n >= k),
            key=lambda row: (-counted[row], [text or "" for text in row]),
        )
        axes, codes = [], np.zeros((len(tuples), len(qids)), dtype=np.int64)
        for at, name in enumerate(qids):
            texts = list(dict.fromkeys(row[at] for row in tuples))
            place = {text: i for i, text in enumerate(texts)}
            codes[:, at] = [place[row[at]] for row in tuples]
            hierarchy = hierarchies.get(name)
            frequent = None
            if hierarchy is not None and (hierarchy.spec or "").startswith("rare:"):
                counts = original[name].astype(object).map(str, na_action="ignore").value_counts()
                frequent = counts.index[counts >= int(str(hierarchy.spec)[5:])]
            numeric = pd.api.types.is_numeric_dtype(original[name].dtype)
            axes.append(Axis(name, texts, hierarchy, numeric, frequent))
        return cls(axes, codes, np.array([counted[row] for row in tuples], dtype=np.int64), levels)

    def tuples(self) -> "pd.DataFrame":
        made = pd.DataFrame(
            {
                axis.name: [axis.texts[code] for code in self.codes[:, at]]
                for at, axis in enumerate(self.axes)
            }
        )
        made["rows"] = self.rows
        return made

    def place(
        self, frame: "pd.DataFrame", unseen: str
    ) -> Tuple[List[List[Optional[str]]], Any, Any]:
        """(distinct tuples to publish, the place of each row's in them, which rows no learned tuple
        covers)
        """
        parts = [values_of(frame[axis.name]) for axis in self.axes]
        columns = (
            np.column_stack([codes for codes, _ in parts])
            if len(frame)
            else np.zeros((0, len(self.axes)), dtype=np.int64)
        )
        rows, where = np.unique(columns, axis=0, return_inverse=True)
        looks = []
        for axis, (_, values) in zip(self.axes, parts):
            ladders = axis.ladders(values)
            looks.append((values, ladders, axis.losses(ladders), axis.covers(values, ladders)))
        loss = sum(look[2][self.codes[:, at]] for at, look in enumerate(looks))
        # equal loss: the tuple with most rows first
        order = np.argsort(np.round(loss, 12), kind="stable")
        found = self._first(rows, [look[3] for look in looks], self.codes[order])
        made: List[List[Optional[str]]] = []
        for row, at in zip(rows, found):
            if at >= 0:
                made.append(
                    [axis.texts[code] for axis, code in zip(self.axes, self.codes[order[at]])]
                )
            elif unseen == "suppress":
                made.append([ANY] * len(self.axes))
            elif unseen == "raise":
                raise usage(
                    "rows lie outside everything that was learned",
                    'fit on more rows, or say unseen="widen" or unseen="suppress"',
                )
            else:
                made.append(
                    self._level(row, looks) if self.levels else self._nearest(row, looks, order)
                )
        where = where.reshape(-1)
        return made, where, (found < 0)[where]

    @staticmethod
    def _first(rows: Any, covers: Sequence[Any], codes: Any) -> Any:
        """For each row the first tuple that covers it, or -1."""
        found = np.full(len(rows), -1, dtype=np.int64)
        if not len(codes):
            return found
        bits = [np.packbits(cover[:, codes[:, at]], axis=1) for at, cover in enumerate(covers)]
        leading = np.array([8] + [8 - int(byte).bit_length() for byte in range(1, 256)])
        step = max(1, _CHUNK // bits[0].shape[1])
        for start in range(0, len(rows), step):
            some = rows[start:start + step]
            left = bits[0][some[:, 0]]
            for at in range(1, len(bits)):
                left &= bits[at][some[:, at]]
            byte = (left != 0).argmax(axis=1)
            first = left[np.arange(len(some)), byte]
            found[start:start + step] = np.where(first != 0, 8 * byte + leading[first], -1)
        return found

    def _nearest(self, row: Any, looks: Sequence[Any], order: Any) -> List[Optional[str]]:
        """The tuple with the fewest cells that do not cover the row (of these the one that loses
        least), widened there.
        """
        if not len(order):
            return [ANY] * len(self.axes)
        codes = self.codes[order]
        missed = sum(
            (~cover[row[at]][codes[:, at]]).astype(np.int64)
            for at, (_, _, _, cover) in enumerate(looks)
        )
        best = codes[int(np.argmin(missed))]
        made: List[Optional[str]] = []
        for at, (axis, (values, ladders, losses, cover)) in enumerate(zip(self.axes, looks)):
            text = axis.texts[best[at]]
            made.append(
                text
                if cover[row[at], best[at]]
                else axis.widen(text, values[row[at]], cover[row[at]], losses, ladders)
            )
        return made

    def _level(self, row: Any, looks: Sequence[Any]) -> List[Optional[str]]:
        """Each value on the level of its column: the text that was published for it, the label of
        its hierarchy, or ``*``.
        """
        made: List[Optional[str]] = []
        for at, (axis, (values, ladders, losses, cover)) in enumerate(zip(self.axes, looks)):
            value = values[row[at]]
            known = [i for i in np.argsort(losses, kind="stable") if cover[row[at], i]]
            level = (self.levels or {}).get(axis.name, 0)
            ladder = [value.text, *ladders.get(value.text or "", [])]
            if known and axis.texts[known[0]] != ANY:
                made.append(axis.texts[known[0]])
            elif 0 < level < len(ladder):
                made.append(ladder[level])
            else:  # a new value as it is would be its own label
                made.append(ANY)
        return made
