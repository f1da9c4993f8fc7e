#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""faults.py SHOAL FAULTS.so [--all] [--jobs N] [--kill N] [--interrupt N] - every fault once, for
each command; kill -9 and Ctrl-C at random moments.

For each command and kind of fault the first call fails, then the second, until a run has fewer
calls. Whatever fails: a documented exit code and no signal; the target is the old file or the one
of a run without faults, byte for byte; no other file is there; no message contains a cell. Without
--all allocations beyond the first 24 are tried in steps, so that the test takes seconds; --all
tries every one. --jobs sweeps so many parts of commands at once, each in folders of its own; kills
and Ctrl-C, which are about moments, follow one at a time.
"""

import argparse, gzip, multiprocessing, os, random, re
import shutil, signal, subprocess, sys, tempfile, time

HARMLESS = ("write-short", "write-eintr", "read-eintr", "reserve-enomem")
KINDS = (
    "malloc", "write-enospc", "write-eio", "open-emfile", "mmap-enomem", "mprotect-enomem",
    "fsync-eio", "rename-eio", "read-eio",
) + HARMLESS
SECRET = "Zq"
SHOWS_CELLS = ()  # commands whose answer is values
COMMANDS = {
    "anonymize": (
        "anonymize t.csv -o out --qid q,r --sensitive s --rest keep -k 2 -q --force --hierarchy"
        " r=r.tree --report report --l-diversity distinct:1"
    ),
    "streamed": "anonymize t.csv -o out --qid q,r --rest keep -k 2 -q --force --memory-limit 1",
    "joined": (
        "anonymize t.csv -o out --join p=q,r --qid p --rest keep -k 2 -q --force --no-bound"
        " --memory-limit 1"
    ),
    "packed": (
        "anonymize t.csv.gz -o out --qid q,r --rest keep -k 2 -q --force --no-bound --row-order"
        " shuffle"
    ),
    # so long that it is parsed while it is unpacked
    "grown": "check grown.csv.gz --qid q,r -k 2 -q",
    "anatomy": (
        "anonymize t.csv -o out --sensitive-out report --qid q --sensitive s --rest drop -a anatomy"
        " --param l=2 -q --force"
    ),
    "apply": (
        "apply t.csv -o out --levels levels.json --hierarchy r=r.tree --rest keep -q --force -k 2"
    ),
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
    "entity": (
        "anonymize t.csv -o out --qid q,r --entity note --sensitive s --rest drop -k 2 -q --force"
        " --no-bound"
    ),
    "evidence": (
        "anonymize t.csv -o out --manifest report --report-html third --qid q,r --sensitive s"
        " --rest drop -k 2 -q --force --no-bound"
    ),
    "pseudonym": (
        "anonymize t.csv -o out --qid q,r --pseudonym note --key kept.key --rest drop -k 2 -q"
        " --force --no-bound"
    ),
    "counts": "anonymize counted.csv --counts n --mapping out --qid q,r -k 2 -q --force --no-bound",
    "population": (
        "anonymize t.csv -o out --qid q,r --rest drop -k 2 --population t.csv --k-map 2 -q --force"
        " --no-bound"
    ),
    "encoded": (
        "anonymize wide.csv -o out --qid q,r --rest drop -k 2 -q --force --no-bound -a mondrian"
    ),
    "series": (
        "anonymize t.csv -o out --series copy --record-key note --qid q,r --sensitive s -k 2 -q"
        " --force"
    ),
    "series-show": "series show state",
    "series-check": "series check state first.csv",
    "series-forget": "series forget copy --force",
    "check-after": "check first.csv --after first.csv --qid q,r -k 2 -q",
    "verify": "verify manifest.json --original t.csv",
    "report": "report manifest.json -o out --original t.csv --force",
    "key": "key new.key",
    "explain-loss": "explain-loss t.csv --qid q,r -k 3 -q",
    "classify": (
        "evaluate classify t.csv --qid q,r --class s -a mondrian -k 2 --folds 2 --folds-out out"
        " --force -q"
    ),
    "hierarchy-check": "hierarchy check r.tree --table t.csv --column r",
    "hierarchy-show": "hierarchy show known:countries",
    "words": "explain k",
    "algorithms": "algorithms --json",
    "manual": "man",
}
LONG = {  # on 20,000 rows, to be interrupted
    "entity": (
        "anonymize long.csv -o out --force --qid age,sex,race,education,occupation --entity who"
        " --rest drop -k 10"
    ),
    "entity, w_u": (
        "anonymize long.csv -o out --force --qid age,sex,education --entity who --sensitive income"
        " --rest drop -k 5 --param w_u=0.5 --param objective=range-diversity"
    ),
    "households": (
        "anonymize long.csv -o out --force --qid age,sex,education --entity house,who --rest drop"
        " -k 5 -a mondrian"
    ),
    "entity, l-diversity": (
        "anonymize long.csv -o out --force --qid age,sex,education --entity who --sensitive disease"
        " --l-diversity distinct:3 --rest drop -k 5"
    ),
    "entity, kmembers": (
        "anonymize long.csv -o out --force --qid age,sex,education,occupation --entity who --rest"
        " drop -k 5 -a kmembers"
    ),
    "entity, optimal": (
        "anonymize long.csv -o out --force --qid age,sex,education,occupation --entity who --rest"
        " drop -k 5 -a optimal --hierarchies trees"
    ),
    "attack": "attack long.csv long.csv --qid age,sex,education --sensitive disease -k 5",
    "explain-loss": "explain-loss long.csv --qid age,sex,education,occupation -k 10",
    "classify": (
        "evaluate classify long.csv --qid age,sex,education --class disease -a mondrian -k 5"
        " --folds 3"
    ),
    "series": (
        "anonymize long.csv -o out --force --series copy2 --record-key row --qid age,sex,education"
        " --sensitive disease --rest drop -k 5"
    ),
}
PARTS = 8  # of the allocations of a command, so that jobs share the work
TARGETS = ("out", "report", "third")  # there before, as b"old"
MADE = ("new.key", "copy")  # not there before, or a folder that is put back
KILLED = (
    "anonymize",
    "streamed",
    "joined",
    "packed",
    "anatomy",
    "apply",
    "attack",
    "init",
    "plan",
    "hierarchy",
    "generate",
    "frontier",
    "entity",
    "evidence",
    "pseudonym",
    "counts",
    "report",
    "key",
    "classify",
)  # those that write; a series: tests/series/interrupt.py


def prepare(folder, shoal):
    rng = random.Random(5)
    with open(os.path.join(folder, "t.csv"), "w") as file:
        file.write("q,r,s,note\n")
        for i in range(60):
            file.write(
                "%d,%s%d,%s%s,%snote%d\n"
                % (rng.randrange(60), SECRET, rng.randrange(4), SECRET, "abcd"[i % 4], SECRET, i)
            )
    with open(os.path.join(folder, "r.tree"), "w") as file:
        for i in range(4):
            file.write("%s%d;%sup%d;*\n" % (SECRET, i, SECRET, i // 2))
    with open(os.path.join(folder, "plan.yaml"), "w") as file:
        file.write(
            "k: 2\ncolumns:\n  - {name: q, role: quasi}\n  - {name: r, role: quasi}\nrest: drop\n"
        )
    subprocess.run(["gzip", "-k", "t.csv"], cwd=folder, check=True)
    with gzip.open(os.path.join(folder, "grown.csv.gz"), "wb", 1) as file:
        file.write(
            b"q,r,note\n"
            + b"".join(
                b"%d,Zq%d,%s\n" % (i % 9, i % 4, b'"Zq\n"' if i % 7 == 0 else b"Zq" * 40)
                for i in range(63)
            )
            * 1200
        )
    subprocess.run(
        [shoal]
        + "anonymize t.csv -o x --qid r --hierarchy r=r.tree --rest drop -k 2 -a optimal -q"
        " --levels-out levels.json".split(),
        cwd=folder,
        check=True,
    )
    with open(os.path.join(folder, "t.csv")) as file:
        lines = file.read().split("\n")[1:-1]
    with open(os.path.join(folder, "counted.csv"), "w") as file:
        file.write(
            "q,r,n\n"
            + "".join(
                "%s,%s,2\n" % tuple(pair.split(","))
                for pair in sorted({",".join(line.split(",")[:2]) for line in lines})
            )
        )
    with open(os.path.join(folder, "wide.csv"), "w", encoding="utf-16") as file:
        file.write("q,r,s,note\n" + "\n".join(lines) + "\n")
    for words in (
        "key kept.key",
        (
            "anonymize t.csv -o first.csv --series state --record-key note --qid q,r --sensitive s"
            " -k 2 -q"
        ),
        (
            "anonymize t.csv -o x --force --qid q,r --sensitive s --rest drop -k 2 -q --manifest"
            " manifest.json --no-bound"
        ),
    ):
        subprocess.run([shoal] + words.split(), cwd=folder, check=True)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def without_times(text):
    """Times and what depends on them: digests of a manifest that has one, pages that are drawn from
    it.
    """
    return (
        None
        if text is None
        else re.sub(
            rb"\d{4}-\d\d-\d\d[T ][\d:]+Z?|[0-9a-f]{64}|"
            rb"\"(read|encode|search|refine|measure|bound|verify|write|total|seconds|processor|"
            rb"peak_rss_bytes)\": *[\d.e-]+",
            b"",
            text,
        )
    )


def has_landlock():
    import ctypes
    # landlock_create_ruleset, on every machine
    return ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


class Sweep:
    def __init__(self, shoal, faults):
        self.shoal, self.faults, self.n_runs, self.failures = shoal, faults, 0, []
        self.folder = tempfile.mkdtemp(prefix="shoal-faults-")
        self.temp = tempfile.mkdtemp(prefix="shoal-faults-tmp-")
        prepare(self.folder, shoal)
        self.there = set(os.listdir(self.folder))

    def put_back(self):
        """As before any command: targets hold b"old", the series is that of the first release,
        nothing else is there.
        """
        for name in set(os.listdir(self.folder)) - self.there:
            path = os.path.join(self.folder, name)
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        for name in TARGETS:
            with open(os.path.join(self.folder, name), "wb") as file:
                file.write(b"old")
        shutil.copytree(os.path.join(self.folder, "state"), os.path.join(self.folder, "copy"))

    def run(self, words, fault, stdout=subprocess.PIPE, close_stdout=False):
        count = os.path.join(self.temp, "count")
        env = dict(
            os.environ,
            TMPDIR=self.temp,
            SHOAL_FAULT=fault,
            SHOAL_FAULT_COUNT=count,
            LD_PRELOAD=self.faults,
            OMP_NUM_THREADS="1",
            # or it would start itself again, without what is preloaded
            OMP_WAIT_POLICY="passive",
        )
        self.n_runs += 1
        try:
            done = subprocess.run(
                [self.shoal] + words,
                cwd=self.folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=subprocess.PIPE,
                timeout=120,
                preexec_fn=(lambda: os.close(1)) if close_stdout else None,
            )
        except subprocess.TimeoutExpired:
            return None, "", 0
        calls = int(read(count) or b"0")
        if os.path.exists(count):
            os.remove(count)
        self.printed = len(done.stdout or b"")
        return (
            done.returncode,
            ((done.stdout or b"") + done.stderr).decode("utf-8", "replace"),
            calls,
        )

    def fail(self, name, fault, why):
        self.failures.append("%s %s: %s" % (name, fault, why))

    def judge(self, name, fault, code, said, good):
        if code is None or code not in (0, 1, 2, 3, 4, 5):
            return self.fail(name, fault, "exit %s: %s" % (code, said[-200:]))
        if SECRET in said and name not in SHOWS_CELLS:
            self.fail(name, fault, "a cell in a message: " + said[-200:])
        if fault.split(":")[0] in HARMLESS and code != good:
            self.fail(name, fault, "exit %s for what is no error: %s" % (code, said[-200:]))
        if fault.startswith(("malloc:", "mprotect-enomem:")) and code not in (good, 1):
            self.fail(name, fault, "exit %s where memory is short: %s" % (code, said[-200:]))
        left = set(os.listdir(self.folder)) - self.there - set(TARGETS) - set(MADE)
        if left or os.listdir(self.temp):
            self.fail(name, fault, "left behind: %s" % (sorted(left) + os.listdir(self.temp)))
        for path in TARGETS + MADE[:1]:
            now = read(os.path.join(self.folder, path))
            # tests/series/interrupt.py judges that
            if (
                code in (1, 2, 4)
                and now is not None
                and now != b"old"
                and not (name == "series" and "the next command tries again" in said)
            ):
                self.fail(name, fault, "exit %s, but %s is not the old file" % (code, path))
            if (
                code == good
                and now not in (None, b"old")
                and self.whole.get(path)
                and without_times(now) != self.whole[path]
            ):
                self.fail(name, fault, "%s is not what it is without the fault" % path)
            if (
                code == 0
                and now is not None
                and not now.rstrip(b"\0").endswith(b"\n")
                and now != b"old"
            ):
                self.fail(name, fault, "%s is not whole" % path)
        if code == 1 and not said.strip():
            self.fail(name, fault, "no message")

    def command(self, name, words, part):
        """All kinds of faults, allocations in steps; or, of PARTS parts, everything but allocations
        (0), or each PARTS-th allocation.
        """
        made = []
        # what differs between two runs is not compared: keys, orders that are drawn
        for _ in range(2):
            self.put_back()
            good, said, _ = self.run(words, "none:0")
            made.append(
                {
                    path: without_times(read(os.path.join(self.folder, path)))
                    for path in TARGETS + MADE[:1]
                }
            )
        self.whole = {path: text for path, text in made[0].items() if text == made[1][path]}
        if good not in (0, 3):
            self.fail(name, "none", "exit %s: %s" % (good, said[-300:]))
        for kind in KINDS if part is None else KINDS[1:] if part == 0 else KINDS[:1]:
            n = part or 1
            while True:
                self.put_back()
                code, said, calls = self.run(words, "%s:%d" % (kind, n))
                self.judge(name, "%s:%d" % (kind, n), code, said, good)
                if kind == "malloc" and n <= PARTS and calls == 0:
                    self.fail(name, kind, "no call was counted: is the library preloaded?")
                if calls < n and code is not None and code >= 0:
                    break
                n += PARTS if part else 1 if n < 24 or part == 0 else n // 4
        if not part:
            self.no_stdout(name, [word for word in words if word != "-q"])

    def no_stdout(self, name, words):
        """What is printed goes to a full device, then nowhere: an error, unless nothing is printed.
        Files are written all the same, or not at all.
        """
        self.put_back()
        good, _, _ = self.run(words, "none:0")
        printed = self.printed
        for close in (False, True):
            self.put_back()
            with open("/dev/full", "wb") as full:
                code, said, _ = self.run(words, "none:0", None if close else full, close)
            where = "closed" if close else "full"
            if code not in (
                (good,) if printed == 0 else (1 if good == 0 else good,) if not close else (good, 1)
            ) or (code == good and printed and not said):
                self.fail(
                    name,
                    "stdout " + where,
                    "exit %s though %d bytes were to be printed: %s" % (code, printed, said[-200:]),
                )
            left = set(os.listdir(self.folder)) - self.there - set(TARGETS) - set(MADE)
            if left:
                self.fail(name, "stdout " + where, "left behind: %s" % sorted(left))

    def outcome(self, words):
        self.put_back()
        start = time.time()
        subprocess.run([self.shoal] + words, cwd=self.folder, capture_output=True)
        return time.time() - start, [
            read(os.path.join(self.folder, name)) for name in TARGETS + MADE[:1]
        ]

    def kill(self, n):
        """The targets are old or whole, whenever the process dies: until n runs, of all commands
        that write, were killed before they ended.
        """
        rng, n_killed, i, known = random.Random(1), 0, 0, {}
        for name in KILLED:
            first, again = self.outcome(COMMANDS[name].split()), self.outcome(
                COMMANDS[name].split()
            )
            has_date = name in ("evidence", "report")
            # None: another at every run
            known[name] = again[0], [
                a if a == b and not has_date else None for a, b in zip(first[1], again[1])
            ]
        while n_killed < n and i < 4 * n:
            name = KILLED[i % len(KILLED)]
            i += 1
            self.put_back()
            process = subprocess.Popen(
                [self.shoal] + COMMANDS[name].split(),
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(rng.uniform(0, known[name][0] * 1.2))
            process.send_signal(signal.SIGKILL)
            n_killed += process.wait() == -signal.SIGKILL
            self.judge_killed("%s, kill %d" % (name, i), known[name][1])
        print("%d runs, %d of them killed" % (i, n_killed))
        if n_killed < n:
            self.fail("kill", str(n), "only %d runs were killed before they ended" % n_killed)

    def judge_killed(self, what, whole):
        for target, good in zip(TARGETS + MADE[:1], whole):
            now = read(os.path.join(self.folder, target))
            if (
                now not in (b"old", good)
                and not (target in MADE and now is None)
                and not (good is None and now is not None and now[-1:] == b"\n")
            ):
                self.fail(what, target, "the target is neither old nor whole")
        for path in set(os.listdir(self.folder)) - self.there - set(TARGETS) - set(MADE):
            full = os.path.join(self.folder, path)
            if not path.startswith(tuple(".%s.shoal-" % target for target in TARGETS + MADE)):
                self.fail(what, path, "left behind")
            elif read(full) != b"old" and os.stat(full).st_mode & 0o077 and read(full) not in whole:
                self.fail(what, path, "others may read it")

    def make_long(self):
        subprocess.run(
            [self.shoal]
            + "generate census --rows 20000 --seed 3 -o base.csv -q "
            "--hierarchies-out trees".split(),
            cwd=self.folder,
            check=True,
        )
        with (
            open(os.path.join(self.folder, "base.csv")) as base,
            open(os.path.join(self.folder, "long.csv"), "w") as file,
        ):
            file.write("row,who,house," + base.readline())
            for i, line in enumerate(base):
                file.write("%d,p%d,h%d,%s" % (i, i * 7 % 15000, i * 7 % 15000 // 3, line))
        self.there = set(os.listdir(self.folder)) - set(TARGETS) - set(MADE)

    def interrupt(self, n):
        """Ctrl-C at random moments of long runs: the command ends soon, with nothing left behind.
        """
        rng, longest, usual, n_interrupted = random.Random(4), (0, ""), {}, 0
        self.make_long()
        for i in range(n):
            name = list(LONG)[i % len(LONG)]
            self.put_back()
            begin = time.time()
            process = subprocess.Popen(
                [self.shoal] + LONG[name].split(),
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                process.wait(rng.uniform(0.02, usual.get(name, 3) * 1.1))
                usual[name] = min(usual.get(name, 60), time.time() - begin)  # it ended first
                if process.returncode not in (0, 3):  # nothing would be tried
                    self.fail(
                        name, "interrupt %d" % i, "exit %s before Ctrl-C" % process.returncode
                    )
                continue
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            begin = time.time()
            try:
                code = process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                code = process.wait()
            waited, n_interrupted = time.time() - begin, n_interrupted + 1
            longest = max(longest, (waited, name))
            if code not in (130, -signal.SIGINT, 0, 5):  # killed by it: before the handler was set
                self.fail(name, "interrupt %d" % i, "exit %s, %.1f s after Ctrl-C" % (code, waited))
            left = set(os.listdir(self.folder)) - self.there - set(TARGETS) - set(MADE) - {"copy2"}
            if left:
                self.fail(name, "interrupt %d" % i, "left behind: %s" % sorted(left))
        print(
            "%d runs, %d of them interrupted; the longest ended %.2f s later (%s)"
            % (n, n_interrupted, longest[0], longest[1])
        )

    def probe(self):
        """No network, no other program, no other file while a release is written, where the kernel
        can see to that.
        """
        home = tempfile.mkdtemp(prefix="shoal-probe-", dir=os.path.expanduser("~"))
        other = os.path.join(home, "secret")
        with open(other, "w") as file:
            file.write("x")
        env = dict(
            os.environ,
            TMPDIR=self.temp,
            SHOAL_FAULT="probe:1",
            SHOAL_PROBE=other,
            LD_PRELOAD=self.faults,
            OMP_WAIT_POLICY="passive",
        )
        words = [self.shoal] + COMMANDS["anonymize"].split()
        self.put_back()
        said = subprocess.run(words, cwd=self.folder, env=env, capture_output=True).stderr.decode()
        open_said = subprocess.run(
            words, cwd=self.folder, env=dict(env, SHOAL_NO_SANDBOX="1"), capture_output=True
        ).stderr.decode()
        shutil.rmtree(home)
        print("\n".join(line for line in said.split("\n") if line.startswith("probe")))
        if (
            "socket Operation not permitted" not in said
            or "exec Operation not permitted" not in said
        ):
            self.fail("sandbox", "probe", said)
        if "other file Permission denied" not in said and has_landlock():
            self.fail("sandbox", "probe", said)
        if "socket open" not in open_said:
            self.fail("sandbox", "probe", "the probe does not find what is open: " + open_said)

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.temp, ignore_errors=True)


def sweep_command(work):
    programs, name, part = work
    sweep = Sweep(*programs)
    try:
        sweep.command(name, COMMANDS[name].split(), part)
    finally:
        sweep.clear()
    return name, sweep.n_runs, sweep.failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("shoal")
    parser.add_argument("faults")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kill", type=int, default=0)
    parser.add_argument("--interrupt", type=int, default=0)
    parser.add_argument("--only")
    given = parser.parse_args()
    programs = os.path.abspath(given.shoal), os.path.abspath(given.faults)
    work = [
        (programs, name, part)
        for name in COMMANDS
        if given.only is None or name in given.only.split(",")
        for part in (range(PARTS + 1) if given.all else [None])
    ]
    sweep = Sweep(*programs)
    try:
        with multiprocessing.Pool(given.jobs) as pool:
            for name, n_runs, failures in pool.imap_unordered(sweep_command, work):
                sweep.n_runs += n_runs
                sweep.failures += failures
                if given.all:
                    print(
                        "%s: a part of %d runs, %d failed" % (name, n_runs, len(failures)),
                        flush=True,
                    )
        sweep.probe()
        if given.kill > 0:
            sweep.kill(given.kill)
        if given.interrupt > 0:
            sweep.interrupt(given.interrupt)
    finally:
        sweep.clear()
    for failure in sweep.failures:
        print(failure)
    print("%d runs, %d failed" % (sweep.n_runs, len(sweep.failures)))
    sys.exit(len(sweep.failures) > 0)


main()
