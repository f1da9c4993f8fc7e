# SPDX-License-Identifier: Apache-2.0
# One class of condition for each status of the library. Messages never hold a value of a table.

status_classes <- c(
  "-1" = "shoal_io_error",
  "-2" = "shoal_usage_error",
  "-3" = "shoal_unsatisfiable_error",
  "-4" = "shoal_data_error",
  "-5" = "shoal_budget_error",
  "-6" = "shoal_cancelled_error",
  "-7" = "shoal_memory_error",
  "-8" = "shoal_internal_error"
)

raise <- function(failure) {
  known <- function(text) if (nzchar(text)) text
  place <- function(number) if (number > 0) number
  condition <- structure(
    list(
      message = if (nzchar(failure$fix)) {
        paste0(failure$message, "; ", failure$fix)
      } else {
        failure$message
      },
      call = NULL,
      what = failure$message,
      fix = failure$fix,
      file = known(failure$file),
      column = known(failure$column),
      row = place(failure$row),
      line = place(failure$line)
    ),
    class = c(
      unname(status_classes[as.character(failure$status)]),
      "shoal_error",
      "error",
      "condition"
    )
  )
  stop(condition)
}

fail <- function(status, message, fix = "") {
  raise(list(
    status = status,
    message = message,
    fix = fix,
    file = "",
    column = "",
    row = 0,
    line = 0
  ))
}

usage <- function(message, fix = "") fail(-2, message, fix)
