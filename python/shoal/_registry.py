# SPDX-License-Identifier: Apache-2.0
"""What models and methods need and publish, from the rows of the library: no code here tests for
their names.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Dict, FrozenSet, Optional

from . import _core


@lru_cache(maxsize=None)
def _rows() -> Dict[str, Any]:
    """Lists of models, measures and methods, each entry a row."""
    return json.loads(_core.registry())


def method_traits(algorithm: Optional[str]) -> FrozenSet[str]:
    """What a method needs and publishes ("needs-class", "writes-two-tables", ...); None: the
    default. Empty for an unknown name.

    >>> "needs-k" in method_traits(None)
    True
    """
    methods = _rows()["methods"]
    return frozenset(
        trait
        for row in methods
        if row["name"] == (algorithm or methods[0]["name"])
        for trait in row["traits"]
    )


def is_text_method(algorithm: Optional[str]) -> bool:
    """Does the library write the releases of this method as text?"""
    return bool(method_traits(algorithm) & {"writes-two-tables", "generalises-sensitive"})


def model_traits(name: str) -> FrozenSet[str]:
    """What a model needs ("needs-original", ...), of all its variants.

    >>> "has-column" in model_traits("l-diversity")
    True
    """
    return frozenset(
        trait for row in _rows()["models"] if row["name"] == name for trait in row["traits"]
    )
