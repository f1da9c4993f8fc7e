#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# install.sh BUILD PREFIX - install below PREFIX (staged in $DESTDIR if that is set) what `ninja
# product` has built.
#
# Libraries go where the loader and pkg-config of the system look: on Debian lib/MULTIARCH below
# /usr and /usr/local. Below any other prefix they go to lib, programs linked with pkg-config's
# flags find them there, and what the shell must know is printed.
set -eu
build=$1
prefix=$2
case $prefix in # a shell may leave the tilde of PREFIX=~/.local as it is
'~') prefix=$HOME ;;
'~/'*) prefix=$HOME/${prefix#'~/'} ;;
/*) ;;
*)
    echo "install: PREFIX must begin with / or ~; it is $prefix" >&2
    exit 2
    ;;
esac

writable() { # writable PATH: may we write there, or make it?
    path=$1
    while [ ! -e "$path" ]; do path=$(dirname "$path"); done
    [ -d "$path" ] && [ -w "$path" ]
}
for place in "$build" "$build/meson-private" "${DESTDIR:-}$prefix"; do
    if ! writable "$place"; then
        echo "install: $(id -un) may not write to $place" >&2
        case $place in
        "$build"*) echo "    it belongs to $(stat -c %U \
            "$place"): give it back (sudo chown -R $(id \
            -un) $build), or build elsewhere (make install BUILD=build-mine)" >&2 ;;
        *) echo '    either: sudo make install' >&2 &&
            echo '    or, for yourself alone: make install PREFIX=~/.local' >&2 ;;
        esac
        exit 1
    fi
done

libdir=lib
case $prefix in
/usr | /usr/local)
    multiarch=$(cc -print-multiarch 2>/dev/null || true)
    if [ -n "$multiarch" ] && [ -f /etc/debian_version ]; then libdir=lib/$multiarch; fi
    ;;
esac
meson configure "$build" "-Dprefix=$prefix" "-Dlibdir=$libdir"
ninja -C "$build" product
meson install -C "$build" --no-rebuild --quiet
echo "installed below ${DESTDIR:-}$prefix: bin/shoal, include/shoal, $libdir/libshoal.so, $libdir/libshoal-io.so, share/man/man1/shoal.1"
# the next build is the user's again
if [ "$(id -u)" = 0 ] && [ -n "${SUDO_UID:-}" ]; then chown \
    -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$build"; fi
[ -z "${DESTDIR:-}" ] || exit 0
case $prefix in
/usr | /usr/local) if [ "$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi ;;
*)
    echo 'If your shell does not know these yet:'
    echo "    export PATH=\"$prefix/bin:\$PATH\" PKG_CONFIG_PATH=\"$prefix/$libdir/pkgconfig\""
    ;;
esac
