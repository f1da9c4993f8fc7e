/* SPDX-License-Identifier: Apache-2.0 */
/* query_view.c - answer COUNT queries on distinct tuples instead of rows.
 *
 * First the share of each text of each queried column is computed. The column whose matching texts
 * have the fewest tuples is the leading one: only its tuples are visited, through a list of tuples
 * for each text, and each adds its rows times the product of its shares. Invariant: a tuple is in
 * exactly one list of each column, so no tuple is counted twice.
 *
 * Cost: making O(rows + tuples * columns); a query O(texts + elements of its columns + tuples of
 * the leading column).
 */
#include "evaluate/queries.h"

#include "base/invariant.h"

/* ---- making ---- */

static bool number_rows(shoal_query_view *view, uint32_t *first_row, const uint32_t *ids,
                        uint64_t n_rows)
{
    view->rows = shoal_alloc_zero(view->n_tuples, sizeof *view->rows);
    if (view->rows == NULL) return false;
    for (uint64_t row = 0; row < n_rows; row++)
        if (view->rows[ids[row]]++ == 0) first_row[ids[row]] = (uint32_t)row;
    return true;
}

/* Each tuple is in the list of its text, once: as many entries as tuples, ascending within a list,
 * each in its own list. */
static bool each_tuple_is_in_one_list(const shoal_view_column *c, uint32_t n_tuples)
{
    if (c->tuple_begin[0] != 0 || c->tuple_begin[c->n_texts] != n_tuples) return false;
    for (uint32_t x = 0; x < c->n_texts; x++)
        for (uint32_t i = c->tuple_begin[x]; i < c->tuple_begin[x + 1]; i++)
            if (c->text_of_tuple[c->tuples[i]] != x ||
                (i > c->tuple_begin[x] && c->tuples[i - 1] >= c->tuples[i]))
                return false;
    return true;
}

/* Counting sort of the tuples by text. */
static bool index_column(shoal_view_column *c, const shoal_column *column,
                         const uint32_t *first_row, uint32_t n_tuples)
{
    c->is_asked = true;
    c->n_texts = column->n_values;
    c->regions = shoal_alloc_zero(c->n_texts, sizeof *c->regions);
    c->text_of_tuple = shoal_alloc(n_tuples, sizeof *c->text_of_tuple);
    c->tuple_begin = shoal_alloc_zero((size_t)c->n_texts + 2, sizeof *c->tuple_begin);
    c->tuples = shoal_alloc(n_tuples, sizeof *c->tuples);
    if (c->regions == NULL || c->text_of_tuple == NULL || c->tuple_begin == NULL ||
        c->tuples == NULL)
        return false;
    /* filling moves each entry to the begin of the following text */
    uint32_t *next = c->tuple_begin + 1;
    for (uint32_t t = 0; t < n_tuples; t++) {
        c->text_of_tuple[t] = shoal_column_code(column, first_row[t]);
        next[c->text_of_tuple[t] + 1]++;
    }
    for (uint32_t x = 0; x < c->n_texts; x++) next[x + 1] += next[x];
    for (uint32_t t = 0; t < n_tuples; t++) c->tuples[next[c->text_of_tuple[t]]++] = t;
    SHOAL_INVARIANT(each_tuple_is_in_one_list(c, n_tuples));
    return true;
}

static bool index_columns(shoal_query_view *view, const shoal_column *const *columns,
                          const bool *asked, const uint32_t *ids, uint64_t n_rows)
{
    uint32_t *first_row = shoal_alloc(view->n_tuples, sizeof *first_row);
    view->columns = shoal_alloc_zero(view->n_attrs, sizeof *view->columns);
    bool ok = first_row != NULL && view->columns != NULL &&
              number_rows(view, first_row, ids, n_rows);
    for (uint32_t a = 0; ok && a < view->n_attrs; a++)
        if (asked[a]) ok = index_column(&view->columns[a], columns[a], first_row, view->n_tuples);
    shoal_free(first_row);
    return ok;
}

shoal_status shoal_view_make(shoal_query_view *out, const shoal_column *const *columns,
                             const bool *asked, uint32_t n_attrs, uint64_t n_rows, uint32_t threads,
                             shoal_error *err)
{
    shoal_query_view view = { .n_attrs = n_attrs };
    uint32_t *ids = NULL, n_asked = 0;
    const shoal_column **list = shoal_alloc(n_attrs, sizeof *list);
    if (list == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < n_attrs; a++)
        if (asked[a]) list[n_asked++] = columns[a];
    shoal_status status = shoal_number_tuples(&ids, &view.n_tuples, list, n_asked, n_rows, threads,
                                              err);
    if (status == SHOAL_OK && !index_columns(&view, columns, asked, ids, n_rows))
        status = shoal_fail_memory(err);
    shoal_free(ids);
    shoal_free(list);
    if (status == SHOAL_OK)
        *out = view;
    else
        shoal_view_clear(&view);
    return status;
}

void shoal_view_clear(shoal_query_view *view)
{
    for (uint32_t a = 0; view->columns != NULL && a < view->n_attrs; a++) {
        shoal_view_column *c = &view->columns[a];
        shoal_free(c->regions);
        shoal_free(c->text_of_tuple);
        shoal_free(c->tuple_begin);
        shoal_free(c->tuples);
        shoal_arena_clear(&c->arena);
    }
    shoal_free(view->columns);
    shoal_free(view->rows);
    *view = (shoal_query_view){ 0 };
}

/* ---- counting ---- */

/* Shares of the texts of one predicate's column; returns the number of tuples with a matching text.
 */
static uint64_t fill_shares(double *shares, const shoal_view_column *c, const shoal_domain *domain,
                            const shoal_region *predicate, uint64_t *hits)
{
    uint64_t n_matching = 0;
    shoal_region_hits(hits, domain, predicate);
    for (uint32_t x = 0; x < c->n_texts; x++) {
        shares[x] = shoal_region_share(domain, &c->regions[x], predicate, hits);
        if (shares[x] > 0) n_matching += c->tuple_begin[x + 1] - c->tuple_begin[x];
    }
    return n_matching;
}

/* The product of a tuple's shares in all predicates but the leading one. */
static double other_shares(const shoal_query_view *view, const shoal_predicate *predicates,
                           uint32_t n, uint32_t leading, const shoal_query_room *room,
                           uint32_t tuple)
{
    double share = 1;
    for (uint32_t p = 0; p < n && share > 0; p++)
        if (p != leading)
            share *= room->shares[p * room->max_texts +
                                  view->columns[predicates[p].attr].text_of_tuple[tuple]];
    return share;
}

double shoal_view_count(const shoal_query_view *view, const shoal_domain *domains,
                        const shoal_predicate *predicates, uint32_t n_predicates,
                        shoal_query_room *room)
{
    uint32_t leading = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t p = 0; p < n_predicates; p++) {
        uint32_t a = predicates[p].attr;
        uint64_t n_matching = fill_shares(room->shares + p * room->max_texts, &view->columns[a],
                                          &domains[a], &predicates[p].region, room->hits);
        if (n_matching < least) {
            least = n_matching;
            leading = p;
        }
    }
    double sum = 0;
    const shoal_view_column *c = &view->columns[predicates[leading].attr];
    for (uint32_t x = 0; x < c->n_texts; x++) {
        double share = room->shares[leading * room->max_texts + x];
        if (share <= 0) continue;
        for (uint32_t i = c->tuple_begin[x]; i < c->tuple_begin[x + 1]; i++) {
            uint32_t t = c->tuples[i];
            sum += (double)view->rows[t] * share *
                   other_shares(view, predicates, n_predicates, leading, room, t);
        }
    }
    return sum;
}

/* ---- rooms ---- */

shoal_query_room *shoal_rooms_make(const shoal_query_view *view, const shoal_domain *domains,
                                   uint32_t max_predicates, uint32_t threads)
{
    size_t max_texts = 1, max_elements = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) {
        if (!view->columns[a].is_asked) continue;
        if (view->columns[a].n_texts > max_texts) max_texts = view->columns[a].n_texts;
        if (domains[a].n_elements > max_elements) max_elements = domains[a].n_elements;
    }
    shoal_query_room *rooms = shoal_alloc_zero(threads, sizeof *rooms);
    bool ok = rooms != NULL;
    for (uint32_t i = 0; ok && i < threads; i++) {
        rooms[i].max_texts = max_texts;
        rooms[i].shares = shoal_alloc(max_texts * max_predicates, sizeof *rooms[i].shares);
        rooms[i].hits = shoal_alloc(max_elements + 1, sizeof *rooms[i].hits);
        ok = rooms[i].shares != NULL && rooms[i].hits != NULL;
    }
    if (ok) return rooms;
    shoal_rooms_free(rooms, threads);
    return NULL;
}

void shoal_rooms_free(shoal_query_room *rooms, uint32_t threads)
{
    for (uint32_t i = 0; rooms != NULL && i < threads; i++) {
        shoal_free(rooms[i].shares);
        shoal_free(rooms[i].hits);
    }
    shoal_free(rooms);
}
