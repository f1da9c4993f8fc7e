# SPDX-License-Identifier: Apache-2.0
# Plans and hierarchies.

test_that("a plan is read, laid under arguments, and written", {
  plan <- read_plan(
    "k: 10\ncolumns:\n  - {name: age, role: quasi}\nrest: drop\nseed: 18446744073709551615\n"
  )
  expect_equal(plan$fields$k, 10)
  expect_output(print(plan), "k = 10")
  release <- anonymize(people, plan = plan, k = 3)
  expect_equal(release$report$k, 3)
  again <- anonymize(people, plan = plan_text(release$plan))
  expect_identical(again$groups, release$groups)
  expect_match(plan_text(plan), "18446744073709551615", fixed = TRUE)
  error <- expect_error(read_plan("k: 10\nkk: 2\n"), class = "shoal_usage_error")
  expect_equal(error$line, 2)
  expect_error(read_plan("/no/such/file"), class = "shoal_io_error")
})

test_that("a column that is joined of two is made by hand", {
  places <- data.frame(
    lat = c(52.5, 52.5, 48.1, NA),
    lng = c(13.4, 13.4, 11.6, 11.6),
    sex = c("m", "f", "m", "f")
  )
  plan <- "k: 2\nrest: drop\ncolumns:\n  - {name: place, role: quasi, join: 'lat,lng', hierarchy: 'build:grid:2'}\n"
  for (verb in list(function(table) anonymize(table, plan = plan), function(table) {
    check(table, plan = plan)
  })) {
    expect_error(verb(places), "column 'place' is joined of two", class = "shoal_usage_error")
  }
  fix <- tryCatch(anonymize(places, plan = plan), error = conditionMessage)
  table <- places
  eval(parse(
    text = sub("; then leave the two out: ", "\n", sub(".*make it first: ", "", fix), fixed = TRUE)
  ))
  expect_identical(table$place, c("52.5;13.4", "52.5;13.4", "48.1;11.6", NA))
  expect_equal(smallest_group(anonymize(table, plan = plan)$table, "place"), 2)
})

test_that("a plan is proposed", {
  plan <- propose_plan(people)
  expect_null(plan$fields$k)
  expect_setequal(vapply(plan$fields$columns, function(column) column$name, ""), names(people))
  expect_match(plan$text, "role: identifier")
  expect_gte(
    smallest_group(anonymize(people, plan = plan, k = 3)$table, c("age", "sex", "city")),
    3
  )
})

test_that("hierarchies hold their labels or are recipes", {
  place <- hierarchy(
    tree = list(Europe = list(France = c("Paris", "Lyon"), Italy = "Rome"), Asia = "Tokyo")
  )
  expect_identical(
    unlist(as.data.frame(place)[1, ], use.names = FALSE),
    c("Paris", "France", "Europe", "*")
  )
  expect_identical(c(place$height, place$leaves), c(3L, 4L))
  expect_identical(hierarchy(levels = list(Paris = "France", Rome = "Italy"))$height, 2L)
  expect_identical(
    unlist(
      as.data.frame(hierarchy(recipe = "mask", values = c("5310", "5371")))[1, ],
      use.names = FALSE
    ),
    c("5310", "531*", "53**", "5***", "*")
  )
  expect_output(print(hierarchy(recipe = "intervals:5")), "intervals:5")
  expect_error(hierarchy(), class = "shoal_usage_error")
  expect_error(hierarchy(tree = list(a = c("x", "y"), b = "x")), class = "shoal_data_error")
  expect_error(hierarchy(recipe = "nothing", values = 1), class = "shoal_error")
  expect_error(as.data.frame(hierarchy(recipe = "mask")), "recipe")
  file <- tempfile()
  writeLines(c("a;x;*", "b;x;*"), file)
  expect_identical(hierarchy(file = file)$leaves, 2L)
})

test_that("a format tells how texts are read", {
  visits <- data.frame(
    seen = sprintf("%02d/%02d/2020", rep(1:12, 4), rep(c(2, 5, 9, 11), 12)),
    stringsAsFactors = FALSE
  )
  fix <- tryCatch(anonymize(visits, "seen", 12), error = conditionMessage)
  expect_match(fix, "formats 'seen=DD/MM/YYYY'", fixed = TRUE)
  days <- anonymize(visits, "seen", 12, formats = c(seen = "DD/MM/YYYY"))$table$seen
  expect_identical(anonymize(visits, "seen", 12, formats = "seen=DD/MM/YYYY")$table$seen, days)
  expect_match(as.character(days[1]), "^\\[\\d\\d/02/2020\\.\\.", perl = TRUE)
  expect_error(
    anonymize(visits, "seen", 12, formats = "DD/MM/YYYY"),
    "for no column",
    class = "shoal_usage_error"
  )
})

test_that("ordered categories are published as ranges of labels", {
  ranks <- c("low", "middle", "high", "top")
  staff <- data.frame(rank = rep(ranks, each = 3), bin = rep(c("[0-10)", "[10-20)", "[20-30)"), 4))
  cells <- function(...) unique(anonymize(staff, "rank", 6, rest = "drop", ...)$table$rank)
  expect_setequal(cells(ordered = list(rank = ranks)), c("low..middle", "high..top"))
  expect_setequal(
    cells(ordered = c(rank = "low < middle < high < top")),
    c("low..middle", "high..top")
  )
  staff$rank <- factor(staff$rank, ranks, ordered = TRUE)
  expect_setequal(as.character(cells(ordered = "rank")), c("low..middle", "high..top"))
  plan <- anonymize(staff, "bin", 6, rest = "drop", ordered = "bin")$plan
  expect_identical(plan$fields$columns[[1]]$ordered, "auto")
  expect_error(cells(ordered = list(rank = c("low", "middle"))), class = "shoal_data_error")
})

test_that("unknown arguments are refused with the nearest name", {
  fix <- function(call) tryCatch(call, shoal_usage_error = function(error) error$fix)
  expect_equal(fix(anonymize(people, "age", 3, sensitve = "disease")), "did you mean sensitive?")
  expect_equal(fix(anonymize(people, "age", 3, efort = 1)), "did you mean effort?")
  expect_equal(fix(anonymize(people, "age", 3, class_column = "sex")), "did you mean class?")
  expect_equal(fix(measure(people, people, "age", level_weights = 1)), "did you mean weights?")
  expect_equal(fix(check(people, "age", 3, nulls = "?")), "did you mean null?")
  expect_match(fix(anonymize(people, "age", 3, xyzzy = 1)), "algorithms()", fixed = TRUE)
})
