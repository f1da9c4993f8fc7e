#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""sandbox.py SHOAL REACH.so - every way in and out of `anonymize` and `apply` works in the sandbox,
and no other file can be reached from inside it (reach.c tries).

Each run is made twice, with and without the sandbox: the same exit code, and the same files with
the same bytes. Where the kernel has no Landlock the test is skipped (exit 77), and says so.
"""

import ctypes, gzip, os, shutil, subprocess, sys, tempfile

ROWS = "age,town,job,id\n" + "".join(
    "%d,%s,%s,p%d\n" % (20 + i * 7 % 40, "nmsw"[i % 4], "xyz"[i % 3], i) for i in range(48)
)
BASE = "--qid age,town --rest keep -k 3 -q --no-bound"
SERIES = (
    "anonymize t.csv -o out/o.csv --qid age,town --rest drop -k 3 -q --series kept --record-key id"
)
# name: (command, what is not compared: draws, times, names of folders)
RUNS = {
    "new": ("anonymize t.csv -o out/o.csv " + BASE, ()),
    "replaced": ("anonymize t.csv -o out/old.csv --force " + BASE, ()),
    "here": ("anonymize t.csv -o here.csv " + BASE, ()),
    "absolute": ("anonymize {here}/t.csv -o {here}/out/o.csv " + BASE, ()),
    "above": ("anonymize ./out/../t.csv -o out/../out/o.csv " + BASE, ()),
    "linked folder": ("anonymize link.csv -o linked/o.csv " + BASE, ()),
    "linked target": ("anonymize t.csv -o link-to-old.csv --force " + BASE, ()),
    "packed": ("anonymize t.csv.gz -o out/o.csv.gz " + BASE, ()),
    "packed zst": ("anonymize t.csv.gz -o out/o.csv.zst --force " + BASE, ()),
    "everything": (
        "anonymize t.csv -o out/o.csv --report out/r.json --report-html other/r.html --manifest"
        " m.json --force --row-order shuffle --output-encoding utf-16le " + BASE,
        ("o.csv", "r.json", "r.html", "m.json"),
    ),
    "json": ("anonymize t.csv -o out/o.csv --json " + BASE, ("stdout",)),
    "levels": (
        "anonymize t.csv -o out/o.csv -a samarati --levels-out out/l.json --hierarchies trees "
        + BASE,
        (),
    ),
    "apply": (
        "apply t.csv -o out/o.csv --levels l.json --hierarchies trees --rest keep -k 3 -q",
        (),
    ),
    "anatomy": (
        "anonymize t.csv -o out/o.csv --sensitive-out out/s.csv --qid age,town --sensitive job"
        " --rest drop -a anatomy --param l=2 -q",
        ("o.csv", "s.csv"),
    ),
    "hierarchies": ("anonymize t.csv -o out/o.csv --hierarchies trees " + BASE, ()),
    "hierarchy": ("anonymize t.csv -o out/o.csv --hierarchy town=trees/town.csv " + BASE, ()),
    "plan": (
        "anonymize t.csv -o out/o.csv --plan plan.yaml --manifest m.json -q --no-bound",
        ("m.json",),
    ),
    "population": ("anonymize t.csv -o out/o.csv --population more.csv.gz --k-map 3 " + BASE, ()),
    "pseudonyms": (
        "anonymize t.csv -o out/o.csv --qid age,town --pseudonym id --key key --rest drop -k 3 -q",
        (),
    ),
    "counts": ("anonymize n.csv --counts n --mapping out/o.csv --qid age,town -k 3 -q", ()),
    "records": ("anonymize t.jsonl -o out/o.csv " + BASE, ()),
    "spilled": ("anonymize more.csv.gz -o out/o.csv --memory-limit 2 " + BASE, ()),
    "joined": (
        "anonymize more.csv.gz -o out/o.csv --join p=age,town --qid p --rest keep -k 3 -q"
        " --no-bound --memory-limit 2",
        (),
    ),
    "series": (SERIES, ("key", "state")),
    "series of invariance": (
        SERIES.replace("-k 3", "-k 2")
        + " --sensitive job --m-invariance 2 --counterfeits-out out/c.csv",
        ("key", "state", "o.csv", "c.csv"),
    ),
    "series again": (SERIES + " --force", ("key", "state", "o.csv")),
    "series with a link": (SERIES + " --force", ("key", "state", "o.csv", "state.old")),
    "no series": (SERIES.replace("-k 3", "-k 100"), ("key", "state")),
    "stdout": ("anonymize t.csv -o - " + BASE, ()),
    "/dev/stdout": ("anonymize t.csv -o /dev/stdout " + BASE, ()),
    "stdin": ("anonymize - -o out/o.csv " + BASE, ()),
    "/dev/stdin": ("anonymize /dev/stdin -o out/o.csv " + BASE, ()),
    "descriptor of a pipe": ("anonymize t.csv -o /dev/fd/{pipe} " + BASE, ()),
    "descriptor of a file": ("anonymize t.csv -o /dev/fd/{file} " + BASE, ()),
    "of this process": ("anonymize t.csv -o /proc/self/fd/{file} " + BASE, ()),
    "/dev/stderr": ("anonymize t.csv -o /dev/stderr " + BASE, ()),
    "/dev/null": ("anonymize t.csv -o /dev/null " + BASE, ()),
    "/dev/full": ("anonymize t.csv -o /dev/full " + BASE, ()),
    "memory": ("anonymize t.csv -o {shm}/o.csv " + BASE, ()),
    "named pipe out": ("anonymize t.csv -o fifo " + BASE, ()),
    "named pipe in": ("anonymize fifo -o out/o.csv " + BASE, ()),
    "folder in": ("anonymize other -o out/o.csv " + BASE, ()),
    "missing in": ("anonymize none.csv -o out/o.csv " + BASE, ()),
}
FAILING = {"no series": 3, "/dev/full": 1, "folder in": 1, "missing in": 1}
# runs that neither replace nor take back a file cannot remove one either
REMOVES_NOTHING = ("new", "here", "absolute", "packed", "stdout", "spilled", "named pipe out")
CLOSED = (
    "r{secret}", "w{secret}", "t{secret}", "r/proc/1/environ", "l/", "l{home}", "w{here}/t.csv",
    "t{here}/t.csv", "r{here}/neighbour", "w{here}/neighbour", "t{here}/neighbour",
    "r{here}/out/neighbour", "w{here}/out/neighbour", "t{here}/out/neighbour",
    "w{here}/out/old.csv", "t{here}/out/old.csv", "r{here}/trees/notes.txt",
    "w{here}/trees/town.csv", "r{temp}/neighbour", "w{temp}/neighbour", "t{temp}/neighbour",
    "c{temp}/made", "d{temp}/neighbour", "m{temp}/neighbour", "l{temp}",
    "c{home}/made", "d{home}/secret", "m{home}/secret",
)
UNREMOVED = ("d{here}/out/neighbour", "m{here}/out/neighbour", "d{here}/neighbour")


def landlock():
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1)


def write(path, text):
    data = text.encode()
    with open(path, "wb") as file:
        file.write(gzip.compress(data, mtime=0) if path.endswith(".gz") else data)


class Place:
    """Empty folders for one run."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="shoal-sandbox-")
        self.here, self.temp = os.path.join(self.home, "here"), os.path.join(self.home, "temp")
        self.shm = tempfile.mkdtemp(prefix="shoal-sandbox-", dir="/dev/shm")
        for name in ("", "out", "other", "trees", "../temp"):
            os.mkdir(os.path.join(self.here, name))
        many = "".join(
            "%d,%s,%s,p%d\n" % (20 + i * 7 % 60, "nmsw"[i % 4], "xyz"[i % 3] * 90, i)
            for i in range(40000)
        )
        files = {
            "t.csv": ROWS, "t.csv.gz": ROWS, "more.csv.gz": "age,town,job,id\n" + many,
            "n.csv": "age,town,n\n20,n,5\n21,n,2\n22,m,4\n23,m,4\n",
            "t.jsonl": "".join(
                '{"age": %d, "town": "%s"}\n' % (20 + i % 9, "nm"[i % 2]) for i in range(40)
            ),
            "trees/town.csv": "n;north;*\nm;north;*\ns;south;*\nw;south;*\n",
            "trees/x_hierarchy_age.csv": "".join("%d;%d0s;*\n" % (i, i // 10) for i in range(100)),
            "trees/notes.txt": "notes", "neighbour": "kept", "out/neighbour": "kept",
            "out/old.csv": "old", "../temp/neighbour": "kept", "../secret": "kept",
            "plan.yaml": "k: 3\nhierarchies: trees\nrest: drop\ncolumns:\n"
            "  - {name: age, role: quasi}\n  - {name: town, role: quasi}\n",
            "l.json": '{"levels": {"age": 1, "town": 1}}',
            "key": "%064x\n" % 0x5AD0A1,
        }
        for name, text in files.items():
            write(os.path.join(self.here, name), text)
        os.chmod(os.path.join(self.here, "key"), 0o600)
        links = {"linked": "out", "link.csv": "t.csv", "link-to-old.csv": "out/old.csv"}
        for name, target in links.items():
            os.symlink(target, os.path.join(self.here, name))
        os.rename(os.path.join(self.here, "trees/town.csv"), os.path.join(self.here, "town"))
        os.symlink("../town", os.path.join(self.here, "trees/town.csv"))
        os.mkfifo(os.path.join(self.here, "fifo"))
        self.secret = "/etc/shadow" if os.access("/etc/shadow", os.R_OK) else self.home + "/secret"

    def tell(self, line):
        return line.format(**vars(self))

    def files(self):
        found = {}
        for root in (self.home, self.shm):
            for folder, _, names in os.walk(root):
                found[os.path.relpath(folder, root) + "/"] = None
                for name in names:
                    path = os.path.join(folder, name)
                    content = None
                    if os.path.isfile(path):
                        with open(path, "rb") as file:
                            content = file.read()
                    found[os.path.relpath(path, root)] = content
        return found

    def remove(self):
        shutil.rmtree(self.home)
        shutil.rmtree(self.shm)


def run(shoal, name, reach, env):
    """Exit code, standard output, error, what a pipe or file received, files that are left."""
    place = Place()
    writes_in = name == "named pipe in"
    out_fifo = name == "named pipe out"
    fifo = os.path.join(place.here, "fifo")
    received = tempfile.TemporaryFile()
    reader, place.pipe = os.pipe()
    place.file = received.fileno()
    helper = None
    if writes_in:
        helper = subprocess.Popen("cat t.csv > fifo", shell=True, cwd=place.here)
    if out_fifo:
        helper = subprocess.Popen(["cat", fifo], stdout=received)
    if name in ("series again", "series with a link"):
        begun = dict(os.environ, TMPDIR=place.temp, SHOAL_NO_SANDBOX="1")
        subprocess.run([shoal] + SERIES.split(), cwd=place.here, env=begun, check=True)
    if name == "series with a link":
        state = os.path.join(place.here, "kept", "state")
        os.rename(state, os.path.join(place.here, "state.old"))
        os.symlink("../state.old", state)
    env = dict(os.environ, TMPDIR=place.temp, OMP_WAIT_POLICY="passive", **env)
    env["SHOAL_REACH"] = "\n".join(place.tell(line) for line in reach)
    done = subprocess.run(
        [shoal] + place.tell(RUNS[name][0]).split(), cwd=place.here, env=env, input=ROWS.encode(),
        capture_output=True, pass_fds=(place.pipe, place.file), timeout=120,
    )
    os.close(place.pipe)
    piped = os.read(reader, 65536)
    os.close(reader)
    if helper is not None:
        helper.wait(20)
    received.seek(0)
    piped += received.read()
    lines = done.stderr.decode().replace(place.home, "").split("\n")
    result = {
        "code": done.returncode,
        "stdout": done.stdout,
        "stderr": "\n".join(x for x in lines if not x.startswith("reach: ")),
        "piped": piped,
        "files": place.files(),
    }
    reached = [x for x in lines if x.startswith("reach: ")]
    place.remove()
    return result, reached


def differences(name, inside, outside):
    loose = RUNS[name][1]
    for key in ("code", "stdout", "stderr", "piped"):
        if inside[key] != outside[key] and key not in loose:
            yield "%s: %r inside, %r outside" % (key, inside[key], outside[key])
    a, b = inside["files"], outside["files"]
    if sorted(a) != sorted(b):
        yield "files inside %s, outside %s" % (sorted(set(a) - set(b)), sorted(set(b) - set(a)))
    for path in sorted(set(a) & set(b)):
        if a[path] != b[path] and os.path.basename(path) not in loose:
            yield "%s differs" % path


def check(shoal, library, name, **settings):
    reach = CLOSED + (UNREMOVED if name in REMOVES_NOTHING and not settings else ())
    if int(settings.get("SHOAL_REACH_VERSION", landlock())) < 3:  # it cannot forbid truncation
        reach = [line for line in reach if line[0] != "t"]
    inside, reached = run(shoal, name, reach, dict(settings, LD_PRELOAD=library))
    outside, _ = run(shoal, name, (), {"SHOAL_NO_SANDBOX": "1"})
    complaints = list(differences(name, inside, outside))
    if inside["code"] != FAILING.get(name, 0):
        complaints.append("exit %d: %s" % (inside["code"], inside["stderr"]))
    if len(reached) != len(reach):
        complaints.append("%d of %d files were tried" % (len(reached), len(reach)))
    complaints += [line for line in reached if not line.endswith(": EACCES")]
    for complaint in complaints:
        print("%s %s: %s" % (name, settings or "", complaint))
    return len(complaints)


def main():
    shoal, library = (os.path.abspath(path) for path in sys.argv[1:3])
    if landlock() < 1:
        print("this kernel has no Landlock: nothing was tried")
        sys.exit(77)
    only = sys.argv[3:]
    names = [name for name in RUNS if not only or name in only]
    n_failed = sum(check(shoal, library, name) for name in names)
    n = len(names)
    # older kernels, and file systems without nameless files
    for name in ("new", "everything", "series", "stdout", "spilled", "linked target"):
        if only and name not in only:
            continue
        for version in range(1, min(landlock(), 7)):
            n_failed += check(shoal, library, name, SHOAL_REACH_VERSION=str(version))
            n += 1
        n_failed += check(shoal, library, name, SHOAL_REACH_NAMES="1")
        n += 1
    print("%d runs inside and outside the sandbox, %d complaints" % (n, n_failed))
    sys.exit(n_failed > 0)


main()
