#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test-r.sh BUILD [FILTER] - build the R package against BUILD, install it in an empty library, test
# it beside the command, check it.
#
# With FILTER only the test files whose names match it are run, and R CMD check is not. What was
# built and found is in BUILD/r. The last line counts the cases, as that of run-tests.sh:
# testthat's, the installed library as one, R CMD check as one.
set -u
cd "$(dirname "$0")/.."
build=$(cd "$1" && pwd)
filter=${2:-}
work=$build/r
rm -rf "$work"
mkdir -p "$work/library"
export SHOAL_BUILD="$build" SHOAL_SOURCE="$PWD" SHOAL_COMMAND="$build/shoal" \
    R_LIBS="$work/library" LC_ALL=C.UTF-8 OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
source=$PWD/r
cd "$work" || exit 1

give_up() { # give_up LOG: the package cannot be tested
    tail -n 40 "$1"
    echo '0 passed, 1 failed'
    exit 1
}
# Building installs the package once to knit its vignette.
R CMD build "$source" >build.log 2>&1 || give_up build.log
R CMD INSTALL --library="$work/library" shoal_*.tar.gz >install.log 2>&1 || give_up install.log

# The installed library is found by pkg-config alone, and again when the package is loaded.
installed=1
meson install -C "$build" --no-rebuild --quiet --destdir "$work/root" >root.log 2>&1 || installed=0
folder=$(dirname "$(find "$work/root" -name shoal-io.pc | head -n 1)")
mkdir -p second
(unset SHOAL_BUILD && PKG_CONFIG_PATH=$folder PKG_CONFIG_SYSROOT_DIR=$work/root R CMD INSTALL \
    --library="$work/second" shoal_*.tar.gz &&
    R_LIBS=$work/second Rscript \
        -e 'stopifnot(shoal::check(data.frame(age = c(1, 1)), "age", 2)$satisfied)' &&
    ldd second/shoal/libs/shoal.so | grep -q "$work/root") >>root.log 2>&1 || installed=0
[ "$installed" = 1 ] || tail -n 20 root.log

status=0
Rscript - "$source/tests/testthat" "$filter" >tests.log 2>&1 <<'END' || status=1
arguments <- commandArgs(TRUE)
library(testthat)
found <- as.data.frame(test_dir(arguments[1], package = "shoal", load_package = "installed",
  stop_on_failure = FALSE, reporter = "summary",
                                filter = if (nzchar(arguments[2])) arguments[2]))
bad <- found$failed > 0 | found$error
for (test in found$test[found$skipped]) cat("skipped:", test, "\n")
cat(sum(!bad & !found$skipped), "passed,", sum(bad), "failed,",
  sum(found$skipped & !bad), "skipped\n")
quit(status = any(bad) || nrow(found) == 0)
END
cat tests.log

# Errors and warnings count; notes do not. The manual as PDF needs LaTeX.
checked=0
if [ -z "$filter" ]; then
    _R_CHECK_FORCE_SUGGESTS_=false R CMD check --no-manual shoal_*.tar.gz >check.log 2>&1
    if tail -n 3 check.log | grep -qE '^Status: (OK|[0-9]+ NOTEs?)$'; then checked=1; \
        else status=1; cat check.log; fi
    tail -n 3 check.log | grep '^Status'
fi
[ "$installed" = 1 ] || status=1
awk -v checked="$checked" -v installed="$installed" -v filter="$filter" '
/^[0-9]+ passed, [0-9]+ failed/ { p = $1; f = $3; s = $5; found = 1 }
END {
    if (!found) f++
    if (installed) p++; else f++
    if (filter == "") { if (checked) p++; else f++ }
    printf "%d passed, %d failed%s\n", p, f, s ? sprintf(", %d skipped", s) : ""
}' tests.log
exit "$status"
