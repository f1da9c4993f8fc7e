#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_dist.sh BUILD - `make dist`: checksums that hold and are signed, a bill of materials that
# names every library; made again, the same bytes.
set -u
. "$(dirname "$0")/cases.sh"
for folder in build-wheel build-deb build-static build-container; do [ -d "$tree/$folder" ] ||
    give_up "no $folder: that artefact was not made (see above)"; done
dist() { "$tree/tools/build-dist.sh" "$work/dist" "$@"; }
complete() {
    cd "$work/dist" || return 1
    for name in *.whl *.tar.gz shoal_*.deb libshoal0_*.deb libshoal-dev_*.deb python3-shoal_*.deb \
        *-image.tar *.cdx.json; do [ -f "$name" ] || return 1; done
}
sums_hold() { cd "$work/dist" && sha256sum -c --strict SHA256SUMS; }
sums_find_changes() {
    cd "$work/dist" && bill=$(ls shoal-*.cdx.json) && cp "$bill" kept && echo >>"$bill" &&
        refuses sha256sum -c --quiet SHA256SUMS && mv kept "$bill"
}
signed() { # by a key made for this test
    command -v gpg >/dev/null || return 1
    GNUPGHOME=$work/keys && export GNUPGHOME && mkdir -m 700 "$GNUPGHOME" &&
        gpg --batch --quiet --passphrase '' --quick-generate-key 'Test <test@localhost>' ed25519 \
            sign never && dist test@localhost &&
        gpg --verify "$work/dist/SHA256SUMS.asc" "$work/dist/SHA256SUMS"
    status=$?
    gpgconf --kill gpg-agent
    return $status
}
names_all() { # every library of `shoal --version --json`, with its version
    "$tree/build-static/shoal" --version --json >"$work/version.json" &&
        python3 - "$work/version.json" "$work"/dist/*.cdx.json <<'END'
import json, sys
said, bom = (json.load(open(name)) for name in sys.argv[1:])
assert bom["bomFormat"] == "CycloneDX"
assert bom["metadata"]["component"]["version"] == said["version"]
have = {part["name"]: part["version"] for part in bom["components"]}
for name, version in said["libraries"].items():
    assert name == "libc" or have[name].startswith(version), (name, version, have)
assert {"musl", "gcc-12", "libyaml"} <= set(have), have
END
}
same_again() { cp "$work/dist/SHA256SUMS" "$work/before" && dist &&
    cmp "$work/before" "$work/dist/SHA256SUMS"; }
image_again() { # wheels: see test_sdist.sh
    for name in one two; do "$tree/tools/build-container.sh" "$work/$name" || return 1; done
    cmp "$work/one/shoal.tar" "$work/two/shoal.tar"
}
try 'all artefacts are gathered' dist
try 'none is missing' complete
try 'the checksums hold' sums_hold
try 'they find a changed file' sums_find_changes
try 'they are signed' signed
try 'the bill of materials names what the program names' names_all
try 'the same checksums again' same_again
if [ "$(id -u)" = 0 ]; then try 'the same image again' image_again; else skip \
    'not root: no image'; fi
finish
