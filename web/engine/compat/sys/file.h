/* SPDX-License-Identifier: Apache-2.0 */
/* file.h - flock() is declared in wasi_missing.h. */
