# SPDX-License-Identifier: Apache-2.0
# Pictures, with base graphics.

plot_colours <- c("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280", "#4a5568")

# What each quasi-identifier lost.
plot.shoal_release <- function(x, ...) {
  qids <- x$measures$qids
  if (is.null(qids)) {
    usage("this release has no loss of single columns", "methods that publish two tables do not")
  }
  old <- par(mar = c(4, max(4, 2 + 0.6 * max(nchar(qids$name))), 3, 2))
  on.exit(par(old))
  places <- barplot(
    rev(qids$loss),
    names.arg = rev(qids$name),
    horiz = TRUE,
    las = 1,
    xlim = c(0, 1),
    col = plot_colours[1],
    border = NA,
    xlab = "loss: 0 unchanged, 1 nothing left",
    main = sprintf("gcp %.4f", x$measures$gcp),
    ...
  )
  invisible(places)
}

# One number of the releases against another, by default against what varies; rings are knees.
plot.shoal_frontier <- function(x, y = "gcp", across = NULL, ...) {
  if (is.null(across)) {
    across <- if (attr(x, "vary") == "k") "k" else "x"
  }
  there <- !is.na(x[[across]]) & !is.na(x[[y]])
  if (!any(there)) {
    usage("there is no release to draw", "see the column unsatisfiable")
  }
  label <- if (across == "x") attr(x, "vary") else across
  graphics::plot(
    x[[across]][there],
    x[[y]][there],
    type = "n",
    ylim = c(0, max(x[[y]][there])),
    xlab = label,
    ylab = y,
    ...
  )
  grid()
  curves <- split(seq_len(nrow(x)), list(x$algorithm, if (across == "k") 0 else x$k), drop = TRUE)
  methods <- unique(x$algorithm)
  for (rows in curves) {
    rows <- rows[there[rows]]
    colour <- plot_colours[(match(x$algorithm[rows[1]], methods) - 1) %% length(plot_colours) + 1]
    lines(x[[across]][rows], x[[y]][rows], col = colour)
    points(x[[across]][rows], x[[y]][rows], pch = 19, col = colour)
    knees <- rows[x$knee[rows]]
    points(x[[across]][knees], x[[y]][knees], cex = 2.2, col = colour)
  }
  bounds <- unique(x[there & !is.na(x$lower_bound), c(across, "lower_bound")])
  if (y == "gcp" && across %in% c("k", "x") && nrow(bounds) > 0) {
    bounds <- bounds[order(bounds[[1]], bounds[[2]]), ]
    lines(bounds[[1]], bounds[[2]], lty = 2, col = "grey40")
  }
  legend(
    "bottomright",
    legend = methods,
    col = rep_len(plot_colours, length(methods)),
    lty = 1,
    pch = 19,
    bty = "n"
  )
  invisible(x)
}

# The rate of each attack with its interval, and its control (a cross).
plot.shoal_attack <- function(x, ...) {
  found <- x$attacks[!is.na(x$attacks$rate), ]
  if (nrow(found) == 0) {
    usage("no attack was carried out", "see $not_tried")
  }
  places <- rev(seq_len(nrow(found)))
  old <- par(mar = c(4, max(4, 2 + 0.6 * max(nchar(found$name))), 3, 2))
  on.exit(par(old))
  graphics::plot(
    found$rate,
    places,
    xlim = c(0, 1),
    ylim = c(0.5, max(places) + 0.5),
    yaxt = "n",
    ylab = "",
    xlab = "rate of success",
    pch = 19,
    col = plot_colours[1],
    ...
  )
  axis(2, at = places, labels = found$name, las = 1, tick = FALSE)
  ends <- vapply(found$wilson_interval, as.numeric, c(0, 0))
  segments(ends[1, ], places, ends[2, ], places, col = plot_colours[1])
  points(found$control, places, pch = 4, col = plot_colours[2])
  legend(
    "top",
    legend = c("rate, 95 % interval", "control"),
    pch = c(19, 4),
    col = plot_colours[1:2],
    bty = "n",
    horiz = TRUE,
    xpd = TRUE,
    inset = c(0, -0.1)
  )
  invisible(places)
}

# The highest risk before and after.
plot.shoal_risk <- function(x, ...) {
  kinds <- Filter(function(name) is.list(x[[name]]) && !is.null(x[[name]]$highest), names(x))
  after <- vapply(kinds, function(name) x[[name]]$highest, 0)
  before <- if (!is.null(x$original)) vapply(kinds, function(name) x$original[[name]]$highest, 0)
  heights <- rbind(before, after)
  places <- barplot(
    heights,
    beside = TRUE,
    names.arg = kinds,
    ylim = c(0, 1),
    ylab = "highest risk",
    border = NA,
    col = if (is.null(before)) plot_colours[1] else plot_colours[2:1],
    ...
  )
  if (!is.null(before)) {
    legend(
      "topright",
      legend = c("original", "release"),
      fill = plot_colours[2:1],
      border = NA,
      bty = "n"
    )
  }
  invisible(places)
}
