/* SPDX-License-Identifier: Apache-2.0 */
/* marks.h - iterates over the separators and line feeds of CSV text, 64 bytes at a time.
 *
 * A mask has one bit per byte; the next mark is its lowest bit, so a field costs a few instructions
 * whatever its length. The caller must handle quoted fields itself.
 */
#ifndef SHOAL_MARKS_H
#define SHOAL_MARKS_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * Bit i is set when byte i of the 64 at `text` is the separator or a line feed. Tests compare both
 * variants.
 */
static inline uint64_t shoal_csv_mask_scalar(const char *text, char delimiter)
{
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++) mask |= (uint64_t)(text[i] == delimiter || text[i] == '\n') << i;
    return mask;
}

static inline uint64_t shoal_csv_mask(const char *text, char delimiter)
{
#ifdef __SSE2__
    const __m128i separators = _mm_set1_epi8(delimiter), feeds = _mm_set1_epi8('\n');
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
        __m128i hits = _mm_or_si128(_mm_cmpeq_epi8(bytes, separators),
                                    _mm_cmpeq_epi8(bytes, feeds));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(hits) << (16 * i);
    }
    return mask;
#else
    return shoal_csv_mask_scalar(text, delimiter);
#endif
}

typedef struct shoal_marks {
    const char *end;   /* of the text that may be read */
    const char *chunk; /* the 64 bytes of `mask`; fewer before `end` */
    uint64_t mask;     /* marks that were consumed are clear */
    char delimiter;
} shoal_marks;

static inline uint64_t shoal_marks_mask(const shoal_marks *marks, const char *text)
{
    size_t left = (size_t)(marks->end - text);
    if (left >= 64) return shoal_csv_mask(text, marks->delimiter);
    char padded[64] = { 0 }; /* NUL is never a separator */
    memcpy(padded, text, left);
    return shoal_csv_mask(padded, marks->delimiter);
}

static inline void shoal_marks_start(shoal_marks *marks, const char *at, const char *end,
                                     char delimiter)
{
    *marks = (shoal_marks){ .end = end, .chunk = at, .delimiter = delimiter };
    marks->mask = shoal_marks_mask(marks, at);
}

/* Continue at `at`, which must not be before the marks that were consumed. */
static inline void shoal_marks_move(shoal_marks *marks, const char *at)
{
    size_t ahead = (size_t)(at - marks->chunk);
    if (ahead < 64) {
        marks->mask &= ~(uint64_t)0 << ahead; /* clear the marks before `at` */
    } else {
        marks->chunk = at;
        marks->mask = shoal_marks_mask(marks, at);
    }
}

/* The next separator or line feed, or the end of the text. */
static inline const char *shoal_marks_next(shoal_marks *marks)
{
    while (marks->mask == 0) {
        if (marks->end - marks->chunk <= 64) return marks->end;
        marks->chunk += 64;
        marks->mask = shoal_marks_mask(marks, marks->chunk);
    }
    const char *mark = marks->chunk + __builtin_ctzll(marks->mask);
    marks->mask &= marks->mask - 1; /* clear the lowest bit */
    return mark;
}

#endif
