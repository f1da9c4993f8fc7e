/* SPDX-License-Identifier: Apache-2.0 */
/* tuple_pool.c - numbers for tuples of texts: two dictionaries, one of texts and one of tuples of
 * their numbers.
 *
 * The tuples (30..39, F) and (30..39, M) are two tuples of three texts:
 *
 *     texts    0 "30..39"   1 "F"   2 "M"
 *     tuples   0 (0, 1)     1 (0, 2)
 *
 * so a text that many tuples have is kept once, and tuples are compared by their numbers.
 *
 * Cost: O(bytes) for each tuple that is added.
 */
#include "series/series_state.h"

#include <assert.h>

bool shoal_tuple_pool_init(shoal_tuple_pool *pool, uint32_t n)
{
    *pool = (shoal_tuple_pool){ .n = n };
    return shoal_dictionary_init(&pool->texts, 0) && shoal_dictionary_init(&pool->tuples, 0);
}

void shoal_tuple_pool_clear(shoal_tuple_pool *pool)
{
    shoal_dictionary_clear(&pool->texts);
    shoal_dictionary_clear(&pool->tuples);
    shoal_arena_clear(&pool->arena);
    *pool = (shoal_tuple_pool){ 0 };
}

uint32_t shoal_tuple_pool_add_text(shoal_tuple_pool *pool, shoal_text text)
{
    const char *data = text.length > 0 ? text.data : "";
    return shoal_dictionary_add(&pool->texts, data, text.length, data + text.length, &pool->arena);
}

uint32_t shoal_tuple_pool_add_numbers(shoal_tuple_pool *pool, const uint32_t *numbers)
{
    const char *bytes = pool->n > 0 ? (const char *)numbers : "";
    size_t size = pool->n * sizeof *numbers;
    return shoal_dictionary_add(&pool->tuples, bytes, size, bytes + size, &pool->arena);
}

/* A tuple that is in the pool keeps its number: numbers are never reused. */
uint32_t shoal_tuple_pool_add(shoal_tuple_pool *pool, const shoal_text *texts)
{
    uint32_t few[16], *numbers = pool->n <= 16 ? few : shoal_alloc(pool->n, sizeof *numbers);
    bool ok = numbers != NULL;
    for (uint32_t i = 0; ok && i < pool->n; i++) {
        numbers[i] = shoal_tuple_pool_add_text(pool, texts[i]);
        ok = numbers[i] != SHOAL_NO_CODE;
    }
    uint32_t tuple = ok ? shoal_tuple_pool_add_numbers(pool, numbers) : SHOAL_NO_CODE;
    if (numbers != few) shoal_free(numbers);
    return tuple;
}

shoal_text shoal_tuple_pool_text(const shoal_tuple_pool *pool, uint32_t tuple, uint32_t place)
{
    uint32_t number;
    assert(tuple < pool->tuples.n_values && place < pool->n);
    memcpy(&number, pool->tuples.values[tuple].data + place * sizeof number, sizeof number);
    return pool->texts.values[number];
}
