/* SPDX-License-Identifier: Apache-2.0 */
/* transcode.h - texts in other encodings than UTF-8, to it and back. */
#ifndef SHOAL_TRANSCODE_H
#define SHOAL_TRANSCODE_H

#include "base/base.h"

#include <shoal/encoding.h>

/* A writer as shoal_write_fn: 0, or an errno value. */
typedef int (*shoal_encoded_fn)(const void *data, size_t size, void *payload);

/*
 * The encoding of a text, by its first bytes: a mark at the beginning, zeros at every other byte
 * (UTF-16), or UTF-8 if it is that; else Windows-1252, or Latin-1 where that has no character for a
 * byte. A character that the end cuts off does not count.
 */
shoal_encoding shoal_encoding_detect(const char *data, size_t size, bool *has_mark);

/*
 * Append the text in UTF-8, without a mark at its beginning. False: not text of this encoding;
 * `*at` is then the byte where it is not. Out of memory: out->failed.
 */
bool shoal_decode(shoal_buffer *out, shoal_encoding encoding, const char *data, size_t size,
                  size_t *at);

/*
 * Write UTF-8 text in another encoding, with the mark of UTF-16 before it if `with_mark`. Bytes
 * that are not UTF-8 and characters that the encoding lacks are counted in *n_lacking, and nothing
 * is written for them. Returns what `write` returned.
 */
int shoal_encode(shoal_encoding encoding, bool with_mark, const char *data, size_t size,
                 uint64_t *n_lacking, shoal_encoded_fn write, void *payload);

#endif
