# SPDX-License-Identifier: Apache-2.0
# What a stronger promise costs: the same table released for many k, models or parameters, by one method or several.

is_model <- function(name) name %in% registry()$models$name

# The plan of one trial: parameters that this method has, and what varies in place of what was said of it.
point_plan <- function(plan, algorithm, k, vary, value) {
  fields <- plan$fields
  fields$columns <- NULL
  fields$k <- spell(k)
  fields$algorithm <- algorithm
  known <- params_of(algorithm)$name
  fields$params <- Filter(function(param) param$name %in% known, fields$params)
  if (vary == "k") return(plan_json(fields))
  if (is_model(vary)) {
    fields$models <- c(Filter(function(model) model$name != vary, fields$models), list(list(name = vary, value = value)))
  } else {
    fields$params <- c(Filter(function(param) param$name != vary, fields$params), list(list(name = vary, value = value)))
  }
  plan_json(fields)
}

# What varies, by its name: a letter stands for a model, unless every method has such a parameter.
varied_name <- function(vary, methods) {
  has <- vapply(methods, function(method) vary %in% params_of(method)$name, NA)
  if (all(has) || is_model(vary)) return(vary)
  rows <- registry()$models
  at <- match(vary, rows$letter)
  if (!is.na(at)) return(rows$name[at])
  usage(sprintf("'%s' is neither a privacy model nor a parameter of %s", vary, methods[!has][1]), "see algorithms() and models()")
}

# The last number in a value ("distinct:3" is 3), or its place in the list.
number_of <- function(value, place) {
  found <- regmatches(value, regexpr("[0-9.]+$", value))
  if (length(found) > 0) as.numeric(found) else as.numeric(place)
}

check_methods <- function(methods) {
  known <- registry()$methods$name
  for (name in setdiff(methods, known)) {
    usage(sprintf("there is no algorithm '%s'", name), paste("the algorithms are", paste(known, collapse = ", ")))
  }
}

# What no release with this k loses less than, named by k; NA where nobody knows.
find_bounds <- function(trials, plan, algorithm, ks, progress) {
  found <- vapply(ks, function(k) {
    request <- list(plan = point_plan(plan, algorithm, k, "k", spell(k)), hierarchies = no_hierarchies)
    core_watched("r_trial_bound", trials, request, progress = progress)
  }, 0)
  setNames(found, spell(ks))
}

# One curve: a method over the points.
try_points <- function(trials, plan, algorithm, points, bounds, progress) {
  rows <- lapply(seq_len(nrow(points)), function(i) {
    request <- list(plan = point_plan(plan, algorithm, points$k[i], points$vary[i], points$value[i]), hierarchies = no_hierarchies)
    found <- core_watched("r_trial_run", trials, request, progress = progress)
    data.frame(algorithm = algorithm, points[i, ], as.list(found), check.names = FALSE)
  })
  made <- do.call(rbind, rows)
  made$lower_bound <- bounds[spell(made$k)]
  for (name in c("stopped_early", "unsatisfiable")) made[[name]] <- as.logical(made[[name]])
  across <- if (points$vary[1] == "k") made$risk_max else made$x
  made$knee <- seq_len(nrow(made)) %in% core("r_knee", as.double(across), as.double(made$gcp))
  made
}

frontier <- function(table, qids = NULL, ks = c(2, 5, 10, 25, 50, 100), ..., algorithms = NULL, vary = NULL, queries = 10000, bound = TRUE,
                     dimensions = NULL, hierarchies = NULL, sensitive = NULL, models = NULL, class = NULL, identifiers = NULL,
                     entity = NULL, numeric = NULL, categorical = NULL, dates = NULL,
                     ordered = NULL, formats = NULL, sensitive_ranges = NULL, null = NULL, missing = NULL,
                     on_missing = NULL, domain = NULL, recoding = NULL, priority = NULL, weights = NULL, max_level = NULL,
                     suppression_limit = NULL, suppressed = NULL, population = NULL, seed = NULL, threads = NULL, time_limit = NULL,
                     params = NULL, plan = NULL, progress = getOption("shoal.progress", FALSE)) {
  said <- as.list(environment())
  plan <- build_plan(plan, said, list(...), as.character(algorithms))
  plan$fields$rest <- "drop"
  methods <- if (length(algorithms) > 0) as.character(algorithms) else c(plan$fields$algorithm, registry()$methods$name[1])[1]
  check_methods(methods)
  varied <- if (is.null(vary)) "k" else varied_name(names(vary)[1], methods)
  curves <- if (is.null(vary)) {
    list(data.frame(vary = "k", value = spell(ks), k = ks, x = as.numeric(ks)))
  } else {
    values <- spell(vary[[1]])
    lapply(ks, function(k) data.frame(vary = varied, value = values, k = k, x = mapply(number_of, values, seq_along(values), USE.NAMES = FALSE)))
  }
  trials <- open_trials(table, plan, population, queries, dimensions, progress)
  bounds <- if (isTRUE(bound)) find_bounds(trials, plan, methods[1], unique(ks), progress) else setNames(rep(NA_real_, length(ks)), spell(ks))
  made <- lapply(methods, function(method) lapply(curves, function(points) try_points(trials, plan, method, points, bounds, progress)))
  made <- do.call(rbind, unlist(made, recursive = FALSE))
  structure(made, row.names = .set_row_names(nrow(made)), class = c("shoal_frontier", "data.frame"), vary = varied)
}

open_trials <- function(table, plan, population, queries, dimensions, progress) {
  table <- table_of(table)
  check_columns(table, plan_names(plan), plan)
  wanted <- plan_named(plan, encoded_roles)
  bare <- plan
  bare$fields[c("k", "algorithm", "params")] <- NULL
  width <- if (is.null(dimensions)) min(2, length(plan_qids(plan))) else dimensions
  request <- make_request(bare, wanted, list(encode_table(table, wanted), encode_population(population, plan)), queries = as.double(queries),
                          dimensions = as.double(width))
  core_watched("r_trial_open", request, progress = progress)
}
