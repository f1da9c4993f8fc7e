# SPDX-License-Identifier: Apache-2.0
# The verbs that make a release.

# Does every column have a role, and can these roles be carried out here?
check_roles <- function(table, plan) {
  check_columns(table, plan_names(plan), plan)
  roles <- plan_roles(plan)
  for (role in intersect(c("pseudonym", "count"), roles)) {
    usage(
      sprintf("columns with the role %s cannot be released from R", role),
      "use the command shoal for them"
    )
  }
  without_role <- setdiff(names(table), names(roles)[nzchar(roles)])
  if (length(without_role) > 0 && is.null(plan$fields$rest)) {
    usage(
      paste("columns without a role:", paste(without_role, collapse = ", ")),
      "set their roles, or write rest = \"keep\" or rest = \"drop\""
    )
  }
}

encode_population <- function(population, plan) {
  if (is.null(population)) {
    return(NULL)
  }
  check_columns(check_frame(population), plan_qids(plan), plan)
  encode_table(
    population,
    c(plan_qids(plan), intersect(plan_named(plan, "entity"), names(population)))
  )
}

# What the extension takes: the plan for the columns that are wanted, and the tables.
make_request <- function(plan, wanted, tables, ...) {
  c(plan_job(only_columns(plan, wanted)), list(tables = tables, ...))
}

# Does the library write the releases of this method as text?
is_text_method <- function(algorithm) {
  methods <- registry()$methods
  at <- if (is.null(algorithm)) 1 else match(algorithm, methods$name)
  !is.na(at) && any(c("writes-two-tables", "generalises-sensitive") %in% methods$traits[[at]])
}

release_table <- function(table, plan, population, progress, levels = NULL) {
  check_roles(table, plan)
  wanted <- plan_named(plan, encoded_roles)
  is_text <- is.null(levels) && is_text_method(plan$fields$algorithm)
  source <- if (!is_text) encode_table(table, wanted)
  null <- plan$fields$input$nulls
  csv <- if (is_text) {
    csv_text(
      like_frame(unclass(table)[wanted], table, nrow(table)),
      if (length(null) > 0) null[[1]] else ""
    )
  }
  request <- make_request(
    plan,
    wanted,
    list(source, encode_population(population, plan)),
    csv = csv,
    levels = levels,
    original = table,
    population = population
  )
  handle <- core_watched("r_anonymize", request, progress = progress)
  release <- new_release(handle, table, plan, is_text)
  if (isTRUE(attr(handle, "interrupted"))) {
    warning(structure(
      list(message = "interrupted: this is the best valid release so far", call = NULL),
      class = c("shoal_interrupted", "warning", "condition")
    ))
  }
  release
}

anonymize <- function(
  table,
  qids = NULL,
  k = NULL,
  ...,
  sensitive = NULL,
  models = NULL,
  hierarchies = NULL,
  algorithm = NULL,
  seed = NULL,
  class = NULL,
  identifiers = NULL,
  entity = NULL,
  other = NULL,
  drop = NULL,
  rest = NULL,
  numeric = NULL,
  categorical = NULL,
  dates = NULL,
  ordered = NULL,
  formats = NULL,
  sensitive_ranges = NULL,
  null = NULL,
  missing = NULL,
  on_missing = NULL,
  domain = NULL,
  recoding = NULL,
  priority = NULL,
  weights = NULL,
  max_level = NULL,
  suppression_limit = NULL,
  drop_suppressed = NULL,
  suppressed = NULL,
  row_order = NULL,
  population = NULL,
  threads = NULL,
  time_limit = NULL,
  params = NULL,
  plan = NULL,
  progress = getOption("shoal.progress", FALSE)
) {
  settings <- as.list(environment())
  table <- check_frame(table)
  release_table(table, build_plan(plan, settings, list(...)), population, progress)
}

# Levels of a release, of its report, of a file that has them, or as a named vector.
level_choices <- function(levels) {
  if (inherits(levels, "shoal_release")) {
    levels <- release_report(self_of(levels), FALSE)
  }
  if (is.character(levels)) {
    levels <- fromJSON(levels)
  }
  if (is.list(levels) && !is.null(levels$levels)) {
    heights <- levels$level_heights
    levels <- unlist(levels$levels)
  } else {
    heights <- NULL
    levels <- unlist(levels)
  }
  if (!is.numeric(levels) || is.null(names(levels))) {
    usage(
      "there are no levels",
      "give a release of a method that publishes levels, such as datafly or iack, or c(column = level)"
    )
  }
  known <- names(levels) %in% names(heights)
  height <- rep(-1L, length(levels))
  height[known] <- as.integer(unlist(heights[names(levels)[known]]))
  list(column = enc2utf8(names(levels)), level = as.integer(levels), height = height)
}

apply_levels <- function(
  table,
  levels,
  k = NULL,
  ...,
  sensitive = NULL,
  models = NULL,
  hierarchies = NULL,
  class = NULL,
  identifiers = NULL,
  entity = NULL,
  other = NULL,
  drop = NULL,
  rest = NULL,
  numeric = NULL,
  categorical = NULL,
  dates = NULL,
  ordered = NULL,
  formats = NULL,
  null = NULL,
  missing = NULL,
  on_missing = NULL,
  domain = NULL,
  drop_suppressed = NULL,
  suppressed = NULL,
  population = NULL,
  threads = NULL,
  plan = NULL,
  progress = getOption("shoal.progress", FALSE)
) {
  settings <- as.list(environment())
  table <- check_frame(table)
  choices <- level_choices(levels)
  settings$qids <- choices$column
  no_more(...)
  release_table(table, build_plan(plan, settings), population, progress, levels = choices)
}

# ---- what there is ----

registry <- function() fromJSON(core("r_registry"))

params_of <- function(algorithm) {
  names_of <- registry()$methods$name
  at <- if (is.null(algorithm)) 1L else match(algorithm, names_of)
  cells <- if (is.na(at)) matrix(character(), 0, 4) else core("r_algorithm_params", at)
  data.frame(name = cells[, 1], values = cells[, 2], default = cells[, 3], help = cells[, 4])
}

algorithms <- function(name = NULL) {
  if (is.null(name)) {
    return(registry()$methods[c("name", "summary")])
  }
  params_of(name)
}

models <- function() registry()$models[c("name", "variant", "values", "summary")]
