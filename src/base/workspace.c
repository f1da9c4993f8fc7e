/* SPDX-License-Identifier: Apache-2.0 */
/* workspace.c - many arrays in one block of memory; see workspace.h. */
#include "base/workspace.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
enum { GAP = 64 };
#else
#define ASAN_POISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
enum { GAP = 0 };
#endif

enum { ALIGNMENT = 64 };

/* Bytes of a part with the padding after it; SIZE_MAX on overflow. */
static size_t bytes_of(const shoal_workspace_part *part)
{
    const size_t most = SIZE_MAX / 2 - ALIGNMENT - GAP;
    assert(part->size > 0);
    if (part->count > most / part->size) return SIZE_MAX;
    return (part->count * part->size + GAP + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* All object pointers have the same representation, so they are set as bytes. */
static void set_pointer(const shoal_workspace_part *part, void *to)
{
    memcpy(part->pointer_at, &to, sizeof to);
}

bool shoal_workspace_lay_out(shoal_workspace *workspace, const shoal_workspace_part *parts,
                             size_t n_parts)
{
    size_t size = 0;
    bool is_possible = true;
    shoal_workspace_free(workspace);
    for (size_t i = 0; i < n_parts; i++) {
        size_t bytes = bytes_of(&parts[i]);
        is_possible = is_possible && bytes <= SIZE_MAX / 2 - size;
        if (is_possible) size += bytes;
        set_pointer(&parts[i], NULL);
    }
    workspace->block = is_possible ? shoal_alloc(size, 1) : NULL;
    if (workspace->block == NULL) return false;
    workspace->size = size;
    size_t at = 0;
    for (size_t i = 0; i < n_parts; i++) {
        char *begin = (char *)workspace->block + at;
        size_t bytes = bytes_of(&parts[i]), used = parts[i].count * parts[i].size;
        set_pointer(&parts[i], begin);
        ASAN_POISON_MEMORY_REGION(begin + used, bytes - used);
        at += bytes;
    }
    assert(at == size);
    return true;
}

void shoal_workspace_free(shoal_workspace *workspace)
{
    if (workspace->block != NULL) ASAN_UNPOISON_MEMORY_REGION(workspace->block, workspace->size);
    shoal_free(workspace->block);
    *workspace = (shoal_workspace){ 0 };
}
