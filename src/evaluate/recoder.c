/* SPDX-License-Identifier: Apache-2.0 */
/* recoder.c - recode unseen rows like the rows of a release; see recoder.h. */
#include "evaluate/recoder.h"

#include "classes/classes.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* A column of codes for numbering pairs: the original value of each row of the release. */
static uint32_t *original_codes(const shoal_column *original, uint64_t n_rows,
                                const uint32_t *original_row)
{
    uint32_t *codes = shoal_alloc((size_t)n_rows, sizeof *codes);
    for (uint64_t row = 0; codes != NULL && row < n_rows; row++)
        codes[row] = shoal_column_code(original, original_row == NULL ? row : original_row[row]);
    return codes;
}

static shoal_status number_pairs(shoal_recoder_column *c, uint64_t n_rows,
                                 const uint32_t *original_row, shoal_error *err)
{
    uint32_t *codes = original_codes(c->original, n_rows, original_row);
    if (codes == NULL) return shoal_fail_memory(err);
    shoal_column values = { .code_width = 4, .codes = codes, .n_values = c->original->n_values };
    const shoal_column *both[2] = { &values, c->released };
    shoal_status status = shoal_number_tuples(&c->pair_of_row, &c->n_pairs, both, 2, n_rows, 1,
                                              err);
    if (status == SHOAL_OK) {
        c->pair_value = shoal_alloc(c->n_pairs, sizeof *c->pair_value);
        c->pair_text = shoal_alloc(c->n_pairs, sizeof *c->pair_text);
        c->pair_rows = shoal_alloc(c->n_pairs, sizeof *c->pair_rows);
        if (c->pair_value == NULL || c->pair_text == NULL || c->pair_rows == NULL)
            status = shoal_fail_memory(err);
    }
    for (uint64_t row = 0; status == SHOAL_OK && row < n_rows; row++) {
        c->pair_value[c->pair_of_row[row]] = codes[row];
        c->pair_text[c->pair_of_row[row]] = shoal_column_code(c->released, row);
    }
    shoal_free(codes);
    return status;
}

static shoal_status make_column(shoal_recoder_column *c, const shoal_table *original,
                                const shoal_attribute *attr, const shoal_column *released,
                                uint64_t n_rows, const uint32_t *original_row, shoal_error *err)
{
    c->original = attr->source;
    c->released = released;
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&c->published, original, attr, released->values,
                                               released->n_values, err));
    c->says_nothing = shoal_alloc(released->n_values, sizeof *c->says_nothing);
    c->text_rows = shoal_alloc(released->n_values, sizeof *c->text_rows);
    c->text_of_value = shoal_alloc(attr->source->n_values, sizeof *c->text_of_value);
    if (c->says_nothing == NULL || c->text_rows == NULL || c->text_of_value == NULL)
        return shoal_fail_memory(err);
    for (uint32_t t = 0; t < released->n_values; t++) {
        shoal_reading_kind kind = c->published.readings[t].kind;
        c->says_nothing[t] = kind == SHOAL_READ_ALL || kind == SHOAL_READ_NOTHING;
    }
    return number_pairs(c, n_rows, original_row, err);
}

/* ---- tuples ---- */

/* Sort key of a tuple. */
typedef struct ranked {
    double loss;
    uint64_t n_rows;
    uint32_t tuple;
    uint32_t first_row;
} ranked;

static int by_preference(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    if (a->loss != b->loss) return a->loss > b->loss ? 1 : -1;
    if (a->n_rows != b->n_rows) return a->n_rows < b->n_rows ? 1 : -1;
    return (a->tuple > b->tuple) - (a->tuple < b->tuple);
}

static void weigh_tuples(ranked *list, const shoal_recoder *r)
{
    for (uint32_t t = 0; t < r->n_tuples; t++) list[t] = (ranked){ .tuple = t };
    /* backwards, so that first_row ends as the first row of the tuple */
    for (uint64_t row = r->n_rows; row-- > 0;) {
        list[r->tuple_of_row[row]].n_rows++;
        list[r->tuple_of_row[row]].first_row = (uint32_t)row;
    }
    for (uint32_t t = 0; t < r->n_tuples; t++)
        for (uint32_t a = 0; a < r->n_quasi; a++) {
            const shoal_recoder_column *c = &r->columns[a];
            list[t].loss += c->published.readings[shoal_column_code(c->released, list[t].first_row)]
                                .wide_loss;
        }
    qsort(list, r->n_tuples, sizeof *list, by_preference);
}

/* Number the tuples by preference. */
static bool rank_tuples(shoal_recoder *r)
{
    ranked *list = shoal_alloc(r->n_tuples, sizeof *list);
    uint32_t *rank_of = shoal_alloc(r->n_tuples, sizeof *rank_of);
    r->texts = shoal_alloc((size_t)r->n_tuples * r->n_quasi, sizeof *r->texts);
    r->is_star = shoal_alloc(r->n_tuples, sizeof *r->is_star);
    r->tuple_rows = shoal_alloc(r->n_tuples, sizeof *r->tuple_rows);
    bool ok = list != NULL && rank_of != NULL && r->texts != NULL && r->is_star != NULL &&
              r->tuple_rows != NULL;
    if (ok) {
        weigh_tuples(list, r);
        for (uint32_t t = 0; t < r->n_tuples; t++) {
            rank_of[list[t].tuple] = t;
            r->is_star[t] = true;
            for (uint32_t a = 0; a < r->n_quasi; a++) {
                uint32_t text = shoal_column_code(r->columns[a].released, list[t].first_row);
                r->texts[(size_t)t * r->n_quasi + a] = text;
                r->is_star[t] = r->is_star[t] && r->columns[a].says_nothing[text];
            }
        }
        for (uint64_t row = 0; row < r->n_rows; row++)
            r->tuple_of_row[row] = rank_of[r->tuple_of_row[row]];
    }
    shoal_free(list);
    shoal_free(rank_of);
    return ok;
}

/* Which tuples cover each value of one quasi-identifier. */
static bool index_cover(shoal_recoder *r, uint32_t a)
{
    shoal_recoder_column *c = &r->columns[a];
    bool *is_covering = shoal_alloc(c->released->n_values, sizeof *is_covering);
    c->covers = shoal_alloc_zero((size_t)c->original->n_values * r->n_words, sizeof *c->covers);
    bool ok = is_covering != NULL && c->covers != NULL;
    for (uint32_t v = 0; ok && v < c->original->n_values; v++) {
        uint64_t *words = c->covers + v * r->n_words;
        for (uint32_t t = 0; t < c->released->n_values; t++)
            is_covering[t] = shoal_published_covers(&c->published, t, v);
        for (uint32_t t = 0; t < r->n_tuples; t++)
            if (is_covering[r->texts[(size_t)t * r->n_quasi + a]])
                words[t / 64] |= (uint64_t)1 << t % 64;
    }
    shoal_free(is_covering);
    return ok;
}

static shoal_status make_tuples(shoal_recoder *r, const shoal_column *const *released,
                                shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_number_tuples(&r->tuple_of_row, &r->n_tuples, released, r->n_quasi,
                                              r->n_rows, 1, err));
    r->n_words = ((size_t)r->n_tuples + 63) / 64;
    if (!rank_tuples(r)) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < r->n_quasi; a++)
        if (!index_cover(r, a)) return shoal_fail_memory(err);
    return SHOAL_OK;
}

shoal_status shoal_recoder_make(shoal_recoder *out, const shoal_recoder_source *source,
                                shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_recoder r = { .n_columns = source->space->n_attrs,
                        .n_quasi = source->n_quasi,
                        .n_rows = source->n_rows };
    r.columns = shoal_alloc_zero(r.n_columns, sizeof *r.columns);
    if (r.columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < r.n_columns; a++)
        SHOAL_GOTO_IF_ERROR(make_column(&r.columns[a], source->original, &source->space->attrs[a],
                                        source->released[a], r.n_rows, source->original_row, err),
                            out);
    SHOAL_GOTO_IF_ERROR(make_tuples(&r, source->released, err), out);
    *out = r;
    r = (shoal_recoder){ 0 };
out:
    shoal_recoder_clear(&r);
    return status;
}

/* ---- training ---- */

/* The covering text of least loss, for a value that no training row has. */
static uint32_t find_covering(const shoal_recoder_column *c, uint32_t value)
{
    uint32_t best = SHOAL_NO_CODE;
    for (uint32_t t = 0; t < c->published.n_texts; t++) {
        if (c->text_rows[t] == 0 || c->says_nothing[t] ||
            !shoal_published_covers(&c->published, t, value))
            continue;
        if (best == SHOAL_NO_CODE ||
            c->published.readings[t].loss < c->published.readings[best].loss)
            best = t;
    }
    return best;
}

static bool learn_column(shoal_recoder_column *c, uint64_t n_rows, const uint8_t *held_out)
{
    uint64_t *most = shoal_alloc_zero(c->original->n_values, sizeof *most);
    if (most == NULL) return false;
    memset(c->pair_rows, 0, c->n_pairs * sizeof *c->pair_rows);
    memset(c->text_rows, 0, c->released->n_values * sizeof *c->text_rows);
    for (uint64_t row = 0; row < n_rows; row++)
        if (held_out == NULL || !held_out[row]) c->pair_rows[c->pair_of_row[row]]++;
    for (uint32_t v = 0; v < c->original->n_values; v++) c->text_of_value[v] = SHOAL_NO_CODE;
    for (uint32_t p = 0; p < c->n_pairs; p++) {
        uint32_t value = c->pair_value[p], text = c->pair_text[p], *best = &c->text_of_value[value];
        c->text_rows[text] += c->pair_rows[p];
        if (c->says_nothing[text] || c->pair_rows[p] == 0 || c->pair_rows[p] < most[value])
            continue;
        bool is_tie = c->pair_rows[p] == most[value];
        if (is_tie && c->published.readings[text].loss >= c->published.readings[*best].loss)
            continue;
        most[value] = c->pair_rows[p];
        *best = text;
    }
    for (uint32_t v = 0; v < c->original->n_values; v++)
        if (c->text_of_value[v] == SHOAL_NO_CODE) c->text_of_value[v] = find_covering(c, v);
    shoal_free(most);
    return true;
}

shoal_status shoal_recoder_hold_out(shoal_recoder *recoder, const uint8_t *held_out,
                                    shoal_error *err)
{
    memset(recoder->tuple_rows, 0, recoder->n_tuples * sizeof *recoder->tuple_rows);
    for (uint64_t row = 0; row < recoder->n_rows; row++)
        if (held_out == NULL || !held_out[row]) recoder->tuple_rows[recoder->tuple_of_row[row]]++;
    for (uint32_t a = 0; a < recoder->n_columns; a++)
        if (!learn_column(&recoder->columns[a], recoder->n_rows, held_out))
            return shoal_fail_memory(err);
    return SHOAL_OK;
}

void shoal_recoder_clear(shoal_recoder *recoder)
{
    for (uint32_t a = 0; recoder->columns != NULL && a < recoder->n_columns; a++) {
        shoal_recoder_column *c = &recoder->columns[a];
        shoal_published_clear(&c->published);
        shoal_free(c->says_nothing);
        shoal_free(c->pair_of_row);
        shoal_free(c->pair_value);
        shoal_free(c->pair_text);
        shoal_free(c->pair_rows);
        shoal_free(c->text_rows);
        shoal_free(c->covers);
        shoal_free(c->text_of_value);
    }
    shoal_free(recoder->columns);
    shoal_free(recoder->tuple_of_row);
    shoal_free(recoder->texts);
    shoal_free(recoder->is_star);
    shoal_free(recoder->tuple_rows);
    *recoder = (shoal_recoder){ 0 };
}

/* ---- recoding ---- */

/* The best tuple that covers the row and has training rows, or SHOAL_NO_CODE. */
static uint32_t find_tuple(const shoal_recoder *r, uint64_t row)
{
    for (size_t w = 0; w < r->n_words; w++) {
        uint64_t left = UINT64_MAX;
        for (uint32_t a = 0; a < r->n_quasi && left != 0; a++)
            left &= r->columns[a]
                        .covers[shoal_column_code(r->columns[a].original, row) * r->n_words + w];
        for (; left != 0; left &= left - 1) {
            uint32_t t = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(left);
            if (r->tuple_rows[t] > 0 && !r->is_star[t]) return t;
        }
    }
    return SHOAL_NO_CODE;
}

bool shoal_recoder_recode(const shoal_recoder *recoder, uint64_t row, uint32_t *texts)
{
    uint32_t tuple = find_tuple(recoder, row);
    for (uint32_t a = 0; a < recoder->n_columns; a++) {
        const shoal_recoder_column *c = &recoder->columns[a];
        bool by_tuple = tuple != SHOAL_NO_CODE && a < recoder->n_quasi;
        texts[a] = by_tuple ? recoder->texts[(size_t)tuple * recoder->n_quasi + a]
                            : c->text_of_value[shoal_column_code(c->original, row)];
    }
    return tuple != SHOAL_NO_CODE;
}
