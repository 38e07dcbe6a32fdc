# Reference values to 20 digits: rows of tests/testthat/data/density-tails.csv, which names their source.
reference_values <- as.data.frame(matrix(c(
  0.02, 1, 4, 1.8242760887704948845e-3, 3.8220205672846019482e-1, 6.1779794327153980517e-1,
  0.25, 0.25, 4, 1.2787894750849930832e-2, 7.0987382273556235837e-1, 2.9012617726443764162e-1,
  0.5, 1e-10, 1, 8.6107146916109707136e-2, 7.2871968728521605888e-1, 2.7128031271478394111e-1,
  0.999, -1, 1, 2.2179855810792002731e-1, 9.0398820370190917503e-1, 9.6011796298090824968e-2,
  1, 1, 1, 1.6353124086802260347e-1, 5.7786675964195234763e-1, 4.2213324035804765236e-1,
  1.25, 0.25, 4, 2.1233788399156333492e-2, 9.3425604851778193874e-1, 6.5743951482218061251e-2,
  1.5, 0.25, 12, 8.3713602079726639381e-4, 9.9362553350652659508e-1, 6.3744664934734049128e-3,
  1.98, -1, 1e-08, 2.8213329854403508608e-1, 5.0381486401446313158e-1, 4.9618513598553686841e-1),
  ncol = 6, byrow = TRUE, dimnames = list(NULL, c("alpha", "beta", "x", "pdf", "cdf", "sf"))))

# Returns the largest error of the columns of `values`, on the scale on which ?dstable states the accuracy.
largest_error <- function(values) {
  miss <- mapply(function(got, right) max(abs(log(got) - log(right)) / pmax(1, abs(log(right)))),
                 values[c("pdf", "cdf", "sf")], reference_values[c("pdf", "cdf", "sf")])
  max(miss)
}

describe_error <- function(error) {
  words <- sprintf("errors up to %.0e", error)
  if (isTRUE(error <= 1e-12)) words else paste0("WRONG, ", words)
}

check_cpu <- function() {
  describe_error(largest_error(.Call(C_single, reference_values$x, reference_values$alpha, reference_values$beta)))
}

# Compares the reference values with those of the selected backend.
check_selected_backend <- function() {
  describe_error(largest_error(stable_eval(reference_values$x, reference_values$alpha, reference_values$beta)))
}
