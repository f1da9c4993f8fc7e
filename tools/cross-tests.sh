#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cross-tests.sh TRIPLET CMOCKA BUILD [TEST...] - the core library and its unit tests for another machine, run there or under qemu-user.
#
# TRIPLET is that of a Debian cross compiler: s390x-linux-gnu (big-endian, 64 bits), i686-linux-gnu (32 bits). CMOCKA is the folder into which its
# libcmocka-dev and libcmocka0 were unpacked (dpkg-deb -x). What needs zlib, zstd, libcyaml or jansson is left out: src/io and src/report.
# BUILD keeps the objects. Prints each test that fails, and a count.
set -eu

triplet=$1
cmocka=$2
build=$3
shift 3
tree=$(cd "$(dirname "$0")/.." && pwd)
case $triplet in
i686-*) # runs as it is, with the loader that belongs to its C library
    library=$cmocka/usr/lib/i386-linux-gnu
    run="/usr/$triplet/lib/ld-linux.so.2 --library-path /usr/$triplet/lib:$library"
    ;;
*)
    library=$cmocka/usr/lib/$triplet
    run="qemu-${triplet%%-*} -L /usr/$triplet -E LD_LIBRARY_PATH=$library"
    ;;
esac
mkdir -p "$build/objects" "$build/include"
cp /usr/include/xxhash.h "$build/include" # the same on all machines
flags="-std=c11 -O1 -g -fopenmp -pthread -ffp-contract=off -fno-math-errno -D_FILE_OFFSET_BITS=64 -DSHOAL_CHECK_INVARIANTS"
flags="$flags -I$tree/include -I$tree/src -I$build/include -I$cmocka/usr/include"
case $triplet in i686-*) flags="$flags -msse2 -mfpmath=sse" ;; esac # doubles are doubles, as everywhere else
version=$(sed -n "s/^ *version: '\([0-9.]*\)',.*/\1/p" "$tree/meson.build" | head -n 1)

compile() { # compile SOURCE OBJECT, unless it is newer
    [ "$2" -nt "$1" ] || "$triplet-gcc" $flags "-DSHOAL_VERSION_TEXT=\"$version\"" -c "$1" -o "$2"
}
for source in "$tree"/src/*/*.c "$tree"/src/*/*/*.c; do
    case $source in "$tree"/src/io/* | "$tree"/src/report/*) continue ;; esac
    compile "$source" "$build/objects/$(echo "${source#"$tree"/src/}" | tr / _).o"
done
rm -f "$build/libshoal.a"
"$triplet-ar" rcs "$build/libshoal.a" "$build"/objects/*.o
[ $# -gt 0 ] || set -- "$tree"/tests/unit/test_*.c
passed=0 failed=0 skipped=0
for test in "$@"; do
    name=$(basename "$test" .c)
    if ! "$triplet-gcc" $flags -D_POSIX_C_SOURCE=200809L "-I$tree/tests/support" "$tree/tests/unit/$name.c" -o "$build/$name" "$build/libshoal.a" \
        "-L$library" -lcmocka -lm >"$build/$name.log" 2>&1; then
        skipped=$((skipped + 1)) && echo "not built: $name ($(grep -m 1 -oE 'undefined reference to .*|fatal error: .*' "$build/$name.log"))"
    elif timeout 300 $run "$build/$name" >"$build/$name.log" 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1)) && echo "FAILED: $name" && grep -E 'ERROR|FAILED' "$build/$name.log" | head -n 5
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
