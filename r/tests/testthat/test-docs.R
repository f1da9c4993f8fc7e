# SPDX-License-Identifier: Apache-2.0
# What docs/r.md and the README show is what happens.

# Blocks of R code of a page, each as lines.
blocks_of <- function(page) {
  lines <- readLines(page)
  begins <- which(lines == "```r")
  lapply(begins, function(begin) {
    lines[seq(begin + 1, begin + which(lines[-seq_len(begin)] == "```")[1] - 1)]
  })
}

run_block <- function(lines, place) {
  is_output <- startsWith(lines, "#>")
  expected <- sub("^#> ?", "", lines[is_output])
  shown <- character()
  for (call in parse(text = lines[!is_output])) {
    shown <- c(
      shown,
      capture.output({
        found <- withVisible(eval(call, place))
        if (found$visible) print(found$value)
      })
    )
  }
  if (length(expected) > 0) expect_identical(trimws(shown, "right"), trimws(expected, "right"))
}

page <- function(...) {
  source <- Sys.getenv("SHOAL_SOURCE")
  if (!nzchar(source)) {
    testthat::skip("SHOAL_SOURCE does not name the source folder")
  }
  file.path(source, ...)
}

test_that("the examples of docs/r.md", {
  place <- new.env(parent = globalenv())
  blocks <- blocks_of(page("docs", "r.md"))
  expect_gte(length(blocks), 2)
  for (block in blocks) {
    run_block(block, place)
  }
})

test_that("the example of the README", {
  folder <- tempfile()
  dir.create(folder)
  old <- setwd(folder)
  grDevices::pdf(NULL)
  on.exit({
    grDevices::dev.off()
    setwd(old)
    unlink(folder, recursive = TRUE)
  })
  place <- new.env(parent = globalenv())
  place$people <- transform(
    invent()[c("person", "age", "zip", "disease")],
    name = person,
    sex = factor(age %% 2)
  )
  for (block in blocks_of(page("README.md"))) {
    run_block(block, place)
  }
  expect_true(file.exists("release.csv"))
})
