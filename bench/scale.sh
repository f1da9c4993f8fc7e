#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# scale.sh [BUILD] - one to ten million rows: what the ordinary way, CSV to CSV, costs beside
# reading, copying and sorting the file.
#
# Tables are invented (shoal generate census, seed 1): 14 columns, 8 of them quasi-identifiers, k =
# 10. wc, cp, sort and shoal take turns, SCALE_REPEAT times, and the shortest time of each counts;
# what was written is synced to disk in between, so that no run waits for the disk writes of
# another. Every file is in the page cache before it is timed. Memory: the most the system counted
# (VmHWM, files that are mapped included), and the most anonymous memory seen ten times a second
# (RssAnon).
#
#   SCALE_ROWS="1000000 3000000 10000000"   the sizes, ascending; goals speak of the first and the
#                                           last
#   SCALE_REPEAT=3                          turns
#   SCALE_THREADS=2                         threads of shoal and of sort
#   SCALE_METHODS="kmembers mondrian toc upc"   other methods, once each, at the last size
#   SCALE_LIMIT=300                         seconds after which another method is given up
#   SCALE_OUT=FOLDER                        where the tables lie meanwhile (three times the largest;
#                                           TMPDIR)
#
# Prints a table, the time of each phase and which goals hold; the same in bench/out/scale.md, the
# figures in bench/out/scale.csv.
# Nothing is asserted: exit 0 when everything ran.
set -eu
# threads that wait by spinning starve those that work, where cores are shared
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${SCALE_OUT:-${TMPDIR:-/tmp}}/shoal-scale.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
sizes=${SCALE_ROWS:-1000000 3000000 10000000}
repeat=${SCALE_REPEAT:-3} threads=${SCALE_THREADS:-2} limit=${SCALE_LIMIT:-300}
mkdir -p "$here/out"
csv=$here/out/scale.csv report=$here/out/scale.md
qids=sex,age,race,marital-status,education,native-country,workclass,occupation
echo 'rows,command,turn,seconds,peak_rss_bytes,peak_anon_bytes,gcp,groups,read,encode,search,refine,measure,bound,verify,write' >"$csv"

now() { date +%s%N; }
field() { awk -F'[:, ]+' -v name="\"$1\"" '$2 == name { print $3; exit }' "$work/report"; }
phase() { awk -F'[:, ]+' -v name="\"$1\"" '$2 == "\"seconds\"" { inside = 1 } inside && $2 == name {
    print $3; exit }' "$work/report"; }

# Look at the memory of a process, or of the one that it started (timeout), until it ends; the
# maxima go to $work/memory, in kB.
# No other program is started for it but sleep.
watch() {
    top=0 anon=0
    while [ -r "/proc/$1/status" ]; do
        child=''
        read -r child _ <"/proc/$1/task/$1/children" || true
        while read -r key value _; do
            case $key in
            VmHWM:) [ "$value" -le "$top" ] || top=$value ;;
            RssAnon:) [ "$value" -le "$anon" ] || anon=$value ;;
            esac
        done <"/proc/${child:-$1}/status" || break
        echo "$top $anon"
        sleep 0.1
    done >>"$work/memory" 2>/dev/null
}

# timed COMMAND...: its seconds in $seconds, its memory in $top and $anon (kB), its status as its
# own
timed() {
    sync
    echo '0 0' >"$work/memory"
    begin=$(now)
    "$@" >"$work/report" 2>"$work/errors" &
    pid=$!
    watch "$pid" &
    watcher=$!
    status=0
    wait "$pid" || status=$?
    end=$(now)
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    top=$(awk '$1 > most { most = $1 } END { print most + 0 }' "$work/memory")
    anon=$(awk '$2 > most { most = $2 } END { print most + 0 }' "$work/memory")
    seconds=$(echo "$begin $end" | awk '{ printf "%.3f", ($2 - $1) / 1e9 }')
    return $status
}

yardstick() { # ROWS NAME TURN COMMAND...
    rows=$1 name=$2 turn=$3
    shift 3
    timed "$@"
    echo "$rows,$name,$turn,$seconds,$((top * 1024)),$((anon * 1024)),,,,,,,,,," >>"$csv"
}

# ROWS NAME TURN OPTION...: one release; a failure is put down and does not end the run
release() {
    rows=$1 name=$2 turn=$3
    shift 3
    rm -f "$work/out.csv"
    if timed timeout "$limit" "$build/shoal" anonymize "$work/$rows.csv" -o "$work/out.csv" \
        --qid $qids --numeric age --identifier name --rest keep \
        --hierarchies "$work/hierarchies" -k 10 --json --quiet --threads "$threads" "$@"; then
        line=$rows,$name,$turn,$seconds,$(field peak_rss_bytes),$((anon * 1024)),$(field \
            gcp),$(field groups)
        for phase in read encode search refine measure bound verify \
            write; do line=$line,$(phase $phase); done
        echo "$line" >>"$csv"
    else
        echo "$rows,$name,$turn,,,,,,,,,,,,," >>"$csv"
        echo "scale: $name at $rows rows: no release (status $status): $(head \
            -c 300 "$work/errors")" >&2
    fi
    rm -f "$work/out.csv"
}

for rows in $sizes; do
    echo "scale: $rows rows" >&2
    "$build/shoal" generate census --rows "$rows" --seed 1 -o "$work/$rows.csv" \
        --hierarchies-out "$work/hierarchies" --force
    cat "$work/$rows.csv" >/dev/null
    turn=1
    while [ "$turn" -le "$repeat" ]; do
        yardstick "$rows" wc "$turn" wc -l "$work/$rows.csv"
        yardstick "$rows" cp "$turn" cp "$work/$rows.csv" "$work/out.csv"
        rm -f "$work/out.csv"
        yardstick "$rows" sort "$turn" env LC_ALL=C sort -S 4G --parallel="$threads" \
            -T "$work" "$work/$rows.csv" -o "$work/out.csv"
        release "$rows" shoal "$turn"
        case $sizes in "$rows" | *" $rows") release "$rows" shoal-effort-0 "$turn" \
            --effort 0 ;; esac
        turn=$((turn + 1))
    done
    case $sizes in "$rows" | "$rows "*) release "$rows" kmembers-1-thread 1 --algorithm kmembers \
        --threads 1 ;; esac
    case $sizes in "$rows" | *" $rows") ;; *) release "$rows" kmembers 1 \
        --algorithm kmembers ;; esac
    case $sizes in "$rows" | *" $rows")
        for method in ${SCALE_METHODS-kmembers mondrian toc upc}; do
            case $method in
            toc) release "$rows" toc 1 --algorithm toc --sensitive disease ;;
            upc) release "$rows" upc 1 --algorithm upc --sensitive disease --param U=0.7 \
                --param P=0.5 ;;
            *) release "$rows" "$method" 1 --algorithm "$method" ;;
            esac
        done
        ;;
    esac
    rm -f "$work/$rows.csv"
done

awk -F, -v threads="$threads" -v load="$(cut -d' ' -f1-3 /proc/loadavg)" \
    -v cores="$(getconf _NPROCESSORS_ONLN)" '
NR == 1 { for (i = 9; i <= NF; i++) phase[i] = $i; n_fields = NF; next }
$4 == "" { lost[$2] = 1; next }
{
    if (!($1 in seen)) { seen[$1] = 1; size[++n_sizes] = $1 }
    at = $1 SUBSEP $2
    if (!(at in best)) order[++n] = at
    if (!(at in best) || $4 + 0 < best[at]) { best[at] = $4 + 0; row[at] = $0 }
    if ($5 + 0 > rss[at]) rss[at] = $5 + 0
    if ($6 + 0 > anon[at]) anon[at] = $6 + 0
}
function holds(is, text) { printf "- %s: %s\n", is ? "holds" : "MISSED", text }
END {
    first = size[1]; last = size[n_sizes]
    print "| rows | command | seconds | peak resident MB | of it anonymous MB | gcp | groups |"
    print "|---:|---|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        split(order[i], key, SUBSEP); split(row[order[i]], f, ",")
        printf "| %d | %s | %.2f | %.0f | %.0f | %s | %s |\n", key[1], key[2], best[order[i]],
            rss[order[i]] / 1048576, anon[order[i]] / 1048576, \
            f[7] == "" ? "" : sprintf("%.6f", f[7]), f[8]
    }
    print "\nSeconds of each phase:\n"
    printf "| rows | method |"; for (i = 9; i <= n_fields; i++) printf " %s |", phase[i]
    printf "\n|---:|---|"; for (i = 9; i <= n_fields; i++) printf "---:|"
    print ""
    for (i = 1; i <= n; i++) {
        split(order[i], key, SUBSEP); split(row[order[i]], f, ",")
        if (f[7] == "") continue
        printf "| %d | %s |", key[1], key[2]
        for (j = 9; j <= n_fields; j++) printf " %.2f |", f[j]
        print ""
    }
    own = best[last, "shoal"]
    copying = best[last, "wc"] + best[last, "cp"]
    printf "\nGoals at %d rows (%d threads on %d cores, load at the end %s):\n\n", last, threads,
        cores, load
    holds(own < best[last, "sort"], sprintf("faster than sort: %.2f s against %.2f s, %.2f of it",
        own, best[last, "sort"], own / best[last, "sort"]))
    quick = best[last, "shoal-effort-0"]
    holds(quick <= 6 * copying, sprintf("--effort 0 at most 6 times wc and cp: %.1f times %.2f s (the default %.1f times)", quick / copying, copying, own / copying))
    holds(rss[last, "shoal"] <= 1.5e9,
        sprintf("at most 1.5 GB resident: %.2f GB, %.2f GB of it anonymous",
        rss[last, "shoal"] / 1e9, anon[last, "shoal"] / 1e9))
    if (n_sizes > 1) {
        for (i = 2; i <= n_sizes; i++) {
            e = log(best[size[i], "shoal"] / best[size[i - 1],
                "shoal"]) / log(size[i] / size[i - 1])
            steps = steps sprintf("%s%.2f from %d to %d", i > 2 ? ", " : "", e, size[i - 1],
                size[i])
        }
        e = log(own / best[first, "shoal"]) / log(last / first)
        holds(e <= 1.1, sprintf("time grows no faster than n^1.1: n^%.2f from %d to %d rows (%s)",
            e, first, last, steps))
    }
    for (i = 1; i <= n_sizes; i++) { # how far below k-Members
        split(row[size[i], "shoal"], a, ","); split(row[size[i], "kmembers"], b, ",")
        most = size[i] > 3000000 ? 0.87 : 0.83
        if (b[7] != "") holds(a[7] <= most * b[7],
            sprintf("loss at %d rows at most %.2f of that of k-Members: %.3f",
            size[i], most, a[7] / b[7]))
        if (i > 1) holds(best[size[i], "shoal"] >= 0.9 * best[size[i - 1], "shoal"],
            sprintf("no cliff: %d rows take no less than %d", size[i], size[i - 1]))
    }
    split(row[first, "shoal"], a, ","); split(row[first, "kmembers-1-thread"], b, ",")
    if (b[7] != "") holds(a[7] + 0 <= b[7] + 0, sprintf("loss at %d rows no worse than k-Members with one thread: %.6f against %.6f", first, a[7], b[7]))
    for (i = 1; i <= n; i++) {
        split(order[i], key, SUBSEP); split(row[order[i]], f, ",")
        if (key[1] == last && key[2] !~ /^shoal/ &&
            f[7] != "") holds(1, sprintf("%s finishes %d rows: %.0f s", key[2], last,
                best[order[i]]))
    }
    for (m in lost) holds(0, m " gave no release in time")
}' "$csv" >"$report"
cat "$report"
echo "the same as bench/out/scale.md; all turns in bench/out/scale.csv"
