# SPDX-License-Identifier: Apache-2.0
"""While the engine works: progress, Ctrl-C, other threads; and afterwards nothing is left behind.
"""

import gc
import os
import signal
import sys
import threading
import time
import tracemalloc

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import QIDS

import shoal


@pytest.fixture(scope="module")
def many():
    """Enough rows that the search takes a while."""
    random = np.random.default_rng(1)
    return pd.DataFrame({name: random.integers(0, 1000, 60_000) for name in "abcdef"})


def test_the_loss_so_far_is_told(many):
    told = []
    release = shoal.anonymize(
        many.head(5000),
        qids=list("abcdef"),
        k=5,
        progress=lambda phase, share, loss: told.append((phase, loss)),
    )
    losses = [loss for phase, loss in told if phase == "refine"]
    assert (
        losses
        and losses == sorted(losses, reverse=True)
        and losses[-1] == pytest.approx(release.report.gcp, rel=0.2)
    )
    assert told[0][1] is None
    shoal.anonymize(
        many.head(100), qids=["a"], k=5, rest="drop", progress=lambda *event: told.append(event)
    )
    assert len(told[-1]) == 3


def test_progress_is_told(many):
    told = []
    shoal.anonymize(
        many.head(5000),
        qids=list("abcdef"),
        k=5,
        progress=lambda phase, share: told.append((phase, share)),
    )
    assert {"search", "verify"} <= {phase for phase, _ in told}
    assert all(share <= 1 for _, share in told)


def test_a_true_answer_stops(many):
    with pytest.raises(shoal.CancelledError):
        shoal.anonymize(
            many, qids=list("abcdef"), k=5, algorithm="mondrian", progress=lambda phase, share: True
        )


def test_what_the_callback_raises_is_raised(many):
    class Mine(Exception):
        pass

    def callback(phase, share):
        raise Mine(phase)

    with pytest.raises(Mine):
        shoal.anonymize(many, qids=list("abcdef"), k=5, progress=callback)


def test_a_bar(many, capsys):
    shoal.anonymize(many.head(2000), qids=list("abcdef"), k=5, progress=True)
    assert "%" in capsys.readouterr().err


def interrupt_after(seconds):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_interrupt_before_there_is_a_result(many):
    seen = []

    def callback(phase, share):
        if not seen:
            seen.append(phase)
            os.kill(os.getpid(), signal.SIGINT)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        shoal.anonymize(many, qids=list("abcdef"), k=5, algorithm="mondrian", progress=callback)
    assert time.monotonic() - start < 30


def test_interrupt_while_it_gets_better(many):
    """Once `shoal` refines it has a valid grouping: that is the result."""
    def callback(phase, share):
        if phase == "refine" and not sent:
            sent.append(True)
            os.kill(os.getpid(), signal.SIGINT)

    sent = []
    with pytest.warns(shoal.InterruptedWarning):
        release = shoal.anonymize(many.head(20_000), qids=list("abcdef"), k=5, progress=callback)
    assert sent and release.stopped_early
    assert shoal.check(release.table, qids=list("abcdef"), k=5).satisfied


def test_time_limit(many):
    release = shoal.anonymize(many, qids=list("abcdef"), k=5, time_limit=0.2)
    assert release.stopped_early
    assert release.measures.min_group >= 5


def test_other_threads_run_meanwhile(many):
    """The lock is open: a thread that counts goes on counting."""
    done = threading.Event()
    counted = [0]

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    shoal.anonymize(many.head(6_000), qids=list("abcdef"), k=5, threads=1)
    took = time.monotonic() - start
    done.set()
    thread.join()
    assert counted[0] > took * 50


def test_threads_at_once(census):
    expected = shoal.anonymize(census, qids=QIDS, k=5, rest="keep", threads=1).groups.tolist()
    found, failed = [], []

    def work(kind):
        try:
            table = census if kind % 2 else pa.Table.from_pandas(census, preserve_index=False)
            release = shoal.anonymize(table, qids=QIDS, k=5, rest="keep", threads=1 + kind % 3)
            found.append(release.groups.tolist())
            release.measures, release.table
        except Exception as error:  # told below
            failed.append(error)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert found == [expected] * 8


def test_one_release_from_many_threads(census):
    release = shoal.anonymize(census, qids=QIDS, k=5, rest="keep")
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(
                (release.measures.gcp, release.bound.gap, len(release.table))
            )
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1 and len(found) == 6


# ---- nothing is left behind ----


def resident():
    """Bytes in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def one_call(table):
    release = shoal.anonymize(
        table,
        qids=["age", "sex"],
        k=3,
        sensitive="disease",
        rest="keep",
        models=["l-diversity=distinct:2"],
        algorithm="mondrian",
        threads=1,
    )
    release.table, release.groups, release.report, release.manifest
    shoal.check(release.table, qids=["age", "sex"], k=3, threads=1)
    with pytest.raises(shoal.UnsatisfiableError):
        shoal.anonymize(table, qids=["age", "sex"], k=30, rest="keep", threads=1)


@pytest.mark.parametrize("kind", ["pandas", "pyarrow"])
def test_a_thousand_calls_leave_no_memory(people, kind):
    table = people if kind == "pandas" else pa.Table.from_pandas(people, preserve_index=False)
    for _ in range(100):
        one_call(table)
    gc.collect()
    tracemalloc.start()
    before, held = resident(), tracemalloc.take_snapshot()
    for _ in range(500):
        one_call(table)
    gc.collect()
    grown = resident() - before
    # pandas keeps lists of its own views
    ours = [tracemalloc.Filter(True, os.path.join(os.path.dirname(shoal.__file__), "*"))]
    blocks = sum(
        entry.count_diff
        for entry in tracemalloc.take_snapshot()
        .filter_traces(ours)
        .compare_to(held.filter_traces(ours), "lineno")
    )
    tracemalloc.stop()
    assert grown < 4 << 20, "500 calls of two releases each: a leak of 4 KiB a release would show"
    assert blocks < 400


def test_reference_counts(people):
    """Everything that a call touches is held as often afterwards as before."""
    hierarchy = shoal.Hierarchy.from_levels({"m": ["any"], "f": ["any"]})
    callback = lambda phase, share: None  # noqa: E731
    objects = [
        people,
        hierarchy,
        callback,
        people["age"].to_numpy(),
        people["disease"].iloc[0],
        None,
        True,
        False,
    ]

    def call():
        for _ in range(100):
            shoal.anonymize(
                people,
                qids=["age", "sex"],
                k=3,
                rest="keep",
                hierarchies={"sex": hierarchy},
                progress=callback,
                threads=1,
                algorithm="mondrian",
            ).table
            with pytest.raises(shoal.UsageError):
                shoal.anonymize(
                    people, qids=["age", "sex"], k=3, rest="keep", algorithm="none", threads=1
                )

    call()
    gc.collect()
    before = [sys.getrefcount(thing) for thing in objects]
    call()
    gc.collect()
    after = [sys.getrefcount(thing) for thing in objects]
    assert all(abs(a - b) < 50 for a, b in zip(after, before)), (before, after)


def test_reference_counts_without_pandas(people):
    table = pa.Table.from_pandas(people, preserve_index=False)

    def call():
        for _ in range(100):
            release = shoal.anonymize(
                table, qids=["age", "sex"], k=3, rest="keep", threads=1, algorithm="mondrian"
            )
            release.table, release.groups, release.report, shoal.algorithms(), shoal.models()

    call()
    gc.collect()
    before = sys.getrefcount(None), sys.getrefcount(table)
    call()
    gc.collect()
    assert abs(sys.getrefcount(None) - before[0]) < 50 and sys.getrefcount(table) == before[1]


def test_buffers_are_given_back(people):
    """A frame's memory is free again when its release is."""
    values = np.arange(12)
    frame = pd.DataFrame({"a": values}, copy=False)
    release = shoal.anonymize(frame, qids="a", k=3)
    before = sys.getrefcount(values)
    del release
    gc.collect()
    assert sys.getrefcount(values) <= before
    values.resize(24, refcheck=False)


def test_loading_leaves_the_environment_alone():
    """Threads sleep while they wait; the variable that says so is gone after the import, and one
    that was set stays.
    """
    import subprocess

    code = "import os, shoal; print(os.environ.get('OMP_WAIT_POLICY'))"
    bare = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    told = subprocess.run(
        [sys.executable, "-c", code], env=bare, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "None"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**bare, "OMP_WAIT_POLICY": "active"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "active"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_does_not_hang(many):
    """The threads of the parent are not in the child: it works with one, also on what the parent
    made.
    """
    table = many.head(3000)
    made = shoal.anonymize(table, qids=list("abc"), k=5, threads=2, rest="drop", effort=0)
    expected = made.groups.tolist()
    child = os.fork()
    if child == 0:
        same = (
            shoal.anonymize(
                table, qids=list("abc"), k=5, threads=2, rest="drop", effort=0
            ).groups.tolist()
            == expected
        )
        os._exit(0 if same and made.report.gap is not None and len(made.table) == len(table) else 1)
    end = time.monotonic() + 60
    done, status = 0, 0
    while done == 0 and time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.05)
    if done == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert done == child and os.waitstatus_to_exitcode(status) == 0


def test_a_sub_interpreter_is_refused():
    """Signals and threads belong to the process: another interpreter in it must not use them."""
    interpreters = pytest.importorskip(
        "_xxsubinterpreters", reason="this Python has another module for it"
    )
    script = (
        "try:\n import shoal\nexcept ImportError as error:\n assert 'sub-interpreter' in"
        " str(error)\nelse:\n raise SystemExit('imported')"
    )
    made = interpreters.create()
    try:
        interpreters.run_string(made, script)  # what it raises is raised here
    finally:
        interpreters.destroy(made)
