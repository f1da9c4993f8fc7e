# SPDX-License-Identifier: Apache-2.0
"""Cards for notebooks: small HTML without scripts, with the numbers and a plot of what each column
lost.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Iterable, List, Tuple

if TYPE_CHECKING:
    from ._plan import Plan
    from ._record import Record
    from ._release import Release

_STYLE = (
    "font-family:system-ui,sans-serif;border:1px solid #8884;border-radius:8px;"
    "padding:12px 16px;max-width:44em"
)
_BLUE = "#2b6cb0"


def _number(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


def _bound_for(report: Any) -> str:
    return {
        "k alone": "no release with this k alone, without the models, loses less",
        "k and models": "no release with the rows per group that k and the models need loses less",
    }.get(report.get("bound_for"), "no release with this k loses less")


def _rows(rows: Iterable[Tuple[str, Any, str]]) -> str:
    cells = "".join(
        f'<tr><td style="text-align:left;padding:1px 12px 1px 0">{escape(name)}</td>'
        f'<td style="text-align:right;padding:1px 12px 1px 0"><b>{_number(value)}</b></td>'
        f'<td style="text-align:left;opacity:.7">{escape(note)}</td></tr>'
        for name, value, note in rows
    )
    return f'<table style="border-collapse:collapse">{cells}</table>'


def bars(losses: List[Tuple[str, float]]) -> str:
    """Loss of each quasi-identifier as an SVG of bars from 0 to 1."""
    height = 18 * len(losses) + 4
    parts = []
    for i, (name, loss) in enumerate(losses):
        y = 18 * i + 2
        share = max(0.0, min(1.0, loss))
        parts.append(
            f'<text x="130" y="{y + 11}" text-anchor="end" font-size="11" fill="currentColor">'
            f'{escape(name[:22])}</text>'
            f'<rect x="138" y="{y}" width="220" height="13" fill="#8882"/>'
            f'<rect x="138" y="{y}" width="{220 * share:.1f}" height="13" fill="{_BLUE}"/>'
            f'<text x="364" y="{y + 11}" font-size="11" fill="currentColor">{loss:.4f}</text>'
        )
    return (
        f'<svg width="420" height="{height}" role="img" '
        f'aria-label="loss of each quasi-identifier">{"".join(parts)}</svg>'
    )


def release_card(release: "Release") -> str:
    report = release._report(False)
    rows: List[Tuple[str, Any, str]] = [
        (
            "rows",
            report["rows"],
            f"{_number(report.get('classes'))} distinct quasi-identifier tuples before",
        ),
        ("groups", report["groups"], f"smallest: {_number(report['min_group'])} rows"),
        ("suppressed rows", report.get("suppressed_rows", 0), ""),
    ]
    if "gcp" in report:
        rows.append(("gcp", report["gcp"], "information loss: 0 unchanged, 1 nothing left"))
    if report.get("lower_bound") is not None:
        rows.append(
            (
                "lower bound",
                report["lower_bound"],
                f"{_bound_for(report)}; gap {_number(report['gap'])} times",
            )
        )
    for model in report["models"]:
        of = f" of {model['column']}" if model.get("column") else ""
        rows.append(
            (
                f"{model['name']} {model['variant']}".strip(),
                model["achieved"],
                f"asked {_number(model['asked'])}{of}; holds",
            )
        )
    k = f"k = {report['k']}" if report["k"] else "no k"
    title = f"Release by {escape(str(report['algorithm']))}, {k}" + (
        "" if report["seed"] is None else f", seed {report['seed']}"
    )
    plot = bars([(qid["name"] or "?", qid["loss"]) for qid in report.get("qids", [])])
    early = (
        "<div>The search was ended early: this is the best valid result so far.</div>"
        if report["stopped_early"]
        else ""
    )
    return (
        f'<div style="{_STYLE}"><div style="font-weight:600;margin-bottom:6px">{title}</div>'
        f"{_rows(rows)}"
        f'<div style="margin-top:8px;opacity:.7">loss of each quasi-identifier</div>{plot}{early}'
        f'<div style="margin-top:6px;opacity:.7">verified: every published tuple occurs at least '
        f'{_number(report["min_group"])} times</div></div>'
    )


def record_table(record: "Record") -> str:
    plain = (item for item in record.items() if not isinstance(item[1], (dict, list)))
    rows = ((key, value, "") for key, value in plain)
    return f'<div style="{_STYLE}">{_rows(rows)}</div>'


def plan_card(plan: "Plan") -> str:
    rows = [
        (column["name"], column.get("role", "none"), column.get("type", ""))
        for column in plan.columns
    ]
    return (
        f'<div style="{_STYLE}"><div style="font-weight:600;margin-bottom:6px">'
        f"Plan, k = {_number(plan.k)}</div>{_rows(rows)}</div>"
    )
