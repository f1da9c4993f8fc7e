# SPDX-License-Identifier: Apache-2.0
"""The verbs: anonymize, check, measure, risk, bound, evaluate_queries, evaluate_classify, init."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._ask import ask
from ._errors import FewPersonsWarning, InterruptedWarning, usage
from ._frames import Frame, check_columns, unmentioned, wrap
from ._hierarchy import Hierarchy
from ._plan import ENCODED, Columns, Formats, Ordered, Plan, build_plan, checked, listed, set_params
from ._progress import Progress, watching
from ._record import Record, parse
from ._registry import is_text_method
from ._release import Release

Hierarchies = Union[None, str, "os.PathLike[str]", Mapping[str, Any]]
Models = Union[None, str, Mapping[str, str], Iterable[Any]]
Priority = Union[None, str, Sequence[str], Mapping[str, float]]
LevelWeights = Union[None, str, Sequence[float], Mapping[str, Any]]
AnyPlan = Union[None, Plan, str, "os.PathLike[str]", Mapping[str, Any]]


def _need_qids(plan: Plan) -> None:
    if not plan.qids:
        raise usage("no quasi-identifier was named", 'say which columns others may know: qids=["age", "sex"]')


def _prepare(table: Any, plan: Plan, *, complete: bool, roles: Iterable[str] = ENCODED) -> Tuple[Frame, List[str]]:
    """The frame, and the columns of it that the engine reads."""
    frame = wrap(table)
    named = [column["name"] for column in plan.columns]
    wanted = [column["name"] for column in plan.columns if column.get("role") in set(roles)]
    check_columns(frame, named if complete else wanted, plan.columns)
    if complete and frame.names is not None and plan.get("rest") is None:
        without_role = unmentioned(frame, [column["name"] for column in plan.columns if column.get("role")])
        if without_role:
            raise usage(f"columns without a role: {', '.join(without_role)}", 'set their roles, or write rest="keep" or rest="drop"')
    return frame, wanted


def _read(frame: Frame, wanted: Sequence[str]) -> Any:
    return frame.source(None if frame.names is None else wanted)


def _only(plan: Plan, frame: Frame, wanted: Sequence[str]) -> Plan:
    """The plan for the engine: without the columns that are not passed to it."""
    if frame.names is None:
        return plan
    kept = set(wanted)
    return Plan({**plan.fields, "columns": [column for column in plan.columns if column["name"] in kept]}, plan.hierarchies)


def _population(population: Any, plan: Plan) -> Any:
    if population is None:
        return None
    frame = wrap(population)
    check_columns(frame, plan.qids, plan.columns)
    people = [name for name in plan.named("entity") if frame.names is not None and name in frame.names]
    return _read(frame, [*plan.qids, *people])


def anonymize(
    table: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    hierarchies: Hierarchies = None,
    sensitive: Columns = None,
    models: Models = None,
    algorithm: Optional[str] = None,
    seed: Optional[int] = None,
    class_: Columns = None,
    identifiers: Columns = None,
    entity: Columns = None,
    other: Columns = None,
    drop: Columns = None,
    rest: Optional[str] = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    sensitive_ranges: Optional[Mapping[str, str]] = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    domain: Optional[str] = None,
    recoding: Optional[str] = None,
    priority: Priority = None,
    weights: LevelWeights = None,
    max_level: Optional[Mapping[str, int]] = None,
    suppression_limit: Optional[float] = None,
    drop_suppressed: Optional[bool] = None,
    suppressed: Optional[str] = None,
    row_order: Optional[str] = None,
    population: Any = None,
    threads: Optional[int] = None,
    time_limit: Optional[float] = None,
    params: Optional[Mapping[str, Any]] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
    **given: Any,
) -> Release:
    """Release a table in which every row looks like at least ``k - 1`` others.

    Arguments are those of the command ``shoal anonymize``, under the same names; they override those
    of ``plan``. Parameters of the method (``shoal.algorithms()`` lists them) are keyword arguments,
    or in ``params``, as in a plan. ``k`` has no default. Columns without a role are an error unless
    ``rest`` is ``"keep"`` or ``"drop"``.

    ``suppressed="exempt"`` treats rows of ``*`` alone as not published, as papers do: there may be
    fewer than ``k`` of them. A person known to be one of them is not hidden among ``k``; the default
    is ``"group"``.

    ``priority`` orders the quasi-identifiers, the most important first (``["age", "zip", "sex"]``),
    or gives weights for some (``{"zip": 0.2}``); distance-based methods then keep the important ones
    precise. ``weights`` are the weights of steps up a hierarchy (``"height"``, ``[1, 2, 4]``, or one
    of these for each column), ``max_level`` the highest level of a column (``{"age": 1}``).

    Rows are returned in the order of ``table``, which may disclose values if it is sorted: shuffle it
    first, in pandas with ``df.sample(frac=1, ignore_index=True)``. ``row_order="shuffle"`` is for
    plans of the command and refused here.

    Ctrl-C ends the search; if there is a valid result by then it is returned, with an
    :class:`InterruptedWarning`.

    >>> import pandas as pd, shoal
    >>> people = pd.DataFrame({"age": [21, 23, 22, 64, 66, 61], "sex": list("mmmfmf"), "disease": list("aabbcc")})
    >>> release = shoal.anonymize(people, qids=["age", "sex"], k=3, sensitive="disease")
    >>> release.table
            age sex disease
    0  [21..23]   m       a
    1  [21..23]   m       a
    2  [21..23]   m       b
    3  [61..66]   *       b
    4  [61..66]   *       c
    5  [61..66]   *       c
    >>> release.groups.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    settings = {key: value for key, value in locals().items() if key not in ("table", "plan", "given", "population", "progress")}
    made = build_plan(plan, settings, given)
    _need_qids(made)
    frame, wanted = _prepare(table, made, complete=True)
    is_text = is_text_method(made.get("algorithm"))
    text, texts = _only(made, frame, wanted)._job()
    source = frame.csv(wanted) if is_text else _read(frame, wanted)
    with watching(progress) as callback:
        handle = _core.anonymize(text, source, texts, _population(population, made), callback)
    release = Release(handle, frame, made, population, is_text)
    if _core.release_interrupted(handle):
        warnings.warn("interrupted: this is the best valid release so far", InterruptedWarning, stacklevel=2)
    for name, _, below, groups, fewest in _core.release_keys(handle):
        if below > 0:
            warnings.warn(
                f"k rows are fewer than k persons: {below} of {groups} groups have fewer than {made.get('k')} values of "
                f"'{name}' (fewest: {fewest}), which looks like the key of persons; fix: entity=\"{name}\"",
                FewPersonsWarning,
                stacklevel=2,
            )
    return release


def _level_choices(levels: Any) -> List[Tuple[str, int, int]]:
    """Levels of a release, of its report, of a file with levels, or of a plain mapping."""
    if isinstance(levels, Release):
        levels = levels.measures
    elif isinstance(levels, (str, os.PathLike)):
        with open(levels, encoding="utf-8") as file:
            levels = json.load(file)
    if isinstance(levels, Mapping) and "levels" not in levels and levels and all(isinstance(level, int) for level in levels.values()):
        levels = {"levels": levels}
    if not isinstance(levels, Mapping) or not levels.get("levels"):
        raise usage("there are no levels", "give a release of a method that publishes levels, such as datafly or iack, or {column: level}")
    heights = levels.get("level_heights", {})
    return [(str(name), int(level), int(heights.get(name, -1))) for name, level in levels["levels"].items()]


@checked
def apply(
    table: Any,
    levels: Any,
    k: Optional[int] = None,
    *,
    hierarchies: Hierarchies = None,
    sensitive: Columns = None,
    models: Models = None,
    class_: Columns = None,
    identifiers: Columns = None,
    entity: Columns = None,
    other: Columns = None,
    drop: Columns = None,
    rest: Optional[str] = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    domain: Optional[str] = None,
    drop_suppressed: Optional[bool] = None,
    suppressed: Optional[str] = None,
    population: Any = None,
    threads: Optional[int] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Release:
    """Publish another table at the levels that a full-domain method chose, without a search.
    Without ``k`` the smallest group is reported; with ``k``, smaller groups are suppressed.
    ``levels`` is a release, its report, a file, or ``{column: level}``.

    >>> import pandas as pd, shoal
    >>> ages = {"age": shoal.Hierarchy.intervals(10, 20)}
    >>> known = shoal.anonymize(pd.DataFrame({"age": [21, 25, 43, 47]}), qids="age", k=2, algorithm="datafly", hierarchies=ages)
    >>> shoal.apply(pd.DataFrame({"age": [22, 45, 28]}), known, hierarchies=ages).table["age"].tolist()
    ['[20..29]', '[40..49]', '[20..29]']
    """
    choices = _level_choices(levels)
    settings = {key: value for key, value in locals().items() if key not in ("table", "levels", "choices", "plan", "population", "progress")}
    made = build_plan(plan, {"qids": [name for name, _, _ in choices], **settings}, {})
    frame, wanted = _prepare(table, made, complete=True)
    text, texts = _only(made, frame, wanted)._job()
    with watching(progress) as callback:
        handle = _core.apply(text, _read(frame, wanted), texts, choices, _population(population, made), callback)
    return Release(handle, frame, made, population)


@checked
def check(
    table: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    sensitive: Columns = None,
    models: Models = None,
    hierarchies: Hierarchies = None,
    population: Any = None,
    entity: Columns = None,
    qid_sets: Iterable[Sequence[str]] = (),
    subsets: int = 0,
    after: Union[Mapping[str, Any], Sequence[Any]] = (),
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    sensitive_ranges: Optional[Mapping[str, str]] = None,
    suppressed: Optional[str] = None,
    threads: Optional[int] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Record:
    """Check whether a table satisfies k and these models. ``satisfied`` is the result; the other
    fields are the details.

    With ``entity`` groups are counted in persons; ``qid_sets`` are sets of columns to check one by
    one, ``subsets=m`` all combinations of m quasi-identifiers. ``after`` are earlier releases of the
    same persons, a list or ``{name: table}``: added and removed rows must satisfy k and the models,
    too; see ``after`` of the result.

    >>> import pandas as pd, shoal
    >>> table = pd.DataFrame({"age": ["[20..29]"] * 3 + ["[30..39]"] * 2, "disease": list("aabab")})
    >>> shoal.check(table, qids="age", k=2).satisfied
    True
    >>> found = shoal.check(table, qids="age", k=2, sensitive="disease", models=["l-diversity=distinct:3"])
    >>> found.satisfied, found.models[0].achieved
    (False, 2.0)
    >>> shoal.check(table, qids="age", k=2, after=[table.iloc[1:]]).after[0].arrived.rows
    1
    """
    settings = {key: value for key, value in locals().items() if key not in ("table", "plan", "population", "progress", "qid_sets", "subsets", "after")}
    sets = [[str(name) for name in chosen] for chosen in qid_sets]
    settings["qids"] = list(dict.fromkeys([*listed(qids), *(name for chosen in sets for name in chosen)])) or None
    made = build_plan(plan, settings, {})
    _need_qids(made)
    if len(after) > 0:
        if sets or subsets or entity is not None or population is not None:
            raise usage("after cannot be combined with qid_sets, subsets, entity or population", "check once for each")
        return _check_after(table, made, after, progress)
    if sets or subsets or entity is not None:
        return _check_sets(table, made, sets, subsets, entity is not None, progress)
    frame, wanted = _prepare(table, made, complete=False, roles=("quasi", "sensitive") if made.get("models") else ("quasi",))
    if not made.get("models"):  # disclosure is reported if the table has sensitive columns
        wanted += [name for name in made.named("sensitive") if frame.names is None or name in frame.names]
    tables = [("release", _read(frame, wanted)), ("population", _population(population, made))]
    with watching(progress) as callback:
        return ask("check", _only(made, frame, wanted)._job(), tables, callback)


def _check_after(table: Any, plan: Plan, after: Union[Mapping[str, Any], Sequence[Any]], progress: Progress) -> Record:
    named = dict(after) if isinstance(after, Mapping) else {str(number): earlier for number, earlier in enumerate(after, 1)}
    frame, wanted = _prepare(table, plan, complete=False, roles=("quasi", "sensitive"))
    earlier = [wrap(getattr(other, "table", other) if hasattr(other, "report") else other) for other in named.values()]
    for other in earlier:
        check_columns(other, wanted, plan.columns)
    tables = [("release", _read(frame, wanted)),
              *(("earlier", _read(other, wanted), name) for name, other in zip(named, earlier))]
    with watching(progress) as callback:
        return ask("check", _only(plan, frame, wanted)._job(), tables, callback)


def _check_sets(table: Any, plan: Plan, sets: List[List[str]], subsets: int, by_person: bool, progress: Progress) -> Record:
    if plan.get("models"):
        raise usage("privacy models cannot be combined with qid_sets, subsets or entity", "check once for each")
    frame, wanted = _prepare(table, plan, complete=False, roles=("quasi", "entity") if by_person else ("quasi",))
    text, _ = _only(plan, frame, wanted)._job()
    with watching(progress) as callback:
        return ask("sets", (text, []), [("release", _read(frame, wanted))], callback, sets=sets,
                   subsets=subsets, by_person=by_person)


def _two(original: Any, release: Any, plan: Plan, roles: Iterable[str] = ("quasi", "sensitive", "class")) -> Tuple[Plan, Any, Any]:
    """A plan and the sources of an original and its release."""
    first, wanted = _prepare(original, plan, complete=False, roles=roles)
    second = wrap(release.table if isinstance(release, Release) else release)
    check_columns(second, plan.qids, plan.columns)
    there = [name for name in wanted if second.names is None or name in second.names]
    plan = _only(plan, first, wanted)
    if second.names is not None and len(there) < len(wanted):
        plan = _only(plan, second, there)
        wanted = there
    return plan, _read(first, wanted), _read(second, there)


@checked
def measure(
    original: Any,
    release: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    sensitive: Columns = None,
    class_: Columns = None,
    hierarchies: Hierarchies = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    sensitive_ranges: Optional[Mapping[str, str]] = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    domain: Optional[str] = None,
    priority: Priority = None,
    weights: LevelWeights = None,
    suppressed: Optional[str] = None,
    w_u: Optional[float] = None,
    w_p: Optional[float] = None,
    threads: Optional[int] = None,
    allow_unread: bool = False,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Record:
    """All measures of a release against its original, computed from the published values. ``w_u``
    and ``w_p`` are the weights of utility and protection in ``mr_wtd``; one of them is enough.
    Unreadable cells, most often because a hierarchy is missing, are an error; with
    ``allow_unread=True`` they count as ``*``.

    >>> import pandas as pd, shoal
    >>> people = pd.DataFrame({"age": [20, 21, 40, 41]})
    >>> shoal.measure(people, pd.DataFrame({"age": ["[20..21]"] * 2 + ["[40..41]"] * 2}), qids="age").groups
    2
    """
    settings = {key: value for key, value in locals().items() if key not in ("original", "release", "plan", "progress", "w_u", "w_p", "allow_unread")}
    made = build_plan(plan if plan is not None or not isinstance(release, Release) else release.plan, settings, {})
    set_params(made.fields, {name: value for name, value in (("w_u", w_u), ("w_p", w_p)) if value is not None})
    _need_qids(made)
    made, first, second = _two(original, release, made)
    with watching(progress) as callback:
        return ask("measure", made._job(), [("original", first), ("release", second)], callback,
                   allow_unread=allow_unread)


@checked
def risk(
    table: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    original: Any = None,
    population: Any = None,
    sampling_fraction: Optional[float] = None,
    thresholds: Iterable[float] = (),
    count_suppressed: bool = False,
    entity: Columns = None,
    hierarchies: Hierarchies = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    threads: Optional[int] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Record:
    """Re-identification risk of a table, original or released: prosecutor, journalist, marketer,
    uniques.

    >>> import pandas as pd, shoal
    >>> found = shoal.risk(pd.DataFrame({"age": ["2*", "2*", "3*"]}), qids="age")
    >>> found.sample_uniques, found.prosecutor.highest
    (1, 1.0)
    """
    if population is not None and sampling_fraction is not None:
        raise usage("population and sampling_fraction cannot be combined", "remove one of them")
    if sampling_fraction is not None and not 0 < sampling_fraction <= 1:
        raise usage("sampling_fraction is not a number above 0 and at most 1", "write sampling_fraction=0.1 for one in ten")
    levels = [float(threshold) for threshold in thresholds]
    if any(not 0 < level <= 1 for level in levels):
        raise usage("a threshold is not a number above 0 and at most 1", "write thresholds=[0.2, 0.05]")
    settings = {key: value for key, value in locals().items()
            if key in ("qids", "k", "entity", "hierarchies", "null", "missing", "on_missing", "threads")}
    made = build_plan(plan, settings, {})
    _need_qids(made)
    by_person = entity is not None
    roles = ("quasi", "entity") if by_person else ("quasi",)
    frame, wanted = _prepare(table, made, complete=False, roles=roles)
    source = _read(frame, wanted)
    before = None
    if original is not None:
        other, _ = _prepare(original, made, complete=False, roles=roles)
        before = _read(other, wanted)
    tables = [("release", source), ("original", before), ("population", _population(population, made))]
    with watching(progress) as callback:
        return ask("risk", _only(made, frame, wanted)._job(), tables, callback, thresholds=levels,
                   sampling_fraction=sampling_fraction, count_suppressed=count_suppressed,
                   by_person=by_person)


@checked
def bound(
    table: Any,
    qids: Columns = None,
    k: Optional[int] = None,
    *,
    hierarchies: Hierarchies = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    domain: Optional[str] = None,
    priority: Priority = None,
    threads: Optional[int] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Record:
    """A lower bound on the gcp of any release of this table with this k.

    >>> import pandas as pd, shoal
    >>> shoal.bound(pd.DataFrame({"age": [20, 21, 40, 41]}), qids="age", k=2).lower_bound > 0
    True
    """
    settings = {key: value for key, value in locals().items() if key not in ("table", "plan", "progress")}
    made = build_plan(plan, settings, {})
    _need_qids(made)
    frame, wanted = _prepare(table, made, complete=False, roles=("quasi",))
    with watching(progress) as callback:
        return ask("bound", _only(made, frame, wanted)._job(), [("original", _read(frame, wanted))], callback)


@checked
def evaluate_queries(
    original: Any,
    release: Any,
    qids: Columns = None,
    *,
    sensitive: Columns = None,
    workload: Optional[str] = None,
    columns: Columns = None,
    dimensions: Optional[int] = None,
    queries: int = 10_000,
    seed: Optional[int] = None,
    class_: Columns = None,
    hierarchies: Hierarchies = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    threads: Optional[int] = None,
    allow_unread: bool = False,
    plan: AnyPlan = None,
    progress: Progress = None,
) -> Record:
    """Errors of COUNT queries on a release, compared with its original: ``are`` is the average
    relative error, ``curve`` its percentiles. ``allow_unread``: see :func:`measure`.

    >>> import pandas as pd, shoal
    >>> people = pd.DataFrame({"age": [20, 21, 22, 40, 41, 42]})
    >>> release = shoal.anonymize(people, qids="age", k=3)
    >>> shoal.evaluate_queries(people, release, qids="age", queries=100).queries
    100
    """
    asked = [str(label) for label in ([columns] if isinstance(columns, str) else columns or [])]
    names = ("qids", "sensitive", "seed", "class_", "hierarchies", "numeric", "categorical", "dates", "ordered", "formats", "null", "missing", "on_missing",
             "threads")
    settings = {key: value for key, value in locals().items() if key in names}
    made = build_plan(plan if plan is not None or not isinstance(release, Release) else release.plan, settings, {})
    _need_qids(made)
    made, first, second = _two(original, release, made)
    with watching(progress) as callback:
        return ask("queries", made._job(), [("original", first), ("release", second)], callback,
                   workload=workload, columns=asked, dimensions=dimensions, queries=queries,
                   allow_unread=allow_unread)


def evaluate_classify(
    original: Any,
    release: Any = None,
    qids: Columns = None,
    class_: Columns = None,
    *,
    k: Optional[int] = None,
    algorithm: Optional[str] = None,
    features: Columns = None,
    folds: int = 10,
    top_classes: Optional[int] = None,
    numbers: str = "midpoint",
    seed: Optional[int] = None,
    time_limit: Optional[float] = None,
    hierarchies: Hierarchies = None,
    numeric: Columns = None,
    categorical: Columns = None,
    dates: Columns = None,
    ordered: Ordered = None,
    formats: Formats = None,
    null: Columns = None,
    missing: Optional[str] = None,
    on_missing: Optional[str] = None,
    threads: Optional[int] = None,
    allow_unread: bool = False,
    params: Optional[Mapping[str, Any]] = None,
    plan: AnyPlan = None,
    progress: Progress = None,
    **given: Any,
) -> Record:
    """Accuracy, balanced accuracy and AUC of classifiers trained on a release, compared with the
    original.

    Without a release, ``k`` and ``algorithm`` make one of the training rows of each fold.
    ``features`` are feature columns other than the quasi-identifiers; ``numbers="category"`` treats
    an interval as a category. ``top_classes=20`` distinguishes the 20 most frequent labels and counts
    the rest as one (``other_labels``, ``other_rows``); required for more than 100 labels.

    >>> import pandas as pd, shoal
    >>> people = pd.DataFrame({"age": range(40), "old": [age >= 20 for age in range(40)]})
    >>> release = shoal.anonymize(people, qids="age", k=4, class_="old")
    >>> found = shoal.evaluate_classify(people, release, folds=4)
    >>> [classifier.name for classifier in found.classifiers], found.classifiers[1].release.accuracy > 0.8
    (['naive-bayes', 'decision-tree', 'logistic-regression'], True)
    """
    if numbers not in ("midpoint", "category"):
        raise usage("numbers is neither 'midpoint' nor 'category'", 'write numbers="category" to take intervals as categories')
    if top_classes is not None and top_classes < 1:
        raise usage("top_classes is below 1", "write the number of labels to keep, or leave it out")
    if release is not None and (k is not None or algorithm is not None):
        raise usage("algorithm and k make a release of each training part", "leave the release out with them")
    names = ("qids", "class_", "k", "algorithm", "seed", "time_limit", "hierarchies", "numeric", "categorical", "dates", "ordered", "formats", "null", "missing",
             "on_missing", "threads", "params")
    settings = {key: value for key, value in locals().items() if key in names}
    made = build_plan(plan if plan is not None or not isinstance(release, Release) else release.plan, settings, given)
    fields = json.loads(json.dumps(made.fields))
    fields["columns"] = [column for column in fields.get("columns", []) if column.get("role") in ("quasi", "class")]
    fields.pop("models", None)
    made = build_plan(Plan(fields, made.hierarchies), {"sensitive": features}, {})
    _need_qids(made)
    if not made.named("class"):
        raise usage("no class column was named", 'write class_="income"')
    if release is None:
        frame, wanted = _prepare(original, made, complete=False, roles=("quasi", "sensitive", "class"))
        made, first, second = _only(made, frame, wanted), _read(frame, wanted), None
    else:
        made, first, second = _two(original, release, made)
    with watching(progress) as callback:
        return ask("classify", made._job(), [("original", first), ("release", second)], callback,
                   folds=folds, top_classes=top_classes, numbers_as_categories=numbers == "category",
                   allow_unread=allow_unread)


@checked
def init(table: Any, *, null: Columns = None, progress: Progress = None) -> Plan:
    """Propose a plan for a table: a role for each column, to be confirmed, and without k.

    ``plan.text`` is the commented plan file that ``shoal init`` writes; ``plan.profile`` has the
    properties of each column.

    >>> import pandas as pd, shoal
    >>> plan = shoal.init(pd.DataFrame({"age": [31, 45, 31, 45] * 5, "city": ["Ulm", "Bonn"] * 10}))
    >>> plan.k is None, sorted(column["name"] for column in plan.columns)
    (True, ['age', 'city'])
    """
    frame = wrap(table)
    strings = [null] if isinstance(null, str) else list(null or [])
    with watching(progress) as callback:
        text, profile = _core.profile(frame.source(None), strings, "table", callback)
    plan = Plan(json.loads(_core.plan_read(text, "the proposed plan")), text=text)
    plan.profile = parse(profile)
    return plan


def algorithms() -> List[Record]:
    """The methods, the default first, with their parameters.

    >>> import shoal
    >>> shoal.algorithms()[0].name
    'shoal'
    """
    return [
        Record(name=name, summary=summary, needs_k=needs_k,
               params=[Record(name=p, values=values, default=fallback, help=text) for p, values, fallback, text in params])
        for name, summary, needs_k, params in _core.algorithms()
    ]


def models() -> List[Record]:
    """The privacy models other than k, one entry per variant.

    >>> import shoal
    >>> sorted({model.name for model in shoal.models()})[:3]
    ['alpha', 'beta-likeness', 'delta-disclosure']
    """
    return [Record(name=name, variant=variant, values=values, summary=summary) for name, variant, values, summary in _core.models()]


__all__ = ["Hierarchy", "algorithms", "anonymize", "apply", "bound", "check", "evaluate_classify", "evaluate_queries", "init", "measure", "models",
           "risk"]
