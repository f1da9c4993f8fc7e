/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_share.c - Arrow structures with reference counts; see arrow_out.h.
 *
 * Sharing copies the tree of structures, never a buffer. The recursion, also of the release
 * callbacks, is as deep as the schema, whose depth was limited when the batches were opened.
 */
#include "publish/arrow_out.h"

#include <errno.h>

shoal_arrow_kept *shoal_arrow_kept_make(struct shoal_arrow_batches *batches)
{
    shoal_arrow_kept *kept = shoal_alloc_zero(1, sizeof *kept);
    if (kept == NULL) return NULL;
    atomic_init(&kept->n_references, 1);
    if (batches != NULL) kept->batches = shoal_arrow_batches_retain(batches);
    return kept;
}

static shoal_arrow_kept *retain(shoal_arrow_kept *kept)
{
    atomic_fetch_add(&kept->n_references, 1);
    return kept;
}

void shoal_arrow_kept_free(shoal_arrow_kept *kept)
{
    if (kept == NULL || atomic_fetch_sub(&kept->n_references, 1) > 1) return;
    shoal_arrow_batches_free(kept->batches);
    shoal_arena_clear(&kept->arena);
    shoal_free(kept);
}

/* ---- arrays ---- */

typedef struct array_holder {
    shoal_arrow_kept *kept;
    const void *buffers[SHOAL_ARROW_MAX_BUFFERS];
    void *owned[SHOAL_ARROW_MAX_BUFFERS];
    struct ArrowArray dictionary;
    struct ArrowArray *children;
    /* the array's `children`: a consumer may move a child out, so the structs are freed from
     * `children` */
    struct ArrowArray **child_at;
} array_holder;

static void release_array(struct ArrowArray *array)
{
    if (array->release == NULL) return;
    array_holder *holder = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++)
        if (holder->children[i].release != NULL) holder->children[i].release(&holder->children[i]);
    if (holder->dictionary.release != NULL) holder->dictionary.release(&holder->dictionary);
    for (int i = 0; i < SHOAL_ARROW_MAX_BUFFERS; i++) shoal_free(holder->owned[i]);
    shoal_free(holder->children);
    shoal_free(holder->child_at);
    shoal_arrow_kept_free(holder->kept);
    shoal_free(holder);
    array->release = NULL;
}

int shoal_arrow_array_init(struct ArrowArray *out, shoal_arrow_kept *kept, int64_t n_buffers,
                           int64_t n_children, bool has_dictionary)
{
    *out = (struct ArrowArray){ 0 };
    array_holder *holder = shoal_alloc_zero(1, sizeof *holder);
    if (holder == NULL) return ENOMEM;
    if (n_children > 0) {
        holder->children = shoal_alloc_zero((size_t)n_children, sizeof *holder->children);
        holder->child_at = shoal_alloc((size_t)n_children, sizeof *holder->child_at);
        if (holder->children == NULL || holder->child_at == NULL) {
            shoal_free(holder->children);
            shoal_free(holder->child_at);
            shoal_free(holder);
            return ENOMEM;
        }
    }
    for (int64_t i = 0; i < n_children; i++) holder->child_at[i] = &holder->children[i];
    holder->kept = retain(kept);
    *out = (struct ArrowArray){ .n_buffers = n_buffers,
                                .buffers = holder->buffers,
                                .n_children = n_children,
                                .children = holder->child_at,
                                .release = release_array,
                                .private_data = holder,
                                .dictionary = has_dictionary ? &holder->dictionary : NULL };
    return 0;
}

void shoal_arrow_array_own(struct ArrowArray *array, int at, void *block)
{
    array_holder *holder = array->private_data;
    holder->buffers[at] = holder->owned[at] = block;
}

void *shoal_arrow_array_owned(const struct ArrowArray *array, int at)
{
    const array_holder *holder = array->private_data;
    return holder->owned[at];
}

void *shoal_arrow_array_alloc(struct ArrowArray *array, int at, size_t count, size_t size)
{
    void *block = shoal_alloc(count, size);
    shoal_arrow_array_own(array, at, block);
    return block;
}

void shoal_arrow_array_lend(struct ArrowArray *array, int at, const void *data)
{
    array_holder *holder = array->private_data;
    holder->buffers[at] = data;
}

int shoal_arrow_array_share(struct ArrowArray *out, shoal_arrow_kept *kept,
                            const struct ArrowArray *source, int64_t first, int64_t length)
{
    int code = shoal_arrow_array_init(out, kept, source->n_buffers, source->n_children,
                                      source->dictionary != NULL);
    if (code != 0) return code;
    bool is_whole = first == 0 && length == source->length;
    out->length = length;
    out->offset = source->offset + first;
    /* a slice of an array with nulls has an unknown number of them: -1 */
    out->null_count = is_whole || source->null_count == 0 ? source->null_count : -1;
    out->buffers = source->buffers; /* valid as long as the batches, which `kept` retains */
    for (int64_t i = 0; i < source->n_children && code == 0; i++)
        code = shoal_arrow_array_share(out->children[i], kept, source->children[i], 0,
                                       source->children[i]->length);
    if (code == 0 && source->dictionary != NULL)
        code = shoal_arrow_array_share(out->dictionary, kept, source->dictionary, 0,
                                       source->dictionary->length);
    return code;
}

/* ---- schemas ---- */

typedef struct schema_holder {
    shoal_arrow_kept *kept;
    struct ArrowSchema dictionary;
    struct ArrowSchema *children;
    struct ArrowSchema **child_at;
} schema_holder;

static void release_schema(struct ArrowSchema *schema)
{
    if (schema->release == NULL) return;
    schema_holder *holder = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (holder->children[i].release != NULL) holder->children[i].release(&holder->children[i]);
    if (holder->dictionary.release != NULL) holder->dictionary.release(&holder->dictionary);
    shoal_free(holder->children);
    shoal_free(holder->child_at);
    shoal_arrow_kept_free(holder->kept);
    shoal_free(holder);
    schema->release = NULL;
}

int shoal_arrow_schema_init(struct ArrowSchema *out, shoal_arrow_kept *kept, const char *format,
                            const char *name, int64_t n_children, bool has_dictionary)
{
    *out = (struct ArrowSchema){ 0 };
    schema_holder *holder = shoal_alloc_zero(1, sizeof *holder);
    if (holder == NULL) return ENOMEM;
    if (n_children > 0) {
        holder->children = shoal_alloc_zero((size_t)n_children, sizeof *holder->children);
        holder->child_at = shoal_alloc((size_t)n_children, sizeof *holder->child_at);
        if (holder->children == NULL || holder->child_at == NULL) {
            shoal_free(holder->children);
            shoal_free(holder->child_at);
            shoal_free(holder);
            return ENOMEM;
        }
    }
    for (int64_t i = 0; i < n_children; i++) holder->child_at[i] = &holder->children[i];
    holder->kept = retain(kept);
    *out = (struct ArrowSchema){ .format = format,
                                 .name = name,
                                 .flags = ARROW_FLAG_NULLABLE,
                                 .n_children = n_children,
                                 .children = holder->child_at,
                                 .release = release_schema,
                                 .private_data = holder,
                                 .dictionary = has_dictionary ? &holder->dictionary : NULL };
    return 0;
}

int shoal_arrow_schema_share(struct ArrowSchema *out, shoal_arrow_kept *kept,
                             const struct ArrowSchema *source)
{
    int code = shoal_arrow_schema_init(out, kept, source->format, source->name, source->n_children,
                                       source->dictionary != NULL);
    if (code != 0) return code;
    out->metadata = source->metadata;
    out->flags = source->flags;
    for (int64_t i = 0; i < source->n_children && code == 0; i++)
        code = shoal_arrow_schema_share(out->children[i], kept, source->children[i]);
    if (code == 0 && source->dictionary != NULL)
        code = shoal_arrow_schema_share(out->dictionary, kept, source->dictionary);
    return code;
}
