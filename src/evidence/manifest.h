/* SPDX-License-Identifier: Apache-2.0 */
/* manifest.h - a manifest in memory, and how its parts are filled and read. */
#ifndef SHOAL_MANIFEST_H
#define SHOAL_MANIFEST_H

#include "base/base.h"
#include "report/json.h"

#include <shoal/evidence.h>
#include <shoal/summary.h>

#define SHOAL_MANIFEST_FORMAT 1

struct shoal_manifest {
    json_t *root;   /* has the keys of docs/manifest.schema.json */
    char *path;     /* where it is or will be; for messages, and for paths relative to it */
    bool is_intact; /* it is as it was written */
};

/* ---- manifest_write.c ---- */

/* The digest of a value: of its compact text with sorted keys. False: memory is short. */
bool shoal_json_digest(shoal_digest *out, const json_t *value);
/* The digest of a manifest without its entry "sha256". */
bool shoal_manifest_digest(shoal_digest *out, json_t *root);

/* ---- manifest_columns.c ---- */

/* What became of each column. `released` may be NULL. */
SHOAL_NODISCARD shoal_status shoal_json_columns(json_t **out,
                                                const shoal_manifest_request *evidence,
                                                const shoal_table *released, shoal_error *err);

/* ---- manifest_numbers.c ---- */

/* Add "risk", "protection" and "evaluation" to `root`. */
SHOAL_NODISCARD shoal_status shoal_manifest_add_numbers(json_t *root,
                                                        const shoal_manifest_request *evidence,
                                                        const shoal_table *released,
                                                        shoal_error *err);

/* ---- manifest_paths.c ---- */

/* The last part of a path, borrowed. */
const char *shoal_base_name(const char *path);
/*
 * `path` relative to the folder of the file `from` (NULL: the current folder); unchanged if there
 * is no relative path. Freed with shoal_free(); NULL: memory is short.
 */
char *shoal_path_from(const char *path, const char *from);
/* The file `name` in the folder of the file `beside`. Freed likewise. */
char *shoal_path_beside(const char *name, const char *beside);

/* ---- manifest_read.c ---- */

/* The entry "a.b.c" of an object, or NULL. */
const json_t *shoal_json_at(const json_t *object, const char *path);
/* The same as text (NULL), as a number (NaN). */
const char *shoal_json_text_at(const json_t *object, const char *path);
double shoal_json_number_at(const json_t *object, const char *path);

/* ---- second_run.c ---- */

/* Make the release again and compare it with the texts in `claim`: one finding. */
typedef struct shoal_second_run {
    const shoal_manifest *manifest;
    const shoal_table *table;
    const shoal_plan *plan;
    const shoal_claim *claim;
    const shoal_table *population;
    const shoal_level_choice *levels;
    size_t n_levels;
    const shoal_verify_request *request;
} shoal_second_run;
SHOAL_NODISCARD shoal_status shoal_second_run_compare(shoal_finding *out,
                                                      const shoal_second_run *rerun,
                                                      shoal_error *err);

#endif
