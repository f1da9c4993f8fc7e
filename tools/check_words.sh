#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_words.sh [TREE] - words that must not be in the tree.
#
# Notes to oneself belong in the issue tracker; paths of one machine belong nowhere. And the program
# promises models with parameters, never that a release is anonymous or compliant ("10-anonymous"
# names a model). tools/banned_phrases.txt lists further phrases, and what to write instead;
# CHANGELOG.md keeps its history.
set -eu
cd "${1:-$(dirname "$0")/..}"
status=0 any_case=
search() { # search WHY PATTERN PATH...
    why=$1 pattern=$2
    shift 2
    if grep -rnIE$any_case --exclude-dir='build*' --exclude-dir=.git --exclude-dir=demo \
        --exclude-dir=__pycache__ --exclude-dir=node_modules \
        --exclude=.git --exclude=Makevars --exclude=check_words.sh --exclude=LICENSE \
        --exclude=banned_phrases.txt --exclude=test_checks.sh \
        -e "$pattern" "$@"; then
        echo "^ $why"
        status=1
    fi
}
search 'notes to oneself do not belong in the tree' '\b(TODO|FIXME|XXX)\b' .
search 'paths of one machine do not belong in the tree' \
    '(^|[^A-Za-z0-9_.*-])(/work/|/tmp/wt|/home/|/root/)' .
search 'a release is never called that' '"[^"]*([^-A-Za-z]|^)(anonymous|compliant)[^"]*"' cli src
if [ -f tools/banned_phrases.txt ]; then
    prose=
    for path in cli src include python r web docs tests tools bench examples README.md \
        CONTRIBUTING.md VERSIONING.md SECURITY.md Makefile meson.build; do
        [ ! -e "$path" ] || prose="$prose $path"
    done
    grep -v '^#' tools/banned_phrases.txt >"${TMPDIR:-/tmp}/phrases.$$"
    any_case=i
    while IFS='	' read -r phrase instead; do
        search "write: $instead" "$phrase" $prose
    done <"${TMPDIR:-/tmp}/phrases.$$"
    rm -f "${TMPDIR:-/tmp}/phrases.$$"
fi
exit $status
