/* SPDX-License-Identifier: Apache-2.0 */
/* queries.h - COUNT queries, and a view of a table on which they are counted quickly. */
#ifndef SHOAL_QUERIES_H
#define SHOAL_QUERIES_H

#include "classes/classes.h"
#include "evaluate/region.h"

#include <shoal/evaluate.h>

typedef struct shoal_predicate {
    uint32_t attr;
    shoal_region region;
    shoal_text text; /* as written in a workload; empty: drawn, and written from the region */
} shoal_predicate;

/* ---- a view of a table (query_view.c) ---- */

/* One column: the region of each text, and the tuples with this text. */
typedef struct shoal_view_column {
    bool is_asked;
    uint32_t n_texts;
    shoal_region *regions;
    uint32_t *text_of_tuple;
    uint32_t *tuple_begin; /* n_texts + 1 offsets in `tuples` */
    uint32_t *tuples;      /* tuple numbers, sorted by text */
    shoal_arena arena;     /* holds lists of regions */
} shoal_view_column;

/* Distinct tuples of the queried columns, with the number of rows of each. */
typedef struct shoal_query_view {
    uint32_t n_attrs, n_tuples;
    uint64_t *rows; /* of each tuple */
    shoal_view_column *columns;
} shoal_query_view;

/* Scratch memory of one thread: the shares of each predicate and the hits of one. */
typedef struct shoal_query_room {
    double *shares; /* max_predicates x max_texts */
    uint64_t *hits;
    size_t max_texts;
} shoal_query_room;

/*
 * A view of `columns[a]` (n_rows codes) for each attribute with asked[a]; the others may be NULL.
 * The caller fills view->columns[a].regions, which has room for n_values regions. End with
 * shoal_view_clear().
 */
SHOAL_NODISCARD shoal_status shoal_view_make(shoal_query_view *out,
                                             const shoal_column *const *columns, const bool *asked,
                                             uint32_t n_attrs, uint64_t n_rows, uint32_t threads,
                                             shoal_error *err);
void shoal_view_clear(shoal_query_view *view);

/* Sum over rows of the share of the row's box that all predicates cover; added in a fixed order. */
double shoal_view_count(const shoal_query_view *view, const shoal_domain *domains,
                        const shoal_predicate *predicates, uint32_t n_predicates,
                        shoal_query_room *room);

/* One room per thread; NULL if memory is short. Free with shoal_rooms_free(). */
shoal_query_room *shoal_rooms_make(const shoal_query_view *view, const shoal_domain *domains,
                                   uint32_t max_predicates, uint32_t threads);
void shoal_rooms_free(shoal_query_room *rooms, uint32_t threads);

/* ---- a workload (queries.c) ---- */

struct shoal_queries {
    const shoal_table *original; /* borrowed */
    shoal_space space;           /* quasi-identifiers, then sensitive, then class columns */
    uint32_t n_quasi, n_sensitive;
    shoal_domain *domains; /* of each attribute */
    bool *asked;           /* does any query have a predicate on the attribute? */
    shoal_query_view view; /* of the original */
    uint64_t n_queries, n_redrawn;
    uint32_t dimensions; /* of a census workload; else 0 */
    uint32_t max_predicates;
    uint32_t *n_predicates;      /* of each query */
    shoal_predicate *predicates; /* n_queries x max_predicates */
    uint64_t *actual;            /* of each query */
    shoal_arena arena;           /* holds lists of regions */
};

/* A workload without queries, with the columns of the table that can be queried. */
SHOAL_NODISCARD shoal_status shoal_queries_begin(shoal_queries **out, const shoal_table *original,
                                                 shoal_error *err);
/* Allocate the queries, after `asked` is set. */
SHOAL_NODISCARD shoal_status shoal_queries_reserve(shoal_queries *queries, uint64_t n_queries,
                                                   uint32_t max_predicates, uint32_t threads,
                                                   shoal_error *err);
/* The attribute of a column, or SHOAL_NO_CODE. */
uint32_t shoal_queries_attr(const shoal_queries *queries, size_t column);

static inline shoal_predicate *shoal_query_predicates(const shoal_queries *queries, uint64_t query)
{
    return queries->predicates + (size_t)query * queries->max_predicates;
}

#endif
