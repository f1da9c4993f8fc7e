# SPDX-License-Identifier: Apache-2.0
# Questions about tables, made by any program.

ranges <- data.frame(
  age = c(rep("[20..29]", 3), rep("[30..39]", 2)),
  disease = c("a", "a", "b", "a", "b")
)

test_that("check answers, and says why not", {
  expect_true(check(ranges, "age", 2)$satisfied)
  expect_false(check(ranges, "age", 3)$satisfied)
  found <- check(ranges, "age", 2, sensitive = "disease", models = "l-diversity=distinct:3")
  expect_false(found$satisfied)
  expect_equal(found$models$achieved, 2)
  expect_output(print(found), "Not satisfied")
  expect_error(check(ranges, "age"), "k is required")
  expect_error(check(ranges, "age", 2, tresholds = 1), "tresholds")
})

test_that("check counts persons and sets of columns", {
  table <- data.frame(id = c(1, 1, 2, 3), age = "x", sex = c("f", "f", "m", "m"))
  found <- check(table, c("age", "sex"), 2, entity = "id")
  expect_false(found$satisfied)
  expect_true(check(table, k = 2, qid_sets = list("age", "sex"))$satisfied)
  expect_true(check(table, c("age", "sex"), 2, subsets = 1)$satisfied)
  expect_error(
    check(table, "age", 2, subsets = 1, sensitive = "sex", models = "l-diversity=distinct:2"),
    "models cannot be combined"
  )
})

test_that("measure reads what is published", {
  original <- data.frame(age = c(20, 21, 40, 41))
  found <- measure(
    original,
    data.frame(age = c("[20..21]", "[20..21]", "[40..41]", "[40..41]")),
    "age"
  )
  expect_equal(found$groups, 2)
  expect_gt(found$gcp, 0)
  expect_equal(measure(original, original, "age")$gcp, 0)
  release <- anonymize(original, "age", 2)
  expect_equal(measure(original, release)$gcp, release$measures$gcp)
})

test_that("risk before and after, with a population or a share", {
  expect_equal(risk(data.frame(age = c("2*", "2*", "3*")), "age")$sample_uniques, 1)
  release <- anonymize(people, c("age", "sex"), 3, rest = "drop")
  expect_lte(release$risk$prosecutor$highest, 1 / 3)
  expect_equal(release$risk$original$prosecutor$highest, 1)
  found <- risk(people, "sex", population = rbind(people, people), thresholds = 0.5)
  expect_equal(found$thresholds$threshold, 0.5)
  expect_lt(found$journalist$highest, found$prosecutor$highest)
  expect_error(risk(people, "sex", population = people, sampling_fraction = 0.5),
               "cannot be combined")
  expect_error(risk(people, "sex", thresholds = 2), "share")
  expect_error(risk(people, "sex", thresholds = seq(0.1, 0.9, 0.1)), "at most 8")
})

test_that("bound is below every release", {
  found <- bound(people, c("age", "sex"), 3)
  release <- anonymize(people, c("age", "sex"), 3, rest = "drop")
  expect_gt(found$lower_bound, 0)
  expect_lte(found$lower_bound, release$measures$gcp + 1e-9)
  expect_equal(release$bound$lower_bound, found$lower_bound)
})

test_that("attacks are counted", {
  original <- data.frame(age = c(20, 21, 40, 41))
  found <- attack(
    original,
    data.frame(age = c("[20..21]", "[20..21]", "[40..41]", "[40..41]")),
    "age",
    2,
    only = "linkage"
  )
  expect_equal(found$attacks$details$smallest_candidates, 2)
  release <- anonymize(
    people,
    c("age", "sex"),
    3,
    sensitive = "disease",
    identifiers = "name",
    rest = "drop"
  )
  found <- attack(people, list(release, release$table))
  expect_true("linkage" %in% found$attacks$name)
  expect_output(print(found), "Not tried")
  expect_error(attack(people, release, only = "none"), class = "shoal_usage_error")
  expect_error(attack(people, list()), "no release")
})

test_that("a frontier", {
  found <- frontier(
    people,
    c("age", "sex"),
    c(2, 3, 6),
    queries = 50,
    algorithms = c("shoal", "mondrian")
  )
  expect_s3_class(found, "data.frame")
  expect_equal(found$k, rep(c(2, 3, 6), 2))
  expect_lt(found$gcp[1], found$gcp[3])
  expect_equal(found$gcp[2], anonymize(people, c("age", "sex"), 3, rest = "drop")$measures$gcp)
  expect_output(print(found), "6 releases")
  expect_true(all(found$lower_bound >= 0 & found$lower_bound <= found$gcp))
  expect_identical(found$lower_bound[1:3], found$lower_bound[4:6])
  expect_equal(found$lower_bound[2], bound(people, c("age", "sex"), 3)$lower_bound)
  expect_true(all(is.na(frontier(people, "age", c(2, 3), queries = 0, bound = FALSE)$lower_bound)))
  found <- frontier(
    people,
    c("age", "sex"),
    2,
    sensitive = "disease",
    vary = list(l = c("distinct:2", "distinct:3", "distinct:9")),
    queries = 0
  )
  expect_identical(found$unsatisfiable, c(FALSE, FALSE, TRUE))
  expect_identical(found$vary, rep("l-diversity", 3))
  expect_equal(frontier(people, "age", 2, vary = list(effort = c(1, 9)), queries = 0)$x, c(1, 9))
  expect_error(frontier(people, "age", 2, vary = list(nothing = 1)), "neither")
  expect_error(frontier(people, "age", 2, algorithms = "nothing"), "unknown algorithm")
  expect_error(frontier(people, "age", 1), "at least 2")
})

test_that("methods and models are listed", {
  expect_identical(algorithms()$name[1], "shoal")
  expect_true("effort" %in% algorithms("shoal")$name)
  expect_true("l-diversity" %in% models()$name)
})

test_that("cells that cannot be read are refused, unless that is allowed", {
  original <- data.frame(zip = c("53710", "53711", "53703", "53706"))
  release <- data.frame(zip = c("5371*", "5371*", "5370*", "5370*"))
  expect_error(measure(original, release, "zip"), "'zip' \\(4, no hierarchy\\)")
  found <- measure(original, release, "zip", allow_unread = TRUE)
  expect_equal(found$unread_cells, 4)
  expect_equal(
    measure(original, release, "zip", hierarchies = list(zip = "build:prefix:4"))$unread_cells,
    0
  )
  ill <- data.frame(code = c("C34", "C33", "J45", "J44"))
  expect_equal(
    measure(ill, anonymize(ill, "code", 2, hierarchies = list(code = "known:icd10")))$unread_cells,
    0
  )
})
