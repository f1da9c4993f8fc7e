# SPDX-License-Identifier: Apache-2.0
"""Progress: a callback ``f(phase, share)`` or ``f(phase, share, loss)``, or a tqdm bar where
``progress=True``.
"""

from __future__ import annotations

import contextlib
import inspect
from typing import Any, Callable, Iterator, Optional, Union

Progress = Union[
    None, bool, Callable[[str, float], Any], Callable[[str, float, Optional[float]], Any]
]
Step = Callable[[str, float, Optional[float]], Any]


def _takes_loss(callback: Callable[..., Any]) -> bool:
    """Can it be called with three arguments, and does it want them? A third one with a default is
    the caller's own.
    """
    try:
        parameters = list(inspect.signature(callback).parameters.values())
    except (TypeError, ValueError):  # built in: not known
        return False
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return True
    places = [
        one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    return len(places) >= 3 and places[2].default is inspect.Parameter.empty


@contextlib.contextmanager
def watching(progress: Progress) -> Iterator[Optional[Step]]:
    """The callback for the extension. ``True`` without tqdm shows nothing."""
    if not progress:
        yield None
        return
    if callable(progress):
        callback: Any = progress
        takes_loss = _takes_loss(callback)
        yield callback if takes_loss else lambda phase, share, loss: callback(phase, share)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=100, bar_format="{desc:<8}|{bar}| {n:.0f} % [{elapsed}]{postfix}") as bar:

        def step(phase: str, share: float, loss: Optional[float]) -> None:
            bar.set_description_str(phase, refresh=False)
            bar.set_postfix_str(
                f"loss {loss:.4f}" if loss is not None and phase == "refine" else "", refresh=False
            )
            bar.n = max(0.0, min(1.0, share)) * 100
            bar.refresh()

        yield step
