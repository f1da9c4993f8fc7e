#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_coverage.sh BUILD CORPUS - which lines of the parsers do the inputs of the fuzz targets
# reach? A table for docs/reliability.md.
#
# BUILD is made here, with clang's coverage; CORPUS has a folder a target (tools/fuzz_background.sh:
# FAST/corpus), and tests/fuzz/corpus is run besides.
set -eu

build=$1
corpus=$2
tree=$(cd "$(dirname "$0")/.." && pwd)
targets=$(cd "$tree/tests/fuzz" && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//')
[ -f "$build/build.ninja" ] || CC=clang meson setup "$build" "$tree" -Dfuzzing=true \
    -Db_lundef=false -Doptimization=0 \
    -Dc_args='-fprofile-instr-generate -fcoverage-mapping' -Dc_link_args=-fprofile-instr-generate
# shellcheck disable=SC2086 # a list
ninja -C "$build" $(echo "$targets" | sed 's#^#tests/fuzz/fuzz_#')

# sources TARGET: the files that it is about, as patterns below src
sources() {
    case $1 in
    arrow) echo 'table/arrow_*.c' ;;
    counts | csv) echo 'table/csv_block.c table/csv_dialect.c table/csv_index.c table/csv_read.c table/csv_scan.c table/encode.c table/line_counts.c' ;;
    format) echo 'base/format.c table/format_guess.c base/number.c' ;;
    hierarchy) echo 'hierarchy/level_file.c hierarchy/parent_table.c hierarchy/hierarchy_text.c hierarchy/draft.c hierarchy/build_*.c' ;;
    levels) echo '../cli/levels_file.c' ;;
    manifest) echo 'evidence/manifest_read.c evidence/manifest_verify.c evidence/report_*.c' ;;
    mapping) echo 'published/mapping.c published/published.c published/spelling.c verify/verify_mapping.c' ;;
    order) echo 'table/order.c' ;;
    plan) echo 'io/plan_*.c' ;;
    published) echo 'published/published.c published/released.c published/spelling.c published/text_cover.c verify/verify.c' ;;
    series) echo 'series/series_state.c series/series_terms.c' ;;
    specs) echo 'privacy/*.c' ;;
    stream) echo 'table/csv_count.c table/window.c table/line_index.c' ;;
    transcode) echo 'base/transcode.c' ;;
    unpack) echo 'io/unpack.c' ;;
    workload) echo 'evaluate/queries_read.c evaluate/region.c' ;;
    esac
}

echo '| target | sources | lines | reached | branches reached |'
echo '|---|---|---|---|---|'
for target in $targets; do
    program=$build/tests/fuzz/fuzz_$target
    python3 "$tree/tests/fuzz/corpus.py" unpack "$target" "$build/seeds/$target"
    set -- "$build/seeds/$target"
    [ ! -d "$corpus/$target" ] || set -- "$@" "$corpus/$target"
    LLVM_PROFILE_FILE=$build/$target.profraw OMP_NUM_THREADS=1 "$program" \
        -runs=0 "$@" >"$build/$target.log" 2>&1
    llvm-profdata merge -sparse "$build/$target.profraw" -o "$build/$target.profdata"
    patterns=$(sources "$target")
    # shellcheck disable=SC2086 # a list of patterns
    (cd "$tree/src" && ls $patterns) | sed 's#.*/##' >"$build/$target.files"
    llvm-cov report "$program" -instr-profile="$build/$target.profdata" |
        awk -v target="$target" -v patterns="$patterns" '
        NR == FNR { wanted[$1] = 1; next }
        { name = $1; sub(".*/", "", name) }
        name in wanted { lines += $8; missed += $9; branches += $11; missed_branches += $12 }
        END { printf "| %s | %s | %d | %.0f %% | %.0f %% |\n", target, patterns, lines,
            100 - 100 * missed / lines, branches ? 100 - 100 * missed_branches / branches : 100 }
    ' "$build/$target.files" -
done
