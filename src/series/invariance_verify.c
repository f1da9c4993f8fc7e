/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_verify.c - an m-invariant release against its table and the state, from the texts that
 * are about to be published.
 *
 * Only one result of the method is used: the group of each record. It is checked: the group covers
 * the record, has its value, has no other record of that value, and has the signature that the
 * state keeps for the record. A published row without a record is a counterfeit, and the second
 * table must count them: the groups that have some, and how many.
 *
 * An example: a group publishes flu, cold and cough; records with flu and cold are assigned to it.
 * The third row is a counterfeit, so the second table must have the line (group, 1). The loss: of
 * 10 records 9 are published, with losses that add up to 1.8 over two quasi-identifiers; gcp is
 * (1.8 / 2 + 1) / 10 = 0.19.
 *
 * Cost: O(rows * quasi-identifiers).
 */
#include "published/published.h"
#include "series/invariance.h"

#include <string.h>

typedef struct checker {
    shoal_invariance *v;
    shoal_signed_text text;
    uint32_t *signatures; /* of each group of the text */
    uint8_t *is_record;   /* of each row of the text: it has a record */
    uint32_t *records;    /* of each group */
    double loss;          /* of all records, added up over quasi-identifiers */
} checker;

/* A failure here is a bug of ours, not of the input. */
static shoal_status fail_release(const char *why, shoal_error *err)
{
    return shoal_fail(
        err, SHOAL_EUNSAT,
        "internal error: verify: %s; nothing was published {fix} please report this bug", why);
}

/* ---- records ---- */

/* The row of the group that has the value, or SHOAL_NO_CODE. Rows of a group are sorted by value.
 */
static uint32_t find_value(const shoal_signed_text *t, uint32_t group, uint32_t value)
{
    uint64_t low = t->begin[group], high = t->begin[group + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (t->values[t->rows[middle]] == value) return t->rows[middle];
        if (t->values[t->rows[middle]] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return SHOAL_NO_CODE;
}

/* The signature that the state keeps for a row of the table and that has its value, or
 * SHOAL_NO_CODE. */
static uint32_t kept_signature(const shoal_change *c, uint64_t row)
{
    uint32_t old = c->old_rows[row];
    if (old == SHOAL_NO_CODE) return SHOAL_NO_CODE;
    uint32_t signature = c->state->rows[old].slot;
    return shoal_signature_find(&c->state->slots, signature, c->values[row]) != SHOAL_NO_CODE
               ? signature
               : SHOAL_NO_CODE;
}

/* Each row of the text may have at most one record, so no record can hide another. */
static shoal_status check_record(checker *k, uint64_t row, shoal_error *err)
{
    shoal_invariance *v = k->v;
    uint32_t number = v->group_of_row[row], kept = kept_signature(v->change, row);
    v->found_signatures[row] = SHOAL_NO_CODE;
    if (number == 0)
        return kept == SHOAL_NO_CODE
                   ? SHOAL_OK
                   : fail_release("a record that was published before is missing", err);
    if (number > k->text.n_groups) return fail_release("a record is in no group", err);
    uint32_t at = find_value(&k->text, number - 1, v->change->values[row]);
    if (at == SHOAL_NO_CODE)
        return fail_release("the group of a record does not have its value", err);
    if (k->is_record[at]) return fail_release("two records are assigned to one row", err);
    if (kept != SHOAL_NO_CODE && k->signatures[number - 1] != kept)
        return fail_release(
            "the group of a record has a different signature than in an earlier release", err);
    k->is_record[at] = 1;
    k->records[number - 1]++;
    v->found_signatures[row] = k->signatures[number - 1];
    return SHOAL_OK;
}

/* First the signature of every group, then every row of the table against its group. */
static shoal_status check_records(checker *k, shoal_error *err)
{
    shoal_invariance *v = k->v;
    for (uint32_t g = 0; g < k->text.n_groups; g++)
        if (!shoal_signed_text_signature(&k->signatures[g], &k->text, &v->change->state->slots, g))
            return shoal_fail_memory(err);
    for (uint64_t row = 0; row < v->change->table->n_rows; row++)
        SHOAL_RETURN_IF_ERROR(check_record(k, row, err));
    for (uint32_t g = 0; g < k->text.n_groups; g++)
        if (k->records[g] == 0) return fail_release("a group has only counterfeits", err);
    return SHOAL_OK;
}

/* ---- coverage, and what is lost ---- */

/* A text that is a value and also a wider label is read as the value for the records that have it.
 */
static shoal_status weigh_records(checker *k, const shoal_published *read,
                                  const shoal_column *column, shoal_error *err)
{
    const shoal_invariance *v = k->v;
    for (uint64_t row = 0; row < v->change->table->n_rows; row++) {
        if (v->group_of_row[row] == 0) continue;
        uint32_t group = v->group_of_row[row] - 1,
                 text = shoal_column_code(column, k->text.rows[k->text.begin[group]]);
        uint32_t code = shoal_column_code(read->attr->source, row);
        if (!shoal_published_covers(read, text, code))
            return fail_release("a group does not cover one of its records", err);
        k->loss += read->readings[text].code == code ? read->readings[text].loss
                                                     : read->readings[text].wide_loss;
    }
    return SHOAL_OK;
}

/* Column by column: texts are read once for each attribute. */
static shoal_status check_coverage(checker *k, shoal_error *err)
{
    const shoal_invariance *v = k->v;
    for (uint32_t a = 0; a < v->space.n_attrs; a++) {
        shoal_published read;
        const shoal_attribute *attr = &v->space.attrs[a];
        const shoal_column *column =
            &k->text.table->columns[shoal_table_find_column(k->text.table, attr->source->name)];
        SHOAL_RETURN_IF_ERROR(shoal_published_read(&read, v->change->table, attr, column->values,
                                                   column->n_values, err));
        shoal_status status = weigh_records(k, &read, column, err);
        shoal_published_clear(&read);
        SHOAL_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

/* ---- counterfeits ---- */

/* Digits up to `end`, which is then behind them; SHOAL_NO_CODE: there are none. */
static uint32_t next_number(const char **at, const char *end)
{
    uint64_t number = 0;
    const char *from = *at;
    while (*at < end && **at >= '0' && **at <= '9' && number < SHOAL_NO_CODE)
        number = number * 10 + (uint64_t)(*(*at)++ - '0');
    return *at > from && number < SHOAL_NO_CODE ? (uint32_t)number : SHOAL_NO_CODE;
}

/* A line of group and count; false: it is none. */
static bool read_line(uint32_t *group, uint32_t *count, const char **at, const char *end,
                      char delimiter)
{
    *group = next_number(at, end);
    if (*group == SHOAL_NO_CODE || *at == end || *(*at)++ != delimiter) return false;
    *count = next_number(at, end);
    return *count != SHOAL_NO_CODE && *at < end && *(*at)++ == '\n';
}

/* Lines are in the order of groups, without leading zeros to tolerate: the text is ours. */
static shoal_status check_counterfeits(checker *k, const shoal_sink_text *table, shoal_error *err)
{
    shoal_invariance *v = k->v;
    const char *at = table->size > 0 ? memchr(table->data, '\n', table->size) : NULL,
               *end = table->data + table->size;
    at = at != NULL ? at + 1 : end;
    for (uint32_t g = 0; g < k->text.n_groups; g++) {
        uint32_t group, count,
            n = (uint32_t)(k->text.begin[g + 1] - k->text.begin[g]) - k->records[g];
        if (n == 0) continue;
        if (!read_line(&group, &count, &at, end, shoal_table_delimiter(v->change->table)) ||
            group != g + 1 || count != n)
            return fail_release("the table of counterfeits has wrong counts", err);
        v->n_counterfeits += n;
        v->n_counterfeit_groups++;
    }
    return at == end ? SHOAL_OK : fail_release("the table of counterfeits has too many rows", err);
}

/* ---- all of it ---- */

/* Records that are not published lose 1 each. */
static void set_result(const checker *k)
{
    shoal_invariance *v = k->v;
    shoal_series_entry *e = &v->change->entry;
    v->check = (shoal_check_result){ .n_rows = k->text.table->n_rows,
                                     .n_groups = k->text.n_groups,
                                     .min_group = UINT64_MAX };
    e->min_records = UINT64_MAX;
    for (uint32_t g = 0; g < k->text.n_groups; g++) {
        uint64_t n = k->text.begin[g + 1] - k->text.begin[g];
        if (n < v->check.min_group) v->check.min_group = n;
        if (k->records[g] < e->min_records) e->min_records = k->records[g];
        e->published += k->records[g];
    }
    e->groups = v->check.n_groups;
    e->min_group = v->check.min_group;
    e->counterfeits = v->n_counterfeits;
    e->rows = v->change->table->n_rows;
    e->gcp = (k->loss / v->space.n_attrs + (double)(e->rows - e->published)) / (double)e->rows;
}

/* Everything is read from the two texts, with the table and the state for comparison. */
static shoal_status check_all(checker *k, const shoal_sink_text *release,
                              const shoal_sink_text *counterfeits, shoal_error *err)
{
    shoal_invariance *v = k->v;
    SHOAL_RETURN_IF_ERROR(
        shoal_signed_text_read(&k->text, v->change, release->data, release->size, err));
    k->signatures = shoal_alloc(k->text.n_groups, sizeof *k->signatures);
    k->is_record = shoal_alloc_zero((size_t)k->text.table->n_rows, sizeof *k->is_record);
    k->records = shoal_alloc_zero(k->text.n_groups, sizeof *k->records);
    v->found_signatures = shoal_alloc((size_t)v->change->table->n_rows,
                                      sizeof *v->found_signatures);
    if (k->signatures == NULL || k->is_record == NULL || k->records == NULL ||
        v->found_signatures == NULL)
        return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(check_records(k, err));
    SHOAL_RETURN_IF_ERROR(check_coverage(k, err));
    SHOAL_RETURN_IF_ERROR(check_counterfeits(k, counterfeits, err));
    set_result(k);
    return SHOAL_OK;
}

/* On success the entry and the check of the release are set from the text. */
shoal_status shoal_invariance_verify(shoal_invariance *v, const shoal_sink_text *release,
                                     const shoal_sink_text *counterfeits, shoal_error *err)
{
    checker k = { .v = v };
    shoal_status status = check_all(&k, release, counterfeits, err);
    shoal_signed_text_clear(&k.text);
    shoal_free(k.signatures);
    shoal_free(k.is_record);
    shoal_free(k.records);
    return status;
}
