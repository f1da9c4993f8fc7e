/* SPDX-License-Identifier: Apache-2.0 */
/* growing_text.h - a text that grows by steps of any size, for a table that is loaded as it does
 * (table/growing.h).
 *
 * Bytes that are not there yet are quotes: code that reads them finds something else.
 */
#ifndef SHOAL_TEST_GROWING_TEXT_H
#define SHOAL_TEST_GROWING_TEXT_H

#include "table/growing.h"

#include <stdlib.h>
#include <string.h>

typedef struct growing_text {
    const char *from;
    char *to;
    size_t size, there, step;
    size_t fails_at; /* with so many bytes or more; 0: never */
} growing_text;

static inline shoal_status growing_text_grow(void *payload, shoal_growth *now, shoal_error *err)
{
    growing_text *text = payload;
    size_t n = text->size - text->there < text->step ? text->size - text->there : text->step;
    if (text->fails_at > 0 && text->there >= text->fails_at)
        return shoal_fail(err, SHOAL_EDATA, "no more text {fix} get it again");
    memcpy(text->to + text->there, text->from + text->there, n);
    text->there += n;
    *now = (shoal_growth){ .size = text->there,
                           .is_complete = text->there == text->size,
                           .share = text->size > 0 ? (double)text->there / (double)text->size : 1 };
    return SHOAL_OK;
}

static inline void growing_text_release(void *payload)
{
    growing_text *text = payload;
    free(text->to);
    free(text);
}

/* Of an opened table, whose text is complete: only the header is there, and the rest grows. */
static inline growing_text *growing_text_begin(shoal_table *table, size_t step, size_t fails_at)
{
    growing_text *text = malloc(sizeof *text);
    if (text == NULL) abort();
    shoal_text_source *source = shoal_table_own_text(table);
    *text = (growing_text){ source->data, malloc(source->size + 1),
                            source->size, source->body,
                            step,         fails_at };
    if (text->to == NULL) abort();
    memset(text->to, '"', text->size + 1);
    memcpy(text->to, text->from, text->there);
    source->data = text->to;
    source->size = text->there;
    source->grow = growing_text_grow;
    source->release = growing_text_release;
    source->release_payload = text;
    return text;
}

#endif
