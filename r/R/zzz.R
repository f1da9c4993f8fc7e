# SPDX-License-Identifier: Apache-2.0
# Loading the extension, and calling it.

# GCC's OpenMP library reads its policy from the environment once, when it is loaded: threads are to
# sleep while they wait. The variable is set for that moment only, and not at all where the user has
# set it. So the library is loaded here and not by NAMESPACE.
.onLoad <- function(libname, pkgname) {
  if (is.na(Sys.getenv("OMP_WAIT_POLICY", NA))) {
    Sys.setenv(OMP_WAIT_POLICY = "passive")
    on.exit(Sys.unsetenv("OMP_WAIT_POLICY"))
  }
  library.dynam("shoal", pkgname, libname)
}

.onUnload <- function(libpath) {
  gc() # what the library holds is freed while it is there
  library.dynam.unload("shoal", libpath)
}

# Call an entry of the extension; a failure becomes a condition.
core <- function(entry, ...) {
  found <- .Call(entry, ..., PACKAGE = "shoal")
  if (inherits(found, "shoal_failure")) {
    raise(found)
  }
  found
}

# The same with the callback of progress as the last argument. An interrupt waits until the callback
# has returned: the extension looks for it then, and can keep a valid result, while a jump out of
# the callback ends the call whatever there is.
core_watched <- function(entry, ..., progress) {
  if (isTRUE(progress)) {
    on.exit(cat("\r", strrep(" ", 40), "\r", sep = "", file = stderr()))
    return(core(entry, ..., show_progress))
  }
  core(
    entry,
    ...,
    if (is.function(progress)) {
      function(phase, share) suspendInterrupts(isTRUE(progress(phase, share)))
    }
  )
}

show_progress <- function(phase, share) {
  done <- if (share < 0) "" else sprintf("%3.0f %%", 100 * min(share, 1))
  cat("\r", format(paste(format(phase, width = 14), done), width = 40), sep = "", file = stderr())
  FALSE
}

library_version <- function() core("r_version")
