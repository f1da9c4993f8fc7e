/* SPDX-License-Identifier: Apache-2.0 */
/* explain_words.c - words of reports and plans, and the rules behind them, for `shoal explain`:
 * what belongs to no single model, measure or method. Those explain themselves in their rows.
 */
#include "explain.h"

const shoal_term cli_word_terms[] = {
    { .kind = SHOAL_TERM_MODEL,
      .place = 10,
      .names = "k-anonymity|k|k-anonymous|satisfied|holds|k_reached|k-reached|k_guaranteed",
      .title = "every published tuple occurs at least k times",
      .text = "Rows that publish the same quasi-identifiers form a group; every group has at least "
              "k rows. Somebody who knows a "
              "person's quasi-identifiers finds at least k rows that fit. It says nothing about "
              "what those rows have in common: "
              "if all share a sensitive value, that value is known.",
      .formula = "min over groups |g| >= k",
      .reading = "Usual values are 3, 5, 11 and 20; there is no default. 1/k is the highest "
                 "prosecutor risk.",
      .source = "Samarati 2001; Sweeney: k-anonymity: a model for protecting privacy, 2002" },
    { .kind = SHOAL_TERM_MODEL,
      .place = 20,
      .names = "person-level-k|persons|entity|person-level|unit",
      .title = "every published tuple belongs to at least k persons",
      .text = "Where a person has several rows (visits, payments), k rows may be one person. With "
              "--entity a person counts once "
              "in each group. Somebody who knows several rows of one person can still link them: "
              "each row is protected by itself.",
      .formula = "min over groups of distinct persons >= k" },
    { .kind = SHOAL_TERM_MODEL,
      .place = 30,
      .names = "qid-sets|k-over-sets|subsets|sets|at_most|failing_sets|worst|failing",
      .title = "k over the combinations that somebody can know",
      .text = "An attacker seldom knows all quasi-identifiers. --qid-set asks for k in each named "
              "set of columns, --subsets M in "
              "every combination of at most M. A tuple of fewer columns occurs at least as often, "
              "so the larger sets decide.",
      .formula = "for each set S: min over tuples of S of its rows >= k",
      .reading = "Weaker than k over all columns together; k over all implies it for every set "
                 "among them." },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 10,
      .names = "q-diversity|qd|loss|qid_loss",
      .title = "how wide one published value is, from 0 to 1",
      .text = "0 is the exact value, 1 is `*`. Numbers count the width of the interval against the "
              "column's range, categories the "
              "leaves below the published label against all leaves. In reports `loss` is the mean "
              "over rows of one "
              "quasi-identifier.",
      .formula = "number: (max-min) / (domain width); category: (leaves-1) / (|D|-1)",
      .source = "Loukides: doctoral thesis, definition 3.1.1" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 170,
      .names = "s-diversity|sd",
      .title = "how close the sensitive values of a group are",
      .text = "One minus the Q-diversity of the group's sensitive values: 1 when all are equal.",
      .formula = "sd(g) = 1 - qd(values of g)",
      .reading = "Lower is better: a wide range protects.",
      .source = "Loukides: doctoral thesis, definition 3.1.3" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 172,
      .names = "tells|words|sensitive-groups|one_value_groups|one_value_rows|dominated_groups|"
               "dominated_rows|fewest_values|fewest_groups",
      .title = "how plainly groups tell a sensitive column, in words",
      .text = "one_value: groups whose rows all share one value, so that it is known of everybody "
              "in them whatever k is. dominated: "
              "groups in which one value has more than half of the rows, or all. fewest_values: "
              "distinct values of the group that has the "
              "fewest; fewest_groups: how many have so few. A missing value counts as a value.",
      .reading = "0 groups with one value is distinct l-diversity of 2; see l-diversity, alpha." },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 174,
      .names = "comment|useless",
      .title = "said where so much is lost that little is left, with what to change",
      .text = "Said from a gcp of 0.5 on, where most rows are suppressed, or where a column loses "
              "0.9 or more. Else null.",
      .reading =
          "shoal explain-loss says what leaving columns or rows out, or another k, would bring." },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 190,
      .names = "lower_bound|lower-bound|bound|knn|box|dual|knn_bound|box_bound|dual_bound|passes",
      .title = "no release of this table at this k can lose less",
      .text = "`box`: for each row the cheapest box (range, set or label in each column) around it "
              "that holds k rows; a row's "
              "group is at least as wide. Where that search is too long, the distance to the "
              "(k-1)-th nearest row stands for it "
              "(`knn`). `dual`: from there, prices of rows are raised as long as no k rows in one "
              "box have prices above what the "
              "box costs them; passes counts how often all boxes were looked at. Holds for every "
              "method that recodes by ranges, "
              "sets and labels.",
      .formula = "GCP >= 1/n sum_t price_t; sum over S of price <= |S| cost(B) for all S of k rows "
                 "in a box B",
      .reading = "Compare gcp with it: see gap. It is a bound, not what is reachable.",
      .source = "this project; docs/lower-bound.md" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 192,
      .names = "relaxations|bound_relaxations|cut_branches|nearest-rows|stopped-searches|sets|"
               "wildcards|cut-branches|no-prices",
      .title = "where a lower bound gave way, so that it holds",
      .text = "nearest-rows: very many classes, no boxes searched. stopped-searches: some boxes "
              "took too long to find. sets: of "
              "values without hierarchy only their number counts. wildcards: rows with a missing "
              "value that matches everything "
              "are inside every box. cut-branches: some kinds of boxes were bounded as a whole. "
              "no-prices: k or the table is too "
              "large for the work allowed; see bound --time-limit.",
      .reading = "With any of them the true bound is higher than the one printed.",
      .source = "docs/lower-bound.md" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 195,
      .names = "explain-loss|half_of_it_rows|dearest_rows|share|rest_at_least|without_column|bound_"
               "taken|smaller_k",
      .title = "where the loss comes from that no release avoids",
      .text = "Prices of rows tell how the lower bound is spread: half_of_it_rows of them make "
              "half of it. The other numbers are "
              "lower bounds of what remains: for the other rows without the dearest 1 %, over the "
              "other columns without one, "
              "with a smaller k. bound_taken is the part of the bound on the sum over columns that "
              "goes with a column.",
      .reading = "What a release loses then is that much or more.",
      .source = "docs/lower-bound.md" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 200,
      .names = "gap",
      .title = "how many times the lower bound was lost",
      .text = "gcp divided by the lower bound.",
      .formula = "gap = gcp / lower bound; weighted gcp where quasi-identifiers have priorities",
      .reading = "1 would be proven optimal; 1.1 to 1.2 is usual for the default. The truth lies "
                 "nearer than the gap says, for "
                 "the bound is not quite tight.",
      .source = "this project" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 210,
      .names = "are|query-error|average-relative-error|median_error|workload|redrawn|unanswered|"
               "median|curve",
      .title = "how wrong counts become that are asked of the release",
      .text = "Random COUNT queries over quasi-identifiers and sensitive values, answered from the "
              "release as if values were "
              "spread evenly within each published box.",
      .formula = "|actual - estimated| / actual, mean and median over queries",
      .reading = "0.1: counts are off by a tenth on average. Queries without rows are drawn anew.",
      .source = "Loukides: doctoral thesis, section 4.5.2; LeFevre et al. 2008" },
    { .kind = SHOAL_TERM_MEASURE,
      .place = 250,
      .names = "sensitive_range|sensitive-range",
      .title = "values that reveal as much as a given one",
      .text = "Said by --sensitive-range: the value itself, numbers within a width, the values "
              "below an ancestor, or an explicit "
              "map.",
      .formula = "SR(u)",
      .source = "Loukides: doctoral thesis, definition 5.1.1" },
    { .kind = SHOAL_TERM_WORD,
      .place = 10,
      .names = "roles|role",
      .title = "what a column is to the release",
      .text = "Every column has one; a column that nobody mentioned is an error unless --rest keep "
              "or --rest drop says what to "
              "do. The roles are quasi-identifier, sensitive, class, identifier, entity, other and "
              "drop." },
    { .kind = SHOAL_TERM_WORD,
      .place = 20,
      .names = "quasi-identifier|qid|qids|quasi",
      .title = "a column that somebody may know about a person",
      .text = "Age, sex, postcode: harmless one by one, together often unique. These columns are "
              "generalised; all models and "
              "risks look at their combinations.",
      .reading = "Name every column that an outsider could know; leaving one out makes the numbers "
                 "meaningless." },
    { .kind = SHOAL_TERM_WORD,
      .place = 30,
      .names = "sensitive",
      .title = "a column to protect, published unchanged",
      .text =
          "A diagnosis, a salary. Models such as l-diversity look at its values within groups." },
    { .kind = SHOAL_TERM_WORD,
      .place = 40,
      .names = "class-column|class|label",
      .title = "a column that a model will predict",
      .text = "Published unchanged; class-aware methods keep its labels together, and cm measures "
              "how well." },
    { .kind = SHOAL_TERM_WORD,
      .place = 50,
      .names = "identifier",
      .title = "a column that names a person directly",
      .text = "Name, number, address: left out of the release." },
    { .kind = SHOAL_TERM_WORD,
      .place = 60,
      .names = "other|drop|rest",
      .title = "columns that pass through, or are left out",
      .text = "`other` columns are copied byte for byte. `drop` leaves a column out. --rest says "
              "which of the two unmentioned "
              "columns are.",
      .reading = "A passed-through column that somebody knows is a quasi-identifier in truth." },
    { .kind = SHOAL_TERM_WORD,
      .place = 70,
      .names = "group|groups|min_group|min-group",
      .title = "the rows that publish the same tuple",
      .text = "min_group is the size of the smallest: the k that holds." },
    { .kind = SHOAL_TERM_WORD,
      .place = 80,
      .names = "classes|equivalence-class",
      .title = "the rows that have the same tuple",
      .text = "Of the input in a report of anonymize, of the table at hand in risk. Equal rows "
              "need no generalisation to be "
              "alike." },
    { .kind = SHOAL_TERM_WORD,
      .place = 90,
      .names = "suppression|suppressed_rows|suppressed-rows|suppressed_counted|suppressed|"
               "suppressed_warning|exempt|drop-suppressed",
      .title = "rows published with `*` in every quasi-identifier",
      .text = "One rule: such rows keep their place (--drop-suppressed leaves them out), count 1 "
              "in every loss, and are a group "
              "like any other for check: fewer than k of them do not hide among k. Rows that are "
              "left out need not hide each other. "
              "--suppressed exempt reads rows of `*` alone as withheld records, as papers do: they "
              "need not be k nor satisfy models, "
              "are counted apart, and are no group in any measure; whoever knows that somebody is "
              "one of them reads that "
              "person's other columns in these rows alone. risk leaves them out of all rates and "
              "counts them apart, unless "
              "--count-suppressed is given." },
    { .kind = SHOAL_TERM_WORD,
      .place = 100,
      .names = "missing|missing-values|null|nulls|own-category|wildcard|conservative",
      .title = "how a missing value counts",
      .text = "own-category: a value like any other, equal to itself only (the default, the safe "
              "reading of the published text). "
              "conservative: it could be anything, so its group publishes `*`. wildcard: it "
              "matches everything and costs nothing; "
              "rows need not be equal in the text. Which strings mean missing is --null.",
      .reading = "A table may hold k under wildcard and not under own-category: every report names "
                 "the mode.",
      .source = "docs/publishing.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 110,
      .names = "generalisation|generalization|local-recoding|recoding",
      .title = "publishing something wider that covers the value",
      .text =
          "An interval [17..24], a label of a hierarchy, a set {A|B}, or `*`. Local recoding lets "
          "equal values be published "
          "differently in different groups; full-domain recoding does not, and loses far more." },
    { .kind = SHOAL_TERM_WORD,
      .place = 120,
      .names = "hierarchy|hierarchies|levels|level_heights|level_information|level_information_"
               "after|level_divergence",
      .title = "a tree of labels above the values of a column",
      .text = "Files with one row a value: leaf;level 1;...;*. Without one, categories become sets "
              "and numbers intervals. "
              "Full-domain methods report the level of each column (0 is the value itself), how "
              "many there are, and, where they "
              "look at a class column, what each level tells of it, before and after suppression, "
              "and how far its values diverge.",
      .source = "docs/hierarchies.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 130,
      .names = "domain",
      .title = "what |D| counts in losses",
      .text = "All leaves of a hierarchy, or (--domain data) only those that the table holds." },
    { .kind = SHOAL_TERM_WORD,
      .place = 140,
      .names = "protection|release|distinct_l|entropy_l|t|t_distance|t_equal|beta|delta",
      .title = "what a release protects, beside its original",
      .text = "For each sensitive column the number of the worst group: distinct and effective "
              "values (distinct_l, entropy_l), "
              "distance from the whole table (t by the column's own distance, t_equal with all "
              "values equally far apart), share "
              "of the most frequent value (alpha), greatest relative gain (beta) and greatest |ln| "
              "ratio of a value that a group "
              "has (delta). `original` has the same of the table before, where each distinct tuple "
              "is a group.",
      .reading = "More is better for distinct_l and entropy_l, less for the others." },
    { .kind = SHOAL_TERM_WORD,
      .place = 150,
      .names = "models|model|variant|column|asked|achieved",
      .title = "privacy models besides k: what was asked, and what the worst group came to",
      .text = "Each model holds in every group or the release is not written. `achieved` is the "
              "number that holds: it may be "
              "better than the one asked for." },
    { .kind = SHOAL_TERM_WORD,
      .place = 170,
      .names = "verified|verify|verifier",
      .title = "the release was read back and checked",
      .text = "From its published text alone, by code that shares nothing with the methods: k, the "
              "number of rows, and that each "
              "cell covers its original. A release that fails is not written." },
    { .kind = SHOAL_TERM_WORD,
      .place = 180,
      .names = "frontier|vary|series|points|value|knee|unsatisfiable",
      .title = "loss and protection against k, or against another number",
      .text = "One release a point. The knee is where a stricter value begins to cost much more "
              "than it protects; unsatisfiable "
              "points have no release." },
    { .kind = SHOAL_TERM_WORD,
      .place = 190,
      .names = "failing_groups|failing_rows|failing-groups|below-k",
      .title = "groups with fewer than k rows, and their rows",
      .text = "None where k holds." },
    { .kind = SHOAL_TERM_WORD,
      .place = 195,
      .names = "min_text_group|text_failing_rows|wildcard-text",
      .title = "what holds for the text where a missing value matches any",
      .text = "With --missing wildcard a row may be covered by rows that have a gap where it has a "
              "value. Who reads the text as it stands, a gap equal only to "
              "another gap, sees smaller groups: the smallest of them, and the rows of those below "
              "k." },
    { .kind = SHOAL_TERM_WORD,
      .place = 200,
      .names = "streamed|memory-limit",
      .title = "the rows were never all in memory",
      .text = "With --memory-limit a table whose rows would need more is read window by window: "
              "its distinct tuples are counted, "
              "and the file is read again to write the release and to verify it. The bytes are the "
              "same." },
    { .kind = SHOAL_TERM_WORD,
      .place = 210,
      .names = "stopped_early|stopped-early|time-limit",
      .title = "the search, or the lower bound, was ended before it was done",
      .text = "By a time limit or an interrupt: the best valid grouping so far was published (exit "
              "5), or the best bound so far stands." },
    { .kind = SHOAL_TERM_WORD,
      .place = 220,
      .names = "seconds|read|encode|search|refine|measure|write|total|processor",
      .title = "where the time went",
      .text = "Reading, forming classes, the method, its refinement, measures, the lower bound, "
              "checking, writing. processor: of "
              "forming classes, method and refinement, all threads added up." },
    { .kind = SHOAL_TERM_WORD,
      .place = 230,
      .names = "evaluations|queries",
      .title = "work of the search",
      .text = "How many times a candidate's cost was computed, and how many searches asked for the "
              "cheapest. A scan needs rows "
              "times searches.",
      .source = "docs/search-kernel.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 240,
      .names = "peak_rss_bytes|peak-rss-bytes|memory",
      .title = "most memory in use at once",
      .text = "Of the whole command, as the system counts it." },
    { .kind = SHOAL_TERM_WORD,
      .place = 250,
      .names = "microaggregation|mode",
      .title = "one value for all rows of a group: the mean, the median or the mode",
      .text = "--recoding mean, median or mode. A cell no longer covers its original; the verifier "
              "works each group's value out "
              "anew instead.",
      .reading =
          "gcp counts the spread of the values behind a cell; sse_ratio is the usual measure.",
      .source = "Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation, TKDE 2002; "
                "docs/publishing.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 260,
      .names = "node|interval|set",
      .title = "how a group may be published: a label, a range, the values themselves",
      .text = "--recoding node, interval or set; the default takes labels where there is a "
              "hierarchy, intervals for numbers, sets "
              "else.",
      .source = "docs/publishing.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 280,
      .names = "algorithm|params|param|name|priorities|settings|s|size",
      .title = "the method and its parameters",
      .text =
          "See 'shoal algorithms'; each method is a term of its own. settings are what a method "
          "chose for itself where its "
          "parameters left that open: delta, the fewest rows s of a part, the size of clusters." },
    { .kind = SHOAL_TERM_WORD,
      .place = 290,
      .names = "seed|determinism",
      .title = "where random numbers start",
      .text =
          "Same input, plan, seed and version give the same bytes, for any number of threads." },
    { .kind = SHOAL_TERM_WORD,
      .names = "manifest|claims|digests|created|sha256|bytes|form|shuffled|left_out_rows|plan|plan_"
               "file|input|result|evaluation|risk",
      .title = "the file that tells how a release was made and what was found",
      .text =
          "JSON, written with the release by --manifest: digests (SHA-256) of everything that went "
          "in and came out, the plan in a form that can be run "
          "again, what the verifier was told besides it (claims), measures, risk before and after, "
          "and summaries of columns. It holds values and counts of "
          "the original, so it stays with the steward; what is handed out is the external report.",
      .reading = "shoal verify MANIFEST checks a release against it.",
      .source = "docs/report.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "verify|checks|check|verdict",
      .title = "what was checked again, and what it came to",
      .text = "holds, fails, or not checked: then the text says what is not at hand. k, models and "
              "coverage are counted in the text of the files by the verifier, "
              "which shares no code with the methods." },
    { .kind = SHOAL_TERM_WORD,
      .names = "bars|before|after|exact|stars|texts|most_frequent|median_width|values|published|"
               "height|type|text",
      .title = "what became of one column",
      .text = "before: distinct values and rows without one in the original. bars: rows by value, "
              "or by ranges of numbers, in the original and as the release tells "
              "them, all values that a cell covers being equally likely. after: rows of the "
              "release, distinct published texts, rows that show the exact value, rows "
              "that show *, the median width of a cell, the most frequent texts." },
    { .kind = SHOAL_TERM_WORD,
      .names = "classify|classifiers|accuracy|balanced_accuracy|auc|baseline|folds|labels|"
               "unlabelled|recoded_by_tuple|other_labels|other_rows",
      .title = "how well classifiers learn from a release",
      .text = "Naive Bayes, a decision tree and logistic regression learn from the original and "
              "from the release, and are tried on rows held out. accuracy: share that is "
              "right; balanced_accuracy: mean over the labels; auc: area under the ROC curve. "
              "baseline guesses the most frequent label. other_labels and other_rows: rare labels "
              "that were taken as one.",
      .source = "docs/evaluation.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "about|purpose|recipients|environment|contact|review-date|earlier-releases|why",
      .title = "what the steward says of a release, for its report",
      .text = "Texts of the plan under about, and why a column has its role. They are shown as "
              "they are; nothing in them is checked.",
      .source = "docs/report.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "pseudonym|key",
      .title = "an identifier that is published as a keyed hash",
      .text = "The same person has the same pseudonym in every release under the same key, and "
              "without the key values cannot be tried. Persons are counted for k, as with "
              "entity. Rows of one person can be linked: what they tell together is not hidden "
              "among k.",
      .reading = "shoal key FILE makes a key; keep it apart from the releases.",
      .source = "docs/plan.md" },
    { .kind = SHOAL_TERM_WORD,
      .place = 295,
      .names = "nearly_unique|nearly-unique|kind|alone",
      .title = "a published column that nearly singles rows out",
      .text = "k is about quasi-identifiers. A column that is published as it is (sensitive, "
              "class, other), and whose value is unique in one row of "
              "ten or more, recognises those rows for whoever knows the value. kind: key, text, "
              "time or amount; alone: the rows with a value that no other has.",
      .reading = "Leave it out, coarsen it, or name it as a quasi-identifier. null: nobody looked, "
                 "because the table came as a frame or as counts." },
    { .kind = SHOAL_TERM_WORD,
      .place = 297,
      .names = "changed|identifying|because|unchanged|left_out",
      .title = "columns that are published as they are, and those that speak of persons",
      .text = "changed: the columns that are generalised; unchanged: the columns of the release "
              "whose cells are those of the input; left_out: the columns that it does not have. "
              "identifying: unchanged columns that "
              "shoal init would call identifiers: their values look like e-mail, url, ip, ssn, "
              "phone or name, are free text, their name says it, or they are called a key and have "
              "as many values as persons would (because).",
      .reading = "An identifying column names the person of a row whatever k is: leave it out." },
    { .kind = SHOAL_TERM_WORD,
      .names = "series|inserted|erased|corrected|withdrawn|withheld|pending|inexact_cells|gcp_"
               "published|gcp_anew|loss_grouping|loss_waiting|loss_withdrawn",
      .title = "releases of a table that changes, and what became of its rows",
      .text =
          "Every release of a series, and what any two of them differ by, satisfies k and the "
          "models. inserted: published for the first time; erased, corrected: published before, "
          "and gone or no longer right; withdrawn: taken out with them, because the rest would "
          "single somebody out; withheld: of the table and withdrawn, now or before; "
          "pending: waiting for a batch. gcp is of the table, gcp_published of what is published, "
          "gcp_anew of a release that a series cannot make. "
          "loss_grouping, loss_waiting and loss_withdrawn divide gcp by cause.",
      .reading = "Rows that are withdrawn do not come back. Groups of 2k rows or more bear an "
                 "erasure; smaller ones go as a whole.",
      .source = "docs/series.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "m-invariance|m_invariance|counterfeits|counterfeit_groups|min_records|signature",
      .title = "a record is among the same sensitive values in every release",
      .text = "Each group has at least M rows, all with different sensitive values, and a record's "
              "groups have the same set of values, its signature, in all releases of a series. "
              "Where no record has a value that a group needs, the row is a counterfeit; how many "
              "each group has (counterfeits, in counterfeit_groups groups) is published beside the "
              "release. min_records: records of the group that has fewest.",
      .reading = "It hides what somebody has, not that they are there: k counts counterfeits, too. "
                 "Subtract them before rows are counted.",
      .source = "Xiao and Tao, SIGMOD 2007; docs/series.md" },
    { .kind = SHOAL_TERM_WORD,
      .names = "row_order|row-order|sorted_by|repeated_identifier",
      .title = "the order of the rows, and what it tells",
      .text = "Where the input is sorted by an identifier or a quasi-identifier (sorted_by), the "
              "order of the release tells what was "
              "generalised; --row-order shuffle draws an order from the system's entropy. "
              "repeated_identifier: rows agree in it and in all "
              "quasi-identifiers, so that k rows may be fewer persons; --entity counts persons." },
    { .kind = SHOAL_TERM_WORD,
      .place = 300,
      .names = "threads",
      .title = "threads used",
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
      .text = "Results are reproducible within one." },
    { .kind = SHOAL_TERM_WORD,
      .place = 330,
      .names = "unread_cells|unread-cells|unread_columns|cells",
      .title = "published cells that could not be read, and the columns they are in",
      .text = "Neither a value, a label, an interval nor a set: most often the hierarchy of the "
              "labels was not named. An error of `measure` and "
              "`evaluate`; with --allow-unread they count as `*`." },
    { .kind = SHOAL_TERM_WORD,
      .place = 340,
      .names = "exit-codes|exit",
      .title = "how the command ends",
      .text = "0 done; 1 input, output or internal error; 2 wrong usage or plan; 3 a privacy "
              "constraint is not met; 4 broken data "
              "or hierarchy; 5 time or memory budget reached, best valid result written; 130 "
              "interrupted." },
    { .kind = SHOAL_TERM_WORD,
      .place = 350,
      .names = "anonymous|anonymity|anonymisation|anonymization",
      .title = "a word this program does not use of a release",
      .text = "It says which models hold, with which parameters. What a law calls so depends on "
              "who may get the release and on "
              "what they know." },
    { 0 },
};
