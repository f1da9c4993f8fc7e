#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_checks.sh - can the checks fail? Small trees with one fault each, and the counting of test
# logs.
set -u
tools=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
passed=0
failed=0

expect() { # expect WHAT good|bad COMMAND...
    what=$1 wanted=$2
    shift 2
    if "$@" >"$work/said" 2>&1; then got=good; else got=bad; fi
    if [ "$got" = "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $what: wanted $wanted, got $got"
        cat "$work/said"
    fi
}

# tree FILE LINE: a fresh tree with the folders that the checks walk and this one file
tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/src/base" "$work/tree/src/table" "$work/tree/src/risk" \
        "$work/tree/src/attack" "$work/tree/src/verify" \
        "$work/tree/src/method/cluster" "$work/tree/src/pipeline" "$work/tree/src/evaluate" \
        "$work/tree/cli" "$work/tree/examples"
    echo 'int nothing;' >"$work/tree/cli/main.c"
    printf '%s\n' "$2" >"$work/tree/$1"
}

includes() { expect "$1: $2" "$3" sh "$tools/check_includes.sh" "$work/tree"; }
try_include() { tree "$1" "$2"; includes "$1" "$2" "$3"; }
try_include src/table/a.c '#include "base/base.h"' good
try_include src/table/a.c '#include "own.h"' good
try_include src/base/a.c '#include "table/table_internal.h"' bad
try_include src/risk/a.c '#include "measure/x.h"' bad
try_include src/verify/a.c '#include "published/x.h"' good
try_include src/verify/a.c '#include "publish/x.h"' bad
try_include src/verify/a.c '#include "method/x.h"' bad
try_include src/attack/a.c '#include "published/x.h"' good
try_include src/attack/a.c '#include "publish/x.h"' bad
try_include src/attack/a.c '#include "method/x.h"' bad
try_include src/method/cluster/a.c '#include "method/x.h"' good
try_include src/method/cluster/a.c '#include "method/cluster/x.h"' good
try_include src/method/cluster/a.c '#include "method/shoal/x.h"' bad
try_include src/pipeline/a.c '#include "verify/x.h"' good
try_include src/pipeline/a.c '#include "publish/publish.h"' good
try_include src/pipeline/a.c '#include "plan/x.h"' bad
try_include src/evaluate/a.c '#include "pipeline/x.h"' good
try_include src/evaluate/a.c '#include "publish/publish.h"' bad
try_include cli/a.c '    return shoal_verify(&found, table, released, k, NULL, 1, err);' bad
try_include src/table/a.c '#include "../base/base.h"' bad
try_include src/table/a.c '#include "nowhere/x.h"' bad
try_include src/table/a.c '#include <zlib.h>' bad
try_include src/table/a.c '#include <shoal/io.h>' bad
try_include cli/a.c '#include "base/base.h"' bad
try_include cli/a.c '#include <shoal/io.h>' good
try_include examples/a.c '#include "table/table_internal.h"' bad

names() { # names WHAT good|bad FILE TEXT FILE TEXT
    tree "$3" "$4"
    printf '%s\n' "$6" >"$work/tree/$5"
    expect "names: $1" "$2" sh "$tools/check_names.sh" "$work/tree"
}
type='typedef struct shoal_a {
    int x;
} shoal_a;'
function='int shoal_b(int x)
{
    return x;
}'
names 'one type, one function' good src/base/a.h "$type" src/table/b.c "$function"
names 'a file twice' bad src/base/a.c '' src/table/a.c ''
names 'a type twice' bad src/base/a.h "$type" src/table/b.h "$type"
names 'a function twice' bad src/base/a.c "$function" src/table/b.c "$function"
names 'a function that is static' good src/base/a.c "static $function" src/table/b.c \
    "static $function"
names 'a type called like a function' bad src/base/a.h "$type" src/table/b.c \
    "$(printf '%s' "$function" | sed s/shoal_b/shoal_a/)"

params() { # params WHAT good|bad FILE TEXT
    tree "$3" "$4"
    expect "parameters: $1" "$2" sh "$tools/check_params.sh" "$work/tree"
}
params 'seven' good src/base/a.h 'int shoal_a(int a, int b, int c, int d, int e, int f, int g);'
params 'eight' bad src/base/a.h 'int shoal_a(int a, int b, int c, int d, int e, int f, int g, int h);'
params 'eight, in C++ too' bad src/base/a.h '#ifdef __cplusplus
extern "C" {
#endif
int shoal_a(int a, int b, int c, int d, int e, int f, int g, int h);'
params 'eight on two lines' bad src/base/a.c 'static int shoal_a(int a, int b, int c, int d,
    int e, int f, /* a comment, */ int g, int h)
{'
params 'a call with eight' good src/base/a.c 'int f(void)
{
    return g(1, 2, 3, 4, 5, 6, 7, 8);
}'
params 'a function pointer with eight' bad src/base/a.h 'struct a {
    int (*go)(int a, int b, int c, int d, int e, int f, int g, int h);
};'
params 'parameters of a parameter' good src/base/a.h \
    'int shoal_a(int a, int b, int c, int (*d)(int a, int b, int c), int e, int f);'
params 'commas in text' good src/base/a.c \
    "static const char *a = \"(,,,,,,,,,)\", b = '(', *c[] = { g(1, 2, 3, 4, 5, 6, 7, 8) };"

# tested WHAT good|bad SOURCE TEST HEAD: a source file, and a test with this line in its head
tested() {
    tree "$3" 'int nothing;'
    mkdir -p "$work/tree/tests/unit"
    printf '/* a test\n * %s\n */\n' "$5" >"$work/tree/tests/unit/$4"
    expect "tested: $1" "$2" sh "$tools/check_tested.sh" "$work/tree"
}
tested 'by its name' good src/base/a.c test_a.c 'It tests.'
tested 'by no test' bad src/base/a.c test_b.c 'It tests.'
tested 'by who says so' good src/base/a.c test_b.c 'Covers: a.c'
tested 'by who says so, on two lines' good src/base/a.c test_a.c 'Covers: a.c,
 * a.c'
tested 'no such file' bad src/base/a.c test_a.c 'Covers: b.c'
tested 'an exception' good src/base/clock.c test_b.c 'It tests.'
tested 'an exception that is tested' bad src/base/clock.c test_clock.c 'It tests.'

wall() { # wall WHAT good|bad BODY: the verifier's object with this body beside the publisher's
    mkdir -p "$work/objects"
    echo 'int shoal_make(void); int shoal_make(void) { return 1; }' >"$work/objects/maker.c"
    printf 'int shoal_make(void); int shoal_check(void); int shoal_check(void) { %s }\n' "$3" \
        >"$work/objects/checker.c"
    ${CC:-cc} -c -o "$work/objects/src_publish_a.c.o" "$work/objects/maker.c" &&
        ${CC:-cc} -c -o "$work/objects/src_verify_b.c.o" "$work/objects/checker.c" || return
    rm -f "$work/wall.a"
    ar rc "$work/wall.a" "$work"/objects/*.o
    expect "wall: $1" "$2" sh "$tools/check_wall.sh" "$work/wall.a"
}
wall 'a verifier that stands alone' good 'return 0;'
wall 'a verifier that calls who made the release' bad 'return shoal_make();'

words() { tree cli/a.c "$1"; expect "words: $1" "$2" sh "$tools/check_words.sh" "$work/tree"; }
tree cli/a.c '/* k was not said */'
mkdir -p "$work/tree/tools" && cp "$tools/banned_phrases.txt" "$work/tree/tools"
expect 'words: a banned phrase' bad sh "$tools/check_words.sh" "$work/tree"
tree cli/a.c '/* k is required */'
mkdir -p "$work/tree/tools" && cp "$tools/banned_phrases.txt" "$work/tree/tools"
expect 'words: no banned phrase' good sh "$tools/check_words.sh" "$work/tree"
phrase() { # phrase FILE TEXT good|bad
    tree cli/a.c '/* plain */'
    mkdir -p "$work/tree/tools" "$work/tree/$(dirname "$1")"
    cp "$tools/banned_phrases.txt" "$work/tree/tools"
    printf '%s\n' "$2" >"$work/tree/$1"
    expect "words: '$2' in $1" "$3" sh "$tools/check_words.sh" "$work/tree"
}
for file in src/base/a.h python/shoal/a.py r/R/a.R web/src/a.ts docs/a.md tests/unit/a.c \
    tests/cli/cases/a.case tools/a.sh bench/a.sh examples/a.c README.md Makefile; do
    phrase $file 'the dearest column' bad
    phrase $file 'the most costly column' good
done
phrase docs/a.md 'Whoever reads it' bad
phrase docs/a.md 'we recommend the endearing settlement' good
phrase CHANGELOG.md 'the dearest column' good
words '/* plain */' good
words "/* TO""DO: later */" bad
words 'path = "/ho''me/someone";' bad
words 'say("the release is anonymous");' bad
words 'say("the release is %u-anonymous");' good

columns() {
    tree src/base/b.c 'int b;'
    mkdir -p "$work/tree/$(dirname "$1")"
    printf '%s\n' "$2" >"$work/tree/$1"
    expect "columns: $1, ${#2} wide" "$3" sh "$tools/check_columns.sh" "$work/tree"
}
columns src/base/a.h "/* $(printf '%094d' 0) */" good
columns src/base/a.h "/* $(printf '%095d' 0) */" bad
long=$(printf '%050d %050d' 0 0)
for file in src/base/a.c python/shoal/a.py python/shoal/a.pyi r/R/a.R web/src/a.ts \
    web/src/a.tsx web/src/style.css web/build.mjs bench/a.sh meson.build Makefile a.yaml docs/a.md \
    r/vignettes/a.Rmd; do
    columns $file "$long" bad
done
for file in bench/a.csv docs/a.svg web/package-lock.json examples/a.ipynb r/man/a.Rd \
    tests/cli/cases/a.case src/hierarchy/known/a.txt; do
    columns $file "$long" good
done
columns docs/a.md "| $long | a table |" good
columns docs/a.md "$(printf '```sh\n%s\n```' "$long")" good
columns docs/a.md "see [this]($(printf '%060d' 0)), which is a link that is longer than most" good
columns python/shoal/a.py "# $(printf '%0110d' 0)" good
columns python/shoal/a.py "a = \"$long\"" bad
columns bench/a.sh "echo \"$(printf '%060d %050d' 0 0)\"" good

errors() { tree "$1" "$2"; expect "errors: $2" "$3" sh "$tools/check_errors.sh" "$work/tree"; }
errors src/table/a.c 'return shoal_fail(err, 1, "row {row %u}: bad; %u are /* */ {fix} say {--null} x or {-k %u}", /* the row'"'"'s */ 1, 2, 3);' good
errors src/table/a.c 'return shoal_fail(err, 1, "bad; repair it");' bad
errors src/table/a.c 'return shoal_fail_in(err, 1, "here"
    "bad; repair it");' bad
errors src/table/a.c 'return shoal_fail(err, 1, "bad {fix} say " /* "{" */ "--null");' bad
errors src/table/a.c 'return shoal_fail(err, 1, "bad {fix} %s", x ? "say --null" : "");' bad
errors src/table/a.c 'return fail_policy(err, "width; say -k 3");' bad
errors src/table/a.c 'return fail_policy(err, "width; say {-k 3}");' good
errors src/table/a.c 'return shoal_fail(err, 1, "{colum %s}", x);' bad
errors cli/a.c 'return shoal_fail(err, 1, "--null needs a value {fix} give it one");' good
errors cli/a.c 'return shoal_fail(err, 1, "--null needs a value; give it one");' bad

links() { tree README.md "$1"; expect "links: $1" "$2" sh "$tools/check_links.sh" "$work/tree"; }
links 'see [the command](cli/main.c) and [more](https://example.org/x)' good
links 'see [this](cli/main.c) and [that](docs/nothing.md)' bad
links '# A `heading`

see [the top](README.md#a-heading) and [here](#a-heading)' good
links 'see [the top](README.md#no-heading)' bad

mkdir -p "$work/include/shoal"
printf '#ifndef A\n#define A\nextern int a;\n#endif\n' >"$work/include/shoal/a.h"
expect 'a header that is not installed' bad sh "$tools/check_headers.sh" "$work/include"
echo "install_headers('a.h', 'b.h')" >"$work/include/shoal/meson.build"
expect 'a header that stands alone' good sh "$tools/check_headers.sh" "$work/include"
printf '#ifndef B\n#define B\nextern uint32_t b;\n#endif\n' >"$work/include/shoal/b.h"
expect 'a header that lacks an include' bad sh "$tools/check_headers.sh" "$work/include"
values() { # values WHAT good|bad LINES: a header with these lines behind a structure with a size
    printf '#ifndef B\n#define B\n#include <stddef.h>\n%s\n%s\n%s\n#endif\n' '#define SHOAL_API' \
        'typedef struct shoal_plan { size_t size; /* set */ int k; } shoal_plan;' "$3" \
        >"$work/include/shoal/b.h"
    expect "$1" "$2" sh "$tools/check_headers.sh" "$work/include"
}
values 'a structure behind a pointer' good 'SHOAL_API const shoal_plan *shoal_plan_of(void);'
values 'a structure returned by value' bad 'SHOAL_API shoal_plan shoal_plan_of(void);'
values "a pointer to one that grows" good "typedef struct shoal_b { shoal_plan *p; } shoal_b;"
values 'a structure that grows in another' bad 'typedef struct shoal_b { shoal_plan p; } shoal_b;'

mkdir -p "$work/names/shoal"
echo 'extern int shoal_one;' >"$work/names/shoal/names.h"
symbols() { # symbols WHAT good|bad TEXT
    echo "$3" >"$work/library.c"
    ${CC:-cc} -shared -fPIC -o "$work/library.so" "$work/library.c" 2>/dev/null || return
    expect "symbols: $1" "$2" sh "$tools/check_symbols.sh" "$work/names" "$work/library.so"
}
symbols 'public names only' good 'int shoal_one;'
symbols 'a name that is not ours' bad 'int shoal_one; int two;'
symbols 'a name that no header has' bad 'int shoal_one; int shoal_on;'

# A stand-in for meson that leaves a log: two cmocka programs, one of them failing, a script with
# cases, a plain script, a skipped one, and a crash.
mkdir -p "$work/bin" "$work/build/meson-logs"
cat >"$work/bin/meson" <<'END'
#!/bin/sh
exit "$STATUS"
END
chmod +x "$work/bin/meson"
cat >"$work/build/meson-logs/testlog.txt" <<'END'
=================================== 1/6 ===================================
test:         unit / a
result:       exit status 0
[==========] Running 5 test(s).
[  PASSED  ] 5 test(s).
=================================== 2/6 ===================================
result:       exit status 2
[  PASSED  ] 3 test(s).
[  FAILED  ] tests: 2 test(s), listed below:
[  FAILED  ] test_x
=================================== 3/6 ===================================
result:       exit status 0
7 passed, 0 failed, 1 skipped
=================================== 4/6 ===================================
result:       exit status 0
=================================== 5/6 ===================================
test:         databases
result:       exit status 77
skipped: no server here
=================================== 6/6 ===================================
result:       killed by signal 11 SIGSEGV
END
counts() { # counts STATUS LINE
    PATH="$work/bin:$PATH" STATUS=$1 sh "$tools/run-tests.sh" "$work/build" >"$work/counted"
    [ $? = "$1" ] && [ "$(tail -n 1 "$work/counted")" = "$2" ]
}
expect 'cases are added up' good counts 1 '16 passed, 3 failed, 2 skipped'
reasons() { counts 1 '16 passed, 3 failed, 2 skipped' && grep -q "$1" "$work/counted"; }
expect 'the reason of a skipped test is shown' good reasons '^  databases: no server here$'
expect 'one without a reason is shown' good reasons 'does not say why$'
expect 'another sum is not' bad counts 1 '17 passed, 3 failed, 2 skipped'

# pages of the experiments: other results, another verdict, a figure in the prose
pages() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/bench" "$work/tree/docs"
    cp -R "$tools/../bench/experiments" "$work/tree/bench/"
    cp -R "$tools/../docs/experiments.md" "$tools/../docs/algorithms" "$work/tree/docs/"
}
stands() { expect "$1" "$2" sh "$tools/check_experiments.sh" "$work/tree"; }
if command -v python3 >/dev/null; then
    pages
    stands 'pages are those of the results' good
    # k-means loses more: KOC loses 2.5 times less everywhere
    awk -F, -v OFS=, '$5 ~ /^kmeans/ { $6 *= 10 } 1' "$tools/../bench/experiments/results/koc.csv" \
        >"$work/tree/bench/experiments/results/koc.csv"
    stands 'pages of other results' bad
    sh "$work/tree/bench/experiments/pages"
    stands 'pages that were made again' good
    expect 'another verdict' bad cmp -s "$tools/../docs/algorithms/koc.md" \
        "$work/tree/docs/algorithms/koc.md"
    none_fails() { ! grep -q 'KOC loses 2.5 .*does not hold' "$work/tree/docs/experiments.md"; }
    expect 'the verdict follows the results' good none_fails
    pages
    sed 's/| \*\*does not hold\*\* |/| **holds** |/' "$tools/../docs/experiments.md" \
        >"$work/tree/docs/experiments.md"
    stands 'a verdict by hand' bad
    pages
    echo 'KACA distorts 5.57 times less.' >>"$work/tree/docs/experiments.md"
    stands 'a figure in the prose' bad
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
