# Reference values for the other scripts of data-raw, which run in the root of the repository.

# Returns the path of the program, which is built if necessary.
reference_program <- function() {
  stopifnot(system2("make", c("-s", "-C", "data-raw/reference")) == 0)
  "build/reference/reference"
}

# Returns the columns of one mode of the program as text, one row for each line of input; rows that the program leaves
# out, because two methods do not agree, are NA.
reference_rows <- function(mode, lines, digits) {
  out <- suppressWarnings(system2(reference_program(), c(mode, digits), input = lines, stdout = TRUE, stderr = FALSE))
  table <- utils::read.csv(text = out, colClasses = "character")
  key <- function(text) vapply(strsplit(text, " "), function(part) paste(part[1:3], collapse = " "), "")
  table[match(key(lines), do.call(paste, table[1:3])), ]
}

# Returns pdf, logpdf, cdf, sf and ulp_* at points; two methods agree to `digits`, of which all but 5 are kept.
reference_points <- function(alpha, beta, x, digits = 30)
  reference_rows("points", sprintf("%.17g %.17g %.17g", alpha, beta, x), digits)

# Returns quantiles q and the density there; the package's quantiles serve as starting values.
reference_quantiles <- function(alpha, beta, p, digits = 30)
  reference_rows("quantiles", sprintf("%.17g %.17g %.17g %.17g", alpha, beta, p, stablecl::qstable(p, alpha, beta)),
                 digits)
