#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# format.sh [--check] - lay the C code out as .clang-format says, or say where it is not.
set -eu
cd "$(dirname "$0")/.."
mode=-i
[ "${1:-}" = --check ] && mode='--dry-run -Werror'
# shellcheck disable=SC2086 # mode may be two words
find include src cli examples tests bench -name '*.[ch]' -print0 | xargs -0 clang-format $mode
