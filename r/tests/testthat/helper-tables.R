# SPDX-License-Identifier: Apache-2.0
people <- data.frame(
  name = c("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe", "Kim", "Leo"),
  age = c(21L, 23L, 22L, 25L, 64L, 66L, 61L, 63L, 41L, 44L, 43L, 42L),
  sex = factor(strsplit("fmfmffmmfmfm", "")[[1]]),
  city = c(
    "Ulm",
    "Ulm",
    "Bonn",
    "Ulm",
    "Bonn",
    "Bonn",
    "Bonn",
    "Ulm",
    "Ulm",
    "Ulm",
    "Bonn",
    "Bonn"
  ),
  disease = c(
    "flu",
    "flu",
    "cold",
    "flu",
    "gout",
    "cold",
    "gout",
    "flu",
    "cold",
    "flu",
    "gout",
    "cold"
  )
)

# A table of every kind of column; no value depends on the random numbers of R.
invent <- function(n = 400) {
  i <- seq_len(n)
  spread <- function(by, among) (i * by) %% 1009 %% among
  data.frame(
    person = sprintf("P%05d", i),
    age = 18L + as.integer(spread(37, 60)),
    height = 150 + spread(91, 100) / 2,
    zip = factor(sprintf("%05d", 1000 + spread(53, 40))),
    town = c("Ulm", "Bonn", "K\u00f6ln", "a, b", "say \"x\"")[1 + spread(17, 5)],
    born = as.Date("1950-01-01") + spread(71, 300),
    member = spread(29, 3) == 0,
    disease = factor(c("flu", "cold", "gout", "none")[1 + spread(43, 4)])
  )
}
invented_qids <- c("age", "height", "zip", "town", "born", "member")

# The smallest group of a table, counted by R alone.
smallest_group <- function(table, qids) {
  min(table(do.call(paste, c(unname(lapply(table[qids], as.character)), sep = "\r"))))
}

# The command, which SHOAL_COMMAND names; `make test-r` sets it.
command <- function(...) {
  program <- Sys.getenv("SHOAL_COMMAND")
  if (!nzchar(program)) {
    testthat::skip("SHOAL_COMMAND does not name the command")
  }
  arguments <- vapply(c(...), shQuote, "")
  out <- suppressWarnings(system2(program, arguments, stdout = TRUE, stderr = FALSE))
  structure(paste(out, collapse = "\n"), status = attr(out, "status"))
}

bytes_of <- function(file) readBin(file, "raw", file.size(file))
without <- function(record, names_out) unclass(record)[setdiff(names(record), names_out)]
