# SPDX-License-Identifier: Apache-2.0
"""Releases of Parquet and Arrow files, read in two passes: one counts the distinct tuples, the
other writes the release.

Memory is that of the distinct tuples and of one batch of rows. Rows keep their order; columns that
are not quasi-identifiers keep their types and metadata.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Dict, Iterator, List, Optional, Tuple

from . import _counted
from ._counted import CountedRelease, Request
from ._errors import InputOutputError, UnsatisfiableError, usage
from ._plan import Columns
from ._progress import Progress

_BATCH_ROWS = 1 << 19
_FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "ipc",
    ".feather": "ipc",
    ".ipc": "ipc",
}


def _format(path: str) -> str:
    found = _FORMATS.get(os.path.splitext(path)[1].lower())
    if found is None:
        raise usage(
            "the file name does not determine its format",
            f"end it with one of {', '.join(_FORMATS)}; CSV files are for the command shoal",
        )
    return found


def _open(path: str) -> Any:
    """A dataset: a file, or a folder of files, with columns from names like year=2024 of its
    folders.
    """
    pa = _counted.arrow()
    import pyarrow.dataset as datasets

    if os.path.isdir(path):
        inside = [
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if not name.startswith((".", "_"))
        ]
        if not inside:
            raise InputOutputError(
                "the folder has no files", "name a folder of Parquet or Arrow files"
            )
        kind = _format(sorted(inside)[0])
    else:
        kind = _format(path)
    try:
        return datasets.dataset(path, format=kind, partitioning="hive")
    except (OSError, pa.ArrowInvalid):
        raise InputOutputError(
            "the input cannot be read as Parquet or Arrow",
            "check its name, and that it is complete",
            file=path,
        ) from None


def _batches(source: Any, names: List[str]) -> Iterator[Any]:
    """Tables of some columns, in the order of the rows."""
    pa = _counted.arrow()
    for batch in source.to_batches(columns=names, batch_size=_BATCH_ROWS):
        if batch.num_rows:
            yield pa.Table.from_batches([batch])


def _texts(table: Any, names: List[str]) -> Any:
    return _counted.arrow().table({name: _counted.spell(table.column(name)) for name in names})


def _count(source: Any, names: List[str]) -> Any:
    """Distinct tuples as texts, in the order of their first rows, and their counts as the last
    column.
    """
    pa = _counted.arrow()
    keys = [f"c{i}" for i in range(len(names))]
    layout = [*keys, "n", "first"]

    def merge(table: Any) -> Any:
        return (
            table.group_by(keys, use_threads=False)
            .aggregate([("n", "sum"), ("first", "min")])
            .select([*keys, "n_sum", "first_min"])
            .rename_columns(layout)
        )

    total = pa.table(
        {
            **{name: pa.array([], pa.string()) for name in keys},
            "n": pa.array([], pa.int64()),
            "first": pa.array([], pa.int64()),
        }
    )
    rows = 0
    for table in _batches(source, names):
        texts = _texts(table, names).rename_columns(keys)
        texts = texts.append_column(
            "n", pa.repeat(pa.scalar(1, pa.int64()), len(texts))
        ).append_column("first", pa.array(range(rows, rows + len(texts)), pa.int64()))
        total = merge(pa.concat_tables([total, merge(texts)]))
        rows += len(texts)
    total = total.sort_by("first").combine_chunks().drop_columns("first")
    return total.rename_columns([*names, _counted.free_name("n", names)])


class _Shares:
    """Which share of the mapping each row belongs to: rows of a tuple go to its shares in their
    order.
    """

    def __init__(self, tuples: Any, counts: Any, shares: Any) -> None:
        import numpy as np

        self._np = np
        self._known = _counted.tuple_keys(tuples)
        # rows of all tuples before
        self._first = np.concatenate(([0], np.cumsum(counts.to_numpy())))[:-1]
        self._starts = (
            self._first[shares.column("tuple").to_numpy()] + shares.column("before").to_numpy()
        )
        self._seen = np.zeros(len(counts), dtype=np.int64)

    def of(self, texts: Any) -> Any:
        np = self._np
        found = _counted.arrow().compute.index_in(_counted.tuple_keys(texts), value_set=self._known)
        if found.null_count:
            raise UnsatisfiableError(
                "verify: the input has changed while it was read", "nothing was released; try again"
            )
        at = found.to_numpy().astype(np.int64)
        order = np.argsort(at, kind="stable")
        ordered = at[order]
        begins = (
            np.concatenate(([0], np.flatnonzero(np.diff(ordered)) + 1))
            if len(at)
            else np.zeros(0, dtype=np.int64)
        )
        sizes = np.diff(np.append(begins, len(at)))
        position = np.empty(len(at), dtype=np.int64)
        position[order] = np.arange(len(at)) - np.repeat(begins, sizes)
        position += self._seen[at]
        self._seen[ordered[begins]] += sizes
        return np.searchsorted(self._starts, self._first[at] + position, side="right") - 1


# ---- the release ----


def _schema(source: Any, request: Request) -> Any:
    pa = _counted.arrow()
    fields = [source.schema.field(name) for name in request.published]
    fields = [
        pa.field(field.name, pa.string(), True) if field.name in request.qids else field
        for field in fields
    ]
    # that tells the old types
    about = {
        key: value for key, value in (source.schema.metadata or {}).items() if key != b"pandas"
    }
    return pa.schema(fields, metadata=about or None)


def _writer(path: str, kind: str, schema: Any) -> Any:
    pa = _counted.arrow()
    if kind == "parquet":
        import pyarrow.parquet

        return pyarrow.parquet.ParquetWriter(path, schema)
    return pa.ipc.new_file(path, schema)


def _write(source: Any, request: Request, path: str, kind: str, rows: Tuple[_Shares, Any]) -> None:
    pa = _counted.arrow()
    finder, shares = rows
    schema = _schema(source, request)
    names = list(dict.fromkeys([*request.published, *request.keys]))
    with _writer(path, kind, schema) as writer:
        for table in _batches(source, names):
            at = pa.array(finder.of(_texts(table, request.keys)))
            cells: Dict[str, Any] = {
                name: shares.column(f"released_{name}").take(at) for name in request.qids
            }
            made = pa.table(
                [cells.get(name, table.column(name)) for name in request.published], schema=schema
            )
            writer.write_table(made)


def _verify(path: str, request: Request, tuples: Any, shares: Any) -> None:
    """From the file that was written: each published tuple as often as the mapping says, k, models.
    """
    names = [*request.qids, *request.keys[len(request.qids):]]
    found = _count(_open(path), names)
    _counted.verify_counts(request, shares, tuples, found.rename_columns([*names, request.count]))


@contextlib.contextmanager
def _in_place(target: str) -> Iterator[str]:
    """A file beside the target, which takes its name at the end, on the disk by then; after an
    error it is removed.
    """
    try:
        number, temporary = tempfile.mkstemp(
            prefix=".shoal-",
            suffix=os.path.splitext(target)[1],
            dir=os.path.dirname(os.path.abspath(target)),
        )
    except OSError:
        raise InputOutputError(
            "the release cannot be written there",
            "check the folder and its permissions",
            file=target,
        ) from None
    os.close(number)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


def anonymize(
    source: Any,
    into: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    replace: bool = False,
    plan: Any = None,
    progress: Progress = None,
    **given: Any,
) -> CountedRelease:
    """Release a Parquet or Arrow file, or a folder of them, as one file. Other arguments are those
    of :func:`shoal.anonymize`.

    >>> import os, tempfile, pyarrow as pa, pyarrow.parquet as pq, shoal.files
    >>> folder = tempfile.mkdtemp()
    >>> pq.write_table(pa.table({"age": [21, 23, 64, 66], "note": ["a", "b", "c", "d"]}),
    ...     os.path.join(folder, "people.parquet"))
    >>> release = shoal.files.anonymize(os.path.join(folder, "people.parquet"),
    ...     os.path.join(folder, "release.parquet"), qids="age", k=2, rest="keep")
    >>> pq.read_table(os.path.join(folder, "release.parquet")).column("age").to_pylist()
    ['[21..23]', '[21..23]', '[64..66]', '[64..66]']
    """
    path, target = os.fspath(source), os.fspath(into)
    made = _counted.plan_of(plan, {"qids": qids, "k": k, **given})
    kind = _format(target)
    if os.path.exists(target) and not replace:
        raise usage(
            "the file of the release exists",
            "write replace=True (--force) to put the release in its place",
        )
    if os.path.exists(path) and os.path.exists(target) and os.path.samefile(path, target):
        raise usage("the release would take the place of its own source", "give it another name")
    opened = _open(path)
    request = Request(made, {field.name: _counted.kind_of(field.type) for field in opened.schema})
    request.refuse_early()
    counted = _count(opened, request.keys)
    tuples, counts = (
        counted.select(list(range(len(request.keys)))),
        counted.column(len(request.keys)).combine_chunks(),
    )
    handle, shares = _counted.run(request, tuples, counts, progress)
    with _in_place(target) as temporary:
        _write(opened, request, temporary, kind, (_Shares(tuples, counts, shares), shares))
        _verify(temporary, request, tuples, shares)
    rows = int(_counted.arrow().compute.sum(counts).as_py() or 0)
    return CountedRelease(
        request, handle, shares, {name: tuples.column(name) for name in request.keys}, rows
    )


__all__ = ["anonymize"]
