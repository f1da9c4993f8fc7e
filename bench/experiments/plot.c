/* SPDX-License-Identifier: Apache-2.0 */
/* plot.c - `plot <FIGURE >SVG`: a figure described in lines of text, drawn by the library.
 *
 * Fields are separated by tabs:
 *     title  TEXT
 *     note   TEXT
 *     size   WIDTH  HEIGHT                 of a panel
 *     panel  TITLE  X-LABEL  FLAG...       logx, logy, freey
 *     curve  NAME   COLOUR   FLAG...       dashed, points, labels; an empty name is not in the
 * legend point  X      Y        [LABEL [mark]]
 */
#include <shoal/shoal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PANELS = 16, MAX_CURVES = 40, MAX_POINTS = 1200, MAX_FIELDS = 8 };

typedef struct curve {
    double x[MAX_POINTS], y[MAX_POINTS];
    char *labels[MAX_POINTS];
} curve;

typedef struct figure {
    shoal_plot plot;
    shoal_plot_panel panels[MAX_PANELS];
    shoal_plot_series series[MAX_PANELS][MAX_CURVES];
    curve *curves[MAX_PANELS][MAX_CURVES];
} figure;

static void die(const char *what, const char *about)
{
    fprintf(stderr, "plot: %s: %s\n", what, about);
    exit(2);
}

static char *copy(const char *text)
{
    char *own = strdup(text);
    if (own == NULL) die("no memory", text);
    return own;
}

static bool has_flag(char **fields, size_t n, const char *flag)
{
    for (size_t i = 3; i < n; i++)
        if (strcmp(fields[i], flag) == 0) return true;
    return false;
}

static void add_panel(figure *f, char **fields, size_t n)
{
    size_t p = f->plot.n_panels;
    if (p == MAX_PANELS) die("too many panels", fields[1]);
    f->panels[p] = (shoal_plot_panel){ .title = copy(fields[1]),
                                       .x_label = copy(fields[2]),
                                       .series = f->series[p],
                                       .log_x = has_flag(fields, n, "logx"),
                                       .log_y = has_flag(fields, n, "logy"),
                                       .free_y = has_flag(fields, n, "freey") };
    f->plot.n_panels++;
}

static void add_curve(figure *f, char **fields, size_t n)
{
    if (f->plot.n_panels == 0) die("a curve before the first panel", fields[1]);
    size_t p = f->plot.n_panels - 1, c = f->panels[p].n_series;
    if (c == MAX_CURVES) die("too many curves", fields[1]);
    curve *own = f->curves[p][c] = calloc(1, sizeof *own);
    if (own == NULL) die("no memory", fields[1]);
    f->series[p][c] = (shoal_plot_series){ .name = fields[1][0] != '\0' ? copy(fields[1]) : NULL,
                                           .x = own->x,
                                           .y = own->y,
                                           .colour = (size_t)atoi(fields[2]),
                                           .marked = SIZE_MAX,
                                           .dashed = has_flag(fields, n, "dashed"),
                                           .points = has_flag(fields, n, "points"),
                                           .labels = has_flag(fields, n, "labels")
                                                         ? (const char *const *)own->labels
                                                         : NULL };
    f->panels[p].n_series++;
}

static void add_point(figure *f, char **fields, size_t n)
{
    size_t p = f->plot.n_panels - 1;
    if (f->plot.n_panels == 0 || f->panels[p].n_series == 0)
        die("a point before the first curve", fields[1]);
    size_t c = f->panels[p].n_series - 1;
    shoal_plot_series *s = &f->series[p][c];
    if (s->n == MAX_POINTS) die("too many points", fields[1]);
    f->curves[p][c]->x[s->n] = strtod(fields[1], NULL);
    f->curves[p][c]->y[s->n] = strtod(fields[2], NULL);
    f->curves[p][c]->labels[s->n] = copy(n > 3 ? fields[3] : "");
    if (n > 4) s->marked = s->n;
    s->n++;
}

static void add_line(figure *f, char *line)
{
    char *fields[MAX_FIELDS] = { line };
    size_t n = 1;
    for (char *at = line; (at = strchr(at, '\t')) != NULL && n < MAX_FIELDS; n++) {
        *at++ = '\0';
        fields[n] = at;
    }
    if (n < 2 || (n < 3 && strcmp(line, "title") != 0 && strcmp(line, "note") != 0))
        die("a line with too few fields", line);
    if (strcmp(line, "title") == 0)
        f->plot.title = copy(fields[1]);
    else if (strcmp(line, "note") == 0)
        f->plot.note = copy(fields[1]);
    else if (strcmp(line, "panel") == 0)
        add_panel(f, fields, n);
    else if (strcmp(line, "curve") == 0)
        add_curve(f, fields, n);
    else if (strcmp(line, "point") == 0)
        add_point(f, fields, n);
    else if (strcmp(line, "size") == 0) {
        f->plot.panel_width = strtod(fields[1], NULL);
        f->plot.panel_height = strtod(fields[2], NULL);
    } else
        die("no such word", line);
}

static int write_out(const void *data, size_t size, void *payload)
{
    return fwrite(data, 1, size, payload) == size ? 0 : 5;
}

int main(void)
{
    static figure f; /* the memory of a figure is given back by the end of the program */
    char line[1000];
    shoal_error err;
    f.plot.title = "";
    f.plot.panels = f.panels;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0') add_line(&f, line);
    }
    if (shoal_plot_svg(&f.plot, write_out, stdout, &err) != SHOAL_OK) die("not drawn", err.message);
    return 0;
}
