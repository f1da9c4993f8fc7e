/* SPDX-License-Identifier: Apache-2.0 */
/* csv_index.c - list the separators and line feeds of a stretch of text.
 *
 * Each 64 bytes become a mask of marks and a mask of line feeds. The positions of the bits are written four at a time,
 * whether there are that many or not, so that no branch depends on the length of fields; surplus entries are overwritten
 * by the next ones.
 * Cost: O(bytes), about 0.13 ns per byte with AVX2 (docs/performance.md).
 */
#include "table/csv_index.h"

#include "table/marks.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define SHOAL_HAS_AVX2
#include <immintrin.h>
#endif

typedef struct chunk_masks {
    uint64_t marks, feeds;
    bool is_odd; /* contains a quote or a NUL byte */
} chunk_masks;

static void begin_index(shoal_csv_index *index)
{
    index->n_marks = index->n_feeds = 0;
    index->marks[0] = UINT16_MAX; /* -1: + 1 wraps to 0, the start of the first field */
    index->feeds[0] = 0;
}

static void add_chunk(shoal_csv_index *index, size_t base, const chunk_masks *masks)
{
    for (uint64_t marks = masks->marks; marks != 0; marks &= marks - 1) { /* from the lowest set bit on */
        index->marks[++index->n_marks] = (uint16_t)(base + (size_t)__builtin_ctzll(marks));
        /* marks & -marks is the lowest set bit: is this mark a line feed? */
        if (masks->feeds & marks & -marks) index->feeds[++index->n_feeds] = (uint16_t)index->n_marks;
    }
}

static chunk_masks chunk_plainly(const char *text, char delimiter)
{
    chunk_masks masks = { .marks = shoal_csv_mask(text, delimiter), .feeds = shoal_csv_mask(text, '\n') };
    uint8_t odd = 0;
    for (int i = 0; i < 64; i++) odd |= (uint8_t)((text[i] == '"') | (text[i] == '\0'));
    masks.is_odd = odd != 0;
    return masks;
}

/* The last bytes, fewer than 64, padded by a byte that is no mark. */
static void add_rest(shoal_csv_index *index, const char *text, size_t base, size_t size, char delimiter)
{
    char padded[64];
    memset(padded, delimiter == ' ' ? '.' : ' ', sizeof padded);
    memcpy(padded, text + base, size - base);
    chunk_masks masks = chunk_plainly(padded, delimiter);
    index->is_plain = index->is_plain && !masks.is_odd;
    add_chunk(index, base, &masks);
}

void shoal_csv_index_make_plainly(shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
    begin_index(index);
    bool is_odd = false;
    size_t at = 0;
    for (; at + 64 <= size; at += 64) {
        chunk_masks masks = chunk_plainly(text + at, delimiter);
        is_odd |= masks.is_odd;
        add_chunk(index, at, &masks);
    }
    index->is_plain = !is_odd;
    if (at < size) add_rest(index, text, at, size, delimiter);
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

WITH_AVX2 static inline void add_chunk_avx2(shoal_csv_index *index, size_t base, uint64_t marks, uint64_t feeds)
{
    uint16_t *to = index->marks + index->n_marks + 1;
    uint32_t n = (uint32_t)_mm_popcnt_u64(marks);
    uint32_t n_feeds = (uint32_t)_mm_popcnt_u64(feeds);
    /* The number of marks before a line feed gives its index. The first one is written without a branch (surplus if there
     * is none); two in 64 bytes are rare. */
    index->feeds[index->n_feeds + 1] = (uint16_t)(index->n_marks + 1 + (uint32_t)_mm_popcnt_u64(marks & (_blsi_u64(feeds) - 1)));
    for (uint32_t i = 2; i <= n_feeds; i++) {
        feeds = _blsr_u64(feeds);
        index->feeds[index->n_feeds + i] = (uint16_t)(index->n_marks + 1 + (uint32_t)_mm_popcnt_u64(marks & (_blsi_u64(feeds) - 1)));
    }
    marks = write_four(to, base, marks);
    marks = write_four(to + 4, base, marks);
    marks = write_four(to + 8, base, marks);
    for (uint32_t done = 12; done < n; done += 4) marks = write_four(to + done, base, marks);
    index->n_marks += n;
    index->n_feeds += n_feeds;
}

WITH_AVX2 static void index_avx2(shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
    const __m256i separators = _mm256_set1_epi8(delimiter), line_feeds = _mm256_set1_epi8('\n');
    const __m256i quotes = _mm256_set1_epi8('"'), nuls = _mm256_setzero_si256();
    __m256i odd = _mm256_setzero_si256();
    begin_index(index);
    size_t at = 0;
    for (; at + 64 <= size; at += 64) {
        uint64_t marks = 0, feeds = 0;
        for (int half = 0; half < 2; half++) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + at + 32 * half));
            __m256i is_feed = _mm256_cmpeq_epi8(bytes, line_feeds);
            __m256i is_mark = _mm256_or_si256(is_feed, _mm256_cmpeq_epi8(bytes, separators));
            odd = _mm256_or_si256(odd, _mm256_or_si256(_mm256_cmpeq_epi8(bytes, quotes), _mm256_cmpeq_epi8(bytes, nuls)));
            marks |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_mark) << (32 * half);
            feeds |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_feed) << (32 * half);
        }
        add_chunk_avx2(index, at, marks, feeds);
    }
    index->is_plain = _mm256_testz_si256(odd, odd) != 0;
    if (at < size) add_rest(index, text, at, size, delimiter);
}

#endif

void shoal_csv_index_make(shoal_csv_index *index, const char *text, size_t size, char delimiter)
{
#ifdef SHOAL_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt")) {
        index_avx2(index, text, size, delimiter);
        return;
    }
#endif
    shoal_csv_index_make_plainly(index, text, size, delimiter);
}
