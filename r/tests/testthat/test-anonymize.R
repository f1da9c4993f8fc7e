# SPDX-License-Identifier: Apache-2.0
# Releases: their tables and types, and what is refused.

test_that("every tuple of a release occurs k times, counted by R alone", {
  table <- invent()
  for (k in c(2, 5, 20)) {
    release <- anonymize(table, invented_qids, k, sensitive = "disease", identifiers = "person")
    expect_gte(smallest_group(release$table, invented_qids), k)
    expect_identical(nrow(release$table), nrow(table))
  }
})

test_that("identifiers are left out, other columns are the very vectors, quasi-identifiers are factors", {
  table <- invent()
  release <- anonymize(table, c("age", "zip"), 5, identifiers = "person", rest = "keep")
  expect_identical(names(release$table), setdiff(names(table), "person"))
  for (name in c("height", "town", "born", "member", "disease")) {
    expect_identical(release$table[[name]], table[[name]])
  }
  for (name in c("age", "zip")) {
    expect_s3_class(release$table[[name]], "factor")
    expect_setequal(levels(release$table[[name]]), unique(as.character(release$table[[name]])))
  }
})

test_that("rows of one group are published alike", {
  release <- anonymize(
    people,
    c("age", "sex", "city"),
    3,
    sensitive = "disease",
    identifiers = "name"
  )
  tuples <- do.call(paste, release$table[c("age", "sex", "city")])
  expect_true(all(tapply(tuples, release$groups, function(x) length(unique(x))) == 1))
  expect_identical(as.character(release$table$age[1:3]), c("[21..41]", "[23..44]", "[21..41]"))
})

test_that("a tibble comes back as a tibble, a data frame as a data frame, without row names", {
  skip_if_not_installed("tibble")
  made <- anonymize(tibble::as_tibble(people), c("age", "sex"), 3, rest = "drop")$table
  expect_true(tibble::is_tibble(made))
  expect_identical(dim(made), c(12L, 2L))
  named <- people
  rownames(named) <- people$name
  made <- anonymize(named[-1], c("age", "sex"), 3, rest = "keep")$table
  expect_identical(class(made), "data.frame")
  expect_identical(rownames(made), as.character(1:12))
})

test_that("factors, texts, numbers and logicals with the same values give the same groups", {
  table <- invent()[c("age", "zip", "member")]
  groups <- function(table) anonymize(table, names(table), 7, categorical = "zip")$groups
  expected <- groups(table)
  expect_identical(groups(transform(table, zip = as.character(zip))), expected)
  expect_identical(groups(transform(table, zip = factor(zip, levels = rev(levels(zip))))), expected)
  expect_identical(
    groups(transform(table, zip = factor(zip, levels = c("unused", levels(zip), "")))),
    expected
  )
  expect_identical(groups(transform(table, age = as.numeric(age))), expected)
  expect_identical(groups(transform(table, member = as.character(member))), expected)
})

test_that("a factor is not changed by being read", {
  table <- invent()
  before <- serialize(table, NULL)
  anonymize(table, invented_qids, 5, rest = "drop")
  expect_identical(serialize(table, NULL), before)
})

test_that("codes of factors, numbers and logicals are handed over, not copied", {
  skip_if_not(capabilities("profmem"))
  for (name in c("zip", "age", "height", "member")) {
    x <- invent()[[name]]
    tracemem(x)
    copies <- capture.output(encoded <- shoal:::encode_values(x))
    untracemem(x)
    expect_identical(copies, character(), info = name)
    expect_identical(as.vector(unclass(encoded$values)), as.vector(unclass(x)), info = name)
  }
})

test_that("dates are ranges of days, times of day ranges of times", {
  days <- as.Date("2020-01-01") + c(0, 1, 2, 30, 31, 32)
  expected <- rep(c("[2020-01-01..2020-01-03]", "[2020-01-31..2020-02-02]"), each = 3)
  expect_identical(as.character(anonymize(data.frame(day = days), "day", 3)$table$day), expected)
  moments <- as.POSIXct(format(days), tz = "Europe/Vienna")
  expect_identical(as.character(anonymize(data.frame(day = moments), "day", 3)$table$day), expected)
  moments[1] <- moments[1] + 3600
  expect_match(
    as.character(anonymize(data.frame(day = moments), "day", 6)$table$day[1]),
    "^\\[2020-01-01 01:00:00[.][.]2020"
  )
})

test_that("missing values stay missing, of every type", {
  table <- data.frame(
    age = c(1L, 1L, NA, NA),
    real = c(1.5, 1.5, NA, NaN),
    text = c("a", "a", NA, NA),
    yes = c(TRUE, TRUE, NA, NA),
    level = factor(c("x", "x", NA, NA)),
    own = addNA(factor(c("x", "x", NA, NA)))
  )
  made <- anonymize(table, names(table), 2)$table
  for (name in names(table)) {
    expect_identical(
      is.na(made[[name]]) | made[[name]] == "",
      c(FALSE, FALSE, TRUE, TRUE),
      info = name
    )
  }
})

test_that("suppressed rows can be left out, with the levels that only they had", {
  table <- data.frame(
    age = factor(c("a", "a", "a", "b")),
    note = factor(c("x", "x", "x", "secret"))
  )
  release <- anonymize(
    table,
    "age",
    3,
    other = "note",
    algorithm = "samarati",
    suppression = 1,
    drop_suppressed = TRUE
  )
  skip_if(!anyNA(release$groups), "the method suppressed nothing")
  expect_identical(nrow(release$table), sum(!is.na(release$groups)))
  expect_false("secret" %in% levels(release$table$note))
})

test_that("models hold and are reported", {
  release <- anonymize(
    invent(),
    c("age", "zip"),
    4,
    sensitive = "disease",
    rest = "drop",
    models = "l-diversity=distinct:3"
  )
  diversity <- tapply(
    as.character(release$table$disease),
    do.call(paste, release$table[c("age", "zip")]),
    function(x) length(unique(x))
  )
  expect_gte(min(diversity), 3)
  expect_identical(release$models$name, "l-diversity")
  expect_gte(release$models$achieved, 3)
  spelt <- list(
    c("l-diversity", "distinct:3"),
    list(name = "l-diversity", value = "distinct:3", column = "disease")
  )
  again <- anonymize(
    invent(),
    c("age", "zip"),
    4,
    sensitive = "disease",
    rest = "drop",
    models = spelt[1]
  )
  expect_identical(again$groups, release$groups)
  again <- anonymize(
    invent(),
    c("age", "zip"),
    4,
    sensitive = "disease",
    rest = "drop",
    models = spelt[2]
  )
  expect_identical(again$groups, release$groups)
  again <- anonymize(
    invent(),
    c("age", "zip"),
    4,
    sensitive = "disease",
    rest = "drop",
    models = c("l-diversity" = "distinct:3")
  )
  expect_identical(again$groups, release$groups)
})

test_that("threads change nothing, and the random numbers of R are left alone", {
  set.seed(7)
  first <- anonymize(invent(), invented_qids, 5, rest = "drop", threads = 1, seed = 3)$groups
  drawn <- runif(1)
  set.seed(8)
  second <- anonymize(invent(), invented_qids, 5, rest = "drop", threads = 2, seed = 3)$groups
  expect_identical(first, second)
  set.seed(7)
  expect_identical(runif(1), drawn)
})

test_that("what is wrong is said with a class, a fix and no value of the table", {
  refuse <- function(call, class, text) {
    error <- expect_error(call, class = class)
    expect_match(conditionMessage(error), text)
    for (value in c(people$name, people$disease)) {
      expect_false(grepl(paste0("\\b", value, "\\b"), conditionMessage(error)))
    }
    error
  }
  refuse(
    anonymize(people, c("age", "sex"), 3),
    "shoal_usage_error",
    "columns without a role: name, city, disease"
  )
  refuse(anonymize(people, "age", rest = "drop"), "shoal_usage_error", "k is required")
  refuse(anonymize(people, "age", 1, rest = "drop"), "shoal_usage_error", "at least 2")
  refuse(anonymize(people, "aeg", 3, rest = "drop"), "shoal_usage_error", "did you mean 'age'")
  refuse(anonymize(people, k = 3), "shoal_usage_error", "no quasi-identifier")
  refuse(
    anonymize(people, "age", 3, sensitive = "age", rest = "drop"),
    "shoal_usage_error",
    "two roles"
  )
  refuse(
    anonymize(people, "age", 3, rest = "drop", algorithm = "none"),
    "shoal_usage_error",
    "none"
  )
  refuse(anonymize(people, "age", 3, rest = "drop", effrot = 1), "shoal_usage_error", "effrot")
  refuse(anonymize(people, "age", 100, rest = "drop"), "shoal_unsatisfiable_error", "100")
  refuse(anonymize(people, "name", 3, rest = "drop", numeric = "name"), "shoal_data_error", "name")
  refuse(anonymize(as.matrix(people), "age", 3), "shoal_usage_error", "matrix")
  listed <- people[1:2, ]
  listed$list <- list(1, 2)
  refuse(anonymize(listed, "list", 2, rest = "drop"), "shoal_data_error", "list")
  error <- refuse(
    anonymize(
      people,
      "city",
      3,
      rest = "drop",
      hierarchies = list(city = list(South = "Augsburg"))
    ),
    "shoal_error",
    "city"
  )
  expect_identical(error$column, "city")
  expect_true(nzchar(error$fix))
})

test_that("lists and matrices pass through where they are no quasi-identifiers", {
  table <- people[c("age", "sex")]
  table$list <- as.list(1:12)
  table$matrix <- matrix(1:24, 12)
  made <- anonymize(table, c("age", "sex"), 3, rest = "keep")$table
  expect_identical(made$list, table$list)
  expect_identical(made$matrix, table$matrix)
})

test_that("methods whose release is text", {
  release <- anonymize(
    people,
    c("age", "sex"),
    algorithm = "anatomy",
    l = 2,
    sensitive = "disease",
    rest = "drop"
  )
  expect_identical(names(release$table), c("age", "sex", "group"))
  expect_identical(release$table$age, people$age)
  expect_identical(names(release$buckets), c("group", "disease", "count"))
  expect_identical(sum(release$buckets$count), 12L)
  expect_null(anonymize(people, "age", 3, rest = "drop")$buckets)
})

test_that("levels can be applied to another table", {
  known <- anonymize(
    data.frame(age = c(21, 25, 43, 47)),
    "age",
    2,
    algorithm = "datafly",
    hierarchies = list(age = "build:intervals:10,20")
  )
  made <- apply_levels(
    data.frame(age = c(22, 45, 28)),
    known,
    hierarchies = list(age = "build:intervals:10,20")
  )
  expect_identical(as.character(made$table$age), c("[20..29]", "[40..49]", "[20..29]"))
  made <- apply_levels(
    data.frame(age = c(22, 45, 28)),
    c(age = 2),
    hierarchies = list(age = "build:intervals:10,20")
  )
  expect_identical(as.character(made$table$age), c("[20..39]", "[40..59]", "[20..39]"))
  expect_error(apply_levels(people, list()), class = "shoal_usage_error")
})

test_that("empty and tiny tables", {
  expect_error(anonymize(people[0, ], "age", 2, rest = "drop"), class = "shoal_error")
  one <- anonymize(data.frame(age = c(1, 1)), "age", 2)
  expect_identical(as.character(one$table$age), c("1", "1"))
})
