/* SPDX-License-Identifier: Apache-2.0 */
/* explain_risk.c - the numbers of `shoal risk`, for `shoal explain`. */
#include "explain.h"

const shoal_term cli_risk_terms[] = {
    { .kind = SHOAL_TERM_RISK,
      .place = 10,
      .names = "prosecutor|prosecutor-risk|re-identification-risk|risk_max|risk_mean",
      .title = "the risk from somebody who knows that a person is in the table",
      .text = "A record in a class of f alike is picked with probability 1/f. The highest is that "
              "of the smallest class; the mean "
              "is the number of classes over the number of records.",
      .formula = "1/f; highest 1/min f; mean classes/records",
      .reading = "1 means somebody is unique. 0.2, 0.09 and 0.05 are thresholds in use.",
      .source = "El Emam: Guide to the De-Identification of Personal Health Information, 2013" },
    { .kind = SHOAL_TERM_RISK,
      .place = 20,
      .names = "journalist|journalist-risk",
      .title = "the risk from somebody who knows only that a person is in the population",
      .text = "As the prosecutor, with F, the persons of the population that the published tuple "
              "covers, instead of f. F is "
              "counted in a population table or estimated.",
      .formula = "1/F; mean max(classes / sum F, mean of 1/F)",
      .reading = "Never above the prosecutor's. Without a population the two are the same.",
      .source = "El Emam 2013" },
    { .kind = SHOAL_TERM_RISK,
      .place = 30,
      .names = "marketer|marketer-risk",
      .title = "the share of records that somebody matches rightly who tries all of them",
      .text = "The mean of 1/F over records.",
      .formula = "1/n sum_j f_j / F_j",
      .reading = "0.05: one in twenty matches would be right.",
      .source = "Dankar, El Emam: A method for evaluating marketer re-identification risk, 2010" },
    { .kind = SHOAL_TERM_RISK,
      .place = 40,
      .names = "highest|mean|share",
      .title = "the worst record, the average record, a part of all records",
      .text = "`highest` is the risk of the record most at risk, `mean` the average over records, "
              "`share` a part between 0 and 1.",
      .reading = "Look at both: a low mean hides single persons who stand out." },
    { .kind = SHOAL_TERM_RISK,
      .place = 50,
      .names = "sample-uniques|sample_uniques|sample_uniques_share|unique",
      .title = "records that are alone with their quasi-identifiers",
      .text = "A class of one. In the table only: there may be others in the population.",
      .formula = "records with f = 1",
      .reading = "Any at all means k = 1." },
    { .kind = SHOAL_TERM_RISK,
      .place = 60,
      .names = "population-uniques|uniques|unique_records|unique_stays|unique-stays",
      .title = "records that are alone in the population too",
      .text = "Counted in a population table, or estimated from the sampling fraction. "
              "unique_stays is the probability that a "
              "sample unique is one.",
      .formula = "records with F = 1",
      .reading = "These persons are recognised with certainty by whoever has the population." },
    { .kind = SHOAL_TERM_RISK,
      .place = 70,
      .names = "pitman|estimator|pitman_theta|pitman_alpha|theta|ewens",
      .title = "a model of class sizes, to estimate the population",
      .text = "The next record founds a new class with probability (theta + alpha u) / (theta + "
              "i), or joins one of f with (f - "
              "alpha) / (theta + i). Fitted to the table's classes and continued to the "
              "population's size. It assumes that the "
              "table is a random sample and that classes do not overlap: use it on raw or "
              "full-domain recoded tables.",
      .formula = "P(a unique stays) = prod_{i=n}^{N-1} (theta+i-1+alpha) / (theta+i)",
      .reading = "Good to some tenths where the fraction is not tiny; not determined when all "
                 "records are unique.",
      .source = "Hoshino: Applying Pitman's sampling formula to microdata disclosure risk "
                "assessment, 2001; Ewens is alpha = 0" },
    { .kind = SHOAL_TERM_RISK,
      .place = 80,
      .names = "zayatz|unique_stays_zayatz",
      .title = "an older estimator of the same probability",
      .text = "Takes the table's class sizes for those of the population. Good at large sampling "
              "fractions; at small ones it "
              "takes too many for unique.",
      .formula = "S_1 / sum_j S_j j prod_{i<j-1} (N-n-i)/(N-1-i)",
      .source = "Zayatz: Estimation of the percent of unique population elements on a microdata "
                "file using the sample, 1991" },
    { .kind = SHOAL_TERM_RISK,
      .place = 90,
      .names = "sampling-fraction|sampling_fraction",
      .title = "the share of the population that the table holds",
      .text = "n/N: 0.1 for a one-in-ten sample. Needed to estimate risks in the population." },
    { .kind = SHOAL_TERM_RISK,
      .place = 100,
      .names = "thresholds|threshold|least_class|least_class_rounded|records_rounded|share_rounded",
      .title = "risks that rules of data release name",
      .text = "Records whose risk is above 0.33, 0.2, 0.09 or 0.05 are counted. By arithmetic 0.09 "
              "needs classes of 12, for 1/11 "
              "= 0.0909; custom rounds and asks for 11. Both are shown.",
      .formula = "1/f > threshold",
      .reading = "No number makes a release safe by itself; the rule of your data owner decides.",
      .source = "El Emam 2013 (precedents)" },
    { .kind = SHOAL_TERM_RISK,
      .place = 110,
      .names = "class-sizes|class_sizes|histogram|bins|from|to|min_class|min-class",
      .title = "how many records hide among how many",
      .text = "Records by the size of their class: 1, 2, 3-4, 5-10, 11-19, 20-49, 50-99, 100-999, "
              "1000 and more." },
    { .kind = SHOAL_TERM_RISK,
      .place = 120,
      .names = "share_of_risk|share-of-risk|columns|pairs|rows_below_k|rows_below_k_without|rows_"
               "below_k_alone|names",
      .title = "which columns make rows stand out",
      .text = "Rows in classes below k (2 if not said), and how many would still be there if a "
              "column, or a pair, were left out. "
              "The first in the list is the one to coarsen first. rows_below_k_alone looks at the "
              "column by itself.",
      .formula = "share = (rows below k - rows below k without it) / rows below k",
      .reading = "The shares of several columns do not add up: either of two may suffice." },
    { .kind = SHOAL_TERM_RISK,
      .place = 130,
      .names = "records|record",
      .title = "what risks are averaged over",
      .text = "Rows; with --entity persons, once in each class they have rows in." },
    { .kind = SHOAL_TERM_RISK,
      .place = 140,
      .names = "population|source|size|original|short_records|unmatched_texts",
      .title = "everybody the table might be about",
      .text = "A table with the same quasi-identifiers and one row a person. Published intervals, "
              "sets and labels are matched to "
              "the values that they cover. short_records are records whose tuple covers fewer "
              "people there than the table itself "
              "has; unmatched_texts are published texts that fit no value there: both say that the "
              "population does not contain "
              "the table." },
    { .kind = SHOAL_TERM_ATTACK,
      .place = 1,
      .names = "attack|attacks|tried|not_tried|reason|successes|trials|rate|worst_row|case|cases|"
               "details",
      .title = "what somebody could really do with a release, carried out and counted",
      .text = "Each attack reads published text and what its attacker is assumed to know; the "
              "original is used to count successes among trials. A case "
              "is a variant: a set of columns, a share of errors. worst_row is the row of the "
              "original that is most exposed, counted from 1. Attacks in "
              "not_tried were not carried out; the reason says what they lack.",
      .reading =
          "An attack that finds nothing proves nothing about attackers who know other things.",
      .source = "docs/risk.md" },
    { .kind = SHOAL_TERM_ATTACK,
      .place = 2,
      .names = "control|wilson_interval|above_control|controls|planted|null_control",
      .title = "the rate of somebody who does without what an attack uses",
      .text = "A rate alone says little: the control is what guessing would reach. wilson_interval "
              "holds the true rate 19 times of 20; above_control: all of it "
              "lies above the control. With --controls each attack is also tried on invented "
              "persons: with a leak that it must find (planted), and on a "
              "release in one group, where it must find nothing (null_control).",
      .formula = "(p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), z = 1.96, or more "
                 "where the worst of several cases is shown",
      .source = "Wilson 1927; Giomi et al., PoPETs 2023" },
    { 0 },
};
