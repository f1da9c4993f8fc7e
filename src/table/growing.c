/* SPDX-License-Identifier: Apache-2.0 */
/* growing.c - see growing.h.
 *
 * Has no state: libshoal-io carries a copy of this file.
 */
#include "table/growing.h"

#include "table/csv.h"

/* Do the records of the sample end before the text does? Those after a bad quote are never looked
 * at, nor by a candidate that does not split the first. */
static bool sample_is_inside(const char *at, const char *end, char delimiter, bool is_candidate)
{
    for (int n = 0; n <= SHOAL_CSV_SAMPLE_RECORDS; n++) { /* the header, and that many behind it */
        shoal_field field;
        size_t n_fields = 0;
        shoal_field_end kind = SHOAL_FIELD_MORE;
        at = shoal_csv_skip_blank_lines(at, end);
        for (; kind == SHOAL_FIELD_MORE; n_fields++)
            kind = shoal_scan_field(&field, &at, end, delimiter);
        /* CR and LF may be parted */
        if (end - at < 2 || kind == SHOAL_FIELD_UNCLOSED) return false;
        if (kind == SHOAL_FIELD_GARBAGE || (is_candidate && n == 0 && n_fields == 1)) return true;
    }
    return true;
}

/* Was the end of the text beyond all that shoal_csv_read_header() and shoal_table_count_odd_names()
 * read, so that they have the same result when the text grows? */
static bool head_is_sure(const shoal_table *table)
{
    const shoal_text_source *source = shoal_table_text(table);
    static const char candidates[] = SHOAL_CSV_CANDIDATES;
    const char *at = source->data + source->head, *end = shoal_table_text_end(table);
    if (source->size < SHOAL_CSV_SAMPLE_BYTES ||
        !sample_is_inside(at, end, source->delimiter, false))
        return false;
    for (size_t i = 0; i < sizeof candidates; i++)
        if (!sample_is_inside(at, end, candidates[i], true)) return false;
    return true;
}

bool shoal_table_set_growing(shoal_table *table, shoal_grow_fn grow, shoal_release_fn release,
                             void *payload)
{
    shoal_text_source *text = shoal_table_own_text(table);
    if (!head_is_sure(table)) return false;
    text->grow = grow;
    text->release = release;
    text->release_payload = payload;
    return true;
}

shoal_status shoal_table_grow(shoal_table *table, double *share, shoal_error *err)
{
    shoal_text_source *text = shoal_table_own_text(table);
    shoal_growth now = { 0 };
    SHOAL_RETURN_IF_ERROR(text->grow(text->release_payload, &now, err));
    /* columns are joined in complete texts only */
    text->size = text->original_size = now.size;
    if (now.is_complete) text->grow = NULL;
    *share = now.share;
    return SHOAL_OK;
}

shoal_status shoal_table_complete_text(shoal_table *table, const shoal_load_options *options,
                                       shoal_error *err)
{
    double ignored;
    while (shoal_table_text(table)->grow != NULL) {
        SHOAL_RETURN_IF_ERROR(shoal_table_grow(table, &ignored, err));
        /* the reading that counts comes after */
        SHOAL_RETURN_IF_ERROR(shoal_csv_report(options, 0, err));
    }
    return SHOAL_OK;
}
