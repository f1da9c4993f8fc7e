/* SPDX-License-Identifier: Apache-2.0 */
/** @file encoding.h  Text encodings other than UTF-8, which the library uses internally. */
#ifndef SHOAL_ENCODING_H
#define SHOAL_ENCODING_H

#include <shoal/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Character encoding of a file. */
typedef enum shoal_encoding {
    SHOAL_ENCODING_UNSET = 0, /**< detect; for text that is already UTF-8: UTF-8 */
    SHOAL_ENCODING_UTF_8,
    SHOAL_ENCODING_UTF_16LE,
    SHOAL_ENCODING_UTF_16BE,
    SHOAL_ENCODING_WINDOWS_1252,
    SHOAL_ENCODING_LATIN_1, /**< ISO 8859-1 */
    SHOAL_ENCODING_LATIN_9  /**< ISO 8859-15, Latin-1 with the euro sign */
} shoal_encoding;

/** The name: "utf-8", "utf-16le", "windows-1252", "latin-1"; NULL if out of range. */
SHOAL_API const char *shoal_encoding_name(shoal_encoding encoding);
/**
 * The encoding with that name or common alias ("UTF-16", "cp1252", "iso-8859-1"), ignoring case;
 * SHOAL_ENCODING_UNSET if unknown.
 */
SHOAL_API shoal_encoding shoal_encoding_of_name(const char *name);

#ifdef __cplusplus
}
#endif
#endif
