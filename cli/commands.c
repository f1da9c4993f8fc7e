/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c - the table of commands: names, examples and the function that runs each. */
#include "cli.h"

const cli_command cli_commands[] = {
    { CMD_ANONYMIZE, "anonymize", "INPUT -o OUT --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "anonymise a table: every combination of quasi-identifier values occurs at least k times",
      "Generalise four columns, drop names, keep the rest:\n"
      "    shoal anonymize people.csv -o release.csv --qid zip,age,sex,race --identifier name "
      "--rest keep -k 10\n"
      "With a folder of hierarchy files, and age as a numeric column:\n"
      "    shoal anonymize people.csv -o release.csv --qid zip,age --numeric age --hierarchies "
      "trees/ --rest drop -k 5\n"
      "All settings from a plan, the report as JSON:\n"
      "    shoal anonymize people.csv.zst -o release.csv.zst --plan plan.yaml --json\n"
      "Besides k, at least three diseases in every group, and incomes distributed as in the whole "
      "table:\n"
      "    shoal anonymize people.csv -o release.csv --qid zip,age --sensitive disease,income "
      "--rest drop -k 10 --l-diversity disease=distinct:3 --t-closeness income=0.2\n"
      "Distinct tuples counted by a database; the mapping can be joined with its rows:\n"
      "    shoal anonymize counts.csv --counts n --mapping mapping.csv --qid zip,age -k 10\n"
      "The next release of a table that changes, protected against comparison with earlier "
      "releases:\n"
      "    shoal anonymize may.csv -o r2.csv --series state/ --record-key id --qid zip,age "
      "--sensitive disease --rest drop -k 10\n"
      "In a pipe:\n"
      "    zcat people.csv.gz | shoal anonymize - -o - --qid zip,age --rest keep -k 10 | gzip > "
      "release.csv.gz\n",
      "The release is verified from its published values before it is put in place: every group "
      "has at least k rows, no row is missing, every published value covers the original one, "
      "every privacy model holds. A release that fails verification is not written.",
      cli_anonymize },
    { CMD_APPLY, "apply", "INPUT --levels FILE -o OUT [-k K] [OPTION...]", 1, 1,
      "generalise another table to the levels of an earlier release",
      "Choose the levels on one table, apply them to another:\n"
      "    shoal anonymize train.csv -o release.csv --qid zip,age --class income --hierarchies "
      "trees/ --rest keep -k 10 \\\n"
      "        --algorithm iack --levels-out levels.json\n"
      "    shoal apply test.csv --levels levels.json -o test-release.csv --hierarchies trees/ "
      "--rest keep\n"
      "Suppress rows in groups of fewer than 5 rows:\n"
      "    shoal apply test.csv --levels levels.json -o test-release.csv --hierarchies trees/ "
      "--rest keep -k 5\n",
      "Without -k every row is kept and no k is guaranteed; the report gives the k that was "
      "reached. The quasi-identifiers are the columns that have a level; --qid is not needed.",
      cli_apply },
    { CMD_CHECK, "check", "RELEASE --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "check a table for k-anonymity and other privacy models",
      "Check a release, made by any tool:\n"
      "    shoal check release.csv --qid zip,age,sex -k 10\n"
      "In a script (exit 0: yes, 3: no):\n"
      "    shoal check release.csv --qid zip,age,sex -k 10 --json\n"
      "Persons instead of rows, where one person has several:\n"
      "    shoal check visits.csv --qid zip,age,sex --entity patient -k 10\n"
      "Only combinations that an attacker can know: two sets of columns, or every pair:\n"
      "    shoal check release.csv --qid-set zip,age --qid-set zip,job -k 5\n"
      "    shoal check release.csv --qid zip,age,sex,job,race --subsets 2 -k 5\n"
      "Privacy models besides k:\n"
      "    shoal check release.csv --qid zip,age,sex -k 10 --sensitive disease --l-diversity "
      "distinct:3 --t-closeness 0.2\n"
      "The third release of a table that changes, compared with the two earlier ones:\n"
      "    shoal check r3.csv --after r1.csv --after r2.csv --qid zip,age,sex -k 10 --sensitive "
      "disease\n",
      "Values are compared as published text; no assumption is made about how they were produced. "
      "Fully suppressed rows form a group like any other, unless --suppressed exempt is given. "
      "Models that compare groups with the whole table use the table as published.",
      cli_check },
    { CMD_VERIFY, "verify", "MANIFEST [--original FILE] [--release FILE] [--rerun] [OPTION...]", 1,
      1, "verify a release against its manifest",
      "Digests, k and models (exit 0: all checks passed, 3: a check failed):\n"
      "    shoal verify release.manifest.json\n"
      "Also compare each cell with the original; JSON for programs:\n"
      "    shoal verify release.manifest.json --original people.csv --json\n"
      "Reproduce the release and compare the bytes:\n"
      "    shoal verify release.manifest.json --original people.csv --rerun\n",
      "All counts come from the text of the files. Checks that need a missing original or "
      "hierarchy are listed as not checked.",
      cli_verify },
    { CMD_REPORT, "report",
      "MANIFEST -o REPORT.html [--edition internal|external] [--original FILE] [OPTION...]", 1, 1,
      "write the report of a release as one HTML file",
      "For the data steward, with all checks repeated against the original:\n"
      "    shoal report release.manifest.json --original people.csv -o report.html\n"
      "For recipients of the release:\n"
      "    shoal report release.manifest.json --edition external -o report-external.html\n",
      "One HTML file without scripts or external links; it prints cleanly to PDF. With --original "
      "or --release the files are checked again, as by 'shoal verify', and the report contains the "
      "results (exit 3 if a check fails).",
      cli_report },
    { CMD_KEY, "key", "FILE", 1, 1, "create a key for pseudonyms",
      "Once per study; store it separately from the releases:\n"
      "    shoal key study.key\n"
      "    shoal anonymize visits.csv -o release.csv --pseudonym patient --key study.key --qid "
      "age,zip --rest drop -k 10\n",
      "256 random bits from the operating system, in a file that only you can read. An existing "
      "file is never replaced.",
      cli_key },
    { CMD_SERIES_SHOW, "series show", "FOLDER [--json]", 1, 1,
      "list the releases of a series and their loss",
      "What was published so far:\n"
      "    shoal series show state/\n",
      NULL, cli_series_show },
    { CMD_SERIES_CHECK, "series check", "FOLDER [RELEASE...] [--json]", 1, 1000,
      "check every release of a series, and every difference between two of them",
      "The state alone; and with the files that were published:\n"
      "    shoal series check state/\n"
      "    shoal series check state/ r1.csv r2.csv r3.csv\n",
      "Files are identified by their digests, and their rows must match the recorded state (exit "
      "0: all checks passed, 3: a check failed).",
      cli_series_check },
    { CMD_SERIES_FORGET, "series forget", "FOLDER --force", 1, 1,
      "destroy the state of a series, its key first",
      "When a series has ended:\n"
      "    shoal series forget state/ --force\n",
      "Afterwards records cannot be linked to what was published for them, and the series cannot "
      "be continued.",
      cli_series_forget },
    { CMD_MEASURE, "measure", "ORIGINAL RELEASE --qid COLUMN,... [OPTION...]", 2, 2,
      "measure the information loss of a release against its original",
      "Every measure of a release:\n"
      "    shoal measure people.csv release.csv --qid zip,age,sex --hierarchies trees/ -k 10\n"
      "Protection of a sensitive column, compared with the original:\n"
      "    shoal measure people.csv release.csv --qid zip,age,sex --sensitive disease\n"
      "A plot as SVG, and the sorted range diversity of every row as CSV:\n"
      "    shoal measure people.csv release.csv --qid zip,age,sex --sensitive income --svg-out "
      "loss.svg --csv-out rd.csv\n",
      "Measures that need k use the size of the smallest group if -k is not given.", cli_measure },
    { CMD_RISK, "risk", "TABLE --qid COLUMN,... [OPTION...]", 1, 1,
      "estimate re-identification risk",
      "Any table, original or released by any tool:\n"
      "    shoal risk people.csv --qid zip,age,sex\n"
      "A release compared with its original:\n"
      "    shoal risk release.csv --original people.csv --qid zip,age,sex --svg-out risk.svg\n"
      "With a population table, whose values are matched to published intervals and labels:\n"
      "    shoal risk release.csv --population register.csv --qid zip,age,sex --hierarchies "
      "trees/\n"
      "If the table is a 10 % sample of the population:\n"
      "    shoal risk survey.csv --sampling-fraction 0.1 --qid zip,age,sex\n",
      "Three attackers: the prosecutor knows that a person is in the table, the journalist only "
      "that the person is in the population, and the marketer tries to match every record. Rows in "
      "classes below k (default: 2) are attributed to columns. Column names and counts are "
      "printed, never a value.",
      cli_risk },
    { CMD_ATTACK, "attack", "ORIGINAL RELEASE... --qid COLUMN,... [-k K] [OPTION...]", 0, 1000,
      "run attacks against a release and count their success",
      "Every attack that needs no further input:\n"
      "    shoal attack people.csv release.csv --qid zip,age,sex --sensitive disease --identifier "
      "name -k 10\n"
      "With the plan of the release, and at most 200 reruns of the method:\n"
      "    shoal attack people.csv release.csv --plan plan.yaml --reruns 200 --json\n"
      "Two releases of the same persons, matched by a key column, with a plot:\n"
      "    shoal attack people.csv spring.csv autumn.csv --plan plan.yaml --record-key id "
      "--svg-out attacks.svg\n"
      "With persons who were held out before the release was made as the control:\n"
      "    shoal attack people.csv release.csv --plan plan.yaml --held-out others.csv --only "
      "classifier\n"
      "Test the attacks themselves on tables with a planted leak:\n"
      "    shoal attack --controls\n",
      "Attackers see the published text and what each attack assumes them to know (docs/risk.md); "
      "the original is used only to count their success. Each rate is compared with a control, the "
      "success rate without the information that the attack uses, and has a 95 % Wilson interval. "
      "Attacks that were not tried are listed with the reason. Row numbers and column names are "
      "printed, never a value.",
      cli_attack },
    { CMD_BOUND, "bound", "INPUT --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "compute a lower bound on the loss of any k-anonymous release",
      "The lowest loss that any method could reach:\n"
      "    shoal bound people.csv --qid zip,age,sex --hierarchies trees/ -k 10\n"
      "Spend a minute on a tighter bound:\n"
      "    shoal bound people.csv --qid zip,age,sex --hierarchies trees/ -k 10 --time-limit 60\n",
      "Without --time-limit the result depends on the table and the options alone. An interrupt "
      "prints the best bound so far (exit 5).",
      cli_bound },
    { CMD_EXPLAIN_LOSS, "explain-loss", "INPUT --qid COLUMN,... -k K [OPTION...]", 1, 1,
      "show which rows and columns cause the unavoidable loss",
      "The effect of dropping a column, of a smaller k, and of suppressing the most costly rows:\n"
      "    shoal explain-loss people.csv --qid zip,age,sex --hierarchies trees/ -k 10\n",
      "All values are lower bounds on the loss of any release. Column names and row counts are "
      "printed, never a value. It ends after 30 seconds, unless --time-limit says otherwise; "
      "columns that were not reached are counted.",
      cli_explain_loss },
    { CMD_FRONTIER, "frontier",
      "INPUT --qid COLUMN,... --k K,... [--algorithm NAME,...] [OPTION...] | --series FOLDER", 0, 1,
      "compare loss, protection, risk and query error over several k, parameters or methods",
      "The default method for six values of k, as a table and a text plot:\n"
      "    shoal frontier people.csv --qid age,sex,zip --hierarchies trees/ --k 2,5,10,25,50,100\n"
      "Three methods, as a plot and as CSV:\n"
      "    shoal frontier people.csv --qid age,sex,zip --k 2,5,10,25 --algorithm "
      "shoal,mondrian,kmembers \\\n"
      "          --svg-out frontier.svg --csv-out frontier.csv\n"
      "Vary a privacy model instead of k; weigh utility against protection:\n"
      "    shoal frontier people.csv --qid age,sex,zip --sensitive disease --k 5 --vary l=2,3,4,5\n"
      "    shoal frontier people.csv --qid age,sex,zip --sensitive disease --k 5 --algorithm "
      "shoal,toc --vary w_u=0,0.25,0.5,0.75,1\n"
      "Loss of the releases of a series, by cause:\n"
      "    shoal frontier --series state/ --svg-out series.svg\n",
      "Every release is made, verified and measured in memory; none is written. The knee of a "
      "curve is the release furthest below the straight line from its first to its last point, "
      "with the highest risk (or the --vary parameter) and the loss both scaled to 0..1.",
      cli_frontier },
    { CMD_EVALUATE_QUERIES, "evaluate queries", "ORIGINAL RELEASE --qid COLUMN,... [OPTION...]", 2,
      2, "measure the error of COUNT queries answered from a release",
      "Ten thousand queries on one quasi-identifier and ten values of a sensitive column:\n"
      "    shoal evaluate queries people.csv release.csv --qid age,sex,zip --sensitive disease "
      "--hierarchies trees/\n"
      "Queries on three columns, all of them written to a file:\n"
      "    shoal evaluate queries people.csv release.csv --qid age,sex,zip --columns age,sex,zip "
      "--queries-out queries.csv\n"
      "The same queries on another release:\n"
      "    shoal evaluate queries people.csv other.csv --qid age,sex,zip --workload-file "
      "queries.csv --json\n",
      "An estimate is the sum over published rows of the fraction of the row's box that the query "
      "covers, assuming a uniform distribution within the box. The relative error is |actual - "
      "estimate| / actual; queries that match no row are redrawn.",
      cli_evaluate_queries },
    { CMD_EVALUATE_CLASSIFY, "evaluate classify",
      "ORIGINAL [RELEASE | --algorithm NAME -k K] --qid COLUMN,... --class COLUMN [OPTION...]", 1,
      2, "compare classifiers trained on a release and on the original",
      "Three classifiers, ten folds, original and release:\n"
      "    shoal evaluate classify people.csv release.csv --qid age,sex,zip --numeric age "
      "--hierarchies trees/ --class income\n"
      "Without test rows in the release: each training set is anonymised separately:\n"
      "    shoal evaluate classify people.csv --algorithm mondrian -k 10 --qid age,sex,zip "
      "--numeric age --class income --json\n",
      "Classifiers (naive Bayes, a C4.5 decision tree, logistic regression) are trained on "
      "published rows and tested on held-out rows of the original, recoded like the training rows. "
      "* counts as a missing value.",
      cli_evaluate_classify },
    { CMD_INIT, "init", "INPUT [-o PLAN.yaml]", 1, 1,
      "profile a table and write a commented plan to edit",
      "Propose roles, then edit the plan, set k and run it:\n"
      "    shoal init people.csv -o plan.yaml\n"
      "    shoal anonymize people.csv -o release.csv --plan plan.yaml\n"
      "The profile of the columns as JSON (no plan is written without -o):\n"
      "    shoal init people.csv --json\n",
      "The roles in the plan are suggestions; confirm each of them, and set k.", cli_init },
    { CMD_HIERARCHY_BUILD, "hierarchy build", "INPUT --column COLUMN --spec SPEC [-o FILE]", 1, 1,
      "build a hierarchy over the values of a column",
      "Ages in ranges of 5, 10 and 20 years:\n"
      "    shoal hierarchy build people.csv --column age --spec intervals:5,10,20 -o "
      "trees/age.csv\n"
      "Postcodes by their first digits:\n"
      "    shoal hierarchy build people.csv --column zip --spec prefix:3,2,1 -o trees/zip.csv\n",
      NULL, cli_hierarchy_build },
    { CMD_HIERARCHY_CHECK, "hierarchy check", "FILE|known:NAME [--table INPUT --column COLUMN]", 1,
      1, "check a hierarchy, and that it contains every value of a column",
      "The file alone, and with a table:\n"
      "    shoal hierarchy check trees/age.csv\n"
      "    shoal hierarchy check trees/age.csv --table people.csv --column age\n",
      NULL, cli_hierarchy_check },
    { CMD_HIERARCHY_SHOW, "hierarchy show", "FILE|known:NAME [--depth N]", 1, 1,
      "print a hierarchy as a tree",
      "The upper levels:\n"
      "    shoal hierarchy show trees/age.csv --depth 2\n",
      NULL, cli_hierarchy_show },
    { CMD_HIERARCHY_KNOWN, "hierarchy known", "[--json]", 0, 0, "list the built-in classifications",
      "List them, look into one, check a column, use one:\n"
      "    shoal hierarchy known\n"
      "    shoal hierarchy show known:icd10 --depth 2\n"
      "    shoal hierarchy check known:icd10 --table people.csv --column diagnosis\n"
      "    shoal anonymize people.csv -o release.csv --qid age,diagnosis --hierarchy "
      "diagnosis=known:icd10 --rest drop -k 5\n",
      NULL, cli_hierarchy_known },
    { CMD_GENERATE_CENSUS, "generate census",
      "--rows N [--seed S] [-o FILE] [--hierarchies-out FOLDER]", 0, 0,
      "generate a census-like table of invented persons",
      "100,000 invented persons with matching hierarchies:\n"
      "    shoal generate census --rows 100000 --seed 1 -o people.csv --hierarchies-out trees/\n",
      NULL, cli_generate_census },
    { CMD_GENERATE_NORMAL, "generate normal",
      "--rows N [--seed S] [--columns D] [--sigma X] [-o FILE]", 0, 0,
      "generate a table of integers 0..19 drawn from a normal distribution",
      "10,000 rows of four columns:\n"
      "    shoal generate normal --rows 10000 --columns 4 --sigma 2 --seed 1 -o normal.csv\n",
      NULL, cli_generate_normal },
    { CMD_ALGORITHMS, "algorithms", "[--json]", 0, 0, "list methods and their parameters",
      "As text, and as JSON:\n"
      "    shoal algorithms\n"
      "    shoal algorithms --json\n",
      NULL, cli_algorithms },
    { CMD_EXPLAIN, "explain", "[TERM...] [--json]", 0, 30,
      "explain a model, a measure, a method or a term of the reports",
      "One term, several, all of them:\n"
      "    shoal explain gcp\n"
      "    shoal explain l-diversity t-closeness wgp\n"
      "    shoal explain\n",
      NULL, cli_explain },
    { CMD_COMPLETIONS, "completions", "bash|zsh", 1, 1, "print the completion script of a shell",
      "For the current shell:\n"
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
