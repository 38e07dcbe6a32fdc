# Reference values to 20 digits: rows of tests/testthat/data/density-tails.csv, which names their source.
known_digits <- as.data.frame(matrix(c(
  0.1, 1, 10, 3.5184997008816967407e-3, 4.6924589165745343119e-1, 5.3075410834254656880e-1,
  0.3, 0.3, 5, 1.1994777846238697446e-2, 7.3052406950376964955e-1, 2.6947593049623035044e-1,
  0.9, 1e-9, 0, 3.3492048044134494520e-1, 4.9999999988157188398e-1, 5.0000000011842811601e-1,
  1, 0.75, 0, 2.7607409855732029568e-1, 4.0224945570475491780e-1, 5.9775054429524508219e-1,
  1.1, -0.5, 100, 1.0190120427649213999e-5, 9.9906652313936527436e-1, 9.3347686063472563378e-4,
  1.3, 1, 3.7, 3.9250339552497580406e-2, 8.8471577910428704667e-1, 1.1528422089571295332e-1,
  1.5, 0.3, 0.3, 2.7396148877772563936e-1, 5.6184905271849489354e-1, 4.3815094728150510645e-1,
  1.999, 0.75, 1, 2.1966738656799357405e-1, 7.6009146378603533067e-1, 2.3990853621396466932e-1),
  ncol = 6, byrow = TRUE, dimnames = list(NULL, c("alpha", "beta", "x", "pdf", "cdf", "sf"))))

# Returns the largest error of the columns of `values`, on the scale on which ?dstable states the accuracy.
error_of <- function(values) {
  miss <- mapply(function(got, right) max(abs(log(got) - log(right)) / pmax(1, abs(log(right)))),
                 values[c("pdf", "cdf", "sf")], known_digits[c("pdf", "cdf", "sf")])
  max(miss)
}

judge_error <- function(error) {
  words <- sprintf("errors up to %.0e", error)
  if (isTRUE(error <= 1e-12)) words else paste0("WRONG, ", words)
}

check_cpu <- function() {
  judge_error(error_of(.Call(C_single, known_digits$x, known_digits$alpha, known_digits$beta)))
}

# Checks the reference values with the backend in force.
check_in_force <- function() judge_error(error_of(stable_eval(known_digits$x, known_digits$alpha, known_digits$beta)))
