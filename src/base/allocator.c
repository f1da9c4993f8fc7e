/* SPDX-License-Identifier: Apache-2.0 */
/* allocator.c - all memory of the library goes through one replaceable function.
 *
 * The hook is the only mutable global of the library; tests use it to make each allocation fail in
 * turn.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

static shoal_alloc_fn hook;
static void *hook_payload;

void shoal_set_allocator(shoal_alloc_fn fn, void *payload)
{
    hook = fn;
    hook_payload = payload;
}

void *shoal_reallocate(void *block, size_t size)
{
    if (hook != NULL) return hook(hook_payload, block, size);
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

void *shoal_alloc_zero(size_t count, size_t size)
{
    /* calloc gets zeroed pages from the system without a memset */
    if (hook == NULL) return calloc(count > 0 ? count : 1, size);
    if (count == 0) count = 1; /* as above */
    void *block = shoal_alloc(count, size);
    /* no overflow: shoal_alloc() has checked the product */
    if (block != NULL) memset(block, 0, count * size);
    return block;
}
