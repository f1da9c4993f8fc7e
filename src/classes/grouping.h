/* SPDX-License-Identifier: Apache-2.0 */
/* grouping.h - which group each row is in, and per group the published value of each QID.
 *
 * What every algorithm produces and every measure reads. Groups with the same published values are
 * one group, so `groups` is the number of distinct published tuples. Groups are numbered by their
 * first row: the numbering does not disclose the order in which an algorithm formed them.
 */
#ifndef SHOAL_GROUPING_H
#define SHOAL_GROUPING_H

#include "classes/cell_sets.h"
#include "classes/classes.h"

#include <shoal/anonymize.h>

/* A cell with lo == SHOAL_CELL_TEXT publishes text number `hi` of the grouping's own texts
 * (release/recode.h). */
#define SHOAL_CELL_TEXT (UINT32_MAX - 2)

typedef struct shoal_cell_text {
    shoal_text text;
    double loss; /* Q-diversity of the values that the text covers */
} shoal_cell_text;

/*
 * Texts of cells that are no ranges and no nodes: for recode models (publish/recode_models.c) and
 * who spells cells.
 */
typedef struct shoal_cell_texts {
    shoal_cell_text *items; /* distinct within an attribute; NULL unless some cell needs one */
    uint32_t n;
    shoal_arena arena;
} shoal_cell_texts;

/* Where all rows publish one level per attribute: for reports, and for tables that come later. */
typedef struct shoal_grouping_levels {
    uint32_t *chosen, *heights;    /* one per attribute; NULL: there are none */
    shoal_information information; /* where information_of is not NULL */
    /*
     * Three numbers of each level, attribute after attribute: I_N before suppression, I_N after it,
     * D_N
     */
    double *information_of;
} shoal_grouping_levels;

/*
 * Sensitive values that are published generalised (method/personalised.c): for writers and their
 * check.
 */
typedef struct shoal_generalised_values {
    size_t column, withheld_column; /* left out; SIZE_MAX: none */
    shoal_text *texts;              /* borrowed from the table's hierarchy */
    uint32_t *text_of_row; /* SHOAL_NO_CODE: the value as it is. NULL: values are not generalised */
} shoal_generalised_values;

/* Something that a method chose for itself: a number, or (`word` not NULL) a word. */
typedef struct shoal_chosen_setting {
    const char *name, *word; /* static */
    double value;
} shoal_chosen_setting;
enum { SHOAL_MAX_SETTINGS = 6 };

/*
 * Weights of levels and priorities that the method used, if its parameters set them: for measures.
 * Owned.
 */
typedef struct shoal_grouping_weights {
    char *steps;        /* see shoal_table_set_level_weights(); NULL: those of the columns */
    double *priorities; /* of each attribute; NULL: those of the columns */
} shoal_grouping_weights;

/* How the search went: for reports. */
typedef struct shoal_grouping_stats {
    shoal_chosen_setting settings[SHOAL_MAX_SETTINGS];
    uint32_t n_settings;
    bool stopped_early;
    double encode_seconds, search_seconds, refine_seconds;
    uint64_t n_evaluations, n_queries;
} shoal_grouping_stats;

/*
 * Invariant: every line is in a group below n_groups or suppressed; sizes are the rows of each
 * group, at least one, and together with n_suppressed all rows; groups are numbered by their first
 * line.
 */
struct shoal_grouping {
    shoal_space space; /* of the table it belongs to */
    uint64_t n_rows;
    /*
     * what `group_of_row` has an entry for: each row, or each line slice of a line; the arrays are
     * ours
     */
    shoal_lines lines;
    uint32_t n_groups, n_classes;
    /*
     * the classes that the grouping was made from, without rows, for the lower bound; NULL: they
     * were distinguished by further columns
     */
    shoal_classes *tuples;
    uint32_t *group_of_row; /* lines.n; SHOAL_SUPPRESSED for suppressed rows */
    uint64_t *sizes;        /* rows of each group */
    uint64_t n_suppressed;
    bool drops_suppressed; /* they will be left out of the release: no measure counts them as a
                              group */
    shoal_range *cells;    /* n_groups x n_attrs: what is published */
    shoal_cell_sets sets;  /* the members of those that publish sets */
    bool is_bucketed;      /* quasi-identifiers are published as they are, beside the number of the
                              group */
    shoal_recode_model model; /* how the groups are published */
    shoal_cell_texts texts;
    shoal_grouping_levels levels;
    shoal_generalised_values sensitive;
    shoal_grouping_weights weights;
    shoal_grouping_stats stats;
};

/* `count` rows of a class are in group `group` (any numbers; SHOAL_SUPPRESSED suppresses them). */
typedef struct shoal_slice {
    uint32_t class_index;
    uint32_t group;
    uint32_t count;
} shoal_slice;

/*
 * Make a grouping from slices. The slices of each class must add up to its count (checked:
 * SHOAL_EINTERNAL); rows of a class go to its slices in the order given, lowest rows first. The
 * published value of a group is the least box that covers its classes. O(n_slices * n_attrs +
 * n_rows).
 */
SHOAL_NODISCARD shoal_status shoal_grouping_from_slices(shoal_grouping **out,
                                                        const shoal_space *space,
                                                        const shoal_classes *classes,
                                                        const shoal_slice *slices, size_t n_slices,
                                                        shoal_error *err);

/* What a method that publishes one level per attribute (0: unchanged) returns besides its slices.
 */
typedef struct shoal_full_domain {
    shoal_range *cells; /* of each group that the slices name, n_attrs of them */
    /* one an attribute; levels NULL: some rows are on other levels */
    uint32_t *levels, *heights;
} shoal_full_domain;

/* What a grouping is made from. All is borrowed while it is made. */
typedef struct shoal_grouping_source {
    const shoal_space *space;
    const shoal_classes *classes;
    const shoal_slice *slices;
    size_t n_slices;
    const shoal_full_domain *domain; /* groups publish its cells, which may be wider than they
                                        need; NULL: their least boxes */
    bool is_bucketed; /* groups with equal boxes are not merged: for releases that publish no boxes
                       */
    uint32_t threads; /* 0: one */
} shoal_grouping_source;

/* The same with all options. */
SHOAL_NODISCARD shoal_status shoal_grouping_make(shoal_grouping **out,
                                                 const shoal_grouping_source *source,
                                                 shoal_error *err);

/* Must follow any of them: the grouping takes the space over, and frees it in the end. */
void shoal_grouping_take_space(shoal_grouping *grouping, shoal_space *space);

/*
 * After cells were changed: merge groups with equal cells and number them by first row again.
 * `*n_merged`: groups that no longer exist. After a failure the grouping can only be freed.
 */
SHOAL_NODISCARD shoal_status shoal_grouping_merge_equal(shoal_grouping *grouping,
                                                        uint32_t *n_merged, shoal_error *err);

/*
 * The cells of a group as a box of `space`, which is the grouping's own or will be. `words` is
 * scratch for its sets, space->n_words of them; NULL: only the ranges are wanted.
 */
shoal_box shoal_grouping_box(const shoal_grouping *grouping, const shoal_space *space,
                             uint32_t group, uint64_t *words);

/* Q-diversity of one published cell. */
double shoal_grouping_cell_loss(const shoal_grouping *grouping, uint32_t group, uint32_t attr);
/* Mean loss of a box of cells, ranges and nodes, before any is recoded as text. */
double shoal_cells_loss(const shoal_space *space, shoal_box cells);
/* The same of the cells of a group. */
double shoal_group_loss(const shoal_grouping *grouping, const shoal_space *space, uint32_t group);

/*
 * True if quasi-identifiers are published unchanged, separately from the sensitive values
 * (anatomy). Such a release has two tables.
 */
bool shoal_grouping_is_bucketed(const shoal_grouping *grouping);

/*
 * True if sensitive values are generalised, too (personalised). Such a release is text; see
 * shoal_verify_personal().
 */
bool shoal_grouping_generalises_sensitive(const shoal_grouping *grouping);

uint64_t shoal_grouping_size(const shoal_grouping *grouping, uint32_t group);

#endif
