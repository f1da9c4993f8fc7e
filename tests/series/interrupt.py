# SPDX-License-Identifier: Apache-2.0
"""interrupt.py SHOAL FAULTS.so [KILLS] - whatever fails while a series is released, the series and the release agree.

The second release of a series is made with one call of the system failing, the first, then the second, and so on (tests/cli/faults.c), and is killed at
random moments. Afterwards a command that only looks must find: either the state is as before and the release is not there, or both are the new ones.
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

KINDS = ("malloc", "write-enospc", "write-eio", "open-emfile", "fsync-eio", "rename-eio", "read-eio")
RELEASE = "anonymize {table} -o {out} --series state --record-key id --qid age --sensitive ill -k 2 -q"


class Trial:
    def __init__(self, shoal, faults):
        self.shoal, self.faults, self.n_runs, self.n_new = shoal, faults, 0, 0
        self.base = tempfile.mkdtemp(prefix="shoal-series-")
        rng = random.Random(2)
        rows = ["%d,%d,%s" % (i, rng.randrange(20, 60), rng.choice(["flu", "cold", "ulcer"])) for i in range(40)]
        self.make("t1.csv", rows)
        self.make("t2.csv", rows[3:] + ["%d,%d,flu" % (100 + i, 20 + i) for i in range(6)])
        self.run("t1.csv", "r1.csv")
        shutil.copytree(os.path.join(self.base, "state"), os.path.join(self.base, "kept"))
        self.run("t2.csv", "r2.csv")
        with open(os.path.join(self.base, "r2.csv"), "rb") as file:
            self.whole = file.read()
        self.reset()

    def make(self, name, rows):
        with open(os.path.join(self.base, name), "w") as file:
            file.write("id,age,ill\n" + "\n".join(rows) + "\n")

    def run(self, table, out, **env):
        words = [self.shoal] + RELEASE.format(table=table, out=out).split()
        self.n_runs += 1
        return subprocess.run(words, cwd=self.base, env=dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", TMPDIR=self.base, **env), capture_output=True, timeout=120)

    def reset(self):
        shutil.rmtree(os.path.join(self.base, "state"))
        shutil.copytree(os.path.join(self.base, "kept"), os.path.join(self.base, "state"))
        for name in os.listdir(self.base):
            if name not in ("t1.csv", "t2.csv", "r1.csv", "state", "kept"):
                os.remove(os.path.join(self.base, name))

    def judge(self, what):
        """Looks at the series, which also ends what a process that died had begun."""
        done = subprocess.run([self.shoal, "series", "show", "state", "--json"], cwd=self.base, capture_output=True)
        assert done.returncode == 0, "%s: the series cannot be read: %s" % (what, done.stderr)
        n_releases = len(json.loads(done.stdout)["releases"])
        path = os.path.join(self.base, "r2.csv")
        is_there = os.path.exists(path)
        if is_there:
            with open(path, "rb") as file:
                assert file.read() == self.whole, "%s: the release is not whole" % what
        assert n_releases == 1 + is_there, "%s: %d releases, and the file %s there" % (what, n_releases, "is" if is_there else "is not")
        left = sorted(os.listdir(os.path.join(self.base, "state")))
        assert [name for name in left if not name.startswith(".")] == ["key", "state"], "%s: left behind: %s" % (what, left)
        self.n_new += is_there
        self.reset()

    def sweep(self, kind):
        n, count = 1, os.path.join(self.base, "count")
        while True:
            done = self.run("t2.csv", "r2.csv", LD_PRELOAD=self.faults, SHOAL_FAULT="%s:%d" % (kind, n), SHOAL_FAULT_COUNT=count)
            with open(count) as file:
                calls = int(file.read() or "0")
            assert calls > 0 or kind != "malloc", "no call was counted: is the library preloaded?"
            assert done.returncode in (0, 1), "%s:%d: exit %d: %s" % (kind, n, done.returncode, done.stderr)
            self.judge("%s:%d" % (kind, n))
            if calls < n:
                return
            n += 1 if n < 30 else n // 6

    def kill(self, n):
        start = time.time()
        self.run("t2.csv", "r2.csv")
        usual, rng = time.time() - start, random.Random(1)
        self.judge("none")
        words = [self.shoal] + RELEASE.format(table="t2.csv", out="r2.csv").split()
        for i in range(n):
            process = subprocess.Popen(words, cwd=self.base, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, usual * 1.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.judge("kill %d" % i)


def main():
    trial = Trial(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
    try:
        for kind in KINDS:
            trial.sweep(kind)
        trial.kill(int(sys.argv[3]) if len(sys.argv) > 3 else 40)
    finally:
        shutil.rmtree(trial.base)
    assert 0 < trial.n_new < trial.n_runs
    print("%d runs, after %d of them the release was there: the series agrees with it each time" % (trial.n_runs, trial.n_new))


if __name__ == "__main__":
    main()
