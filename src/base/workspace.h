/* SPDX-License-Identifier: Apache-2.0 */
/* workspace.h - many arrays in one block of memory, described by one list.
 *
 * A module with many arrays whose sizes grow together lists them once, each by its pointer and its
 * number of elements. Sizes are stated nowhere else; the layout reserves one block and sets all
 * pointers, and freeing the block frees them all:
 *
 *     count = 3, rooms = 2        0        64       128
 *     { rows, 3 } { costs, 6 }    | rows   | costs  |
 *
 * Parts begin at multiples of 64 bytes, so that no two share a line of the processor's cache.
 * With AddressSanitizer a gap between parts may not be read or written, as between separate blocks.
 */
#ifndef SHOAL_WORKSPACE_H
#define SHOAL_WORKSPACE_H

#include "base/base.h"

/* An array of the workspace. */
typedef struct shoal_workspace_part {
    const char *name;
    void *pointer_at; /* the address of the pointer that is set */
    size_t count, size;
} shoal_workspace_part;

/* The part that `pointer` points to: `count` elements of the type that it points to. */
#define SHOAL_WORKSPACE_PART(pointer, count)                                                       \
    {                                                                                              \
        #pointer, &(pointer), (count), sizeof *(pointer)                                           \
    }

/* Zero-initialised is empty. */
typedef struct shoal_workspace {
    void *block;
    size_t size;
} shoal_workspace;

/*
 * Free what was there, reserve one block for all parts and set their pointers. The elements are not
 * initialised. False when memory is short (or a size overflows): then all pointers are NULL.
 */
SHOAL_NODISCARD bool shoal_workspace_lay_out(shoal_workspace *workspace,
                                             const shoal_workspace_part *parts, size_t n_parts);
void shoal_workspace_free(shoal_workspace *workspace);

#endif
