# Censored, truncated and binned data as intervals: a data frame with the columns `left` and `right`, equal for values
# that were observed, infinite where an interval is unbounded.

# TRUE if x contains intervals.
is_censored <- function(x) {
  inherits(x, c("Surv", "histogram")) ||
    (is.data.frame(x) || is.matrix(x)) && !inherits(x, "grouped_df") && ncol(x) == 2L &&
      setequal(colnames(x), c("left", "right"))
}

# Returns a list with the intervals as `data`, their `weights` (NULL: 1 each), and the rows that na.action has dropped.
censored_data <- function(x, weights, truncation, na.action, call) {
  if (inherits(x, "histogram")) {
    if (!is.null(weights))
      stop_with(call, "argument", "`weights` are the counts of an object of class 'histogram': omit them.")
    bins <- histogram_bins(x, call)
    data <- bins[c("left", "right")]
    weights <- bins$count
  } else {
    data <- if (inherits(x, "Surv")) survival_intervals(x, call) else bounded_intervals(x, truncation, call)
    data[which(data$left == -Inf & data$right == Inf), ] <- NA                     # nothing is known of the value
    if (!is.null(weights)) weights <- check_fit_weights(weights, data$left, "mle", call)
  }
  given <- if (!inherits(x, "histogram")) weights
  if (!is.null(weights)) data <- data[weights > 0, , drop = FALSE]
  rownames(data) <- NULL
  data <- present_intervals(data, na.action, call)
  weights <- remaining_weights(weights, data)
  check_within_truncation(data, truncation, call)
  check_intervals(clipped_intervals(data, truncation), weights, call)
  list(data = data, weights = weights, truncation = truncation,
       na.action = omitted_rows(given, attr(data, "na.action"), na.action, call))
}

# Returns the intervals of an object of class "histogram" and their counts.
histogram_bins <- function(x, call) {
  good <- is.list(x) && is.numeric(x$breaks) && is.numeric(x$counts) && length(x$breaks) == length(x$counts) + 1L &&
    length(x$counts) > 0L && isTRUE(all(diff(x$breaks) > 0)) && isTRUE(all(x$counts >= 0 & is.finite(x$counts)))
  if (!good)
    stop_with(call, "data", "An object of class 'histogram' must contain increasing `breaks` and, for each interval ",
              "between two of them, a non-negative number in `counts`.")
  data.frame(left = x$breaks[-length(x$breaks)], right = x$breaks[-1L], count = as.double(x$counts))
}

# Reads the matrix of an object of class "Surv": a time and a status (0: censored, 1: observed), for intervals two times
# and a status (0: to the right, 1: observed, 2: to the left, 3: the interval).
survival_intervals <- function(x, call) {
  type <- attr(x, "type")
  if (!isTRUE(type %in% c("right", "left", "interval", "interval2")))
    stop_with(call, "data", "Objects of class 'Surv' must be of type \"right\", \"left\", \"interval\" or ",
              "\"interval2\", not ", value_text(type), ".")
  values <- unclass(x)
  time <- values[, 1L]
  status <- values[, ncol(values)]
  data <- if (type == "right") data.frame(left = time, right = ifelse(status == 1, time, Inf))
    else if (type == "left") data.frame(left = ifelse(status == 1, time, -Inf), right = time)
    else data.frame(left = ifelse(status == 2, -Inf, time),
                    right = ifelse(status == 0, Inf, ifelse(status == 3, values[, 2L], time)))
  data[is.na(time) | is.na(status), ] <- NA
  data
}

# Reads a table with the columns `left` and `right`, in which NA is an unbounded end, or a plain sample.
bounded_intervals <- function(x, truncation, call) {
  if (!is_censored(x)) {
    x <- as_numbers(x, call)
    return(data.frame(left = x, right = x))
  }
  data <- as.data.frame(x)[c("left", "right")]
  for (name in names(data)) {
    if (!is_numeric_or_logical(data[[name]]))
      stop_with(call, "data", "Column `", name, "` of the intervals must be numeric, not ", class(data[[name]])[1L],
                ".")
    data[[name]] <- as.double(data[[name]])
  }
  missing <- is.na(data)
  one <- rowSums(missing) == 1
  data$left[one & missing[, "left"]] <- -Inf
  data$right[one & missing[, "right"]] <- Inf
  data
}

# Returns the intervals after na.action, or raises an error for those that are invalid.
present_intervals <- function(data, na.action, call) {
  n <- nrow(data)
  if (anyNA(data)) data <- na_function(na.action, call)(data)
  if (n > 0L && !nrow(data)) stop_with(call, "data", "All ", n, " observations are missing.")
  if (anyNA(data)) stop_with(call, "data", "Observations must not be missing, but number ", which(is.na(data$left))[1L],
                             " is. Use na.action = na.omit.")
  wrong <- which(data$left > data$right)
  if (length(wrong))
    stop_with(call, "data", "`left` must not be greater than `right`, but observation ", wrong[1L], " is from ",
              data$left[wrong[1L]], " to ", data$right[wrong[1L]], ". To fit two samples, use a list.")
  wrong <- which(data$left == data$right & is.infinite(data$left))
  if (length(wrong))
    stop_with(call, "data", "Observed values must be finite, but number ", wrong[1L], " is ", data$left[wrong[1L]], ".")
  data
}

# Returns the parts of intervals within the bounds of truncation.
clipped_intervals <- function(data, truncation) {
  if (is.null(truncation)) return(data)
  data.frame(left = pmax(data$left, truncation[1L]), right = pmin(data$right, truncation[2L]))
}

# Raises an error for observations outside the bounds of truncation.
check_within_truncation <- function(data, truncation, call) {
  if (is.null(truncation)) return(invisible())
  outside <- which(data$left > truncation[2L] | data$right < truncation[1L] |
                     data$left < data$right & (data$left == truncation[2L] | data$right == truncation[1L]))
  if (length(outside))
    stop_with(call, "data", "Observations must be within `truncation`, but number ", outside[1L], " is ",
              if (data$left[outside[1L]] < data$right[outside[1L]]) paste("from", data$left[outside[1L]], "to "),
              data$right[outside[1L]], " (observations outside: ", length(outside), ").")
}

# Raises an error if there are too few observations (each row counts as at least one), or if all intervals have a common
# point: the likelihood of a distribution concentrated there tends to 1, or to infinity, as gamma tends to 0.
check_intervals <- function(data, weights, call) {
  n <- max(nrow(data), sum(weights))
  if (n < fit_least_n)
    stop_with(call, "data", "Fitting a stable distribution requires at least ", fit_least_n,
              " observations; there are ", format(n), ".")
  common <- c(max(data$left), min(data$right))
  if (common[1L] <= common[2L])
    stop_with(call, "data", "All observations contain ",
              if (common[1L] == common[2L]) common[1L] else paste("the values from", common[1L], "to", common[2L]),
              ": the scale cannot be estimated.")
}

# Returns NULL, or two increasing numbers, one of which may be infinite.
check_truncation <- function(truncation, call) {
  if (is.null(truncation)) return(NULL)
  good <- is.numeric(truncation) && length(truncation) == 2L && !anyNA(truncation) && truncation[1L] < truncation[2L]
  if (!good)
    stop_with(call, "argument", "`truncation` must be NULL or two increasing numbers, the lower and the upper bound, ",
              "not ", value_text(truncation), ".")
  truncation <- as.double(truncation)
  if (all(is.infinite(truncation))) NULL else truncation
}

# Returns the numbers of observations of each kind.
interval_counts <- function(data, weights) {
  kind <- ifelse(data$left == data$right, "observed", ifelse(is.infinite(data$left), "left-censored",
                 ifelse(is.infinite(data$right), "right-censored", "interval-censored")))
  kinds <- c("observed", "left-censored", "right-censored", "interval-censored")
  if (is.null(weights)) weights <- rep(1, length(kind))
  vapply(stats::setNames(kinds, kinds), function(k) sum(weights[kind == k]), 0)
}
