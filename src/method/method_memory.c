/* SPDX-License-Identifier: Apache-2.0 */
/* method_memory.c - the memory that a method needs, estimated before it starts; see
 * method_memory.h.
 *
 *     3 MB + rows * (row_bytes + cell_bytes * columns) + values * value_bytes
 *          + groups * set_values / 8, where a method holds the box of every group
 *
 * The numbers of a method are in its row (algorithm.h), measured by tests/cli/memory.py, which
 * fails where a run needs more than this. A streamed table was estimated while it was read
 * (table/csv_count.c); what the method needs beyond the default's is added to that.
 */
#include "method/method_memory.h"
#include "base/memory_left.h"
#include "table/line_index.h"

/* Smaller tables are never refused, as in csv_count.c: the program itself takes more memory. */
enum { FEWEST_ROWS = 1024 };
/* Working memory of a thread beyond the first, bytes. Measured, 1 to 16 threads: 0.4 MB (1,500 rows
 * of 20 columns) to 1.3 MB (Adult). */
enum { THREAD_BYTES = 3 << 19 };
/* what the loader counts for every method, see table/csv_count.c; see shoal_method_cost */
enum { LOADED_ROW = 128, LOADED_CELL = 20, BYTES_WITHOUT_ROWS = 3 << 20 };

uint64_t shoal_method_bytes(const shoal_method_cost *cost, const shoal_method_size *size)
{
    double row = (double)cost->row_bytes + (double)cost->cell_bytes * size->columns;
    double bytes = BYTES_WITHOUT_ROWS + (double)size->rows * row +
                   (double)size->values * cost->value_bytes;
    if (cost->has_boxes) bytes += (double)size->groups * ((double)size->set_values / 8);
    return bytes < 1e18 ? (uint64_t)bytes : (uint64_t)1e18;
}

static shoal_method_size size_of(const shoal_problem *problem, const shoal_table *table)
{
    shoal_method_size size = { .rows = table->n_rows, .groups = table->total };
    if (problem->k > 1) size.groups /= problem->k;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].is_encoded) {
            size.values += table->columns[c].n_values;
            size.columns++;
        }
    size.set_values = (uint64_t)problem->space->n_words * 64;
    if (size.groups > size.rows) size.groups = size.rows;
    return size;
}

/* Bytes that the method needs, those of the loaded table and of its index included. */
static uint64_t estimate(const shoal_method_cost *cost, const shoal_method_size *size,
                         const shoal_table *table)
{
    uint64_t bytes = shoal_method_bytes(cost, size);
    if (!shoal_table_is_streamed(table)) return bytes;
    uint64_t counted = (LOADED_ROW + LOADED_CELL * (uint64_t)size->columns) * size->rows +
                       BYTES_WITHOUT_ROWS + size->values * cost->value_bytes;
    return shoal_table_line_index(table)->need + (bytes > counted ? bytes - counted : 0);
}

/* What may be used, and what of the estimate is in use by the loaded table already. */
static uint64_t most_bytes(const shoal_method_size *size, const shoal_table *table)
{
    /* a limit is kept within 10 % */
    if (table->memory_limit > 0) return table->memory_limit + table->memory_limit / 10;
    uint64_t left = shoal_memory_left(), loaded = size->rows * (8 + 4 * (uint64_t)size->columns);
    return left > UINT64_MAX - loaded ? left : left + loaded;
}

static shoal_status refuse(const shoal_algorithm *algorithm, uint64_t need,
                           const shoal_method_cost *cost, const shoal_table *table,
                           shoal_error *err)
{
    uint64_t limit = table->memory_limit;
    uint64_t most = limit > 0 ? limit : shoal_memory_left();
    return shoal_fail(
        err, SHOAL_ENOMEM,
        "algorithm '%s' needs up to %llu MB for this table, but %s %llu MB {fix} %s%s",
        algorithm->name, (unsigned long long)(need >> 20) + 1,
        limit > 0 ? "the memory limit is" : "the memory available is",
        (unsigned long long)(most >> 20),
        limit > 0 ? "raise {--memory-limit}, use hierarchies for columns with many distinct values"
                  : "use hierarchies for columns with many distinct values, fewer rows",
        cost->has_boxes ? ", or use {--algorithm} mondrian" : ", or fewer quasi-identifiers");
}

/* With a memory limit: as many threads as there is memory for beyond the estimate for one. */
static uint32_t threads_within(uint32_t threads, uint64_t need, uint64_t most)
{
    uint64_t extra = need < most ? (most - need) / THREAD_BYTES : 0;
    return extra + 1 < threads ? (uint32_t)extra + 1 : threads;
}

shoal_status shoal_method_check_memory(shoal_method_fit *fit, const shoal_algorithm *algorithm,
                                       const shoal_problem *problem, const shoal_table *table,
                                       shoal_error *err)
{
    bool is_repaired = problem->constraint != NULL && !algorithm->keeps_constraint;
    shoal_method_cost cost = algorithm->cost;
    shoal_method_size size = size_of(problem, table);
    cost.has_boxes |= is_repaired; /* repair.c holds the boxes of all groups */
    uint64_t need = estimate(&cost, &size, table), most = most_bytes(&size, table);
    *fit = (shoal_method_fit){ .threads = problem->threads };
    if (need > most && algorithm->has_frugal_way && cost.has_boxes && !is_repaired) {
        cost.has_boxes = false;
        uint64_t without = estimate(&cost, &size, table);
        fit->is_frugal = size.rows >= FEWEST_ROWS && without <= most;
        if (fit->is_frugal) need = without;
    }
    if (table->memory_limit > 0) fit->threads = threads_within(problem->threads, need, most);
    return need <= most || size.rows < FEWEST_ROWS ? SHOAL_OK
                                                   : refuse(algorithm, need, &cost, table, err);
}
