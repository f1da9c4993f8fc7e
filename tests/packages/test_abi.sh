#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_abi.sh BUILD - the C interface has all that the last version had; and the check that says so
# can fail.
set -u
. "$(dirname "$0")/cases.sh"
command -v abidiff >/dev/null || give_up 'no abidiff (abigail-tools)'
readelf -S "$build/libshoal.so.0" | grep -q debug_info ||
    give_up 'the build has no debugging information, which names the types'
for base in "$tree"/tests/packages/abi-*; do try "programs for ${base##*abi-}" \
    "$tree/tools/abi-check.sh" "$build" "$base"; done

# A base that has one function more, and one in which a structure has another field.
forge() { # forge SED-SCRIPT
    rm -rf "$work/base" && mkdir "$work/base"
    for library in libshoal libshoal-io; do xz -dc "$base/$library.abi.xz" | sed "$1" |
        xz >"$work/base/$library.abi.xz"; done
}
forge "s/<elf-symbol name='shoal_version' .*/&\n    <elf-symbol name='shoal_gone' type='func-type' \
binding='global-binding' visibility='default-visibility' is-defined='yes'\/>/"
try 'a removed function is found' refuses "$tree/tools/abi-check.sh" "$build" "$work/base"
forge "/<class-decl name='shoal_error'/,/<\/class-decl>/ \
s/offset-in-bits='16032'/offset-in-bits='16064'/"
try 'a field at another place is found' refuses "$tree/tools/abi-check.sh" "$build" "$work/base"
finish
