/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file arrow.h  Tables from the Arrow C Data and C Stream interfaces; for releases see pipeline.h.
 */
#ifndef SHOAL_ARROW_H
#define SHOAL_ARROW_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structures and guards below are the Arrow project's published binary interface. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/**
 * Open a table from a stream of record batches. Strings, integers, floats, booleans, dates and
 * dictionaries of strings can be quasi-identifiers; columns of any other type can only be published
 * unchanged.
 * @param out  the table, not loaded yet; free with shoal_table_free()
 * @param stream  always consumed and released, also after a failure; its batches are kept until the
 *        table is freed
 * @return SHOAL_OK, SHOAL_EDATA or SHOAL_EINVAL (a schema or batch that cannot be used), SHOAL_EIO
 *         or SHOAL_ECANCELLED (the stream failed), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_table_open_arrow(shoal_table **out,
                                                              struct ArrowArrayStream *stream,
                                                              shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
