/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_write.c - CSV text of an m-invariant release and of its table of counterfeits.
 *
 *     the release    the published columns in their order, then the number of the group
 *     counterfeits   group, count: groups that have some
 *
 * A counterfeit must look like a record. So rows are not in the order of the table: groups are
 * sorted by their published values, rows of a group by their sensitive value, and groups are
 * numbered in this order. Equal tables of published rows are written as equal texts, whatever
 * records they belong to.
 *
 * For example the group 31..33 of the records (31, flu) and (33, cold) and a counterfeit with cough
 * is written as [31..33],cold,7 [31..33],cough,7 [31..33],flu,7 if it is the seventh, and the table
 * of counterfeits has the line 7,1.
 *
 * Cost: O(bytes + groups log groups).
 */
#include "base/stable_sort.h"
#include "publish/recode.h"
#include "published/buckets.h"
#include "series/invariance.h"

#include <errno.h>
#include <string.h>

enum { BLOCK = 1 << 20 };

typedef struct writer {
    shoal_invariance *v;
    const shoal_sink *sink;
    shoal_grouping groups; /* input of recoding: borrowed boxes, with lists of sets of its own */
    shoal_recoding texts;
    uint32_t *order;         /* groups as they are written */
    uint32_t *counterfeits;  /* of each group */
    uint32_t *rank_of_value; /* by its text */
    /* of each group, as `rows` of the groups: its places by the text of their values */
    uint32_t *places;
    uint32_t *attr_of_column;
    shoal_buffer out;
} writer;

/* ---- the order ---- */

/* By bytes, not by locale: the order must be the same on every machine. */
static int compare_texts(shoal_text a, shoal_text b)
{
    size_t n = a.length < b.length ? a.length : b.length;
    int order = n > 0 ? memcmp(a.data, b.data, n) : 0;
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int by_text(const void *x, const void *y, void *payload)
{
    const shoal_tuple_pool *values = payload;
    return compare_texts(shoal_tuple_pool_text(values, *(const uint32_t *)x, 0),
                         shoal_tuple_pool_text(values, *(const uint32_t *)y, 0));
}

/* Sorting by rank is cheaper than comparing texts again for each group. */
static bool rank_values(writer *w)
{
    shoal_tuple_pool *values = &w->v->change->state->values;
    uint32_t n = values->tuples.n_values, *sorted = shoal_alloc(n, sizeof *sorted);
    w->rank_of_value = shoal_alloc(n, sizeof *w->rank_of_value);
    bool ok = sorted != NULL && w->rank_of_value != NULL;
    for (uint32_t i = 0; ok && i < n; i++) sorted[i] = i;
    if (ok) shoal_stable_sort(sorted, n, sizeof *sorted, by_text, values);
    for (uint32_t i = 0; ok && i < n; i++) w->rank_of_value[sorted[i]] = i;
    shoal_free(sorted);
    return ok;
}

static uint32_t value_at(const writer *w, uint32_t group, uint32_t place)
{
    return shoal_signature_value(&w->v->change->state->slots, w->v->groups.signatures[group],
                                 place);
}

/* Insertion, for groups are small. */
static void sort_places(const writer *w, uint32_t group)
{
    uint64_t begin = w->v->groups.begin[group];
    uint32_t n = (uint32_t)(w->v->groups.begin[group + 1] - begin), *places = w->places + begin;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i, rank = w->rank_of_value[value_at(w, group, i)];
        for (; at > 0 && w->rank_of_value[value_at(w, group, places[at - 1])] > rank; at--)
            places[at] = places[at - 1];
        places[at] = i;
    }
}

/* Compares the sorted values of two groups, as words in a dictionary: a prefix comes first. */
static int compare_signatures(const writer *w, uint32_t g, uint32_t h)
{
    const shoal_signed_groups *groups = &w->v->groups;
    uint64_t i = groups->begin[g], j = groups->begin[h];
    if (groups->signatures[g] == groups->signatures[h]) return 0;
    for (; i < groups->begin[g + 1] && j < groups->begin[h + 1]; i++, j++) {
        uint32_t a = w->rank_of_value[value_at(w, g, w->places[i])],
                 b = w->rank_of_value[value_at(w, h, w->places[j])];
        if (a != b) return a < b ? -1 : 1;
    }
    return (i < groups->begin[g + 1]) - (j < groups->begin[h + 1]);
}

/* By what they publish; equal ones by their counterfeits, which are published, too. */
static int by_publication(const void *x, const void *y, void *payload)
{
    const writer *w = payload;
    uint32_t g = *(const uint32_t *)x, h = *(const uint32_t *)y;
    for (uint32_t a = 0; a < w->texts.n_attrs; a++) {
        const shoal_recoded_column *column = &w->texts.columns[a];
        uint32_t t = column->text_of_group[g], u = column->text_of_group[h];
        int order = t == u ? 0 : compare_texts(column->texts[t], column->texts[u]);
        if (order != 0) return order;
    }
    int order = compare_signatures(w, g, h);
    return order != 0 ? order
                      : (w->counterfeits[g] > w->counterfeits[h]) -
                            (w->counterfeits[g] < w->counterfeits[h]);
}

/* All arrays have an entry per group or per place; the order is a total one up to groups that are
 * published identically. */
static shoal_status begin(writer *w, shoal_error *err)
{
    const shoal_signed_groups *groups = &w->v->groups;
    const shoal_change *c = w->v->change;
    w->groups = (shoal_grouping){ .space = w->v->space,
                                  .n_groups = groups->n,
                                  .cells = groups->ranges };
    if (!shoal_cell_sets_of_words(&w->groups.sets, &w->v->space, groups->words, groups->n))
        return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_recoding_make(
        &w->texts, &w->groups, shoal_table_delimiter(c->table), true, c->threads, err));
    w->order = shoal_alloc(groups->n, sizeof *w->order);
    w->counterfeits = shoal_alloc_zero(groups->n, sizeof *w->counterfeits);
    w->attr_of_column = shoal_alloc(c->table->n_columns, sizeof *w->attr_of_column);
    w->places = shoal_alloc((size_t)groups->begin[groups->n], sizeof *w->places);
    if (w->order == NULL || w->counterfeits == NULL || w->attr_of_column == NULL ||
        w->places == NULL || !rank_values(w))
        return shoal_fail_memory(err);
    for (uint32_t g = 0; g < groups->n; g++) {
        w->order[g] = g;
        sort_places(w, g);
        for (uint64_t i = groups->begin[g]; i < groups->begin[g + 1]; i++)
            w->counterfeits[g] += groups->rows[i] == SHOAL_NO_CODE;
    }
    shoal_stable_sort(w->order, groups->n, sizeof *w->order, by_publication, w);
    for (size_t col = 0; col < c->table->n_columns; col++) {
        w->attr_of_column[col] = SHOAL_NO_CODE;
        for (uint32_t a = 0; a < w->v->space.n_attrs; a++)
            if (w->v->space.attrs[a].column == col) w->attr_of_column[col] = a;
    }
    return SHOAL_OK;
}

static void writer_clear(writer *w)
{
    shoal_recoding_clear(&w->texts);
    shoal_cell_sets_clear(&w->groups.sets);
    shoal_free(w->order);
    shoal_free(w->counterfeits);
    shoal_free(w->rank_of_value);
    shoal_free(w->places);
    shoal_free(w->attr_of_column);
    shoal_buffer_clear(&w->out);
}

/* ---- text ---- */

/* Writes when at least `least` bytes are there; at the end with `least` = 1. */
static shoal_status flush(writer *w, shoal_sink_part part, size_t least, shoal_error *err)
{
    if (w->out.failed) return shoal_fail_memory(err);
    if (w->out.size < least || w->out.size == 0) return SHOAL_OK;
    int failure = w->sink->write(w->sink->payload, part, w->out.data, w->out.size);
    w->out.size = 0;
    if (failure == 0) return SHOAL_OK;
    if (failure == ENOMEM) return shoal_fail_memory(err);
    return shoal_fail(
        err, SHOAL_EIO,
        "cannot write the release: %s {fix} free disk space, or choose another folder",
        strerror(failure));
}

/* The published columns, and one for the number of the group. */
static void add_header(writer *w, const char *group_name)
{
    const shoal_table *table = w->v->change->table;
    for (size_t col = 0; col < table->n_columns; col++) {
        if (!shoal_role_is_published(table->columns[col].role)) continue;
        shoal_add_field(&w->out,
                        (shoal_text){ table->columns[col].name, strlen(table->columns[col].name) },
                        shoal_table_delimiter(table));
        shoal_buffer_add(&w->out, &shoal_table_text(table)->delimiter, 1);
    }
    shoal_buffer_print(&w->out, "%s\n", group_name);
}

/* A record and a counterfeit are written by the same code. */
static void add_row(writer *w, uint32_t group, uint32_t value, uint32_t number)
{
    const shoal_change *c = w->v->change;
    for (size_t col = 0; col < c->table->n_columns; col++) {
        if (!shoal_role_is_published(c->table->columns[col].role)) continue;
        if (w->attr_of_column[col] != SHOAL_NO_CODE) {
            const shoal_recoded_column *column = &w->texts.columns[w->attr_of_column[col]];
            shoal_text text = column->csv[column->text_of_group[group]];
            shoal_buffer_add(&w->out, text.data, text.length);
        } else {
            shoal_add_field(&w->out, shoal_tuple_pool_text(&c->state->values, value, 0),
                            shoal_table_delimiter(c->table));
        }
        shoal_buffer_add(&w->out, &shoal_table_text(c->table)->delimiter, 1);
    }
    shoal_buffer_print(&w->out, "%u\n", number);
}

/* The number of a group is its position in the text, from 1; 0 in group_of_row means not published.
 */
static shoal_status write_groups(writer *w, shoal_error *err)
{
    const shoal_signed_groups *groups = &w->v->groups;
    for (uint32_t i = 0; i < groups->n; i++) {
        uint32_t g = w->order[i];
        for (uint64_t at = groups->begin[g]; at < groups->begin[g + 1]; at++) {
            uint32_t row = groups->rows[groups->begin[g] + w->places[at]];
            add_row(w, g, value_at(w, g, w->places[at]), i + 1);
            if (row != SHOAL_NO_CODE) w->v->group_of_row[row] = i + 1;
        }
        SHOAL_RETURN_IF_ERROR(flush(w, SHOAL_SINK_RELEASE, BLOCK, err));
    }
    return flush(w, SHOAL_SINK_RELEASE, 1, err);
}

/* Groups without counterfeits have no line. */
static shoal_status write_counterfeits(writer *w, const char *group_name, shoal_error *err)
{
    char delimiter = shoal_table_delimiter(w->v->change->table);
    shoal_buffer_print(&w->out, "%s%ccount\n", group_name, delimiter);
    for (uint32_t i = 0; i < w->v->groups.n; i++)
        if (w->counterfeits[w->order[i]] > 0)
            shoal_buffer_print(&w->out, "%u%c%u\n", i + 1, delimiter, w->counterfeits[w->order[i]]);
    return flush(w, SHOAL_SINK_BUCKETS, 1, err);
}

/* Both tables use one name for the column of the groups. */
static shoal_status write_both(writer *w, shoal_error *err)
{
    char group_name[SHOAL_GROUP_NAME_SIZE];
    SHOAL_RETURN_IF_ERROR(begin(w, err));
    SHOAL_RETURN_IF_ERROR(w->sink->open(w->sink->payload, SHOAL_SINK_RELEASE, err));
    shoal_bucket_group_name(group_name, w->v->change->table);
    add_header(w, group_name);
    SHOAL_RETURN_IF_ERROR(write_groups(w, err));
    SHOAL_RETURN_IF_ERROR(w->sink->open(w->sink->payload, SHOAL_SINK_BUCKETS, err));
    return write_counterfeits(w, group_name, err);
}

/* Both texts go to the sink; the caller verifies them before they are committed. */
shoal_status shoal_invariance_write(shoal_invariance *v, const shoal_sink *sink, shoal_error *err)
{
    writer w = { .v = v, .sink = sink };
    shoal_status status = write_both(&w, err);
    writer_clear(&w);
    return status;
}
