# SPDX-License-Identifier: Apache-2.0
"""Value generalisation trees: labels over sets of values."""

from __future__ import annotations

import csv
import io
import os
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Union

from . import _core
from ._errors import usage

_Tree = Mapping[str, Any]


class Hierarchy:
    """A tree of labels over the values of one column.

    A hierarchy either holds its labels (``from_levels``, ``from_file``, ``tree``) or is a recipe
    that is applied to the values of a column (``intervals``, ``quantiles``,
    ``mask``, ...).

    >>> from shoal import Hierarchy
    >>> city = Hierarchy.tree({"France": ["Paris", "Lyon"], "Italy": ["Rome"]})
    >>> city.height, city.n_leaves
    (2, 3)
    >>> Hierarchy.intervals(5, 10).over([21, 23, 27]).levels[0]
    ['21', '[20..24]', '[20..29]', '*']
    """

    __slots__ = ("_text", "_spec", "_looks")

    def __init__(self, *, text: Optional[str] = None, spec: Optional[str] = None) -> None:
        if (text is None) == (spec is None):
            raise usage(
                "a hierarchy is a text or a recipe",
                "use Hierarchy.from_levels, from_file, tree, intervals, quantiles or mask",
            )
        self._text = text
        self._spec = spec
        self._looks = None if text is None else _core.hierarchy_look(text, "hierarchy")

    # ---- with labels ----

    @classmethod
    def from_levels(
        cls, levels: Union[Mapping[Any, Sequence[Any]], Iterable[Sequence[Any]], Any]
    ) -> "Hierarchy":
        """From rows ``[value, level 1, level 2, ...]``, a mapping ``value -> [level 1, ...]``, or a
        frame with one column per level.

        >>> Hierarchy.from_levels({"Paris": ["France"], "Lyon": ["France"],
        ...     "Rome": ["Italy"]}).height
        2
        """
        if hasattr(levels, "itertuples"):  # pandas
            rows: List[Sequence[Any]] = [list(row) for row in levels.itertuples(index=False)]
        elif hasattr(levels, "iter_rows"):  # polars
            rows = [list(row) for row in levels.iter_rows()]
        elif isinstance(levels, Mapping):
            rows = [
                [value, *([above] if isinstance(above, str) else above)]
                for value, above in levels.items()
            ]
        else:
            rows = [list(row) for row in levels]
        out = io.StringIO()
        csv.writer(out, delimiter=";", lineterminator="\n").writerows(
            [str(cell) for cell in row] for row in rows
        )
        return cls(text=out.getvalue())

    @classmethod
    def from_file(cls, path: Union[str, "os.PathLike[str]"]) -> "Hierarchy":
        """From a level file (``value;level 1;...;*``) or a child,parent table."""
        with open(path, encoding="utf-8", newline="") as file:
            return cls(text=file.read())

    @classmethod
    def tree(cls, tree: _Tree) -> "Hierarchy":
        """From nested mappings; leaves are in lists (or alone, as a mapping to nothing).

        >>> Hierarchy.tree({"Europe": {"France": ["Paris", "Lyon"], "Italy": ["Rome"]},
        ...     "Asia": ["Tokyo"]}).levels[0]
        ['Paris', 'France', 'Europe', '*']
        """
        rows: List[List[str]] = []

        def walk(node: Any, above: List[str]) -> None:
            if isinstance(node, Mapping):
                for label, below in node.items():
                    if below:
                        walk(below, [str(label), *above])
                    else:
                        rows.append([str(label), *above])
            else:
                for leaf in [node] if isinstance(node, str) else node:
                    rows.append([str(leaf), *above])

        walk(tree, [])
        if not rows:
            raise usage("the tree has no leaves", 'write Hierarchy.tree({"label": ["value", ...]})')
        deepest = max(len(row) for row in rows)
        # A leaf that lies higher repeats its label, as level files do.
        return cls.from_levels([[row[0]] * (deepest - len(row)) + row for row in rows])

    # ---- recipes ----

    @classmethod
    def intervals(cls, *widths: float, origin: float = 0) -> "Hierarchy":
        """Numbers in ranges of these widths, each a multiple of the one before."""
        text = ",".join(f"{width:g}" for width in widths)
        return cls(spec=f"intervals:{text}" + (f",origin={origin:g}" if origin else ""))

    @classmethod
    def quantiles(cls, parts: int) -> "Hierarchy":
        """Numbers in this many ranges of equal frequency, then half as many, and so on."""
        return cls(spec=f"quantiles:{parts}")

    @classmethod
    def mask(cls, side: str = "right", char: str = "*") -> "Hierarchy":
        """Hide one character more at each level, from the right (or left)."""
        arguments = ([] if side == "right" else [side]) + ([] if char == "*" else [f"char={char}"])
        return cls(spec="mask" + (":" + ",".join(arguments) if arguments else ""))

    @classmethod
    def prefix(cls, *lengths: int) -> "Hierarchy":
        """Keep the first characters: 3, then 2, then 1."""
        return cls(spec="prefix:" + ",".join(str(length) for length in lengths))

    @classmethod
    def dates(cls, *units: str) -> "Hierarchy":
        """Dates by any of week, month, quarter, year, decade, century."""
        return cls(spec="dates:" + ",".join(units))

    @classmethod
    def rare(cls, rows: int) -> "Hierarchy":
        """Values with fewer rows under ``Other``."""
        return cls(spec=f"rare:{rows}")

    @classmethod
    def known(cls, name: str) -> "Hierarchy":
        """Values under the groups of a classification that comes with Shoal: ``icd10``,
        ``countries``, ``isco08``, ...

        >>> Hierarchy.known("icd10").over(["C34.1", "J45"]).levels[0]
        ['C34.1', 'C34.-', 'C30-C39 Cancer of respiratory organs', 'C00-C97 Malignant neoplasms',
        'C00-D49 Neoplasms', '*']
        """
        return cls(spec=f"known:{name}")

    @classmethod
    def learn(cls, together: int = 2) -> "Hierarchy":
        """Values whose rows are similar in the other columns are grouped, ``together`` (2, 4, 8 or
        16) groups at a time.
        """
        return cls(spec="learn" if together == 2 else f"learn:{together}")

    # ---- looking at it ----

    def over(self, values: Iterable[Any]) -> "Hierarchy":
        """Apply a recipe to these values; a hierarchy that has its labels is returned unchanged.
        """
        if self._spec is None:
            return self
        distinct = list(dict.fromkeys(str(value) for value in values))
        return Hierarchy(text=_core.hierarchy_build(self._spec, distinct))

    @property
    def is_recipe(self) -> bool:
        return self._spec is not None

    @property
    def spec(self) -> Optional[str]:
        """The recipe in the syntax of the command, or None."""
        return self._spec

    def _look(self) -> Any:
        if self._looks is None:
            raise usage(
                "a recipe has no labels before it is carried out", "call .over(values) first"
            )
        return self._looks

    @property
    def n_leaves(self) -> int:
        return self._look()[0]

    @property
    def height(self) -> int:
        """Steps from the deepest value to the root."""
        return self._look()[2]

    @property
    def levels(self) -> List[List[str]]:
        """Rows of value, level 1, ..., ``*``."""
        return list(csv.reader(io.StringIO(self.text), delimiter=";"))

    @property
    def text(self) -> str:
        """As a level file."""
        return self._look()[3]

    def to_file(self, path: Union[str, "os.PathLike[str]"]) -> None:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hierarchy) and (self._spec, self._text) == (
            other._spec,
            other._text,
        )

    def __hash__(self) -> int:
        return hash((self._spec, self._text))

    def __reduce__(self) -> Any:
        return (_rebuild, (self._text, self._spec))

    def __repr__(self) -> str:
        if self._spec is not None:
            return f"Hierarchy({self._spec!r})"
        leaves, nodes, height, _ = self._look()
        return f"Hierarchy({leaves} values, {nodes - leaves} labels, height {height})"


def _rebuild(text: Optional[str], spec: Optional[str]) -> Hierarchy:
    return Hierarchy(text=text, spec=spec)


def as_hierarchy(value: Any) -> Hierarchy:
    """A hierarchy from an argument: a hierarchy, a path, levels, a tree."""
    if isinstance(value, Hierarchy):
        return value
    if isinstance(value, os.PathLike):
        return Hierarchy.from_file(value)
    if isinstance(value, str):
        if value.startswith("known:"):
            return Hierarchy(spec=value)
        return (
            Hierarchy(spec=value[6:]) if value.startswith("build:") else Hierarchy.from_file(value)
        )
    if isinstance(value, Mapping) and any(isinstance(below, Mapping) for below in value.values()):
        return Hierarchy.tree(value)
    return Hierarchy.from_levels(value)
