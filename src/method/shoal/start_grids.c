/* SPDX-License-Identifier: Apache-2.0 */
/* start_grids.c - the second start of the default method: close cells of increasingly coarse grids.
 *
 * A grid is one level for each attribute: the leaf, its ancestors up to the root; for numbers bands
 * of width 1/64, 1/32, ... of the domain; for sets the value or everything. Grids are visited in
 * order of what they lose (each level's loss averaged over rows, summed over attributes), and at
 * each grid every cell that holds at least k loose rows becomes a group. Growing row by row is
 * short-sighted when k is large; cells see all rows at once.
 *
 * An example with one number of width 64 and one tree of height 1, k = 2: levels of the number are
 * 64, 32, 16, ... bands, those of the tree its leaves and `*`. The first grid is (exact, leaves), a
 * loss of 0; then come (64 bands, leaves) with 1/64, (32 bands, leaves) with 1/32, and so on;
 * (exact, `*`) loses as much as the root and comes after all bands of the leaves. Two rows (10, a)
 * and (11, a) share no cell of the first two grids and one of 32 bands (5: 10 and 11), where they
 * become a group.
 *
 * So a loose row lay in no cell of k loose rows of any grid visited so far. Invariant: the classes
 * alive are those with loose rows, and n_loose counts these. Cells are identified by a 64-bit sum
 * of random numbers, one for each (attribute, level, cell side): two cells with the same sum, at
 * odds of 2^-64, would be closed together, which is still a valid group. If another start has to be
 * beaten, the sweep aborts as soon as that is unlikely. Cost: O(grids * loose classes * q) time, at
 * most SHOAL_MOST_GRIDS grids; 4q + 100 bytes per class.
 */
#include "base/invariant.h"
#include "base/stable_sort.h"
#include "method/shoal/clustering.h"
#include "method/shoal/penalty.h"
#include "method/shoal/tuning.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LEVELS = 32 };

/* The levels of one attribute. */
typedef struct ladder {
    uint32_t n_levels;
    double loss[MAX_LEVELS];    /* of each level, rising */
    uint64_t *side[MAX_LEVELS]; /* random number of each code at this level */
} ladder;

typedef struct grid {
    double loss;
    uint8_t *levels; /* of each attribute */
    /* the attribute raised last: only this and later ones are raised next, so no grid comes twice
     */
    uint32_t last;
} grid;

typedef struct cell {
    uint64_t hash;
    uint32_t stamp; /* grid it belongs to */
    uint32_t group; /* once it is closed */
    uint64_t n_rows;
} cell;

typedef struct sweep {
    shoal_clustering *clustering;
    ladder *ladders;
    uint32_t m;
    grid *heap;
    size_t n_heap, heap_room;
    shoal_arena arena; /* levels of grids, sides of codes */
    uint32_t *alive;   /* classes with loose rows */
    uint32_t n_alive;
    uint32_t *codes;  /* of the alive ones, m each, side by side: every grid reads them all */
    uint32_t *rows;   /* of the alive ones: loose rows */
    uint64_t *hashes; /* of the alive ones, at this grid */
    /* rows of all cells that share a place: a cell in a place with fewer than k is not full */
    uint64_t *crowds;
    const uint64_t **sides; /* of each attribute at this grid */
    size_t crowd_mask;      /* places - 1, for the current alive ones */
    cell *cells;
    size_t n_cells; /* a power of two */
    uint32_t stamp;
    uint64_t n_loose;
    size_t n_counted;    /* groups that are in closed_loss */
    double closed_loss;  /* rows * loss of the groups formed here */
    double closed_grids; /* the same with the loss of the grid they were closed at */
    bool has_penalty;    /* there is a constraint: cells that miss it stay open */
    shoal_penalty penalty;
    uint32_t *order; /* alive ones by cell */
} sweep;

/* A random number that depends on x alone, the same in every run. */
static uint64_t scramble(uint64_t x)
{
    shoal_rng rng;
    shoal_rng_init(&rng, 17, x);
    return shoal_rng_next(&rng);
}

/* Is the attribute `*` at this level? */
static bool is_everything(const shoal_measure_line *line, uint32_t level)
{
    return level >= (line->is_set        ? 1
                     : line->is_interval ? SHOAL_GRID_BANDS + 1
                                         : line->tree->height);
}

/* The side of a cell that a code lies in: a number that is the same for all codes of the side. */
static uint64_t side_of(const shoal_measure_line *line, uint32_t level, uint32_t code)
{
    bool is_tree = line->is_tree;
    if (is_everything(line, level)) return is_tree ? line->tree->n_nodes - 1 : UINT32_MAX;
    if (code == line->wild_code) return 0; /* one cell is as good as another until all are one */
    /* below the root: no node or band has that number */
    if (code >= line->n_plain) return ((uint64_t)1 << 32) + code;
    if (level == 0) return code;
    if (line->is_interval) {
        uint64_t bands = (uint64_t)1 << (SHOAL_GRID_BANDS + 1 - level),
                 top = line->one > 0 ? line->one : 1;
        uint64_t band = line->position[code] * bands / top;
        return band < bands ? band : bands - 1;
    }
    uint32_t root = line->tree->n_nodes - 1, node = code;
    for (uint32_t l = 0; l < level && node != root; l++) node = line->tree->parent[node];
    return node;
}

/* Levels of an attribute, from its own codes (0) to everything. */
static uint32_t count_levels(const shoal_measure_line *line)
{
    uint32_t n = line->is_set        ? 2
                 : line->is_interval ? SHOAL_GRID_BANDS + 2
                                     : line->tree->height + 1;
    return n < MAX_LEVELS ? n : MAX_LEVELS;
}

/* What the level loses for one code. */
static double loss_of(const shoal_measure_line *line, uint32_t level, uint32_t code, uint32_t k)
{
    if (level == 0 || line->one == 0 || code == line->wild_code) return 0;
    if (line->is_set) return line->set_loss[k < line->n_plain ? k : line->n_plain];
    if (line->is_interval)
        return code >= line->n_plain
                   ? 0
                   : (double)line->one / (double)((uint64_t)1 << (SHOAL_GRID_BANDS + 1 - level));
    uint64_t side = side_of(line, level, code);
    return side < line->tree->n_nodes ? line->node_loss[side] : 0;
}

/* The levels of one attribute: the side that each code lies in, as a random number, and what the
 * level loses on average over all rows; never less than the level below it. */
static bool make_ladder(sweep *s, uint32_t a)
{
    const shoal_classes *classes = s->clustering->problem->classes;
    const shoal_measure_line *line = &s->clustering->metric->lines[a];
    ladder *it = &s->ladders[a];
    it->n_levels = count_levels(line);
    for (uint32_t level = 0; level < it->n_levels; level++) {
        it->side[level] = shoal_arena_alloc(&s->arena, line->n_codes * sizeof(uint64_t));
        if (it->side[level] == NULL) return false;
        for (uint32_t code = 0; code < line->n_codes; code++)
            it->side[level][code] = scramble(((uint64_t)a << 48) + ((uint64_t)level << 40) +
                                             side_of(line, level, code));
        double sum = 0;
        for (uint32_t c = 0; c < classes->n_classes; c++)
            sum += classes->counts[c] * loss_of(line, level, shoal_class_codes(classes, c)[a],
                                                s->clustering->problem->k);
        it->loss[level] = sum / (double)classes->n_rows;
        if (level > 0 && it->loss[level] < it->loss[level - 1])
            it->loss[level] = it->loss[level - 1];
    }
    return true;
}

/* Put a grid into the heap, by its loss. */
static bool push(sweep *s, const uint8_t *levels, uint32_t last, double loss)
{
    void *block = s->heap;
    if (!shoal_reserve(&block, &s->heap_room, s->n_heap + 1, sizeof *s->heap)) return false;
    s->heap = block;
    grid it = { .loss = loss, .last = last, .levels = shoal_arena_alloc(&s->arena, s->m) };
    if (it.levels == NULL) return false;
    memcpy(it.levels, levels, s->m);
    size_t i = s->n_heap++;
    for (; i > 0 && loss < s->heap[(i - 1) / 2].loss; i = (i - 1) / 2)
        s->heap[i] = s->heap[(i - 1) / 2];
    s->heap[i] = it;
    return true;
}

/* The grid with the least loss, taken out of the heap. */
static grid pop(sweep *s)
{
    grid top = s->heap[0], it = s->heap[--s->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < s->n_heap; i = child) {
        if (child + 1 < s->n_heap && s->heap[child + 1].loss < s->heap[child].loss) child++;
        if (s->heap[child].loss >= it.loss) break;
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = it;
    return top;
}

/* The grids that are one level coarser in one attribute, that raised last or a later one: so each
 * grid is reached in one way only. */
static bool push_coarser(sweep *s, grid *from)
{
    for (uint32_t a = from->last; a < s->m; a++) {
        if (from->levels[a] + 1u >= s->ladders[a].n_levels) continue;
        const double *loss = s->ladders[a].loss + from->levels[a];
        from->levels[a]++;
        bool ok = push(s, from->levels, a, from->loss + loss[1] - loss[0]);
        from->levels[a]--;
        if (!ok) return false;
    }
    return true;
}

/* The cell with this hash in the current grid, made if it is new; cells of earlier grids count as
 * free slots. */
static cell *find_cell(sweep *s, uint64_t hash)
{
    size_t at = hash & (s->n_cells - 1);
    while (s->cells[at].stamp == s->stamp && s->cells[at].hash != hash)
        at = (at + 1) & (s->n_cells - 1);
    if (s->cells[at].stamp != s->stamp)
        s->cells[at] = (cell){ .hash = hash, .stamp = s->stamp, .group = SHOAL_SUPPRESSED };
    return &s->cells[at];
}

/* Could the cell of alive class i be full? Its place has at least k rows. */
static bool is_crowded(const sweep *s, uint32_t i)
{
    return s->crowds[s->hashes[i] & s->crowd_mask] >= s->clustering->problem->k;
}

/* Hash the alive ones, and count rows by places that cells may share; returns whether some place
 * has enough. */
static bool count_crowds(sweep *s, const grid *g)
{
    uint32_t k = s->clustering->problem->k;
    const uint32_t *codes = s->codes;
    const uint64_t **sides = s->sides;
    bool has_full = false;
    while (s->crowd_mask > 1023 && s->crowd_mask / 4 >= s->n_alive) s->crowd_mask /= 2;
    memset(s->crowds, 0, (s->crowd_mask + 1) * sizeof *s->crowds);
    for (uint32_t a = 0; a < s->m; a++) sides[a] = s->ladders[a].side[g->levels[a]];
    for (uint32_t i = 0; i < s->n_alive; i++, codes += s->m) {
        uint64_t hash = 0;
        for (uint32_t a = 0; a < s->m; a++) hash += sides[a][codes[a]];
        hash ^= hash >> 29;
        s->hashes[i] = hash;
        uint64_t *crowd = &s->crowds[hash & s->crowd_mask];
        *crowd += s->rows[i];
        has_full |= *crowd >= k;
    }
    return has_full;
}

/* Count the loose rows of each cell of the grid that may be full; returns whether some cell is. */
static bool count_cells(sweep *s, const grid *g)
{
    bool has_full = false;
    if (!count_crowds(s, g)) return false; /* the common case */
    s->stamp++;
    for (uint32_t i = 0; i < s->n_alive; i++) {
        if (!is_crowded(s, i)) continue;
        cell *c = find_cell(s, s->hashes[i]);
        c->n_rows += s->rows[i];
        has_full |= c->n_rows >= s->clustering->problem->k;
    }
    return has_full;
}

static int by_hash(const void *x, const void *y, void *payload)
{
    const uint64_t *hashes = payload;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return hashes[a] != hashes[b] ? (hashes[a] < hashes[b] ? -1 : 1) : a < b ? -1 : a > b;
}

/* Full cells whose rows miss the constraint are marked empty. What they lose is not known
 * yet. */
static void shut_wanting_cells(sweep *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_alive; i++)
        if (is_crowded(s, i) && find_cell(s, s->hashes[i])->n_rows >= s->clustering->problem->k)
            s->order[n++] = i;
    shoal_stable_sort(s->order, n, sizeof *s->order, by_hash, s->hashes);
    for (uint32_t begin = 0, end; begin < n; begin = end) {
        shoal_evidence_clear(&s->penalty.mine);
        for (end = begin; end < n && s->hashes[s->order[end]] == s->hashes[s->order[begin]];
             end++) {
            uint32_t c = s->alive[s->order[end]];
            shoal_penalty_add(&s->penalty, &s->penalty.mine, c, s->clustering->loose[c]);
        }
        if (shoal_penalty_lack(&s->penalty, &s->penalty.mine, 0) > 0)
            find_cell(s, s->hashes[s->order[begin]])->n_rows = 0;
    }
}

static bool loose_rows_are_alive(const sweep *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n_alive; i++) {
        if (s->rows[i] == 0 || s->rows[i] != s->clustering->loose[s->alive[i]]) return false;
        n += s->rows[i];
    }
    return n == s->n_loose;
}

/* Every cell with k rows becomes a group. */
static bool close_cells(sweep *s)
{
    uint32_t kept = 0;
    if (s->has_penalty) shut_wanting_cells(s);
    for (uint32_t i = 0; i < s->n_alive; i++) {
        uint32_t c = s->alive[i];
        cell *at = is_crowded(s, i) ? find_cell(s, s->hashes[i]) : NULL;
        if (at == NULL || at->n_rows < s->clustering->problem->k) {
            memmove(s->codes + (size_t)kept * s->m, s->codes + (size_t)i * s->m,
                    s->m * sizeof *s->codes);
            s->rows[kept] = s->rows[i];
            s->alive[kept++] = c;
            continue;
        }
        if (at->group == SHOAL_SUPPRESSED) {
            size_t group = shoal_clustering_open(s->clustering);
            if (group == SIZE_MAX) return false;
            at->group = (uint32_t)group;
        }
        s->n_loose -= s->clustering->loose[c];
        if (!shoal_clustering_give(s->clustering, at->group, c, s->clustering->loose[c]))
            return false;
    }
    s->n_alive = kept;
    SHOAL_INVARIANT(loose_rows_are_alive(s));
    return true;
}

/* Memory, the alive classes side by side, the levels of all attributes, and the finest grid. */
static bool sweep_init(sweep *s)
{
    const shoal_classes *classes = s->clustering->problem->classes;
    s->n_cells = 1024;
    while (s->n_cells < 2 * (size_t)classes->n_classes) s->n_cells *= 2;
    s->ladders = shoal_alloc_zero(s->m, sizeof *s->ladders);
    s->alive = shoal_alloc(classes->n_classes, sizeof *s->alive);
    s->hashes = shoal_alloc(classes->n_classes, sizeof *s->hashes);
    s->cells = shoal_alloc_zero(s->n_cells, sizeof *s->cells);
    s->order = shoal_alloc(classes->n_classes, sizeof *s->order);
    s->codes = shoal_alloc((size_t)classes->n_classes * s->m, sizeof *s->codes);
    s->rows = shoal_alloc(classes->n_classes, sizeof *s->rows);
    s->crowd_mask = s->n_cells - 1;
    s->crowds = shoal_alloc(s->n_cells, sizeof *s->crowds);
    s->sides = shoal_alloc(s->m, sizeof *s->sides);
    if (s->ladders == NULL || s->alive == NULL || s->hashes == NULL || s->cells == NULL ||
        s->order == NULL || s->codes == NULL || s->rows == NULL || s->crowds == NULL ||
        s->sides == NULL)
        return false;
    s->has_penalty = shoal_clustering_constraint(s->clustering) != NULL;
    if (s->has_penalty &&
        !shoal_penalty_init(&s->penalty, s->clustering->problem, s->clustering->metric))
        return false;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        if (s->clustering->loose[c] == 0) continue;
        memcpy(s->codes + (size_t)s->n_alive * s->m, shoal_class_codes(classes, c),
               s->m * sizeof *s->codes);
        s->rows[s->n_alive] = s->clustering->loose[c];
        s->alive[s->n_alive++] = c;
        s->n_loose += s->clustering->loose[c];
    }
    for (uint32_t a = 0; a < s->m; a++)
        if (!make_ladder(s, a)) return false;
    uint8_t *finest = shoal_arena_alloc(&s->arena, s->m);
    if (finest == NULL) return false;
    memset(finest, 0, s->m);
    return push(s, finest, 0, 0);
}

/*
 * Will the other start win? Groups lose a share of what their grid loses; if the loose rows lost
 * only that share of this grid's loss, although they are still to be grouped in coarser ones, it
 * would be too much already.
 */
static bool is_hopeless(sweep *s, const grid *g)
{
    const shoal_clustering *c = s->clustering;
    if (c->to_beat == 0) return false;
    for (; s->n_counted < c->n_groups; s->n_counted++) {
        const shoal_cluster *cluster = &c->groups[s->n_counted].cluster;
        s->closed_loss += (double)cluster->loss * cluster->n_rows;
        s->closed_grids += g->loss * cluster->n_rows;
    }
    if (s->closed_grids <= 0) return false;
    double share = s->closed_loss / s->closed_grids;
    return s->closed_loss + share * g->loss * (double)s->n_loose > (double)c->to_beat;
}

/* Visit grids from the least loss on, until too few rows are loose, all grids or MOST_GRIDS of them
 * are visited, time is up, or the other start will not be beaten. */
static shoal_status run(sweep *s, shoal_error *err)
{
    const shoal_problem *problem = s->clustering->problem;
    for (uint32_t n = 0; n < SHOAL_MOST_GRIDS && s->n_heap > 0 && s->n_loose >= problem->k; n++) {
        double done = 1 - (double)s->n_loose / (double)problem->classes->n_rows;
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(problem, 0.5 * done, err));
        if (shoal_seconds() >= problem->deadline) break;
        grid g = pop(s);
        if (!push_coarser(s, &g)) return shoal_fail_memory(err);
        if (!count_cells(s, &g)) continue;
        if (!close_cells(s)) return shoal_fail_memory(err);
        s->clustering->has_given_up = is_hopeless(s, &g);
        if (s->clustering->has_given_up) break;
    }
    return SHOAL_OK;
}

shoal_status shoal_start_grids(shoal_clustering *clustering, shoal_error *err)
{
    sweep s = { .clustering = clustering, .m = clustering->metric->n_attrs };
    shoal_status status = sweep_init(&s) ? run(&s, err) : shoal_fail_memory(err);
    bool is_stopped = clustering->has_given_up || shoal_seconds() >= clustering->problem->deadline;
    /* after the last grid */
    if (status == SHOAL_OK && !is_stopped) status = shoal_start_unconstrained(clustering, err);
    shoal_free(s.ladders);
    shoal_free(s.heap);
    shoal_free(s.alive);
    shoal_free(s.hashes);
    shoal_free(s.cells);
    shoal_free(s.order);
    shoal_free(s.codes);
    shoal_free(s.rows);
    shoal_free(s.crowds);
    shoal_free(s.sides);
    shoal_penalty_free(&s.penalty);
    shoal_arena_clear(&s.arena);
    return status;
}
