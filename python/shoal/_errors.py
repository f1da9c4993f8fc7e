# SPDX-License-Identifier: Apache-2.0
"""One exception for each status of the library. Messages never hold a value of a table."""

from __future__ import annotations

from typing import Any, Optional


class ShoalError(Exception):
    """Something went wrong: ``message`` says what and where, ``fix`` what to do about it (it may be
    empty).

    Where it is known, ``file`` is the file or text that is meant, ``column`` the name of a column,
    and ``row`` and ``line`` the first row of the table and line of the file that are meant, counted
    from 1; else they are None.
    """

    status: int = 0

    def __init__(
        self,
        message: str,
        fix: str = "",
        *,
        file: Optional[str] = None,
        column: Optional[str] = None,
        row: Optional[int] = None,
        line: Optional[int] = None,
    ) -> None:
        super().__init__(message if not fix else f"{message}; {fix}")
        self.message = message
        self.fix = fix
        self.file = file
        self.column = column
        self.row = row
        self.line = line

    def __reduce__(self) -> Any:  # pickles across processes
        return (
            type(self),
            (self.message, self.fix),
            {"file": self.file, "column": self.column, "row": self.row, "line": self.line},
        )


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


class FewPersonsWarning(UserWarning):
    """Groups of k rows have fewer than k values of a column that looks like the key of persons."""


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


def make(
    status: int,
    message: str,
    fix: str = "",
    file: str = "",
    column: str = "",
    row: int = 0,
    line: int = 0,
) -> ShoalError:
    """The exception of a status, from the parts that the library gives; empty ones are not known.
    """
    kind = _CLASSES.get(status, ShoalError)
    return kind(
        message, fix, file=file or None, column=column or None, row=row or None, line=line or None
    )


def usage(message: str, fix: Optional[str] = None) -> UsageError:
    return UsageError(message, fix or "")
