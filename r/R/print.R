# SPDX-License-Identifier: Apache-2.0
# Answers for people.

spell_value <- function(value) {
  if (is.null(value) || (length(value) == 1 && is.na(value))) {
    return("-")
  }
  if (is.logical(value)) {
    return(ifelse(value, "yes", "no"))
  }
  if (is.numeric(value)) {
    return(format(value, digits = 4, big.mark = ",", trim = TRUE))
  }
  as.character(value)
}

# Single numbers line by line; what has parts is named.
print.shoal_record <- function(x, ...) {
  single <- vapply(
    x,
    function(value) is.null(value) || (is.atomic(value) && length(value) == 1),
    NA
  )
  width <- max(c(0, nchar(names(x)[single])))
  for (name in names(x)[single]) {
    cat("  ", format(name, width = width), "  ", spell_value(x[[name]]), "\n", sep = "")
  }
  for (name in names(x)[!single]) {
    value <- x[[name]]
    if (is.data.frame(value)) {
      cat(
        "  $",
        name,
        ": ",
        nrow(value),
        " rows of ",
        paste(names(value), collapse = ", "),
        "\n",
        sep = ""
      )
    } else if (is.list(value)) {
      cat("  $", name, ": ", paste(names(value), collapse = ", "), "\n", sep = "")
    } else {
      cat(
        "  $",
        name,
        ": ",
        paste(spell_value(head(value, 8)), collapse = ", "),
        if (length(value) > 8) " ...",
        "\n",
        sep = ""
      )
    }
  }
  invisible(x)
}

print.shoal_check <- function(x, ...) {
  cat(if (isTRUE(x$satisfied)) "Satisfied" else "Not satisfied", "\n", sep = "")
  print.shoal_record(as_record(unclass(x)[setdiff(names(x), "satisfied")]))
  invisible(x)
}

print.shoal_risk <- function(x, ...) {
  cat("Risk of being recognised, from 0 to 1\n")
  kinds <- Filter(function(name) is.list(x[[name]]) && !is.null(x[[name]]$highest), names(x))
  for (name in kinds) {
    before <- x$original[[name]]$highest
    cat(
      "  ",
      format(name, width = 12),
      "highest ",
      spell_value(x[[name]]$highest),
      if (!is.null(before)) paste0(" (before: ", spell_value(before), ")"),
      "\n",
      sep = ""
    )
  }
  print.shoal_record(as_record(unclass(x)[setdiff(names(x), c(kinds, "original"))]))
  invisible(x)
}

print.shoal_attack <- function(x, ...) {
  found <- x$attacks[!is.na(x$attacks$rate), ]
  cat("Attacks that were carried out; none of them proves that others fail\n")
  if (NROW(found) > 0) {
    shown <- found[intersect(
      c("name", "release", "successes", "trials", "rate", "control", "above_control"),
      names(found)
    )]
    print(shown, digits = 3, row.names = FALSE)
  }
  if (length(x$not_tried) > 0) {
    cat(
      "Not tried: ",
      paste(x$not_tried, collapse = ", "),
      " ($attacks has the reasons)\n",
      sep = ""
    )
  }
  invisible(x)
}

print.shoal_frontier <- function(x, ...) {
  cat(nrow(x), " releases that were tried; ", attr(x, "vary"), " varies\n", sep = "")
  shown <- c(
    "algorithm",
    "value",
    "k",
    "gcp",
    "lower_bound",
    "risk_max",
    "are",
    "groups",
    "seconds",
    "knee"
  )
  print.data.frame(
    as.data.frame(unclass(x)[intersect(shown, names(x))]),
    digits = 4,
    row.names = FALSE
  )
  invisible(x)
}
