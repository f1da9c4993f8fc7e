# SPDX-License-Identifier: Apache-2.0
"""A plan: the specification of one release, as an object."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import os
from typing import (
    Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, TypeVar, Union, cast,
)

from . import _core
from ._errors import UsageError, usage
from ._hierarchy import Hierarchy, as_hierarchy
from ._record import Record

Columns = Union[None, str, Iterable[Any]]
Formats = Union[None, str, Iterable[str], Mapping[Any, str]]
Ordered = Union[Columns, Mapping[Any, Union[str, Iterable[Any]]]]

_Verb = TypeVar("_Verb", bound=Callable[..., Any])

# Keyword arguments that name columns, and the roles they give.
ROLES = {
    "qids": "quasi",
    "sensitive": "sensitive",
    "class_": "class",
    "identifiers": "identifier",
    "entity": "entity",
    "other": "other",
    "drop": "drop",
}
TYPES = {"numeric": "numeric", "categorical": "categorical", "dates": "date"}
PUBLISHED = {"quasi", "sensitive", "class", "other"}
ENCODED = {"quasi", "sensitive", "class", "entity"}


def listed(columns: Columns) -> List[Any]:
    if columns is None:
        return []
    return [columns] if isinstance(columns, str) else list(columns)


def _model(model: Any) -> Dict[str, str]:
    """``"l-diversity=distinct:3"``, ``("l-diversity", "distinct:3"[, column])`` or a mapping with
    these keys.
    """
    if isinstance(model, Mapping):
        made = {
            key: str(model[key])
            for key in ("name", "value", "column")
            if model.get(key) is not None
        }
    elif isinstance(model, str):
        name, _, value = model.partition("=")
        column, found, rest = value.rpartition("=")
        made = {
            "name": name,
            "value": rest if found else value,
            **({"column": column} if found else {}),
        }
    else:
        parts = [str(part) for part in model]
        made = dict(zip(("name", "value", "column"), parts))
    if not made.get("name") or not made.get("value"):
        raise usage(
            "a model has no name or no value",
            'write models=["l-diversity=distinct:3"] or [("l-diversity", "distinct:3", "disease")]',
        )
    return made


# Names that keyword arguments had, or that the command leads one to expect; what they are called.
_RENAMED = {
    "class_column": "class_",
    "level_weights": "weights",
    "nulls": "null",
    "qid": "qids",
    "identifier": "identifiers",
    "date": "dates",
    "format": "formats",
    "sensitive_range": "sensitive_ranges",
    "hierarchy": "hierarchies",
    "param": "params",
}


def unknown(name: str, known: Iterable[str]) -> UsageError:
    """The error for an unknown keyword argument, with the nearest name."""
    near = [_RENAMED[name]] if name in _RENAMED else difflib.get_close_matches(name, list(known), 1)
    where = "help() lists the arguments, shoal.algorithms() the parameters of each method"
    return usage(f"there is no argument '{name}'", f"did you mean {near[0]}?" if near else where)


def checked(verb: _Verb) -> _Verb:
    """Refuse keyword arguments that a verb does not have, with the nearest name."""
    known = inspect.signature(verb).parameters

    @functools.wraps(verb)
    def call(*args: Any, **given: Any) -> Any:
        for name in given:
            if name not in known:
                raise unknown(name, known)
        return verb(*args, **given)

    return cast(_Verb, call)


def _params_of(algorithms: Iterable[Optional[str]]) -> List[str]:
    """Names of the parameters of these methods; None is the default method."""
    rows = _core.algorithms()
    wanted = {name or rows[0][0] for name in algorithms}
    if not wanted <= {row[0] for row in rows}:
        wanted = {row[0] for row in rows}  # an unknown method is reported elsewhere
    return [param[0] for row in rows if row[0] in wanted for param in row[3]]


def _param(name: str, names: Iterable[str], known: Iterable[str]) -> str:
    """Names of parameters; dashes are underscores in Python."""
    for spelled in (name, name.replace("_", "-")):
        if spelled in names:
            return spelled
    raise unknown(name, [*known, *(each.replace("-", "_") for each in names)])


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_value(item) for item in value)
    return str(value)


class Plan:
    """The specification of one release: roles, hierarchies, k, models, method. The keys are those
    of a plan file (docs/plan.md).

    >>> from shoal import Plan
    >>> plan = Plan.from_yaml("k: 10\\ncolumns:\\n  - {name: age, role: quasi}\\nrest: keep\\n")
    >>> plan.k, plan.qids, plan["rest"]
    (10, ['age'], 'keep')
    >>> plan.replace(k=5).k
    5
    """

    def __init__(
        self,
        fields: Optional[Mapping[str, Any]] = None,
        hierarchies: Optional[Mapping[str, Hierarchy]] = None,
        *,
        text: Optional[str] = None,
    ) -> None:
        self.fields: Dict[str, Any] = json.loads(json.dumps(dict(fields or {})))
        self.hierarchies: Dict[str, Hierarchy] = dict(hierarchies or {})
        self.text = text  # as it was written, comments and all; None: made by a program
        self.profile: Optional[Record] = None  # what init() saw of each column

    @classmethod
    def from_yaml(cls, source: Union[str, "os.PathLike[str]"]) -> "Plan":
        """Read a plan file, or its text if ``source`` has several lines. Paths in a file are
        relative to its folder.
        """
        name = os.fspath(source)
        text = name
        if "\n" in name:
            name = "the plan"
        else:
            with open(name, encoding="utf-8") as file:
                text = file.read()
        return cls(json.loads(_core.plan_read(text, name)), text=text)

    def to_yaml(self) -> str:
        """As the text of a plan file. (JSON is YAML.) Hierarchies that are objects are not in it.
        """
        return json.dumps(self.fields, indent=2, ensure_ascii=False) + "\n"

    def replace(self, **changes: Any) -> "Plan":
        """A copy with other values; ``None`` removes a key."""
        fields = {**self.fields, **{key.replace("_", "-"): value for key, value in changes.items()}}
        return Plan(
            {key: value for key, value in fields.items() if value is not None}, self.hierarchies
        )

    # ---- what is in it ----

    def __getitem__(self, key: str) -> Any:
        return self.fields[key]

    def get(self, key: str, fallback: Any = None) -> Any:
        return self.fields.get(key, fallback)

    @property
    def k(self) -> Optional[int]:
        return self.fields.get("k")

    @property
    def columns(self) -> List[Dict[str, Any]]:
        return self.fields.get("columns", [])

    def named(self, *roles: str) -> List[str]:
        """Columns with one of these roles, in the order in which they were named."""
        return [column["name"] for column in self.columns if column.get("role") in roles]

    @property
    def qids(self) -> List[str]:
        return self.named("quasi")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and (self.fields, self.hierarchies) == (
            other.fields,
            other.hierarchies,
        )

    def __repr__(self) -> str:
        return f"Plan(k={self.k}, qids={self.qids})"

    def _repr_html_(self) -> str:
        from ._card import plan_card

        return plan_card(self)

    # ---- for the extension ----

    def _job(self) -> Tuple[str, List[Tuple[str, str]]]:
        """The plan as text, and hierarchies that hold their labels as (column, level file)."""
        fields = dict(self.fields)
        columns = {column["name"]: dict(column) for column in self.columns}
        texts = []
        for name, hierarchy in self.hierarchies.items():
            if name not in columns:
                continue
            if hierarchy.is_recipe:
                columns[name]["hierarchy"] = f"build:{hierarchy.spec}"
            else:
                columns[name].pop("hierarchy", None)
                texts.append((name, hierarchy.text))
        if columns:
            fields["columns"] = list(columns.values())
        return json.dumps(fields, ensure_ascii=False), texts


def _joined(value: Any) -> str:
    """A text, or numbers or names in a list, as the command takes them."""
    return value if isinstance(value, str) else ",".join(str(one) for one in value)


def _order(order: Any) -> str:
    """``"low < middle < high"``, or its labels in a list."""
    return order if isinstance(order, str) else " < ".join(str(label) for label in order)


def _formats(formats: Formats) -> Dict[str, str]:
    """``{"born": "DD.MM.YYYY"}``, or ``"born=DD.MM.YYYY"`` as the command takes it."""
    if isinstance(formats, Mapping):
        return {str(name): str(spec) for name, spec in formats.items()}
    found = {}
    for text in listed(formats):
        name, mark, spec = str(text).rpartition("=")
        if not mark:
            raise usage("a format is for no column", 'write formats={"born": "DD.MM.YYYY"}')
        found[name] = spec
    return found


def _lay_columns(fields: Dict[str, Any], settings: Mapping[str, Any]) -> None:
    """Roles and types from keyword arguments; they override a plan's."""
    columns = {column["name"]: dict(column) for column in fields.get("columns", [])}
    given: Dict[str, str] = {}
    for argument, role in ROLES.items():
        for label in listed(settings.get(argument)):
            name = str(label)
            if name in given and given[name] != argument:
                raise usage(
                    f"column '{name}' has two roles, {given[name]} and {argument}",
                    "name it in one of them",
                )
            given[name] = argument
            columns.setdefault(name, {"name": name})["role"] = role
    for argument, kind in TYPES.items():
        for label in listed(settings.get(argument)):
            columns.setdefault(str(label), {"name": str(label)})["type"] = kind
    ordered = settings.get("ordered")
    orders = (
        ordered if isinstance(ordered, Mapping) else {label: "auto" for label in listed(ordered)}
    )
    for label, order in orders.items():
        columns.setdefault(str(label), {"name": str(label)})["ordered"] = _order(order)
    for name, spec in _formats(settings.get("formats")).items():
        columns.setdefault(name, {"name": name})["format"] = spec
    for name, spec in (settings.get("sensitive_ranges") or {}).items():
        columns.setdefault(str(name), {"name": str(name)})["sensitive-range"] = str(spec)
    weights = settings.get("weights")
    for name, spec in (weights.items() if isinstance(weights, Mapping) else ()):
        columns.setdefault(str(name), {"name": str(name)})["weights"] = _joined(spec)
    for name, level in (settings.get("max_level") or {}).items():
        columns.setdefault(str(name), {"name": str(name)})["max-level"] = level
    # the order of quasi-identifiers is the one in which they are named here
    if settings.get("qids") is not None:
        first = [str(label) for label in listed(settings["qids"])]
        columns = {**{name: columns[name] for name in first}, **columns}
    if columns:
        fields["columns"] = list(columns.values())


def build_plan(
    plan: Union[None, Plan, str, "os.PathLike[str]", Mapping[str, Any]],
    settings: Mapping[str, Any],
    given: Mapping[str, Any],
    algorithms: Iterable[str] = (),
) -> Plan:
    """Keyword arguments that override a plan.

    ``given`` are the arguments that a verb does not name: parameters of the method, or of
    ``algorithms``.
    """
    if plan is None:
        base = Plan()
    elif isinstance(plan, Plan):
        base = plan
    elif isinstance(plan, Mapping):
        base = Plan(plan)
    else:
        base = Plan.from_yaml(plan)
    fields = json.loads(json.dumps(base.fields))
    hierarchies = dict(base.hierarchies)
    _lay_columns(fields, settings)
    for key in ("k", "algorithm", "seed", "threads", "rest", "recoding", "domain", "suppressed"):
        if settings.get(key) is not None:
            fields[key] = settings[key]
    for key in ("on_missing", "time_limit", "suppression_limit", "row_order"):
        if settings.get(key) is not None:
            fields[key.replace("_", "-")] = settings[key]
    priority = settings.get("priority")
    if priority is not None:
        fields["priority"] = (
            _joined(f"{name}={number}" for name, number in priority.items())
            if isinstance(priority, Mapping)
            else _joined(priority)
        )
    if settings.get("weights") is not None and not isinstance(settings["weights"], Mapping):
        fields["weights"] = _joined(settings["weights"])
    if settings.get("drop_suppressed") is not None:
        fields["drop-suppressed"] = "true" if settings["drop_suppressed"] else "false"
    if settings.get("null") is not None:
        fields.setdefault("input", {})["nulls"] = listed(settings["null"])
    if settings.get("missing") is not None:
        fields.setdefault("input", {})["missing"] = settings["missing"]
    _check_k(fields)
    models = settings.get("models")
    if models:
        if isinstance(models, Mapping):
            models = list(models.items())
        fields["models"] = [
            _model(model) for model in ([models] if isinstance(models, str) else models)
        ]
    trees = settings.get("hierarchies")
    if isinstance(trees, (str, os.PathLike)):
        fields["hierarchies"] = os.path.abspath(trees)
    elif trees is not None:
        hierarchies.update(
            {str(name): as_hierarchy(hierarchy) for name, hierarchy in trees.items()}
        )
    params = {**(settings.get("params") or {}), **given}
    if params:
        names = _params_of(list(algorithms) or [fields.get("algorithm")])
        set_params(fields, {_param(name, names, settings): value for name, value in params.items()})
    return Plan(fields, hierarchies)


def set_params(fields: Dict[str, Any], params: Mapping[str, Any]) -> None:
    """Parameters that override those of a plan."""
    laid = {param["name"]: param["value"] for param in fields.get("params", [])}
    laid.update({name: _value(value) for name, value in params.items()})
    if laid:
        fields["params"] = [{"name": name, "value": value} for name, value in laid.items()]


def _check_k(fields: Dict[str, Any]) -> None:
    k = fields.get("k")
    if k is None:
        return
    try:
        whole = int(k)
    except (TypeError, ValueError):
        whole = 0
    if isinstance(k, bool) or whole != k or not 2 <= whole <= 2**32 - 3:
        raise usage(
            "k must be a whole number of at least 2: the rows each person hides among", "write k=10"
        )
    fields["k"] = whole
