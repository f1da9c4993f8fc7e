# SPDX-License-Identifier: Apache-2.0
"""Questions about tables, as the engine answers them for every caller."""

from __future__ import annotations

import json
from typing import Any, List, Sequence, Tuple

from . import _core
from ._record import Record, parse


def ask(kind: str, job: Tuple[str, List[Tuple[str, str]]], tables: Sequence[Tuple[Any, ...]],
        callback: Any = None, **options: Any) -> Record:
    """The answer as a record. `job` is a plan as text and its hierarchies; each table a role and
    its source, or a role, source and name; a source that is None is left out. Options are those of
    shoal/ask.h; None is not given."""
    inputs = [(role, source, rest[0] if rest else None) for role, source, *rest in tables]
    return parse(_core.ask(kind, *job, inputs, json.dumps(options), callback))
