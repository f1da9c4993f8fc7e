# SPDX-License-Identifier: Apache-2.0
# Value generalisation trees: labels over sets of values. A hierarchy holds its labels, or
# is a recipe that the library carries out on the values of its column.

hierarchy <- function(levels = NULL, tree = NULL, file = NULL, recipe = NULL, values = NULL) {
  if (sum(!is.null(levels), !is.null(tree), !is.null(file), !is.null(recipe)) != 1) {
    usage("a hierarchy has one source", "give one of levels, tree, file and recipe")
  }
  if (!is.null(recipe)) {
    recipe <- sub("^build:", "", recipe)
    if (is.null(values)) {
      return(structure(list(recipe = recipe), class = "shoal_hierarchy"))
    }
    distinct <- unique(as.character(values[!is.na(values)]))
    return(hierarchy_of(core("r_hierarchy_build", enc2utf8(recipe), enc2utf8(distinct))))
  }
  if (!is.null(file)) {
    if (!file.exists(file)) {
      fail(-1, sprintf("cannot open '%s'", file), "name a hierarchy file")
    }
    return(hierarchy_of(paste0(
      paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n"),
      "\n"
    )))
  }
  hierarchy_of(levels_text(if (!is.null(tree)) tree_rows(tree) else level_rows(levels)))
}

hierarchy_of <- function(text) {
  seen <- core("r_hierarchy_look", enc2utf8(text), "hierarchy")
  structure(
    list(text = seen$text, leaves = seen$leaves, nodes = seen$nodes, height = seen$height),
    class = "shoal_hierarchy"
  )
}

# Rows of value, level 1, level 2, ...: a data frame or matrix with one column a level, or a named
# list value = c(level 1, ...).
level_rows <- function(levels) {
  if (is.data.frame(levels)) {
    levels <- as.matrix(levels)
  }
  if (is.matrix(levels)) {
    return(lapply(seq_len(nrow(levels)), function(row) as.character(levels[row, ])))
  }
  Map(
    function(value, above) c(value, as.character(above)),
    names(levels),
    levels,
    USE.NAMES = FALSE
  )
}

# Nested named lists; leaves are in character vectors.
tree_rows <- function(tree, above = character()) {
  if (is.list(tree)) {
    rows <- Map(
      function(label, below) tree_rows(below, c(label, above)),
      names(tree),
      tree,
      USE.NAMES = FALSE
    )
    rows <- unlist(rows, recursive = FALSE)
  } else {
    rows <- lapply(as.character(tree), function(leaf) c(leaf, above))
  }
  if (length(above) > 0) {
    return(rows)
  }
  if (length(rows) == 0) {
    usage("the tree has no leaves", "write hierarchy(tree = list(label = c(\"value\", \"value\")))")
  }
  deepest <- max(lengths(rows)) # a leaf that lies higher repeats its label, as level files do
  lapply(rows, function(row) c(rep(row[1], deepest - length(row)), row))
}

levels_text <- function(rows) {
  quote_cell <- function(cell) {
    ifelse(
      grepl("[\";\r\n]", cell),
      paste0("\"", gsub("\"", "\"\"", cell, fixed = TRUE), "\""),
      cell
    )
  }
  paste0(
    vapply(rows, function(row) paste(quote_cell(row), collapse = ";"), ""),
    "\n",
    collapse = ""
  )
}

as_hierarchy <- function(value) {
  if (inherits(value, "shoal_hierarchy")) {
    return(value)
  }
  if (is.character(value) && length(value) == 1 && is.null(names(value))) {
    return(
      if (grepl("^(build|known):", value)) hierarchy(recipe = value) else hierarchy(file = value)
    )
  }
  if (is.data.frame(value) || is.matrix(value)) {
    return(hierarchy(levels = value))
  }
  hierarchy(tree = value)
}

as.data.frame.shoal_hierarchy <- function(x, ...) {
  if (!is.null(x$recipe)) {
    usage(
      "a recipe has no labels before it is carried out",
      "make it with hierarchy(recipe = , values = )"
    )
  }
  utils::read.csv(
    text = x$text,
    sep = ";",
    header = FALSE,
    colClasses = "character",
    na.strings = character(),
    encoding = "UTF-8",
    col.names = c("value", paste0("level", seq_len(x$height)))
  )
}

print.shoal_hierarchy <- function(x, ...) {
  if (!is.null(x$recipe)) {
    cat("Hierarchy by the recipe", x$recipe, "\n")
  } else {
    cat(sprintf(
      "Hierarchy of %d values, %d labels, height %d\n",
      x$leaves,
      x$nodes - x$leaves,
      x$height
    ))
  }
  invisible(x)
}
