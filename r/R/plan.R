# SPDX-License-Identifier: Apache-2.0
# A plan: the specification of one release. Arguments become entries of a plan, which goes
# to the library as the text of a plan file; what entries mean and which values they may have is the
# library's business.

# Arguments that name columns, and the roles and types they give.
roles_of_arguments <- c(
  qids = "quasi",
  sensitive = "sensitive",
  class = "class",
  identifiers = "identifier",
  entity = "entity",
  other = "other",
  drop = "drop"
)
types_of_arguments <- c(numeric = "numeric", categorical = "categorical", dates = "date")
published_roles <- c("quasi", "sensitive", "class", "other")
encoded_roles <- c("quasi", "sensitive", "class", "entity")

make_plan <- function(fields = list(), hierarchies = list()) {
  structure(list(fields = fields, hierarchies = hierarchies), class = "shoal_plan")
}

# Entries are texts: a plan file has nothing else.
spell <- function(value) {
  if (is.logical(value)) {
    return(ifelse(value, "true", "false"))
  }
  if (is.numeric(value)) {
    return(vapply(
      value,
      format,
      "",
      digits = 15,
      scientific = FALSE,
      trim = TRUE,
      decimal.mark = "."
    ))
  }
  enc2utf8(as.character(value))
}

joined <- function(value) paste(spell(value), collapse = ",")

plan_json <- function(fields) {
  enc2utf8(as.character(toJSON(fields, auto_unbox = TRUE, digits = NA, null = "null")))
}

parse_plan <- function(text, name) {
  fields <- fromJSON(
    core("r_plan_read", enc2utf8(text), enc2utf8(name)),
    simplifyVector = FALSE,
    bigint_as_char = TRUE
  )
  make_plan(fields)
}

read_plan <- function(file) {
  if (length(file) > 1 || grepl("\n", file)) {
    return(parse_plan(paste(file, collapse = "\n"), "the plan"))
  }
  if (!file.exists(file)) {
    fail(-1, sprintf("cannot open '%s'", file), "name a plan file, or give the text of one")
  }
  parse_plan(
    paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n"),
    normalizePath(file)
  )
}

as_plan <- function(plan) {
  if (is.null(plan)) {
    return(make_plan())
  }
  if (inherits(plan, "shoal_plan")) {
    return(plan)
  }
  if (is.character(plan)) {
    return(read_plan(plan))
  }
  if (is.list(plan)) {
    return(make_plan(plan))
  }
  usage("the plan is neither a plan nor a file", "see ?read_plan")
}

plan_text <- function(plan) {
  job <- plan_job(as_plan(plan))
  paste0(
    toJSON(
      fromJSON(job$plan, simplifyVector = FALSE),
      auto_unbox = TRUE,
      pretty = TRUE,
      null = "null"
    ),
    "\n"
  )
}

# ---- what is in it ----

plan_columns <- function(plan) plan$fields$columns
plan_names <- function(plan) vapply(plan_columns(plan), function(column) column$name, "")
plan_roles <- function(plan) {
  setNames(
    vapply(plan_columns(plan), function(column) if (is.null(column$role)) "" else column$role, ""),
    plan_names(plan)
  )
}
plan_named <- function(plan, roles) {
  have <- plan_roles(plan)
  names(have)[have %in% roles]
}
plan_qids <- function(plan) plan_named(plan, "quasi")

# The plan as the library sees it: without the columns that it is not given.
only_columns <- function(plan, wanted) {
  plan$fields$columns <- Filter(function(column) column$name %in% wanted, plan_columns(plan))
  plan
}

no_hierarchies <- setNames(character(), character())

# The plan as text, and hierarchies that hold their labels as level files, named by their columns.
plan_job <- function(plan) {
  texts <- no_hierarchies
  named <- plan_names(plan)
  for (name in intersect(names(plan$hierarchies), named)) {
    tree <- plan$hierarchies[[name]]
    at <- match(name, named)
    plan$fields$columns[[at]]$hierarchy <- if (!is.null(tree$recipe)) paste0("build:", tree$recipe)
    if (is.null(tree$recipe)) texts[[name]] <- tree$text
  }
  list(
    plan = plan_json(plan$fields),
    hierarchies = setNames(enc2utf8(texts), enc2utf8(names(texts)))
  )
}

# ---- arguments laid over a plan ----

# "l-diversity=distinct:3", "l-diversity=disease=distinct:3", c("l-diversity", "distinct:3"[,
# "disease"]) or a named list of these parts
parse_model <- function(model) {
  if (length(model) > 1 || is.list(model)) {
    parts <- lapply(as.list(model), spell)
    if (is.null(names(parts))) {
      names(parts) <- c("name", "value", "column")[seq_along(parts)]
    }
    made <- parts
  } else {
    halves <- regmatches(model, regexpr("=", model), invert = TRUE)[[1]]
    value <- if (length(halves) > 1) halves[2] else ""
    made <- list(name = halves[1], value = sub(".*=", "", value))
    if (grepl("=", value)) made$column <- sub("=[^=]*$", "", value)
  }
  if (is.null(made$value) || !nzchar(made$value)) {
    usage(
      "a model has no name or no value",
      'write models = "l-diversity=distinct:3" or list(c("l-diversity", "distinct:3", "disease"))'
    )
  }
  made
}

parse_models <- function(models) {
  if (!is.null(names(models)) && !all(c("name", "value") %in% names(models))) {
    models <- Map(c, names(models), unlist(models))
  } else if (is.list(models) && !is.null(names(models))) {
    models <- list(models)
  }
  unname(lapply(models, parse_model))
}

# ordered = list(rank = c("low", "middle", "high")), c(rank = "low < middle < high"), or names
# alone: an ordered factor has its levels, and the library finds the order of ranges of numbers.
orders_of <- function(ordered, table) {
  if (!is.null(names(ordered))) {
    return(lapply(ordered, function(order) paste(spell(order), collapse = " < ")))
  }
  has_levels <- function(name) is.data.frame(table) && is.ordered(table[[name]])
  named <- as.character(unlist(ordered))
  setNames(
    lapply(named, function(name) {
      if (has_levels(name)) paste(levels(table[[name]]), collapse = " < ") else "auto"
    }),
    named
  )
}

# formats = c(born = "DD.MM.YYYY"), or "born=DD.MM.YYYY" as the command takes it.
formats_of <- function(formats) {
  if (!is.null(names(formats)) || length(formats) == 0) {
    return(formats)
  }
  if (!all(grepl("=", formats, fixed = TRUE))) {
    usage("a format is for no column", "write formats = c(born = \"DD.MM.YYYY\")")
  }
  setNames(sub(".*=", "", formats), sub("=[^=]*$", "", formats))
}

lay_roles <- function(columns, settings) {
  given <- character()
  for (argument in names(roles_of_arguments)) {
    for (name in as.character(settings[[argument]])) {
      if (name %in% names(given) && given[[name]] != argument) {
        usage(
          sprintf("column '%s' has two roles, %s and %s", name, given[[name]], argument),
          "name it in one of them"
        )
      }
      given[[name]] <- argument
      columns[[name]] <- utils::modifyList(
        c(list(name = name), columns[[name]]),
        list(role = roles_of_arguments[[argument]])
      )
    }
  }
  columns
}

lay_columns <- function(columns, settings) {
  names(columns) <- vapply(columns, function(column) column$name, "")
  columns <- lay_roles(columns, settings)
  set <- function(name, key, value) {
    columns[[name]] <<- utils::modifyList(
      c(list(name = name), columns[[name]]),
      setNames(list(value), key)
    )
  }
  for (argument in names(types_of_arguments)) {
    for (name in as.character(settings[[argument]])) {
      set(name, "type", types_of_arguments[[argument]])
    }
  }
  data <- if (is.null(settings$table)) settings$original else settings$table
  orders <- orders_of(settings$ordered, data)
  for (name in names(orders)) {
    set(name, "ordered", orders[[name]])
  }
  formats <- formats_of(settings$formats)
  for (name in names(formats)) {
    set(name, "format", formats[[name]])
  }
  for (name in names(settings$sensitive_ranges)) {
    set(name, "sensitive-range", spell(settings$sensitive_ranges[[name]]))
  }
  for (name in names(settings$weights)) {
    set(name, "weights", joined(settings$weights[[name]]))
  }
  for (name in names(settings$max_level)) {
    set(name, "max-level", spell(settings$max_level[[name]]))
  }
  # the order of quasi-identifiers is the one in which they are named here
  first <- as.character(settings$qids)
  columns <- lapply(columns[c(first, setdiff(names(columns), first))], function(column) {
    column[!duplicated(names(column))]
  })
  unname(columns)
}

# Names that arguments had, or that one may expect from the command, and the names they have.
renamed_arguments <- c(
  class_column = "class",
  level_weights = "weights",
  nulls = "null",
  qid = "qids",
  identifier = "identifiers",
  date = "dates",
  format = "formats",
  sensitive_range = "sensitive_ranges",
  hierarchy = "hierarchies",
  param = "params"
)

# The error for an unknown argument, with the nearest name.
unknown_argument <- function(name, known) {
  near <- known[utils::adist(name, known)[1, ] <= max(1, nchar(name) %/% 3)]
  if (name %in% names(renamed_arguments)) {
    near <- renamed_arguments[[name]]
  } else {
    near <- near[order(utils::adist(name, near)[1, ])]
  }
  usage(
    sprintf("there is no argument '%s'", name),
    if (length(near) > 0) {
      sprintf("did you mean %s?", near[[1]])
    } else {
      "the help page lists the arguments, algorithms() the parameters of each method"
    }
  )
}

# Parameters keep the names they have; where those have dashes R writes underscores.
param_name <- function(name, known, arguments) {
  dashed <- gsub("_", "-", name, fixed = TRUE)
  if (name %in% known) {
    return(name)
  }
  if (dashed %in% known) {
    return(dashed)
  }
  unknown_argument(name, c(arguments, gsub("-", "_", known, fixed = TRUE)))
}

lay_params <- function(fields, params, arguments, algorithms = NULL) {
  if (length(params) == 0) {
    return(fields)
  }
  if (is.null(names(params)) || !all(nzchar(names(params)))) {
    usage("an argument has no name", "parameters of the method are named: effort = 2")
  }
  methods <- if (length(algorithms) > 0) algorithms else list(fields$algorithm)
  is_known <- vapply(methods, function(method) is.null(method) || nrow(params_of(method)) > 0, NA)
  known <- unlist(lapply(methods, function(method) params_of(method)$name))
  # an unknown method is reported elsewhere
  if (all(is_known)) {
    names(params) <- vapply(names(params), param_name, "", known, arguments)
  }
  set_params(fields, params)
}

set_params <- function(fields, params) {
  laid <- setNames(
    lapply(fields$params, function(param) param$value),
    vapply(fields$params, function(param) param$name, "")
  )
  for (name in names(params)) {
    laid[[name]] <- joined(params[[name]])
  }
  if (length(laid) > 0) {
    fields$params <- unname(Map(
      function(name, value) list(name = name, value = value),
      names(laid),
      laid
    ))
  }
  fields
}

lay_fields <- function(fields, settings) {
  for (name in c(
    "k",
    "algorithm",
    "seed",
    "threads",
    "rest",
    "recoding",
    "domain",
    "suppressed",
    "on_missing",
    "time_limit",
    "suppression_limit",
    "row_order",
    "drop_suppressed"
  )) {
    if (!is.null(settings[[name]])) {
      fields[[gsub("_", "-", name, fixed = TRUE)]] <- joined(settings[[name]])
    }
  }
  priority <- settings$priority
  if (!is.null(names(priority))) {
    priority <- paste0(names(priority), "=", spell(unlist(priority)))
  }
  if (!is.null(priority)) {
    fields$priority <- joined(priority)
  }
  if (!is.null(settings$weights) && is.null(names(settings$weights))) {
    fields$weights <- joined(settings$weights)
  }
  if (!is.null(settings$null)) {
    fields$input$nulls <- as.list(spell(settings$null))
  }
  if (!is.null(settings$missing)) {
    fields$input$missing <- spell(settings$missing)
  }
  if (length(settings$models) > 0) {
    fields$models <- parse_models(settings$models)
  }
  fields
}

# `settings` are arguments of a verb, NULL if not given; they override the plan's.
build_plan <- function(plan, settings, given = list(), algorithms = NULL) {
  plan <- as_plan(plan)
  columns <- lay_columns(as.list(plan$fields$columns), settings)
  plan$fields <- lay_fields(plan$fields, settings)
  plan$fields$columns <- if (length(columns) > 0) columns
  trees <- settings$hierarchies
  if (is.character(trees) && is.null(names(trees))) {
    plan$fields$hierarchies <- normalizePath(trees, mustWork = FALSE)
  } else if (!is.null(trees)) {
    for (name in names(trees)) {
      plan$hierarchies[[name]] <- as_hierarchy(trees[[name]])
    }
  }
  params <- c(as.list(settings$params), given)
  plan$fields <- lay_params(plan$fields, params, names(settings), algorithms)
  if (length(plan_qids(plan)) == 0) {
    usage(
      "no quasi-identifier was named",
      "say which columns others may know: qids = c(\"age\", \"sex\")"
    )
  }
  plan
}

propose_plan <- function(table, null = NULL, progress = getOption("shoal.progress", FALSE)) {
  table <- check_frame(table)
  plain <- Filter(
    function(name) is.null(dim(table[[name]])) && !is.list(table[[name]]),
    names(table)
  )
  request <- list(
    plan = "{}",
    hierarchies = no_hierarchies,
    tables = list(original = encode_table(table, plain)),
    nulls = enc2utf8(as.character(null))
  )
  found <- core_watched("r_profile", request, progress = progress)
  plan <- parse_plan(found[[1]], "the proposed plan")
  plan$text <- found[[1]]
  plan$profile <- record(found[[2]])
  plan
}

print.shoal_plan <- function(x, ...) {
  roles <- plan_roles(x)
  k <- x$fields$k
  cat("Plan,", if (is.null(k)) "no k yet" else paste("k =", k), "\n")
  if (length(roles) > 0) {
    types <- vapply(
      plan_columns(x),
      function(column) if (is.null(column$type)) "" else column$type,
      ""
    )
    print(data.frame(role = unname(roles), type = types, row.names = names(roles)))
  }
  invisible(x)
}
