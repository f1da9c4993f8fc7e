#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# abi-check.sh BUILD BASE - do programs that were compiled against an older version still run with
# the libraries of BUILD?
#
# BASE is a folder with the interfaces of that version (libshoal.abi.xz, libshoal-io.abi.xz), as
# `abi-check.sh --write BUILD FOLDER` writes them at a release. New functions are no change; neither
# are new fields at the end of structures that begin with their own size, by which the library knows
# how much of them the caller has, and of those that only the library creates.
# Everything else needs a new soname (VERSIONING.md). Needs abigail-tools; the build must have
# debugging information.
set -eu
headers=$(cd "$(dirname "$0")/../include" && pwd)
read_options="--no-corpus-path --no-comp-dir-path --exported-interfaces-only"
if [ "$1" = --write ]; then
    mkdir -p "$3"
    for library in libshoal libshoal-io; do
        # shellcheck disable=SC2086 # the words of the list are meant to be split
        abidw $read_options --out-file "$3/$library.abi" "$2/$library.so.0"
        xz -9f "$3/$library.abi"
    done
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cat "$headers"/shoal/*.h | awk '
/^\/\*\*/ { lent = 0 }
/Only the library creates/ { lent = 1 }
/^typedef struct [a-z_]+ \{/ { name = $3; getline; if (lent || $0 ~ /^ +size_t size;/)
    printf "[suppress_type]\n  type_kind = struct\n  name = %s\n  has_data_member_inserted_at = end\n", name }' >"$work/allowed.ini"
status=0
for library in libshoal libshoal-io; do
    xz -dc "$2/$library.abi.xz" >"$work/$library.abi"
    abidiff --suppressions "$work/allowed.ini" --no-added-syms --headers-dir1 "$headers" \
        --headers-dir2 "$headers" \
        "$work/$library.abi" "$1/$library.so.0" || status=1
done
exit $status
