/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - the table of options: one row each, the only place that knows an option's name.
 *
 * Help, manual page, completions and the parser (args.c) are made from it, so they cannot disagree.
 * Those of privacy models come from the library.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

#define RELEASES (CMD_ANONYMIZE | CMD_APPLY)
#define ASKS (CMD_EVALUATE_QUERIES | CMD_FRONTIER)
#define EVALUATES (ASKS | CMD_EVALUATE_CLASSIFY)
#define BOUNDS (CMD_BOUND | CMD_EXPLAIN_LOSS)
#define TAKES_K (RELEASES | CMD_ATTACK | CMD_CHECK | CMD_MEASURE | BOUNDS | CMD_RISK)
#define READS_TABLE (TAKES_K | EVALUATES)
#define RECODES (RELEASES | CMD_ATTACK | CMD_MEASURE | BOUNDS | EVALUATES)
#define HAS_TYPES                                                                                  \
    (RECODES | CMD_RISK |                                                                          \
     CMD_CHECK) /* risk: of the population; check: of that and of sensitive columns */
#define MODELS (RELEASES | CMD_ATTACK | CMD_CHECK | CMD_FRONTIER)
#define WEIGHS (RELEASES | CMD_ATTACK | CMD_MEASURE | BOUNDS | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY)
#define HIERARCHY (CMD_HIERARCHY_BUILD | CMD_HIERARCHY_CHECK)
#define GENERATES (CMD_GENERATE_CENSUS | CMD_GENERATE_NORMAL)
#define EVIDENCE (CMD_VERIFY | CMD_REPORT)
#define WRITES (RELEASES | CMD_REPORT | CMD_INIT | CMD_HIERARCHY_BUILD | GENERATES)
#define DRAWS                                                                                      \
    (CMD_FRONTIER | CMD_MEASURE | CMD_RISK | CMD_ATTACK | CMD_EVALUATE_QUERIES |                   \
     CMD_EVALUATE_CLASSIFY)
#define REPLACES (WRITES | CMD_SERIES_FORGET | EVALUATES | CMD_MEASURE | CMD_RISK | CMD_ATTACK)

static cli_option table[OPT_COUNT] = {
    /* columns and their roles */
    [OPT_QID] = { "qid", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                  READS_TABLE,
                  "quasi-identifiers: columns that together may point to a person; they are "
                  "generalised" },
    [OPT_NUMERIC] = { "numeric", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                      HAS_TYPES,
                      "columns to read as numbers, published as intervals (detected if not said)" },
    [OPT_CATEGORICAL] = { "categorical", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL,
                          COMPLETE_NOTHING, HAS_TYPES,
                          "columns to read as text, published as hierarchy nodes or sets" },
    [OPT_DATE] = { "date", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                   HAS_TYPES, "columns to read as dates (YYYY-MM-DD), published as intervals" },
    [OPT_ORDERED] = { "ordered", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN=ORDER", NULL,
                      COMPLETE_NOTHING, HAS_TYPES,
                      "categories in an order, 'low < middle < high', published as ranges of "
                      "labels; auto: ranges of numbers such as [0-10) "
                      "(detected if not said); may be given again" },
    [OPT_JOIN] = { "join", 0, KIND_REPEAT, GROUP_ROLES, "NAME=COLUMN,COLUMN", NULL,
                   COMPLETE_NOTHING, HAS_TYPES,
                   "make one column of two, place=latitude,longitude, for --qid place --hierarchy "
                   "place=build:grid:100; the two are left out" },
    [OPT_FORMAT] = { "format", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN=FORMAT", NULL, COMPLETE_NOTHING,
                     HAS_TYPES,
                     "how a column writes 1234.5 or a date: '1.234,5', '1234 cm', '$1,234.5', "
                     "DD.MM.YYYY, DD-Mon-YYYY, 'MM/DD/YYYY hh:mm', 'DD.MM.YY from "
                     "1930'; else found" },
    [OPT_SENSITIVE] = { "sensitive", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL,
                        COMPLETE_NOTHING, RELEASES | CMD_CHECK | CMD_MEASURE | CMD_ATTACK | ASKS,
                        "columns to protect; published unchanged" },
    [OPT_CLASS] = { "class", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                    RELEASES | CMD_MEASURE | CMD_ATTACK | EVALUATES,
                    "columns a model will predict; published unchanged" },
    [OPT_IDENTIFIER] = { "identifier", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL,
                         COMPLETE_NOTHING, RELEASES | CMD_ATTACK | CMD_FRONTIER,
                         "columns that name a person directly; left out" },
    [OPT_ENTITY] = { "entity", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                     RELEASES | CMD_CHECK | CMD_MEASURE | CMD_RISK | CMD_ATTACK,
                     "the person behind a row, where one has several, or the household: left out "
                     "of releases, counted once a group by check" },
    [OPT_PSEUDONYM] = { "pseudonym", 0, KIND_LIST, GROUP_ROLES, "COLUMN", NULL, COMPLETE_NOTHING,
                        CMD_ANONYMIZE,
                        "an identifier to publish as a keyed hash, the same in every release under "
                        "the same key; counted as the person behind a row" },
    [OPT_KEY] = { "key", 0, KIND_ONCE, GROUP_ROLES, "FILE", NULL, COMPLETE_FILE,
                  CMD_ANONYMIZE | CMD_VERIFY,
                  "the key of --pseudonym: a file that 'shoal key' made, readable by you alone" },
    [OPT_OTHER] = { "other", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                    RELEASES | CMD_ATTACK | CMD_FRONTIER,
                    "columns that pass through byte for byte" },
    [OPT_DROP] = { "drop", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                   RELEASES | CMD_ATTACK | CMD_FRONTIER, "columns to leave out" },
    [OPT_REST] = { "rest", 0, KIND_ONCE, GROUP_ROLES, "WHAT", "keep|drop", COMPLETE_NOTHING,
                   RELEASES | CMD_ATTACK | CMD_FRONTIER,
                   "what to do with columns nobody mentioned; without it they are an error" },
    [OPT_COUNTS] = { "counts", 0, KIND_LIST, GROUP_ROLES, "COLUMN", NULL, COMPLETE_NOTHING,
                     CMD_ANONYMIZE,
                     "the table has distinct tuples, and this column counts the rows of each; what "
                     "becomes of them is written with --mapping" },
    [OPT_QID_SET] = { "qid-set", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                      CMD_CHECK,
                      "a set of columns whose tuples must occur K times, instead of all "
                      "quasi-identifiers together; may be "
                      "given again" },
    [OPT_SUBSETS] = { "subsets", 0, KIND_ONCE, GROUP_ROLES, "M", NULL, COMPLETE_NOTHING, CMD_CHECK,
                      "every combination of at most M quasi-identifiers must occur K times, "
                      "instead of all together" },
    [OPT_AFTER] = { "after", 0, KIND_REPEAT, GROUP_SERIES, "RELEASE", NULL, COMPLETE_FILE,
                    CMD_CHECK | CMD_ANONYMIZE,
                    "an earlier release of the same table: what the two differ by must hold k and "
                    "the models, too; may be given again" },
    [OPT_SERIES] = { "series", 0, KIND_ONCE, GROUP_SERIES, "FOLDER", NULL, COMPLETE_FOLDER,
                     CMD_ANONYMIZE | CMD_FRONTIER,
                     "the next release of a series, whose private state is in this folder (made by "
                     "the first): what any two releases differ by holds k and "
                     "the models, too. frontier: what its releases cost" },
    [OPT_PENDING] = { "pending", 0, KIND_ONCE, GROUP_SERIES, "WHAT", "withhold|star",
                      COMPLETE_NOTHING, CMD_ANONYMIZE,
                      "new rows that form no batch wait (if not said), or are published as * where "
                      "they satisfy k and the models so" },
    [OPT_ERASURES] = { "erasures", 0, KIND_ONCE, GROUP_SERIES, "WHAT", "withdraw|refuse",
                       COMPLETE_NOTHING, CMD_ANONYMIZE,
                       "where rows that leave would single somebody out: withdraw further rows, as "
                       "few as possible (if not said), or publish nothing" },
    [OPT_ANEW] = { "anew", 0, KIND_SWITCH, GROUP_SERIES, NULL, NULL, COMPLETE_NOTHING,
                   CMD_ANONYMIZE,
                   "tell what a release of the whole table anew would lose, which a series cannot "
                   "publish; kept for 'shoal frontier --series'" },
    [OPT_M_INVARIANCE] = { "m-invariance", 0, KIND_ONCE, GROUP_SERIES, "M", NULL, COMPLETE_NOTHING,
                           CMD_ANONYMIZE,
                           "instead of the promise about differences: each group has at least M "
                           "rows with different sensitive values, and a record is among "
                           "the "
                           "same values in every release; counterfeit rows fill gaps" },
    [OPT_COUNTERFEITS_OUT] = { "counterfeits-out", 0, KIND_ONCE, GROUP_SERIES, "FILE", NULL,
                               COMPLETE_FILE, CMD_ANONYMIZE,
                               "with --m-invariance: the second table of the release, how many "
                               "rows of each group are counterfeits" },

    /* privacy models besides k: see cli_options_read_models() */
    [OPT_SUPPRESSION_LIMIT] = { "suppression-limit", 0, KIND_ONCE, GROUP_MODELS, "SHARE", NULL,
                                COMPLETE_NOTHING, CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER,
                                "groups that miss a model may be suppressed, up to this share of "
                                "the rows, where merging loses more (0 if not "
                                "said)" },

    /* model and method */
    [OPT_K] = { "k", 'k', KIND_ONCE, GROUP_METHOD, "K", NULL, COMPLETE_NOTHING,
                TAKES_K | CMD_EVALUATE_CLASSIFY,
                "every published tuple occurs at least K times; no default" },
    [OPT_K_LIST] = { "k", 'k', KIND_LIST, GROUP_METHOD, "K,...", NULL, COMPLETE_NOTHING,
                     CMD_FRONTIER,
                     "the k of each release that is tried, from the weakest on; no default" },
    [OPT_ALGORITHM] = { "algorithm", 'a', KIND_ONCE, GROUP_METHOD, "NAME", NULL, COMPLETE_ALGORITHM,
                        CMD_ANONYMIZE | CMD_ATTACK | CMD_EVALUATE_CLASSIFY,
                        "the method; see 'shoal algorithms'" },
    [OPT_ALGORITHM_LIST] = { "algorithm", 'a', KIND_LIST, GROUP_METHOD, "NAME,...", NULL,
                             COMPLETE_ALGORITHM, CMD_FRONTIER,
                             "the methods to compare; see 'shoal algorithms'" },
    [OPT_PARAM] = { "param", 0, KIND_REPEAT, GROUP_METHOD, "NAME=VALUE", NULL, COMPLETE_NOTHING,
                    CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY | CMD_MEASURE,
                    "a parameter of the algorithm; may be given again (measure: w_u, w_p, the "
                    "weights of mr_wtd)" },
    [OPT_PRIORITY] = { "priority", 0, KIND_ONCE, GROUP_METHOD, "COLUMN,...", NULL, COMPLETE_NOTHING,
                       WEIGHS,
                       "all quasi-identifiers, the most important first (age,zip,sex), or how much "
                       "some count (zip=0.2): distance-based "
                       "methods keep the important ones precise, and measures weigh them" },
    [OPT_WEIGHTS] = { "weights", 0, KIND_REPEAT, GROUP_METHOD, "[COLUMN=]WEIGHTS", NULL,
                      COMPLETE_NOTHING, WEIGHS,
                      "what a step up a hierarchy counts: uniform, height, height:BETA, "
                      "koc-height, koc-height:GAMMA, or W1,W2,... from the "
                      "value upwards; of all quasi-identifiers or of one; may be given again" },
    [OPT_MAX_LEVEL] = { "max-level", 0, KIND_REPEAT, GROUP_METHOD, "COLUMN=LEVEL", NULL,
                        COMPLETE_NOTHING,
                        CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY,
                        "publish a quasi-identifier on this level of its hierarchy or below: 0 as "
                        "it is, 1 one level up; may be given again" },
    [OPT_EFFORT] = { "effort", 0, KIND_ONCE, GROUP_METHOD, "N", NULL, COMPLETE_NOTHING,
                     CMD_ANONYMIZE | CMD_ATTACK, "short for --param effort=N" },
    [OPT_RECODING] = { "recoding", 0, KIND_ONCE, GROUP_METHOD, "MODEL",
                       "local|node|interval|set|full-domain|mean|median|mode|full-subtree|set-"
                       "partition",
                       COMPLETE_NOTHING, CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER,
                       "how groups are published (local if not said); mean, median and mode are "
                       "microaggregation" },
    [OPT_SEED] = { "seed", 0, KIND_ONCE, GROUP_METHOD, "N", NULL, COMPLETE_NOTHING,
                   CMD_ANONYMIZE | CMD_ATTACK | GENERATES | EVALUATES,
                   "start of the random numbers (0 if not said); same seed, same bytes" },
    [OPT_TIME_LIMIT] = { "time-limit", 0, KIND_ONCE, GROUP_METHOD, "SECONDS", NULL,
                         COMPLETE_NOTHING,
                         CMD_ANONYMIZE | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY | BOUNDS,
                         "from reading on: end the search in time to write and verify the best "
                         "valid result, exit 5; bound: spend that long" },
    [OPT_MEMORY_LIMIT] = { "memory-limit", 0, KIND_ONCE, GROUP_METHOD, "SIZE", NULL,
                           COMPLETE_NOTHING, CMD_ANONYMIZE,
                           "keep rows out of memory where they would need more (4G, 500M): "
                           "distinct tuples are counted, and the file is read again to "
                           "write and to verify" },
    [OPT_THREADS] = { "threads", 't', KIND_ONCE, GROUP_METHOD, "N", NULL, COMPLETE_NOTHING,
                      READS_TABLE | CMD_INIT | HIERARCHY | GENERATES | EVIDENCE,
                      "threads to use (all cores if not said); the result does not depend on it" },
    [OPT_NO_BOUND] = { "no-bound", 0, KIND_SWITCH, GROUP_METHOD, NULL, NULL, COMPLETE_NOTHING,
                       CMD_ANONYMIZE | CMD_FRONTIER, "skip the lower bound on the loss" },

    /* risk */
    [OPT_POPULATION] = { "population", 0, KIND_ONCE, GROUP_RISK, "FILE", NULL, COMPLETE_FILE,
                         CMD_RISK | MODELS,
                         "the population that the table is part of: the same columns, one row a "
                         "person" },
    [OPT_SAMPLING_FRACTION] = { "sampling-fraction", 0, KIND_ONCE, GROUP_RISK, "F", NULL,
                                COMPLETE_NOTHING, CMD_RISK,
                                "the share of the population that the table holds, above 0 and at "
                                "most 1: estimate the rest" },
    [OPT_ORIGINAL] = { "original", 0, KIND_ONCE, GROUP_RISK, "FILE", NULL, COMPLETE_FILE,
                       CMD_CHECK | CMD_RISK | EVIDENCE,
                       "the table before it was released: both are shown, before and after; "
                       "verify: cells are checked beside it; check: persons are counted in "
                       "it" },
    [OPT_THRESHOLD] = { "threshold", 0, KIND_LIST, GROUP_RISK, "RISK,...", NULL, COMPLETE_NOTHING,
                        CMD_RISK,
                        "count the records above these risks (0.33,0.2,0.09,0.05 if not said)" },
    [OPT_COUNT_SUPPRESSED] = { "count-suppressed", 0, KIND_SWITCH, GROUP_RISK, NULL, NULL,
                               COMPLETE_NOTHING, CMD_RISK,
                               "rows of * alone are a class like any other; otherwise they are "
                               "left out of the rates" },

    [OPT_ONLY] = { "only", 0, KIND_LIST, GROUP_RISK, "ATTACK,...", NULL, COMPLETE_NOTHING,
                   CMD_ATTACK, "these attacks alone; 'shoal explain' lists them" },
    [OPT_KNOWN] = { "known", 0, KIND_ONCE, GROUP_RISK, "M", NULL, COMPLETE_NOTHING, CMD_ATTACK,
                    "quasi-identifiers that the attacker knows, besides trying with all of them (3 "
                    "if not said)" },
    [OPT_SETS] = { "sets", 0, KIND_ONCE, GROUP_RISK, "N", NULL, COMPLETE_NOTHING, CMD_ATTACK,
                   "try that many sets of M quasi-identifiers, drawn where there are more (20 if "
                   "not said)" },
    [OPT_ERRORS] = { "errors", 0, KIND_ONCE, GROUP_RISK, "SHARE", NULL, COMPLETE_NOTHING,
                     CMD_ATTACK,
                     "that share of what the attacker knows is wrong, 0 to 0.5 (0.1 if not said); "
                     "without errors is tried too" },
    [OPT_HELD_OUT] = { "held-out", 0, KIND_ONCE, GROUP_RISK, "FILE", NULL, COMPLETE_FILE,
                       CMD_ATTACK,
                       "persons who were left out before the release was made: the control of what "
                       "a classifier learns" },
    [OPT_RECORD_KEY] = { "record-key", 0, KIND_ONCE, GROUP_SERIES, "COLUMN", NULL, COMPLETE_NOTHING,
                         CMD_ATTACK | CMD_ANONYMIZE,
                         "a column that tells which rows of several tables are one record; left "
                         "out of releases. attack: of original and releases (their "
                         "order does if not said); attackers do not know it" },
    [OPT_RERUNS] = { "reruns", 0, KIND_ONCE, GROUP_RISK, "N", NULL, COMPLETE_NOTHING, CMD_ATTACK,
                     "run the method N times on candidates for the original, by the plan and the "
                     "options of anonymize (0 if not said)" },
    [OPT_CONTROLS] = { "controls", 0, KIND_SWITCH, GROUP_RISK, NULL, NULL, COMPLETE_NOTHING,
                       CMD_ATTACK,
                       "also try each attack on invented persons: with a leak that it must find, "
                       "and in one group" },

    /* hierarchies */
    [OPT_HIERARCHIES] = { "hierarchies", 0, KIND_ONCE, GROUP_HIERARCHIES, "FOLDER", NULL,
                          COMPLETE_FOLDER, HAS_TYPES | EVIDENCE,
                          "folder with a hierarchy file a column (age.csv, "
                          "..._hierarchy_age.csv)" },
    [OPT_HIERARCHY] = { "hierarchy", 0, KIND_REPEAT, GROUP_HIERARCHIES, "COLUMN=FILE", NULL,
                        COMPLETE_FILE, HAS_TYPES,
                        "a column's hierarchy: a file, known:NAME such as known:icd10, or "
                        "build:SPEC such as build:intervals:5,10; may be given again" },
    [OPT_ON_MISSING] = { "on-missing", 0, KIND_ONCE, GROUP_HIERARCHIES, "WHAT",
                         "error|top|own-leaf", COMPLETE_NOTHING, HAS_TYPES,
                         "data values that the hierarchy lacks: refuse, know only as *, or add "
                         "below the root" },
    [OPT_DOMAIN] = { "domain", 0, KIND_ONCE, GROUP_HIERARCHIES, "WHAT", "hierarchy|data",
                     COMPLETE_NOTHING, RECODES,
                     "losses count all leaves of the hierarchy, or only those in the data" },
    [OPT_SPEC] = { "spec", 's', KIND_ONCE, GROUP_HIERARCHIES, "SPEC", NULL, COMPLETE_NOTHING,
                   CMD_HIERARCHY_BUILD,
                   "builder: intervals:5,10,20 quantiles:8 mask prefix:3,2,1[,min=100] grid:100 "
                   "degrees:100 order:a=x|y;b=z dates:month,year rare:100 "
                   "known:icd10 learn" },
    [OPT_COLUMN] = { "column", 'c', KIND_ONCE, GROUP_HIERARCHIES, "COLUMN", NULL, COMPLETE_NOTHING,
                     HIERARCHY, "the column whose values the hierarchy is for" },
    [OPT_TABLE] = { "table", 0, KIND_ONCE, GROUP_HIERARCHIES, "INPUT", NULL, COMPLETE_FILE,
                    CMD_HIERARCHY_CHECK,
                    "a table whose values the hierarchy must hold; needs --column" },
    [OPT_DEPTH] = { "depth", 0, KIND_ONCE, GROUP_HIERARCHIES, "N", NULL, COMPLETE_NOTHING,
                    CMD_HIERARCHY_SHOW, "levels to print below the root (2 if not said)" },

    /* evaluation */
    [OPT_WORKLOAD] = { "workload", 0, KIND_ONCE, GROUP_EVALUATE, "TYPE",
                       "census-range|census-value|type-1|type-2|columns", COMPLETE_NOTHING,
                       CMD_EVALUATE_QUERIES,
                       "how queries are drawn (columns with --columns, else census-range)" },
    [OPT_WORKLOAD_FILE] = { "workload-file", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL,
                            COMPLETE_FILE, CMD_EVALUATE_QUERIES,
                            "take the queries from a CSV file: a row each, cells spelled as in a "
                            "release, empty asks nothing" },
    [OPT_QUERY_COLUMNS] = { "columns", 0, KIND_LIST, GROUP_EVALUATE, "COLUMN,...", NULL,
                            COMPLETE_NOTHING, CMD_EVALUATE_QUERIES,
                            "the columns that each query asks for, for the workload types columns, "
                            "type-1 and type-2 (these know age, sex, income, race and workclass by "
                            "name)" },
    [OPT_DIMENSIONS] = { "dimensions", 0, KIND_ONCE, GROUP_EVALUATE, "D", NULL, COMPLETE_NOTHING,
                         ASKS,
                         "census types: quasi-identifiers in a query (1 if not said; 2 for "
                         "frontier)" },
    [OPT_QUERIES] = { "queries", 0, KIND_ONCE, GROUP_EVALUATE, "N", NULL, COMPLETE_NOTHING, ASKS,
                      "queries to draw (10000 if not said); frontier: 0 asks none" },
    [OPT_QUERIES_OUT] = { "queries-out", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL, COMPLETE_FILE,
                          CMD_EVALUATE_QUERIES,
                          "write every query as CSV; holds values and exact counts of the "
                          "original" },
    [OPT_SENSITIVE_TABLE] = { "sensitive-table", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL,
                              COMPLETE_FILE, CMD_EVALUATE_QUERIES | EVIDENCE,
                              "second table of a release in two (anatomy): group, sensitive value, "
                              "count" },
    [OPT_VARY] = { "vary", 0, KIND_ONCE, GROUP_EVALUATE, "NAME=V,...", NULL, COMPLETE_NOTHING,
                   CMD_FRONTIER,
                   "vary a privacy model or a parameter of the methods instead of k, such as l, t, "
                   "P or w_u; one curve for each k" },
    [OPT_FEATURES] = { "features", 0, KIND_LIST, GROUP_EVALUATE, "COLUMN,...", NULL,
                       COMPLETE_NOTHING, CMD_EVALUATE_CLASSIFY,
                       "columns to learn from besides the quasi-identifiers; published as they "
                       "are" },
    [OPT_FOLDS] = { "folds", 0, KIND_ONCE, GROUP_EVALUATE, "N", NULL, COMPLETE_NOTHING,
                    CMD_EVALUATE_CLASSIFY, "folds of the cross-validation (10 if not said)" },
    [OPT_FOLDS_OUT] = { "folds-out", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL, COMPLETE_FILE,
                        CMD_EVALUATE_CLASSIFY,
                        "write training and test rows of every fold as CSV, for other classifiers; "
                        "holds labels and other values of "
                        "the original" },
    [OPT_TOP_CLASSES] = { "top-classes", 0, KIND_ONCE, GROUP_EVALUATE, "N", NULL, COMPLETE_NOTHING,
                          CMD_EVALUATE_CLASSIFY,
                          "tell the N most frequent labels apart and count the rest as one (all "
                          "labels if not said, up to 100)" },
    [OPT_NUMBERS] = { "numbers", 0, KIND_ONCE, GROUP_EVALUATE, "HOW", "midpoint|category",
                      COMPLETE_NOTHING, CMD_EVALUATE_CLASSIFY,
                      "what an interval of numbers is to a classifier (its midpoint if not said)" },
    [OPT_CSV_OUT] = { "csv-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                      CMD_FRONTIER | CMD_MEASURE,
                      "frontier: every release that was tried as a line of CSV; measure: the range "
                      "diversity of every row, sorted" },
    [OPT_SVG_OUT] = { "svg-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE, DRAWS,
                      "draw an SVG picture. frontier: the curves; measure: loss of each column, "
                      "sizes of groups, range diversity; risk: sizes of groups, "
                      "rows above thresholds; evaluate: errors of queries, columns before and "
                      "after, or classifiers; attack: success and control of each" },

    /* generated tables */
    [OPT_ROWS] = { "rows", 'n', KIND_ONCE, GROUP_GENERATE, "N", NULL, COMPLETE_NOTHING, GENERATES,
                   "rows to make" },
    [OPT_COLUMNS] = { "columns", 0, KIND_ONCE, GROUP_GENERATE, "D", NULL, COMPLETE_NOTHING,
                      CMD_GENERATE_NORMAL, "columns to make (4 if not said)" },
    [OPT_SIGMA] = { "sigma", 0, KIND_ONCE, GROUP_GENERATE, "X", NULL, COMPLETE_NOTHING,
                    CMD_GENERATE_NORMAL, "standard deviation (2 if not said)" },
    [OPT_HIERARCHIES_OUT] = { "hierarchies-out", 0, KIND_ONCE, GROUP_GENERATE, "FOLDER", NULL,
                              COMPLETE_FOLDER, CMD_GENERATE_CENSUS,
                              "also write the hierarchies of the table into this folder" },

    /* reading */
    [OPT_PLAN] = { "plan", 'p', KIND_ONCE, GROUP_READING, "FILE", NULL, COMPLETE_FILE, READS_TABLE,
                   "plan file (YAML) with all that flags can say; flags win" },
    [OPT_DELIMITER] = { "delimiter", 'd', KIND_ONCE, GROUP_READING, "CHAR", NULL, COMPLETE_NOTHING,
                        READS_TABLE | CMD_INIT | HIERARCHY,
                        "separator of the fields: a character or tab (detected if not said)" },
    [OPT_ENCODING] = { "encoding", 0, KIND_ONCE, GROUP_READING, "NAME", NULL, COMPLETE_NOTHING,
                       READS_TABLE | CMD_INIT | HIERARCHY,
                       "encoding of the table: utf-8, utf-16, windows-1252, latin-1, latin-9 "
                       "(detected if not said)" },
    [OPT_OUTPUT_ENCODING] = { "output-encoding", 0, KIND_ONCE, GROUP_OUTPUT, "NAME", NULL,
                              COMPLETE_NOTHING, CMD_ANONYMIZE | CMD_APPLY,
                              "encoding of the release (that of the table if not said)" },
    [OPT_NO_HEADER] = { "no-header", 0, KIND_SWITCH, GROUP_READING, NULL, NULL, COMPLETE_NOTHING,
                        READS_TABLE | CMD_INIT | HIERARCHY,
                        "the first line is data; columns are named 1, 2, 3, ..." },
    [OPT_NULL] = { "null", 0, KIND_REPEAT, GROUP_READING, "STRING", NULL, COMPLETE_NOTHING,
                   READS_TABLE | CMD_INIT | HIERARCHY,
                   "a string that means missing; may be given again (the empty string if not "
                   "said)" },
    [OPT_MISSING] = { "missing", 0, KIND_ONCE, GROUP_READING, "MODE",
                      "own-category|wildcard|conservative", COMPLETE_NOTHING, READS_TABLE,
                      "how a missing value counts" },

    /* output */
    [OPT_OUTPUT] = { "output", 'o', KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE, WRITES,
                     "file to write, compressed if it ends in .gz or .zst; - is standard output" },
    [OPT_SENSITIVE_OUT] = { "sensitive-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL,
                            COMPLETE_FILE, CMD_ANONYMIZE,
                            "anatomy: file for the second table (group, sensitive value, count)" },
    [OPT_MAPPING] = { "mapping", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                      CMD_ANONYMIZE,
                      "with --counts, instead of --output: what each tuple is published as, to "
                      "join with the rows it was counted from" },
    [OPT_FORCE] = { "force", 'f', KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING, REPLACES,
                    "replace files that exist; series forget: yes, destroy it" },
    [OPT_DROP_SUPPRESSED] = { "drop-suppressed", 0, KIND_SWITCH, GROUP_OUTPUT, NULL, NULL,
                              COMPLETE_NOTHING, RELEASES | CMD_ATTACK,
                              "leave suppressed rows out instead of publishing *" },
    [OPT_SUPPRESSED] = { "suppressed", 0, KIND_ONCE, GROUP_METHOD, "READING", "group|exempt",
                         COMPLETE_NOTHING,
                         RELEASES | CMD_CHECK | CMD_MEASURE | CMD_ATTACK | CMD_FRONTIER,
                         "rows of * alone: group (the default; they must be k too), or exempt "
                         "(papers' reading: withheld, not k, counted apart)" },
    [OPT_ROW_ORDER] = { "row-order", 0, KIND_ONCE, GROUP_OUTPUT, "ORDER", "keep|shuffle",
                        COMPLETE_NOTHING, RELEASES,
                        "keep the order of the input (if not said), or shuffle the rows by the "
                        "system's entropy: the order of a sorted "
                        "input tells what generalisation hides" },
    [OPT_REPORT] = { "report", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE, RELEASES,
                     "write the report as JSON to this file" },
    [OPT_MANIFEST] = { "manifest", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                       RELEASES,
                       "write a manifest: digests, plan, what was verified and measured, for shoal "
                       "verify; holds counts and values of the original" },
    [OPT_REPORT_HTML] = { "report-html", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                          RELEASES,
                          "write a report to hand over, as one HTML file: context, roles, risk, "
                          "models, columns, utility, attacks, limits" },
    [OPT_EDITION] = { "edition", 0, KIND_ONCE, GROUP_OUTPUT, "WHOM", "internal|external",
                      COMPLETE_NOTHING, RELEASES | CMD_REPORT,
                      "of the HTML report: internal (if not said), or external, without any value "
                      "or count that the release does not show, seed and digest of "
                      "the input" },
    [OPT_RELEASE] = { "release", 0, KIND_ONCE, GROUP_READING, "FILE", NULL, COMPLETE_FILE, EVIDENCE,
                      "the release, where it is not beside its manifest" },
    [OPT_RERUN] = { "rerun", 0, KIND_SWITCH, GROUP_METHOD, NULL, NULL, COMPLETE_NOTHING, CMD_VERIFY,
                    "make the release again from the original and compare the bytes" },
    [OPT_LEVELS] = { "levels", 0, KIND_ONCE, GROUP_METHOD, "FILE", NULL, COMPLETE_FILE, CMD_APPLY,
                     "the levels, as JSON: what anonymize wrote with --levels-out, or its report" },
    [OPT_LEVELS_OUT] = { "levels-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                         CMD_ANONYMIZE,
                         "write the levels of a full-domain method as JSON to this file, for shoal "
                         "apply" },
    [OPT_JSON] = { "json", 0, KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING,
                   READS_TABLE | CMD_INIT | CMD_HIERARCHY_CHECK | CMD_HIERARCHY_KNOWN |
                       CMD_ALGORITHMS | CMD_EXPLAIN | CMD_VERIFY | CMD_SERIES_SHOW |
                       CMD_SERIES_CHECK,
                   "print the result as JSON on standard output" },
    [OPT_ALLOW_UNREAD] = { "allow-unread", 0, KIND_SWITCH, GROUP_HIERARCHIES, NULL, NULL,
                           COMPLETE_NOTHING,
                           CMD_MEASURE | CMD_EVALUATE_QUERIES | CMD_EVALUATE_CLASSIFY,
                           "measure published cells that cannot be read as *, instead of "
                           "refusing" },
    [OPT_QUIET] = { "quiet", 'q', KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING,
                    READS_TABLE | CMD_INIT | HIERARCHY | GENERATES | EVIDENCE | CMD_SERIES_CHECK,
                    "no summary, no progress bar" },
    [OPT_NO_PROGRESS] = { "no-progress", 0, KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING,
                          READS_TABLE | CMD_INIT | HIERARCHY | EVIDENCE, "no progress bar" },
    [OPT_HELP] = { "help", 'h', KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING, ~0u,
                   "show this help" },
    [OPT_SENSITIVE_RANGE] = { "sensitive-range", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN=RANGE", NULL,
                              COMPLETE_NOTHING,
                              RELEASES | CMD_CHECK | CMD_MEASURE | CMD_ATTACK | CMD_FRONTIER,
                              "values of a sensitive column that reveal as much as one of them: "
                              "value, width:W, level:J or map:10..15|16..17" },
};

const cli_option *const cli_options = table;

/* ---- the options of privacy models ---- */

enum { ARGUMENT_SIZE = 48 };

/* "[COLUMN=][FORM:]T" for the rows of one name from `row` on: T where all variants take the same,
 * else NUMBER. */
static void describe_argument(char *out, size_t row)
{
    const char *values = shoal_model_values(row);
    size_t n_variants = 0;
    for (size_t i = row;
         i < shoal_model_count() && strcmp(shoal_model_name(i), shoal_model_name(row)) == 0; i++) {
        if (strcmp(shoal_model_values(i), values) != 0) values = "NUMBER";
        n_variants++;
    }
    bool has_column = (shoal_model_traits(row) & SHOAL_MODEL_HAS_COLUMN) != 0;
    snprintf(out, ARGUMENT_SIZE, "%s%s%s", has_column ? "[COLUMN=]" : "",
             n_variants > 1 ? "[FORM:]" : "", values);
}

void cli_options_read_models(void)
{
    static char arguments[MAX_MODEL_OPTIONS][ARGUMENT_SIZE];
    size_t n = 0;
    for (size_t row = 0; row < shoal_model_count() && n < MAX_MODEL_OPTIONS; row++) {
        if (shoal_model_find(shoal_model_name(row)) != row) continue; /* a variant */
        unsigned traits = shoal_model_traits(row);
        describe_argument(arguments[n], row);
        table[OPT_FIRST_MODEL + n] = (cli_option){
            .name = shoal_model_name(row),
            .kind = traits & SHOAL_MODEL_HAS_COLUMN ? KIND_REPEAT : KIND_ONCE,
            .group = GROUP_MODELS,
            .argument = arguments[n],
            /* check sees the release alone */
            .commands = traits & SHOAL_MODEL_NEEDS_ORIGINAL ? MODELS & ~CMD_CHECK : MODELS,
            .help = shoal_model_help(row),
        };
        n++;
    }
}

const char *cli_group_title(cli_group group)
{
    switch (group) {
    case GROUP_ROLES: return "Columns and their roles";
    case GROUP_METHOD: return "Model and method";
    case GROUP_MODELS: return "Privacy models besides k";
    case GROUP_SERIES: return "Series of releases";
    case GROUP_RISK: return "Attackers";
    case GROUP_HIERARCHIES: return "Hierarchies";
    case GROUP_EVALUATE: return "Evaluation";
    case GROUP_GENERATE: return "The table to make";
    case GROUP_READING: return "Reading";
    case GROUP_OUTPUT: return "Output";
    case GROUP_COUNT: break;
    }
    return "";
}
