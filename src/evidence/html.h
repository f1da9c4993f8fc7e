/* SPDX-License-Identifier: Apache-2.0 */
/* html.h - a page that is being written: everything that comes from outside is escaped.
 *
 * The parts of a report are files of their own (report_*.c), each one function that adds its
 * sections. They read the manifest and nothing else.
 */
#ifndef SHOAL_HTML_H
#define SHOAL_HTML_H

#include "evidence/manifest.h"

typedef struct shoal_html {
    shoal_buffer out;
    const json_t *root;                /* of the manifest */
    const shoal_verification *checked; /* NULL: nothing was checked again */
    bool is_external;                  /* for those who get the release: see docs/report.md */
    double threshold;                  /* external: smaller counts are blanked */
    unsigned n_sections;
} shoal_html;

enum { SHOAL_HTML_NUMBER = 48 }; /* room for a number as text */

/* ---- html.c ---- */

/* Markup; a literal of the source, never anything else. */
void shoal_html_raw(shoal_html *h, const char *markup);
/* Text, escaped as a whole; control characters become '?'. */
void shoal_html_text(shoal_html *h, const char *format, ...) SHOAL_PRINTF(2, 3);
/* A word of a command, quoted for the shell; escaped as text is. */
void shoal_html_shell_word(shoal_html *h, const char *text);
/* A paragraph of such text. */
void shoal_html_paragraph(shoal_html *h, const char *format, ...) SHOAL_PRINTF(2, 3);
/* "<h2>3. Title</h2>". */
void shoal_html_section(shoal_html *h, const char *title);
/* A table of two columns: begin it, its rows, end it. A text NULL is "not stated". */
void shoal_html_facts(shoal_html *h);
void shoal_html_fact(shoal_html *h, const char *name, const char *format, ...) SHOAL_PRINTF(3, 4);
void shoal_html_fact_text(shoal_html *h, const char *name, const char *text);
void shoal_html_facts_end(shoal_html *h);
/* A cell, to the right if it is a number. */
void shoal_html_cell(shoal_html *h, const char *format, ...) SHOAL_PRINTF(2, 3);
void shoal_html_number_cell(shoal_html *h, const char *format, ...) SHOAL_PRINTF(2, 3);

/* A number as text: "0.0312"; "unknown" if it is not finite. */
const char *shoal_html_real(char *out, double number, int decimals);
/* A share or a risk as text: "3.12 %"; "unknown" if it is not finite. */
const char *shoal_html_percent(char *out, double share, int decimals);
/* A count of rows: "1,234"; in the external edition "fewer than 10" below the threshold. */
const char *shoal_html_count(const shoal_html *h, char *out, double count);
/* Is the column in the release? */
bool shoal_html_shows_column(const json_t *column);
/* May this edition have the name? Not if it is that of a column that is not published. */
bool shoal_html_shows_name(const shoal_html *h, const char *name);

/* ---- html_bars.c ---- */

/* One bar of a small chart. */
typedef struct shoal_html_bar {
    const char *label;
    double before, after; /* NaN: no such bar */
} shoal_html_bar;
/* A chart of horizontal bars, as SVG: outlined before, full after. `title` is read aloud. */
void shoal_html_bars(shoal_html *h, const shoal_html_bar *bars, size_t n, const char *title);

/* ---- the parts of a report ---- */

/* report_findings.c: warnings and lists of columns; sensitive columns in words. */
void shoal_report_findings(shoal_html *h);
void shoal_report_words(shoal_html *h);
void shoal_report_context(shoal_html *h); /* report_context.c */
void shoal_report_risk(shoal_html *h);    /* report_risk.c */
void shoal_report_models(shoal_html *h);  /* report_models.c */
void shoal_report_columns(shoal_html *h); /* report_columns.c */
/* report_utility.c */
SHOAL_NODISCARD shoal_status shoal_report_utility(shoal_html *h, shoal_error *err);
void shoal_report_attacks(shoal_html *h); /* report_attacks.c */
void shoal_report_limits(shoal_html *h);  /* report_limits.c */
/* " (1/k: 20.00 %)" beside the rate of linkage: what k promises; else "" (report_attacks.c). */
const char *shoal_report_promised(const shoal_html *h, const char *attack,
                                  char room[SHOAL_HTML_NUMBER]);
void shoal_report_questions(shoal_html *h);    /* report_questions.c */
void shoal_report_reproduction(shoal_html *h); /* report_reproduction.c */

#endif
