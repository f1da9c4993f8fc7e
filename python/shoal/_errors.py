# SPDX-License-Identifier: Apache-2.0
"""One exception for each status of the library. Messages never hold a value of a table."""

from __future__ import annotations

import re
from typing import Optional


class ShoalError(Exception):
    """Something went wrong: ``message`` says what and where, ``fix`` what to do about it (it may be empty)."""

    status: int = 0

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message if not fix else f"{message}; {fix}")
        self.message = message
        self.fix = fix

    def __reduce__(self):  # pickles across processes
        return (type(self), (self.message, self.fix))


class InputOutputError(ShoalError, OSError):
    """A file could not be read, or a stream failed."""

    status = -1


class UsageError(ShoalError, ValueError):
    """The call or the plan is wrong: a column that is not there, no k, an unknown method."""

    status = -2


class UnsatisfiableError(ShoalError):
    """A privacy model is not met, or cannot be met; nothing was released."""

    status = -3


class DataError(ShoalError, ValueError):
    """The table or a hierarchy is broken."""

    status = -4


class BudgetError(ShoalError):
    """A time or memory budget was reached before there was a result."""

    status = -5


class CancelledError(ShoalError):
    """The progress callback asked to stop before there was a result."""

    status = -6


class OutOfMemoryError(ShoalError, MemoryError):
    """An allocation failed."""

    status = -7


class InternalError(ShoalError):
    """A mistake of the library itself, found by a check that is always on."""

    status = -8


class InterruptedWarning(UserWarning):
    """Ctrl-C ended the search early; the release is the best valid one so far."""


_CLASSES = {
    cls.status: cls
    for cls in (
        InputOutputError,
        UsageError,
        UnsatisfiableError,
        DataError,
        BudgetError,
        CancelledError,
        OutOfMemoryError,
        InternalError,
    )
}

# The library speaks of options as the command spells them.
_WORDS = {
    "qid": "qids",
    "class": "class_column",
    "identifier": "identifiers",
    "date": "dates",
    "null": "nulls",
    "sensitive-range": "sensitive_ranges",
    "hierarchy": "hierarchies",
    "param": "a keyword argument",
}


def _python_words(text: str) -> str:
    def word(match: "re.Match[str]") -> str:
        name = match.group(1)
        return _WORDS.get(name, name.replace("-", "_"))

    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)", word, re.sub(r"(?<![\w-])-k (\d+)", r"k=\1", text))


def make(status: int, message: str) -> ShoalError:
    """The exception of a status; what follows the last ``"; "`` of the message outside of quoted names is the fix."""
    text = _python_words(message)
    bare = re.sub(r"(?<![^ (])'.*?'(?![A-Za-z0-9])", lambda name: "_" * len(name.group()), text)
    cut = bare.rfind("; ")
    what, fix = (text, "") if cut < 0 else (text[:cut], text[cut + 2 :])
    return _CLASSES.get(status, ShoalError)(what, fix)


def usage(message: str, fix: Optional[str] = None) -> UsageError:
    return UsageError(message, fix or "")
