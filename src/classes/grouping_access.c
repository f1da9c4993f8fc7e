/* SPDX-License-Identifier: Apache-2.0 */
/* grouping_access.c - what callers may ask of a grouping; see shoal/anonymize.h. */
#include "classes/grouping.h"

#include <string.h>

uint64_t shoal_grouping_n_rows(const shoal_grouping *grouping)
{
    return grouping->n_rows;
}

uint32_t shoal_grouping_n_groups(const shoal_grouping *grouping)
{
    return grouping->n_groups;
}

uint32_t shoal_grouping_n_classes(const shoal_grouping *grouping)
{
    return grouping->n_classes;
}

uint32_t shoal_grouping_group(const shoal_grouping *grouping, uint64_t row)
{
    return grouping->group_of_row[row];
}

uint64_t shoal_grouping_size(const shoal_grouping *grouping, uint32_t group)
{
    return grouping->sizes[group];
}

uint64_t shoal_grouping_n_suppressed(const shoal_grouping *grouping)
{
    return grouping->n_suppressed;
}

uint32_t shoal_grouping_level(const shoal_grouping *grouping, size_t qid)
{
    return grouping->levels.chosen == NULL || qid >= grouping->space.n_attrs
               ? SHOAL_NO_LEVEL
               : grouping->levels.chosen[qid];
}

uint32_t shoal_grouping_height(const shoal_grouping *grouping, size_t qid)
{
    return grouping->levels.heights == NULL || qid >= grouping->space.n_attrs
               ? SHOAL_NO_LEVEL
               : grouping->levels.heights[qid];
}

bool shoal_grouping_information(const shoal_grouping *grouping, shoal_information *out)
{
    if (grouping->levels.information_of == NULL) return false;
    *out = grouping->levels.information;
    return true;
}

/* The three numbers of a level, or NULL. */
static const double *numbers_of_level(const shoal_grouping *grouping, size_t qid, uint32_t level)
{
    if (grouping->levels.information_of == NULL || qid >= grouping->space.n_attrs ||
        level > grouping->levels.heights[qid])
        return NULL;
    size_t at = level;
    for (size_t a = 0; a < qid; a++) at += grouping->levels.heights[a] + 1;
    return grouping->levels.information_of + 3 * at;
}

double shoal_grouping_level_information(const shoal_grouping *grouping, size_t qid, uint32_t level)
{
    const double *numbers = numbers_of_level(grouping, qid, level);
    return numbers != NULL ? numbers[0] : -1;
}

bool shoal_grouping_level_change(const shoal_grouping *grouping, size_t qid, uint32_t level,
                                 double *information, double *divergence)
{
    const double *numbers = numbers_of_level(grouping, qid, level);
    if (numbers == NULL) return false;
    *information = numbers[1];
    *divergence = numbers[2];
    return true;
}

bool shoal_grouping_generalises_sensitive(const shoal_grouping *grouping)
{
    return grouping->sensitive.text_of_row != NULL;
}

bool shoal_grouping_is_bucketed(const shoal_grouping *grouping)
{
    return grouping->is_bucketed;
}

bool shoal_grouping_setting(const shoal_grouping *grouping, size_t index, const char **name,
                            double *value, const char **word)
{
    if (index >= grouping->stats.n_settings) return false;
    *name = grouping->stats.settings[index].name;
    *value = grouping->stats.settings[index].value;
    *word = grouping->stats.settings[index].word;
    return true;
}

bool shoal_grouping_stopped_early(const shoal_grouping *grouping)
{
    return grouping->stats.stopped_early;
}

double shoal_grouping_seconds(const shoal_grouping *grouping, const char *phase)
{
    if (strcmp(phase, "encode") == 0) return grouping->stats.encode_seconds;
    if (strcmp(phase, "search") == 0) return grouping->stats.search_seconds;
    if (strcmp(phase, "refine") == 0) return grouping->stats.refine_seconds;
    return 0;
}

void shoal_grouping_search_counts(const shoal_grouping *grouping, uint64_t *evaluations,
                                  uint64_t *queries)
{
    *evaluations = grouping->stats.n_evaluations;
    *queries = grouping->stats.n_queries;
}
