/* SPDX-License-Identifier: Apache-2.0 */
/* build_known.c - values under the groups of a classification that comes with the library
 * (known:icd10).
 *
 * The leaves are the values of the column, in their own spelling. Above them come shortened codes
 * (C34.1 under C34.-), where some value of the column is longer, then the groups of the
 * classification. A value that is none of its codes is left out: --on-missing decides about it. O(n
 * * ranges) for n values.
 */
#include "hierarchy/build.h"
#include "hierarchy/known.h"

#include <shoal/hierarchy.h>
#include <string.h>

enum { FIRST_GROUP_LEVEL = 16 }; /* of the draft: above those of shortened codes */

/* ---- names ---- */

static shoal_status fail_unknown(shoal_error *err)
{
    shoal_buffer names = { 0 };
    for (size_t i = 0; i < shoal_n_known_texts; i++)
        shoal_buffer_print(&names, "%s%s", i > 0 ? ", " : "", shoal_known_texts[i].name);
    shoal_status status = names.failed ? shoal_fail_memory(err)
                                       : shoal_fail(err, SHOAL_EINVAL,
                                                    "unknown hierarchy name {fix} the names are %s",
                                                    names.data);
    shoal_buffer_clear(&names);
    return status;
}

static shoal_status open_named(shoal_known *out, const char *name, shoal_error *err)
{
    size_t index = shoal_known_index(name, strlen(name));
    return index != SIZE_MAX ? shoal_known_open(out, &shoal_known_texts[index], err)
                             : fail_unknown(err);
}

/* ---- over values ---- */

typedef struct placing {
    shoal_builder *builder;
    const shoal_known *known;
    size_t longest; /* code of the column */
} placing;

/* Length 0 means that this code has no such level: no value of the column is longer, or this one is
 * shorter. */
static size_t prefix_here(const placing *p, const shoal_known_code *code, unsigned level)
{
    size_t length = shoal_code_prefix(code, p->known->kind, level);
    return length < p->longest && length <= code->length ? length : 0;
}

static shoal_status climb_prefixes(const placing *p, uint32_t *at, bool *is_known,
                                   const shoal_known_code *code, shoal_error *err)
{
    for (unsigned level = 0; level < 2 && !*is_known; level++) {
        char label[SHOAL_MAX_CODE + 4];
        size_t length = prefix_here(p, code, level);
        if (length == 0) continue;
        shoal_code_label(label, code, p->known->kind, length);
        SHOAL_RETURN_IF_ERROR(
            shoal_builder_climb(p->builder, at, is_known, level + 1, label, strlen(label), err));
    }
    return SHOAL_OK;
}

static shoal_status place_leaf(const placing *p, uint32_t leaf, const shoal_known_place *place,
                               shoal_error *err)
{
    uint32_t at = leaf;
    bool is_known = false;
    if (p->known->kind != NULL)
        SHOAL_RETURN_IF_ERROR(climb_prefixes(p, &at, &is_known, &place->code, err));
    for (uint32_t g = place->group; g != SHOAL_NO_NODE && !is_known;
         g = p->known->groups[g].parent) {
        const shoal_known_group *group = &p->known->groups[g];
        SHOAL_RETURN_IF_ERROR(shoal_builder_climb(p->builder, &at, &is_known,
                                                  FIRST_GROUP_LEVEL + group->depth,
                                                  group->label.data, group->label.length, err));
    }
    return SHOAL_OK;
}

static shoal_status place_leaves(placing *p, shoal_known_place *places, shoal_error *err)
{
    shoal_draft *draft = &p->builder->draft;
    uint32_t n = p->builder->n_leaves, n_out = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool fits = shoal_known_find(&places[i], p->known,
                                     (shoal_text){ draft->nodes[i].label, draft->nodes[i].size });
        draft->nodes[i].is_left_out = !fits;
        n_out += !fits;
        if (fits && places[i].code.length > p->longest) p->longest = places[i].code.length;
    }
    if (n_out == n)
        return shoal_fail(err, SHOAL_EDATA,
                          "hierarchy known:%s: it contains none of the %u values of the column "
                          "{fix} use another hierarchy, or none",
                          p->known->text->name, n);
    for (uint32_t i = 0; i < n; i++)
        if (!draft->nodes[i].is_left_out) SHOAL_RETURN_IF_ERROR(place_leaf(p, i, &places[i], err));
    return SHOAL_OK;
}

shoal_status shoal_build_known(shoal_builder *b, const char *args, shoal_error *err)
{
    shoal_known known;
    SHOAL_RETURN_IF_ERROR(open_named(&known, args, err));
    placing p = { .builder = b, .known = &known };
    shoal_known_place *places = shoal_alloc(b->n_leaves, sizeof *places);
    shoal_status status = places != NULL ? place_leaves(&p, places, err) : shoal_fail_memory(err);
    shoal_free(places);
    shoal_known_close(&known);
    return status;
}

/* ---- the classification itself ---- */

/* Every group is below its parent; a word's first name is a leaf. Labels are unique, so one level
 * holds all. */
static shoal_status draft_groups(shoal_draft *draft, const shoal_known *known, shoal_error *err)
{
    uint32_t node, open[16] = { SHOAL_NO_NODE }, n_groups = 0;
    bool is_new;
    for (size_t i = 0; known->text->lines[i] != NULL; i++) {
        const char *line = known->text->lines[i];
        size_t depth = strspn(line, " ");
        line += depth;
        if (*line == '+') continue;
        bool is_word = *line == '=';
        const char *bar = is_word ? strrchr(line, '|') : NULL;
        shoal_text label = is_word ? (shoal_text){ line + 1, strlen(line + 1) }
                                   : known->groups[n_groups++].label;
        /* the last name is a full one */
        if (bar != NULL) label = (shoal_text){ bar + 1, strlen(bar + 1) };
        SHOAL_RETURN_IF_ERROR(
            shoal_draft_add(&node, &is_new, draft, (uint32_t)depth, label.data, label.length, err));
        draft->nodes[node].parent = open[depth];
        if (!is_word) open[depth + 1] = node;
    }
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_known(shoal_hierarchy **out, const char *name, shoal_error *err)
{
    shoal_known known;
    shoal_draft draft = SHOAL_DRAFT_INIT;
    SHOAL_RETURN_IF_ERROR(open_named(&known, name, err));
    shoal_status status = draft_groups(&draft, &known, err);
    if (status == SHOAL_OK) status = shoal_draft_finish(out, &draft, err);
    shoal_draft_clear(&draft);
    shoal_known_close(&known);
    return status;
}
