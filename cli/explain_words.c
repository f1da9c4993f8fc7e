/* SPDX-License-Identifier: Apache-2.0 */
/* explain_words.c - words of reports and plans, and the rules behind them, for `shoal explain`:
 * what belongs to no single model, measure or method. Those explain themselves in their rows.
 */
#include "explain.h"

const shoal_term cli_word_terms[] = {
    { .kind = SHOAL_TERM_MODEL,
      .place = 10,
      .names = "k-anonymity|k|k-anonymous|satisfied|holds|k_reached|k-reached|k_guaranteed",
      .title = "every group has at least k rows",
      .text = "Rows with the same published quasi-identifiers form a group; every group has at "
              "least k rows. An attacker who knows a person's quasi-identifiers finds at least k "
              "matching rows. k does not limit what those rows have in common: if all share a "
              "sensitive value, that value is disclosed.",
      .formula = "min over groups |g| >= k",
      .reading = "Common values are 3, 5, 11 and 20; there is no default. The highest prosecutor "
                 "risk is 1/k.",
      .source = "Samarati 2001; Sweeney: k-anonymity: a model for protecting privacy, 2002" },
    { .kind = SHOAL_TERM_MODEL,
      .place = 20,
      .names = "person-level-k|persons|entity|person-level|unit",
      .title = "every group has rows of at least k persons",
      .text = "If a person has several rows (visits, payments), k rows may belong to one person. "
              "With --entity a person counts once in each group. Each row is protected separately: "
              "an attacker who knows several rows of a person can still link them.",
      .formula = "min over groups of distinct persons >= k" },
    { .kind = SHOAL_TERM_MODEL,
      .place = 30,
      .names = "qid-sets|k-over-sets|subsets|sets|at_most|failing_sets|worst|failing",
      .title = "k over the combinations of columns that an attacker can know",
      .text = "Few attackers know all quasi-identifiers. --qid-set requires k in each given set of "
              "columns, --subsets M in every combination of at most M columns. A subset of columns "
              "never has smaller groups, so the largest sets decide.",
      .formula = "for each set S: min over tuples of S of its rows >= k",
      .reading = "Weaker than k over all quasi-identifiers, which implies k for every subset." },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 10,
      .names = "q-diversity|qd|loss|qid_loss",
      .title = "how wide one published value is, from 0 to 1",
      .text = "0 is the exact value, 1 is `*`. For numeric columns it is the width of the interval "
              "divided by the range of the column; for categorical columns, the leaves below the "
              "published label relative to all leaves. In reports `loss` is the mean over the rows "
              "of one quasi-identifier.",
      .formula = "numeric: (max-min) / (domain width); categorical: (leaves-1) / (|D|-1)",
      .source = "Loukides: doctoral thesis, definition 3.1.1" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 170,
      .names = "s-diversity|sd",
      .title = "how similar the sensitive values of a group are",
      .text = "One minus the Q-diversity of the group's sensitive values: 1 when all are equal.",
      .formula = "sd(g) = 1 - qd(values of g)",
      .reading = "Lower is better: diverse values protect.",
      .source = "Loukides: doctoral thesis, definition 3.1.3" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 172,
      .names = "tells|words|sensitive-groups|one_value_groups|one_value_rows|dominated_groups|"
               "dominated_rows|fewest_values|fewest_groups",
      .title = "what groups reveal about a sensitive column",
      .text = "one_value: groups whose rows all have the same value, which is thereby disclosed "
              "for every person in them, whatever k is. dominated: groups in which one value has "
              "more than half of the rows, or all. fewest_values: the smallest number of distinct "
              "values in any group; fewest_groups: the number of groups with that few. A missing "
              "value counts as a value.",
      .reading = "No group with a single value means distinct l-diversity with l = 2; see "
                 "l-diversity, alpha." },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 174,
      .names = "comment|useless",
      .title = "a note on high information loss, with what to change",
      .text = "Given if gcp is at least 0.5, if most rows are suppressed, or if a column has a "
              "loss of at least 0.9. Otherwise null.",
      .reading =
          "shoal explain-loss estimates the effect of dropping columns or rows, or of another k." },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 190,
      .names = "lower_bound|lower-bound|bound|bound_for|knn|box|dual|knn_bound|box_bound|dual_"
               "bound|passes",
      .title = "no release of this table with this k can have a lower loss",
      .text = "`box`: for each row, the cheapest box (a range, set or label in each column) that "
              "contains it and k rows in all; its group is at least as wide. If that search takes "
              "too long, the distance to the (k-1)-th nearest row is used instead (`knn`). `dual`: "
              "starting there, dual prices of rows are raised as long as no k rows in one box have "
              "prices above the cost of the box; passes counts the passes over all boxes. Valid "
              "for every method that recodes by ranges, sets and labels. bound_for: `k`; `k "
              "alone` beside privacy models, of which the bound knows nothing; `k and models` "
              "where these need more rows per group than k, and the bound holds for so many.",
      .formula = "GCP >= 1/n sum_t price_t; sum over S of price <= |S| cost(B) for all S of k rows "
                 "in a box B",
      .reading = "Compare gcp with it; see gap. The bound itself may not be reachable.",
      .source = "this project; docs/lower-bound.md" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 192,
      .names = "relaxations|bound_relaxations|cut_branches|nearest-rows|stopped-searches|sets|"
               "wildcards|cut-branches|no-prices",
      .title = "why a lower bound is weaker than it could be",
      .text = "A relaxed bound is valid but lower. nearest-rows: too many classes to search for "
              "boxes. stopped-searches: the search for some boxes was stopped. sets: only the "
              "number of values without a hierarchy is counted. wildcards: rows with a missing "
              "value that matches everything are inside every box. cut-branches: some kinds of "
              "boxes were bounded together. no-prices: k or the table is too large for the work "
              "allowed; see bound --time-limit.",
      .reading = "Without them the bound would be higher than the one printed.",
      .source = "docs/lower-bound.md" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 195,
      .names = "explain-loss|half_of_it_rows|most_costly_rows|share|rest_at_least|without_column|"
               "bound_taken|smaller_k",
      .title = "which rows and columns cause the unavoidable loss",
      .text = "The dual prices of rows divide the lower bound among them: half_of_it_rows rows "
              "account for half of it. The other numbers are lower bounds on the remaining loss: "
              "without the most costly 1 % of the rows, without a column, with a smaller k. "
              "bound_taken is the share of the bound that is removed with a column.",
      .reading = "The loss of a release is at least that high.",
      .source = "docs/lower-bound.md" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 200,
      .names = "gap",
      .title = "information loss divided by the lower bound",
      .text = "gcp divided by the lower bound; 1 is optimal.",
      .formula = "gap = gcp / lower bound; weighted gcp where quasi-identifiers have priorities",
      .reading =
          "1 would be proven optimal; 1.1 to 1.2 is usual for the default method. The distance "
          "from the optimum is smaller than the gap, because the bound is not tight.",
      .source = "this project" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 210,
      .names = "are|query-error|average-relative-error|median_error|workload|redrawn|unanswered|"
               "median|curve",
      .title = "the error of COUNT queries answered from the release",
      .text = "Random COUNT queries over quasi-identifiers and sensitive values, answered from the "
              "release assuming a uniform distribution within each published box.",
      .formula = "|actual - estimated| / actual, mean and median over queries",
      .reading = "0.1: counts are off by 10 % on average. Queries that match no row are redrawn.",
      .source = "Loukides: doctoral thesis, section 4.5.2; LeFevre et al. 2008" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 250,
      .names = "sensitive_range|sensitive-range",
      .title = "values that reveal as much as a given one",
      .text = "Defined by --sensitive-range: the value itself, numbers within a width, the values "
              "below an ancestor, or an explicit map.",
      .formula = "SR(u)",
      .source = "Loukides: doctoral thesis, definition 5.1.1" },
    { .kind = SHOAL_TERM_WORD,
      .place = 10,
      .names = "roles|role",
      .title = "how a column is treated in the release",
      .text = "Every column has one; a column without a role is an error unless --rest keep or "
              "--rest drop is given. The roles are quasi-identifier, sensitive, class, identifier, "
              "entity, other and drop." },
    { .kind = SHOAL_TERM_WORD,
      .place = 20,
      .names = "quasi-identifier|qid|qids|quasi",
      .title = "a column that others may know about a person",
      .text = "Age, sex, postcode: each is harmless alone, but the combination is often unique. "
              "These columns are generalised; all models and risks refer to their combinations.",
      .reading = "Name every column that an attacker could know; if one is missing, the risks are "
                 "underestimated." },
    { .kind = SHOAL_TERM_WORD,
      .place = 30,
      .names = "sensitive",
      .title = "a column to protect, published unchanged",
      .text =
          "A diagnosis, a salary. Models such as l-diversity constrain its values within groups." },
    { .kind = SHOAL_TERM_WORD,
      .place = 40,
      .names = "class-column|class|label",
      .title = "a column that a classifier will predict",
      .text = "Published unchanged; class-aware methods group rows with equal labels, and cm "
              "measures how well." },
    { .kind = SHOAL_TERM_WORD,
      .place = 50,
      .names = "identifier",
      .title = "a column that names a person directly",
      .text = "Name, number, address: dropped from the release." },
    { .kind = SHOAL_TERM_WORD,
      .place = 60,
      .names = "other|drop|rest",
      .title = "columns that are copied unchanged, or dropped",
      .text = "`other` columns are copied byte for byte; `drop` columns are removed. --rest keep "
              "or --rest drop decides for columns without a role.",
      .reading =
          "A copied column whose values an attacker may know should be a quasi-identifier." },
    { .kind = SHOAL_TERM_WORD,
      .place = 70,
      .names = "group|groups|min_group|min-group",
      .title = "rows with the same published quasi-identifiers",
      .text = "min_group is the size of the smallest group: the k that holds." },
    { .kind = SHOAL_TERM_WORD,
      .place = 80,
      .names = "classes|equivalence-class",
      .title = "rows with the same quasi-identifiers",
      .text = "Of the input in reports of anonymize, of the given table in risk. Rows of one class "
              "can be grouped without information loss." },
    { .kind = SHOAL_TERM_WORD,
      .place = 90,
      .names = "suppression|suppressed_rows|suppressed-rows|suppressed_counted|suppressed|"
               "suppressed_warning|exempt|drop-suppressed",
      .title = "rows published with `*` in every quasi-identifier",
      .text =
          "Such rows keep their position (--drop-suppressed removes them), have a loss of 1, and "
          "form a group like any other: fewer than k of them violate k. Rows that are removed need "
          "not satisfy k. --suppressed exempt treats fully suppressed rows as withheld records, as "
          "in most papers: they need not satisfy k or the models, are counted separately, and are "
          "not a group in any measure; an attacker who knows that a person is among them finds "
          "that person's other columns in these rows. risk excludes them from all rates and counts "
          "them separately, unless --count-suppressed is given. A group that the method "
          "generalises to "
          "`*` in every quasi-identifier is not suppressed. check and risk see text alone: they "
          "count "
          "rows of only `*`, suppressed or not; measure counts these as a group, unless they are "
          "exempt." },
    { .kind = SHOAL_TERM_WORD,
      .place = 100,
      .names = "missing|missing-values|null|nulls|own-category|wildcard|conservative",
      .title = "how missing values are treated",
      .text = "own-category (default): a value like any other, equal only to itself; the safe "
              "interpretation of the published text. conservative: it could be any value, so its "
              "group publishes `*`. wildcard: it matches any value at no cost; rows of a group "
              "need not have equal text. --null defines which strings mean missing.",
      .reading = "A table may satisfy k under wildcard but not under own-category: every report "
                 "names the mode.",
      .source = "docs/publishing.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 110,
      .names = "generalisation|generalization|local-recoding|recoding",
      .title = "publishing a less specific value that covers the original one",
      .text = "An interval [17..24], a label of a hierarchy, a set {A|B}, or `*`. With local "
              "recoding, equal values may be published differently in different groups; "
              "full-domain recoding does not allow this and loses far more." },
    { .kind = SHOAL_TERM_WORD,
      .place = 120,
      .names = "hierarchy|hierarchies|levels|level_heights|level_information|level_information_"
               "after|level_divergence",
      .title = "a tree of labels above the values of a column",
      .text = "A file with one row per value: leaf;level 1;...;*. Without a hierarchy, categorical "
              "values become sets and numeric ones intervals. Full-domain methods report the level "
              "of each column (0 is the value itself), the number of levels, and, with a class "
              "column, the information of each level about the class, before and after "
              "suppression, and the divergence of its values.",
      .source = "docs/hierarchies.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 130,
      .names = "domain",
      .title = "what |D| counts in information loss",
      .text = "All leaves of a hierarchy, or (--domain data) only those in the table." },
    { .kind = SHOAL_TERM_WORD,
      .place = 140,
      .names = "protection|release|distinct_l|entropy_l|t|t_distance|t_equal|beta|delta",
      .title = "protection of sensitive columns, compared with the original",
      .text =
          "For each sensitive column, the value of the worst group: distinct and effective values "
          "(distinct_l, entropy_l), distance from the whole table (t by the column's own distance, "
          "t_equal with all values equally far apart), share of the most frequent value (alpha), "
          "greatest relative gain (beta) and greatest |ln| ratio of a value that a group has "
          "(delta). `original` has the same for the original table, where each class is a group.",
      .reading = "Higher is better for distinct_l and entropy_l, lower for the others." },
    { .kind = SHOAL_TERM_WORD,
      .place = 150,
      .names = "models|model|variant|column|asked|achieved",
      .title = "privacy models besides k: the requested value, and the value of the worst group",
      .text = "Each model holds in every group, or the release is not written. `achieved` is the "
              "value that holds: it may be better than the requested one." },
    { .kind = SHOAL_TERM_WORD,
      .place = 170,
      .names = "verified|verify|verifier",
      .title = "the release was read back and checked",
      .text = "From its published text alone, by code that is independent of the methods: k, the "
              "number of rows, and that each published value covers the original one. A release "
              "that fails is not written." },
    { .kind = SHOAL_TERM_WORD,
      .place = 180,
      .names = "frontier|vary|series|points|value|knee|unsatisfiable",
      .title = "loss and protection against k, or against another parameter",
      .text = "One release per point. Beyond the knee, a stricter value costs much more than it "
              "protects; unsatisfiable points have no release." },
    { .kind = SHOAL_TERM_WORD,
      .place = 190,
      .names = "failing_groups|failing_rows|failing-groups|below-k",
      .title = "groups with fewer than k rows, and their rows",
      .text = "None if k holds." },
    { .kind = SHOAL_TERM_WORD,
      .place = 195,
      .names = "min_text_group|text_failing_rows|wildcard-text",
      .title = "groups by published text, where a missing value matches any value",
      .text = "With --missing wildcard, rows of one group may differ in missing values. Compared "
              "as text, where a missing value equals only another missing value, groups are "
              "smaller: the size of the smallest one, and the number of rows in groups below k." },
    { .kind = SHOAL_TERM_WORD,
      .place = 200,
      .names = "streamed|memory-limit",
      .title = "the rows were not kept in memory",
      .text = "With --memory-limit, a table whose rows need more memory is read in windows: its "
              "classes are counted, and the file is read again to write the release and to verify "
              "it. The released bytes are the same." },
    { .kind = SHOAL_TERM_WORD,
      .place = 210,
      .names = "stopped_early|stopped-early|time-limit",
      .title = "the search, or the lower bound, was ended before it was done",
      .text = "By a time limit or an interrupt: the best valid grouping so far was published (exit "
              "5), or the best bound so far stands. Or the method needs more memory than there is, "
              "and the rows were grouped by mondrian instead." },
    { .kind = SHOAL_TERM_WORD,
      .place = 220,
      .names = "seconds|read|encode|search|refine|measure|write|total|processor",
      .title = "time per phase",
      .text = "Reading, forming classes, method, refinement, measures, lower bound, verification, "
              "writing. processor: CPU time of forming classes, method and refinement, summed over "
              "all threads." },
    { .kind = SHOAL_TERM_WORD,
      .place = 230,
      .names = "evaluations|queries",
      .title = "work done by the search",
      .text = "How many candidate costs were computed, and for how many searches for the cheapest "
              "candidate. A full scan needs rows times searches.",
      .source = "docs/search-kernel.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 240,
      .names = "peak_rss_bytes|peak-rss-bytes|memory",
      .title = "peak memory use",
      .text = "Of the whole command, as reported by the operating system." },
    { .kind = SHOAL_TERM_WORD,
      .place = 250,
      .names = "microaggregation|mode",
      .title = "one value for all rows of a group: the mean, the median or the mode",
      .text = "--recoding mean, median or mode. A cell need not cover its original value; the "
              "verifier recomputes the value of each group instead.",
      .reading = "gcp measures the range of the original values of a cell; sse_ratio is the usual "
                 "measure.",
      .source = "Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation, TKDE 2002; "
                "docs/publishing.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 260,
      .names = "node|interval|set",
      .title = "how a group may be published: a label, a range, the values themselves",
      .text = "--recoding node, interval or set; default: labels for columns with a hierarchy, "
              "intervals for numeric columns, otherwise sets.",
      .source = "docs/publishing.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 280,
      .names = "algorithm|params|param|name|priorities|settings|s|size",
      .title = "the method and its parameters",
      .text = "See 'shoal algorithms'; each method is a term of its own. settings are values that "
              "a method chose itself because no parameter fixed them: delta, the minimum size s of "
              "a partition, the size of clusters." },
    { .kind = SHOAL_TERM_WORD,
      .place = 290,
      .names = "seed|determinism",
      .title = "seed of the random number generator",
      .text =
          "Same input, plan, seed and version give the same bytes, for any number of threads." },
    { .kind = SHOAL_TERM_WORD,
      .names = "manifest|claims|digests|created|sha256|bytes|form|shuffled|left_out_rows|plan|plan_"
               "file|input|result|evaluation|risk",
      .title = "the record of how a release was made and verified",
      .text = "JSON, written with the release by --manifest: digests (SHA-256) of all inputs and "
              "outputs, the plan in a form that can be run again, further input of the verifier "
              "(claims), measures, risk of the original and the release, and summaries of columns. "
              "It contains values and counts of the original, so it stays with the data steward; "
              "hand out the external report instead.",
      .reading = "shoal verify MANIFEST checks a release against it.",
      .source = "docs/report.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "verify|checks|check|verdict",
      .title = "checks of a release and their results",
      .text = "holds, fails, or not checked; then the text names what is missing. k, models and "
              "coverage are counted in the text of the files by the verifier, which shares no code "
              "with the methods." },
    { .kind = SHOAL_TERM_WORD,
      .names = "bars|before|after|exact|stars|texts|most_frequent|median_width|values|published|"
               "height|type|text",
      .title = "one column in the original and in the release",
      .text =
          "before: distinct and missing values in the original. bars: rows by value, or by numeric "
          "range, in the original and as estimated from the release, with all values that a cell "
          "covers equally likely. after: rows of the release, distinct published texts, rows with "
          "the exact value, rows with *, the median width of a cell, the most frequent texts." },
    { .kind = SHOAL_TERM_WORD,
      .names = "classify|classifiers|accuracy|balanced_accuracy|auc|baseline|folds|labels|"
               "unlabelled|recoded_by_tuple|other_labels|other_rows",
      .title = "accuracy of classifiers trained on a release",
      .text = "Naive Bayes, a decision tree and logistic regression are trained on the original "
              "and on the release, and tested on held-out rows. accuracy: share of correct "
              "predictions; balanced_accuracy: mean over the labels; auc: area under the ROC "
              "curve. baseline predicts the most frequent label. other_labels and other_rows: rare "
              "labels that were combined into one.",
      .source = "docs/evaluation.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "about|purpose|recipients|environment|contact|review-date|earlier-releases|why",
      .title = "what the data steward states about a release, for its report",
      .text = "Texts under about in the plan, and the reason for the role of a column. They are "
              "shown unchanged and are not checked.",
      .source = "docs/report.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "pseudonym|key",
      .title = "an identifier published as a keyed hash",
      .text =
          "A person has the same pseudonym in every release with the same key, and without the key "
          "pseudonyms cannot be computed from guessed values. k counts persons, as with entity. "
          "Rows of one person can be linked: k does not protect what they reveal in combination.",
      .reading = "shoal key FILE creates a key; store it separately from the releases.",
      .source = "docs/plan.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 295,
      .names = "nearly_unique|nearly-unique|kind|alone",
      .title = "a published column with many unique values",
      .text = "k protects quasi-identifiers only. If a column is published unchanged (sensitive, "
              "class, other) and at least 10 % of its values are unique, anyone who knows such a "
              "value finds the row. kind: key, text, time or amount; alone: the number of rows "
              "with a unique value.",
      .reading = "Drop it, generalise it, or make it a quasi-identifier. null: not examined, "
                 "because the input was a data frame or a table of counts." },
    { .kind = SHOAL_TERM_WORD,
      .place = 296,
      .names = "likely_keys|likely-key|groups_below_k|fewest_in_group|published",
      .title = "a column that looks like the key of persons with several rows",
      .text = "Found by its name (patient_id), by its values (UUIDs) or because its value "
              "determines attributes of persons such as sex and age (because). k counts rows "
              "unless the column is named with --entity: groups_below_k is the number of groups "
              "with fewer than k of its values, fewest_in_group the fewest in a group, published "
              "whether the column is in the release unchanged.",
      .reading = "Name it with --entity. null: not counted, because the rows were streamed.",
      .source = "docs/plan.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 298,
      .names = "exact_sets|exact-sets",
      .title = "a quasi-identifier whose sets list values that are mostly unique",
      .text = "A category without a hierarchy is published as sets of its values. If most of the "
              "values occur in one row only, each set lists exact values of persons, and the loss "
              "is low, because the set is small beside all values. alone: values that occur once.",
      .reading = "Give it a hierarchy (build:learn, build:rare:10), or drop it.",
      .source = "docs/hierarchies.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 297,
      .names = "changed|identifying|because|unchanged|left_out",
      .title = "columns that are published unchanged, and those that identify persons",
      .text = "changed: generalised columns; unchanged: columns published with the values of the "
              "input; left_out: columns that are not in the release. identifying: unchanged "
              "columns that shoal init would classify as identifiers (because): values look like "
              "e-mail, url, ip, ssn, phone or name, or are free text; the column name suggests an "
              "identifier, or a key with about as many values as persons.",
      .reading = "An identifying column reveals the person of a row whatever k is: drop it." },
    { .kind = SHOAL_TERM_WORD,
      .names = "series|inserted|erased|corrected|withdrawn|withheld|pending|inexact_cells|gcp_"
               "published|gcp_anew|loss_grouping|loss_waiting|loss_withdrawn",
      .title = "releases of a table that changes over time",
      .text =
          "Every release of a series, and the difference between any two of them, satisfies k and "
          "the models. inserted: rows published for the first time; erased, corrected: rows "
          "published before that were deleted or changed in the table; withdrawn: further rows "
          "removed with them, because the remaining rows would identify a person; withheld: rows "
          "of the table that are withdrawn, now or earlier; pending: rows held back until they can "
          "form a group. gcp is the loss over the table, gcp_published over the published rows, "
          "gcp_anew that of an independent release, which would not be safe in a series. "
          "loss_grouping, loss_waiting and loss_withdrawn divide gcp by cause.",
      .reading = "Withdrawn rows are not published again. Groups of at least 2k rows can survive "
                 "an erasure; smaller groups are withdrawn as a whole.",
      .source = "docs/series.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "m-invariance|m_invariance|counterfeits|counterfeit_groups|min_records|signature",
      .title = "a record's group has the same sensitive values in every release",
      .text = "Each group has at least M rows with distinct sensitive values, and the groups of a "
              "record have the same set of values, its signature, in all releases of a series. If "
              "no record has a value that a group needs, a counterfeit row is added; the number of "
              "counterfeits per group (counterfeits, in counterfeit_groups groups) is published "
              "with the release. min_records: the smallest number of real records in a group.",
      .reading = "It protects a person's sensitive value, not the fact that the person is in the "
                 "table: k includes counterfeits. Subtract them before counting rows.",
      .source = "Xiao and Tao, SIGMOD 2007; docs/series.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "row_order|row-order|sorted_by|repeated_identifier",
      .title = "whether the order of rows may reveal generalised values",
      .text = "If the input is sorted by an identifier or a quasi-identifier (sorted_by), the row "
              "order of the release may reveal generalised values; --row-order shuffle publishes "
              "the rows in random order. repeated_identifier: several rows agree in this "
              "identifier and in all quasi-identifiers, so k rows may be fewer than k persons; "
              "--entity counts persons." },
    { .kind = SHOAL_TERM_WORD,
      .place = 300,
      .names = "threads",
      .title = "number of threads",
      .text = "The result does not depend on it." },
    { .kind = SHOAL_TERM_WORD,
      .place = 310,
      .names = "rows|n",
      .title = "rows of the table",
      .text = "With --drop-suppressed the release has fewer." },
    { .kind = SHOAL_TERM_WORD,
      .place = 320,
      .names = "version",
      .title = "the version of the program",
      .text = "Results are reproducible within one version." },
    { .kind = SHOAL_TERM_WORD,
      .place = 330,
      .names = "unread_cells|unread-cells|unread_columns|cells",
      .title = "published cells that could not be interpreted, and their columns",
      .text = "Not a value, label, interval or set; usually because the hierarchy of the labels "
              "was not given. An error in `measure` and `evaluate`; with --allow-unread they count "
              "as `*`." },
    { .kind = SHOAL_TERM_WORD,
      .place = 340,
      .names = "exit-codes|exit",
      .title = "exit codes of the command",
      .text = "0 success; 1 input, output or internal error; 2 wrong usage or plan; 3 a privacy "
              "constraint is not met; 4 invalid data or hierarchy; 5 time or memory limit reached, "
              "best valid result written; 130 interrupted." },
    { .kind = SHOAL_TERM_WORD,
      .place = 350,
      .names = "anonymous|anonymity|anonymisation|anonymization",
      .title = "a word that this program does not apply to a release",
      .text = "Reports state which models hold, with which parameters. What a law means by the "
              "word depends on who receives the release and what they know." },
    { 0 },
};
