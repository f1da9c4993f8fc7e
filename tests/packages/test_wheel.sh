#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_wheel.sh BUILD - `make wheel`: in an empty environment it brings package, command and manual;
# the tests of the package pass on it.
set -u
. "$(dirname "$0")/cases.sh"
python3 -c 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    give_up 'no Python 3.11 or later with venv'
[ -f "$tree/build-tools/needs" ] || "$tree/tools/wheel-tools.sh" "$tree/build-tools" >"$work/log" \
    2>&1 || give_up 'auditwheel and twine cannot be fetched from PyPI'
make_target wheel
wheel=$(echo "$tree"/build-wheel/shoal-*.whl)
env=$work/env
python3 -m venv "$env"
manylinux() { case $wheel in *-abi3-manylinux_2_*_"$(uname -m)".whl) true ;; *) echo "$wheel" &&
    false ;; esac; }
# no network: it needs nothing else
install() { "$env/bin/pip" install --disable-pip-version-check --no-index "$wheel"; }
nothing_of_ours_outside() { # every library that it loads is the system's C library or its own
    ! ldd "$env"/lib/python3*/site-packages/shoal/_core*.so |
        grep -v -E 'linux-vdso|lib(c|m|pthread)\.so|ld-linux|shoal\.libs'
}
version_agrees() { [ "$("$env/bin/shoal" --version)" = "shoal $version" ] &&
    [ "$("$env/bin/python" -c 'import shoal; print(shoal.__version__)')" = "$version" ]; }
manual_is_there() { grep -q 'TH SHOAL' "$env/share/man/man1/shoal.1" &&
    grep -q zstd "$env"/lib/python3*/site-packages/shoal/THIRD-PARTY.txt; }
is_native() { head -c 4 "$env/bin/shoal" | grep -q ELF; }
remove() { "$env/bin/pip" uninstall --disable-pip-version-check -y shoal &&
    [ -z "$(find "$env" -name '*shoal*')" ]; }
# with the command of the wheel; `make test` runs all of them on a wheel of its own
package_tests() {
    cd "$work" && for name in release readme registry errors attack evidence files; do set -- \
        "$@" "$tree/python/tests/test_$name.py"; done
    PATH=$env/bin:/usr/bin:/bin SHOAL_COMMAND=$env/bin/shoal SHOAL_SOURCE=$tree \
        OMP_WAIT_POLICY=passive "$env/bin/python" -m pytest -q -p no:cacheprovider \
        -c "$tree/pyproject.toml" --rootdir "$tree/python/tests" "$@"
}
python_release() { # the release of README.md as its Python lines make it
    cd "$work/release" && "$env/bin/python" - <<'END'
import pandas as pd, shoal
people = pd.read_csv("people.csv", dtype=str, keep_default_na=False)
qids = ["age", "sex", "race", "marital-status", "education", "native-country",
        "workclass", "occupation"]
release = shoal.anonymize(people, qids=qids, k=10, numeric="age", sensitive="disease",
                          identifiers="name", rest="drop", hierarchies="hierarchies")
release.table.to_csv("python.csv", index=False)
END
    cmp release.csv python.csv
}
try 'its name says abi3 and manylinux' manylinux
try 'it installs without a network' install
try 'it needs no library of the system' nothing_of_ours_outside
try 'package and command have one version' version_agrees
try 'the command is a native program' is_native
try 'manual page and licences' manual_is_there
try 'the same release' same_release "$env/bin/shoal"
if "$env/bin/pip" install --quiet --disable-pip-version-check pytest pandas pyarrow >"$work/said" \
    2>&1; then
    try 'the tests of the package' package_tests
    try 'the same release from Python' python_release
else skip 'pytest, pandas and pyarrow cannot be fetched from PyPI'
fi
try 'it is removed without traces' remove
finish
