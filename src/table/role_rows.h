/* SPDX-License-Identifier: Apache-2.0 */
/* role_rows.h - the roles and types of columns, one row each: the word in plans and reports, and
 * the option of the command that names such columns, which is the keyword of other languages, too.
 *
 * To add one: a value of the enum, and its row here. Everything that lists them reads these rows:
 * plan files, proposals, reports, the command, Python and R.
 */
#ifndef SHOAL_ROLE_ROWS_H
#define SHOAL_ROLE_ROWS_H

/* ROW(value of the enum, word, option or NULL) */
#define SHOAL_ROLE_ROWS(ROW)                                                                       \
    ROW(SHOAL_ROLE_QUASI, "quasi", "qid")                                                          \
    ROW(SHOAL_ROLE_SENSITIVE, "sensitive", "sensitive")                                            \
    ROW(SHOAL_ROLE_CLASS, "class", "class")                                                        \
    ROW(SHOAL_ROLE_IDENTIFIER, "identifier", "identifier")                                         \
    ROW(SHOAL_ROLE_ENTITY, "entity", "entity")                                                     \
    ROW(SHOAL_ROLE_OTHER, "other", "other")                                                        \
    ROW(SHOAL_ROLE_DROP, "drop", "drop")                                                           \
    ROW(SHOAL_ROLE_COUNT, "count", "counts")                                                       \
    ROW(SHOAL_ROLE_PSEUDONYM, "pseudonym", "pseudonym")                                            \
    ROW(SHOAL_ROLE_UNDECIDED, "undecided", NULL)

#define SHOAL_TYPE_ROWS(ROW)                                                                       \
    ROW(SHOAL_TYPE_NUMERIC, "numeric", "numeric")                                                  \
    ROW(SHOAL_TYPE_CATEGORICAL, "categorical", "categorical")                                      \
    ROW(SHOAL_TYPE_DATE, "date", "date")                                                           \
    ROW(SHOAL_TYPE_ORDERED, "ordered", "ordered")

#endif
