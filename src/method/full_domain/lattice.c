/* SPDX-License-Identifier: Apache-2.0 */
/* lattice.c - see lattice.h. */
#include "base/invariant.h"
#include "method/full_domain/lattice.h"

#include <string.h>

/* ---- making it ---- */

/* Give every attribute its bits in a key; a field never crosses a word boundary. */
static void place_fields(shoal_lattice *lattice)
{
    uint32_t word = 0, used = 0;
    for (uint32_t a = 0; a < lattice->n_attrs; a++) {
        shoal_level_axis *axis = &lattice->axes[a];
        uint32_t bits = 0;
        while ((uint64_t)1 << bits < axis->levels[0].n_values) bits++;
        if (used + bits > 64) word++, used = 0;
        axis->word = word;
        /* after a full word a field of 0 bits gets shift 0: a shift by 64 would be undefined */
        axis->shift = used & 63;
        axis->mask = ((uint64_t)1 << bits) - 1;
        used += bits;
    }
    lattice->n_words = word + 1;
}

/* Reserve n groups; the contents are lost if it must grow. */
static bool groups_reserve(shoal_node_groups *groups, size_t n, uint32_t n_words)
{
    if (n <= groups->room) return true;
    shoal_node_groups_clear(groups);
    groups->keys = shoal_alloc(n * n_words, sizeof *groups->keys);
    groups->sizes = shoal_alloc(n, sizeof *groups->sizes);
    groups->first = shoal_alloc(n, sizeof *groups->first);
    if (groups->keys == NULL || groups->sizes == NULL || groups->first == NULL) return false;
    groups->room = n;
    return true;
}

void shoal_node_groups_clear(shoal_node_groups *groups)
{
    shoal_free(groups->keys);
    shoal_free(groups->sizes);
    shoal_free(groups->first);
    *groups = (shoal_node_groups){ 0 };
}

static bool make_base(shoal_lattice *lattice)
{
    const shoal_classes *classes = lattice->classes;
    shoal_node_groups *base = &lattice->base;
    if (!groups_reserve(base, classes->n_classes, lattice->n_words)) return false;
    memset(base->keys, 0, (size_t)classes->n_classes * lattice->n_words * sizeof *base->keys);
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        const uint32_t *codes = shoal_class_codes(classes, c);
        uint64_t *key = base->keys + (size_t)c * lattice->n_words;
        for (uint32_t a = 0; a < lattice->n_attrs; a++) {
            const shoal_level_axis *axis = &lattice->axes[a];
            key[axis->word] |= (uint64_t)axis->base_of_code[codes[a]] << axis->shift;
        }
        base->sizes[c] = classes->counts[c];
        base->first[c] = c;
    }
    base->n = classes->n_classes;
    return true;
}

static bool measure_heights(shoal_lattice *lattice)
{
    lattice->bottom = shoal_alloc_zero(lattice->n_attrs, sizeof *lattice->bottom);
    lattice->top = shoal_alloc(lattice->n_attrs, sizeof *lattice->top);
    lattice->limit = shoal_alloc(lattice->n_attrs, sizeof *lattice->limit);
    if (lattice->bottom == NULL || lattice->top == NULL || lattice->limit == NULL) return false;
    lattice->n_nodes = 1;
    for (uint32_t a = 0; a < lattice->n_attrs; a++) {
        lattice->top[a] = lattice->axes[a].height;
        lattice->height += lattice->top[a];
        uint32_t limit = lattice->space->attrs[a].source->level_limit;
        lattice->limit[a] = limit > 0 && limit - 1 < lattice->top[a] ? limit - 1 : lattice->top[a];
        if (__builtin_mul_overflow(lattice->n_nodes, (uint64_t)lattice->top[a] + 1,
                                   &lattice->n_nodes))
            lattice->n_nodes = UINT64_MAX;
    }
    return true;
}

shoal_status shoal_lattice_make(shoal_lattice *out, const shoal_space *space,
                                const shoal_classes *classes, const char *method, shoal_error *err)
{
    shoal_lattice lattice = { .space = space, .classes = classes, .n_attrs = space->n_attrs };
    SHOAL_RETURN_IF_ERROR(shoal_axes_make(&lattice.axes, space, method, err));
    place_fields(&lattice);
    if (!measure_heights(&lattice) || !make_base(&lattice)) {
        shoal_lattice_clear(&lattice);
        return shoal_fail_memory(err);
    }
    *out = lattice;
    return SHOAL_OK;
}

void shoal_lattice_clear(shoal_lattice *lattice)
{
    shoal_axes_free(lattice->axes, lattice->n_attrs);
    shoal_free(lattice->bottom);
    shoal_free(lattice->top);
    shoal_free(lattice->limit);
    shoal_node_groups_clear(&lattice->base);
    *lattice = (shoal_lattice){ 0 };
}

/* ---- rolling up ---- */

void shoal_roller_clear(shoal_roller *roller)
{
    shoal_free(roller->slots);
    shoal_free(roller->maps);
    *roller = (shoal_roller){ 0 };
}

/* Change of one attribute of a key. */
typedef struct field_change {
    uint32_t word, shift;
    uint64_t mask;
    const uint32_t *map; /* NULL: to the top, where every value is 0 */
} field_change;

enum { MAX_CHANGES = 64 }; /* per pass over the keys; more attributes need several passes */

/* The number on level `to` of each value of level `from`. O(values * levels between). */
static void fill_map(uint32_t *map, const shoal_level_axis *axis, uint32_t from, uint32_t to)
{
    uint32_t n = axis->levels[from].n_values;
    for (uint32_t v = 0; v < n; v++) map[v] = axis->levels[from].above[v];
    for (uint32_t l = from + 1; l < to; l++)
        for (uint32_t v = 0; v < n; v++) map[v] = axis->levels[l].above[map[v]];
}

/* Attributes from *next on that change, as many as fit. False when memory is short. */
static bool list_changes(field_change changes[MAX_CHANGES], uint32_t *n_changes, uint32_t *next,
                         shoal_roller *roller, const shoal_lattice *lattice, const uint32_t *from,
                         const uint32_t *to)
{
    size_t n_mapped = 0, begin = *next;
    *n_changes = 0;
    for (; *next < lattice->n_attrs && *n_changes < MAX_CHANGES; ++*next) {
        const shoal_level_axis *axis = &lattice->axes[*next];
        if (from[*next] == to[*next]) continue;
        changes[(*n_changes)++] = (field_change){ axis->word, axis->shift, axis->mask, NULL };
        if (to[*next] < axis->height) n_mapped += axis->levels[from[*next]].n_values;
    }
    void *maps = roller->maps;
    if (!shoal_reserve(&maps, &roller->map_room, n_mapped, sizeof *roller->maps)) return false;
    roller->maps = maps;
    uint32_t *map = roller->maps, c = 0;
    for (uint32_t a = (uint32_t)begin; a < *next; a++) {
        if (from[a] == to[a]) continue;
        field_change *change = &changes[c++];
        if (to[a] == lattice->axes[a].height) continue;
        fill_map(map, &lattice->axes[a], from[a], to[a]);
        change->map = map;
        map += lattice->axes[a].levels[from[a]].n_values;
    }
    return true;
}

static void change_key(uint64_t *key, const field_change *changes, uint32_t n_changes)
{
    for (uint32_t i = 0; i < n_changes; i++) {
        const field_change *c = &changes[i];
        uint64_t value = c->map == NULL ? 0 : c->map[key[c->word] >> c->shift & c->mask];
        /* clear the field, then set it */
        key[c->word] = (key[c->word] & ~(c->mask << c->shift)) | value << c->shift;
    }
}

/* Copy the keys of `in` and change them. */
static bool change_keys(shoal_node_groups *out, const shoal_lattice *lattice,
                        const shoal_node_groups *in, const uint32_t *from, const uint32_t *to,
                        shoal_roller *roller)
{
    uint32_t n_words = lattice->n_words, next = 0;
    if (out != in) memcpy(out->keys, in->keys, (size_t)in->n * n_words * sizeof *in->keys);
    while (next < lattice->n_attrs) {
        field_change changes[MAX_CHANGES];
        uint32_t n_changes;
        if (!list_changes(changes, &n_changes, &next, roller, lattice, from, to)) return false;
        for (uint32_t g = 0; n_changes > 0 && g < in->n; g++)
            change_key(out->keys + (size_t)g * n_words, changes, n_changes);
    }
    return true;
}

static uint64_t hash_key(const uint64_t *key, uint32_t n_words)
{
    uint64_t hash = 0;
    for (uint32_t w = 0; w < n_words; w++) {
        hash = (hash ^ key[w]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool equal_keys(const uint64_t *x, const uint64_t *y, uint32_t n_words)
{
    uint32_t w = 0;
    while (w < n_words && x[w] == y[w]) w++;
    return w == n_words;
}

/* Slots of the hash table: at least twice the number of groups, which is at most the number of keys
 * and of combinations of values. The product stops before it can overflow. */
static size_t slots_for(const shoal_lattice *lattice, const uint32_t *to, uint32_t n)
{
    uint64_t most = 1;
    for (uint32_t a = 0; a < lattice->n_attrs && most < n; a++)
        most *= lattice->axes[a].levels[to[a]].n_values;
    if (most > n) most = n;
    size_t n_slots = 16;
    while (n_slots < 2 * most) n_slots *= 2;
    return n_slots;
}

/* Unite equal keys: the first of them gets the rows of the others. */
static bool unite_groups(shoal_node_groups *out, uint32_t n_words, const shoal_node_groups *in,
                         size_t n_slots, uint32_t *ids, shoal_roller *roller)
{
    void *block = roller->slots;
    if (!shoal_reserve(&block, &roller->slot_room, n_slots, sizeof *roller->slots)) return false;
    uint32_t *slots = roller->slots = block;
    uint32_t n_in = in->n;
    memset(slots, 0, n_slots * sizeof *slots);
    out->n = 0;
    for (uint32_t g = 0; g < n_in; g++) {
        uint32_t size = in->sizes[g], first = in->first[g]; /* `in` may be `out` */
        const uint64_t *key = out->keys + (size_t)g * n_words;
        size_t at = hash_key(key, n_words) & (n_slots - 1);
        while (slots[at] != 0 &&
               !equal_keys(key, out->keys + (size_t)(slots[at] - 1) * n_words, n_words))
            at = (at + 1) & (n_slots - 1);
        uint32_t group = slots[at] == 0 ? out->n : slots[at] - 1;
        /* safe if `out` is `in`: group <= g, so only keys that were read are overwritten */
        if (slots[at] == 0) {
            slots[at] = ++out->n;
            memmove(out->keys + (size_t)group * n_words, key, n_words * sizeof *key);
            out->sizes[group] = 0;
            out->first[group] = first;
        }
        out->sizes[group] += size;
        if (ids != NULL) ids[g] = group;
    }
    return true;
}

/* Groups are in the order of their least class, and their rows are contiguous. */
static bool groups_are_in_order(const shoal_node_groups *groups, uint64_t n_rows)
{
    for (uint32_t g = 0; g < groups->n; g++) {
        if (g > 0 && groups->first[g] <= groups->first[g - 1]) return false;
        n_rows -= groups->sizes[g];
    }
    return n_rows == 0;
}

bool shoal_roll_up(shoal_node_groups *out, const shoal_lattice *lattice,
                   const shoal_node_groups *in, const uint32_t *from, const uint32_t *to,
                   uint32_t *ids, shoal_roller *roller)
{
    bool ok = groups_reserve(out, in->n, lattice->n_words) &&
              change_keys(out, lattice, in, from, to, roller) &&
              unite_groups(out, lattice->n_words, in, slots_for(lattice, to, in->n), ids, roller);
    SHOAL_INVARIANT(!ok || groups_are_in_order(out, lattice->classes->n_rows));
    return ok;
}

/* ---- nodes by number ---- */

uint64_t shoal_node_index(const shoal_lattice *lattice, const uint32_t *levels)
{
    uint64_t index = 0;
    for (uint32_t a = 0; a < lattice->n_attrs; a++)
        index = index * (lattice->top[a] + 1) + levels[a];
    return index;
}

void shoal_node_levels(uint32_t *levels, const shoal_lattice *lattice, uint64_t index)
{
    for (uint32_t a = lattice->n_attrs; a-- > 0;) {
        levels[a] = (uint32_t)(index % (lattice->top[a] + 1));
        index /= lattice->top[a] + 1;
    }
}

uint32_t shoal_node_height(const shoal_lattice *lattice, const uint32_t *levels)
{
    uint32_t sum = 0;
    for (uint32_t a = 0; a < lattice->n_attrs; a++) sum += levels[a];
    return sum;
}

bool shoal_node_is_within(const shoal_lattice *lattice, const uint32_t *levels)
{
    for (uint32_t a = 0; a < lattice->n_attrs; a++)
        if (levels[a] > lattice->limit[a]) return false;
    return true;
}
