/* SPDX-License-Identifier: Apache-2.0 */
/* publish.h - writing a release. The result is not checked yet: only the pipeline calls these
 * functions, and it verifies the text. */
#ifndef SHOAL_PUBLISH_H
#define SHOAL_PUBLISH_H

#include <shoal/arrow.h>

/* Options of the functions below. Zero is the default of every field. */
typedef struct shoal_release_options {
    size_t size;
    uint32_t threads;
    bool drop_suppressed; /* leave suppressed rows out instead of publishing `*` */
    const shoal_callbacks *callbacks;
} shoal_release_options;

#define SHOAL_RELEASE_OPTIONS_INIT                                                                 \
    {                                                                                              \
        .size = sizeof(shoal_release_options)                                                      \
    }

/*
 * Write the release as CSV with the separator of the input: rows in their order, quasi-identifiers
 * generalised, identifiers and dropped columns left out, everything else byte for byte
 * (write_csv.c).
 */
SHOAL_NODISCARD shoal_status shoal_release_write_csv(const shoal_table *table,
                                                     const shoal_grouping *grouping,
                                                     const shoal_release_options *options,
                                                     shoal_write_fn write, void *payload,
                                                     shoal_error *err);

/*
 * The second table of a release by buckets (anatomy): group, sensitive value, count. The first is
 * written by shoal_release_write_csv(): all but the sensitive column byte for byte, and the number
 * of the row's group last (write_buckets.c).
 */
SHOAL_NODISCARD shoal_status shoal_release_write_buckets(const shoal_table *table,
                                                         const shoal_grouping *grouping,
                                                         shoal_write_fn write, void *payload,
                                                         shoal_error *err);

/*
 * What becomes of each line of a table with SHOAL_ROLE_COUNT, as CSV with a header: its
 * quasi-identifier, sensitive and class columns byte for byte; the count column with the rows of
 * this share; `<count>_before` with the rows of the same line in earlier shares (0 unless the line
 * is divided between groups); `released_<column>` with what each quasi-identifier publishes
 * (write_mapping.c).
 */
SHOAL_NODISCARD shoal_status shoal_release_write_mapping(const shoal_table *table,
                                                         const shoal_grouping *grouping,
                                                         const shoal_release_options *options,
                                                         shoal_write_fn write, void *payload,
                                                         shoal_error *err);

/*
 * The release as a stream: quasi-identifiers as dictionaries of strings, every other published
 * column as it came; from a table that was opened from CSV every column is text. The table must
 * outlive the stream, what it hands out may not need it (arrow_export.c).
 */
SHOAL_NODISCARD shoal_status shoal_release_export_arrow(struct ArrowArrayStream *out,
                                                        const shoal_table *table,
                                                        const shoal_grouping *grouping,
                                                        const shoal_release_options *options,
                                                        shoal_error *err);

/* The published text of one cell; free with shoal_string_free(). For looking, not for bulk
 * (release_cell.c). */
SHOAL_NODISCARD shoal_status shoal_release_cell(char **out, const shoal_table *table,
                                                const shoal_grouping *grouping, uint64_t row,
                                                size_t column, shoal_error *err);

#endif
