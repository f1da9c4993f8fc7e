/* SPDX-License-Identifier: Apache-2.0 */
/* splice.c - rows of a release, spliced; see splice.h.
 *
 * Field ends come from the masks of marks.h. Copies go in whole steps of 32 bytes, which costs less than asking how
 * long a short text is; what is written too much is overwritten by what follows. The last bytes of the input are copied
 * to their length. Cost of a row: its bytes / 64, its fields up to the last one copied, and one step a text.
 */
#include "release/splice.h"
#include "table/marks.h"

/* Copies size bytes; may read and write up to 32 bytes at a time, so up to 31 behind both. */
static inline char *copy_steps(char *out, const char *from, size_t size)
{
    size_t done = 0;
    do {
        memcpy(out + done, from + done, SHOAL_SPLICE_SLACK);
        done += SHOAL_SPLICE_SLACK;
    } while (done < size);
    return out + size;
}

/* Long stretches are for memcpy; near the end of the input nothing may be read behind it. */
static inline char *copy_input(char *out, const char *from, size_t size, const char *input_end)
{
    if (size <= 4 * SHOAL_SPLICE_SLACK && (size_t)(input_end - from) >= size + SHOAL_SPLICE_SLACK)
        return copy_steps(out, from, size);
    memcpy(out, from, size);
    return out + size;
}

char *shoal_splice_row(const shoal_splice *splice, char *out, const char *record, const uint32_t *texts)
{
    const shoal_table *table = splice->table;
    const char *input_end = table->data + table->data_size, *field = record, *mark = record;
    shoal_marks marks;
    shoal_marks_start(&marks, record, input_end, table->delimiter);
    size_t column = 0; /* `field` is where it begins */
    for (size_t s = 0; s < splice->n_stretches; s++) {
        const shoal_stretch *stretch = &splice->stretches[s];
        if (s > 0) *out++ = table->delimiter;
        if (stretch->attr != SHOAL_NO_CODE) {
            shoal_text text = splice->texts[stretch->attr][texts[stretch->attr]];
            out = copy_steps(out, text.data, text.length);
            continue;
        }
        for (; column < stretch->first; column++) field = shoal_marks_next(&marks) + 1;
        const char *begin = field;
        for (;; column++) {
            mark = shoal_marks_next(&marks);
            if (column == stretch->last) break;
            field = mark + 1;
        }
        bool is_line_end = mark == input_end || *mark == '\n';
        size_t cut = is_line_end && mark > field && mark[-1] == '\r';
        out = copy_input(out, begin, (size_t)(mark - begin) - cut, input_end);
        field = mark + 1;
        column++;
    }
    memcpy(out, splice->line_end, splice->line_end_size);
    return out + splice->line_end_size;
}

/* ---- planning ---- */

static bool plan_stretches(shoal_splice *splice, const uint32_t *attr_of_column, const uint8_t *is_published)
{
    size_t n_columns = splice->table->n_columns, n = 0;
    splice->stretches = shoal_alloc(n_columns, sizeof *splice->stretches);
    if (splice->stretches == NULL) return false;
    for (size_t c = 0; c < n_columns; c++) {
        if (!is_published[c]) continue;
        shoal_stretch *last = n > 0 ? &splice->stretches[n - 1] : NULL;
        bool is_copied = attr_of_column[c] == SHOAL_NO_CODE;
        if (is_copied && last != NULL && last->attr == SHOAL_NO_CODE && last->last + 1 == c)
            last->last = c;
        else
            splice->stretches[n++] = (shoal_stretch){ attr_of_column[c], c, c };
    }
    splice->n_stretches = n;
    return true;
}

/* Texts side by side, with room to read behind the last one. */
static bool gather_texts(shoal_splice *splice, const shoal_recoding *recoding)
{
    size_t size = SHOAL_SPLICE_SLACK, at = 0;
    for (uint32_t a = 0; a < recoding->n_attrs; a++)
        for (uint32_t t = 0; t < recoding->columns[a].n_texts; t++) size += recoding->columns[a].csv[t].length;
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
                       const uint32_t *attr_of_column, const uint8_t *is_published, const char *line_end)
{
    *out = (shoal_splice){ .table = table, .line_end = line_end, .line_end_size = strlen(line_end) };
    if (plan_stretches(out, attr_of_column, is_published) && gather_texts(out, recoding)) return true;
    shoal_splice_clear(out);
    return false;
}

void shoal_splice_clear(shoal_splice *splice)
{
    for (uint32_t a = 0; splice->texts != NULL && a < splice->n_attrs; a++) shoal_free(splice->texts[a]);
    shoal_free(splice->texts);
    shoal_free(splice->bytes);
    shoal_free(splice->stretches);
    *splice = (shoal_splice){ 0 };
}
