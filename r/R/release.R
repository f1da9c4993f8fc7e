# SPDX-License-Identifier: Apache-2.0
# A release: the published table and what is known about it. It was verified against the original
# before it was made.
#
# The original is kept beside the handle, in memory alone: nothing that saveRDS() writes of a
# release has it.

release_fields <- c(
  "table",
  "groups",
  "plan",
  "measures",
  "models",
  "bound",
  "risk",
  "report",
  "seconds",
  "stopped_early",
  "buckets"
)

new_release <- function(handle, table, plan, is_text) {
  self <- new.env(parent = emptyenv())
  self$handle <- handle
  self$plan <- plan
  self$groups <- core("r_release_groups", handle)
  self$texts <- if (is_text) core("r_release_texts", handle)
  self$is_text <- is_text
  self$table <- publish_table(self, table)
  structure(list(self), class = "shoal_release")
}

self_of <- function(release) .subset2(release, 1)

publish_table <- function(self, table) {
  roles <- plan_roles(self$plan)
  rest <- if (identical(self$plan$fields$rest, "drop")) "drop" else "other"
  role <- ifelse(names(table) %in% names(roles)[nzchar(roles)], roles[names(table)], rest)
  left_out <- names(table)[!role %in% published_roles]
  kept <- if (identical(self$plan$fields[["drop-suppressed"]], "true") && anyNA(self$groups)) {
    !is.na(self$groups)
  }
  if (!self$is_text) {
    return(rebuild_coded(table, core("r_release_columns", self$handle), left_out, kept))
  }
  cells <- read_csv_text(self$texts[[1]])
  dropped <- setdiff(plan_named(self$plan, "sensitive"), names(cells))
  replaced <- as.list(cells[names(cells) %in% plan_named(self$plan, c("quasi", "sensitive"))])
  if (!is.null(self$texts[[2]])) {
    replaced <- lapply(as.list(cells[!names(cells) %in% names(roles)]), as.integer)
  }
  rebuild(table, replaced, c(left_out, dropped), kept)
}

# The library leaves suppressed rows out of what it publishes: its columns have the rows that are
# kept.
rebuild_coded <- function(table, published, left_out, kept) {
  published <- Filter(Negate(is.null), published)
  made <- rebuild(table, list(), left_out, kept)
  for (name in names(published)) {
    made[[name]] <- published[[name]]
  }
  made
}

release_report <- function(self, with_bound) {
  cache <- if (with_bound) "full_report" else "short_report"
  if (is.null(self[[cache]])) {
    self[[cache]] <- record(core("r_release_report", self$handle, with_bound, NULL))
  }
  self[[cache]]
}

# Entries of the report that are about the run, not about the release.
not_measures <- c(
  "version",
  "algorithm",
  "params",
  "recoding",
  "k",
  "seed",
  "lower_bound",
  "gap",
  "bound",
  "missing",
  "models",
  "verified",
  "stopped_early",
  "evaluations",
  "queries",
  "seconds",
  "peak_rss_bytes",
  "threads"
)

release_risk <- function(self) {
  if (is.null(self$risk)) {
    request <- core("r_release_request", self$handle)
    self$risk <- risk(
      self$table,
      qids = plan_qids(self$plan),
      k = self$plan$fields$k,
      original = request$original,
      population = request$population
    )
  }
  self$risk
}

release_buckets <- function(self) {
  if (is.null(self$texts[[2]])) {
    return(NULL)
  }
  cells <- read_csv_text(self$texts[[2]])
  for (at in c(1, 3)) {
    cells[[at]] <- as.integer(cells[[at]])
  }
  like_frame(as.list(cells), self$table, nrow(cells))
}

`$.shoal_release` <- function(x, name) {
  self <- self_of(x)
  switch(
    name,
    table = ,
    groups = ,
    plan = self[[name]],
    measures = {
      found <- release_report(self, FALSE)
      as_record(found[setdiff(names(found), not_measures)])
    },
    models = ,
    seconds = ,
    stopped_early = release_report(self, FALSE)[[name]],
    bound = as_record(release_report(self, TRUE)[c("lower_bound", "gap", "bound")]),
    report = release_report(self, TRUE),
    risk = release_risk(self),
    buckets = release_buckets(self),
    NULL
  )
}

`[[.shoal_release` <- function(x, i, ...) `$.shoal_release`(x, i)
names.shoal_release <- function(x) release_fields
as.data.frame.shoal_release <- function(x, ...) as.data.frame(x$table, ...)

print.shoal_release <- function(x, ...) {
  report <- release_report(self_of(x), FALSE)
  number <- function(value) format(value, big.mark = ",")
  promise <- if (is.null(report$k) || report$k == 0) "no k" else paste("k =", report$k)
  seed <- if (!is.null(report$seed)) paste(", seed", report$seed) else ""
  cat("Release by ", report$algorithm, ", ", promise, seed, "\n", sep = "")
  cat(
    "  ",
    number(report$rows),
    " rows in ",
    number(report$groups),
    " groups (smallest: ",
    number(report$min_group),
    "); ",
    number(if (is.null(report$suppressed_rows)) 0 else report$suppressed_rows),
    " rows suppressed\n",
    sep = ""
  )
  if (!is.null(report$gcp)) {
    cat(
      "  gcp ",
      format(report$gcp, digits = 4),
      "  (information loss: 0 unchanged, 1 nothing left)\n",
      sep = ""
    )
  }
  for (i in seq_len(NROW(report$models))) {
    model <- report$models[i, ]
    cat(
      "  ",
      trimws(paste(model$name, model$variant)),
      ": ",
      format(model$achieved, digits = 4),
      ", asked ",
      format(model$asked, digits = 4),
      "\n",
      sep = ""
    )
  }
  if (isTRUE(report$stopped_early)) {
    cat("  the search was ended early: this is the best valid result so far\n")
  }
  cat("  verified; $table is the release, names() lists the rest\n")
  invisible(x)
}

summary.shoal_release <- function(object, ...) {
  report <- object$report
  keys <- c("rows", "groups", "min_group", "suppressed_rows", "gcp", "lower_bound", "gap")
  numbers <- unlist(report[intersect(keys, names(report))])
  as_record(list(
    numbers = numbers,
    qids = report$qids,
    models = report$models,
    risk = object$risk$prosecutor
  ))
}

# ---- files ----

release_texts <- function(release) {
  self <- self_of(release)
  if (self$is_text) {
    return(self$texts)
  }
  null <- self$plan$fields$input$nulls
  list(csv_text(self$table, if (length(null) > 0) null[[1]] else ""), NULL)
}

write_text <- function(text, file) {
  connection <- file(file, "wb")
  on.exit(close(connection))
  writeBin(charToRaw(enc2utf8(text)), connection)
}

write_release <- function(release, file) {
  write_text(release_texts(release)[[1]], file)
  invisible(release)
}

# The plan with every column of the table, so that a manifest names them all.
whole_plan <- function(release, folder) {
  self <- self_of(release)
  plan <- self$plan
  original <- names(core("r_release_request", self$handle)$original)
  rest <- c(keep = "other", drop = "drop")[plan$fields$rest]
  left <- if (length(rest) > 0) setdiff(original, plan_names(plan))
  plan$fields$columns <- c(
    plan$fields$columns,
    lapply(left, function(name) list(name = name, role = unname(rest)))
  )
  job <- plan_job(plan)
  if (length(job$hierarchies) > 0 && !is.null(folder)) {
    fields <- fromJSON(job$plan, simplifyVector = FALSE)
    fields$hierarchies <- file.path(folder, "hierarchies")
    job$plan <- plan_json(fields)
  }
  job
}

release_manifest <- function(release, texts, folder = NULL) {
  path <- if (!is.null(folder)) file.path(folder, "manifest.json")
  request <- list(
    plan = whole_plan(release, folder)$plan,
    first = texts[[1]],
    second = texts[[2]],
    path = path
  )
  core("r_release_manifest", self_of(release)$handle, request, NULL)
}

report_html <- function(release, file = NULL, edition = c("internal", "external")) {
  edition <- match.arg(edition)
  page <- core(
    "r_manifest_html",
    release_manifest(release, release_texts(release)),
    edition == "external"
  )
  if (is.null(file)) {
    return(page)
  }
  write_text(page, file)
  invisible(page)
}

fill_folder <- function(release, folder) {
  job <- whole_plan(release, folder)
  texts <- release_texts(release)
  if (length(job$hierarchies) > 0) {
    dir.create(file.path(folder, "hierarchies"))
    for (name in names(job$hierarchies)) {
      write_text(
        job$hierarchies[[name]],
        file.path(folder, "hierarchies", paste0(gsub("/", "_", name, fixed = TRUE), ".csv"))
      )
    }
  }
  write_text(texts[[1]], file.path(folder, "release.csv"))
  if (!is.null(texts[[2]])) {
    write_text(texts[[2]], file.path(folder, "sensitive.csv"))
  }
  fields <- fromJSON(job$plan, simplifyVector = FALSE)
  if (length(job$hierarchies) > 0) {
    fields$hierarchies <- "hierarchies"
  }
  write_text(
    paste0(toJSON(fields, auto_unbox = TRUE, pretty = TRUE, digits = NA), "\n"),
    file.path(folder, "plan.yaml")
  ) # JSON is YAML
  made <- release_manifest(release, texts, folder)
  write_text(paste0(made, "\n"), file.path(folder, "manifest.json"))
  write_text(core("r_manifest_html", made, FALSE), file.path(folder, "report.html"))
  write_text(core("r_manifest_html", made, TRUE), file.path(folder, "report-external.html"))
}

# All files or none: they are made in a folder of their own, which then takes its place.
save_release <- function(release, folder) {
  folder <- path.expand(folder)
  if (file.exists(folder)) {
    usage(sprintf("'%s' exists", folder), "name a new folder")
  }
  work <- tempfile(".shoal-", dirname(folder))
  if (!dir.create(work, showWarnings = FALSE)) {
    fail(-1, sprintf("cannot make '%s'", folder), "name a folder that can be written")
  }
  on.exit(unlink(work, recursive = TRUE))
  fill_folder(release, normalizePath(work))
  if (!file.rename(work, folder)) {
    fail(-1, sprintf("cannot make '%s'", folder), "name a folder that can be written")
  }
  invisible(release)
}
