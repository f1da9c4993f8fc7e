/* SPDX-License-Identifier: Apache-2.0 */
/* text_cover.h - what each published text of a column covers, in codes of the original's attribute:
 * one, a run of them (intervals, hierarchy nodes), or any (sets).
 */
#ifndef SHOAL_TEXT_COVER_H
#define SHOAL_TEXT_COVER_H

#include "published/published.h"

typedef struct shoal_text_cover {
    bool is_all;
    shoal_range range;     /* the codes lie in it; empty: none */
    const uint64_t *words; /* if the range has gaps: one bit per code; else NULL */
} shoal_text_cover;

typedef struct shoal_column_covers {
    shoal_text_cover *covers; /* of each text of the published column */
    uint64_t n_unmatched;     /* texts that cover nothing */
    shoal_arena arena;
} shoal_column_covers;

/*
 * Read the texts of column `column` of a release against attribute `attr` of `original`, whose
 * missing values are a category of their own: they are covered only by `*` and by a missing cell. A
 * missing cell of the release covers everything unless its mode is own-category. End with
 * shoal_column_covers_clear(), also after a failure.
 */
SHOAL_NODISCARD shoal_status shoal_column_covers_read(shoal_column_covers *out,
                                                      const shoal_table *released, size_t column,
                                                      const shoal_table *original,
                                                      const shoal_attribute *attr,
                                                      shoal_error *err);
void shoal_column_covers_clear(shoal_column_covers *covers);

static inline bool shoal_cover_holds(const shoal_text_cover *cover, uint32_t code)
{
    if (cover->is_all) return true;
    if (code < cover->range.lo || code > cover->range.hi) return false;
    return cover->words == NULL || (cover->words[code / 64] >> (code % 64) & 1) != 0;
}

#endif
