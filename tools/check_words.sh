#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_words.sh [TREE] - words that must not be in the tree.
#
# Notes to oneself belong in the issue tracker; paths of one machine belong nowhere. And the program
# promises models with parameters, never that a release is anonymous or compliant ("10-anonymous"
# names a model).
set -eu
cd "${1:-$(dirname "$0")/..}"
status=0
search() { # search WHY PATTERN PATH...
    why=$1 pattern=$2
    shift 2
    if grep -rnIE --exclude-dir='build*' --exclude-dir=.git --exclude-dir=demo \
        --exclude-dir=__pycache__ --exclude-dir=node_modules \
        --exclude=.git --exclude=Makevars --exclude=check_words.sh --exclude=LICENSE \
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
    grep -v '^#' tools/banned_phrases.txt >"${TMPDIR:-/tmp}/phrases.$$"
    while IFS='	' read -r phrase instead; do
        for folder in cli src include python r web; do
            [ ! -d "$folder" ] || search "write: $instead" "$phrase" "$folder"
        done
    done <"${TMPDIR:-/tmp}/phrases.$$"
    rm -f "${TMPDIR:-/tmp}/phrases.$$"
fi
exit $status
