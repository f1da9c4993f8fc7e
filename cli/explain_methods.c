/* SPDX-License-Identifier: Apache-2.0 */
/* explain_methods.c - the methods, for `shoal explain`. `shoal algorithms` lists those of this version and their parameters. */
#include "explain.h"

const cli_term cli_method_terms[] = {
    { "shoal", "the default method: cheapest groups first, then refined",
      "For every distinct tuple the cheapest group of k rows around it is found; the cheapest of all is taken first, and so on. Then "
      "neighbouring groups are divided anew and rows moved or swapped while the loss falls. It accepts any constraint, and a time limit or "
      "an interrupt keeps the best valid grouping so far.",
      NULL, "Parameter effort 0..9: 0 is fastest, 9 loses least. The report's gap says how far the result is from what any method could do.",
      "this project; docs/algorithms/shoal.md" },
    { "kmembers|k-members", "greedy clusters of k rows",
      "Starts each group at a row far from the last one and adds the row that costs least until there are k. Rows that are left over join the group "
      "where they cost least.",
      "added cost = |g+1| loss(g+row) - |g| loss(g)", "Parameter search=tree|scan gives the same groups; tree is faster.",
      "Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering techniques, DASFAA 2007" },
    { "kmembers-p", "k-Members that looks at protection instead of loss",
      "Grows groups like k-Members, but by how different their sensitive values are. The rival of toc in its source.",
      NULL, NULL, "Loukides: Data utility and privacy protection in data publishing, thesis, Cardiff 2008, chapters 4 and 6" },
    { "oka", "one-pass k-means, then repair",
      "Draws n/k rows as seeds, gives each other row to the nearest group, then moves rows from groups above k to groups below it. Fast and rough.",
      NULL, NULL, "Lin, Wei: An efficient clustering method for k-anonymization, PAIS 2008" },
    { "kaca", "small classes merge with the nearest one",
      "Works on hierarchy levels: while a class of fewer than k equal rows exists, it merges with the class that is nearest in the hierarchies. A large "
      "neighbour gives only as many rows as are needed.",
      "Dist(c1,c2) = n1 Distortion(t1,t12) + n2 Distortion(t2,t12)", NULL,
      "Li, Wong, Fu, Pei: Achieving k-anonymity by clustering in attribute hierarchical structures, DaWaK 2006" },
    { "dbca", "the densest rows take their nearest ones",
      "Density of a row: one over the mean distance to its k nearest rows. The densest row that is left takes its k-1 nearest; the next centre lies "
      "outside the first one's neighbourhood. Quasi-identifiers may have priorities.",
      "density(t) = 1 / mean of the k smallest Dist(t, other)", NULL, "Sun, Wang, Li, Zhang: Priority driven k-anonymisation for privacy protection, AusDM 2008" },
    { "dbca-cm|dbca:cm", "dbca that keeps class labels together",
      "As dbca, but a row with another class label than the centre is lambda further away. Needs a class column; meant for tables from which a model learns.",
      NULL, "lambda = 1 is the cost of one column generalised fully; inf takes other labels last.", "as dbca; docs/algorithms/dbca-cm.md" },
    { "koc", "groups of k rows grown from the rows nearest to all others",
      "Takes floor(n/k) rows of highest closeness as centres and grows each to k rows by the distance to what the group publishes. Quasi-identifiers "
      "may be weighed by their levels (wid).",
      "closeness(t) = 1 / mean distance to all other rows", NULL, "Pramanik, Lau, Zhang: K-anonymity through the enhanced clustering method, 2016" },
    { "kmeans|k-means|k-prototypes", "k-means of numbers and categories, then repair",
      "Means for numbers, most frequent values for categories; groups below k are dissolved or filled afterwards. A baseline.", NULL, NULL,
      "Huang: Extensions to the k-means algorithm for clustering large data sets with categorical values, 1998" },
    { "toc|mrg", "clusters within a bound on loss and sensitive range",
      "Grows groups around a random seed while a weighted sum of the loss and the closeness of sensitive values stays within delta; the table may be cut in "
      "parts first. Weights w_u and w_p set what counts more.",
      "mr_wtd(g) = w_u mean qd + w_p mean s-diversity", NULL, "Loukides: doctoral thesis, chapters 3 and 4" },
    { "upc", "clusters within two guarantees: loss at most U, range diversity at most P",
      "Grows by least group diversity; a group is closed when it has k rows and the mean loss is at most U and the range diversity at most P. Rows that fit "
      "nowhere are suppressed.",
      "gd(g) = 1/2 mean qd + 1/2 rd", "Every released group has k rows, WGU <= U and WGP <= P.", "Loukides: doctoral thesis, chapters 5 and 6" },
    { "mondrian", "cuts the widest column at its median",
      "Starts with all rows as one part and cuts parts at the median of their widest column while both sides keep k rows. Rows equal there stay together (strict).",
      NULL, "Fast, and a common baseline.", "LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity, ICDE 2006" },
    { "mondrian-relaxed|relaxed-mondrian", "mondrian that may divide equal rows",
      "As mondrian, but rows equal to the median go to both sides evenly, so that cuts always balance.", NULL, NULL, "as mondrian" },
    { "infogain-mondrian", "mondrian that keeps a class column predictable",
      "Chooses the cut after which the class labels are purest. Needs a class column.", "least sum over sides of |side|/|part| H(class | side)", NULL,
      "LeFevre, DeWitt, Ramakrishnan: Workload-aware anonymization techniques for large-scale datasets, TODS 2008" },
    { "incognito", "one level a column for the whole table: all minimal choices",
      "Full-domain recoding: every value of a column is lifted to the same hierarchy level. Walks the lattice of levels from small sets of columns to large "
      "ones, leaving out what a smaller set rules out, and returns the minimal node that loses least.",
      NULL, "Equal values stay equal everywhere, which other methods do not promise; the loss is much higher.",
      "LeFevre, DeWitt, Ramakrishnan: Incognito: efficient full-domain k-anonymity, SIGMOD 2005" },
    { "datafly", "lifts the column with most values until few rows are left, then suppresses them",
      "Full-domain recoding, greedy: the classic.", NULL, NULL, "Sweeney: Achieving k-anonymity privacy protection using generalization and suppression, 2002" },
    { "samarati", "the lowest height of the lattice that works, by bisection",
      "Full-domain recoding: finds the least total number of levels at which k holds with at most so many suppressed rows.", NULL, NULL,
      "Samarati: Protecting respondents' identities in microdata release, TKDE 2001" },
    { "optimal|ola", "the best full-domain recoding under a chosen measure",
      "Searches the whole lattice of levels and returns the node that loses least. Best among full-domain recodings only: local recoding loses far less.", NULL, NULL,
      "El Emam et al.: A globally optimal k-anonymity method for the de-identification of health data, JAMIA 2009" },
    { "iack", "the level of each column that tells most about the class, then suppression below k",
      "Lifts each quasi-identifier to the level with the highest normalised mutual information with the class column and suppresses classes below k. Reports "
      "alpha, the largest change of that information, and beta, the largest change of a column's distribution.",
      "I_N(A;C) = I(A;C) / H(A)", NULL, "Li, Liu, Baig, Wong: Information based data anonymization for classification utility, 2011" },
    { "iacc", "as iack, but the largest k within limits on what may change",
      "Suppresses classes from the smallest upward while every column keeps its distribution and its information within two given limits; answers the k it reached.",
      NULL, "k_reached is the answer: check that it is enough for you.", "as iack" },
    { "personalised|personalized", "each person says how much may be known",
      "Each row has a guarding node in the hierarchy of the sensitive value; the chance of inferring something below it must stay under a limit. Sensitive values "
      "are generalised group by group.",
      "P_breach(row) <= limit", NULL, "Xiao, Tao: Personalized privacy preservation, SIGMOD 2006" },
    { "anatomy|bucketisation|bucketization", "two tables: exact quasi-identifiers, and sensitive values by group",
      "Publishes quasi-identifiers unchanged with a group number, and the sensitive values of each group separately. Protects the link to sensitive values only: "
      "everybody in the table can be recognised as being there.",
      NULL, "Not k-anonymous by design: shoal check on the first table will say so.", "Xiao, Tao: Anatomy: simple and effective privacy preservation, VLDB 2006" },
    { NULL, NULL, NULL, NULL, NULL, NULL },
};
