/* SPDX-License-Identifier: Apache-2.0 */
/* tuple_pool.c - numbers for tuples of texts: two dictionaries, one of texts and one of tuples of their numbers.
 *
 * Cost: O(bytes) for each tuple that is added.
 */
#include "series/series_state.h"

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

uint32_t shoal_tuple_pool_add(shoal_tuple_pool *pool, const shoal_text *texts)
{
    uint32_t few[16], *numbers = pool->n <= 16 ? few : shoal_alloc(pool->n, sizeof *numbers), tuple = SHOAL_NO_CODE;
    bool ok = numbers != NULL;
    for (uint32_t i = 0; ok && i < pool->n; i++) {
        const char *text = texts[i].length > 0 ? texts[i].data : "";
        numbers[i] = shoal_dictionary_add(&pool->texts, text, texts[i].length, text + texts[i].length, &pool->arena);
        ok = numbers[i] != SHOAL_NO_CODE;
    }
    const char *bytes = (const char *)numbers;
    size_t size = pool->n * sizeof *numbers;
    if (ok) tuple = shoal_dictionary_add(&pool->tuples, size > 0 ? bytes : "", size, size > 0 ? bytes + size : "", &pool->arena);
    if (numbers != few) shoal_free(numbers);
    return tuple;
}

shoal_text shoal_tuple_pool_text(const shoal_tuple_pool *pool, uint32_t tuple, uint32_t place)
{
    uint32_t number;
    memcpy(&number, pool->tuples.values[tuple].data + place * sizeof number, sizeof number);
    return pool->texts.values[number];
}
