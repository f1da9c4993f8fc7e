#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_deb.sh BUILD - `make deb`: lintian finds no error; in a clean Debian the packages are
# installed, used, tried by their own tests, and removed without traces.
set -u
. "$(dirname "$0")/cases.sh"
[ -f /etc/debian_version ] || give_up 'this is no Debian'
make_target deb
debs=$tree/build-deb
root=$tree/build-chroot
no_errors() { lintian --allow-root --fail-on error --tag-display-limit 0 "$debs"/*.changes; }
all_four() { for name in shoal libshoal0 libshoal-dev python3-shoal; do [ \
    -f "$(echo "$debs/${name}_$version"_*.deb)" ] || return 1; done; }
# symbols that debian/libshoal0.symbols does not have yet; tools/debian-symbols.sh writes it again
symbols_are_complete() {
    "$tree/tools/debian-symbols.sh" "$build" >"$work/symbols" &&
        diff "$tree/debian/libshoal0.symbols" "$work/symbols"
}
try 'four packages' all_four
if command -v lintian >/dev/null; then try 'lintian finds no error' no_errors; else skip \
    'no lintian'; fi
try 'debian/libshoal0.symbols names every function' symbols_are_complete
[ "$(id -u)" = 0 ] || give_up 'not root: no chroot to install them in'
PATH=$PATH:/usr/sbin:/sbin

# The clean Debian is made once: what it takes to compile the example, and Python. Without a network
# there is none.
if [ ! -f "$root/made" ]; then
    command -v debootstrap >/dev/null || give_up 'no debootstrap'
    rm -rf "$root"
    debootstrap --variant=minbase --include=ca-certificates,gcc,libc6-dev,pkg-config,python3 \
        "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" \
        >"$work/log" 2>&1 || { tail -n 3 "$work/log"; rm \
        -rf "$root"; give_up 'debootstrap cannot fetch a Debian'; }
    cp /etc/apt/sources.list.d/*.sources "$root/etc/apt/sources.list.d/" 2>/dev/null
    touch "$root/made"
fi
clean_up() {
    umount "$root/proc" 2>/dev/null
    rm -rf "$work" "$root/packages"
}
mkdir -p "$root/packages" "$root/proc"
cp "$debs"/*.deb "$root/packages" && rm -f "$root"/packages/*-dbgsym_*
cp -r "$tree/debian/tests" "$root/packages/tests"
mount -t proc proc "$root/proc" 2>/dev/null
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"; }
files() { (cd "$root" && find . \( -path ./proc -o -path ./dev -o -path ./packages -o -path ./tmp \
    -o -path ./var/cache -o -path ./var/log \
    -o -path ./var/lib/dpkg -o -path ./var/lib/apt \) -prune -o ! -type d ! -name '*.pyc' ! \
    -name ld.so.cache -print | LC_ALL=C sort); }
files >"$work/before"
inside dpkg-query -W -f '${Package}\n' >"$work/packages-before"

install() { # with what they depend on and nothing else
    [ -n "$(ls "$root"/var/lib/apt/lists/*Packages* 2>/dev/null)" ] || inside apt-get -q update
    inside sh -c 'apt-get -q -y --no-install-recommends install /packages/*.deb'
}
own_test() { inside sh "/packages/tests/$1"; }
in_chroot() { chroot "$root" env -i PATH=/usr/bin OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" sh \
    -c 'cd "$1" && shift && exec "$@"' sh "/packages/work" "$@"; }
release() { # same_release, with the folder inside
    mkdir -p "$root/packages/work" && ln -sfn "$root/packages/work" "$work/release" &&
        same_release in_chroot shoal
}
remove() {
    inside sh -c 'apt-get -q -y purge shoal libshoal0 libshoal-dev python3-shoal && apt-get -q -y autoremove --purge' || return 1
    files >"$work/after"
    inside dpkg-query -W -f '${Package}\n' >"$work/packages-after"
    diff "$work/before" "$work/after" && diff "$work/packages-before" "$work/packages-after"
}
if ! install >"$work/said" 2>&1 &&
    grep -qE 'Temporary failure|Could not (resolve|connect)|Unable to fetch' "$work/said"; then
    give_up 'what they depend on cannot be fetched'
fi
try 'they are installed with what they need' install
for name in release compile python; do try "debian/tests/$name" own_test $name; done
try 'manual page' inside sh -c 'zcat /usr/share/man/man1/shoal.1.gz | grep -q "TH SHOAL"'
try 'completions' inside test -f /usr/share/bash-completion/completions/shoal.bash
try 'the same release' release
try 'they are removed without traces' remove
finish
