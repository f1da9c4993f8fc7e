/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - the table of options: one row each, the only place where an option is named.
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
                  "quasi-identifiers: columns that together may identify a person; generalised" },
    [OPT_NUMERIC] = { "numeric", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                      HAS_TYPES, "numeric columns, published as intervals (default: detected)" },
    [OPT_CATEGORICAL] = { "categorical", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL,
                          COMPLETE_NOTHING, HAS_TYPES,
                          "categorical columns, published as hierarchy nodes or sets" },
    [OPT_DATE] = { "date", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                   HAS_TYPES, "date columns (YYYY-MM-DD), published as intervals" },
    [OPT_ORDERED] = { "ordered", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN=ORDER", NULL,
                      COMPLETE_NOTHING, HAS_TYPES,
                      "ordered categories, 'low < middle < high', published as ranges of labels; "
                      "auto: numeric ranges such as [0-10) (default: detected); repeatable" },
    [OPT_JOIN] = { "join", 0, KIND_REPEAT, GROUP_ROLES, "NAME=COLUMN,COLUMN", NULL,
                   COMPLETE_NOTHING, HAS_TYPES,
                   "combine two columns into one, place=latitude,longitude, for --qid place "
                   "--hierarchy place=build:grid:100; the two are dropped" },
    [OPT_FORMAT] = { "format", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN=FORMAT", NULL, COMPLETE_NOTHING,
                     HAS_TYPES,
                     "format of 1234.5 or of a date in a column: '1.234,5', '1234 cm', '$1,234.5', "
                     "DD.MM.YYYY, DD-Mon-YYYY, 'MM/DD/YYYY hh:mm', 'DD.MM.YY from 1930' (default: "
                     "detected)" },
    [OPT_SENSITIVE] = { "sensitive", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL,
                        COMPLETE_NOTHING, RELEASES | CMD_CHECK | CMD_MEASURE | CMD_ATTACK | ASKS,
                        "sensitive columns; published unchanged" },
    [OPT_CLASS] = { "class", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                    RELEASES | CMD_MEASURE | CMD_ATTACK | EVALUATES,
                    "columns that classifiers will predict; published unchanged" },
    [OPT_IDENTIFIER] = { "identifier", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL,
                         COMPLETE_NOTHING, RELEASES | CMD_ATTACK | CMD_FRONTIER,
                         "direct identifiers; dropped" },
    [OPT_ENTITY] = { "entity", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                     RELEASES | CMD_CHECK | CMD_MEASURE | CMD_RISK | CMD_ATTACK,
                     "the column that identifies a person or household with several rows; dropped "
                     "from releases, counted once per group by check" },
    [OPT_PSEUDONYM] = { "pseudonym", 0, KIND_LIST, GROUP_ROLES, "COLUMN", NULL, COMPLETE_NOTHING,
                        CMD_ANONYMIZE,
                        "an identifier to publish as a keyed hash, equal in all releases with the "
                        "same key; identifies persons, as --entity does" },
    [OPT_KEY] = { "key", 0, KIND_ONCE, GROUP_ROLES, "FILE", NULL, COMPLETE_FILE,
                  CMD_ANONYMIZE | CMD_VERIFY,
                  "key for --pseudonym: a file made by 'shoal key', readable only by you" },
    [OPT_OTHER] = { "other", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                    RELEASES | CMD_ATTACK | CMD_FRONTIER, "columns to copy byte for byte" },
    [OPT_DROP] = { "drop", 0, KIND_LIST, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                   RELEASES | CMD_ATTACK | CMD_FRONTIER, "columns to drop" },
    [OPT_REST] = { "rest", 0, KIND_ONCE, GROUP_ROLES, "WHAT", "keep|drop", COMPLETE_NOTHING,
                   RELEASES | CMD_ATTACK | CMD_FRONTIER,
                   "what to do with columns without a role (default: an error)" },
    [OPT_COUNTS] = { "counts", 0, KIND_LIST, GROUP_ROLES, "COLUMN", NULL, COMPLETE_NOTHING,
                     CMD_ANONYMIZE,
                     "the input is a table of counts: distinct tuples, with their number of rows "
                     "in this column; write the result with --mapping" },
    [OPT_QID_SET] = { "qid-set", 0, KIND_REPEAT, GROUP_ROLES, "COLUMN,...", NULL, COMPLETE_NOTHING,
                      CMD_CHECK,
                      "require k for this set of columns instead of all quasi-identifiers "
                      "together; repeatable" },
    [OPT_SUBSETS] = { "subsets", 0, KIND_ONCE, GROUP_ROLES, "M", NULL, COMPLETE_NOTHING, CMD_CHECK,
                      "require k for every combination of at most M quasi-identifiers instead of "
                      "all together" },
    [OPT_AFTER] = { "after", 0, KIND_REPEAT, GROUP_SERIES, "RELEASE", NULL, COMPLETE_FILE,
                    CMD_CHECK | CMD_ANONYMIZE,
                    "an earlier release of the same table: the difference between the two must "
                    "also satisfy k and the models; repeatable" },
    [OPT_SERIES] = { "series", 0, KIND_ONCE, GROUP_SERIES, "FOLDER", NULL, COMPLETE_FOLDER,
                     CMD_ANONYMIZE | CMD_FRONTIER,
                     "make the next release of the series with its private state in this folder "
                     "(created by the first release): the difference between any two releases also "
                     "satisfies k and the models. frontier: the loss of its releases" },
    [OPT_PENDING] = { "pending", 0, KIND_ONCE, GROUP_SERIES, "WHAT", "withhold|star",
                      COMPLETE_NOTHING, CMD_ANONYMIZE,
                      "rows that cannot form a group: hold back (default), or publish as * if "
                      "valid" },
    [OPT_ERASURES] = { "erasures", 0, KIND_ONCE, GROUP_SERIES, "WHAT", "withdraw|refuse",
                       COMPLETE_NOTHING, CMD_ANONYMIZE,
                       "if erased rows would identify others: withdraw as few further rows as "
                       "possible (default), or refuse to publish" },
    [OPT_ANEW] = { "anew", 0, KIND_SWITCH, GROUP_SERIES, NULL, NULL, COMPLETE_NOTHING,
                   CMD_ANONYMIZE,
                   "also report the loss of an independent release, for comparison; recorded for "
                   "'shoal frontier --series'" },
    [OPT_M_INVARIANCE] = { "m-invariance", 0, KIND_ONCE, GROUP_SERIES, "M", NULL, COMPLETE_NOTHING,
                           CMD_ANONYMIZE,
                           "instead of k for differences: each group has at least M rows with "
                           "distinct sensitive values, and the groups of a record have the same "
                           "values in every release; missing values are filled with counterfeit "
                           "rows" },
    [OPT_COUNTERFEITS_OUT] = { "counterfeits-out", 0, KIND_ONCE, GROUP_SERIES, "FILE", NULL,
                               COMPLETE_FILE, CMD_ANONYMIZE,
                               "with --m-invariance: file for the number of counterfeit rows per "
                               "group" },

    /* privacy models other than k: see cli_options_read_models() */
    [OPT_SUPPRESSION_LIMIT] = { "suppression-limit", 0, KIND_ONCE, GROUP_MODELS, "SHARE", NULL,
                                COMPLETE_NOTHING, CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER,
                                "suppress groups that do not satisfy a model if merging loses "
                                "more, up to this share of the rows (default: 0)" },

    /* model and method */
    [OPT_K] = { "k", 'k', KIND_ONCE, GROUP_METHOD, "K", NULL, COMPLETE_NOTHING,
                TAKES_K | CMD_EVALUATE_CLASSIFY, "minimum number of rows per group (required)" },
    [OPT_K_LIST] = { "k", 'k', KIND_LIST, GROUP_METHOD, "K,...", NULL, COMPLETE_NOTHING,
                     CMD_FRONTIER, "values of k to try, in increasing order (required)" },
    [OPT_ALGORITHM] = { "algorithm", 'a', KIND_ONCE, GROUP_METHOD, "NAME", NULL, COMPLETE_ALGORITHM,
                        CMD_ANONYMIZE | CMD_ATTACK | CMD_EVALUATE_CLASSIFY,
                        "the method; see 'shoal algorithms'" },
    [OPT_ALGORITHM_LIST] = { "algorithm", 'a', KIND_LIST, GROUP_METHOD, "NAME,...", NULL,
                             COMPLETE_ALGORITHM, CMD_FRONTIER,
                             "the methods to compare; see 'shoal algorithms'" },
    [OPT_PARAM] = { "param", 0, KIND_REPEAT, GROUP_METHOD, "NAME=VALUE", NULL, COMPLETE_NOTHING,
                    CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY | CMD_MEASURE,
                    "a parameter of the algorithm; repeatable (measure: w_u, w_p, the weights of "
                    "mr_wtd)" },
    [OPT_PRIORITY] = { "priority", 0, KIND_ONCE, GROUP_METHOD, "COLUMN,...", NULL, COMPLETE_NOTHING,
                       WEIGHS,
                       "all quasi-identifiers, most important first (age,zip,sex), or weights of "
                       "some (zip=0.2); used by distance-based methods and weighted measures" },
    [OPT_WEIGHTS] = { "weights", 0, KIND_REPEAT, GROUP_METHOD, "[COLUMN=]WEIGHTS", NULL,
                      COMPLETE_NOTHING, WEIGHS,
                      "weight of a step up in a hierarchy: uniform, height, height:BETA, "
                      "koc-height, koc-height:GAMMA, or W1,W2,... from the leaves upwards; for all "
                      "quasi-identifiers or one; repeatable" },
    [OPT_MAX_LEVEL] = { "max-level", 0, KIND_REPEAT, GROUP_METHOD, "COLUMN=LEVEL", NULL,
                        COMPLETE_NOTHING,
                        CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY,
                        "highest level of the hierarchy at which a quasi-identifier may be "
                        "published: 0 unchanged, 1 one level up; repeatable" },
    [OPT_EFFORT] = { "effort", 0, KIND_ONCE, GROUP_METHOD, "N", NULL, COMPLETE_NOTHING,
                     CMD_ANONYMIZE | CMD_ATTACK, "short for --param effort=N" },
    [OPT_RECODING] = { "recoding", 0, KIND_ONCE, GROUP_METHOD, "MODEL",
                       "local|node|interval|set|full-domain|mean|median|mode|full-subtree|set-"
                       "partition",
                       COMPLETE_NOTHING, CMD_ANONYMIZE | CMD_ATTACK | CMD_FRONTIER,
                       "how groups are published (default: local); mean, median and mode are "
                       "microaggregation" },
    [OPT_SEED] = { "seed", 0, KIND_ONCE, GROUP_METHOD, "N", NULL, COMPLETE_NOTHING,
                   CMD_ANONYMIZE | CMD_ATTACK | GENERATES | EVALUATES,
                   "seed of the random numbers (default: 0); the same seed gives the same bytes" },
    [OPT_TIME_LIMIT] = { "time-limit", 0, KIND_ONCE, GROUP_METHOD, "SECONDS", NULL,
                         COMPLETE_NOTHING,
                         CMD_ANONYMIZE | CMD_FRONTIER | CMD_EVALUATE_CLASSIFY | BOUNDS,
                         "stop the search in time to write and verify the best valid result, exit "
                         "5; bound: time to spend" },
    [OPT_MEMORY_LIMIT] = { "memory-limit", 0, KIND_ONCE, GROUP_METHOD, "SIZE", NULL,
                           COMPLETE_NOTHING, CMD_ANONYMIZE,
                           "do not keep rows in memory if they need more than this (4G, 500M); the "
                           "file is then read again to write and to verify" },
    [OPT_THREADS] = { "threads", 't', KIND_ONCE, GROUP_METHOD, "N", NULL, COMPLETE_NOTHING,
                      READS_TABLE | CMD_INIT | HIERARCHY | GENERATES | EVIDENCE,
                      "number of threads (default: all cores); does not affect the result" },
    [OPT_NO_BOUND] = { "no-bound", 0, KIND_SWITCH, GROUP_METHOD, NULL, NULL, COMPLETE_NOTHING,
                       CMD_ANONYMIZE | CMD_FRONTIER, "skip the lower bound on the loss" },

    /* risk */
    [OPT_POPULATION] = { "population", 0, KIND_ONCE, GROUP_RISK, "FILE", NULL, COMPLETE_FILE,
                         CMD_RISK | MODELS,
                         "table of the population: the same columns, one row per person" },
    [OPT_SAMPLING_FRACTION] = { "sampling-fraction", 0, KIND_ONCE, GROUP_RISK, "F", NULL,
                                COMPLETE_NOTHING, CMD_RISK,
                                "share of the population that is in the table, above 0 and at most "
                                "1; risks in the population are estimated" },
    [OPT_ORIGINAL] = { "original", 0, KIND_ONCE, GROUP_RISK, "FILE", NULL, COMPLETE_FILE,
                       CMD_CHECK | CMD_RISK | EVIDENCE,
                       "the original table, shown next to the release; verify: compare cells with "
                       "it; check: count persons in it" },
    [OPT_THRESHOLD] = { "threshold", 0, KIND_LIST, GROUP_RISK, "RISK,...", NULL, COMPLETE_NOTHING,
                        CMD_RISK,
                        "count the records above these risks (default: 0.33,0.2,0.09,0.05)" },
    [OPT_COUNT_SUPPRESSED] = { "count-suppressed", 0, KIND_SWITCH, GROUP_RISK, NULL, NULL,
                               COMPLETE_NOTHING, CMD_RISK,
                               "count fully suppressed rows as a class (default: excluded from the "
                               "rates)" },

    [OPT_ONLY] = { "only", 0, KIND_LIST, GROUP_RISK, "ATTACK,...", NULL, COMPLETE_NOTHING,
                   CMD_ATTACK, "run only these attacks; 'shoal explain' lists them" },
    [OPT_KNOWN] = { "known", 0, KIND_ONCE, GROUP_RISK, "M", NULL, COMPLETE_NOTHING, CMD_ATTACK,
                    "number of quasi-identifiers known to the attacker (default: 3); knowing all "
                    "of them is tried, too" },
    [OPT_SETS] = { "sets", 0, KIND_ONCE, GROUP_RISK, "N", NULL, COMPLETE_NOTHING, CMD_ATTACK,
                   "number of sets of known quasi-identifiers to try, drawn at random if there are "
                   "more (default: 20)" },
    [OPT_ERRORS] = { "errors", 0, KIND_ONCE, GROUP_RISK, "SHARE", NULL, COMPLETE_NOTHING,
                     CMD_ATTACK,
                     "share of the attacker's values that are wrong, 0 to 0.5 (default: 0.1); "
                     "error-free knowledge is tried, too" },
    [OPT_HELD_OUT] = { "held-out", 0, KIND_ONCE, GROUP_RISK, "FILE", NULL, COMPLETE_FILE,
                       CMD_ATTACK,
                       "persons held out before the release was made: the control of the "
                       "classifier attack" },
    [OPT_RECORD_KEY] = { "record-key", 0, KIND_ONCE, GROUP_SERIES, "COLUMN", NULL, COMPLETE_NOTHING,
                         CMD_ATTACK | CMD_ANONYMIZE,
                         "column that identifies a record across tables; dropped from releases. "
                         "attack: matches rows of original and releases (default: by row order); "
                         "not known to attackers" },
    [OPT_RERUNS] = { "reruns", 0, KIND_ONCE, GROUP_RISK, "N", NULL, COMPLETE_NOTHING, CMD_ATTACK,
                     "run the method on at most N candidates for the original, with the plan and "
                     "the options of anonymize (default: 0)" },
    [OPT_CONTROLS] = { "controls", 0, KIND_SWITCH, GROUP_RISK, NULL, NULL, COMPLETE_NOTHING,
                       CMD_ATTACK,
                       "also run each attack on invented persons: with a planted leak, and on a "
                       "release with a single group" },

    /* hierarchies */
    [OPT_HIERARCHIES] = { "hierarchies", 0, KIND_ONCE, GROUP_HIERARCHIES, "FOLDER", NULL,
                          COMPLETE_FOLDER, HAS_TYPES | EVIDENCE,
                          "folder with one hierarchy file per column (age.csv, "
                          "..._hierarchy_age.csv)" },
    [OPT_HIERARCHY] = { "hierarchy", 0, KIND_REPEAT, GROUP_HIERARCHIES, "COLUMN=FILE", NULL,
                        COMPLETE_FILE, HAS_TYPES,
                        "hierarchy of a column: a file, known:NAME such as known:icd10, or "
                        "build:SPEC such as build:intervals:5,10; repeatable" },
    [OPT_ON_MISSING] = { "on-missing", 0, KIND_ONCE, GROUP_HIERARCHIES, "WHAT",
                         "error|top|own-leaf", COMPLETE_NOTHING, HAS_TYPES,
                         "values missing from the hierarchy: report an error, publish only as *, "
                         "or add below the root" },
    [OPT_DOMAIN] = { "domain", 0, KIND_ONCE, GROUP_HIERARCHIES, "WHAT", "hierarchy|data",
                     COMPLETE_NOTHING, RECODES,
                     "compute losses over all leaves of the hierarchy, or only those in the data" },
    [OPT_SPEC] = { "spec", 's', KIND_ONCE, GROUP_HIERARCHIES, "SPEC", NULL, COMPLETE_NOTHING,
                   CMD_HIERARCHY_BUILD,
                   "builder: intervals:5,10,20 quantiles:8 mask prefix:3,2,1[,min=100] grid:100 "
                   "degrees:100 order:a=x|y;b=z dates:month,year rare:100 "
                   "known:icd10 learn" },
    [OPT_COLUMN] = { "column", 'c', KIND_ONCE, GROUP_HIERARCHIES, "COLUMN", NULL, COMPLETE_NOTHING,
                     HIERARCHY, "column of the hierarchy" },
    [OPT_TABLE] = { "table", 0, KIND_ONCE, GROUP_HIERARCHIES, "INPUT", NULL, COMPLETE_FILE,
                    CMD_HIERARCHY_CHECK,
                    "table whose values the hierarchy must contain; requires --column" },
    [OPT_DEPTH] = { "depth", 0, KIND_ONCE, GROUP_HIERARCHIES, "N", NULL, COMPLETE_NOTHING,
                    CMD_HIERARCHY_SHOW, "levels to print below the root (default: 2)" },

    /* evaluation */
    [OPT_WORKLOAD] = { "workload", 0, KIND_ONCE, GROUP_EVALUATE, "TYPE",
                       "census-range|census-value|type-1|type-2|columns", COMPLETE_NOTHING,
                       CMD_EVALUATE_QUERIES,
                       "how queries are drawn (default: census-range; columns with --columns)" },
    [OPT_WORKLOAD_FILE] = { "workload-file", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL,
                            COMPLETE_FILE, CMD_EVALUATE_QUERIES,
                            "read the queries from a CSV file, one per row: cells written as in a "
                            "release, empty for no condition" },
    [OPT_QUERY_COLUMNS] = { "columns", 0, KIND_LIST, GROUP_EVALUATE, "COLUMN,...", NULL,
                            COMPLETE_NOTHING, CMD_EVALUATE_QUERIES,
                            "columns of each query, for the workloads columns, type-1 and type-2 "
                            "(which expect columns named age, sex, income, race and workclass)" },
    [OPT_DIMENSIONS] = { "dimensions", 0, KIND_ONCE, GROUP_EVALUATE, "D", NULL, COMPLETE_NOTHING,
                         ASKS, "census workloads: quasi-identifiers per query (default: 2)" },
    [OPT_QUERIES] = { "queries", 0, KIND_ONCE, GROUP_EVALUATE, "N", NULL, COMPLETE_NOTHING, ASKS,
                      "number of queries (default: 10000); frontier: 0 for none" },
    [OPT_QUERIES_OUT] = { "queries-out", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL, COMPLETE_FILE,
                          CMD_EVALUATE_QUERIES,
                          "write every query as CSV; contains values and exact counts of the "
                          "original" },
    [OPT_SENSITIVE_TABLE] = { "sensitive-table", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL,
                              COMPLETE_FILE, CMD_EVALUATE_QUERIES | EVIDENCE,
                              "second table of an anatomy release: group, sensitive value, count" },
    [OPT_VARY] = { "vary", 0, KIND_ONCE, GROUP_EVALUATE, "NAME=V,...", NULL, COMPLETE_NOTHING,
                   CMD_FRONTIER,
                   "vary a privacy model or a parameter of the methods instead of k, such as l, t, "
                   "P or w_u; one curve per k" },
    [OPT_FEATURES] = { "features", 0, KIND_LIST, GROUP_EVALUATE, "COLUMN,...", NULL,
                       COMPLETE_NOTHING, CMD_EVALUATE_CLASSIFY,
                       "columns to train on besides the quasi-identifiers; published unchanged" },
    [OPT_FOLDS] = { "folds", 0, KIND_ONCE, GROUP_EVALUATE, "N", NULL, COMPLETE_NOTHING,
                    CMD_EVALUATE_CLASSIFY, "number of cross-validation folds (default: 10)" },
    [OPT_FOLDS_OUT] = { "folds-out", 0, KIND_ONCE, GROUP_EVALUATE, "FILE", NULL, COMPLETE_FILE,
                        CMD_EVALUATE_CLASSIFY,
                        "write training and test rows of every fold as CSV, for other classifiers; "
                        "contains values of the original" },
    [OPT_TOP_CLASSES] = { "top-classes", 0, KIND_ONCE, GROUP_EVALUATE, "N", NULL, COMPLETE_NOTHING,
                          CMD_EVALUATE_CLASSIFY,
                          "keep the N most frequent labels and combine the others (default: all, "
                          "at most 100)" },
    [OPT_NUMBERS] = { "numbers", 0, KIND_ONCE, GROUP_EVALUATE, "HOW", "midpoint|category",
                      COMPLETE_NOTHING, CMD_EVALUATE_CLASSIFY,
                      "how classifiers read a numeric interval (default: midpoint)" },
    [OPT_CSV_OUT] = { "csv-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                      CMD_FRONTIER | CMD_MEASURE,
                      "frontier: write one CSV line per release; measure: the sorted range "
                      "diversity of every row" },
    [OPT_SVG_OUT] = { "svg-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE, DRAWS,
                      "write a plot as SVG. frontier: curves; measure: loss per column, group "
                      "sizes, range diversity; risk: group sizes, rows above thresholds; evaluate: "
                      "query errors and columns, or classifiers; attack: success and control" },

    /* generated tables */
    [OPT_ROWS] = { "rows", 'n', KIND_ONCE, GROUP_GENERATE, "N", NULL, COMPLETE_NOTHING, GENERATES,
                   "number of rows" },
    [OPT_COLUMNS] = { "columns", 0, KIND_ONCE, GROUP_GENERATE, "D", NULL, COMPLETE_NOTHING,
                      CMD_GENERATE_NORMAL, "number of columns (default: 4)" },
    [OPT_SIGMA] = { "sigma", 0, KIND_ONCE, GROUP_GENERATE, "X", NULL, COMPLETE_NOTHING,
                    CMD_GENERATE_NORMAL, "standard deviation (default: 2)" },
    [OPT_HIERARCHIES_OUT] = { "hierarchies-out", 0, KIND_ONCE, GROUP_GENERATE, "FOLDER", NULL,
                              COMPLETE_FOLDER, CMD_GENERATE_CENSUS,
                              "also write the hierarchies of the table into this folder" },

    /* reading */
    [OPT_PLAN] = { "plan", 'p', KIND_ONCE, GROUP_READING, "FILE", NULL, COMPLETE_FILE, READS_TABLE,
                   "plan file (YAML) with settings; options on the command line take precedence" },
    [OPT_DELIMITER] = { "delimiter", 'd', KIND_ONCE, GROUP_READING, "CHAR", NULL, COMPLETE_NOTHING,
                        READS_TABLE | CMD_INIT | HIERARCHY,
                        "field separator: a character or tab (default: detected)" },
    [OPT_ENCODING] = { "encoding", 0, KIND_ONCE, GROUP_READING, "NAME", NULL, COMPLETE_NOTHING,
                       READS_TABLE | CMD_INIT | HIERARCHY,
                       "encoding of the table: utf-8|utf-16|windows-1252|latin-1|latin-9 (default: "
                       "detected)" },
    [OPT_OUTPUT_ENCODING] = { "output-encoding", 0, KIND_ONCE, GROUP_OUTPUT, "NAME", NULL,
                              COMPLETE_NOTHING, CMD_ANONYMIZE | CMD_APPLY,
                              "encoding of the release (default: that of the table)" },
    [OPT_NO_HEADER] = { "no-header", 0, KIND_SWITCH, GROUP_READING, NULL, NULL, COMPLETE_NOTHING,
                        READS_TABLE | CMD_INIT | HIERARCHY,
                        "the first line is data; columns are named 1, 2, 3, ..." },
    [OPT_SKIP_ROWS] = { "skip-rows", 0, KIND_ONCE, GROUP_READING, "WHICH", "detected|none",
                        COMPLETE_NOTHING, HAS_TYPES,
                        "totals, empty rows and notes of a spreadsheet: leave them out, or read "
                        "them as records (default: an error)" },
    [OPT_NULL] = { "null", 0, KIND_REPEAT, GROUP_READING, "STRING", NULL, COMPLETE_NOTHING,
                   READS_TABLE | CMD_INIT | HIERARCHY,
                   "a string that means missing; repeatable (default: the empty string)" },
    [OPT_MISSING] = { "missing", 0, KIND_ONCE, GROUP_READING, "MODE",
                      "own-category|wildcard|conservative", COMPLETE_NOTHING, READS_TABLE,
                      "how missing values are treated" },

    /* output */
    [OPT_OUTPUT] = { "output", 'o', KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE, WRITES,
                     "output file, compressed if it ends in .gz or .zst; - for standard output" },
    [OPT_SENSITIVE_OUT] = { "sensitive-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL,
                            COMPLETE_FILE, CMD_ANONYMIZE,
                            "anatomy: file for the second table (group, sensitive value, count)" },
    [OPT_MAPPING] = { "mapping", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                      CMD_ANONYMIZE,
                      "with --counts, instead of --output: the published form of each tuple, to "
                      "join with the original rows" },
    [OPT_FORCE] = { "force", 'f', KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING, REPLACES,
                    "replace existing files; series forget: confirm" },
    [OPT_DROP_SUPPRESSED] = { "drop-suppressed", 0, KIND_SWITCH, GROUP_OUTPUT, NULL, NULL,
                              COMPLETE_NOTHING, RELEASES | CMD_ATTACK,
                              "remove suppressed rows instead of publishing *" },
    [OPT_SUPPRESSED] = { "suppressed", 0, KIND_ONCE, GROUP_METHOD, "READING", "group|exempt",
                         COMPLETE_NOTHING,
                         RELEASES | CMD_CHECK | CMD_MEASURE | CMD_ATTACK | CMD_FRONTIER,
                         "fully suppressed rows: group (default; at least k of them, too), or "
                         "exempt (as in most papers: no k required, counted separately)" },
    [OPT_ROW_ORDER] = { "row-order", 0, KIND_ONCE, GROUP_OUTPUT, "ORDER", "keep|shuffle",
                        COMPLETE_NOTHING, RELEASES,
                        "keep the order of the input (default), or shuffle the rows at random: the "
                        "order of a sorted input may reveal generalised values" },
    [OPT_REPORT] = { "report", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE, RELEASES,
                     "write the report as JSON to this file" },
    [OPT_MANIFEST] = { "manifest", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                       RELEASES,
                       "write a manifest for shoal verify: digests, plan, checks and measures; "
                       "contains counts and values of the original" },
    [OPT_REPORT_HTML] = { "report-html", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                          RELEASES,
                          "write a report as one HTML file: context, roles, risk, models, columns, "
                          "utility, attacks, limits" },
    [OPT_EDITION] = { "edition", 0, KIND_ONCE, GROUP_OUTPUT, "WHOM", "internal|external",
                      COMPLETE_NOTHING, RELEASES | CMD_REPORT,
                      "edition of the HTML report: internal (default), or external, which omits "
                      "the seed, the digest of the input, and all values and counts that are not "
                      "in the release" },
    [OPT_RELEASE] = { "release", 0, KIND_ONCE, GROUP_READING, "FILE", NULL, COMPLETE_FILE, EVIDENCE,
                      "the release, if it is not in the folder of its manifest" },
    [OPT_RERUN] = { "rerun", 0, KIND_SWITCH, GROUP_METHOD, NULL, NULL, COMPLETE_NOTHING, CMD_VERIFY,
                    "reproduce the release from the original and compare the bytes" },
    [OPT_LEVELS] = { "levels", 0, KIND_ONCE, GROUP_METHOD, "FILE", NULL, COMPLETE_FILE, CMD_APPLY,
                     "levels as JSON, written by anonymize --levels-out, or its JSON report" },
    [OPT_LEVELS_OUT] = { "levels-out", 0, KIND_ONCE, GROUP_OUTPUT, "FILE", NULL, COMPLETE_FILE,
                         CMD_ANONYMIZE,
                         "write the levels of a full-domain method as JSON, for shoal apply" },
    [OPT_JSON] = { "json", 0, KIND_SWITCH, GROUP_OUTPUT, NULL, NULL, COMPLETE_NOTHING,
                   READS_TABLE | CMD_INIT | CMD_HIERARCHY_CHECK | CMD_HIERARCHY_KNOWN |
                       CMD_ALGORITHMS | CMD_EXPLAIN | CMD_VERIFY | CMD_SERIES_SHOW |
                       CMD_SERIES_CHECK,
                   "print the result as JSON on standard output" },
    [OPT_ALLOW_UNREAD] = { "allow-unread", 0, KIND_SWITCH, GROUP_HIERARCHIES, NULL, NULL,
                           COMPLETE_NOTHING,
                           CMD_MEASURE | CMD_EVALUATE_QUERIES | CMD_EVALUATE_CLASSIFY,
                           "count published cells that cannot be interpreted as * (default: an "
                           "error)" },
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
                              "ranges of values of a sensitive column that reveal the same: value, "
                              "width:W, level:J or map:10..15|16..17" },
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
    case GROUP_GENERATE: return "Generated table";
    case GROUP_READING: return "Reading";
    case GROUP_OUTPUT: return "Output";
    case GROUP_COUNT: break;
    }
    return "";
}
