# SPDX-License-Identifier: Apache-2.0
"""Tables in and out: every kind of frame as an Arrow stream, and the release as the kind that came
in.

pandas is read without any Arrow library: numbers and codes where they lie, other values by their
distinct texts. A frame that we know keeps every column that is not a quasi-identifier as the very
object it was. Any other object that speaks the Arrow PyCapsule interface is handed to the engine
whole, and its release is an :class:`ArrowTable`.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from . import _core
from ._errors import DataError, usage

Source = Any  # a capsule, or a pair of capsules


class ArrowTable:
    """A release as Arrow: anything that takes ``__arrow_c_stream__`` can read it
    (``pyarrow.table(t)``, ``polars.DataFrame(t)``).
    """

    def __init__(self, handle: Any) -> None:
        self._handle = handle

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return _core.release_stream(self._handle)

    def __repr__(self) -> str:
        return "ArrowTable(a release; read it with pyarrow.table() or polars.DataFrame())"


class Frame:
    """A table whose kind we do not know, only that it speaks Arrow. Read once."""

    names: Optional[List[str]] = None  # of its columns, where they can be known without reading
    kind = "arrow"

    def __init__(self, table: Any) -> None:
        self.table = table

    def source(self, names: Optional[Sequence[str]]) -> Source:
        """The columns to read; None: all. A frame of unknown kind gives all."""
        if hasattr(self.table, "__arrow_c_stream__"):
            return self.table.__arrow_c_stream__()
        return self.table.__arrow_c_array__()

    def release(self, handle: Any, quasi: Sequence[str], left_out: Sequence[str], kept: Any) -> Any:
        return ArrowTable(handle)

    # ---- releases that are text: anatomy, personalised ----

    def values(self, name: str) -> List[Any]:
        """The cells of a column; None where one is missing."""
        raise usage(
            "this method releases text, and a table of unknown kind cannot give it",
            "give a pandas, polars or pyarrow table",
        )

    def csv(self, names: Sequence[str]) -> bytes:
        check_columns(self, names)
        columns = [
            ["" if value is None else _text(value) for value in self.values(name)] for name in names
        ]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(zip(*columns))
        return out.getvalue().encode("utf-8")

    def rebuild(
        self, replaced: Mapping[str, Sequence[Any]], left_out: Sequence[str], kept: Any
    ) -> Any:
        """The frame with columns replaced, or added at the end."""
        raise NotImplementedError

    def make(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        """A new frame of this kind."""
        raise NotImplementedError


# ---- pandas ----

_FORMATS = {
    "i1": "c", "i2": "s", "i4": "i", "i8": "l", "u1": "C", "u2": "S", "u4": "I", "u8": "L",
    "f4": "f", "f8": "g",
}
Column = Tuple[str, str, Any, Any, Optional[List[str]]]


def _validity(np: Any, missing: Any) -> Any:
    """A bitmap of what is there; None where everything is."""
    return np.packbits(~missing, bitorder="little") if missing.any() else None


def _format(dtype: Any) -> Optional[str]:
    """Arrow's letter for a numpy type; None where it has none. By kind and size: dtype.name makes a
    text on each call.
    """
    return _FORMATS.get(f"{dtype.kind}{dtype.itemsize}")


def _codes(np: Any, codes: Any, texts: List[str]) -> Tuple[str, Any, Any, List[str]]:
    """Dictionary codes, -1 for missing."""
    for name, most in (("int8", 2**7), ("int16", 2**15), ("int32", 2**31)):
        if len(texts) <= most:
            codes = codes.astype(name, copy=False)
            break
    return (
        _FORMATS[f"i{codes.dtype.itemsize}"],
        np.ascontiguousarray(codes),
        _validity(np, codes < 0),
        texts,
    )


def _text(value: Any) -> str:
    return value if type(value) is str else str(value)


def _encode(pd: Any, np: Any, series: Any) -> Tuple[str, Any, Any, Optional[List[str]]]:
    """(format, values, validity, texts of a dictionary or None)"""
    dtype = series.dtype
    # Arrow's numbers, and ours, have the order of the machine
    if isinstance(dtype, np.dtype) and not dtype.isnative:
        series = series.astype(dtype.newbyteorder("="))
        dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _codes(
            np, np.asarray(series.cat.codes), [_text(value) for value in dtype.categories.tolist()]
        )
    letter = _format(dtype) if isinstance(dtype, np.dtype) else None
    if letter is not None:
        values = np.ascontiguousarray(series.to_numpy())
        return letter, values, _validity(np, np.isnan(values)) if dtype.kind == "f" else None, None
    if pd.api.types.is_datetime64_any_dtype(dtype) and getattr(dtype, "tz", None) is None:
        days = _days(np, series)
        if days is not None:
            return "tdD", days[0], _validity(np, days[1]), None
    if pd.api.types.is_integer_dtype(dtype) or pd.api.types.is_float_dtype(dtype):  # nullable ones
        missing = np.asarray(series.isna(), dtype=bool)
        plain = dtype.numpy_dtype if hasattr(dtype, "numpy_dtype") else np.dtype("float64")
        letter = _format(plain)
        if letter is not None:
            return (
                letter,
                np.ascontiguousarray(series.to_numpy(dtype=plain, na_value=0)),
                _validity(np, missing),
                None,
            )
    if dtype == object or getattr(dtype, "storage", None) == "python":
        objects = np.ascontiguousarray(series.to_numpy(dtype=object))
        raw, texts = _core.encode(objects, (None, pd.NA, pd.NaT))
        return _codes(np, np.frombuffer(raw, dtype=np.int32), texts)
    codes, distinct = pd.factorize(series)
    return _codes(np, codes, [_text(value) for value in distinct.tolist()])


def _days(np: Any, series: Any) -> Optional[Tuple[Any, Any]]:
    """Days since 1970 where no value has a time of day; else None, and the values count as texts.
    """
    values = series.to_numpy()
    missing = np.isnat(values)
    days = values.astype("datetime64[D]")
    if (days.astype(values.dtype) != values)[~missing].any():
        return None
    return np.where(missing, 0, days.astype("int64")).astype("int32"), missing


def _rows(frame: Any, kept: Any) -> Any:
    """The rows that are kept, without the categories that only other rows had."""
    import pandas as pd

    if kept is None:
        return frame
    frame = frame[kept].copy(deep=False)
    for at, dtype in enumerate(frame.dtypes):
        if isinstance(dtype, pd.CategoricalDtype):
            frame.isetitem(at, frame.iloc[:, at].cat.remove_unused_categories())
        elif str(dtype).startswith("dictionary<"):  # of Arrow
            import pyarrow as pa

            frame.isetitem(
                at,
                pd.arrays.ArrowExtensionArray(
                    _used(pa.chunked_array([pa.array(frame.iloc[:, at].array)]))
                ),
            )
    return frame


def _used(column: Any) -> Any:
    """A dictionary-encoded column of pyarrow with the entries that occur."""
    import pyarrow as pa

    kind = column.type
    made = column.cast(kind.value_type).combine_chunks().dictionary_encode()
    made = made.combine_chunks() if isinstance(made, pa.ChunkedArray) else made
    return pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                made.indices.cast(kind.index_type), made.dictionary, ordered=kind.ordered
            )
        ]
    )


def _flatten(table: Any) -> Tuple[Any, List[Any]]:
    """The table with the named levels of its index as its first columns, and their names. What an
    index holds would be published, so it needs a role like any column; one without a name cannot
    have a role, and is replaced by row numbers.
    """
    import pandas as pd

    index = table.index
    levels = [name for name in index.names if name is not None]
    if not levels and isinstance(index, pd.RangeIndex):
        return table, levels
    flat = table.copy(deep=False)
    flat.index = pd.RangeIndex(len(table))
    for at in reversed([i for i, name in enumerate(index.names) if name is not None]):
        name = index.names[at]
        if name in flat.columns:
            raise DataError(f"the index and a column are both named '{name}'", "rename one")
        flat.insert(0, name, pd.Series(index.get_level_values(at), index=flat.index))
    return flat, levels


class PandasFrame(Frame):
    kind = "pandas"

    def __init__(self, table: Any) -> None:
        table, self.levels = _flatten(table)
        super().__init__(table)
        self.labels: Dict[str, Any] = {}
        for label in table.columns:
            if str(label) in self.labels:
                raise DataError(f"two columns are named '{label}'", "rename one")
            self.labels[str(label)] = label
        self.names = list(self.labels)

    def source(self, names: Optional[Sequence[str]]) -> Source:
        import numpy as np
        import pandas as pd

        columns: List[Column] = []
        for name in self.labels if names is None else names:
            columns.append((name, *_encode(pd, np, self.table[self.labels[name]])))
            try:
                for text in columns[-1][4] or ():
                    text.encode("utf-8")
            except UnicodeEncodeError:
                raise DataError(
                    f"column '{name}' holds text that is not Unicode (a lone surrogate)",
                    "clean it first",
                ) from None
        return _core.frame(len(self.table), columns)

    def release(self, handle: Any, quasi: Sequence[str], left_out: Sequence[str], kept: Any) -> Any:
        import numpy as np
        import pandas as pd

        frame = _rows(self.table, kept)
        published = {}
        for name, width, codes, texts in _core.release_texts(handle):
            numbers = np.frombuffer(codes, dtype=f"int{8 * width}")
            dtype = pd.CategoricalDtype(pd.Index(texts, dtype=object))
            cells = pd.Categorical.from_codes(numbers, dtype=dtype)
            published[name] = cells if kept is None else cells.remove_unused_categories()
        columns = {
            name: published[name] if name in published else frame[label]
            for name, label in self.labels.items()
            if name not in left_out
        }
        made = pd.DataFrame(columns, index=frame.index, copy=False)
        made.columns = self.table.columns[
            [i for i, name in enumerate(self.labels) if name not in left_out]
        ]
        made.attrs = dict(self.table.attrs)
        return self._with_index(made)

    def _with_index(self, made: Any) -> Any:
        """Levels of the index that are published are its index again."""
        levels = [name for name in self.levels if name in made.columns]
        return made.set_index(levels) if levels else made

    def values(self, name: str) -> List[Any]:
        import pandas as pd

        column = self.table[self.labels[name]]
        return [
            None if is_missing else value
            for value, is_missing in zip(column.astype(object).tolist(), pd.isna(column))
        ]

    def rebuild(
        self, replaced: Mapping[str, Sequence[Any]], left_out: Sequence[str], kept: Any
    ) -> Any:
        frame = _rows(self.table, kept)
        frame = frame.drop(columns=[self.labels[name] for name in left_out])
        return self._with_index(
            _assign(frame, {self.labels.get(name, name): cells for name, cells in replaced.items()})
        )

    def make(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        import pandas as pd

        return pd.DataFrame(dict(columns))


def _assign(frame: Any, columns: Mapping[Any, Sequence[Any]]) -> Any:
    made = frame.copy(deep=False)
    for label, cells in columns.items():
        made[label] = list(cells)
    return made


# ---- polars ----


class PolarsFrame(Frame):
    kind = "polars"

    def __init__(self, table: Any) -> None:
        super().__init__(table.collect() if hasattr(table, "collect") else table)
        self.names = list(self.table.columns)

    def source(self, names: Optional[Sequence[str]]) -> Source:
        return (
            self.table if names is None else self.table.select(list(names))
        ).__arrow_c_stream__()

    def release(self, handle: Any, quasi: Sequence[str], left_out: Sequence[str], kept: Any) -> Any:
        import polars as pl

        published = pl.DataFrame(ArrowTable(handle))
        frame = self.table if kept is None else self.table.filter(pl.Series(kept))
        return frame.with_columns([published.get_column(name) for name in quasi]).drop(
            list(left_out)
        )


    def values(self, name: str) -> List[Any]:
        return self.table.get_column(name).to_list()

    def rebuild(
        self, replaced: Mapping[str, Sequence[Any]], left_out: Sequence[str], kept: Any
    ) -> Any:
        import polars as pl

        frame = self.table if kept is None else self.table.filter(pl.Series(kept))
        return frame.drop(list(left_out)).with_columns(
            [pl.Series(name, list(cells)) for name, cells in replaced.items()]
        )

    def make(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        import polars as pl

        return pl.DataFrame({name: list(cells) for name, cells in columns.items()})


# ---- pyarrow ----


class PyarrowFrame(Frame):
    kind = "pyarrow"

    def _rows(self, kept: Any) -> Any:
        import pyarrow as pa

        if kept is None:
            return self.table
        frame = self.table.filter(pa.array(kept))
        for at, field in enumerate(frame.schema):
            # its dictionary may hold what only other rows had
            if pa.types.is_dictionary(field.type):
                frame = frame.set_column(at, field, _used(frame.column(at)))
        return frame

    def __init__(self, table: Any) -> None:
        import pyarrow as pa

        super().__init__(
            pa.Table.from_batches([table]) if isinstance(table, pa.RecordBatch) else table
        )
        self.was_batch = isinstance(table, pa.RecordBatch)
        self.names = list(self.table.column_names)
        for name in self.names:
            if self.names.count(name) > 1:
                raise DataError(f"two columns are named '{name}'", "rename one")

    def source(self, names: Optional[Sequence[str]]) -> Source:
        return (
            self.table if names is None else self.table.select(list(names))
        ).__arrow_c_stream__()

    def release(self, handle: Any, quasi: Sequence[str], left_out: Sequence[str], kept: Any) -> Any:
        import pyarrow as pa

        published = pa.table(ArrowTable(handle))
        frame = self._rows(kept)
        for name in quasi:
            at = frame.column_names.index(name)
            cells = published.column(name)
            cells = (
                cells if kept is None or not pa.types.is_dictionary(cells.type) else _used(cells)
            )
            frame = frame.set_column(at, published.schema.field(name), cells)
        frame = frame.drop_columns(list(left_out)) if left_out else frame
        return (
            frame.combine_chunks().to_batches()[0] if self.was_batch and frame.num_rows else frame
        )


    def values(self, name: str) -> List[Any]:
        return self.table.column(name).to_pylist()

    def rebuild(
        self, replaced: Mapping[str, Sequence[Any]], left_out: Sequence[str], kept: Any
    ) -> Any:
        import pyarrow as pa

        frame = self._rows(kept)
        frame = frame.drop_columns(list(left_out)) if left_out else frame
        for name, cells in replaced.items():
            if name in frame.column_names:
                frame = frame.set_column(
                    frame.column_names.index(name), name, pa.array(list(cells))
                )
            else:
                frame = frame.append_column(name, pa.array(list(cells)))
        return frame

    def make(self, columns: Mapping[str, Sequence[Any]]) -> Any:
        import pyarrow as pa

        return pa.table({name: list(cells) for name, cells in columns.items()})


class DuckdbFrame(Frame):
    """A relation is read once: a second time its rows might come in another order."""

    kind = "duckdb"

    def __init__(self, table: Any) -> None:
        super().__init__(table)
        self.columns = list(table.columns)

    def release(self, handle: Any, quasi: Sequence[str], left_out: Sequence[str], kept: Any) -> Any:
        import duckdb

        try:
            import pyarrow as pa
        except ImportError:  # duckdb reads Arrow through pyarrow alone
            return ArrowTable(handle)
        return duckdb.from_arrow(pa.table(ArrowTable(handle)))


class IbisFrame(Frame):
    kind = "ibis"

    def release(self, handle: Any, quasi: Sequence[str], left_out: Sequence[str], kept: Any) -> Any:
        import ibis
        import pyarrow as pa

        return ibis.memtable(pa.table(ArrowTable(handle)))


def wrap(table: Any) -> Frame:
    """The frame of a table, by its type, without importing unused libraries."""
    module = type(table).__module__.split(".")[0]
    name = type(table).__name__
    if module == "pandas" or any(
        base.__module__.startswith("pandas.core.frame") for base in type(table).__mro__
    ):
        if name != "Series":
            return PandasFrame(table)
    if module == "polars" and name in ("DataFrame", "LazyFrame"):
        return PolarsFrame(table)
    if module == "pyarrow" and name in ("Table", "RecordBatch"):
        return PyarrowFrame(table)
    if name == "DuckDBPyRelation":
        return DuckdbFrame(table)
    if module == "ibis":
        return IbisFrame(table)
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return Frame(table)
    raise usage(
        f"a table of type {type(table).__name__} is not known",
        "give a pandas, polars or pyarrow table, a DuckDB relation, or "
        "any object with __arrow_c_stream__",
    )


# ---- roles over a frame ----


def _not_joined(name: str, join: str) -> Exception:
    parts = [part.replace("\\,", ",") for part in re.split(r"(?<!\\),", join)]
    made = ' + ";" + '.join(f'frame.pop("{part}").astype("string")' for part in parts)
    return usage(
        f"column '{name}' is joined of two where a file is read; data frames and databases are not"
        " joined",
        f'make it first: frame["{name}"] = {made}; docs/hierarchies.md has the same for R and SQL',
    )


def check_columns(
    frame: Frame, named: Sequence[str], columns: Sequence[Mapping[str, Any]] = ()
) -> None:
    """Are all these columns in the table? Those that are not are listed, with a likely spelling;
    `columns` of the plan say which are joined.
    """
    if frame.names is None:
        return
    lacking = [name for name in named if name not in frame.names]
    if not lacking:
        return
    for column in columns:
        if column.get("join") and column["name"] in lacking:
            raise _not_joined(column["name"], str(column["join"]))
    near = difflib.get_close_matches(lacking[0], frame.names, 1)
    quoted = ", ".join(f"'{name}'" for name in lacking)
    likely = f"did you mean '{near[0]}'? " if near else ""
    raise usage(
        f"the table has no column {quoted}", f"{likely}its columns are {', '.join(frame.names)}"
    )


def unmentioned(frame: Frame, named: Sequence[str]) -> List[str]:
    return [name for name in frame.names or [] if name not in set(named)]
