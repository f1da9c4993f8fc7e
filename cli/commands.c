/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c - the table of commands: names, examples and the function that runs each. */
#include "cli.h"

const cli_command cli_commands[] = {
    { CMD_ANONYMIZE, "anonymize", "INPUT -o OUT --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "publish a table so that every quasi-identifier tuple occurs at least k times",
      "Generalise four columns, leave names out, keep the rest:\n"
      "    shoal anonymize people.csv -o release.csv --qid zip,age,sex,race --identifier name "
      "--rest keep -k 10\n"
      "With a folder of hierarchy files, and age as a number:\n"
      "    shoal anonymize people.csv -o release.csv --qid zip,age --numeric age --hierarchies "
      "trees/ --rest drop -k 5\n"
      "Everything from a plan, the report as JSON:\n"
      "    shoal anonymize people.csv.zst -o release.csv.zst --plan plan.yaml --json\n"
      "Besides k, at least three diagnoses in every group and incomes spread as in the whole "
      "table:\n"
      "    shoal anonymize people.csv -o release.csv --qid zip,age --sensitive disease,income "
      "--rest drop -k 10 "
      "--l-diversity disease=distinct:3 --t-closeness income=0.2\n"
      "Tuples that a database has counted; what each becomes, to join with its rows:\n"
      "    shoal anonymize counts.csv --counts n --mapping mapping.csv --qid zip,age -k 10\n"
      "The next release of a table that changes, so that no two releases together tell more than "
      "each:\n"
      "    shoal anonymize may.csv -o r2.csv --series state/ --record-key id --qid zip,age "
      "--sensitive disease --rest drop -k 10\n"
      "In a pipe:\n"
      "    zcat people.csv.gz | shoal anonymize - -o - --qid zip,age --rest keep -k 10 | gzip > "
      "release.csv.gz\n",
      "The release is checked from its own published values before it is put in place: every tuple "
      "occurs at least k "
      "times, the rows are all there, every cell covers its original, every privacy model holds. A "
      "release that fails is not written.",
      cli_anonymize },
    { CMD_APPLY, "apply", "INPUT --levels FILE -o OUT [-k K] [OPTION...]", 1, 1,
      "publish another table on the levels that a release has",
      "Learn the levels on one table, bring another to the same domain:\n"
      "    shoal anonymize train.csv -o release.csv --qid zip,age --class income --hierarchies "
      "trees/ --rest keep -k 10 \\\n"
      "        --algorithm iack --levels-out levels.json\n"
      "    shoal apply test.csv --levels levels.json -o test-release.csv --hierarchies trees/ "
      "--rest keep\n"
      "Suppress what is then in groups of fewer than 5 rows:\n"
      "    shoal apply test.csv --levels levels.json -o test-release.csv --hierarchies trees/ "
      "--rest keep -k 5\n",
      "Without -k every row is kept and no k is promised: the report says which k happens to hold. "
      "The quasi-identifiers are those that "
      "have a level; --qid need not name them.",
      cli_apply },
    { CMD_CHECK, "check", "RELEASE --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "does every quasi-identifier tuple of a table occur at least k times, and do its groups "
      "satisfy privacy models?",
      "Check a release, whoever made it:\n"
      "    shoal check release.csv --qid zip,age,sex -k 10\n"
      "In a script (exit 0: yes, 3: no):\n"
      "    shoal check release.csv --qid zip,age,sex -k 10 --json\n"
      "Persons instead of rows, where one person has several:\n"
      "    shoal check visits.csv --qid zip,age,sex --entity patient -k 10\n"
      "Only what somebody can know: two sets of columns, or every pair:\n"
      "    shoal check release.csv --qid-set zip,age --qid-set zip,job -k 5\n"
      "    shoal check release.csv --qid zip,age,sex,job,race --subsets 2 -k 5\n"
      "Privacy models besides k:\n"
      "    shoal check release.csv --qid zip,age,sex -k 10 --sensitive disease --l-diversity "
      "distinct:3 --t-closeness 0.2\n"
      "The third release of a table that changes, beside the two before it:\n"
      "    shoal check r3.csv --after r1.csv --after r2.csv --qid zip,age,sex -k 10 --sensitive "
      "disease\n",
      "Values are compared as published text; nothing is known or assumed about how they were "
      "made. Rows of * alone are a group like any "
      "other, unless --suppressed exempt is said; models that compare groups with the whole table "
      "take the table as it is published.",
      cli_check },
    { CMD_VERIFY, "verify", "MANIFEST [--original FILE] [--release FILE] [--rerun] [OPTION...]", 1,
      1, "is a release the one that its manifest tells of, and does it keep what it promised?",
      "The release beside its manifest: digests, k and models (exit 0: all that was checked holds, "
      "3: something does not):\n"
      "    shoal verify release.manifest.json\n"
      "Each cell beside its original, for programs:\n"
      "    shoal verify release.manifest.json --original people.csv --json\n"
      "Make it again and compare the bytes:\n"
      "    shoal verify release.manifest.json --original people.csv --rerun\n",
      "Everything is counted in the text of the files. What cannot be checked, because the "
      "original or a hierarchy is not at hand, is listed as not checked.",
      cli_verify },
    { CMD_REPORT, "report",
      "MANIFEST -o REPORT.html [--edition internal|external] [--original FILE] [OPTION...]", 1, 1,
      "write the document that goes with a release",
      "For the file of the steward, everything checked again beside the original:\n"
      "    shoal report release.manifest.json --original people.csv -o report.html\n"
      "For those who get the release:\n"
      "    shoal report release.manifest.json --edition external -o report-external.html\n",
      "One HTML file without scripts and addresses; its print style gives a clean PDF. With "
      "--original or --release the files are checked again, as 'shoal verify' does, "
      "and the report says what was found (exit 3 where something does not hold).",
      cli_report },
    { CMD_KEY, "key", "FILE", 1, 1, "make the key of pseudonyms",
      "Once for a study; keep it apart from the releases:\n"
      "    shoal key study.key\n"
      "    shoal anonymize visits.csv -o release.csv --pseudonym patient --key study.key --qid "
      "age,zip --rest drop -k 10\n",
      "256 bits from the system's entropy, in a file that only you can read. An existing file is "
      "never replaced.",
      cli_key },
    { CMD_SERIES_SHOW, "series show", "FOLDER [--json]", 1, 1,
      "the releases of a series, and what they cost",
      "What was published so far:\n"
      "    shoal series show state/\n",
      NULL, cli_series_show },
    { CMD_SERIES_CHECK, "series check", "FOLDER [RELEASE...] [--json]", 1, 1000,
      "does every release of a series, and every difference between two of them, hold what was "
      "promised?",
      "The state alone; and with the files that were published:\n"
      "    shoal series check state/\n"
      "    shoal series check state/ r1.csv r2.csv r3.csv\n",
      "Files are known by their digests, and their rows must be those that the state tells (exit "
      "0: everything holds, 3: something does not).",
      cli_series_check },
    { CMD_SERIES_FORGET, "series forget", "FOLDER --force", 1, 1,
      "destroy the state of a series, its key first",
      "When a series is over:\n"
      "    shoal series forget state/ --force\n",
      "Afterwards nobody can tell which record was published as what, and nothing can be released "
      "into the series any more.",
      cli_series_forget },
    { CMD_MEASURE, "measure", "ORIGINAL RELEASE --qid COLUMN,... [OPTION...]", 2, 2,
      "how much a release loses against its original",
      "Every measure of a release:\n"
      "    shoal measure people.csv release.csv --qid zip,age,sex --hierarchies trees/ -k 10\n"
      "What it protects, beside its original:\n"
      "    shoal measure people.csv release.csv --qid zip,age,sex --sensitive disease\n"
      "A picture of it, and the range diversity of every row, sorted, as CSV:\n"
      "    shoal measure people.csv release.csv --qid zip,age,sex --sensitive income --svg-out "
      "loss.svg --csv-out rd.csv\n",
      "Without -k the size of the release's smallest group is used where a measure needs k.",
      cli_measure },
    { CMD_RISK, "risk", "TABLE --qid COLUMN,... [OPTION...]", 1, 1,
      "how likely it is that somebody in a table is recognised",
      "A table as it is, raw or released by any tool:\n"
      "    shoal risk people.csv --qid zip,age,sex\n"
      "Before and after:\n"
      "    shoal risk release.csv --original people.csv --qid zip,age,sex --svg-out risk.svg\n"
      "Against a population, whose values the release's intervals and labels cover:\n"
      "    shoal risk release.csv --population register.csv --qid zip,age,sex --hierarchies "
      "trees/\n"
      "When the table is a tenth of the population:\n"
      "    shoal risk survey.csv --sampling-fraction 0.1 --qid zip,age,sex\n",
      "Three attackers: the prosecutor knows that a person is in the table, the journalist only "
      "that they are in the population, the "
      "marketer tries to match everybody. Rows in classes below -k (2 if not said) are what "
      "columns are blamed for. Names of columns and "
      "counts are printed, never a value.",
      cli_risk },
    { CMD_ATTACK, "attack", "ORIGINAL RELEASE... --qid COLUMN,... [-k K] [OPTION...]", 0, 1000,
      "what somebody could really do with a release: attacks, carried out and counted",
      "Every attack that needs nothing else:\n"
      "    shoal attack people.csv release.csv --qid zip,age,sex --sensitive disease --identifier "
      "name -k 10\n"
      "By the plan that made the release; the method may be run again 200 times:\n"
      "    shoal attack people.csv release.csv --plan plan.yaml --reruns 200 --json\n"
      "Two releases of the same persons, matched by a number, and a picture:\n"
      "    shoal attack people.csv spring.csv autumn.csv --plan plan.yaml --record-key id "
      "--svg-out attacks.svg\n"
      "Against persons who were left out before the release was made:\n"
      "    shoal attack people.csv release.csv --plan plan.yaml --held-out others.csv --only "
      "classifier\n"
      "Do the attacks find what is planted for them?\n"
      "    shoal attack --controls\n",
      "Attackers see published text and what each attack assumes them to know (docs/risk.md); "
      "the original is used to count their success. Each rate "
      "stands beside a control, the rate of somebody who does without what the attack uses, and "
      "has a Wilson interval of 95 %. Attacks that "
      "were not tried are named with the reason. Numbers of rows and names of columns are printed, "
      "never a value.",
      cli_attack },
    { CMD_BOUND, "bound", "INPUT --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "lower bound on the loss of any release with groups of at least k rows",
      "How well could any method do?\n"
      "    shoal bound people.csv --qid zip,age,sex --hierarchies trees/ -k 10\n"
      "With a minute to raise it:\n"
      "    shoal bound people.csv --qid zip,age,sex --hierarchies trees/ -k 10 --time-limit 60\n",
      "Without --time-limit the work depends on the table alone: the same table has the same "
      "bound. An interrupt prints the best one so far (exit 5).",
      cli_bound },
    { CMD_EXPLAIN_LOSS, "explain-loss", "INPUT --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "which rows and columns carry the loss that no release avoids",
      "What would leaving a column out, a smaller k or suppressing the dearest rows change?\n"
      "    shoal explain-loss people.csv --qid zip,age,sex --hierarchies trees/ -k 10\n",
      "All numbers are lower bounds: what a release still loses at least. Names of columns and "
      "counts of rows are printed, never a value.",
      cli_explain_loss },
    { CMD_FRONTIER, "frontier",
      "INPUT --qid COLUMN,... --k K,... [--algorithm NAME,...] [OPTION...] | --series FOLDER", 0, 1,
      "what a greater k, or another promise, costs: loss, protection, risk and query error, by one "
      "method or several",
      "The default method for six k, as a table and a plot in characters:\n"
      "    shoal frontier people.csv --qid age,sex,zip --hierarchies trees/ --k 2,5,10,25,50,100\n"
      "Three methods side by side, as a picture and as CSV:\n"
      "    shoal frontier people.csv --qid age,sex,zip --k 2,5,10,25 --algorithm "
      "shoal,mondrian,kmembers \\\n"
      "          --svg-out frontier.svg --csv-out frontier.csv\n"
      "A model instead of k; utility weighed against protection:\n"
      "    shoal frontier people.csv --qid age,sex,zip --sensitive disease --k 5 --vary l=2,3,4,5\n"
      "    shoal frontier people.csv --qid age,sex,zip --sensitive disease --k 5 --algorithm "
      "shoal,toc --vary w_u=0,0.25,0.5,0.75,1\n"
      "What the releases of a series lost by grouping, waiting and withdrawing:\n"
      "    shoal frontier --series state/ --svg-out series.svg\n",
      "Every release is made, verified and measured in memory; none is written. The knee of a "
      "method is the release furthest below "
      "the straight line from its first to its last one, on the plane of greatest risk and loss "
      "(with --vary: of the parameter and "
      "loss), both axes scaled to 0..1.",
      cli_frontier },
    { CMD_EVALUATE_QUERIES, "evaluate queries", "ORIGINAL RELEASE --qid COLUMN,... [OPTION...]", 2,
      2, "how well COUNT queries are answered from a release",
      "Ten thousand queries on a quasi-identifier and ten values of a sensitive column:\n"
      "    shoal evaluate queries people.csv release.csv --qid age,sex,zip --sensitive disease "
      "--hierarchies trees/\n"
      "Queries on three columns at a time, every one of them in a file:\n"
      "    shoal evaluate queries people.csv release.csv --qid age,sex,zip --columns age,sex,zip "
      "--queries-out queries.csv\n"
      "The same queries on another release:\n"
      "    shoal evaluate queries people.csv other.csv --qid age,sex,zip --workload-file "
      "queries.csv --json\n",
      "An estimate is the sum over published rows of the share of the row's box that the query "
      "covers, all values of a box "
      "being equally likely. The relative error is |actual - estimate| / actual; queries that no "
      "row answers are drawn again.",
      cli_evaluate_queries },
    { CMD_EVALUATE_CLASSIFY, "evaluate classify",
      "ORIGINAL [RELEASE | --algorithm NAME -k K] --qid COLUMN,... --class COLUMN [OPTION...]", 1,
      2, "how well classifiers learn from a release",
      "Three classifiers, ten folds, the original beside the release:\n"
      "    shoal evaluate classify people.csv release.csv --qid age,sex,zip --numeric age "
      "--hierarchies trees/ --class income\n"
      "Nothing of the test rows in the release: each training part is anonymised on its own:\n"
      "    shoal evaluate classify people.csv --algorithm mondrian -k 10 --qid age,sex,zip "
      "--numeric age --class income --json\n",
      "Classifiers (naive Bayes, a decision tree after C4.5, logistic regression) learn from "
      "published rows and are tried on held-out "
      "rows of the original, recoded as the training rows are. * is a missing value.",
      cli_evaluate_classify },
    { CMD_INIT, "init", "INPUT [-o PLAN.yaml]", 1, 1,
      "profile a table and write a commented plan to edit",
      "Propose roles, then edit the plan, set k and run it:\n"
      "    shoal init people.csv -o plan.yaml\n"
      "    shoal anonymize people.csv -o release.csv --plan plan.yaml\n"
      "What the columns look like, for programs (no plan is written without -o):\n"
      "    shoal init people.csv --json\n",
      "Every role in the plan is a guess to confirm, and k is left for you to set.", cli_init },
    { CMD_HIERARCHY_BUILD, "hierarchy build", "INPUT --column COLUMN --spec SPEC [-o FILE]", 1, 1,
      "build a hierarchy over the values of a column",
      "Ages in ranges of 5, 10 and 20 years:\n"
      "    shoal hierarchy build people.csv --column age --spec intervals:5,10,20 -o "
      "trees/age.csv\n"
      "Postcodes by their first digits:\n"
      "    shoal hierarchy build people.csv --column zip --spec prefix:3,2,1 -o trees/zip.csv\n",
      NULL, cli_hierarchy_build },
    { CMD_HIERARCHY_CHECK, "hierarchy check", "FILE|known:NAME [--table INPUT --column COLUMN]", 1,
      1, "is a hierarchy file whole, and does it hold every value of a column?",
      "Alone, and against a table:\n"
      "    shoal hierarchy check trees/age.csv\n"
      "    shoal hierarchy check trees/age.csv --table people.csv --column age\n",
      NULL, cli_hierarchy_check },
    { CMD_HIERARCHY_SHOW, "hierarchy show", "FILE|known:NAME [--depth N]", 1, 1,
      "print a hierarchy as a tree",
      "The upper levels:\n"
      "    shoal hierarchy show trees/age.csv --depth 2\n",
      NULL, cli_hierarchy_show },
    { CMD_HIERARCHY_KNOWN, "hierarchy known", "[--json]", 0, 0,
      "list the classifications that come with shoal",
      "Which there are, what is in one, a column in it:\n"
      "    shoal hierarchy known\n"
      "    shoal hierarchy show known:icd10 --depth 2\n"
      "    shoal hierarchy check known:icd10 --table people.csv --column diagnosis\n"
      "    shoal anonymize people.csv -o release.csv --qid age,diagnosis --hierarchy "
      "diagnosis=known:icd10 --rest drop -k 5\n",
      NULL, cli_hierarchy_known },
    { CMD_GENERATE_CENSUS, "generate census",
      "--rows N [--seed S] [-o FILE] [--hierarchies-out FOLDER]", 0, 0,
      "make a census-like table of invented persons",
      "A hundred thousand invented persons and the hierarchies that fit them:\n"
      "    shoal generate census --rows 100000 --seed 1 -o people.csv --hierarchies-out trees/\n",
      NULL, cli_generate_census },
    { CMD_GENERATE_NORMAL, "generate normal",
      "--rows N [--seed S] [--columns D] [--sigma X] [-o FILE]", 0, 0,
      "make a table of integers 0..19 drawn from a normal distribution",
      "Ten thousand rows of four columns:\n"
      "    shoal generate normal --rows 10000 --columns 4 --sigma 2 --seed 1 -o normal.csv\n",
      NULL, cli_generate_normal },
    { CMD_ALGORITHMS, "algorithms", "[--json]", 0, 0, "list the methods and their parameters",
      "For people, and for programs:\n"
      "    shoal algorithms\n"
      "    shoal algorithms --json\n",
      NULL, cli_algorithms },
    { CMD_EXPLAIN, "explain", "[TERM...] [--json]", 0, 30,
      "what a model, measure, method or word of the reports means",
      "One term, several, all of them:\n"
      "    shoal explain gcp\n"
      "    shoal explain l-diversity t-closeness wgp\n"
      "    shoal explain\n",
      NULL, cli_explain },
    { CMD_COMPLETIONS, "completions", "bash|zsh", 1, 1, "print the completion script of a shell",
      "For this shell, now:\n"
      "    source <(shoal completions bash)\n",
      NULL, cli_completions },
    { CMD_MAN, "man", "", 0, 0, "print the manual page",
      "Read it:\n"
      "    shoal man | man -l -\n",
      NULL, cli_manual },
};

_Static_assert(sizeof cli_commands / sizeof *cli_commands == NUMBER_COUNT,
               "a row for each command");
const size_t cli_n_commands = sizeof cli_commands / sizeof *cli_commands;
