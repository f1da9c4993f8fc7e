# SPDX-License-Identifier: Apache-2.0
# Errors in the middle, interrupts, memory, forks, files.

big <- invent(20000)
resident <- function() {
  gc()
  as.numeric(gsub("[^0-9]", "", grep("^VmRSS", readLines("/proc/self/status"), value = TRUE))) /
    1024
}

test_that("progress is told, can stop the work, and its errors come through", {
  told <- character()
  anonymize(big, c("age", "zip"), 5, rest = "drop", progress = function(phase, share) {
    told <<- c(told, phase)
    FALSE
  })
  expect_true(all(c("read", "search") %in% told))
  expect_error(
    anonymize(big, c("age", "zip"), 5, rest = "drop", progress = function(phase, share) TRUE),
    class = "shoal_cancelled_error"
  )
  expect_error(
    anonymize(big, c("age", "zip"), 5, rest = "drop", progress = function(phase, share) {
      stop("from the callback")
    }),
    "from the callback"
  )
  expect_identical(
    withRestarts(
      check(big, "age", 2, progress = function(...) invokeRestart("out")),
      out = function() "left"
    ),
    "left"
  )
  expect_error(
    frontier(big, "age", 2, queries = 10, progress = function(phase, share) {
      stop("from the callback")
    }),
    "from the callback"
  )
  shown <- capture.output(
    invisible(anonymize(people, "age", 3, rest = "drop", progress = TRUE)),
    type = "message"
  )
  expect_match(paste(shown, collapse = ""), "search")
})

test_that("an interrupt ends the work", {
  skip_on_os("windows")
  step <- function(phase, share) {
    if (phase == "search") {
      tools::pskill(Sys.getpid(), tools::SIGINT)
    }
    FALSE
  }
  found <- tryCatch(
    anonymize(big, invented_qids, 5, rest = "drop", progress = step),
    interrupt = function(condition) "interrupted",
    shoal_interrupted = function(condition) "kept"
  )
  expect_true(is.character(found))
})

test_that("an interrupt keeps a valid result", {
  skip_on_os("windows")
  i <- seq_len(20000) # hardly two rows alike, so that there is something to refine
  table <- data.frame(
    a = (i * 7919) %% 100003 %% 100,
    b = (i * 104729) %% 100019 %% 1000,
    c = (i * 1299) %% 99991 %% 100
  )
  sent <- FALSE
  step <- function(phase, share) {
    if (phase == "refine" && !sent) {
      sent <<- TRUE
      tools::pskill(Sys.getpid(), tools::SIGINT)
    }
    FALSE
  }
  caught <- NULL
  found <- withCallingHandlers(
    tryCatch(
      anonymize(table, names(table), 5, effort = 9, progress = step),
      interrupt = function(condition) NULL
    ),
    shoal_interrupted = function(condition) {
      caught <<- condition
      invokeRestart("muffleWarning")
    }
  )
  expect_true(sent)
  expect_s3_class(found, "shoal_release")
  expect_s3_class(caught, "shoal_interrupted")
  expect_gte(smallest_group(found$table, names(table)), 5)
  expect_true(found$stopped_early)
})

test_that("calls that end by a jump leave nothing behind", {
  skip_if_not(file.exists("/proc/self/status"))
  jump <- function() {
    try(
      anonymize(big, invented_qids, 5, rest = "drop", progress = function(phase, share) {
        if (phase != "read") stop("out")
      }),
      silent = TRUE
    )
    try(
      attack(big, big, invented_qids, only = "linkage", progress = function(phase, share) {
        stop("out")
      }),
      silent = TRUE
    )
    try(check(big, "town", 2, sensitive = "disease", models = "none=1"), silent = TRUE)
  }
  for (i in 1:10) {
    jump()
  }
  before <- resident()
  for (i in 1:150) {
    jump()
  } # each holds half a MB or more while it works
  expect_lt(resident() - before, 30)
})

test_that("releases are freed with their last reference", {
  skip_if_not(file.exists("/proc/self/status"))
  make <- function() {
    invisible(anonymize(big, c("age", "zip", "born"), 5, rest = "drop", algorithm = "mondrian"))
  }
  for (i in 1:150) {
    make()
  } # the heap has found its size
  before <- resident()
  for (i in 1:150) {
    make()
  }
  expect_lt(resident() - before, 30)
})

test_that("what is saved of a release has nothing of the original", {
  table <- people
  table$name <- paste0("unmistakable-", table$name)
  release <- anonymize(table, c("age", "sex"), 3, identifiers = "name", rest = "drop")
  release$report
  release$risk
  saved <- rawToChar(serialize(release, NULL, ascii = TRUE))
  expect_false(grepl("unmistakable", saved))
  expect_false(grepl("gout", saved))
  file <- tempfile()
  saveRDS(release, file)
  back <- readRDS(file)
  expect_identical(back$table, release$table)
  expect_identical(back$risk, release$risk)
  later <- readRDS(file)
  expect_error(report_html(later), "another process")
})

test_that("a child of a fork works alone instead of waiting for ever", {
  skip_on_os("windows")
  anonymize(big, "age", 5, rest = "drop", threads = 2)
  made <- parallel::mclapply(
    1:2,
    function(i) anonymize(people, "age", 3, rest = "drop", threads = 2)$groups,
    mc.cores = 2
  )
  expect_identical(made[[1]], anonymize(people, "age", 3, rest = "drop")$groups)
})

test_that("a release is saved with its manifest and reports, or not at all", {
  release <- anonymize(
    people,
    c("age", "city"),
    3,
    identifiers = "name",
    rest = "drop",
    hierarchies = list(city = list(South = "Ulm", West = "Bonn"))
  )
  folder <- tempfile()
  save_release(release, folder)
  expect_setequal(
    list.files(folder),
    c(
      "hierarchies",
      "manifest.json",
      "plan.yaml",
      "release.csv",
      "report.html",
      "report-external.html"
    )
  )
  expect_match(report_html(release), "<html")
  expect_error(save_release(release, folder), "exists")
  expect_error(
    save_release(release, file.path(tempfile(), "none", "none")),
    class = "shoal_io_error"
  )
  original <- tempfile(fileext = ".csv")
  shoal:::write_text(shoal:::csv_text(people), original)
  said <- command("verify", file.path(folder, "manifest.json"), "--original", original)
  expect_null(attr(said, "status"))
})

test_that("everything prints and can be drawn", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  release <- anonymize(
    people,
    c("age", "sex"),
    3,
    sensitive = "disease",
    rest = "drop",
    models = "l-diversity=distinct:2"
  )
  expect_output(print(release), "smallest:")
  expect_output(print(summary(release)), "qids")
  expect_output(print(release$measures), "gcp")
  expect_output(print(release$risk), "prosecutor")
  expect_true(all(c("table", "groups") %in% names(release)))
  expect_identical(as.data.frame(release), release$table)
  expect_silent(plot(release))
  expect_silent(plot(release$risk))
  expect_silent(plot(attack(people, release)))
  expect_silent(plot(frontier(people, c("age", "sex"), c(2, 3, 6), queries = 20)))
})
