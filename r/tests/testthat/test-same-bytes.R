# SPDX-License-Identifier: Apache-2.0
# The same plan gives the same bytes as the command, and the same numbers.

release_both <- function(table, arguments, options) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  original <- file.path(folder, "original.csv")
  shoal:::write_text(shoal:::csv_text(table), original)
  report <- command(
    "anonymize",
    original,
    "-o",
    file.path(folder, "command.csv"),
    "--json",
    options
  )
  release <- do.call(anonymize, c(list(table), arguments))
  write_release(release, file.path(folder, "r.csv"))
  list(
    release = release,
    report = jsonlite::fromJSON(report),
    command = bytes_of(file.path(folder, "command.csv")),
    r = bytes_of(file.path(folder, "r.csv"))
  )
}

same <- function(arguments, options, table = invent()) {
  both <- release_both(table, arguments, options)
  expect_gt(length(both$command), 100)
  expect_identical(both$r, both$command)
  expect_equal(both$release$report$gcp, both$report$gcp)
  expect_equal(both$release$report$lower_bound, both$report$lower_bound)
}

qids <- paste(invented_qids, collapse = ",")

test_that("the default method", {
  same(
    list(invented_qids, 5, identifiers = "person", sensitive = "disease"),
    c("--qid", qids, "-k", "5", "--identifier", "person", "--sensitive", "disease")
  )
})

test_that("methods, parameters, seeds", {
  same(
    list(invented_qids, 4, rest = "keep", drop = "person", algorithm = "mondrian"),
    c("--qid", qids, "-k", "4", "--rest", "keep", "--drop", "person", "--algorithm", "mondrian")
  )
  same(
    list(c("age", "zip"), 6, rest = "drop", algorithm = "kmembers", seed = 11),
    c("--qid", "age,zip", "-k", "6", "--rest", "drop", "--algorithm", "kmembers", "--seed", "11")
  )
  same(
    list(c("age", "zip"), 6, rest = "drop", effort = 1, seed = 2^40),
    c(
      "--qid",
      "age,zip",
      "-k",
      "6",
      "--rest",
      "drop",
      "--param",
      "effort=1",
      "--seed",
      "1099511627776"
    )
  )
})

test_that("hierarchies and models", {
  same(
    list(
      c("age", "zip"),
      5,
      rest = "drop",
      sensitive = "disease",
      models = "l-diversity=distinct:3",
      hierarchies = list(age = "build:intervals:5,10,20", zip = "build:mask")
    ),
    c(
      "--qid",
      "age,zip",
      "-k",
      "5",
      "--rest",
      "drop",
      "--sensitive",
      "disease",
      "--l-diversity",
      "distinct:3",
      "--hierarchy",
      "age=build:intervals:5,10,20",
      "--hierarchy",
      "zip=build:mask"
    )
  )
  levels <- data.frame(
    zip = levels(invent()$zip),
    area = substr(levels(invent()$zip), 1, 4),
    top = "*"
  )
  file <- tempfile(fileext = ".csv")
  writeLines(do.call(paste, c(levels, sep = ";")), file)
  same(
    list(
      c("age", "zip"),
      5,
      rest = "drop",
      hierarchies = list(zip = hierarchy(levels = levels)),
      algorithm = "optimal",
      categorical = "age"
    ),
    c(
      "--qid",
      "age,zip",
      "-k",
      "5",
      "--rest",
      "drop",
      "--hierarchy",
      paste0("zip=", file),
      "--algorithm",
      "optimal",
      "--categorical",
      "age"
    )
  )
})

test_that("missing values, in every treatment", {
  table <- invent()
  table$age[seq(1, 400, 7)] <- NA
  table$zip[seq(2, 400, 9)] <- NA
  for (missing in c("own-category", "wildcard", "conservative")) {
    same(
      list(c("age", "zip", "member"), 5, rest = "drop", missing = missing),
      c("--qid", "age,zip,member", "-k", "5", "--rest", "drop", "--missing", missing),
      table
    )
  }
})

test_that("a plan file", {
  plan <- tempfile(fileext = ".yaml")
  writeLines(
    c(
      "k: 5",
      "seed: 9",
      "rest: drop",
      "columns:",
      "  - {name: age, role: quasi, hierarchy: \"build:intervals:5,20\"}",
      "  - {name: zip, role: quasi}",
      "  - {name: disease, role: sensitive}",
      "models:",
      "  - {name: t-closeness, value: \"equal:0.5\"}"
    ),
    plan
  )
  same(list(plan = plan), c("--plan", plan))
  same(list(plan = read_plan(plan), k = 8), c("--plan", plan, "-k", "8"))
})

test_that("check, measure, risk, bound and attack say what the command says", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  table <- invent()
  original <- file.path(folder, "original.csv")
  released <- file.path(folder, "release.csv")
  shoal:::write_text(shoal:::csv_text(table), original)
  release <- anonymize(table, c("age", "zip"), 5, sensitive = "disease", rest = "drop")
  write_release(release, released)
  roles <- c("--qid", "age,zip", "-k", "5", "--json")
  parse <- function(...) jsonlite::fromJSON(command(...), simplifyMatrix = FALSE)
  expect_equal(without(check(release), "x"), parse("check", released, roles), ignore_attr = TRUE)
  expect_equal(
    without(measure(table, release), "x"),
    parse("measure", original, released, roles, "--sensitive", "disease"),
    ignore_attr = TRUE
  )
  expect_equal(
    without(risk(release, original = table), "x"),
    parse("risk", released, "--original", original, roles),
    ignore_attr = TRUE
  )
  expect_equal(
    without(bound(table, c("age", "zip"), 5), "seconds"),
    without(parse("bound", original, roles), "seconds"),
    ignore_attr = TRUE
  )
  ours <- attack(table, release, only = c("linkage", "homogeneity"))
  theirs <- parse(
    "attack",
    original,
    released,
    roles,
    "--sensitive",
    "disease",
    "--only",
    "linkage,homogeneity"
  )
  for (key in c("name", "successes", "trials", "rate", "control", "worst_row")) {
    expect_equal(ours$attacks[[key]], theirs$attacks[[key]], info = key)
  }
})
