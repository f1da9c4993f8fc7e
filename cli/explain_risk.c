/* SPDX-License-Identifier: Apache-2.0 */
/* explain_risk.c - the numbers of `shoal risk`, for `shoal explain`. */
#include "explain.h"

const shoal_term cli_risk_terms[] = {
    { .kind = SHOAL_TERM_RISK,
      .place = 10,
      .names = "prosecutor|prosecutor-risk|re-identification-risk|risk_max|risk_mean",
      .title = "the risk from an attacker who knows that a person is in the table",
      .text = "A record in a class of f records is picked with probability 1/f. The highest risk "
              "is that of the smallest class; the mean is the number of classes divided by the "
              "number of records.",
      .formula = "1/f; highest 1/min f; mean classes/records",
      .reading = "1 means that a record is unique. Common thresholds are 20 %, 9 % and 5 %.",
      .source = "El Emam: Guide to the De-Identification of Personal Health Information, 2013" },
    { .kind = SHOAL_TERM_RISK,
      .place = 20,
      .names = "journalist|journalist-risk",
      .title = "the risk from an attacker who knows only that a person is in the population",
      .text =
          "As for the prosecutor, but with F, the number of persons of the population that the "
          "published tuple covers, instead of f. F is counted in a population table or estimated.",
      .formula = "1/F; mean max(classes / sum F, mean of 1/F)",
      .reading = "Never above the prosecutor risk. Without a population both are the same.",
      .source = "El Emam 2013" },
    { .kind = SHOAL_TERM_RISK,
      .place = 30,
      .names = "marketer|marketer-risk",
      .title = "the share of records that are matched correctly if all of them are tried",
      .text = "The mean of 1/F over records.",
      .formula = "1/n sum_j f_j / F_j",
      .reading = "0.05: one match in twenty would be correct.",
      .source = "Dankar, El Emam: A method for evaluating marketer re-identification risk, 2010" },
    { .kind = SHOAL_TERM_RISK,
      .place = 40,
      .names = "highest|mean|share",
      .title = "the record most at risk, the average over records, a share of all records",
      .text = "`highest` is the risk of the record most at risk, `mean` the average over records, "
              "`share` a fraction between 0 and 1.",
      .reading = "Look at both: a low mean can hide single persons at high risk." },
    { .kind = SHOAL_TERM_RISK,
      .place = 50,
      .names = "sample-uniques|sample_uniques|sample_uniques_share|unique",
      .title = "records whose quasi-identifiers no other record has",
      .text = "A class of one record. Unique in the table, but not necessarily in the population.",
      .formula = "records with f = 1",
      .reading = "A single one means k = 1." },
    { .kind = SHOAL_TERM_RISK,
      .place = 60,
      .names = "population-uniques|uniques|unique_records|unique_stays|unique-stays",
      .title = "records that are unique in the population, too",
      .text =
          "Counted in a population table, or estimated from the sampling fraction. unique_stays is "
          "the probability that a record that is unique in the table is unique in the population.",
      .formula = "records with F = 1",
      .reading =
          "An attacker with the population table re-identifies these persons with certainty." },
    { .kind = SHOAL_TERM_RISK,
      .place = 70,
      .names = "pitman|estimator|pitman_theta|pitman_alpha|theta|ewens",
      .title = "a model of class sizes, used to estimate the population",
      .text = "The next record starts a new class with probability (theta + alpha u) / (theta + "
              "i), or joins a class of f records with (f - alpha) / (theta + i). The model is "
              "fitted to the classes of the table and extrapolated to the size of the population. "
              "It assumes that the table is a random sample and that classes do not overlap: use "
              "it on original tables or after full-domain recoding.",
      .formula = "P(a unique stays) = prod_{i=n}^{N-1} (theta+i-1+alpha) / (theta+i)",
      .reading = "A rough estimate unless the sampling fraction is tiny; undefined if all records "
                 "are unique.",
      .source = "Hoshino: Applying Pitman's sampling formula to microdata disclosure risk "
                "assessment, 2001; Ewens is alpha = 0" },
    { .kind = SHOAL_TERM_RISK,
      .place = 80,
      .names = "zayatz|unique_stays_zayatz",
      .title = "an earlier estimator of the same probability",
      .text = "Assumes that class sizes are distributed in the population as in the table. Good at "
              "large sampling fractions; overestimates uniques at small ones.",
      .formula = "S_1 / sum_j S_j j prod_{i<j-1} (N-n-i)/(N-1-i)",
      .source = "Zayatz: Estimation of the percent of unique population elements on a microdata "
                "file using the sample, 1991" },
    { .kind = SHOAL_TERM_RISK,
      .place = 90,
      .names = "sampling-fraction|sampling_fraction",
      .title = "the share of the population that is in the table",
      .text = "n/N: 0.1 for a 10 % sample. Needed to estimate risks in the population." },
    { .kind = SHOAL_TERM_RISK,
      .place = 100,
      .names = "thresholds|threshold|least_class|least_class_rounded|records_rounded|share_rounded",
      .title = "risk limits in rules for data release",
      .text = "Records with a risk above 33 %, 20 %, 9 % or 5 % are counted. Strictly, 9 % "
              "requires classes of 12, because 1/11 is 9.09 %; in practice this is rounded, and 11 "
              "is required. Both counts are shown.",
      .formula = "1/f > threshold",
      .reading =
          "No threshold makes a release safe by itself; follow the rules of your data owner.",
      .source = "El Emam 2013 (precedents)" },
    { .kind = SHOAL_TERM_RISK,
      .place = 110,
      .names = "class-sizes|class_sizes|histogram|bins|from|to|min_class|min-class",
      .title = "number of records by the size of their class",
      .text = "Records by the size of their class: 1, 2, 3-4, 5-10, 11-19, 20-49, 50-99, 100-999, "
              "1000 and more." },
    { .kind = SHOAL_TERM_RISK,
      .place = 120,
      .names = "share_of_risk|share-of-risk|columns|pairs|rows_below_k|rows_below_k_without|rows_"
               "below_k_alone|names",
      .title = "which columns put rows at risk",
      .text = "Rows in classes below k (default: 2), and how many would remain if a column, or a "
              "pair of columns, were dropped. Generalise the first column of the list first. "
              "rows_below_k_alone considers the column by itself.",
      .formula = "share = (rows below k - rows below k without it) / rows below k",
      .reading = "The shares of columns do not add up: dropping either of two columns may have the "
                 "same effect." },
    { .kind = SHOAL_TERM_RISK,
      .place = 130,
      .names = "records|record",
      .title = "what risks are averaged over",
      .text = "Rows; with --entity, persons, counted once in each class in which they have rows." },
    { .kind = SHOAL_TERM_RISK,
      .place = 140,
      .names = "population|source|size|original|short_records|unmatched_texts",
      .title = "all persons the table could be about",
      .text = "A table with the same quasi-identifiers and one row per person. Published "
              "intervals, sets and labels are matched to the values that they cover. short_records "
              "are records whose tuple covers fewer persons of the population than records of the "
              "table; unmatched_texts are published texts that match no value of the population. "
              "Either means that the population does not contain the table." },
    { .kind = SHOAL_TERM_ATTACK,
      .place = 1,
      .names = "attack|attacks|tried|not_tried|reason|successes|trials|rate|worst_row|case|cases|"
               "details",
      .title =
          "an attempt to identify persons or infer values from a release, with its success rate",
      .text =
          "Each attack uses the published text and what its attacker is assumed to know; the "
          "original is used only to count successes among trials. A case is a variant: a set of "
          "columns, a share of errors. worst_row is the most exposed row of the original, counted "
          "from 1. Attacks in not_tried were not run; the reason names the missing input.",
      .reading = "An attack without success proves nothing about attackers who know more.",
      .source = "docs/risk.md" },
    { .kind = SHOAL_TERM_ATTACK,
      .place = 2,
      .names = "control|wilson_interval|above_control|controls|planted|null_control",
      .title = "the success rate without the information that an attack uses",
      .text = "The control is the success rate of guessing; compare each rate with it. "
              "wilson_interval contains the true rate with 95 % confidence; above_control: the "
              "whole interval lies above the control. With --controls each attack is also run on "
              "invented persons: with a planted leak that it must find (planted), and on a release "
              "with a single group, where it must find nothing (null_control).",
      .formula = "(p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), z = 1.96, or more "
                 "where the worst of several cases is shown",
      .source = "Wilson 1927; Giomi et al., PoPETs 2023" },
    { 0 },
};
