/* SPDX-License-Identifier: Apache-2.0 */
/** @file io.h  Files: compressed input, standard streams, atomic output, plan files.
 *
 * This part is in libshoal-io, which needs zlib, libzstd, libcyaml and libsodium; libshoal itself
 * needs none of them.
 */
#ifndef SHOAL_IO_H
#define SHOAL_IO_H

#include <shoal/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A format that tables are read from. */
typedef struct shoal_io_format {
    const char *name;    /**< `csv`, `jsonl` */
    const char *endings; /**< of file names, separated by spaces: `.jsonl .ndjson` */
    const char *about;   /**< one line */
} shoal_io_format;

/** The formats that shoal_io_open_table() reads, from 0; NULL after the last. */
SHOAL_API const shoal_io_format *shoal_io_format_at(size_t index);

/**
 * Open a table from a path: plain, gzip or Zstandard (detected by content), or `-` for standard
 * input. The format is determined by the file name, without `.gz` or `.zst`, or by the content if
 * no format has that ending. A plain regular CSV file is mapped; everything else is read into
 * memory, which the table owns. Rows of other formats are converted to CSV records, kept in
 * addition to the text they were read from. A compressed file is decompressed as far as its header
 * needs, and the rest while it is loaded (not with a memory limit, and not if it is not UTF-8):
 * shoal_table_load() then fails as below.
 *
 * @param out      receives the table; the caller frees it with shoal_table_free()
 * @param options  may be NULL
 * @return SHOAL_EIO (cannot be read), SHOAL_EDATA (truncated or damaged), or as
 *     shoal_table_open_csv()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_io_open_table(shoal_table **out, const char *path,
                                                           const shoal_csv_options *options,
                                                           shoal_error *err);

/**
 * Read a whole file, decompressed if it is gzip or Zstandard, or `-` for standard input: text for
 * shoal_table_open_memory().
 *
 * @param out   receives the bytes, to be freed with shoal_string_free(); a NUL byte follows them
 * @param size  receives their number
 * @return SHOAL_EIO, SHOAL_EDATA, SHOAL_ENOMEM as shoal_io_open_table()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_io_read(char **out, size_t *size, const char *path,
                                                     shoal_error *err);

/** A library that libshoal-io depends on. */
typedef struct shoal_io_library {
    const char *name;    /**< as the project spells it */
    const char *version; /**< the loaded version */
} shoal_io_library;

/**
 * The dependencies of libshoal-io with their versions.
 * @param out       receives the first `capacity` of them; may be NULL if that is 0
 * @return number of dependencies
 */
SHOAL_API size_t shoal_io_libraries(shoal_io_library *out, size_t capacity);

/** The SHA-256 of a text. */
typedef struct shoal_digest {
    char sha256[65]; /**< 64 hexadecimal digits */
    uint64_t size;   /**< bytes of the text */
} shoal_digest;

/** The key for pseudonyms. */
typedef struct shoal_key shoal_key;

/**
 * Make a key file: 256 bits from the system's entropy source, readable by its owner only.
 * @return SHOAL_EIO: it exists, or cannot be written
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_key_make(const char *path, shoal_error *err);
/**
 * Read a key file.
 * @param out  free with shoal_key_free()
 * @return SHOAL_EIO, SHOAL_EINVAL (readable by others), SHOAL_EDATA (not a key, or fewer than 128
 *         bits), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_key_load(shoal_key **out, const char *path,
                                                      shoal_error *err);
/** Overwrite and free it; NULL is allowed. */
SHOAL_API void shoal_key_free(shoal_key *key);
/** A shoal_pseudonym_fn: a keyed hash of the value. `payload` is the shoal_key. */
SHOAL_API void shoal_key_pseudonym(char *out, const char *value, size_t length, void *payload);

/** An output file that replaces its target only when it is committed. */
typedef struct shoal_output shoal_output;

/**
 * Begin an output. The bytes go to a temporary file next to the target (for `-`, pipes and devices:
 * an unnamed file in $TMPDIR), so that they can be checked before they become visible.
 *
 * @param out    receives the output; the caller frees it with shoal_output_free()
 * @param path   copied
 * @param force  replace an existing target
 * @return SHOAL_EIO if the target exists and `force` is false, is a directory, or cannot be
 *     written; SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_output_open(shoal_output **out, const char *path,
                                                         bool force, shoal_error *err);
/**
 * Append `size` bytes; a shoal_write_fn whose payload `output` is the shoal_output. Returns 0 or an
 * errno value; after a failure all later writes fail too.
 */
SHOAL_API int shoal_output_write(const void *data, size_t size, void *output);
/**
 * Sync and rename into place (compressed if the path ends in .gz or .zst), or copy to the stream.
 * The output must still be freed. After a failure a regular target is unchanged.
 * @return SHOAL_EIO, SHOAL_ENOMEM, SHOAL_EINVAL after a commit
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_output_commit(shoal_output *output, shoal_error *err);
/** Free an output; removes the temporary file if it was not committed. NULL is allowed. */
SHOAL_API void shoal_output_free(shoal_output *output);

/**
 * Make the temporary files of up to `n` later outputs to `path` now: for a program that is about to
 * give up the right to open files. `-` stands for all files in $TMPDIR, which also hold
 * decompressed tables that exceed the memory limit. Call it before other threads exist; the files
 * belong to the process until shoal_output_unreserve().
 *
 * @param has_names  receives true if the file system requires names for temporary files; a name is
 *     removed when its file is committed or freed
 * @return as shoal_output_open(), or SHOAL_EIO if fewer than `n` could be made
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_output_reserve(const char *path, bool force, size_t n,
                                                            bool *has_names, shoal_error *err);
/** Remove the reserved files that were not used. */
SHOAL_API void shoal_output_unreserve(void);

/** A sink of files, which all appear when the pipeline commits, or none. */
typedef struct shoal_file_sink shoal_file_sink;

/**
 * Set the paths of a release. Nothing is opened yet.
 * @param out          free with shoal_file_sink_free()
 * @param path         as for shoal_output_open(); copied
 * @param second_path  for the second table of a release by buckets; NULL: none, such a release
 *     fails
 * @param force        replace existing files
 * @return SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_file_sink_make(shoal_file_sink **out, const char *path,
                                                            const char *second_path, bool force,
                                                            shoal_error *err);
/**
 * Write the tables in an encoding other than UTF-8, after verification; set before the run.
 * Characters that it lacks are an error (SHOAL_EDATA).
 * @param with_mark  begin UTF-16 with a byte order mark
 */
SHOAL_API void shoal_file_sink_encode(shoal_file_sink *sink, shoal_encoding encoding,
                                      bool with_mark);
/**
 * While a pipe has no reader yet, call this repeatedly ("write", -1); a non-zero result ends the
 * wait with SHOAL_ECANCELLED. A signal alone is not enough, because it may arrive before the wait
 * begins.
 */
SHOAL_API void shoal_file_sink_ask(shoal_file_sink *sink, const shoal_callbacks *callbacks);
/** The sink for shoal_pipeline_run(); valid until `sink` is freed. */
SHOAL_API const shoal_sink *shoal_file_sink_of(shoal_file_sink *sink);
/**
 * Add a file, such as a report, that is committed together with the release.
 * @param path   as for shoal_output_open()
 * @param text   its content; copied
 * @return SHOAL_EINVAL after SHOAL_FILE_SINK_MAX_ADDED of them; as shoal_output_open()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_file_sink_add(shoal_file_sink *sink, const char *path,
                                                           const char *text, size_t size,
                                                           shoal_error *err);
/**
 * The same for a file that is readable by its owner only, because it contains data about the
 * original. A file that is replaced keeps its permissions.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_file_sink_add_private(shoal_file_sink *sink,
                                                                   const char *path,
                                                                   const char *text, size_t size,
                                                                   shoal_error *err);
#define SHOAL_FILE_SINK_MAX_ADDED 4
/** Remove what was not committed; NULL is allowed. */
SHOAL_API void shoal_file_sink_free(shoal_file_sink *sink);

/** True if two paths name the same file. */
SHOAL_API bool shoal_io_same_file(const char *a, const char *b);

/**
 * Read a plan file (YAML, and therefore JSON too) into `plan`, which must be freshly initialised.
 * After a failure it is cleared.
 * @return SHOAL_EIO (cannot be read), SHOAL_EINVAL (with the line where known), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_load(shoal_plan *plan, const char *path,
                                                       shoal_error *err);

/**
 * Read a plan from text in memory, as shoal_plan_load(), except that after a failure the caller
 * must clear the plan. `name` is used in messages, and relative paths in the plan are relative to
 * its folder.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_parse(shoal_plan *plan, const char *text,
                                                        size_t size, const char *name,
                                                        shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
