# SPDX-License-Identifier: Apache-2.0
"""Progress: a callback ``f(phase, share)``, or a tqdm bar where ``progress=True``."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, Optional, Union

Progress = Union[None, bool, Callable[[str, float], Any]]


@contextlib.contextmanager
def watching(progress: Progress) -> Iterator[Optional[Callable[[str, float], Any]]]:
    """The callback for the extension. ``True`` without tqdm shows nothing."""
    if not progress:
        yield None
        return
    if callable(progress):
        yield progress
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=100, bar_format="{desc:<8}|{bar}| {n:.0f} % [{elapsed}]") as bar:

        def step(phase: str, share: float) -> None:
            bar.set_description_str(phase, refresh=False)
            bar.n = max(0.0, min(1.0, share)) * 100
            bar.refresh()

        yield step
