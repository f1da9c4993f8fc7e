#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_columns.sh [TREE] - is every line of every text file at most 100 columns wide?
#
# Columns are counted as bytes, tabs as one. Looked at are the files that git knows, or, where there
# is no git, all that are there. Not looked at:
#   - what a program wrote or reads as data: CSV, SVG, notebooks, lock files, corpora, archives,
#     classifications, dictionaries of the fuzzers, debian/changelog
#   - golden cases (commands as a person types them, and output) and the manual pages of R
#   - in Markdown: tables, headings, code, and lines with a link or a command in backquotes of 60
#     columns or more
#   - a line of one word, such as a path, behind its indentation or the mark of a comment
#   - where a text in quotes cannot be broken without becoming another (shell, awk, R, Makefile): a
#     line with such a text, or a part of one, of 60 columns or more
#   - files that are not wrapped yet ($later)
set -eu
later='^python/shoal/_(api|counted)\.py$|^r/R/questions\.R$'
cd "${1:-$(dirname "$0")/..}"
if [ -e .git ]; then list='git ls-files'; else list='find . -type f'; fi
$list | sed 's|^\./||' | grep -vE '^(build[^/]*|\.git|demo)/|(^|/)(node_modules|dist|__pycache__)/' |
    grep -vE '\.(csv|svg|png|ipynb|xz|tar|case|Rd|gz|zst|whl|so|o|wasm)$' |
    grep -vE '(^|/)package-lock\.json$|^tests/fuzz/words/|^src/hierarchy/known/|^debian/changelog$' |
    grep -vE "$later" |
    tr '\n' '\0' | LC_ALL=C xargs -0 awk '
    # has a piece between two quotes, or between one and an end of the line, 60 columns?
    function has_long_text(line,    piece, n, i) {
        n = split(line, piece, /["\047]/)
        for (i = 1; n > 1 && i <= n; i++) if (length(piece[i]) >= 60) return 1
        return 0
    }
    FNR == 1 {
        in_code = 0
        is_prose = FILENAME ~ /\.(md|Rmd)$/
        has_texts = FILENAME ~ /\.(sh|R|awk)$|(^|\/)(Makefile|rules|configure|run)$/
    }
    is_prose && /^ *```/ { in_code = !in_code }
    length($0) <= 100 { next }
    is_prose && (in_code || /^ *\|/ || /^#/ || /^    /) { next }
    is_prose && match($0, /\]\([^)]*\)|`[^`]*`/) && RLENGTH >= 60 { next }
    /^[ \t]*(#|\/\/|\*|-)? *[^ ]+$/ { next }
    has_texts && has_long_text($0) { next }
    { print FILENAME ":" FNR ": " length($0) " columns"; found = 1 }
    END { exit found }' && exit 0
echo '^ wrap these lines at 100 columns'
exit 1
