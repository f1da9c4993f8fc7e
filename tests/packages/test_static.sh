#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_static.sh BUILD - `make static`: small, alone, at work in a folder that has nothing else.
set -u
. "$(dirname "$0")/cases.sh"
command -v musl-gcc >/dev/null || [ "$(id -u)" = 0 ] ||
    give_up 'no musl-gcc, and not root to install it'
make_target static
program=$tree/build-static/shoal

is_small() { [ "$(stat -c %s "$program")" -lt 3000000 ]; }
needs_nothing() { ! readelf -d "$program" | grep -q NEEDED && ! readelf -l "$program" |
    grep -q INTERP; }
is_sandboxed() { "$program" --version --json | grep -q '"sandbox": true'; }
names_no_place() { ! strings "$program" | grep -F "$tree"; }
packs_alike() { # compressed files, which have their own libraries here
    for ending in gz zst; do
        "$program" generate census --rows 2000 --seed 1 -o "$work/a.csv.$ending" --force &&
            "$build/shoal" check "$work/a.csv.$ending" --qid sex -k 2 --json >"$work/theirs" &&
            "$program" check "$work/a.csv.$ending" --qid sex -k 2 --json >"$work/ours" || return 1
        cmp "$work/theirs" "$work/ours" || return 1
    done
}
# All that a kernel of the last ten years offers is there: the newest call that must work is
# getrandom of Linux 3.17; others have fallbacks.
# in a root folder that has the program and a place to write, and neither /proc nor /dev
works_alone() {
    mkdir -p "$work/root/data" && cp "$program" "$work/root/shoal" &&
        chmod 777 "$work/root/data" || return 1
    chroot "$work/root" /shoal generate census --rows 2000 --seed 1 -o /data/p.csv &&
        chroot "$work/root" /shoal anonymize /data/p.csv -o /data/r.csv --qid age,sex,race \
            --numeric age --rest drop --identifier name -k 5 &&
        chroot "$work/root" /shoal check /data/r.csv --qid age,sex,race -k 5
}
try 'below 3 MB' is_small
try 'no shared library, no loader' needs_nothing
try 'the sandbox is built in' is_sandboxed
try 'no path of the machine that built it' names_no_place
try 'compressed files' packs_alike
try 'every case of the command' sh "$tree/tests/cli/run.sh" "$program"
try 'the same release' same_release "$program"
try 'the same release with one thread' same_release env OMP_NUM_THREADS=1 "$program"
if [ "$(id -u)" = 0 ]; then try 'alone in its root folder' works_alone; else skip \
    'not root: no chroot'; fi
finish
