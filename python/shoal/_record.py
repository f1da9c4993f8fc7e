# SPDX-License-Identifier: Apache-2.0
"""Numbers of a report: a dict whose entries are attributes too."""

from __future__ import annotations

import json
from typing import Any, Dict


class Record(dict):
    """What was found. ``record.gcp`` is ``record["gcp"]``.

    >>> from shoal import Record
    >>> Record(gcp=0.25).gcp
    0.25
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(
                f"there is no '{name}' here; there are {', '.join(self)}"
            ) from None

    def __dir__(self) -> Any:
        return [*super().__dir__(), *self]

    def _repr_html_(self) -> str:
        from ._card import record_table

        return record_table(self)


def record(value: Any) -> Any:
    """Dicts all the way down as records."""
    if isinstance(value, dict):
        return Record({key: record(item) for key, item in value.items()})
    return [record(item) for item in value] if isinstance(value, list) else value


def parse(text: str) -> Record:
    found: Dict[str, Any] = json.loads(text)
    return record(found)
