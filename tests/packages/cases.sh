# SPDX-License-Identifier: Apache-2.0
# cases.sh - shared by the tests of what is handed out; read with `.` by each of them. $1 of theirs
# is the build folder, as an absolute path $build.
#
# A test makes its artefact by its make target, installs it on a clean system, makes the README's
# release with it, compares the bytes with those of the command in the build folder, removes it
# again. Cases are counted; the last line is "n passed, m failed[, s skipped]".
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$tree/build}" && pwd)
version=$(sed -n "s/^ *version: '\([0-9.]*\)',.*/\1/p" "$tree/meson.build" | head -n 1)
passed=0 failed=0 skipped=0
work=$(mktemp -d "${TMPDIR:-/tmp}/shoal-packages.XXXXXX") || exit 1
chmod 755 "$work"
clean_up() { rm -rf "$work"; }
trap 'clean_up' EXIT
trap 'exit 1' INT TERM

try() { # try WHAT COMMAND...: one case, in a shell of its own
    what=$1
    shift
    if ("$@") >"$work/said" 2>&1; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what"
        tail -n 15 "$work/said" | sed 's/^/    /'
    fi
}
refuses() { ! "$@"; } # refuses COMMAND...: it must fail
skip() { # skip REASON: one case that this machine cannot try
    skipped=$((skipped + 1))
    echo "skipped: $1"
}
finish() {
    echo "$passed passed, $failed failed$([ "$skipped" = 0 ] || echo ", $skipped skipped")"
    [ "$failed" = 0 ]
    exit
}
give_up() { # give_up REASON: nothing can be tried here
    skip "$1"
    finish
}

# make_target TARGET...: make the artefact; when that fails there is nothing more to try
make_target() {
    what="make $*"
    if make -C "$tree" --no-print-directory BUILD="$build" "$@" >"$work/made" \
        2>&1; then passed=$((passed + 1)) && return; fi
    failed=$((failed + 1))
    echo "FAILED: $what"
    tail -n 20 "$work/made" | sed 's/^/    /'
    finish
}

# The release of README.md and of `make demo`, in the present folder, by a command; prints its
# SHA-256. The bound, which takes half of the time, does not change the release.
readme_release() { # readme_release COMMAND...
    rm -rf people.csv release.csv hierarchies
    "$@" generate census --rows 100000 --seed 1 -o people.csv \
        --hierarchies-out hierarchies >/dev/null 2>&1 &&
        "$@" anonymize people.csv -o release.csv --hierarchies hierarchies --identifier name \
            --qid age,sex,race,marital-status,education,native-country,workclass,occupation \
            --numeric age \
            --sensitive disease --rest drop -k 10 --no-bound >/dev/null 2>&1 &&
            sha256sum <release.csv | cut -d ' ' -f 1
}
# same_release COMMAND...: are its bytes those of the command in the build folder? run.sh has found
# these once for all
same_release() {
    wanted=${SHOAL_README_SHA256:-$(mkdir -p "$work/reference" && cd "$work/reference" &&
        readme_release "$build/shoal")}
    mkdir -p "$work/release" && chmod 777 "$work/release"
    found=$(cd "$work/release" && readme_release "$@")
    echo "release: $found, wanted: $wanted"
    [ -n "$found" ] && [ "$found" = "$wanted" ]
}
