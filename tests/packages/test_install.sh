#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_install.sh BUILD - `make install`: for the system (staged), for oneself below a prefix, the
# example compiled against it; plain words where rights are missing.
set -u
. "$(dirname "$0")/cases.sh"
# install.sh sets prefix and libdir of the build folder; they are put back.
option() { meson introspect "$build" --buildoptions | python3 -c 'import json, sys
print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == sys.argv[1]))' "$1"; }
prefix=$(option prefix) libdir=$(option libdir)
put_back() { meson configure "$build" "-Dprefix=$prefix" "-Dlibdir=$libdir" &&
    ninja -C "$build" product; }
install() { DESTDIR=$1 sh "$tree/tools/install.sh" "$build" "$2"; }

staged() {
    install "$work/stage" /usr/local && "$work/stage/usr/local/bin/shoal" --version &&
        test -f "$work/stage/usr/local/share/man/man1/shoal.1" || return 1
    multiarch=$(cc -print-multiarch)
    if [ -n "$multiarch" ] && [ -f /etc/debian_version ]; then
        grep -rqx "/usr/local/lib/$multiarch" /etc/ld.so.conf.d ||
            echo 'this Debian does not look there?'
        test -f "$work/stage/usr/local/lib/$multiarch/libshoal.so" &&
            test -f "$work/stage/usr/local/lib/$multiarch/pkgconfig/shoal.pc"
    fi
}
without_dpkg_dev() { # as on a minimal Debian, where Meson alone would choose lib64
    mkdir -p "$work/bin" && printf '#!/bin/sh\nexit 127\n' >"$work/bin/dpkg-architecture" &&
        chmod +x "$work/bin/dpkg-architecture"
    rm -rf "$work/stage" && PATH=$work/bin:$PATH install "$work/stage" /usr/local &&
        ! test -e "$work/stage/usr/local/lib64"
}
for_oneself() { HOME=$work/home && mkdir -p "$HOME" && install '' '~/.local' &&
    "$work/home/.local/bin/shoal" --version; }
# The line in the head of the example, verbatim.
compile() {
    line=$(sed -n 's/^ \*  *\(cc anonymize_file.c .*\)/\1/p' "$tree/examples/anonymize_file.c")
    cp "$tree/examples/anonymize_file.c" "$work" && cd "$work" && echo "$line" && [ -n "$line" ] &&
        env PKG_CONFIG_PATH="$work/home/.local/lib/pkgconfig" sh -ec "$line" &&
        ./a.out "$tree/examples/patients.csv" 2 sex,age,zip age >release.csv &&
            cmp release.csv "$tree/examples/patients.release.csv"
}
with_io() {
    printf '#include <shoal/io.h>\nint main(void){return shoal_io_libraries(0, 0) == 0;}\n' \
        >"$work/io.c"
    cd "$work" && cc -o io io.c $(PKG_CONFIG_PATH="$work/home/.local/lib/pkgconfig" pkg-config \
        --cflags --libs shoal-io) && ./io
}
uninstalled() { # nothing of it is left below the prefix
    HOME=$work/home && sh "$tree/tools/uninstall.sh" "$build" &&
        [ -z "$(find "$work/home/.local" -type f 2>/dev/null)" ]
}
as_nobody() { # a user who may not write there: a sentence with the fix, no traceback
    cp -r "$tree/tools" "$work/tools" && mkdir -p "$work/theirs/meson-private" &&
        chmod -R a+rwX "$work/theirs" "$work/tools" || return 1
    su -s /bin/sh nobody -c "sh '$work/tools/install.sh' '$work/theirs' /usr/local" \
        >"$work/words" 2>&1 && return 1
    cat "$work/words"
    grep -q 'make install PREFIX=~/.local' "$work/words" && ! grep -q Traceback "$work/words"
}
try 'staged for the system' staged
try 'without dpkg-dev' without_dpkg_dev
try 'below ~/.local' for_oneself
try 'the example compiles against it and runs' compile
try 'libshoal-io, too' with_io
try 'the same release' same_release "$work/home/.local/bin/shoal"
try 'uninstalled again' uninstalled
if [ "$(id -u)" = 0 ] && command -v su >/dev/null; then try 'without the right to write' \
    as_nobody; else skip 'not root: no second user to try it as'; fi
try 'the build folder is as it was' put_back
finish
