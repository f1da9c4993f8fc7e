#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_container.sh BUILD - `make container`: not root, nothing writable but the mounted folder,
# limits of processors and memory kept.
set -u
. "$(dirname "$0")/cases.sh"
[ "$(id -u)" = 0 ] || give_up 'not root: images are kept and containers run with the rights of root here'
command -v podman >/dev/null && command -v runc >/dev/null || give_up 'no podman or no runc'
make_target container
image=localhost/shoal:$version
# A store of its own, so that the machine's is left alone.
box() { podman --runtime runc --cgroup-manager cgroupfs --root "$work/store" \
    --runroot "$work/run" --storage-driver vfs "$@"; }
clean_up() {
    box rm --force --all >/dev/null 2>&1
    rm -rf "$work" 2>/dev/null || { umount -R "$work/store" 2>/dev/null; rm -rf "$work"; }
}
# run OPTION... -- WORD...: as docs/packages.md says, in the present folder; some machines forbid
# raising limits of files and processes
run() {
    options=''
    while [ "$1" != -- ]; do options="$options $1" && shift; done
    shift
    # shellcheck disable=SC2086 # the words of the list are meant to be split
    box run --rm --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --network none --read-only \
        --read-only-tmpfs=false --cap-drop all \
        $options -v "$PWD:/data" "$image" "$@"
}
quiet_run() { run -- "$@"; }

no_root() { [ "$(box image inspect --format '{{.Config.User}}' "$image")" = 65532:65532 ]; }
no_shell() { refuses box run --rm --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 \
    --network none --entrypoint /bin/sh "$image" -c true; }
in_folder() { mkdir -p "$work/in" && chmod 777 "$work/in" && cd "$work/in"; }
owner() { in_folder && run -- generate census --rows 100 --seed 1 -o p.csv &&
    [ "$(stat -c %u p.csv)" = 65532 ]; }
elsewhere() { in_folder && refuses run -- generate census --rows 100 --seed 1 -o /usr/share/p.csv; }
one_processor() {
    in_folder && run -- generate census --rows 2000 --seed 1 -o q.csv --force || return 1
    run --cpus 1 -- anonymize q.csv -o r.csv --force --qid age,sex --numeric age --rest drop \
        --identifier name -k 5 >summary 2>&1 &&
        grep -q ', 1 thread' summary
}
little_memory() { # 24 MB: the whole release, or nothing at all
    cd "$work/release" && rm -rf out && mkdir out && chmod 777 out || return 1
    run --memory 24m --memory-swap 24m -- anonymize people.csv -o out/r.csv --qid age,sex,race \
        --numeric age --rest drop --identifier name -k 5 \
        --no-bound
    status=$?
    if [ $status = 0 ]; then run -- check out/r.csv --qid age,sex,race -k 5; else [ \
        -z "$(ls -A out)" ]; fi
}
try 'the image is read' box load -q -i "$tree/build-container/shoal.tar"
if ! run -- --version >"$work/said" 2>&1; then
    give_up "no container runs here: $(tail -n 1 "$work/said")"
fi
try 'not root' no_root
try 'no shell in it' no_shell
try 'the same release' same_release quiet_run
try 'files belong to the user of the container' owner
try 'nothing is written elsewhere' elsewhere
try 'a limit of processors is kept' one_processor
try 'under a limit of memory: all or nothing' little_memory
try 'the image is removed' box rmi "$image"
finish
