#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# python-tests.sh SOURCE BUILD [pytest options]... - build the wheel, install it in an environment
# of its own below BUILD, test it.
#
# --announce instead of options: only say what will be downloaded, if anything. SUITE=sql or
# SUITE=spark in the environment tests that part (python/tests_sql, docs/sql.md, ...) in an
# environment with its needs.
# The environment is kept: what the tests need is installed once (and again when
# python/tests/requirements.txt changes), the wheel each time. Where there is no Python of 3.11
# or later, or the packages cannot be fetched, the tests are skipped (exit 77) and it says why. The
# last line counts: "n passed, m failed, s skipped".
set -u
source=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
suite=${SUITE:-}
tests=$source/python/tests${suite:+_$suite}
work=$build/python${suite:+-$suite}
log=$work/log
mkdir -p "$work"

skip() {
    echo "skipped: $1"
    exit 77
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    skip 'no Python 3.11 or later'
needs=$(cksum <"$tests/requirements.txt")
if [ "${1:-}" = --announce ]; then
    [ "$(cat "$work/needs" 2>/dev/null)" = "$needs" ] ||
        echo "The tests of the Python package download what they need from PyPI, once, into $work (about 1 GB unpacked): $(
            sed 's/[ ;#<>=].*//' "$tests/requirements.txt" | tr '\n' ' ')"
    exit 0
fi
if [ "$(cat "$work/needs" 2>/dev/null)" != "$needs" ]; then
    rm -rf "$work/venv" "$work/needs"
    python3 -m venv "$work/venv" >"$log" 2>&1 ||
        { tail -n 5 "$log"; skip 'no virtual environment can be made (python3-venv)'; }
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check \
        -r "$tests/requirements.txt" >"$log" 2>&1 || {
        tail -n 5 "$log"
        skip 'the packages that the tests need cannot be fetched'
    }
    echo "$needs" >"$work/needs"
fi
PATH=$work/venv/bin:$PATH
export PATH

# Without isolation: meson-python and meson are in the environment, and the build folder can be
# kept. The command is built already.
rm -f "$work"/*.whl
pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$work" \
    "--config-settings=build-dir=$work/wheel" \
    "--config-settings=setup-args=-Dcommand=$build/shoal" "$source" >"$log" 2>&1 &&
    pip install --quiet --disable-pip-version-check --no-deps \
        --force-reinstall "$work"/*.whl >>"$log" 2>&1 || {
    tail -n 40 "$log"
    echo '0 passed, 1 failed'
    exit 1
}

# From a folder without a `shoal` of its own, so that the installed package is the one that is
# tested.
cd "$work" || exit 1
package=$(python -c 'import os, shoal; print(os.path.dirname(shoal.__file__))')
if [ -n "$suite" ]; then
    set -- "$@" --doctest-glob="$suite.md" "$tests" "$source/docs/$suite.md" "$package/$suite.py"
else # the parts with needs of their own have suites of their own
    set -- "$@" --doctest-glob=python.md --ignore-glob='*/shoal/*sql*.py' \
        --ignore-glob='*/shoal/*spark*.py' "$tests" "$source/docs/python.md" "$package"
fi
SHOAL_COMMAND=$build/shoal SHOAL_SOURCE=$source OMP_WAIT_POLICY=passive \
    python -m pytest -q -rs -p no:cacheprovider -o addopts= -c "$source/pyproject.toml" \
    --rootdir "$tests" --doctest-modules \
    --junit-xml="$work/results.xml" "$@"
status=$?
python - "$work/results.xml" <<'END'
import sys
import xml.etree.ElementTree as tree

suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
total, failed, skipped = (int(suite.get(key)) for key in ("tests", "failures", "skipped"))
failed += int(suite.get("errors"))
print(f"{total - failed - skipped} passed, {failed} failed, {skipped} skipped")
END
exit $status
