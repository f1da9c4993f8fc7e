#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# profile.sh [BUILD [ROWS [OPTION...]]] - where the time of each phase goes: samples of perf, sorted
# into phases by the clock.
#
# One release of ROWS invented persons (10000000 by default) as in scale.sh, under `perf record`.
# Phases follow each other, and the report says how long each took, so the time of a sample tells
# its phase (within some milliseconds). Printed for each phase: its seconds, the processor time
# spent in it, and the functions that took most of that. What is left of the whole (opening,
# hierarchies, the last sync) counts with its neighbours.
# OPTIONs go to shoal, such as --algorithm kmembers. Needs perf (Debian: linux-perf) and the right
# to use it.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
rows=${2:-10000000}
[ $# -le 1 ] || shift 1
[ $# -lt 1 ] || shift 1
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-profile.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$build/shoal" generate census --rows "$rows" --seed 1 -o "$work/table.csv" \
    --hierarchies-out "$work/hierarchies" --force
cat "$work/table.csv" >/dev/null
sync
perf record -q -F 999 -o "$work/perf.data" "$build/shoal" anonymize "$work/table.csv" \
    -o "$work/out.csv" \
    --qid sex,age,race,marital-status,education,native-country,workclass,occupation --numeric age \
    --identifier name --rest keep \
    --hierarchies "$work/hierarchies" -k 10 --json --quiet \
    --threads "${PROFILE_THREADS:-2}" "$@" >"$work/report"
perf script -i "$work/perf.data" -F time,ip,sym 2>/dev/null >"$work/samples"
awk '
FNR == 1 { file++ }
file == 1 { if ($1 == "\"seconds\":") inside = 1; else if (inside && $1 ~ /^"/) { name = $1;
    gsub(/[":]/, "", name); took[name] = $2 + 0 } ; next }
FNR == 1 {
    n = split("read encode search refine write verify measure bound", phase, " ")
    sub(":", "", $1); begin = $1 + 0
    for (i = 1; i <= n; i++) { at += took[phase[i]]; end[i] = at }
}
{
    time = $1; sub(":", "", time); time = time - begin
    for (i = 1; i < n && time > end[i]; i++);
    name = $3 == "" ? "?" : $3
    sub(/\.(_omp_fn|isra|part|constprop)\..*/, "", name)
    samples[i]++; all++; count[i, name]++; seen[name] = 1
}
END {
    print "| phase | seconds | processor seconds | share | functions |\n|---|---:|---:|---:|---|"
    for (i = 1; i <= n; i++) {
        if (samples[i] == 0) continue
        line = ""
        for (top = 1; top <= 6; top++) {
            most = 0
            for (name in seen) if (count[i, name] > most) { most = count[i, name]; best = name }
            if (most * 100 < samples[i] * 4) break
            line = line sprintf("%s`%s` %.0f %%", top > 1 ? ", " : "", best,
                100 * most / samples[i])
            count[i, best] = 0
        }
        printf "| %s | %.2f | %.2f | %.0f %% | %s |\n", phase[i], took[phase[i]], samples[i] / 999,
            100 * samples[i] / all, line
    }
    printf "| all | %.2f | %.2f | | |\n", took["total"], all / 999
}' "$work/report" "$work/samples"
