/* SPDX-License-Identifier: Apache-2.0 */
/* splice.c - the fast path for rows of a release; see splice.h.
 *
 * Field ends come from the list of separators (csv_index.h). Copies are made in whole steps of 32
 * bytes, which is faster than branching on the length of a short text; the surplus is overwritten
 * by what follows. The last bytes of the input are copied exactly. Cost per row: one step for each
 * 32 bytes and for each text.
 */
#include "publish/splice.h"

#include <string.h>

/* Copies `size` bytes in steps of 32, so it may read and write up to 32 bytes more. */
static inline char *copy_steps(char *out, const char *from, size_t size)
{
    size_t done = 0;
    do {
        memcpy(out + done, from + done, SHOAL_SPLICE_SLACK);
        done += SHOAL_SPLICE_SLACK;
    } while (done < size);
    return out + size;
}

/* memcpy for long pieces, and near the end of the input, where no bytes after it may be read. */
static inline char *copy_input(char *out, const char *from, size_t size, const char *input_end)
{
    if (size <= 4 * SHOAL_SPLICE_SLACK && (size_t)(input_end - from) >= size + SHOAL_SPLICE_SLACK)
        return copy_steps(out, from, size);
    memcpy(out, from, size);
    return out + size;
}

char *shoal_splice_row(const shoal_splice *splice, char *out, const char *text,
                       const uint16_t *marks, const uint32_t *texts)
{
    const shoal_table *table = splice->table;
    const char *input_end = shoal_table_text_end(table),
               delimiter = shoal_table_text(table)->delimiter;
    for (size_t i = 0; i < splice->n_pieces; i++) {
        const shoal_splice_run *piece = &splice->pieces[i];
        if (i > 0) *out++ = delimiter;
        if (piece->attr != SHOAL_NO_CODE) {
            shoal_text recoded = splice->texts[piece->attr][texts[piece->attr]];
            out = copy_steps(out, recoded.data, recoded.length);
            continue;
        }
        /* The mark before the first field of the text is UINT16_MAX, which the cast wraps to begin
         * 0. */
        size_t begin = (uint16_t)(marks[piece->first] + 1), end = marks[piece->last + 1];
        if (piece->last + 1 == table->n_columns && end > begin && text[end - 1] == '\r') end--;
        out = copy_input(out, text + begin, end - begin, input_end);
    }
    memcpy(out, splice->line_end, splice->line_end_size);
    return out + splice->line_end_size;
}

/* ---- planning ---- */

static bool plan_pieces(shoal_splice *splice, const uint32_t *attr_of_column,
                        const uint8_t *is_published)
{
    size_t n_columns = splice->table->n_columns, n = 0;
    splice->pieces = shoal_alloc(n_columns, sizeof *splice->pieces);
    if (splice->pieces == NULL) return false;
    for (size_t c = 0; c < n_columns; c++) {
        if (!is_published[c]) continue;
        shoal_splice_run *last = n > 0 ? &splice->pieces[n - 1] : NULL;
        bool is_copied = attr_of_column[c] == SHOAL_NO_CODE;
        if (is_copied && last != NULL && last->attr == SHOAL_NO_CODE && last->last + 1 == c)
            last->last = c;
        else
            splice->pieces[n++] = (shoal_splice_run){ attr_of_column[c], c, c };
    }
    splice->n_pieces = n;
    return true;
}

/* Copy all texts into one block, with room to read after the last one. */
static bool gather_texts(shoal_splice *splice, const shoal_recoding *recoding)
{
    size_t size = SHOAL_SPLICE_SLACK, at = 0;
    for (uint32_t a = 0; a < recoding->n_attrs; a++)
        for (uint32_t t = 0; t < recoding->columns[a].n_texts; t++)
            size += recoding->columns[a].csv[t].length;
    splice->n_attrs = recoding->n_attrs;
    splice->bytes = shoal_alloc_zero(size, 1);
    splice->texts = shoal_alloc_zero(recoding->n_attrs, sizeof *splice->texts);
    if (splice->bytes == NULL || splice->texts == NULL) return false;
    for (uint32_t a = 0; a < recoding->n_attrs; a++) {
        const shoal_recoded_column *column = &recoding->columns[a];
        splice->texts[a] = shoal_alloc(column->n_texts, sizeof *splice->texts[a]);
        if (splice->texts[a] == NULL) return false;
        for (uint32_t t = 0; t < column->n_texts; t++) {
            shoal_text text = column->csv[t];
            memcpy(splice->bytes + at, text.data, text.length);
            splice->texts[a][t] = (shoal_text){ splice->bytes + at, text.length };
            at += text.length;
        }
    }
    return true;
}

bool shoal_splice_make(shoal_splice *out, const shoal_table *table, const shoal_recoding *recoding,
                       const uint32_t *attr_of_column, const uint8_t *is_published,
                       const char *line_end)
{
    *out = (shoal_splice){ .table = table,
                           .line_end = line_end,
                           .line_end_size = strlen(line_end) };
    if (plan_pieces(out, attr_of_column, is_published) && gather_texts(out, recoding)) return true;
    shoal_splice_clear(out);
    return false;
}

void shoal_splice_clear(shoal_splice *splice)
{
    for (uint32_t a = 0; splice->texts != NULL && a < splice->n_attrs; a++)
        shoal_free(splice->texts[a]);
    shoal_free(splice->texts);
    shoal_free(splice->bytes);
    shoal_free(splice->pieces);
    *splice = (shoal_splice){ 0 };
}
