# SPDX-License-Identifier: Apache-2.0
"""interrupt.py SHOAL FAULTS.so [KILLS [invariance]] - whatever fails while a series is released,
the series and the release agree.

The first and the second release of a series are made with one call of the system failing, the
first, then the second, and so on (tests/cli/faults.c); are killed at random moments; and are killed
just before and just after each call that gives a file its name, and before each sync. The last ones
include the moment that matters: the release is in its place and the state is not. Afterwards a
command that only looks must find: either the state is as before and the target is, too, or both are
the new ones. And a further release, made without looking first, must go on from there: reader.py
finds no pair of the releases that are there whose difference fails. The same further release from a
state that forgot the one in place does fail, or this test could not. With m-invariance, which
promises something else of pairs, the release has a second table, which must be there whenever the
release is.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import reader

HARMLESS = ("write-short", "write-eintr", "read-eintr")
KINDS = (
    "malloc", "write-enospc", "write-eio", "open-emfile", "mmap-enomem", "fsync-eio", "rename-eio",
    "read-eio",
) + HARMLESS
MOMENTS = ("rename-kill", "rename-killed", "fsync-kill")
RELEASE = (
    "anonymize {table} -o {out} --series state --record-key id --qid age --sensitive ill -k 2 -q"
)
INVARIANT = RELEASE + " --m-invariance 2 --counterfeits-out {out}.counterfeits"
KEPT = (
    "t1.csv", "t2.csv", "t3.csv", "r1.csv", "r1.csv.counterfeits", "r2.csv", "r2.csv.counterfeits",
    "kept",
)


class Trial:
    """`number`: the release that is interrupted. `old`: what its target holds before, or None:
    there is no such file.
    """

    def __init__(self, shoal, faults, number, old=None, is_invariant=False):
        self.shoal, self.faults, self.number, self.old = shoal, faults, number, old
        self.said, self.is_invariant = INVARIANT if is_invariant else RELEASE, is_invariant
        self.n_runs = self.n_new = 0
        self.between = {"release alone": 0, "state alone": 0}
        self.base = tempfile.mkdtemp(prefix="shoal-series-")
        rng = random.Random(2)
        rows = [
            "%d,%d,%s" % (i, rng.randrange(20, 60), rng.choice(["flu", "cold", "ulcer"]))
            for i in range(40)
        ]
        new = ["%d,%d,flu" % (100 + i, 20 + i) for i in range(6)]
        self.make("t1.csv", rows)
        self.make("t2.csv", rows[3:] + new)
        self.make(
            "t3.csv", rows[5:] + new[1:] + ["%d,%d,cold" % (200 + i, 20 + 2 * i) for i in range(5)]
        )
        os.mkdir(self.path("kept"))
        self.release(1, "r1.csv")
        if number == 2:
            shutil.rmtree(self.path("kept"))
            shutil.copytree(self.path("state"), self.path("kept"))
            self.release(2, "r2.csv")
        self.whole, self.counted = self.read("r%d.csv" % number), self.read(
            "r%d.csv.counterfeits" % number
        )
        self.reset()

    def path(self, name):
        return os.path.join(self.base, name)

    def make(self, name, rows):
        with open(self.path(name), "w") as file:
            file.write("id,age,ill\n" + "\n".join(rows) + "\n")

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def words(self, number, out):
        return (
            [self.shoal]
            + self.said.format(table="t%d.csv" % number, out=out).split()
            + (["--force"] if self.old is not None else [])
        )

    def release(self, number, out, **env):
        self.n_runs += 1
        # without the policy the command would start itself again, without what is preloaded
        env = dict(
            os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", TMPDIR=self.base, **env
        )
        return subprocess.run(
            self.words(number, out), cwd=self.base, env=env, capture_output=True, timeout=120
        )

    def interrupted(self, fault):
        return self.release(
            self.number,
            "out.csv",
            LD_PRELOAD=self.faults,
            SHOAL_FAULT=fault,
            SHOAL_FAULT_COUNT=self.path("count"),
        )

    def reset(self):
        for name in os.listdir(self.base):
            if name not in KEPT and name != "state":
                os.remove(self.path(name))
        shutil.rmtree(self.path("state"), ignore_errors=True)
        if self.number > 1:
            shutil.copytree(self.path("kept"), self.path("state"))
        if self.old is not None:
            with open(self.path("out.csv"), "wb") as file:
                file.write(self.old)

    def is_there(self, what):
        """Is the new release at its target? Else that is as before."""
        now = self.read("out.csv")
        assert now in (self.old, self.whole), (
            "%s: the target is neither as before nor the whole release" % what
        )
        return now == self.whole

    def count(self, what):
        """Releases of the series, by a command that looks, which also ends what a process that died
        had begun.
        """
        done = subprocess.run(
            [self.shoal, "series", "show", "state", "--json"], cwd=self.base, capture_output=True
        )
        if done.returncode == 1 and b"contains no series" in done.stderr:
            return 0
        assert done.returncode == 0, "%s: the series cannot be read: %s" % (what, done.stderr)
        left = sorted(name for name in os.listdir(self.path("state")) if not name.startswith("."))
        n_releases = len(json.loads(done.stdout)["releases"])
        assert left == (["key", "state"] if n_releases > 0 else ["key"]), "%s: left behind: %s" % (
            what,
            left,
        )
        return n_releases

    def judge(self, what):
        is_there = self.is_there(what)
        n_releases = self.count(what)
        assert (
            n_releases == self.number - 1 + is_there
        ), "%s: %d releases, and the new one %s there" % (
            what,
            n_releases,
            "is" if is_there else "is not",
        )
        assert not is_there or self.read("out.csv.counterfeits") == self.counted, (
            "%s: the counterfeits are not counted" % what
        )
        self.n_new += is_there
        self.reset()

    def pairs(self, what, is_there):
        """One release more, into the series as it was left: what fails among all that are there?"""
        done = self.release(3, "r3.csv")
        assert done.returncode == 0, "%s: no further release: %s" % (what, done.stderr)
        files = ["r1.csv"][: self.number - 1] + ["out.csv"][:is_there] + ["r3.csv"]
        found = reader.failures(
            [reader.read(self.path(name)) for name in files], ["age"], ["ill"], 2, []
        )
        return files, found

    def judge_next(self, what):
        is_there = self.is_there(what)
        files, found = self.pairs(what, is_there)
        assert not found, "%s: %s" % (what, found[0])
        assert self.count(what) == len(files), "%s: %d files" % (what, len(files))
        checked = subprocess.run(
            [self.shoal, "series", "check", "state", *files], cwd=self.base, capture_output=True
        )
        assert checked.returncode == 0, "%s: series check: %s" % (what, checked.stdout)
        self.reset()

    def sweep(self, kind):
        n = 1
        while True:
            done, what = self.interrupted("%s:%d" % (kind, n)), "%s:%d of release %d" % (
                kind,
                n,
                self.number,
            )
            calls = int(self.read("count") or b"0")
            assert done.returncode in (0, 1), "%s: exit %d: %s" % (
                what,
                done.returncode,
                done.stderr,
            )
            assert (
                done.returncode == 0 or kind not in HARMLESS
            ), "%s: exit %d for what is no error: %s" % (what, done.returncode, done.stderr)
            self.judge(what)
            # there may be no map
            assert calls > 0 or kind == "mmap-enomem", (
                "%s: no such call was seen: this sweep tries nothing" % what
            )
            if calls < n:
                return
            n += 1 if n < 30 else n // 6

    def see_between(self):
        """What a process that died left, before any command looks."""
        is_staged, is_new = self.read("state/next") is not None, self.read("out.csv") == self.whole
        self.between["release alone"] += is_staged and is_new
        self.between["state alone"] += is_staged and not is_new
        return is_staged and is_new

    def die(self, kind):
        """Killed at each call of a kind: then look, or make the next release without looking."""
        n = 1
        while True:
            fault = "%s:%d" % (kind, n)
            if self.interrupted(fault).returncode != -signal.SIGKILL:
                self.judge(fault)
                return n - 1
            is_between = self.see_between()
            self.judge(fault)
            n += 1
            if self.is_invariant:
                continue
            self.interrupted(fault)
            self.judge_next(fault)
            if is_between:
                self.show_teeth(fault)

    def show_teeth(self, fault):
        self.interrupted(fault)
        os.remove(self.path("state/next"))
        if self.number > 1:
            assert self.pairs(fault, True)[
                1
            ], "a series that forgot a release makes the same further one: this test shows nothing"
        self.reset()

    def kill(self, n):
        start = time.time()
        self.release(self.number, "out.csv")
        usual, rng = time.time() - start, random.Random(1)
        self.judge("none")
        for i in range(n):
            process = subprocess.Popen(
                self.words(self.number, "out.csv"),
                cwd=self.base,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(rng.uniform(0, usual * 1.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
            (self.judge if i % 2 == 0 or self.is_invariant else self.judge_next)("kill %d" % i)


def main():
    shoal, faults = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    n_kills = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    is_invariant = sys.argv[4:] == ["invariance"]
    n_runs = n_new = n_moments = 0
    for number, old in ((2, None),) if is_invariant else ((2, None), (2, b"id\n1\n"), (1, None)):
        trial = Trial(shoal, faults, number, old, is_invariant)
        try:
            for kind in KINDS if old is None else ():
                trial.sweep(kind)
            n_moments += sum(trial.die(kind) for kind in MOMENTS)
            trial.kill(n_kills)
            assert min(trial.between.values()) > 0, (
                "no run died between the two steps: %s" % trial.between
            )
            assert 0 < trial.n_new < trial.n_runs
        finally:
            shutil.rmtree(trial.base)
        n_runs, n_new = n_runs + trial.n_runs, n_new + trial.n_new
    print(
        "%d runs, killed at %d calls and at random moments; the new release was there after %d: the"
        " series agrees with it each time, and so does the next one" % (n_runs, n_moments, n_new)
    )


if __name__ == "__main__":
    main()
