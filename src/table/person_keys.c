/* SPDX-License-Identifier: Apache-2.0 */
/* person_keys.c - which columns look like keys of persons with several rows each?
 *
 * Of the columns whose values repeat, a column is a likely key by
 *
 *   name   it is named as a key and after a person or a thing that one person has (patient_id,
 *          device), and not after kinds of them (customer_type_id);
 *   form   its values are UUIDs, hashes or tokens;
 *   rows   its value determines what belongs to persons: two random rows with the same value of the
 *          column agree in another one nearly always, where random rows of the table do not.
 *
 * The last is measured for each pair of columns by lambda = (a - b) / (1 - b), where a is the
 * probability that two rows of one value agree and b that of two rows of the table. A column counts
 * as determined from 0.9 on. That alone would find zip -> city -> state and school -> district,
 * too. So the determined columns must be independent of each other, measured in the same way with
 * one row for each value of the key (city determines state there), and one of them must be what
 * each person brings along: sex, age, birth, race, marital status, nationality. Where a table has
 * no such column, three quarters of all columns with few values must be determined, and three of
 * them be independent. Columns that are themselves quasi-identifiers or sensitive by their name,
 * dates, fractions and strata are no candidates.
 *
 * Values are compared by hashes of 32 bits. Cost: O(cells) of at most SAMPLE_ROWS rows and
 * SAMPLE_CELLS cells, and for each candidate a sort of the rows.
 */
#include "table/person_keys.h"

#include "table/guess.h"
#include "table/window.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_ROWS = 20000,
    SAMPLE_CELLS = 4000000,
    FEWEST_ROWS = 20,
    WINDOW = 1 << 24,
    LOOKED_AT = 500,
    FEW_VALUES = 100,     /* of a category */
    LEAST_KEYS = 8,       /* distinct values with several rows each */
    LEAST_PAIRS = 10,     /* fewer say nothing about agreement */
    MOST_PICKED = 8,      /* rows of one value that are compared */
    MOST_DETERMINED = 16, /* columns that are compared with each other */
    LEAST_TOKEN = 16,
};
static const double determined = 0.9;    /* least lambda */
static const double most_distinct = 0.8; /* values per row of a key that repeats */

/* What is known of a column of the sample. */
typedef struct aspect {
    const uint32_t *ids; /* of its values, by row; 0: missing. NULL: not at hand */
    shoal_hint hint;
    bool is_innate, is_of_time, is_named_key, is_named_holder, is_of_kinds, has_amounts;
    uint64_t n_looked, n_fractions, n_times, n_tokens, n_digited, n_filled, n_distinct;
    double agreement; /* of two random rows with a value */
} aspect;

typedef struct sample {
    const shoal_table *table;
    aspect *columns;
    uint32_t *ids;
    size_t n_columns;
    uint64_t n_rows;
    uint64_t *order;  /* scratch: value and row, n_rows of them */
    uint32_t *picked; /* rows of values that repeat, value after value */
    uint32_t *starts; /* of each value in `picked`; n_keys + 1 */
    uint32_t n_keys;
} sample;

/* ---- names ---- */

static bool is_innate(const char *name)
{
    return shoal_name_has_words(
        name, "sex sexe sexo sesso geslacht płeć gender geschlecht race ethnic hisp raza marital "
              "familienstand civil citizen nationality staatsangeh nationalit birth born dob yob "
              "geburt geboren naissance nacimiento nascita nascimento geboorte urodzenia");
}

static bool is_of_time(const char *name, shoal_hint hint)
{
    return hint == SHOAL_HINT_AGE ||
           shoal_name_has_words(name, "birth born dob yob geburt geboren naissance nacimiento "
                                      "nascita nascimento geboorte urodzenia");
}

/* Kinds of persons or things, and strata of a sample: no persons. */
static bool is_of_kinds(const char *name)
{
    return shoal_name_has_words(
        name, "type typ tipo kind class klasse group gruppe grupo groupe categor kategorie "
              "segment status region strat schicht cluster psu cohort kohorte cell level version "
              "model count anzahl inpatient outpatient product produkt article artikel item "
              "sku store shop filiale station");
}

/* patient_id, and other keys of persons or of things that one person has. */
static bool is_named_key(const char *name)
{
    static const char holders[] =
        "patient person member customer client user subject participant respondent student "
        "employee rider driver worker pupil resident citizen household device vehicle account "
        "card wallet imei imsi msisdn visitor player donor tenant "
        "kunde versicher mitarbeiter schüler teilnehmer proband fahrzeug gerät haushalt konto "
        "paciente cliente usuario socio alumno empleado persona dispositivo cuenta "
        "paziente utente élève eleve salarié salarie malade compte appareil "
        "patiënt klant deelnemer medewerker pacjent klient pracownik";
    static const char keys[] =
        "id uuid guid key nr_ nbr_ _no$ _num$ number$ nummer código codigo code kennung token "
        "hash ref kod numer schlüssel";
    static const char joined[] =
        "patientid personid memberid customerid clientid userid subjectid studentid employeeid "
        "deviceid vehicleid accountid cardid householdid hhid custid empid visitorid imei imsi "
        "msisdn";
    if (is_of_kinds(name)) return false;
    return shoal_name_has_words(name, joined) ||
           (shoal_name_has_words(name, holders) && shoal_name_has_words(name, keys));
}

/* "patient": a key where its values have digits; "member" may be yes or no. */
static bool is_named_holder(const char *name)
{
    static const char alone[] =
        "_patient$ _person$ _customer$ _client$ _member$ _subject$ _participant$ _respondent$ "
        "_student$ _employee$ _user$ _rider$ _driver$ _device$ _kunde$ _versicherter$ "
        "_mitarbeiter$ _proband$ _teilnehmer$ _gerät$ _paciente$ _cliente$ _usuario$ _paziente$ "
        "_utente$ _klant$ _patiënt$ _deelnemer$ _pacjent$ _klient$";
    return !is_of_kinds(name) && shoal_name_has_words(name, alone);
}

/* ---- forms ---- */

/* UUIDs, hashes, tokens: long, without blanks, of letters and digits in turn. */
static bool is_token(shoal_text text)
{
    size_t n_turns = 0;
    if (text.length < LEAST_TOKEN) return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        bool is_digit = c >= '0' && c <= '9', is_letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (!is_digit && !is_letter && c != '-' && c != '_' && c != '+' && c != '/' && c != '=')
            return false;
        char last = i > 0 ? text.data[i - 1] : '\0';
        n_turns += is_digit != (last >= '0' && last <= '9');
    }
    return n_turns * 4 >= text.length;
}

static void look_at(aspect *a, shoal_text text)
{
    double number;
    if (a->n_looked >= LOOKED_AT) return;
    a->n_looked++;
    for (size_t i = 0, found = 0; i < text.length && !found; i++)
        a->n_digited += found = text.data[i] >= '0' && text.data[i] <= '9';
    if (shoal_parse_number(text.data, text.length, &number))
        a->n_fractions += floor(number) != number;
    else if (shoal_looks_like_day(text.data, text.length))
        a->n_times++;
    else if (is_token(text))
        a->n_tokens++;
}

static uint32_t id_of(const shoal_table *table, shoal_text text)
{
    if (text.length == 0 || shoal_table_is_null_text(table, text)) return 0;
    uint32_t hash = (uint32_t)XXH3_64bits(text.data, text.length);
    return hash != 0 ? hash : 1;
}

/* ---- the sample ---- */

/* The values of a record, from its first column to `last`. */
static void read_record(const shoal_table *rows, uint64_t row, shoal_text *out, size_t last)
{
    const char *at = shoal_table_record(rows, row), *end = shoal_table_text_end(rows);
    shoal_field_end kind = SHOAL_FIELD_MORE;
    for (size_t c = 0; c <= last; c++) {
        shoal_field field;
        out[c] = (shoal_text){ at, 0 };
        if (kind != SHOAL_FIELD_MORE) continue;
        kind = shoal_scan_field(&field, &at, end, shoal_table_text(rows)->delimiter);
        out[c] = (shoal_text){ field.begin + field.is_quoted,
                               (size_t)(field.end - field.begin) - 2 * (size_t)field.is_quoted };
    }
}

/* Every n-th row, so that a sorted table is seen as a whole: a key repeats in neighbours, too, so
 * blocks of rows are taken. */
static uint64_t row_of(const sample *s, uint64_t i, uint64_t n_all)
{
    enum { BLOCK = 200 };
    uint64_t n_blocks = (s->n_rows + BLOCK - 1) / BLOCK, block = i / BLOCK;
    if (n_all <= s->n_rows || n_blocks < 2) return i;
    return block * ((n_all - BLOCK) / (n_blocks - 1)) + i % BLOCK;
}

static shoal_status read_texts(sample *s, const shoal_table *rows, shoal_error *err)
{
    shoal_text *texts = shoal_alloc(s->n_columns, sizeof *texts);
    if (texts == NULL) return shoal_fail_memory(err);
    for (uint64_t i = 0; i < s->n_rows; i++) {
        read_record(rows, row_of(s, i, rows->n_rows), texts, s->n_columns - 1);
        for (size_t c = 0; c < s->n_columns; c++) {
            uint32_t id = id_of(s->table, texts[c]);
            s->ids[c * s->n_rows + i] = id;
            if (id != 0) look_at(&s->columns[c], texts[c]);
        }
    }
    for (size_t c = 0; c < s->n_columns; c++) s->columns[c].ids = s->ids + c * s->n_rows;
    shoal_free(texts);
    return SHOAL_OK;
}

static void read_codes(sample *s)
{
    for (size_t c = 0; c < s->n_columns; c++) {
        const shoal_column *column = &s->table->columns[c];
        if (!column->is_encoded) continue;
        s->columns[c].ids = s->ids + c * s->n_rows;
        for (uint64_t i = 0; i < s->n_rows; i++) {
            uint32_t code = shoal_column_code(column, row_of(s, i, s->table->n_rows));
            s->ids[c * s->n_rows + i] = code == column->null_code ? 0 : code + 1;
        }
        for (uint32_t v = 0; v < column->n_values; v++)
            if (v != column->null_code) look_at(&s->columns[c], column->values[v]);
    }
}

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Values and rows, sorted by value; returns how many rows have one. */
static uint64_t sort_rows(sample *s, const uint32_t *ids, const uint32_t *rows, uint64_t n)
{
    uint64_t m = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t row = rows != NULL ? rows[i] : (uint32_t)i;
        if (ids[row] != 0) s->order[m++] = (uint64_t)ids[row] << 32 | row;
    }
    qsort(s->order, m, sizeof *s->order, by_number);
    return m;
}

static uint64_t end_of_run(const uint64_t *order, uint64_t begin, uint64_t n)
{
    uint64_t end = begin + 1;
    while (end < n && order[end] >> 32 == order[begin] >> 32) end++;
    return end;
}

static void count_values(sample *s, aspect *a)
{
    uint64_t n = a->n_filled = sort_rows(s, a->ids, NULL, s->n_rows);
    double n_alike = 0;
    a->n_distinct = 0;
    for (uint64_t i = 0, end; i < n; i = end) {
        end = end_of_run(s->order, i, n);
        n_alike += (double)(end - i) * (double)(end - i - 1);
        a->n_distinct++;
    }
    a->agreement = n > 1 ? n_alike / ((double)n * (double)(n - 1)) : 1;
}

static shoal_status make_sample(sample *s, const shoal_table *table, const shoal_table *rows,
                                shoal_error *err)
{
    uint64_t most = SAMPLE_CELLS / table->n_columns;
    *s = (sample){ .table = table, .n_columns = table->n_columns };
    s->n_rows = most < SAMPLE_ROWS ? most : SAMPLE_ROWS;
    if (rows->n_rows < s->n_rows) s->n_rows = rows->n_rows;
    size_t n = (size_t)s->n_rows;
    s->columns = shoal_alloc_zero(s->n_columns, sizeof *s->columns);
    s->ids = shoal_alloc(n * s->n_columns, sizeof *s->ids);
    s->order = shoal_alloc(n, sizeof *s->order);
    s->picked = shoal_alloc(n, sizeof *s->picked);
    s->starts = shoal_alloc(n + 1, sizeof *s->starts);
    if (s->columns == NULL || s->ids == NULL || s->order == NULL || s->picked == NULL ||
        s->starts == NULL)
        return shoal_fail_memory(err);
    if (shoal_table_has_text(table))
        SHOAL_RETURN_IF_ERROR(read_texts(s, rows, err));
    else
        read_codes(s);
    for (size_t c = 0; c < s->n_columns; c++) {
        aspect *a = &s->columns[c];
        const char *name = table->columns[c].name;
        if (a->ids == NULL) continue;
        a->hint = shoal_name_hint(name);
        a->is_of_time = is_of_time(name, a->hint);
        a->is_innate = a->is_of_time || is_innate(name);
        a->is_named_key = is_named_key(name);
        a->is_named_holder = is_named_holder(name);
        a->is_of_kinds = is_of_kinds(name);
        a->has_amounts = shoal_name_number_hint(name) == SHOAL_NUMBERS_AMOUNTS;
        count_values(s, a);
    }
    return SHOAL_OK;
}

static void clear_sample(sample *s)
{
    shoal_free(s->columns);
    shoal_free(s->ids);
    shoal_free(s->order);
    shoal_free(s->picked);
    shoal_free(s->starts);
}

/* ---- what a column determines ---- */

/* Rows of each value that repeats, at most MOST_PICKED of one. */
static void pick_rows(sample *s, const uint32_t *ids, const uint32_t *rows, uint64_t n_rows)
{
    uint64_t n = sort_rows(s, ids, rows, n_rows);
    uint32_t n_picked = 0;
    s->n_keys = 0;
    for (uint64_t i = 0, end; i < n; i = end) {
        end = end_of_run(s->order, i, n);
        uint64_t size = end - i, m = size < MOST_PICKED ? size : MOST_PICKED;
        if (size < 2) continue;
        s->starts[s->n_keys++] = n_picked;
        for (uint64_t j = 0; j < m; j++)
            s->picked[n_picked++] = (uint32_t)s->order[i + j * size / m];
    }
    s->starts[s->n_keys] = n_picked;
}

/* lambda of the picked rows; 0 where they say too little. */
static double lambda_of(const sample *s, const aspect *x)
{
    double n_pairs = 0, share = 0, weight = 0;
    if (x->agreement > 0.98) return 0;
    for (uint32_t key = 0; key < s->n_keys; key++) {
        uint32_t pairs = 0, alike = 0, begin = s->starts[key], end = s->starts[key + 1];
        for (uint32_t i = begin; i < end; i++)
            for (uint32_t j = begin; j < i; j++) {
                uint32_t a = x->ids[s->picked[i]], b = x->ids[s->picked[j]];
                pairs += a != 0 && b != 0;
                alike += a != 0 && a == b;
            }
        if (pairs == 0) continue;
        n_pairs += pairs;
        share += (double)(end - begin) * alike / pairs;
        weight += end - begin;
    }
    if (n_pairs < LEAST_PAIRS) return 0;
    return (share / weight - x->agreement) / (1 - x->agreement);
}

static bool is_category(const aspect *a)
{
    return a->ids != NULL && a->n_distinct >= 2 && a->n_distinct <= FEW_VALUES &&
           a->hint != SHOAL_HINT_KEY && !a->is_named_key && a->agreement <= 0.98 &&
           a->n_filled * 2 >= a->n_looked;
}

/* Columns of the sample that one determines. */
typedef struct finding {
    size_t columns[MOST_DETERMINED];
    size_t n, n_missed; /* categories that it does not determine */
    bool has_innate;
} finding;

/* With one row for each value: those that another one of them determines do not count; neither do
 * ages beside births. */
static size_t count_independent(sample *s, const finding *f, const uint32_t *rows, uint32_t n)
{
    size_t n_independent = 0;
    bool is_out[MOST_DETERMINED] = { 0 }, has_time = false;
    for (size_t i = 0; i < f->n; i++) {
        const aspect *x = &s->columns[f->columns[i]];
        if (is_out[i]) continue;
        if (x->is_of_time && has_time) continue;
        has_time |= x->is_of_time;
        n_independent++;
        pick_rows(s, x->ids, rows, n);
        for (size_t j = 0; j < f->n; j++)
            if (j != i && lambda_of(s, &s->columns[f->columns[j]]) >= determined &&
                s->columns[f->columns[j]].n_distinct <= x->n_distinct)
                is_out[j] = true;
    }
    return n_independent;
}

/* Columns with many values first: they determine the others. */
static void sort_finding(const sample *s, finding *f)
{
    for (size_t i = 1; i < f->n; i++)
        for (size_t j = i; j > 0 && s->columns[f->columns[j - 1]].n_distinct <
                                        s->columns[f->columns[j]].n_distinct;
             j--) {
            size_t other = f->columns[j];
            f->columns[j] = f->columns[j - 1];
            f->columns[j - 1] = other;
        }
}

/* A column with nearly as many values as the key says the same as the key. */
static bool is_copy(const aspect *x, const aspect *key)
{
    return !x->is_innate && (double)x->n_distinct > most_distinct * (double)key->n_distinct;
}

static void find_determined(finding *f, const sample *s, size_t key)
{
    *f = (finding){ 0 };
    for (size_t c = 0; c < s->n_columns && f->n < MOST_DETERMINED; c++) {
        const aspect *x = &s->columns[c];
        if (c == key || !(is_category(x) || (x->ids != NULL && x->is_innate))) continue;
        if (is_copy(x, &s->columns[key])) continue;
        if (lambda_of(s, x) >= determined) {
            f->columns[f->n++] = c;
            f->has_innate |= x->is_innate;
        } else {
            f->n_missed++;
        }
    }
}

static bool has_innate(const sample *s)
{
    for (size_t c = 0; c < s->n_columns; c++)
        if (s->columns[c].ids != NULL && s->columns[c].is_innate && s->columns[c].agreement <= 0.98)
            return true;
    return false;
}

static bool repeats(const aspect *a)
{
    return a->n_filled >= FEWEST_ROWS && a->n_distinct >= 2 &&
           (double)a->n_distinct <= 0.95 * (double)a->n_filled;
}

static bool is_candidate(const aspect *a)
{
    bool is_free = a->hint == SHOAL_HINT_NONE || a->hint == SHOAL_HINT_KEY ||
                   a->hint == SHOAL_HINT_IDENTIFIER;
    return is_free && !a->is_innate && !a->is_of_kinds && !a->has_amounts && a->n_fractions == 0 &&
           a->n_times * 2 <= a->n_looked && a->n_distinct >= LEAST_KEYS &&
           (double)a->n_distinct <= most_distinct * (double)a->n_filled;
}

static shoal_status determines(bool *out, sample *s, size_t key, shoal_error *err)
{
    bool with_innate = has_innate(s);
    finding f;
    *out = false;
    pick_rows(s, s->columns[key].ids, NULL, s->n_rows);
    if (s->n_keys < LEAST_KEYS) return SHOAL_OK;
    find_determined(&f, s, key);
    if (with_innate ? !f.has_innate : f.n < 3 * f.n_missed) return SHOAL_OK;
    uint32_t *first = shoal_alloc(s->n_keys, sizeof *first), n = s->n_keys;
    if (first == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < n; i++) first[i] = s->picked[s->starts[i]];
    sort_finding(s, &f);
    *out = count_independent(s, &f, first, n) >= (with_innate ? 2 : 3);
    shoal_free(first);
    return SHOAL_OK;
}

static shoal_status judge(const char **because, sample *s, size_t column, shoal_error *err)
{
    const aspect *a = &s->columns[column];
    bool is_found = false;
    *because = NULL;
    if (a->ids == NULL || !repeats(a)) return SHOAL_OK;
    bool has_keys = a->n_distinct >= LEAST_KEYS && a->n_digited * 5 >= a->n_looked * 4;
    if (a->is_named_key || (a->is_named_holder && has_keys)) *because = "column name";
    if (*because == NULL && a->n_distinct >= LEAST_KEYS && a->n_tokens * 5 >= a->n_looked * 4)
        *because = "form of its values";
    if (*because != NULL || !is_candidate(a)) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(determines(&is_found, s, column, err));
    if (is_found) *because = "determines other columns";
    return SHOAL_OK;
}

/* Names and the like are keys only where there is no better one. */
static size_t keep_best(const sample *s, shoal_likely_key *found, size_t n)
{
    size_t n_best = 0;
    for (size_t i = 0; i < n; i++)
        if (s->columns[found[i].column].hint != SHOAL_HINT_IDENTIFIER) found[n_best++] = found[i];
    return n_best > 0 ? n_best : n;
}

static shoal_status find(shoal_likely_key **out, size_t *n_out, const shoal_table *table,
                         const shoal_table *rows, shoal_error *err)
{
    sample s;
    shoal_likely_key *found = shoal_alloc(table->n_columns, sizeof *found);
    size_t n = 0;
    shoal_status status = make_sample(&s, table, rows, err);
    if (found == NULL && status == SHOAL_OK) status = shoal_fail_memory(err);
    for (size_t c = 0; c < s.n_columns && status == SHOAL_OK; c++) {
        const char *because;
        status = judge(&because, &s, c, err);
        if (status == SHOAL_OK && because != NULL)
            found[n++] = (shoal_likely_key){ .column = c, .because = because };
    }
    if (status == SHOAL_OK) n = keep_best(&s, found, n);
    clear_sample(&s);
    if (status == SHOAL_OK && n > 0) {
        *out = found;
        *n_out = n;
        return SHOAL_OK;
    }
    shoal_free(found);
    return status;
}

shoal_status shoal_person_keys_find(shoal_likely_key **out, size_t *n_out, const shoal_table *table,
                                    uint32_t threads, shoal_error *err)
{
    *out = NULL;
    *n_out = 0;
    if (shoal_table_is_counted(table) || table->n_columns == 0 || table->total < FEWEST_ROWS)
        return SHOAL_OK;
    if (!shoal_table_is_streamed(table)) return find(out, n_out, table, table, err);
    shoal_window window;
    bool is_there = false;
    SHOAL_RETURN_IF_ERROR(shoal_window_open(&window, table, WINDOW, threads, err));
    shoal_status status = shoal_window_next(&window, &is_there, err);
    if (status == SHOAL_OK && is_there) status = find(out, n_out, table, &window.rows, err);
    shoal_window_close(&window);
    return status;
}

shoal_status shoal_person_keys_read(uint32_t *out, const shoal_table *table, size_t column,
                                    shoal_error *err)
{
    const shoal_column *codes = &table->columns[column];
    bool has_rows = !shoal_table_is_streamed(table) && !shoal_table_is_counted(table);
    if (!has_rows || (!codes->is_encoded && !shoal_table_has_text(table)))
        return shoal_fail(err, SHOAL_EINVAL, "the rows of the table are not at hand");
    shoal_text *texts = shoal_alloc(column + 1, sizeof *texts);
    if (texts == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < table->n_rows; row++) {
        if (codes->is_encoded) {
            uint32_t code = shoal_column_code(codes, row);
            out[row] = code == codes->null_code ? 0 : code + 1;
        } else {
            read_record(table, row, texts, column);
            out[row] = id_of(table, texts[column]);
        }
    }
    shoal_free(texts);
    return SHOAL_OK;
}
