# SPDX-License-Identifier: Apache-2.0
# Data frames in and out.
#
# Numbers and the codes of factors are read where they lie; texts go in as the codes of the distinct
# ones. What is no quasi-identifier is never handed over: it stays the vector that it was.

check_frame <- function(table) {
  if (!is.data.frame(table)) {
    usage(
      sprintf("a table of class '%s' is not known", class(table)[1]),
      "give a data.frame or a tibble"
    )
  }
  twice <- anyDuplicated(names(table))
  if (twice > 0) {
    fail(-4, sprintf("two columns are named '%s'", names(table)[twice]), "rename one")
  }
  table
}

# Columns that a plan joins of two are made where a file is read; here they are an error.
check_joined <- function(table, plan, lacking) {
  for (column in Filter(
    function(column) !is.null(column$join) && column$name %in% lacking,
    plan_columns(plan)
  )) {
    parts <- gsub("\\,", ",", strsplit(column$join, "(?<!\\\\),", perl = TRUE)[[1]], fixed = TRUE)
    values <- sprintf("table[[\"%s\"]]", parts)
    usage(
      sprintf(
        "column '%s' is joined of two where a file is read; data frames are not joined",
        column$name
      ),
      sprintf(
        paste0(
          "make it first: table[[\"%s\"]] <- ifelse(is.na(%s), NA, paste(%s, sep = \";\")); ",
          "then leave the two out: table[c(%s)] <- NULL"
        ),
        column$name,
        paste(values, collapse = ") | is.na("),
        paste(values, collapse = ", "),
        paste(sprintf("\"%s\"", parts), collapse = ", ")
      )
    )
  }
}

# Are all these columns in the table? Those that are not are listed, with a likely spelling.
check_columns <- function(table, named, plan = NULL) {
  lacking <- setdiff(named, names(table))
  if (length(lacking) == 0) {
    return(invisible())
  }
  if (!is.null(plan)) {
    check_joined(table, plan, lacking)
  }
  distances <- adist(lacking[1], names(table), ignore.case = TRUE)[1, ]
  near <- if (length(distances) > 0 && min(distances) <= 2 && min(distances) < nchar(lacking[1])) {
    names(table)[which.min(distances)]
  }
  usage(
    sprintf("the table has no column %s", paste0("'", lacking, "'", collapse = ", ")),
    paste0(
      if (!is.null(near)) sprintf("did you mean '%s'? ", near),
      "its columns are ",
      paste(names(table), collapse = ", ")
    )
  )
}

# ---- in ----

# A number of days where no value has a time of day; else NULL, and their texts go to the library,
# which reads them as dates with times.
whole_days <- function(x) {
  zone <- attr(x, "tzone")[1]
  days <- as.Date(x, tz = if (is.null(zone)) "" else zone)
  midnight <- as.POSIXct(format(days), tz = if (is.null(zone)) "" else zone)
  if (all(is.na(x) | midnight == x)) days
}

by_texts <- function(x, texts = as.character) {
  distinct <- unique(x[!is.na(x)])
  list(values = match(x, distinct), levels = enc2utf8(texts(distinct)))
}

by_levels <- function(x) {
  missing <- which(is.na(levels(x)))
  if (length(missing) == 0) {
    return(list(values = x, levels = enc2utf8(levels(x))))
  }
  codes <- as.integer(x) # NA is a level of its own
  codes[codes %in% missing] <- NA_integer_
  known <- levels(x)
  known[missing] <- ""
  list(values = codes, levels = enc2utf8(known))
}

encode_values <- function(x) {
  if (inherits(x, "POSIXt")) {
    x <- as.POSIXct(x)
    days <- whole_days(x)
    if (is.null(days)) {
      return(by_texts(x, format))
    }
    x <- days
  }
  if (is.factor(x)) {
    return(by_levels(x))
  }
  if (inherits(x, "Date")) {
    return(list(values = as.integer(floor(unclass(x))), is_date = TRUE))
  }
  if (inherits(x, c("haven_labelled", "difftime"))) {
    x <- as.vector(unclass(x))
  }
  if (is.logical(x)) {
    return(list(values = x, levels = c("FALSE", "TRUE")))
  }
  if (is.numeric(x) && !is.object(x)) {
    return(list(values = x))
  }
  by_texts(x)
}

encode_column <- function(table, name) {
  x <- table[[name]]
  if (!is.null(dim(x)) || (is.list(x) && !inherits(x, "POSIXlt"))) {
    fail(
      -4,
      sprintf("column '%s' has a list or a matrix in it", name),
      "make it a vector, or give it the role other or drop"
    )
  }
  c(list(name = enc2utf8(name)), encode_values(x))
}

# What the extension takes for a table.
encode_table <- function(table, named) {
  list(
    n_rows = as.double(nrow(table)),
    columns = lapply(named, function(name) encode_column(table, name))
  )
}

# ---- out ----

# A frame of the kind that came in, without row names (they would be published) and without what
# other packages remember of the original.
like_frame <- function(columns, table, n_rows) {
  kind <- if (inherits(table, "tbl_df")) c("tbl_df", "tbl", "data.frame") else "data.frame"
  structure(columns, class = kind, row.names = .set_row_names(n_rows))
}

# The rows that are kept, without the levels that only other rows had. `kept` NULL: all.
some_rows <- function(x, kept) {
  if (is.null(kept)) {
    return(x)
  }
  x <- if (length(dim(x)) == 2) x[kept, , drop = FALSE] else x[kept]
  if (is.factor(x)) droplevels(x) else x
}

# The columns of a table with some replaced or added, some left out.
rebuild <- function(table, replaced, left_out, kept) {
  names_out <- c(setdiff(names(table), left_out), setdiff(names(replaced), names(table)))
  columns <- lapply(names_out, function(name) {
    some_rows(if (name %in% names(replaced)) replaced[[name]] else table[[name]], kept)
  })
  like_frame(setNames(columns, names_out), table, if (is.null(kept)) nrow(table) else sum(kept))
}

# ---- as CSV ----

spell_numbers <- function(x) {
  distinct <- unique(x)
  texts <- sprintf("%.15g", distinct)
  longer <- is.finite(distinct) & as.numeric(texts) != distinct
  texts[longer] <- sprintf("%.17g", distinct[longer])
  texts[match(x, distinct)]
}

spell_cells <- function(x, null) {
  is_missing <- is.na(x)
  texts <- if (is.double(x) && !is.object(x)) {
    spell_numbers(x)
  } else if (inherits(x, "POSIXt")) {
    format(x)
  } else {
    as.character(x)
  }
  texts <- enc2utf8(texts)
  quoted <- grep("[\",\r\n]", texts)
  texts[quoted] <- paste0("\"", gsub("\"", "\"\"", texts[quoted], fixed = TRUE), "\"")
  texts[is_missing] <- null
  texts
}

# The text of a table as the command writes it: quotes where they are needed, "\n" behind each line.
csv_text <- function(table, null = "") {
  columns <- lapply(table, spell_cells, null)
  if (length(columns) == 1) {
    columns[[1]][columns[[1]] == ""] <- "\"\""
  } # an empty line is no row
  head <- paste(spell_cells(names(table), ""), collapse = ",")
  body <- if (nrow(table) > 0) do.call(paste, c(unname(columns), sep = ","))
  paste0(paste(c(head, body), collapse = "\n"), "\n")
}

read_csv_text <- function(text) {
  read.csv(
    text = text,
    colClasses = "character",
    check.names = FALSE,
    na.strings = character(),
    encoding = "UTF-8"
  )
}
