# SPDX-License-Identifier: Apache-2.0
library(testthat)
library(shoal)

test_check("shoal")
