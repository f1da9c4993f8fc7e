# SPDX-License-Identifier: Apache-2.0
"""claim_rows.py - a claim, where it was tried, and its verdict."""

from table_text import fixed

HOLDS, PART, FAILS, UNTESTED = "holds", "holds in part", "does not hold", "cannot be tested"
claims = []


def claim(document, text, condition, tries, measured):
    """`tries`: whether the condition is true, at each place."""
    if not tries:
        return
    verdict = HOLDS if all(tries) else PART if any(tries) else FAILS
    share = f" ({sum(tries)} of {len(tries)})" if verdict == PART else ""
    claims.append((document, text, measured, condition, verdict, share))


def untested(document, text, reason):
    claims.append((document, text, reason, "-", UNTESTED, ""))


def span(numbers, digits=2):
    numbers = list(numbers)
    low, high = fixed(min(numbers), digits), fixed(max(numbers), digits)
    return low if low == high else f"{low} to {high}"


def each(pairs, digits=2):
    """A value for each place, by name."""
    return ", ".join(f"{name}: {fixed(value, digits)}" for name, value in pairs)
