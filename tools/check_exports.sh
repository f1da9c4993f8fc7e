#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_exports.sh TREE - does every exported function have a caller outside src?
#
# Callers are the command, the packages, the page, benchmarks and examples; for a function of
# libshoal libshoal-io is one, too (src/io, report, ask, evidence). What else is exported is listed
# in the list below, with its reason. Besides, docs/library.md names every public header.
set -eu
cd "$1"
list='
shoal_apply_levels shoal_grouping_generalises_sensitive
shoal_grouping_size shoal_grouping_recode
  = a grouping of a program that does not publish by the pipeline
shoal_table_set_order shoal_table_set_format shoal_table_format shoal_table_readings
shoal_table_set_sensitive_range shoal_table_set_level_weights shoal_table_level_weights
shoal_table_set_priority shoal_table_priority shoal_table_set_max_level shoal_table_max_level
shoal_table_exempt_suppressed shoal_table_total shoal_hierarchy_retain
  = what a specification says of a column, for programs without one
shoal_verify shoal_verify_models shoal_verify_release shoal_verify_mapping shoal_verify_buckets
shoal_verify_personal shoal_released_open_sensitive shoal_released_open_map
shoal_released_open_arrow shoal_mapping_open shoal_mapping_check shoal_difference_models
  = the verifier, for programs that check a release of another tool beside its original
shoal_queries_count shoal_measures_weigh shoal_bound_applies shoal_bound_explain
  = measures of programs that have their own tables
'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
names_of() { # names_of FILE...: all names of the library in these files
    cat "$@" | grep -oE '\bshoal_[a-z0-9_]+' | LC_ALL=C sort -u
}
sed 's,^ *= .*,,' <<END | tr -s ' ' '\n' | grep . | LC_ALL=C sort -u >"$work/listed"
$list
END
cat include/shoal/*.h | tr '\n' ' ' | grep -oE 'SHOAL_API[^;(]*\(' |
    grep -oE 'shoal_[a-z0-9_]+\($' | tr -d '(' | LC_ALL=C sort -u >"$work/exported"
# shellcheck disable=SC2046 # the words of the lists are meant to be split
names_of $(find cli python/src r/src web/engine bench examples -name '*.[ch]') >"$work/outside"
# shellcheck disable=SC2046
grep -hoE '^[a-z][A-Za-z_ *]*\bshoal_[a-z0-9_]+\(' $(find src/io src/report src/ask src/evidence \
    -name '*.c') | grep -oE 'shoal_[a-z0-9_]+\(' | tr -d '(' | LC_ALL=C sort -u >"$work/of_io"
# shellcheck disable=SC2046
names_of $(find src/io src/report src/ask src/evidence -name '*.[ch]') |
    LC_ALL=C comm -23 - "$work/of_io" | LC_ALL=C sort -u - "$work/outside" >"$work/called"
status=0
missing=$(LC_ALL=C comm -23 "$work/exported" "$work/called" | LC_ALL=C comm -23 - "$work/listed")
if [ -n "$missing" ]; then
    echo 'exported, and not called outside src: declare them below src, or list them here'
    printf '%s\n' "$missing"
    status=1
fi
needless=$(LC_ALL=C comm -12 "$work/listed" "$work/called")
gone=$(LC_ALL=C comm -23 "$work/listed" "$work/exported")
if [ -n "$needless$gone" ]; then
    echo 'listed in check_exports.sh, but called or not exported:'
    printf '%s\n' $needless $gone
    status=1
fi
for header in include/shoal/*.h; do
    name=$(basename "$header")
    grep -q "\`$name\`" docs/library.md && continue
    echo "docs/library.md does not name $name"
    status=1
done
exit $status
