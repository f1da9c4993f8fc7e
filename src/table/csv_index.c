/* SPDX-License-Identifier: Apache-2.0 */
/* csv_index.c - list the separators and line feeds of a stretch of text.
 *
 * Each 64 bytes become a mask of marks and a mask of line feeds. The positions of the bits are
 * written four at a time, whether there are that many or not, so that no branch depends on the
 * length of fields; surplus entries are overwritten by the next ones. Where there are quotes, the
 * exclusive or of all quotes up to a byte determines whether it is inside a quoted field: 64 bytes
 * at once, and the marks there are cleared. Cost: O(bytes), about 0.13 ns per byte with AVX2
 * (docs/performance.md).
 */
#include "table/csv_index.h"

#include "table/marks.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SHOAL_HAS_AVX2
#include <immintrin.h>
#endif

typedef struct chunk_masks {
    uint64_t marks, feeds, quotes;
} chunk_masks;

/* State carried over from the bytes before a chunk; each flag is the lowest bit, `inside` is all
 * bits. */
typedef struct quote_state {
    uint64_t inside;       /* the last byte before it is inside a quoted field */
    uint64_t after_mark;   /* it is a separator or a line feed, or the stretch begins here */
    uint64_t after_close;  /* it is a closing quote */
    uint64_t after_return; /* it is a carriage return behind a closing quote */
    bool has_quotes, is_bad, has_escape;
} quote_state;

static void begin_index(shoal_csv_index *index)
{
    index->n_marks = index->n_feeds = 0;
    index->marks[0] = UINT16_MAX; /* -1: + 1 wraps to 0, the start of the first field */
    index->feeds[0] = 0;
}

static void add_chunk(shoal_csv_index *index, size_t base, const chunk_masks *masks)
{
    /* from the lowest set bit on */
    for (uint64_t marks = masks->marks; marks != 0; marks &= marks - 1) {
        index->marks[++index->n_marks] = (uint16_t)(base + (size_t)__builtin_ctzll(marks));
        /* marks & -marks is the lowest set bit: is this mark a line feed? */
        if (masks->feeds & marks & -marks)
            index->feeds[++index->n_feeds] = (uint16_t)index->n_marks;
    }
}

/* Bit i: is the number of bits up to i odd? */
static inline uint64_t prefix_xor(uint64_t bits)
{
    for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
    return bits;
}

/*
 * Clear the marks inside quotes. A quote must open a field, close one or be half of a pair inside
 * one, and a closing quote must end its field; otherwise the list is not valid. `valid`: the bytes
 * that are text.
 */
static inline void resolve_quotes(quote_state *s, chunk_masks *m, uint64_t returns, uint64_t valid)
{
    uint64_t inside = prefix_xor(m->quotes) ^ s->inside;
    uint64_t opening = m->quotes & inside, closing = m->quotes & ~inside;
    m->marks &= ~inside;
    m->feeds &= ~inside;
    uint64_t after_mark = m->marks << 1 | s->after_mark,
             after_close = closing << 1 | s->after_close;
    uint64_t after_return = (returns & after_close) << 1 | s->after_return;
    uint64_t bad = opening & ~(after_mark | after_close);
    bad |= after_close & ~(m->marks | opening | returns);
    bad |= after_return & ~m->feeds;
    s->has_quotes = true;
    s->is_bad = s->is_bad || (bad & valid) != 0;
    s->has_escape = s->has_escape || (opening & after_close) != 0;
    s->inside = (uint64_t)0 - (inside >> 63);
    s->after_close = closing >> 63;
    s->after_return = (returns & after_close) >> 63;
}

/* Does a quote, in this chunk or before it, affect the chunk? */
static inline bool has_to_resolve(const quote_state *s, const chunk_masks *m)
{
    return (m->quotes | s->inside | s->after_close | s->after_return) != 0;
}

static uint64_t mask_plainly(const char *text, char byte)
{
    uint64_t mask = 0;
    for (int i = 0; i < 64; i++) mask |= (uint64_t)(text[i] == byte) << i;
    return mask;
}

static void add_plainly(shoal_csv_index *index, quote_state *s, const char *text, size_t base,
                        char delimiter, uint64_t valid)
{
    chunk_masks masks = { .marks = shoal_csv_mask(text, delimiter),
                          .feeds = shoal_csv_mask(text, '\n'),
                          .quotes = mask_plainly(text, '"') };
    s->is_bad = s->is_bad || (mask_plainly(text, '\0') & valid) != 0;
    if (has_to_resolve(s, &masks)) resolve_quotes(s, &masks, mask_plainly(text, '\r'), valid);
    s->after_mark = masks.marks >> 63;
    add_chunk(index, base, &masks);
}

/* Add the last bytes, fewer than 64, padded by a byte that is no mark. */
static void finish_index(shoal_csv_index *index, quote_state *s, const char *text, size_t base,
                         size_t size, char delimiter)
{
    if (base < size) {
        char padded[64];
        memset(padded, delimiter == ' ' ? '.' : ' ', sizeof padded);
        memcpy(padded, text + base, size - base);
        add_plainly(index, s, padded, base, delimiter, ~(uint64_t)0 >> (64 - (size - base)));
    }
    index->is_regular = !s->is_bad;
    index->is_plain = !s->is_bad && !s->has_quotes;
    index->has_escape = s->has_escape;
}

void shoal_csv_index_make_plainly(shoal_csv_index *index, const char *text, size_t size,
                                  char delimiter)
{
    quote_state s = { .after_mark = 1 };
    size_t at = 0;
    begin_index(index);
    for (; at + 64 <= size; at += 64)
        add_plainly(index, &s, text + at, at, delimiter, ~(uint64_t)0);
    finish_index(index, &s, text, at, size, delimiter);
}

#ifdef SHOAL_HAS_AVX2

#define WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))

/* Write four positions; tzcnt of an empty mask is 64, which gives a surplus entry. */
WITH_AVX2 static inline uint64_t write_four(uint16_t *to, size_t base, uint64_t marks)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (uint16_t)(base + _tzcnt_u64(marks));
        marks = _blsr_u64(marks);
    }
    return marks;
}

WITH_AVX2 static inline void add_chunk_avx2(shoal_csv_index *index, size_t base, uint64_t marks,
                                            uint64_t feeds)
{
    uint16_t *to = index->marks + index->n_marks + 1;
    uint32_t n = (uint32_t)_mm_popcnt_u64(marks);
    uint32_t n_feeds = (uint32_t)_mm_popcnt_u64(feeds);
    /* The number of marks before a line feed gives its index. The first one is written without a
     * branch (surplus if there is none); two in 64 bytes are rare. */
    index->feeds[index->n_feeds + 1] = (uint16_t)(index->n_marks + 1 +
                                                  (uint32_t)_mm_popcnt_u64(marks &
                                                                           (_blsi_u64(feeds) - 1)));
    for (uint32_t i = 2; i <= n_feeds; i++) {
        feeds = _blsr_u64(feeds);
        index->feeds[index->n_feeds + i] = (uint16_t)(index->n_marks + 1 +
                                                      (uint32_t)_mm_popcnt_u64(
                                                          marks & (_blsi_u64(feeds) - 1)));
    }
    marks = write_four(to, base, marks);
    marks = write_four(to + 4, base, marks);
    marks = write_four(to + 8, base, marks);
    for (uint32_t done = 12; done < n; done += 4) marks = write_four(to + done, base, marks);
    index->n_marks += n;
    index->n_feeds += n_feeds;
}

WITH_AVX2 static inline uint64_t mask_avx2(const char *text, char byte)
{
    const __m256i wanted = _mm256_set1_epi8(byte);
    uint64_t low = (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)text), wanted));
    uint64_t high = (uint32_t)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(text + 32)), wanted));
    return low | high << 32;
}

WITH_AVX2 static void index_avx2(shoal_csv_index *index, const char *text, size_t size,
                                 char delimiter)
{
    quote_state s = { .after_mark = 1 };
    size_t at = 0;
    begin_index(index);
    for (; at + 64 <= size; at += 64) {
        chunk_masks m = { .feeds = mask_avx2(text + at, '\n'),
                          .quotes = mask_avx2(text + at, '"') };
        m.marks = m.feeds | mask_avx2(text + at, delimiter);
        s.is_bad |= mask_avx2(text + at, '\0') != 0;
        if (has_to_resolve(&s, &m))
            resolve_quotes(&s, &m, mask_avx2(text + at, '\r'), ~(uint64_t)0);
        s.after_mark = m.marks >> 63;
        add_chunk_avx2(index, at, m.marks, m.feeds);
    }
    finish_index(index, &s, text, at, size, delimiter);
}

#endif

void shoal_csv_index_make(shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
#ifdef SHOAL_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("popcnt")) {
        index_avx2(index, text, size, delimiter);
        return;
    }
#endif
    shoal_csv_index_make_plainly(index, text, size, delimiter);
}
