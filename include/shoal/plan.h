/* SPDX-License-Identifier: Apache-2.0 */
/** @file plan.h  From a specification to loaded tables, and to specifications of other tables. */
#ifndef SHOAL_PLAN_H
#define SHOAL_PLAN_H

#include <shoal/pipeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Give an opened table the roles, types and missing values of the plan, load it, and attach
 * hierarchies (files first, then builders over the loaded values).
 *
 * @param need_roles  true: refuse columns without a role (unless plan.rest is set); false: copy
 *                    them
 * @param options     of loading; may be NULL
 * @return SHOAL_EINVAL (a column that the table lacks, columns without a role, no quasi-identifier;
 *         the message lists all of them) and the errors of loading and of hierarchies
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_spec_prepare(const shoal_spec *plan,
                                                          shoal_table *table, bool need_roles,
                                                          const shoal_load_options *options,
                                                          shoal_error *err);

/**
 * The setting of the plan that needs every row in memory, for shoal_load_options.needs_rows: the
 * method, persons, a model, dropped rows; NULL: none.
 * @param is_applied  levels are applied (shoal_spec.levels): the method is ignored
 */
SHOAL_API const char *shoal_spec_needs_rows(const shoal_spec *plan, bool is_applied);

/** SHOAL_EINVAL unless the plan has a k. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_spec_need_k(const shoal_spec *plan, shoal_error *err);
/** True if it has a model that compares with a population. */
SHOAL_API bool shoal_spec_needs_population(const shoal_spec *plan);

/** Payload of shoal_spec_rerun(). Borrowed. */
typedef struct shoal_rerun {
    const shoal_spec *plan;
    uint32_t threads; /**< 0 means one */
    const shoal_callbacks *callbacks;
} shoal_rerun;

/**
 * Make a release of CSV text by a plan, in memory; a shoal_attack_rerun_fn.
 * @param text     receives the release; free it with shoal_string_free()
 * @param payload  a shoal_rerun
 * @return the errors of shoal_spec_prepare() and shoal_pipeline_run(); SHOAL_EINVAL if the release
 *     is not text
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_spec_rerun(char **text, size_t *size,
                                                        const char *original, size_t original_size,
                                                        void *payload, shoal_error *err);

/**
 * Weight mr_wtd by the parameters w_u and w_p of a plan: it becomes w_u um + w_p mpm. One of them
 * is enough; without either, or without sensitive columns, nothing changes.
 * @return SHOAL_EINVAL (not a number in 0..1, or the sum is not 1)
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_spec_weigh(const shoal_spec *plan,
                                                        shoal_measures *measures, shoal_error *err);

/** Columns of a release to load in addition to its quasi-identifiers; combined with |. */
#define SHOAL_PART_CLASS 1u
#define SHOAL_PART_SENSITIVE 2u           /**< as text */
#define SHOAL_PART_SENSITIVE_AS_IT_WAS 4u /**< with type and hierarchy, for models */
#define SHOAL_PART_PERSONS 8u
#define SHOAL_PART_COUNTS 16u /**< the count column of a counted release */
/** the sensitive columns that the release has, as text; shoal_spec_for_opened_release() only */
#define SHOAL_PART_SENSITIVE_IF_THERE 32u

/**
 * Make the plan for reading a release from any tool: quasi-identifiers as categories, without
 * hierarchies. Use it with shoal_spec_prepare() and need_roles false.
 *
 * @param out       freshly initialised; end with shoal_spec_clear(), also after a failure
 * @param original  the loaded table that `plan` was applied to, for its types; may be NULL
 * @param parts     SHOAL_PART_... combined
 * @return SHOAL_ENOMEM, or the errors of shoal_hierarchy_find()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_spec_for_release(shoal_spec *out,
                                                              const shoal_spec *plan,
                                                              const shoal_table *original,
                                                              unsigned parts, shoal_error *err);
/** The same for an open release, whose columns are known. */
SHOAL_API SHOAL_NODISCARD shoal_status
shoal_spec_for_opened_release(shoal_spec *out, const shoal_spec *plan, const shoal_table *original,
                              const shoal_table *released, unsigned parts, shoal_error *err);
/**
 * Make the plan for reading an opened population: quasi-identifiers with their types and
 * hierarchies, and the entity column if `by_person` is set and the population has it. `out` and
 * `original` as in shoal_spec_for_release(). Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_spec_for_population(shoal_spec *out,
                                                                 const shoal_spec *plan,
                                                                 const shoal_table *original,
                                                                 const shoal_table *population,
                                                                 bool by_person, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
