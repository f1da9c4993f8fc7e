/* SPDX-License-Identifier: Apache-2.0 */
/** @file encoding.h  Encodings of texts besides UTF-8, in which the library works. */
#ifndef SHOAL_ENCODING_H
#define SHOAL_ENCODING_H

#include <shoal/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How characters of a file are bytes. */
typedef enum shoal_encoding {
    SHOAL_ENCODING_UNSET = 0, /**< detect it; of a text that is UTF-8 already: that */
    SHOAL_ENCODING_UTF_8,
    SHOAL_ENCODING_UTF_16LE,
    SHOAL_ENCODING_UTF_16BE,
    SHOAL_ENCODING_WINDOWS_1252,
    SHOAL_ENCODING_LATIN_1, /**< ISO 8859-1 */
    SHOAL_ENCODING_LATIN_9  /**< ISO 8859-15, Latin-1 with the euro sign */
} shoal_encoding;

/** The name: "utf-8", "utf-16le", "windows-1252", "latin-1"; NULL when there is no such one. */
SHOAL_API const char *shoal_encoding_name(shoal_encoding encoding);
/**
 * The encoding of that name, also of its usual other ones ("UTF-16", "cp1252", "iso-8859-1"),
 * whatever the case of letters; SHOAL_ENCODING_UNSET when there is none.
 */
SHOAL_API shoal_encoding shoal_encoding_of_name(const char *name);

#ifdef __cplusplus
}
#endif
#endif
