/* SPDX-License-Identifier: Apache-2.0 */
/** @file io.h  Files: compressed input, standard streams, output that appears whole or not at all, plan files.
 *
 * This part is in libshoal-io, which needs zlib, libzstd and libcyaml; libshoal itself needs none of them.
 */
#ifndef SHOAL_IO_H
#define SHOAL_IO_H

#include <shoal/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Open a table from a path: plain, `.gz` or `.zst` (told by content), or `-` for standard input. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_io_open_table(shoal_table **out, const char *path,
                                                          const shoal_csv_options *options, shoal_error *err);

/** An output file that replaces its target only when it is committed. */
typedef struct shoal_output shoal_output;

/**
 * Begin an output. The bytes go to a temporary file beside the target (for `-`, to an unnamed file in
 * $TMPDIR), so that they can be checked first.
 * @return SHOAL_EIO when the target exists and `force` is false, is a directory, or cannot be written
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_output_open(shoal_output **out, const char *path, bool force,
                                                        shoal_error *err);
/** A shoal_write_fn; `output` is the shoal_output. */
SHOAL_API int shoal_output_write(const void *data, size_t size, void *output);
/** The bytes written so far, uncompressed; borrowed until commit or free. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_output_view(shoal_output *output, const char **data, size_t *size,
                                                        shoal_error *err);
/** Sync and rename into place (compressing when the path ends in .gz or .zst), or copy to standard output. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_output_commit(shoal_output *output, shoal_error *err);
/** Remove the temporary file if it was not committed. NULL is fine. */
SHOAL_API void shoal_output_free(shoal_output *output);

/** A sink of files, which appear whole or not at all when the pipeline commits. */
typedef struct shoal_file_sink shoal_file_sink;

/**
 * Say where a release goes. Nothing is opened yet.
 * @param out          free with shoal_file_sink_free()
 * @param path         as for shoal_output_open(); copied
 * @param second_path  for the second table of a release by buckets; NULL: none, such a release fails
 * @param force        replace files that exist
 * @return SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_file_sink_make(shoal_file_sink **out, const char *path,
                                                           const char *second_path, bool force,
                                                           shoal_error *err);
/** The sink for shoal_pipeline_run(); valid until `sink` is freed. */
SHOAL_API shoal_sink shoal_file_sink_of(shoal_file_sink *sink);
/** Remove what was not committed; NULL is fine. */
SHOAL_API void shoal_file_sink_free(shoal_file_sink *sink);

/** Do two paths name the same file? */
SHOAL_API bool shoal_io_same_file(const char *a, const char *b);

/** Read a plan file (YAML, and so JSON too) over `plan`, which must be fresh. Messages name the line. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_load(shoal_plan *plan, const char *path, shoal_error *err);

/** The same from text that is in memory; `name` is what messages call it, and paths in the plan are relative to its folder. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_parse(shoal_plan *plan, const char *text, size_t size, const char *name,
                                                       shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
