/* SPDX-License-Identifier: Apache-2.0 */
/* csv_dialect.c - detects separator and header of a CSV text.
 *
 * The separator is the candidate that gives the first records the same number of fields, at least
 * two; among several the one with the most fields, then the first of the list. If no candidate
 * does, the one that gives the first record the most fields is taken, so that the message about the
 * ragged row makes sense; if none splits it, the table has one column.
 */
#include "table/csv.h"

static const char candidates[] = SHOAL_CSV_CANDIDATES;
enum { SAMPLE_BYTES = SHOAL_CSV_SAMPLE_BYTES, SAMPLE_RECORDS = SHOAL_CSV_SAMPLE_RECORDS };

static shoal_status check_no_nul(const char *data, size_t size, shoal_error *err)
{
    if (memchr(data, 0, size) == NULL) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EDATA,
        "{source csv}: the file has NUL bytes, so it is not plain text {fix} decompress it if it "
        "is compressed (only gzip and zstd are supported), or set its encoding with {--encoding}");
}

static bool begins_with(const char *data, size_t size, const char *mark)
{
    return size >= strlen(mark) && memcmp(data, mark, strlen(mark)) == 0;
}

/* An object or a list of them; `{A|B}` of a release is none. */
static bool is_json(const char *data, size_t size)
{
    const char *end = data + size;
    while (data < end && strchr(" \t\r\n", *data) != NULL) data++;
    if (data == end || (*data != '{' && *data != '[')) return false;
    char first = *data++;
    while (data < end && strchr(" \t\r\n", *data) != NULL) data++;
    return data < end && (first == '{' ? *data == '"' : *data == '{');
}

static bool is_markup(const char *data, size_t size)
{
    static const char *const marks[] = { "<?xml", "<!DOCTYPE", "<!doctype", "<html",
                                         "<HTML", "<table",    "<TABLE",    "<stata_dta" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (begins_with(data, size, marks[i])) return true;
    return false;
}

/* Files that people take for tables by mistake, known by their first bytes; those of old workbooks
 * also as they are after conversion from Windows-1252. */
static shoal_status refuse_other_files(const char *data, size_t size, shoal_error *err)
{
    if (begins_with(data, size, "PK\3\4"))
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: this is a ZIP archive (as are Excel and LibreOffice "
                          "workbooks), not CSV {fix} save the sheet as CSV, or unpack the archive");
    if (begins_with(data, size, "\xd0\xcf\x11\xe0") ||
        begins_with(data, size, "\xc3\x90\xc3\x8f\x11\xc3\xa0"))
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: this is an old Excel workbook, not CSV {fix} save the sheet as CSV");
    if (begins_with(data, size, "%PDF"))
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: this is a PDF document, not CSV {fix} get the table as CSV");
    if (is_json(data, size))
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: this is JSON, not CSV {fix} the command reads one object "
                          "per line from files named .jsonl; convert a list, for instance with jq "
                          "-c '.[]' FILE > NEW.jsonl");
    if (is_markup(data, size))
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: this is XML or HTML, not CSV {fix} save the table as CSV");
    if (begins_with(data, size, "$FL2") || begins_with(data, size, "$FL3"))
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: this is an SPSS file, not CSV {fix} save it as CSV in SPSS, or in R: "
            "write.csv(haven::read_sav(FILE), NEW, row.names = FALSE)");
    /* else it may be a name */
    if (begins_with(data, size, "ARROW1") && size > 6 && data[6] == '\0')
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: this is an Arrow file, not CSV {fix} use the Python "
                          "package (python -m shoal), which reads Arrow files");
    /* its first page or, without rows, its list of columns begins so; PAR1 alone may be a name */
    if (begins_with(data, size, "PAR1\x15"))
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: this is a Parquet file, not CSV {fix} use the Python "
                          "package (python -m shoal), which reads Parquet");
    return SHOAL_OK;
}

/* Does the text have lines that end in a carriage return alone, and no other ends? Quoted ones are
 * part of a field. */
static bool has_bare_returns(const char *data, size_t size)
{
    bool is_quoted = false, is_found = false;
    for (size_t i = 0; i + 1 < size; i++) {
        if (data[i] == '\n') return false;
        is_quoted ^= data[i] == '"';
        is_found |= data[i] == '\r' && data[i + 1] != '\n' && !is_quoted;
    }
    return is_found;
}

static shoal_status find_body(const char *data, size_t size, size_t *body, shoal_error *err)
{
    if (size >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: the text is UTF-16, not UTF-8 {fix} set its encoding with {--encoding}");
    *body = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return SHOAL_OK;
}

/* A first line `sep=;`, as Excel reads it, also in quotes: its separator, and *at moves behind it;
 * else 0. */
static char read_separator_line(const char **at, const char *end)
{
    const char *p = *at;
    bool is_quoted = p < end && *p == '"';
    p += is_quoted;
    if (end - p < 5 || (p[0] | 32) != 's' || (p[1] | 32) != 'e' || (p[2] | 32) != 'p' ||
        p[3] != '=')
        return 0;
    char delimiter = p[4];
    p += 5;
    if (is_quoted && (p == end || *p++ != '"')) return 0;
    if (delimiter == '"' || (unsigned char)delimiter > 127 || delimiter < '\t' || p == end ||
        !shoal_csv_is_line_end(p, end))
        return 0;
    *at = shoal_csv_skip_blank_lines(p, end);
    return delimiter;
}

/* Number of fields of the record at *at; 0 when its quotes are malformed. */
static size_t count_fields(const char **at, const char *end, char delimiter, bool *ends_empty)
{
    shoal_field field;
    for (size_t n = 1;; n++) {
        shoal_field_end kind = shoal_scan_field(&field, at, end, delimiter);
        if (kind == SHOAL_FIELD_UNCLOSED || kind == SHOAL_FIELD_GARBAGE) return 0;
        if (kind == SHOAL_FIELD_MORE) continue;
        *ends_empty = n > 1 && field.begin == field.end;
        return n;
    }
}

/* Does every record of the sample have as many fields as the first, give or take a trailing
 * separator? */
static bool is_regular(const char *at, const char *end, char delimiter, size_t *n_fields)
{
    const char *limit = end - at > SAMPLE_BYTES ? at + SAMPLE_BYTES : end;
    bool first_ends_empty = false, ends_empty = false;
    size_t first = count_fields(&at, end, delimiter, &first_ends_empty);
    *n_fields = first;
    at = shoal_csv_skip_blank_lines(at, end);
    for (int n_records = 1; first > 1 && n_records < SAMPLE_RECORDS && at < limit; n_records++) {
        size_t n = count_fields(&at, end, delimiter, &ends_empty);
        bool fits = n == first || (n == first + 1 && ends_empty) ||
                    (n + 1 == first && first_ends_empty);
        if (!fits) return false;
        at = shoal_csv_skip_blank_lines(at, end);
    }
    return first > 1;
}

static char detect_delimiter(const char *at, const char *end)
{
    char best = ',';
    size_t best_fields = 1;
    bool best_is_regular = false;
    for (size_t i = 0; i < sizeof candidates; i++) {
        size_t n_fields;
        bool regular = is_regular(at, end, candidates[i], &n_fields);
        if (regular < best_is_regular) continue;
        if (regular == best_is_regular && n_fields <= best_fields) continue;
        best = candidates[i];
        best_fields = n_fields;
        best_is_regular = regular;
    }
    return best;
}

static shoal_status add_column(shoal_table *table, size_t *capacity, shoal_text name,
                               shoal_error *err)
{
    void *columns = table->columns;
    if (!shoal_reserve(&columns, capacity, table->n_columns + 1, sizeof *table->columns))
        return shoal_fail_memory(err);
    table->columns = columns;
    char *copy = shoal_copy_text(name.data, name.length);
    if (copy == NULL) return shoal_fail_memory(err);
    table->columns[table->n_columns++] = (shoal_column){ .name = copy, .null_code = SHOAL_NO_CODE };
    return SHOAL_OK;
}

/* Create a column for each field of the first record, named by its value, or by its number without
 * a header. */
static shoal_status read_names(shoal_table *table, const char **at, shoal_error *err)
{
    const shoal_text_source *source = shoal_table_text(table);
    const char *end = shoal_table_text_end(table);
    size_t capacity = 0;
    shoal_field_end kind;
    do {
        shoal_field field;
        kind = shoal_scan_field(&field, at, end, source->delimiter);
        if (kind == SHOAL_FIELD_UNCLOSED)
            return shoal_fail(err, SHOAL_EDATA,
                              "{source csv}: %s: unterminated quote in field %zu {fix} close it",
                              source->has_header ? "header" : "row 1", table->n_columns + 1);
        if (kind == SHOAL_FIELD_GARBAGE)
            return shoal_fail(err, SHOAL_EDATA,
                              "{source csv}: %s: text after the closing quote of field %zu {fix} "
                              "double the quotes inside a quoted "
                              "field, or set the separator",
                              source->has_header ? "header" : "row 1", table->n_columns + 1);
        char number[32];
        shoal_text name = { number, 0 };
        if (source->has_header) {
            name = shoal_field_value(&field, &table->arena);
            if (name.data == NULL) return shoal_fail_memory(err);
        } else {
            size_t n = table->n_columns + 1, length = 0;
            char digits[32];
            for (; n > 0; n /= 10) digits[length++] = (char)('0' + n % 10);
            while (length > 0) number[name.length++] = digits[--length];
        }
        SHOAL_RETURN_IF_ERROR(add_column(table, &capacity, name, err));
    } while (kind == SHOAL_FIELD_MORE);
    return SHOAL_OK;
}

static bool is_number_or_date(const char *name)
{
    double ignored;
    size_t length = strlen(name);
    return shoal_parse_number(name, length, &ignored) || shoal_parse_date(name, length, &ignored);
}

/* Is the text of a field that of the name? Fields with doubled quotes are skipped. */
static bool is_name(const shoal_field *field, const char *name)
{
    size_t length = (size_t)(field->end - field->begin) - 2 * (size_t)field->is_quoted;
    return !field->has_escape && length == strlen(name) &&
           memcmp(field->begin + field->is_quoted, name, length) == 0;
}

/*
 * Which names occur as values of their own column, beside other values, in the first records?
 * Column names hardly do; a first record does. Marks 1: the name was seen, 2: another value, not an
 * empty one.
 */
static void mark_repeated_names(const shoal_table *table, unsigned char *marks)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = text->data + text->body, *end = shoal_table_text_end(table);
    for (int n = 0; n < SAMPLE_RECORDS && (at = shoal_csv_skip_blank_lines(at, end)) < end; n++) {
        shoal_field_end kind = SHOAL_FIELD_MORE;
        for (size_t c = 0; kind == SHOAL_FIELD_MORE; c++) {
            shoal_field field;
            kind = shoal_scan_field(&field, &at, end, text->delimiter);
            if (kind == SHOAL_FIELD_UNCLOSED || kind == SHOAL_FIELD_GARBAGE) return;
            if (c >= table->n_columns || field.begin == field.end) continue;
            marks[c] |= is_name(&field, table->columns[c].name) ? 1 : 2;
        }
    }
}

size_t shoal_table_count_odd_names(const shoal_table *table)
{
    size_t n = 0;
    if (!shoal_table_has_header(table)) return 0;
    unsigned char *marks = shoal_alloc_zero(table->n_columns, 1);
    if (marks != NULL && shoal_table_text(table)->body > 0) mark_repeated_names(table, marks);
    for (size_t c = 0; c < table->n_columns; c++)
        n += is_number_or_date(table->columns[c].name) || (marks != NULL && marks[c] == 3);
    shoal_free(marks);
    /* else a separator that is not in the list */
    return table->n_columns == 1 && strpbrk(table->columns[0].name, ",;\t|") != NULL ? 1 : n;
}

/* An empty last name is a trailing separator; any other empty name, or a name that occurs twice, is
 * an error. */
static shoal_status check_names(shoal_table *table, shoal_error *err)
{
    shoal_text_source *text = shoal_table_own_text(table);
    if (table->n_columns > 1 && table->columns[table->n_columns - 1].name[0] == '\0') {
        shoal_free(table->columns[--table->n_columns].name);
        text->trailing_delimiter = true;
    }
    shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < table->n_columns && status == SHOAL_OK; i++) {
        const char *name = table->columns[i].name;
        size_t length = strlen(name);
        uint32_t code = shoal_table_enter_name(table, i);
        if (code == SHOAL_NO_CODE)
            status = shoal_fail_memory(err);
        else if (length == 0)
            status = shoal_fail(err, SHOAL_EDATA,
                                "{source csv}: column %zu of %zu has no name in the header {fix} "
                                "name it, or write {--no-header}",
                                i + 1, table->n_columns);
        else if (code < i && shoal_table_count_odd_names(table) > 0)
            status = shoal_fail(err, SHOAL_EDATA,
                                "{source csv}: columns %u and %zu have the same name, and the "
                                "first line looks like data {fix} "
                                "write {--no-header}, or set the separator with {--delimiter}",
                                code + 1, i + 1);
        else if (code < i)
            status = shoal_fail(
                err, SHOAL_EDATA,
                "{source csv}: columns %u and %zu are both named '{column %.100s}' {fix} "
                "rename one",
                code + 1, i + 1, name);
    }
    return status;
}

static shoal_status check_options(const shoal_csv_options *given, shoal_csv_options *out,
                                  shoal_error *err)
{
    *out = (shoal_csv_options)SHOAL_CSV_OPTIONS_INIT;
    if (given == NULL) return SHOAL_OK;
    if (given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "{source csv}: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    out->size = sizeof *out;
    unsigned char d = (unsigned char)out->delimiter;
    if (d == '"' || d == '\n' || d == '\r' || d > 127)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "{source csv}: the separator must be one ASCII character, not a quote or a line break");
    return SHOAL_OK;
}

shoal_status shoal_csv_read_header(shoal_table *table, const shoal_csv_options *options,
                                   shoal_error *err)
{
    shoal_text_source *text = shoal_table_own_text(table);
    shoal_csv_options checked;
    SHOAL_RETURN_IF_ERROR(check_options(options, &checked, err));
    SHOAL_RETURN_IF_ERROR(find_body(text->data, text->size, &text->body, err));
    const char *begin = text->data + text->body, *end = shoal_table_text_end(table);
    const char *at = begin < end ? shoal_csv_skip_blank_lines(begin, end) : end;
    text->first_line = (size_t)(at - text->data);
    char declared = at < end ? read_separator_line(&at, end) : 0;
    text->head = (size_t)(at - text->data);
    if (declared != 0) text->body = text->head;
    text->encoding = checked.encoding;
    text->has_mark = checked.has_mark;
    if (at == end)
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: the file is empty {fix} use a table with a header line and rows");
    size_t sample = text->size < SAMPLE_BYTES ? text->size : SAMPLE_BYTES;
    SHOAL_RETURN_IF_ERROR(refuse_other_files(begin, sample - (size_t)(begin - text->data), err));
    SHOAL_RETURN_IF_ERROR(check_no_nul(text->data, sample, err));
    if (has_bare_returns(text->data, sample))
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: lines end with carriage returns only {fix} convert them "
                          "to line feeds, for example with tr '\\r' '\\n'");
    text->has_header = !checked.no_header;
    text->is_map = checked.is_map;
    text->delimiter = checked.delimiter != 0 ? checked.delimiter
                      : declared != 0        ? declared
                                             : detect_delimiter(at, end);
    SHOAL_RETURN_IF_ERROR(read_names(table, &at, err));
    /* the header may be longer than the sample */
    SHOAL_RETURN_IF_ERROR(check_no_nul(text->data, (size_t)(at - text->data), err));
    if (text->has_header) {
        text->body = (size_t)(at - text->data);
        return check_names(table, err);
    }
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_table_enter_name(table, c) == SHOAL_NO_CODE) return shoal_fail_memory(err);
    return SHOAL_OK;
}
