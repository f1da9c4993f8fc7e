/* SPDX-License-Identifier: Apache-2.0 */
/* test_profile.c - looks, hints, proposed roles; and that the proposed plan is one that can be
 * read. Covers: hints.c, looks.c, null_marks.c, profile_load.c, profile_plan.c, quasi_cost.c
 */
#define _GNU_SOURCE
#include "files.h"

#include "io/plan_yaml.h"
#include "table/guess.h"

#include <shoal/profile.h>

static shoal_error err;

static const char *look_of(const char *text)
{
    for (size_t look = 0; look < SHOAL_N_LOOKS; look++)
        if (shoal_looks_like(look, text, strlen(text))) return shoal_look_names[look];
    return "nothing";
}

static void test_looks(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "ada@example.org", "e-mail" },
        { "a.b+c@mail.example.com", "e-mail" },
        { "@handle", "nothing" },
        { "a@b", "nothing" },
        { "https://example.org/x", "url" },
        { "www.example.org", "url" },
        { "192.168.0.1", "ip" },
        { "300.1.1.1", "nothing" },
        { "fe80::1", "ip" },
        { "12:30:45", "nothing" },
        { "123-45-6789", "ssn" },
        { "+49 30 1234567", "phone" },
        { "(555) 123-4567", "phone" },
        { "555.123.4567", "phone" },
        { "1234567", "nothing" },
        { "-1234567", "nothing" },
        { "2024-01-31", "nothing" },
        { "12345-6789", "nothing" },
        { "Ada Lovelace", "name" },
        { "Lovelace, Ada M.", "name" },
        { "Émile Zola", "name" },
        { "Female", "nothing" },
        { "married", "nothing" },
        { "Some college", "nothing" },
        { "", "nothing" },
        { "10115", "nothing" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(look_of(cases[i][0]), cases[i][1]) != 0)
            fail_msg("'%s' looks like %s", cases[i][0], look_of(cases[i][0]));
}

/* What the name of a column tells. */
static const struct {
    const char *name;
    shoal_hint hint;
} named[] = {
    { "age", SHOAL_HINT_AGE },
    { "AgeAtVisit", SHOAL_HINT_AGE },
    { "wage", SHOAL_HINT_SENSITIVE },
    { "language", SHOAL_HINT_QUASI },
    { "zip", SHOAL_HINT_POSTCODE },
    { "ZIPCode", SHOAL_HINT_POSTCODE },
    { "birthDate", SHOAL_HINT_QUASI },
    { "native-country", SHOAL_HINT_QUASI },
    { "patient_id", SHOAL_HINT_KEY },
    { "email_id", SHOAL_HINT_IDENTIFIER },
    { "width", SHOAL_HINT_NONE },
    { "Full Name", SHOAL_HINT_IDENTIFIER },
    { "country name", SHOAL_HINT_QUASI },
    { "Diagnosis 1", SHOAL_HINT_SENSITIVE },
    { "diag_1", SHOAL_HINT_SENSITIVE },
    { "capital-gain", SHOAL_HINT_SENSITIVE },
    { "glipizide-metformin", SHOAL_HINT_SENSITIVE },
    { "april", SHOAL_HINT_NONE },
    { "fnlwgt", SHOAL_HINT_WEIGHT },
    { "sampleWeight", SHOAL_HINT_WEIGHT },
    { "weight", SHOAL_HINT_QUASI },
    { "latitude", SHOAL_HINT_LATITUDE },
    { "home_lon", SHOAL_HINT_LONGITUDE },
    { "salon", SHOAL_HINT_NONE },
    { "Geschlecht", SHOAL_HINT_QUASI },
    { "Geburtsdatum", SHOAL_HINT_QUASI },
    { "Alter", SHOAL_HINT_AGE },
    { "alternative", SHOAL_HINT_NONE },
    { "Nachname", SHOAL_HINT_IDENTIFIER },
    { "Einkommen", SHOAL_HINT_SENSITIVE },
    { "icd9", SHOAL_HINT_SENSITIVE },
    { "total_charges", SHOAL_HINT_SENSITIVE },
    { "discharge_date", SHOAL_HINT_NONE },
    { "born", SHOAL_HINT_QUASI },
    { "DX1", SHOAL_HINT_SENSITIVE },
    { "diabetesMed", SHOAL_HINT_SENSITIVE },
    { "HbA1c %", SHOAL_HINT_SENSITIVE },
    { "ZIP5", SHOAL_HINT_POSTCODE },
    { "diagnostic principal", SHOAL_HINT_SENSITIVE },
    { "prénom", SHOAL_HINT_IDENTIFIER },
    { "data urodzenia", SHOAL_HINT_QUASI },
    { "Nombre", SHOAL_HINT_IDENTIFIER },
    { "nombre d'enfants", SHOAL_HINT_NONE },
    { "cidade", SHOAL_HINT_NONE },
    { "NO2", SHOAL_HINT_NONE },
    { "Behandlungskosten", SHOAL_HINT_SENSITIVE },
    { "Patienten-Nr", SHOAL_HINT_KEY },
    { "Patientennr", SHOAL_HINT_KEY },
    { "patientid", SHOAL_HINT_KEY },
    { "covid", SHOAL_HINT_NONE },
    { "Employee No", SHOAL_HINT_KEY },
    { "no_of_children", SHOAL_HINT_QUASI },
    { "CaseNumber", SHOAL_HINT_KEY },
    { "patient", SHOAL_HINT_KEY },
    { "patient_age", SHOAL_HINT_AGE },
    { "number_of_visits", SHOAL_HINT_NONE },
    { "number_diagnoses", SHOAL_HINT_SENSITIVE },
    { "age_num", SHOAL_HINT_AGE },
    { "Q6_relig", SHOAL_HINT_SENSITIVE },
    { "Größe", SHOAL_HINT_QUASI },
    /* what Articles 9 and 10 of the General Data Protection Regulation name */
    { "vote2024", SHOAL_HINT_SENSITIVE },
    { "political_party", SHOAL_HINT_SENSITIVE },
    { "party_size", SHOAL_HINT_NONE },
    { "Partei", SHOAL_HINT_SENSITIVE },
    { "union_member", SHOAL_HINT_SENSITIVE },
    { "union", SHOAL_HINT_SENSITIVE },
    { "Gewerkschaftsmitglied", SHOAL_HINT_SENSITIVE },
    { "syndicat", SHOAL_HINT_SENSITIVE },
    { "special_needs", SHOAL_HINT_SENSITIVE },
    { "Förderbedarf", SHOAL_HINT_SENSITIVE },
    { "Behinderung", SHOAL_HINT_SENSITIVE },
    { "discapacidad", SHOAL_HINT_SENSITIVE },
    { "criminal_record", SHOAL_HINT_SENSITIVE },
    { "Vorstrafen", SHOAL_HINT_SENSITIVE },
    { "antecedentes penales", SHOAL_HINT_SENSITIVE },
    { "casier judiciaire", SHOAL_HINT_SENSITIVE },
    { "sexual_orientation", SHOAL_HINT_SENSITIVE },
    { "sexuelle Orientierung", SHOAL_HINT_SENSITIVE },
    { "geaardheid", SHOAL_HINT_SENSITIVE },
    { "religión", SHOAL_HINT_SENSITIVE },
    { "godsdienst", SHOAL_HINT_SENSITIVE },
    { "metropolitan", SHOAL_HINT_NONE },
    { "devote", SHOAL_HINT_NONE },
    { "instance_weight", SHOAL_HINT_WEIGHT },
    { "pweight", SHOAL_HINT_WEIGHT },
    { "Gewichtungsfaktor", SHOAL_HINT_WEIGHT },
    { "factor de expansión", SHOAL_HINT_WEIGHT },
    { "", SHOAL_HINT_NONE },
    { "x", SHOAL_HINT_NONE },
};

static void test_hints(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (shoal_name_hint(named[i].name) != named[i].hint)
            fail_msg("hint of '%s'", named[i].name);
    assert_int_equal(shoal_name_hint_of_kinds("school_id"), SHOAL_HINT_QUASI);
    assert_int_equal(shoal_name_hint_of_kinds("kind_id"), SHOAL_HINT_NONE);
}

enum { N_ROWS = 200 };

/* Persons with every kind of column, 200 rows. */
static char *make_csv(void)
{
    static const char *const firsts[] = { "Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina" };
    char *text = malloc(N_ROWS * 300), *at = text;
    at += sprintf(
        at,
        "serial,contact,who,age,zip,sex,diagnosis,born,flag,measure,\"odd \"\"#: name\",blank\n");
    for (int i = 0; i < N_ROWS; i++)
        at += sprintf(
            at, "%d,p%d@example.org,%s Person%c%c,%d,%05d,%s,D%d,%d-%02d-11,%s,%d.%d,v%d,%s\n",
            7 * i + 1000, i, firsts[i % 7], 'a' + i % 26, 'a' + i / 26, 20 + i % 50, i % 30 + 10115,
            i % 2 ? "f" : "m", i % 5, 1950 + i % 40, 1 + i % 12, i % 3 ? "yes" : "no", i, 5,
            i % 120, i % 4 ? "only" : "");
    return text;
}

static shoal_table *load_table(const char *text, const shoal_load_options *options)
{
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
    assert_ok(shoal_table_load(table, options, &err));
    return table;
}

static void test_columns(void **state)
{
    (void)state;
    char *text = make_csv();
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    shoal_table *table = load_table(text, &options);
    static const shoal_role roles[] = {
        SHOAL_ROLE_IDENTIFIER, SHOAL_ROLE_IDENTIFIER, SHOAL_ROLE_IDENTIFIER, SHOAL_ROLE_QUASI,
        SHOAL_ROLE_QUASI,      SHOAL_ROLE_QUASI,      SHOAL_ROLE_SENSITIVE,  SHOAL_ROLE_QUASI,
        SHOAL_ROLE_QUASI,      SHOAL_ROLE_UNDECIDED,  SHOAL_ROLE_IDENTIFIER, SHOAL_ROLE_QUASI,
    };
    for (size_t c = 0; c < 12; c++) {
        shoal_column_profile p;
        assert_ok(shoal_profile_column(&p, table, c, &err));
        if (p.proposed != roles[c]) fail_msg("column %zu: role %d: %s", c, p.proposed, p.reason);
        if (c == 0) assert_int_equal(p.n_unique, N_ROWS);
        if (c == 1) assert_string_equal(p.looks_like, "e-mail");
        if (c == 2) assert_string_equal(p.looks_like, "name");
        if (c == 3)
            assert_true(p.type == SHOAL_TYPE_NUMERIC && p.min >= 20 && p.min <= 20 && p.max >= 69 &&
                        p.max <= 69);
        if (c == 3) assert_int_equal(p.n_distinct, 50);
        if (c == 4) assert_string_equal(p.builder, "mask");
        if (c == 7) assert_int_equal(p.type, SHOAL_TYPE_DATE);
        if (c == 11) assert_true(p.n_missing == N_ROWS / 4 && p.n_distinct == 1);
    }
    shoal_column_profile p;
    assert_fails(shoal_profile_column(&p, table, 12, &err), SHOAL_EINVAL, "no column 12");
    shoal_table_free(table);
    options.encode_all = false;
    table = load_table(text, &options);
    assert_fails(shoal_profile_column(&p, table, 0, &err), SHOAL_EINVAL, "encode_all");
    shoal_table_free(table);
    free(text);
}

/* Keys and things like phone numbers that few values share are codes of kinds, not of persons. */
static void test_codes_of_kinds(void **state)
{
    (void)state;
    char text[20000], *at = text;
    at += sprintf(at, "visit_id,kind_id,district,phone_1,rank\n");
    for (int i = 0; i < N_ROWS; i++)
        at += sprintf(at, "%d,%d,0%d-01301,030-555-%04d,%s\n", i / 2, i % 4, i % 3, i,
                      i % 5 ? "x" : "?");
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    shoal_table *table = load_table(text, &options);
    static const shoal_role roles[] = { SHOAL_ROLE_ENTITY, SHOAL_ROLE_QUASI, SHOAL_ROLE_QUASI,
                                        SHOAL_ROLE_IDENTIFIER };
    for (size_t c = 0; c < 4; c++) {
        shoal_column_profile p;
        assert_ok(shoal_profile_column(&p, table, c, &err));
        if (p.proposed != roles[c]) fail_msg("column %zu: role %d: %s", c, p.proposed, p.reason);
    }
    char *plan = NULL;
    assert_ok(shoal_profile_plan(&plan, table, "p.csv", &err));
    assert_non_null(strstr(plan, "#     \"?\" in 1 column\n"));
    assert_null(strstr(plan, "\"NA\""));
    shoal_string_free(plan);
    shoal_table_free(table);
}

/*
 * Four equally frequent values tell 2 bits, two tell 1. Classes have 8 rows, and with the nearest
 * other class they are one of 16: it differs in the region alone, in a set of 2 of 4 values, 1/3.
 * So the mean over three columns is 1/9, over two 1/6 without sex or gender, which say the same,
 * and nothing without the region. Salary is no quasi-identifier.
 */
static void test_dearest_columns(void **state)
{
    (void)state;
    char text[64 * 40], *at = text + sprintf(text, "sex,region,gender,salary\n");
    for (int i = 0; i < 64; i++)
        at += sprintf(at, "%c,r%d,%c,%d\n", i % 2 ? 'f' : 'm', i / 2 % 4, i % 2 ? 'w' : 'm',
                      1000 + i);
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    shoal_table *table = load_table(text, &options);
    char *plan = NULL;
    assert_ok(shoal_profile_plan(&plan, table, "p.csv", &err));
    assert_non_null(
        strstr(plan, "contain up to 4 bits about a row; groups of 10 rows leave about 3."));
    assert_non_null(strstr(plan, "of 64 rows in groups of 10: the loss (gcp), 0.1111 with all"));
    assert_non_null(
        strstr(plan, "#     0.0000  region\n#     0.1667  sex\n#     0.1667  gender\n\n"));
    shoal_string_free(plan);
    shoal_table_free(table);
}

/* Whole numbers are categories where there are few and the name does not speak of amounts; an
 * explicit type is kept. */
static void test_codes_and_amounts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int from, n, step;
        shoal_type type;
    } cases[] = {
        { "SEX", 1, 2, 1, SHOAL_TYPE_CATEGORICAL },
        { "race", 1, 9, 1, SHOAL_TYPE_CATEGORICAL },
        { "type_id", 1, 25, 1, SHOAL_TYPE_CATEGORICAL },
        { "children", 0, 6, 1, SHOAL_TYPE_NUMERIC },
        { "q7", 1, 5, 1, SHOAL_TYPE_CATEGORICAL },
        { "q8", 8, 5, 1, SHOAL_TYPE_NUMERIC },
        { "number_of_types", 0, 6, 1, SHOAL_TYPE_NUMERIC },
    };
    char text[N_ROWS * 40], *at = text;
    for (size_t c = 0; c < 7; c++) at += sprintf(at, "%s%s", cases[c].name, c < 6 ? "," : "\n");
    for (int i = 0; i < N_ROWS; i++)
        for (size_t c = 0; c < 7; c++)
            at += sprintf(at, "%d%s", cases[c].from + i % cases[c].n * cases[c].step,
                          c < 6 ? "," : "\n");
    for (int is_said = 0; is_said < 2; is_said++) {
        shoal_table *table = NULL;
        assert_ok(shoal_table_open_memory(&table, text, strlen(text), NULL, NULL, NULL, &err));
        for (size_t c = 0; c < 7; c++) {
            assert_ok(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err));
            if (is_said) assert_ok(shoal_table_set_type(table, c, SHOAL_TYPE_NUMERIC, &err));
        }
        assert_ok(shoal_table_load(table, NULL, &err));
        for (size_t c = 0; c < 7; c++)
            if (shoal_table_type(table, c) != (is_said ? SHOAL_TYPE_NUMERIC : cases[c].type))
                fail_msg("type of %s", cases[c].name);
        shoal_table_free(table);
    }
}

static shoal_status load_proposed(shoal_table **out, const char *text, bool propose)
{
    shoal_status status = shoal_table_open_memory(out, text, strlen(text), NULL, NULL, NULL, &err);
    if (status == SHOAL_OK) status = shoal_profile_load(*out, NULL, propose, &err);
    return status;
}

static shoal_status load_and_free(const char *text)
{
    shoal_table *table = NULL;
    shoal_status status = load_proposed(&table, text, true);
    shoal_table_free(table);
    return status;
}

/* N among numbers, ? anywhere and 99 far above are missing; N beside Y, 99 among ages and -9 among
 * negative numbers are values. */
static void test_null_marks(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* all three columns */
        "a,b,c\n1,x,99\nN,?,3\n2,x,4\n5,y,99\n",
        /* none */
        "a,b,c\nY,60,-9\nN,99,-3\nN,99,4\n",
        /* -9; None is doubtful */
        "a,b,c\n1,x,-9\n2,None,-9\n3,z,0\n",
        /* -9 among words */
        "a,b,c\nyes,1,x\n-9,2,y\n-9,3,x\nno,4,-1\n",
        /* among dates and decimal commas */
        "a;b;c\n01.02.2020;1,50;UNK\n-;2,00;3\n00.00.0000;-;unknown\n03.04.2020;3,50;7\n",
        /* two codes at once; alone the second one is a value */
        "a,b,c\n1,1,3\n-8,98,4\n-8,98,5\n-9,99,6\n-9,99,7\n5,6,8\n",
        "a,b,c\n1,98,3\n2,98,4\n3,5,5\n",
        /* in other languages, among units, currencies and dates */
        "a;b;c\n170 cm;€ 5;2020-01-01\nk. A.;s/d;unbekannt\n180 cm;onbekend;2021-01-01\n",
    };
    static const uint64_t missing[8][3] = { { 1, 1, 2 }, { 0, 0, 0 }, { 0, 0, 2 }, { 2, 0, 0 },
                                            { 2, 1, 2 }, { 4, 4, 0 }, { 0, 0, 0 }, { 1, 2, 1 } };
    static const char *const nulls[] = {
        "[\"\", \"?\", \"N\", \"99\"]",
        "[\"\"]",
        "[\"\", \"-9\"]",
        "[\"\", \"-9\"]",
        "[\"\", \"-\", \"00.00.0000\", \"UNK\", \"unknown\"]",
        "[\"\", \"-9\", \"99\", \"-8\", \"98\"]",
        "[\"\"]",
        "[\"\", \"k. A.\", \"s/d\", \"unbekannt\", \"onbekend\"]"
    };
    for (size_t i = 0; i < 8; i++) {
        shoal_table *table = NULL;
        char *plan = NULL;
        assert_ok(load_proposed(&table, texts[i], true));
        for (size_t c = 0; c < 3; c++) {
            shoal_column_profile p;
            assert_ok(shoal_profile_column(&p, table, c, &err));
            assert_int_equal(p.n_missing, missing[i][c]);
        }
        assert_ok(shoal_profile_plan(&plan, table, "t.csv", &err));
        assert_non_null(strstr(plan, nulls[i]));
        assert_int_equal(i == 2, strstr(plan, "#     \"None\" in 1 column\n") != NULL);
        shoal_string_free(plan);
        shoal_table_free(table);
        table = NULL;
        assert_ok(load_proposed(&table, texts[i], false));
        assert_int_equal(shoal_table_null_code(table, 0), UINT32_MAX);
        shoal_table_free(table);
    }
    assert_survives_allocation_failure(load_and_free(texts[0]));
}

/* Among keys 99 is one of them, and says nothing of the codes beside it; P0012 is a person, though
 * there is a diagnosis of that name. */
static void test_keys_are_no_values(void **state)
{
    (void)state;
    char text[200 * 30], *at = text + sprintf(text, "row,person_id,answer\n");
    shoal_table *table = NULL;
    shoal_column_profile p;
    for (int i = 0; i < 200; i++)
        at += sprintf(at, "%d,P%03d,%d\n", i, i / 2, i % 10 == 0 ? 99 : 1 + i % 5);
    assert_ok(load_proposed(&table, text, true));
    assert_ok(shoal_profile_column(&p, table, 2, &err));
    assert_int_equal(p.n_missing, 20);
    assert_ok(shoal_profile_column(&p, table, 1, &err));
    assert_int_equal(p.proposed, SHOAL_ROLE_ENTITY);
    assert_null(p.builder);
    shoal_table_free(table);
}

/*
 * A tick in a box tells whom it is about, one value for all and none at all do not. Numbers of
 * riders look like diagnoses and are none, nor are codes that are as many as persons; those with a
 * point are. A weight that begins below 1 is one of a survey, and the number of an employee is no
 * job.
 */
static void test_doubtful_columns(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        shoal_role role;
    } columns[] = {
        { "dialysis", SHOAL_ROLE_QUASI },
        { "centre", SHOAL_ROLE_OTHER },
        { "remark", SHOAL_ROLE_OTHER },
        { "driver", SHOAL_ROLE_ENTITY },
        { "code_a", SHOAL_ROLE_UNDECIDED },
        { "code_b", SHOAL_ROLE_SENSITIVE },
        { "weight", SHOAL_ROLE_DROP },
        { "body_weight", SHOAL_ROLE_QUASI },
        { "Employee No", SHOAL_ROLE_IDENTIFIER },
        { "member no", SHOAL_ROLE_ENTITY },
        { "school_no", SHOAL_ROLE_QUASI },
    };
    enum { N = 11, ROWS = 600 };
    char *text = malloc(ROWS * 120), *at = text;
    for (size_t c = 0; c < N; c++)
        at += sprintf(at, "%s%s", columns[c].name, c + 1 < N ? "," : "\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "%s,x,,u%d,%c%02d,%c%02d.%d,%d.%02d,%d.5,%d,%d,%d\n", i % 50 ? "" : "x",
                      i % 150, "CEFHJKLMNG"[i % 10], i % 300 * 7 % 89, 'A' + i % 7, i % 60, i % 4,
                      i % 4, 25 + i % 70, 40 + i % 60, 1000 + i, 5000 + i % 200, i % 4);
    shoal_table *table = NULL;
    assert_ok(load_proposed(&table, text, true));
    for (size_t c = 0; c < N; c++) {
        shoal_column_profile p;
        assert_ok(shoal_profile_column(&p, table, c, &err));
        if (p.proposed != columns[c].role)
            fail_msg("%s: role %d: %s", columns[c].name, p.proposed, p.reason);
    }
    shoal_table_free(table);
    free(text);
}

/* A line of totals makes text of a column of numbers: the plan says so, and not which text it is.
 */
static void test_numbers_but_for_a_total(void **state)
{
    (void)state;
    char text[100 * 20], *at = text + sprintf(text, "age,grade,plz,diag\n");
    shoal_table *table = NULL;
    shoal_column_profile p;
    char *plan = NULL;
    for (int i = 0; i < 60; i++)
        at += sprintf(at, "%d,%s,0%d,%s%d\n", 20 + i, i % 2 ? "4" : "A", 1000 + i,
                      i == 7 ? "V" : "", i == 7 ? 57 : 250 + i);
    sprintf(at, "no data,1,,\n"); /* a total alone would be left out */
    assert_ok(load_proposed(&table, text, true));
    static const uint64_t expected[] = { 1, 0, 0, 0 }; /* V57 is a diagnosis, as 250 is */
    for (size_t c = 0; c < 4; c++) {
        assert_ok(shoal_profile_column(&p, table, c, &err));
        assert_int_equal(p.n_no_numbers, expected[c]);
    }
    assert_ok(shoal_profile_plan(&plan, table, "t.csv", &err));
    assert_non_null(strstr(plan, "numeric except for 1 row with other text"));
    assert_null(strstr(plan, "no data"));
    shoal_string_free(plan);
    shoal_table_free(table);
}

/* Of decimals, units, currencies and dates, too. */
static void test_formats_but_for_a_text(void **state)
{
    (void)state;
    char *text = calloc(1, 1 << 13);
    assert_non_null(text);
    char *at = text + sprintf(text, "a;b;c;d;e\n");
    for (int i = 0; i < 60; i++)
        at += i == 7 ? sprintf(at, "see note;about;n.a. yet;later;K 17\n")
                     : sprintf(at, "%d,5;%d cm;%d EUR;%02d.03.2020;K%d\n", i, 150 + i, 900 + i,
                               1 + i % 28, i);
    shoal_table *table = NULL;
    char *plan = NULL;
    assert_ok(load_proposed(&table, text, true));
    static const uint64_t expected[] = { 1, 1, 1, 1, 0 };
    for (size_t c = 0; c < 5; c++) {
        shoal_column_profile p;
        assert_ok(shoal_profile_column(&p, table, c, &err));
        if (p.n_no_numbers != expected[c]) fail_msg("column %zu: %d", c, (int)p.n_no_numbers);
        assert_int_equal(p.are_dates, c == 3);
    }
    assert_ok(shoal_profile_plan(&plan, table, "t.csv", &err));
    assert_non_null(strstr(plan, "; a date except for 1 row with other text"));
    shoal_string_free(plan);
    shoal_table_free(table);
    free(text);
}

/* Male, male and " male" are three values: the plan says so; 1 and 1.0 are none of its business. */
static void test_values_that_differ_by_blanks(void **state)
{
    (void)state;
    char text[60 * 40], *at = text + sprintf(text, "sex,town,weight\n");
    shoal_table *table = NULL;
    shoal_column_profile p;
    char *plan = NULL;
    for (int i = 0; i < 60; i++)
        at += sprintf(at, "%s,%s,\"%d,%d25\"\n",
                      i % 3 == 0   ? "Male"
                      : i % 3 == 1 ? "male"
                                   : " male",
                      i % 2 ? "Linz" : "Graz", i % 3, i % 10);
    assert_ok(load_proposed(&table, text, true));
    assert_ok(shoal_profile_plan(&plan, table, "t.csv", &err));
    assert_non_null(
        strstr(plan, "name: \"sex\", role: quasi, type: categorical} # categorical, 3 distinct, 0 "
                     "missing; name suggests a quasi-identifier; 2 values are another one"));
    assert_null(strstr(strstr(plan, "name: \"town\""), "another one"));
    /* 0,125 to 2,925: a survey weight with a decimal comma */
    assert_ok(shoal_profile_column(&p, table, 2, &err));
    assert_int_equal(p.proposed, SHOAL_ROLE_DROP);
    shoal_string_free(plan);
    shoal_table_free(table);
}

/* No value of the table may be in the plan. */
static void assert_no_values(const char *plan)
{
    static const char *const pieces[] = { "example.org", "Person", "10115", "10120",
                                          "1950-",       "1951-",  "only" };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        assert_null(strstr(plan, pieces[i]));
}

static void test_plan_can_be_read_and_run(void **state)
{
    (void)state;
    char *csv = make_csv(), *text = NULL;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    shoal_table *table = load_table(csv, &options);
    assert_ok(shoal_profile_plan(&text, table, "people\n.csv", &err));
    assert_non_null(strstr(text, "\n# k: "));
    assert_no_values(text);
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_ok(shoal_plan_parse(&plan, text, strlen(text), "p.yaml", &err));
    assert_int_equal(plan.k, 0); /* privacy has no default */
    assert_int_equal(plan.n_columns, 12);
    assert_string_equal(plan.columns[10].name, "odd \"#: name");
    shoal_plan_clear(&plan);

    char *k = strstr(text, "# k: ");
    memcpy(k, "k: 5 ", 5); /* what its reader is asked to do */
    assert_ok(shoal_plan_parse(&plan, text, strlen(text), "p.yaml", &err));
    assert_int_equal(plan.k, 5);
    shoal_plan_clear(&plan);
    /* statements for the report: their comment signs are taken away */
    char *about = strstr(text, "# about:");
    assert_non_null(about);
    for (char *at = about; at != NULL && *at == '#'; at = strchr(at, '\n') + 1)
        memmove(at, at + 2, strlen(at + 2) + 1);
    assert_ok(shoal_plan_parse(&plan, text, strlen(text), "p.yaml", &err));
    assert_string_equal(plan.about[SHOAL_ABOUT_REVIEW_DATE], "2030-01-31");
    shoal_table_free(table);
    table = NULL;
    assert_ok(shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, NULL, &err));
    options.encode_all = false;
    assert_fails(shoal_plan_prepare(&plan, table, true, &options, &err), SHOAL_EINVAL,
                 "columns with role undecided: measure");
    plan.columns[9].role = SHOAL_ROLE_DROP;
    assert_ok(shoal_plan_prepare(&plan, table, true, &options, &err));
    assert_non_null(shoal_table_hierarchy(table, 4));
    shoal_plan_clear(&plan);
    shoal_string_free(text);
    shoal_table_free(table);
    free(csv);
}

static void test_names_of_all_kinds(void **state)
{
    (void)state;
    static const char csv[] = "\"a\\b\",\"new\nline\",\xc3\xa9t\xc3\xa9,\xff\xfe\x80,tab\there,"
                              "true,\xe2\x80\xa8sep,\xc2\x85nel\n"
                              "1,2,3,4,5,6,7,8\n";
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    shoal_table *table = NULL;
    shoal_csv_options comma = SHOAL_CSV_OPTIONS_INIT;
    comma.delimiter = ',';
    assert_ok(shoal_table_open_memory(&table, csv, sizeof csv - 1, NULL, NULL, &comma, &err));
    assert_ok(shoal_table_load(table, &options, &err));
    char *text = NULL;
    assert_ok(shoal_profile_plan(&text, table, NULL, &err));
    shoal_plan plan = SHOAL_PLAN_INIT;
    assert_ok(shoal_plan_parse(&plan, text, strlen(text), "p.yaml", &err));
    assert_int_equal(plan.n_columns, 7); /* the one that is not UTF-8 is left to flags */
    assert_non_null(strstr(text, "column 4 has a name that is not UTF-8"));
    for (size_t i = 0; i < 7; i++)
        assert_true(shoal_table_find_column(table, plan.columns[i].name) != SIZE_MAX);
    shoal_plan_clear(&plan);
    shoal_string_free(text);
    shoal_table_free(table);
}

static shoal_status profile_once(const shoal_table *table)
{
    char *text = NULL;
    shoal_status status = shoal_profile_plan(&text, table, "x.csv", NULL);
    shoal_string_free(text);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    char *csv = make_csv();
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    shoal_table *table = load_table(csv, &options);
    assert_survives_allocation_failure(profile_once(table));
    shoal_table_free(table);
    free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_hints),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_codes_of_kinds),
        cmocka_unit_test(test_codes_and_amounts),
        cmocka_unit_test(test_null_marks),
        cmocka_unit_test(test_values_that_differ_by_blanks),
        cmocka_unit_test(test_keys_are_no_values),
        cmocka_unit_test(test_doubtful_columns),
        cmocka_unit_test(test_numbers_but_for_a_total),
        cmocka_unit_test(test_formats_but_for_a_text),
        cmocka_unit_test(test_dearest_columns),
        cmocka_unit_test(test_plan_can_be_read_and_run),
        cmocka_unit_test(test_names_of_all_kinds),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
