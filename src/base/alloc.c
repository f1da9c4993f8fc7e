/* SPDX-License-Identifier: Apache-2.0 */
/* alloc.c - arrays, copies of text and growing buffers in memory of the library's allocator
 * (allocator.c).
 *
 * Has no state: libshoal-io carries a copy of this file, so that libshoal exports public functions
 * alone.
 */
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void *shoal_resize(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return shoal_reallocate(block, bytes > 0 ? bytes : 1); /* never size 0: that would free */
}

void *shoal_alloc(size_t count, size_t size)
{
    return shoal_resize(NULL, count, size);
}

void shoal_free(void *block)
{
    if (block != NULL) shoal_reallocate(block, 0);
}

char *shoal_copy_text(const char *text, size_t length)
{
    char *copy = shoal_alloc(length + 1, 1);
    if (copy == NULL) return NULL;
    if (length > 0) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

bool shoal_reserve(void **block, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity) return true;
    size_t grown = *capacity < 8 ? 8 : *capacity * 2;
    if (grown < need) grown = need;
    void *moved = shoal_resize(*block, grown, size);
    if (moved == NULL) return false;
    *block = moved;
    *capacity = grown;
    return true;
}

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

void *shoal_arena_alloc(shoal_arena *arena, size_t size)
{
    enum { BLOCK = 65536 };
    /* up to a multiple of 16, so that every piece is aligned */
    size_t rounded = (size + 15) & ~(size_t)15;
    if (rounded < size) return NULL; /* size + 15 wrapped around */
    struct arena_block *last = arena->last;
    if (last == NULL || last->size - last->used < rounded) {
        size_t room = rounded > BLOCK ? rounded : BLOCK;
        if (room > SIZE_MAX - sizeof *last) return NULL;
        last = shoal_alloc(sizeof *last + room, 1);
        if (last == NULL) return NULL;
        *last = (struct arena_block){ .before = arena->last, .size = room };
        arena->last = last;
    }
    void *piece = last->bytes + last->used;
    last->used += rounded;
    return piece;
}

void shoal_arena_clear(shoal_arena *arena)
{
    while (arena->last != NULL) {
        struct arena_block *before = arena->last->before;
        shoal_free(arena->last);
        arena->last = before;
    }
}

void shoal_buffer_add(shoal_buffer *buffer, const void *data, size_t size)
{
    if (buffer->failed || size == 0) return;
    void *block = buffer->data;
    if (size > SIZE_MAX - buffer->size - 1 || /* one more byte for the NUL that ends the text */
        !shoal_reserve(&block, &buffer->capacity, buffer->size + size + 1, 1)) {
        buffer->failed = true;
        return;
    }
    buffer->data = block;
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void shoal_buffer_print(shoal_buffer *buffer, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text) {
        buffer->failed = true; /* long texts go through shoal_buffer_add */
        return;
    }
    shoal_buffer_add(buffer, text, (size_t)n);
}

void shoal_buffer_clear(shoal_buffer *buffer)
{
    shoal_free(buffer->data);
    *buffer = (shoal_buffer){ 0 };
}
