/* SPDX-License-Identifier: Apache-2.0 */
/* test_series_withdraw.c - how many rows must go with those that leave: against all subsets, and
 * slots against all pairs of releases. Covers: series_judge.c, series_withdraw.c, series_slot.c
 */
#include "series/series_change.h"
#include "test.h"

enum { MOST = 12, N_VALUES = 4 };

/* A slot of some cells, and the expected decision for its rows. */
typedef struct slot_case {
    shoal_series_state state;
    shoal_series_row rows[MOST];
    uint32_t new_rows[MOST], slots[MOST];
    uint8_t fates[MOST];
    uint64_t row_begin[2], past_begin[2];
    shoal_plan plan;
    shoal_change change;
} slot_case;

static const char *const letters[N_VALUES] = { "a", "b", "c", "d" };

static void case_begin(slot_case *s, uint32_t k, const char *l_diversity)
{
    shoal_error err;
    char settings[200];
    int length = snprintf(settings, sizeof settings,
                          "k\t%u\nqid\tq\tnumeric\nsensitive\ts\tcategorical\n", k);
    if (l_diversity != NULL)
        snprintf(settings + length, sizeof settings - (size_t)length, "model\tl-diversity\t%s\t\n",
                 l_diversity);
    memset(s, 0, sizeof *s);
    s->plan = (shoal_plan)SHOAL_PLAN_INIT;
    s->state.rows = s->rows;
    s->change = (shoal_change){ .state = &s->state,
                                .plan = &s->plan,
                                .number = 5,
                                .new_rows = s->new_rows,
                                .slots = s->slots,
                                .fates = s->fates,
                                .n_old_slots = 1,
                                .row_begin = s->row_begin,
                                .past_begin = s->past_begin };
    assert_true(shoal_tuple_pool_init(&s->state.slots, 1) &&
                shoal_tuple_pool_init(&s->state.values, 1));
    assert_int_equal(shoal_tuple_pool_add(&s->state.slots, &(shoal_text){ "x", 1 }), 0);
    for (uint32_t v = 0; v < N_VALUES; v++)
        assert_int_equal(shoal_tuple_pool_add(&s->state.values, &(shoal_text){ letters[v], 1 }), v);
    assert_ok(shoal_series_terms_read(&s->change.terms, settings, &err));
    assert_ok(shoal_series_judge_make(&s->change.judge, &s->change.terms, &s->state.values, &err));
}

static void case_end(slot_case *s)
{
    shoal_series_judge_clear(&s->change.judge);
    shoal_series_terms_clear(&s->change.terms);
    shoal_free(s->change.scratch.history);
    shoal_free(s->change.scratch.now);
    shoal_tuple_pool_clear(&s->state.slots);
    shoal_tuple_pool_clear(&s->state.values);
}

static void add_row(slot_case *s, uint32_t value, uint32_t arrived, bool leaves)
{
    uint64_t i = s->state.n_rows++;
    s->rows[i] = (shoal_series_row){ .value = value, .arrived = arrived };
    s->new_rows[i] = (uint32_t)i;
    s->fates[i] = leaves ? SHOAL_ROW_LEAVES : SHOAL_ROW_STAYS;
    s->row_begin[1] = s->state.n_rows;
}

/* k rows and l distinct values, or none. */
static bool set_holds(const slot_case *s, unsigned set, uint32_t k, uint32_t l)
{
    uint32_t n = 0, n_values = 0, seen = 0;
    for (uint64_t i = 0; i < s->state.n_rows; i++) {
        if ((set >> i & 1) == 0) continue;
        n++;
        n_values += (seen >> s->rows[i].value & 1) == 0;
        seen |= 1u << s->rows[i].value;
    }
    return n == 0 || (n >= k && n_values >= l);
}

/* One cell: the fewest rows by trying all subsets. */
static void test_fewest_rows_of_a_cell(void **state)
{
    (void)state;
    uint32_t n_partial = 0;
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 0);
    for (int round = 0; round < 3000; round++) {
        slot_case s;
        shoal_error err;
        uint32_t k = 1 + (uint32_t)shoal_rng_below(&rng, 4),
                 l = 1 + (uint32_t)shoal_rng_below(&rng, 3),
                 n = 2 + (uint32_t)shoal_rng_below(&rng, MOST - 1);
        char model[20];
        snprintf(model, sizeof model, "distinct:%u", l);
        case_begin(&s, k, l > 1 ? model : NULL);
        unsigned leaving = 0, all = (1u << n) - 1, fewest = n + 1;
        for (uint32_t i = 0; i < n; i++) {
            bool leaves = shoal_rng_below(&rng, 4) == 0;
            add_row(&s, (uint32_t)shoal_rng_below(&rng, N_VALUES), 1, leaves);
            leaving |= (unsigned)leaves << i;
        }
        if (set_holds(&s, all, k, l) && leaving != 0) { /* as every cell of a series does */
            for (unsigned more = 0; more <= all; more++) {
                if ((more & leaving) != 0 || !set_holds(&s, leaving | more, k, l) ||
                    !set_holds(&s, all & ~(leaving | more), k, l))
                    continue;
                unsigned n_more = (unsigned)__builtin_popcount(more);
                if (n_more < fewest) fewest = n_more;
            }
            assert_ok(shoal_change_withdraw(&s.change, &err));
            assert_int_equal(s.change.entry.withdrawn, fewest);
            assert_int_equal(s.change.entry.inexact, 0);
            unsigned part = 0;
            for (uint32_t i = 0; i < n; i++) part |= (unsigned)(s.fates[i] != SHOAL_ROW_STAYS) << i;
            assert_true(set_holds(&s, part, k, l) && set_holds(&s, all & ~part, k, l));
            n_partial += fewest > 0 && part != all;
        }
        case_end(&s);
    }
    assert_true(n_partial > 100);
}

/* Two batches of one slot: what left must not hide behind what came. */
static void test_text_of_a_slot(void **state)
{
    (void)state;
    shoal_error err;
    slot_case s;
    case_begin(&s, 2, NULL);
    add_row(&s, 0, 1, true); /* release 1: a b */
    add_row(&s, 1, 1, true);
    add_row(&s, 0, 2, false); /* release 2: a b a c */
    add_row(&s, 2, 2, false);
    /* the first batch leaves: release 5 would have a c, and from release 1 to 5 one b became one c
     */
    assert_ok(shoal_change_withdraw(&s.change, &err));
    assert_int_equal(s.change.entry.withdrawn, 2);
    case_end(&s);
    case_begin(&s, 2, NULL);
    add_row(&s, 0, 1, true);
    add_row(&s, 1, 1, true);
    add_row(&s, 2, 2, false); /* c d have nothing of a b: they may stay */
    add_row(&s, 3, 2, false);
    assert_ok(shoal_change_withdraw(&s.change, &err));
    assert_int_equal(s.change.entry.withdrawn, 0);
    case_end(&s);
}

/* The judge of a slot against a loop over all releases. */
static void test_judge_of_slots(void **state)
{
    (void)state;
    enum { LAST = 6 };
    uint32_t n_held = 0, n_failed = 0;
    shoal_rng rng;
    shoal_rng_init(&rng, 11, 0);
    for (int round = 0; round < 4000; round++) {
        slot_case s;
        shoal_error err;
        bool holds, expected = true;
        uint32_t k = 2 + (uint32_t)shoal_rng_below(&rng, 2);
        shoal_series_past history[5];
        shoal_counted_value now[2];
        size_t n_history = (size_t)shoal_rng_below(&rng, 5) + 1;
        case_begin(&s, k, NULL);
        for (size_t i = 0; i < n_history; i++) {
            uint32_t arrived = 1 + (uint32_t)shoal_rng_below(&rng, LAST - 1),
                     left = arrived + 1 + (uint32_t)shoal_rng_below(&rng, LAST);
            history[i] = (shoal_series_past){ 0, (uint32_t)shoal_rng_below(&rng, N_VALUES),
                                              1 + (uint32_t)shoal_rng_below(&rng, 4), arrived,
                                              left >= LAST ? UINT32_MAX : left };
        }
        for (size_t i = 0; i < 2; i++)
            now[i] = (shoal_counted_value){ (uint32_t)shoal_rng_below(&rng, N_VALUES),
                                            (uint32_t)shoal_rng_below(&rng, 5) };
        for (uint32_t release = 0; release < LAST; release++) {
            int counts[N_VALUES] = { 0 }, came = 0, went = 0;
            for (size_t i = 0; i < 2; i++) counts[now[i].value] += (int)now[i].count;
            for (size_t i = 0; i < n_history; i++)
                if (history[i].arrived <= release && release < history[i].left)
                    counts[history[i].value] -= (int)history[i].count;
            for (uint32_t v = 0; v < N_VALUES; v++)
                (counts[v] > 0) ? (came += counts[v]) : (went -= counts[v]);
            expected = expected && (came == 0 || came >= (int)k) && (went == 0 || went >= (int)k);
        }
        assert_ok(
            shoal_series_judge_slot(&holds, &s.change.judge, history, n_history, now, 2, &err));
        assert_int_equal(holds, expected);
        n_held += holds;
        n_failed += !holds;
        case_end(&s);
    }
    assert_true(n_held > 100 && n_failed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewest_rows_of_a_cell),
        cmocka_unit_test(test_text_of_a_slot),
        cmocka_unit_test(test_judge_of_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
