#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py SHOAL FAULTS.so [--all] [--kill N] - every fault once, for each command; kill -9 at random moments.

For each command and kind of fault the first call fails, then the second, until a run has fewer calls. Whatever fails: a documented
exit code and no signal; the target is the old file or the whole new one; no other file is there; no cell stands in a message. Without
--all allocations beyond the first 40 are tried in steps, so that the test takes seconds; --all tries every one.
"""
import argparse, os, random, shutil, signal, subprocess, sys, tempfile, time

HARMLESS = ("write-short", "write-eintr", "read-eintr")
KINDS = ("malloc", "write-enospc", "write-eio", "open-emfile", "fsync-eio", "rename-eio", "read-eio") + HARMLESS
SECRET = "Zq"
COMMANDS = {
    "anonymize": "anonymize t.csv -o out --qid q,r --sensitive s --rest keep -k 2 -q --force --hierarchy r=r.tree --report report --l-diversity distinct:1",
    "streamed": "anonymize t.csv -o out --qid q,r --rest keep -k 2 -q --force --memory-limit 1",
    "packed": "anonymize t.csv.gz -o out --qid q,r --rest keep -k 2 -q --force --no-bound --row-order shuffle",
    "anatomy": "anonymize t.csv -o out --sensitive-out report --qid q --sensitive s --rest drop -a anatomy --param l=2 -q --force",
    "apply": "apply t.csv -o out --levels levels.json --hierarchy r=r.tree --rest keep -q --force -k 2",
    "check": "check t.csv --qid q,r -k 2 -q",
    "measure": "measure t.csv t.csv --qid q,r -q",
    "risk": "risk t.csv --qid q,r -q",
    "attack": "attack t.csv t.csv --qid q,r --sensitive s -k 2 --svg-out out --force -q --reruns 3",
    "bound": "bound t.csv --qid q,r -k 2 -q",
    "init": "init t.csv -o out -q --force",
    "plan": "anonymize t.csv -o out --plan plan.yaml -q --force --no-bound",
    "hierarchy": "hierarchy build t.csv --column q --spec intervals:10 -o out --force -q",
    "generate": "generate census --rows 50 -o out --force -q",
    "queries": "evaluate queries t.csv t.csv --qid q,r -q --queries 20",
    "frontier": "frontier t.csv --qid q,r --rest drop --k 2,3 --csv-out out --force -q",
}


def prepare(folder, shoal):
    rng = random.Random(5)
    with open(os.path.join(folder, "t.csv"), "w") as file:
        file.write("q,r,s,note\n")
        for i in range(60):
            file.write("%d,%s%d,%s%s,%snote%d\n" % (rng.randrange(60), SECRET, rng.randrange(4), SECRET, "abcd"[i % 4], SECRET, i))
    with open(os.path.join(folder, "r.tree"), "w") as file:
        for i in range(4):
            file.write("%s%d;%sup%d;*\n" % (SECRET, i, SECRET, i // 2))
    with open(os.path.join(folder, "plan.yaml"), "w") as file:
        file.write("k: 2\ncolumns:\n  - {name: q, role: quasi}\n  - {name: r, role: quasi}\nrest: drop\n")
    subprocess.run(["gzip", "-k", "t.csv"], cwd=folder, check=True)
    subprocess.run([shoal] + "anonymize t.csv -o x --qid r --hierarchy r=r.tree --rest keep -k 2 -a optimal -q --levels-out levels.json".split(),
                   cwd=folder, check=True)
    os.remove(os.path.join(folder, "x"))


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def has_landlock():
    import ctypes
    return ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1  # landlock_create_ruleset, on every machine


class Sweep:
    def __init__(self, shoal, faults):
        self.shoal, self.faults, self.n_runs, self.failures = shoal, faults, 0, []
        self.folder = tempfile.mkdtemp(prefix="shoal-faults-")
        self.temp = tempfile.mkdtemp(prefix="shoal-faults-tmp-")
        prepare(self.folder, shoal)
        self.there = set(os.listdir(self.folder))

    def run(self, words, fault):
        count = os.path.join(self.temp, "count")
        env = dict(os.environ, TMPDIR=self.temp, SHOAL_FAULT=fault, SHOAL_FAULT_COUNT=count, LD_PRELOAD=self.faults, OMP_NUM_THREADS="1",
                   OMP_WAIT_POLICY="passive")  # or it would start itself again, without what is preloaded
        self.n_runs += 1
        try:
            done = subprocess.run([self.shoal] + words, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return None, "", 0
        calls = int(read(count) or b"0")
        if os.path.exists(count):
            os.remove(count)
        return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace"), calls

    def fail(self, name, fault, why):
        self.failures.append("%s %s: %s" % (name, fault, why))

    def judge(self, name, fault, code, said, good):
        out, report = (os.path.join(self.folder, f) for f in ("out", "report"))
        if code is None or code not in (0, 1, 2, 3, 4, 5):
            return self.fail(name, fault, "exit %s: %s" % (code, said[-200:]))
        if SECRET in said:
            self.fail(name, fault, "a cell in a message: " + said[-200:])
        if fault.split(":")[0] in HARMLESS and code != good:
            self.fail(name, fault, "exit %s for what is no error: %s" % (code, said[-200:]))
        if fault.startswith("malloc:") and code not in (good, 1):
            self.fail(name, fault, "exit %s where memory is short: %s" % (code, said[-200:]))
        left = set(os.listdir(self.folder)) - self.there - {"out", "report"}
        if left or os.listdir(self.temp):
            self.fail(name, fault, "left behind: %s" % (sorted(left) + os.listdir(self.temp)))
        for path in (out, report):
            now = read(path)
            if code in (1, 2, 4) and now is not None and now != b"old":
                self.fail(name, fault, "exit %s, but %s is not the old file" % (code, path))
            if code == 0 and now is not None and (now == b"" or now[-1:] != b"\n") and now != b"old":
                self.fail(name, fault, "%s is not whole" % path)
        if code == 1 and not said.strip():
            self.fail(name, fault, "no message")

    def command(self, name, words, everything):
        good, said, _ = self.run(words, "none:0")
        if good not in (0, 3):
            self.fail(name, "none", "exit %s: %s" % (good, said[-300:]))
        for kind in KINDS:
            n = 1
            while True:
                for old in ("out", "report"):
                    with open(os.path.join(self.folder, old), "wb") as file:
                        file.write(b"old")
                code, said, calls = self.run(words, "%s:%d" % (kind, n))
                self.judge(name, "%s:%d" % (kind, n), code, said, good)
                for path in set(os.listdir(self.folder)) - self.there:
                    os.remove(os.path.join(self.folder, path))
                if calls == 0 and kind == "malloc":
                    self.fail(name, "malloc:1", "no allocation was seen: the sweep tries nothing")
                if calls < n and code is not None and code >= 0:
                    break
                n += 1 if n < 40 or everything else n // 8

    def kill(self, n):
        """The target is old or whole, whenever the process dies: until n runs were killed before they ended."""
        words = COMMANDS["anonymize"].split()
        subprocess.run([self.shoal] + words, cwd=self.folder, check=True, capture_output=True)
        whole = read(os.path.join(self.folder, "out"))
        start = time.time()
        subprocess.run([self.shoal] + words, cwd=self.folder, check=True, capture_output=True)
        usual, rng, n_killed, i = time.time() - start, random.Random(1), 0, 0
        while n_killed < n and i < 4 * n:
            i += 1
            for old in ("out", "report"):
                with open(os.path.join(self.folder, old), "wb") as file:
                    file.write(b"old")
            process = subprocess.Popen([self.shoal] + words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, usual * 1.2))
            process.send_signal(signal.SIGKILL)
            n_killed += process.wait() == -signal.SIGKILL
            if read(os.path.join(self.folder, "out")) not in (b"old", whole):
                self.fail("kill", str(i), "the target is neither old nor whole")
            for path in set(os.listdir(self.folder)) - self.there - {"out", "report"}:
                full = os.path.join(self.folder, path)
                if not path.startswith((".out.shoal-", ".report.shoal-")):
                    self.fail("kill", str(i), "left behind: " + path)
                elif read(full) != b"old" and os.stat(full).st_mode & 0o077 and read(full) != whole:
                    self.fail("kill", str(i), "others may read " + path)
                os.remove(full)
        print("%d runs, %d of them killed" % (i, n_killed))
        if n_killed < n:
            self.fail("kill", str(n), "only %d runs were killed before they ended" % n_killed)

    def probe(self):
        """No network, no other program, no other file while a release is written, where the kernel can see to that."""
        home = tempfile.mkdtemp(prefix="shoal-probe-", dir=os.path.expanduser("~"))
        other = os.path.join(home, "secret")
        with open(other, "w") as file:
            file.write("x")
        env = dict(os.environ, TMPDIR=self.temp, SHOAL_FAULT="probe:1", SHOAL_PROBE=other, LD_PRELOAD=self.faults,
                   OMP_WAIT_POLICY="passive")
        words = [self.shoal] + COMMANDS["anonymize"].split()
        said = subprocess.run(words, cwd=self.folder, env=env, capture_output=True).stderr.decode()
        open_said = subprocess.run(words, cwd=self.folder, env=dict(env, SHOAL_NO_SANDBOX="1"), capture_output=True).stderr.decode()
        shutil.rmtree(home)
        print(said.strip())
        if "socket Operation not permitted" not in said or "exec Operation not permitted" not in said:
            self.fail("sandbox", "probe", said)
        if "other file Permission denied" not in said and has_landlock():
            self.fail("sandbox", "probe", said)
        if "socket open" not in open_said:
            self.fail("sandbox", "probe", "the probe does not find what is open: " + open_said)

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.temp, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shoal")
    parser.add_argument("faults")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--kill", type=int, default=0)
    parser.add_argument("--only")
    given = parser.parse_args()
    sweep = Sweep(os.path.abspath(given.shoal), os.path.abspath(given.faults))
    try:
        for name, words in COMMANDS.items():
            if given.only is None or given.only == name:
                sweep.command(name, words.split(), given.all)
        sweep.probe()
        if given.kill > 0:
            sweep.kill(given.kill)
    finally:
        sweep.clear()
    for failure in sweep.failures:
        print(failure)
    print("%d runs, %d failed" % (sweep.n_runs, len(sweep.failures)))
    sys.exit(len(sweep.failures) > 0)


main()
