#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python.py SHOAL [ROWS] - the Python call beside the command, on invented persons
(docs/performance.md).

Time: shoal.anonymize() on a pandas frame against the phases encode, search and refine of `shoal
anonymize` on the same rows as CSV, both with all cores. Memory: the most that the process had
resident during the call, against what it had with the frame loaded, and against the frame's own
size (DataFrame.memory_usage(deep=True)). Run it with the Python that has the wheel installed.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

QIDS = [
    "age", "sex", "race", "marital-status", "education", "native-country", "workclass",
    "occupation",
]
K = 10


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run_command(shoal, path, folder):
    out = subprocess.run(
        [
            shoal,
            "anonymize",
            path,
            "-o",
            os.path.join(folder, "release.csv"),
            "--force",
            "--qid",
            ",".join(QIDS),
            "--numeric",
            "age",
            "--identifier",
            "name",
            "--rest",
            "keep",
            "-k",
            str(K),
            "--no-bound",
            "--json",
        ],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(out.stdout)


def run_call(path):
    """In a process of its own, so that the peak is this call's."""
    import pandas as pd

    import shoal

    frame = pd.read_csv(path, dtype={"zip": str})
    size, before = int(frame.memory_usage(deep=True).sum()), resident()
    with open("/proc/self/clear_refs", "w") as file:  # the peak counts from here
        file.write("5")
    start = time.monotonic()
    release = shoal.anonymize(frame, qids=QIDS, k=K, numeric="age", identifiers="name", rest="keep")
    table = release.table
    seconds = time.monotonic() - start
    with open("/proc/self/status") as file:
        peak = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM"))
    print(
        json.dumps(
            {
                "seconds": seconds,
                "frame": size,
                "before": before,
                "peak": peak,
                "gcp": release.measures.gcp,
                "rows": len(table),
                "total": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                "phases": release.seconds,
            }
        )
    )


def main():
    if sys.argv[1] == "--call":
        return run_call(sys.argv[2])
    shoal, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "census.csv")
        subprocess.run(
            [
                shoal,
                "generate",
                "census",
                "--rows",
                str(rows),
                "--seed",
                "1",
                "-o",
                path,
                "--quiet",
            ],
            check=True,
        )
        said = run_command(shoal, path, folder)
        call = json.loads(
            subprocess.run(
                [sys.executable, __file__, "--call", path],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
    phases = sum(said["seconds"][name] for name in ("encode", "search", "refine"))
    assert abs(said["gcp"] - call["gcp"]) < 1e-12, "the two must publish the same"
    megabyte = 1e6
    print(
        f"rows                      {rows:,}, k = {K}, {len(QIDS)} quasi-identifiers, gcp"
        f" {call['gcp']:.4f} (the same for both)"
    )
    print(
        f"command, encode to recode {phases:.2f} s (read {said['seconds']['read']:.2f}, write"
        f" {said['seconds']['write']:.2f}, verify {said['seconds']['verify']:.2f}, total"
        f" {said['seconds']['total']:.2f})"
    )
    own = sum(call["phases"][name] for name in ("encode", "search", "refine"))
    print(
        f"Python call               {call['seconds']:.2f} s: {call['seconds'] / phases:.2f} times"
        f" that ({call['seconds'] - own:.2f} s beside the same phases: frame in, verification,"
        " frame out)"
    )
    print(f"frame                     {call['frame'] / megabyte:.0f} MB by memory_usage(deep=True)")
    print(
        f"resident before the call  {call['before'] / megabyte:.0f} MB, at most during it"
        f" {call['peak'] / megabyte:.0f} MB: {call['peak'] / call['frame']:.2f} times the frame"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
