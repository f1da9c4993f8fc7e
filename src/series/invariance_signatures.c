/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_signatures.c - sets of sensitive values as texts of a pool, and what m-invariance
 * cannot be held together with.
 *
 * The text of a signature is the numbers of its values, ascending, 4 bytes each, the lowest byte
 * first: the same on every machine. The signature {3, 258} is 03 00 00 00 02 01 00 00, eight bytes,
 * and has the size 2. Values ascend, so one is found by bisection.
 */
#include "series/invariance.h"

#include <assert.h>
#include <string.h>

enum { VALUE_BYTES = 4 };

/* Values must ascend, so that a set of values has one number. SHOAL_NO_CODE: memory is short. */
uint32_t shoal_signature_add(shoal_tuple_pool *pool, const uint32_t *values, uint32_t n)
{
    shoal_buffer bytes = { 0 };
    for (uint32_t i = 0; i < n; i++) {
        unsigned char one[VALUE_BYTES];
        for (size_t b = 0; b < VALUE_BYTES; b++) one[b] = (unsigned char)(values[i] >> (8 * b));
        shoal_buffer_add(&bytes, one, sizeof one);
    }
    shoal_text text = { bytes.data, bytes.size };
    uint32_t number = bytes.failed || n == 0 ? SHOAL_NO_CODE : shoal_tuple_pool_add(pool, &text);
    shoal_buffer_clear(&bytes);
    return number;
}

/* A signature is stored as one text: its values, VALUE_BYTES each. */
uint32_t shoal_signature_size(const shoal_tuple_pool *pool, uint32_t signature)
{
    return (uint32_t)(shoal_tuple_pool_text(pool, signature, 0).length / VALUE_BYTES);
}

uint32_t shoal_signature_value(const shoal_tuple_pool *pool, uint32_t signature, uint32_t i)
{
    assert(i < shoal_signature_size(pool, signature));
    const char *bytes = shoal_tuple_pool_text(pool, signature, 0).data + (size_t)i * VALUE_BYTES;
    uint32_t value = 0;
    for (size_t b = 0; b < VALUE_BYTES; b++) value |= (uint32_t)(unsigned char)bytes[b] << (8 * b);
    return value;
}

/* Binary search: the values of a signature ascend. */
uint32_t shoal_signature_find(const shoal_tuple_pool *pool, uint32_t signature, uint32_t value)
{
    uint32_t low = 0, high = shoal_signature_size(pool, signature);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2,
                 found = shoal_signature_value(pool, signature, middle);
        if (found == value) return middle;
        if (found < value)
            low = middle + 1;
        else
            high = middle;
    }
    return SHOAL_NO_CODE;
}

/* Is the signature one that an m-invariant series can have: at least m distinct, known values? */
bool shoal_signature_holds(const shoal_tuple_pool *pool, uint32_t signature, uint32_t m,
                           uint32_t n_values)
{
    uint32_t n = shoal_signature_size(pool, signature), before = 0;
    if (n == 0 || n < m || shoal_tuple_pool_text(pool, signature, 0).length % VALUE_BYTES != 0)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t value = shoal_signature_value(pool, signature, i);
        if (value >= n_values || (i > 0 && value <= before)) return false;
        before = value;
    }
    return true;
}

/* ---- what it cannot be held together with ---- */

/* A counterfeit has quasi-identifiers of its group and a sensitive value, and nothing else. */
static shoal_status check_columns(const shoal_table *table, shoal_error *err)
{
    size_t n_sensitive = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_column *column = &table->columns[c];
        n_sensitive += column->role == SHOAL_ROLE_SENSITIVE;
        if (column->role == SHOAL_ROLE_SENSITIVE && column->type != SHOAL_TYPE_CATEGORICAL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "m-invariance needs a categorical sensitive column, but '{column "
                              "%.200s}' is numeric or a date {fix} write {--categorical} %.200s",
                              column->name, column->name);
        if (shoal_role_is_person(column->role))
            return shoal_fail(
                err, SHOAL_EINVAL,
                "m-invariance treats each row as a person, but column '{column %.200s}' identifies "
                "persons {fix} remove {--entity} and {--pseudonym}",
                column->name);
        if (column->role == SHOAL_ROLE_QUASI && shoal_table_max_level(table, c) != UINT32_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "column '{column %.200s}' has a maximum level, which m-invariance "
                              "does not support {fix} remove {--max-level}",
                              column->name);
        if (column->role != SHOAL_ROLE_QUASI && column->role != SHOAL_ROLE_SENSITIVE &&
            shoal_role_is_published(column->role))
            return shoal_fail(
                err, SHOAL_EINVAL,
                "a counterfeit row has no value for column '{column %.200s}' and could be "
                "recognised by it {fix} drop the column with {--drop}, or {--rest} drop",
                column->name);
    }
    if (n_sensitive == 1) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "m-invariance needs exactly one sensitive column, but the table has %zu "
                      "{fix} name one with {--sensitive}",
                      n_sensitive);
}

shoal_status shoal_invariance_refuse(const shoal_table *table, const shoal_plan *plan,
                                     shoal_error *err)
{
    if (plan->m_invariance < 2)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "m-invariance: M must be at least 2 {fix} write, for example, {--m-invariance} 3");
    if (plan->k > plan->m_invariance)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "m-invariance: k must be at most M {fix} write {-k} %u, or use a larger M",
            plan->m_invariance);
    if (plan->n_models > 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "%s cannot be combined with m-invariance {fix} remove it; every group "
                          "has at least M distinct values",
                          plan->models[0].name);
    if (plan->algorithm != NULL || plan->n_params > 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "m-invariance has its own algorithm {fix} remove {--algorithm} and {--param}");
    if (plan->recoding > SHOAL_RECODE_LOCAL + 1)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--recoding} cannot be combined with m-invariance {fix} remove it");
    if (plan->pending == SHOAL_PENDING_STAR + 1 || plan->erasures == SHOAL_ERASURES_REFUSE + 1)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "{--pending} and {--erasures} cannot be combined with m-invariance {fix} remove them");
    return check_columns(table, err);
}
