# SPDX-License-Identifier: Apache-2.0
# What a stronger promise costs: the same table released for many k, models or parameters, by one
# method or several.

frontier <- function(
  table,
  qids = NULL,
  ks = c(2, 5, 10, 25, 50, 100),
  ...,
  algorithms = NULL,
  vary = NULL,
  queries = 10000,
  bound = TRUE,
  dimensions = NULL,
  hierarchies = NULL,
  sensitive = NULL,
  models = NULL,
  class = NULL,
  identifiers = NULL,
  entity = NULL,
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
  suppressed = NULL,
  population = NULL,
  seed = NULL,
  threads = NULL,
  time_limit = NULL,
  params = NULL,
  plan = NULL,
  progress = getOption("shoal.progress", FALSE)
) {
  settings <- as.list(environment())
  plan <- build_plan(plan, settings, list(...), as.character(algorithms))
  plan$fields$rest <- "drop"
  table <- table_of(table)
  check_columns(table, plan_names(plan), plan)
  wanted <- plan_named(plan, encoded_roles)
  tables <- list(
    original = encode_table(table, wanted),
    population = encode_population(population, plan)
  )
  plan$fields$k <- NULL
  found <- fromJSON(ask(
    "frontier",
    plan,
    wanted,
    tables,
    ks = ks,
    algorithms = as.character(algorithms),
    vary = names(vary)[1],
    values = if (is.null(vary)) character() else spell(vary[[1]]),
    queries = queries,
    dimensions = dimensions,
    without_bound = !isTRUE(bound),
    progress = progress
  ))
  made <- do.call(
    rbind,
    Map(
      curve_of,
      found$series$algorithm,
      found$series$knee,
      found$series$points,
      MoreArgs = list(found$vary)
    )
  )
  structure(
    made,
    row.names = .set_row_names(nrow(made)),
    class = c("shoal_frontier", "data.frame"),
    vary = found$vary
  )
}

# The last number in a value ("distinct:3" is 3), or its place in the list.
number_of <- function(value, place) {
  found <- regmatches(value, regexpr("[0-9.]+$", value))
  if (length(found) > 0) as.numeric(found) else as.numeric(place)
}

# The releases of one method, as rows; numbers that are not known are NA.
curve_of <- function(algorithm, knee, points, vary) {
  for (name in setdiff(names(points), c("value", "unsatisfiable", "stopped_early"))) {
    points[[name]] <- as.numeric(points[[name]])
  }
  points$x <- mapply(number_of, points$value, seq_along(points$value), USE.NAMES = FALSE)
  data.frame(
    algorithm = algorithm,
    vary = vary,
    points,
    knee = points$value %in% knee,
    check.names = FALSE
  )
}
