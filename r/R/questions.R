# SPDX-License-Identifier: Apache-2.0
# The verbs that ask about tables. Answers are the JSON objects that the command prints with --json, as lists.

as_record <- function(found, kind = NULL) structure(found, class = c(kind, "shoal_record"))
record <- function(text, kind = NULL) as_record(fromJSON(text, simplifyMatrix = FALSE), kind)

# The answer of the library, as text. Tables are named by what they are to the question; options are those of shoal/ask.h.
ask <- function(kind, plan, wanted, tables, ..., progress) {
  options <- if (...length() > 0) plan_json(list(...)) else "{}"
  core_watched("r_ask", c(make_request(plan, wanted, tables), list(kind = kind, options = options)), progress = progress)
}

table_of <- function(table) check_frame(if (inherits(table, "shoal_release")) table$table else table)

# The table, where it has the columns of these roles.
take_roles <- function(table, plan, roles) {
  table <- table_of(table)
  wanted <- plan_named(plan, roles)
  check_columns(table, wanted, plan)
  list(table = table, wanted = wanted)
}

check <- function(table, qids = NULL, k = NULL, ..., sensitive = NULL, models = NULL, hierarchies = NULL, population = NULL, entity = NULL,
                  qid_sets = list(), subsets = 0, null = NULL, missing = NULL, on_missing = NULL, numeric = NULL, categorical = NULL,
                  dates = NULL, ordered = NULL, formats = NULL, sensitive_ranges = NULL, suppressed = NULL, threads = NULL, plan = NULL,
                  progress = getOption("shoal.progress", FALSE)) {
  settings <- as.list(environment())
  no_more(...)
  sets <- lapply(qid_sets, function(set) enc2utf8(as.character(set)))
  settings$qids <- unique(c(as.character(qids), unlist(sets)))
  plan <- build_plan(if (is.null(plan)) own_plan(table) else plan, settings)
  if (length(sets) > 0 || subsets > 0 || !is.null(entity)) return(check_sets(table, plan, sets, subsets, !is.null(entity), progress))
  roles <- c("quasi", "count", if (length(plan$fields$models) > 0) "sensitive")
  taken <- take_roles(table, plan, roles)
  tables <- list(release = encode_table(taken$table, taken$wanted), population = encode_population(population, plan))
  record(ask("check", plan, taken$wanted, tables, progress = progress), "shoal_check")
}

check_sets <- function(table, plan, sets, subsets, by_person, progress) {
  if (length(plan$fields$models) > 0) {
    usage("privacy models cannot be combined with qid_sets, subsets or entity", "check once for each")
  }
  taken <- take_roles(table, plan, c("quasi", if (by_person) "entity"))
  tables <- list(release = encode_table(taken$table, taken$wanted))
  record(ask("sets", plan, taken$wanted, tables, sets = lapply(sets, as.list), subsets = subsets, by_person = by_person,
             progress = progress), "shoal_check")
}

# Arguments behind the dots have no meaning here: most likely one is misspelt.
no_more <- function(...) {
  if (...length() == 0) return(invisible())
  given <- names(list(...))
  if (is.null(given) || !nzchar(given[1])) usage("an argument has no name", "see the help page")
  unknown_argument(given[1], names(formals(sys.function(sys.parent()))))
}

# The plan that a release was made by.
own_plan <- function(release) if (inherits(release, "shoal_release")) release$plan

measure <- function(original, release, qids = NULL, k = NULL, ..., sensitive = NULL, class = NULL, hierarchies = NULL, numeric = NULL,
                    categorical = NULL, dates = NULL,
                    ordered = NULL, formats = NULL, sensitive_ranges = NULL, null = NULL, missing = NULL, on_missing = NULL,
                    domain = NULL, priority = NULL, weights = NULL, suppressed = NULL, w_u = NULL, w_p = NULL, threads = NULL,
                    allow_unread = FALSE, plan = NULL, progress = getOption("shoal.progress", FALSE)) {
  settings <- as.list(environment())
  no_more(...)
  plan <- build_plan(if (is.null(plan)) own_plan(release) else plan, settings)
  plan$fields <- set_params(plan$fields, Filter(Negate(is.null), list(w_u = w_u, w_p = w_p)))
  first <- take_roles(original, plan, c("quasi", "sensitive", "class"))
  second <- table_of(release)
  check_columns(second, plan_qids(plan), plan)
  wanted <- intersect(first$wanted, names(second))
  tables <- list(original = encode_table(first$table, wanted), release = encode_table(second, wanted))
  record(ask("measure", plan, wanted, tables, allow_unread = isTRUE(allow_unread), progress = progress))
}

risk <- function(table, qids = NULL, k = NULL, ..., original = NULL, population = NULL, sampling_fraction = NULL, thresholds = NULL,
                 count_suppressed = FALSE, entity = NULL, hierarchies = NULL, null = NULL, missing = NULL, on_missing = NULL,
                 threads = NULL, plan = NULL, progress = getOption("shoal.progress", FALSE)) {
  settings <- as.list(environment())
  no_more(...)
  if (!is.null(population) && !is.null(sampling_fraction)) {
    usage("population and sampling_fraction cannot be combined", "remove one of them")
  }
  for (share in c(sampling_fraction, thresholds)) {
    if (is.na(share) || share <= 0 || share > 1) usage("a share is not a number above 0 and at most 1", "write thresholds = c(0.2, 0.05)")
  }
  plan <- build_plan(if (is.null(plan)) own_plan(table) else plan, settings)
  by_person <- !is.null(entity)
  roles <- c("quasi", "count", if (by_person) "entity")
  taken <- take_roles(table, plan, roles)
  before <- if (!is.null(original)) encode_table(take_roles(original, plan, roles)$table, taken$wanted)
  tables <- list(release = encode_table(taken$table, taken$wanted), original = before,
                 population = encode_population(population, plan))
  record(ask("risk", plan, taken$wanted, tables, thresholds = as.double(thresholds), sampling_fraction = sampling_fraction,
             count_suppressed = isTRUE(count_suppressed), by_person = by_person, progress = progress), "shoal_risk")
}

bound <- function(table, qids = NULL, k = NULL, ..., hierarchies = NULL, numeric = NULL, categorical = NULL, dates = NULL,
                  ordered = NULL, formats = NULL, null = NULL,
                  missing = NULL, on_missing = NULL, domain = NULL, priority = NULL, threads = NULL, plan = NULL,
                  progress = getOption("shoal.progress", FALSE)) {
  settings <- as.list(environment())
  no_more(...)
  plan <- build_plan(plan, settings)
  taken <- take_roles(table, plan, "quasi")
  tables <- list(original = encode_table(taken$table, taken$wanted))
  record(ask("bound", plan, taken$wanted, tables, progress = progress))
}

attack <- function(original, releases, qids = NULL, k = NULL, ..., sensitive = NULL, identifiers = NULL, held_out = NULL, record_key = NULL,
                   only = NULL, known = 0, sets = 0, errors = 0.1, controls = FALSE, hierarchies = NULL, numeric = NULL, categorical = NULL,
                   dates = NULL, ordered = NULL, formats = NULL, null = NULL, missing = NULL, on_missing = NULL, seed = NULL, threads = NULL, plan = NULL,
                   progress = getOption("shoal.progress", FALSE)) {
  settings <- as.list(environment())
  no_more(...)
  if (is.data.frame(releases) || inherits(releases, "shoal_release")) releases <- list(releases)
  if (length(releases) == 0) usage("there is no release", "give one, or a list of them")
  plan <- build_plan(if (is.null(plan)) own_plan(releases[[1]]) else plan, settings)
  named <- plan_named(plan, c("quasi", "sensitive"))
  whole <- function(table, needed) {
    table <- table_of(table)
    check_columns(table, needed, plan)
    encode_table(table, names(table))
  }
  attacked <- lapply(releases, whole, plan_qids(plan))
  tables <- c(list(original = whole(original, named), "held-out" = if (!is.null(held_out)) whole(held_out, named)),
              setNames(attacked, rep("release", length(attacked))))
  record(ask("attack", plan, names(original), tables, only = as.character(only), record_key = record_key, known = known,
             subsets = sets, errors = errors, controls = isTRUE(controls), progress = progress), "shoal_attack")
}
