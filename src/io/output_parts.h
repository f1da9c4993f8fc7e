/* SPDX-License-Identifier: Apache-2.0 */
/* output_parts.h - an output: shared by those who fill it (output.c) and commit it
 * (output_commit.c).
 */
#ifndef SHOAL_OUTPUT_PARTS_H
#define SHOAL_OUTPUT_PARTS_H

#include "io/io_internal.h"

struct shoal_output {
    char *path;     /* the target, with links resolved */
    bool is_stream; /* copied at commit, not renamed */
    bool is_stdout;
    bool force;
    bool is_private; /* a new file is for its owner alone */
    bool is_placed;  /* it is where its target was; see output_commit.c */
    shoal_temp_file temp;
    char *buffer;
    size_t used;   /* bytes in the buffer, not yet in the file */
    uint64_t size; /* bytes in the file */
    uint64_t sent; /* of these, bytes whose write-back was started */
    int failure;   /* errno of the first failed write; all later ones fail, too */
    void *map;     /* mapping returned by shoal_output_view() */
    size_t map_size;
    const shoal_callbacks *callbacks;
};

/* Fail with a message for an errno value of a write to this output. */
SHOAL_NODISCARD shoal_status shoal_output_fail(const shoal_output *output, int failure,
                                               shoal_error *err);
/* What shoal_output_view() returned is no longer valid. */
void shoal_output_drop_map(shoal_output *output);

#endif
