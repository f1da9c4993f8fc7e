#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# toc_settings.sh [BUILD] - how far the settings that toc finds are from the best of a fine grid:
# relative quality loss.
#
#     loss = (score of the settings found - least score of the grid) / least score of the grid,
#     score = w_u UM + w_p MPM
#
# as in Loukides' thesis, section 4.2, with weights. Negative: no setting of the grid is as good.
# Where the settings found score 0 no others can be better, and the grid is not run. The grid:
# clusters of 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24 and 32 times k rows, each with ten deltas and
# the better of both kinds of seeds; without pre-partitioning. The table is that of toc_table.sh.
#
#   TOC_K="5 10"  TOC_W="0.5 1"   the k and w_u to try (5 10 25 50 100; 0 0.25 0.5 0.75 1)
#   TOC_JOBS=2                    releases made at the same time
# Exit 1 when a loss is above 0.06, 77 when Adult is not there.
set -eu
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
# inner call: BUILD FOLDER K W_U NAME OPTION...; prints "score um mpm seconds", nothing where there
# are no groups
if [ "${1:-}" = --score ]; then
    build=$2 work=$3 k=$4 w=$5 name=$6
    shift 6
    "$build/shoal" anonymize "$work/adult.csv" -o "$work/out.$name.csv" --force --no-bound --json \
        --seed 1 --threads 1 \
        --qid age,gender,race,salary,country,workclass --sensitive marital,occupation \
        --numeric age,occupation -k "$k" -a toc \
        --param growth=linkage --param guard=none --param prepartition=off \
        --param w_u="$w" "$@" >"$work/report.$name" 2>"$work/error.$name" || exit 0
    awk -F'[:, ]+' -v w="$w" '
        $2 == "\"um\"" { um = $3 } $2 == "\"mpm\"" && mpm == "" { mpm = $3 } $2 == "\"search\"" {
            seconds = $3 }
        END { printf "%.6f %.4f %.4f %.2f\n", w * um + (1 - w) * mpm, um, mpm, seconds }' \
            "$work/report.$name"
    rm -f "$work/out.$name.csv" "$work/report.$name"
    exit 0
fi
build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-toc.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$here/toc_table.sh" "$build" "$work" || exit $?
bad=0
printf '%5s %5s %9s %9s %9s %8s %9s %9s %9s\n' k w_u score um mpm seconds settings best loss
for k in ${TOC_K:-5 10 25 50 100}; do
    for w in ${TOC_W:-0 0.25 0.5 0.75 1}; do
        own=$("$0" --score "$build" "$work" "$k" "$w" own)
        : >"$work/scores"
        if [ "${own%% *}" != 0.000000 ]; then
            for size in "$k" $((k * 5 / 4)) $((k * 3 / 2)) $((k * 2)) $((k * 3)) $((k * 4)) \
                $((k * 6)) $((k * 8)) $((k * 12)) $((k * 16)) $((k * 24)) $((k * 32)); do
                for delta in 0.005 0.01 0.02 0.03 0.05 0.07 0.1 0.15 0.3 1; do
                    echo "$build $work $k $w $size-$delta --param size=$size --param delta=$delta"
                done
            done | xargs -P "${TOC_JOBS:-2}" -L 1 "$0" --score >"$work/scores"
        fi
        awk -v k="$k" -v w="$w" -v own="$own" '
            NF == 4 { n++; if (best == "" || $1 + 0 < best) best = $1 + 0 }
            END {
                split(own, o, " ")
                loss = n == 0 ? 0 : (o[1] - best) / best
                printf "%5s %5s %9.4f %9.4f %9.4f %8.2f %9d %9.4f %9.4f\n", k, w, o[1], o[2], o[3],
                    o[4], n, best, loss
                exit loss > 0.06
            }' "$work/scores" || bad=1
    done
done
exit $bad
