# The evidence for the manual page of stablefit() (tools/check-claims).

manual("stablefit")

# --- arguments ---
takes("x: the sample: a numeric vector", near(coef(stablefit(ts(sample))), coef(fit)),
      near(coef(stablefit(matrix(sample))), coef(fit)), not = stablefit(letters))
tested("Or many samples:", "fit-many: matrices, data frames, lists and grouped data frames hold data sets")
takes("Or a sample kept by `stable_data()`", near(coef(stablefit(stable_data(sample))), coef(fit)),
      near(coef(stablefit(chunks())), coef(fit)))
takes("With `width`, one series.", nrow(coef(stablefit(sample[1:30], "quantile", width = 20, by = 10))) == 2,
      not = stablefit(list(sample, sample), width = 20))
tested("Observations of weight 0 are left out", "fit-weights: observations of weight 0 are left out like missing values")
tested("Censored and binned data are objects of class", "fit-censored: objects of class Surv of all types are read",
       "fit-censored: truncated and binned normal and Cauchy fits maximise",
       "fit-censored: intervals without width, bounds without effect and fine bins give the fit of the sample")
takes("With a formula, `stablefit()` is `stable_lm()`", near(coef(stablefit(dist ~ speed, cars)), coef(line)),
      nobs(stablefit(dist ~ speed, cars, subset = speed > 10)) == 41)
takes("method: `\"mle\"`, `\"quantile\"`, `\"ecf\"`, `\"logmoment\"`",
      vapply(c("mle", "quantile", "ecf", "logmoment", "mle2d",
      "grid"), function(m) is.finite(logLik(stablefit(sample, m))), NA), not = stablefit(sample, "moments"))
takes("start: named list or vector: start values", near(coef(stablefit(sample, start = list(alpha = 1.2))), coef(fit),
    1e-5),
      near(coef(stablefit(sample, start = c(beta = 0, delta = 0.2), pm = 1))[1:3], coef(fit)[1:3], 1e-5),
      not = stablefit(sample, start = list(alpha = 3)))
takes("Or the name of a method whose estimate", near(coef(stablefit(sample, start = "ecf")), coef(fit), 1e-5),
      not = stablefit(sample, start = "moments"))
shown("The methods `\"quantile\"` and `\"logmoment\"` need no start", {
  all(vapply(c("quantile", "logmoment"), function(method)
    identical(coef(stablefit(sample, method, start = list(alpha = 1.1))), coef(stablefit(sample, method))), NA))
})
takes("fixed: named list or vector: parameters to hold", coef(stablefit(sample,
    fixed = c(alpha = 1.5)))[["alpha"]] == 1.5,
      coef(stablefit(sample, fixed = list(beta = 0, delta = 1)))[["delta"]] == 1,
        not = stablefit(sample, fixed = c(alpha = 3)))
takes("The location of S1 and S2 and the scale", coef(stablefit(sample, fixed = list(gamma = 1),
    pm = 1))[["gamma"]] == 1,
      not = c(stablefit(sample, fixed = list(delta = 0), pm = 1), stablefit(sample, fixed = list(delta = 0), pm = 2),
              stablefit(sample, fixed = list(gamma = 1), pm = 2)))
takes("pm: parametrisation of the result", near(unlist(stable_convert(1.6, 0, 1, 0)), c(1.6, 0, 1, 0)),
      near(coef(stablefit(sample, pm = "S1")), unlist(do.call(stable_convert, as.list(unname(coef(fit)))),
          use.names = FALSE)),
      identical(coef(stablefit(sample, pm = 2)), coef(stablefit(sample, pm = "S2"))), not = stablefit(sample, pm = 3))
shown("S1 is singular at `alpha = 1`", {
  x <- seeded(1, rstable(2000, 1, 0.5))
  s1 <- stablefit(x, pm = 1, fixed = list(alpha = 1.0001))
  abs(coef(s1)[["delta"]]) > 1e3 && sqrt(diag(vcov(s1)))[["delta"]] > 100
})
takes("na.action: what to do with missing values: `na.omit()`", nobs(stablefit(c(sample, NA), "quantile")) == 300,
      length(residuals(stablefit(c(sample, NA), "quantile", na.action = na.exclude))) == 301,
      inherits(tryCatch(stablefit(c(sample, NA), na.action = na.fail), error = identity), "error"))
takes("control: list: `alpha.min`, the least `alpha` considered (0.01)", {
        steps <- function(k) stablefit(sample, start = list(alpha = 1.9),
            control = list(maxit = k))$convergence$iterations
        steps(1) < steps(200)
      },
      stablefit(sample, control = list(alpha.min = 0.5, maxit = 50, tol = 1e-6, grid = 2))$loglik > -Inf,
      identical(logLik(stablefit(sample, control = list(alpha.min = 0.01, maxit = 200, tol = 1e-8, grid = 4))),
                logLik(fit)),
      stablefit(sample, "grid", control = list(grid = 2))$method == "grid",
        not = c(stablefit(sample, control = list(grid = 3)), stablefit(sample, control = list(alpha.max = 2)),
                 stablefit(sample, fixed = list(alpha = 0.3), control = list(alpha.min = 0.5))))
takes("weights: `NULL`, or a non-negative number",
      near(coef(stablefit(sample, weights = rep(2, 300))), coef(fit), 1e-6),
      nobs(stablefit(sample, weights = rep(2, 300))) == 600, not = c(stablefit(sample, weights = rep(-1, 300)),
      stablefit(sample, weights = 1:3), stablefit(sample, "quantile", weights = rep(2, 300))))
takes("width: `NULL`, or the number of values of a window", all(windows$n == 50), not = stablefit(sample, width = 7))
takes("by: with `width`: the number of values", all(diff(as.data.frame(windows)$start) == 20),
      not = c(stablefit(sample, width = 50, by = 0), stablefit(sample, by = 5)))
shown("expanding: with `width`, logical", {
  all <- as.data.frame(stablefit(sample[1:60], "quantile", width = 20, by = 20, expanding = TRUE))
  all(all$start == 1) && identical(as.numeric(all$end), c(20, 40, 60))
})
takes("truncation: `NULL`, or the lower and the upper", inherits(stablefit(abs(sample), truncation = c(0, Inf)),
    "stablefit_censored"),
      not = c(stablefit(sample, truncation = c(1, 0)), stablefit(sample, truncation = 1)))

# --- value ---
shown("For many samples an object of class", inherits(many, "stablefits") && inherits(windows, "stablewindows"))
shown("For one sample an object of class `\"stablefit\"`", {
  parts <- c("coefficients", "vcov", "loglik", "nobs", "pm", "theta", "theta.vcov", "start", "notes", "convergence",
             "call")
  s1 <- stablefit(sample, pm = 1)
  inherits(fit, "stablefit") && all(parts %in% names(fit)) && near(s1$theta, fit$theta, 1e-6) &&
    near(unname(unlist(fit$start)), unname(coef(quick))) && isTRUE(fit$convergence$converged) &&
      length(fit$convergence) >= 5 &&
    any(grepl("fixed", stablefit(sample, fixed = list(alpha = 1.5))$notes))
})
shown("Use the methods to inspect it", {
  all(vapply(c("coef", "vcov", "confint", "anova", "summary", "logLik", "stable_gof", "predict", "residuals",
               "simulate",
               "plot"), function(f) !is.null(getS3method(f, "stablefit", TRUE, asNamespace("stablecl"))), NA))
})
tested("Estimates the four parameters of an alpha-stable", "fit-estimators: each method recovers the true parameters",
       "fit-recovery: maximum likelihood recovers the true parameters",
         "fit-recovery: small alpha is estimated, not clipped")

# --- maximum likelihood ---
shown("The log-likelihood ", {
  here <- function(t) sum(dstable((sample - t[4]) / t[3], t[1], t[2], log = TRUE) - log(t[3]))
  top <- here(coef(fit))
  near(top, fit$loglik) && all(vapply(1:4, function(k) max(here(coef(fit) + 1e-3 * (1:4 == k)),
                                                          here(coef(fit) - 1e-3 * (1:4 == k))) < top, NA))
})
coded("The search starts from the quantile estimate", "src/fit/likelihood.c: #define MAX_TRIED       8",
      "src/fit/likelihood.c: #define MAX_TRIED_LARGE  4", "src/fit/starting_values.h: #define ROUGH 500.0",
      "src/fit/screen.c: interpolated in a table")
tested("For samples of up to 500 values that are spread widely",
       "fit-starts: laws with small alpha whose peak is in any gap of a small sample are found",
       "fit-starts: a few values that are not spread widely are not fitted by a spurious law")
tested("The sample is first reduced to a form", "fit-equivariance: fits are equivariant",
       "fit-large: an unsorted sample has the same fit as the sorted one")
coded("The search uses Fisher scoring (with the outer", "src/fit/scoring.c: secant",
      "src/fit/scoring.c: outer products",
      "src/fit/newton.c: HESSIAN_STEP")
shown("For `alpha >= 0.3` the search uses log densities", {
  score <- colSums(stable_score(sample, coef(fit)[1], coef(fit)[2], coef(fit)[3], coef(fit)[4])[, 1:4])
  step <- drop(vcov(fit) %*% score) / sqrt(diag(vcov(fit)))
  max(abs(step)) < 1e-6
})
coded("For smaller `alpha` it uses log densities that are interpolated",
      "src/fit/points.c: #define INTERPOLATED   1e-10", "src/fit/points.h: s = log |u|")
shown("The reported log-likelihood is the exact one", {
  near(fit$loglik, sum(dstable(sample, coef(fit)[1], coef(fit)[2], coef(fit)[3], coef(fit)[4], log = TRUE)), 1e-13)
})
shown("With a share `p` of equal values the likelihood", {
  x <- c(rep(0, 30), seeded(1, rnorm(70, 3)))                 # p = 0.3, a bound of 3/7
  at <- function(alpha, gamma) sum(dstable(x, alpha, 0, gamma, 0, log = TRUE))
  at(0.3, 1e-200) > at(0.3, 1e-100) + 100 && at(0.5, 1e-200) < at(0.5, 1e-100) - 100
})
tested("An estimate in this region is not a maximum", "fit-ties: the estimate is a maximum if one exists",
       "fit-ties: fits do not converge where equal values make")
tested("`\"mle2d\"` and `\"grid\"` do not search there", "fit-ties: mle2d and grid search where the likelihood is")
shown("If one value makes up 5% of the sample", {
  warned <- function(...) suppressWarnings(classes = "stablecl_warning_convergence", tryCatch({
    stablefit(...)
    FALSE
  }, stablecl_warning_ties = function(w) TRUE))
  with_equal <- function(count) c(rep(0.1, count), sample[seq_len(300 - count)])
  unbounded <- c(0, 0, 0, seeded(1, rnorm(97)))                       # 3%, in the region for alpha below 3/97
  warned(with_equal(15)) && !warned(with_equal(14)) && warned(unbounded, fixed = list(alpha = 0.02)) &&
    !warned(unbounded, fixed = list(alpha = 0.5))
})
shown("A note in the printed fit states the shares", {
  in_pairs <- function(count) replace(sample[1:100], seq_len(count), rep(sample[101:150], each = 2)[seq_len(count)])
  prints(stablefit(in_pairs(50)), "2% of the observations are equal") && prints(stablefit(in_pairs(50)), "50% occur") &&
    !any(grepl("occur", stablefit(in_pairs(48))$notes)) &&
    prints(suppressWarnings(stablefit(c(rep(0, 15), sample[1:285]))), "5% of the observations are equal (0)")
})
shown("For rounded data `stable_lm()` with `rounding`", {
  x <- round(sample)
  bounded <- stable_lm(x ~ 1, rounding = 1)
  smooth <- coef(stablefit(sample, "ecf"))
  logLik(bounded) < 0 && bounded$convergence$converged && max(abs(coef(stablefit(x, "ecf")) - smooth)[1:3]) < 0.15
})
shown("As `alpha` tends to 0 the likelihood grows", {
  x <- sample[1:20]
  top <- function(alpha) {
    gamma <- exp(1 / alpha - 1 / 0.05)
    max(vapply(x, function(d) max(vapply(10^(-40:5), function(g) sum(dstable(x, alpha, 0, g, d, log = TRUE)), 0)), 0))
  }
  top(0.01) > top(0.05) + 10 && top(0.002) > top(0.01) + 10
})
tested("The estimate is the highest maximum found", "fit-starts: no other start gives a higher likelihood for mixtures",
       "fit-hard: the maximum may be at the smallest alpha allowed")
shown("Values that occur many times, as in rounded", {
  top <- function(x) max(vapply(unique(x), function(d) max(vapply(10^(-30:0), function(g)
    sum(dstable(x, 0.05, 0, g, d, log = TRUE)), 0)), 0))
  top(round(sample[1:50])) > top(sample[1:50]) + 50
})
# The distances of peaks below the observations (above them for negative beta) by the rule of the manual, the
# log-likelihoods there, the best of them, and the distance of the fitted peak from that observation.
placed_beside <- function(data) {
  x <- sort(data)
  fit <- stablefit(x, pm = 1)
  at <- coef(fit)
  side <- if (at[["beta"]] > 0) 1 else -1
  gap <- if (side > 0) c(Inf, diff(x)) else c(diff(x), Inf)
  distance <- pmin(at[["gamma"]] * log(10 * length(x))^(-1 / at[["alpha"]]), gap / 2)
  away <- abs(x - at[["delta"]])
  nearest <- which.min(away)
  peaks <- x - side * distance * (away / distance)[nearest]       # the distance is one of a discrete set
  values <- vapply(peaks, function(peak) sum(dstable(x, at[[1]], at[[2]], at[[3]], peak, 1, log = TRUE)), 0)
  best <- which.max(values)
  list(distance = distance, values = values, best = best, away = side * (x[best] - at[["delta"]]), loglik = fit$loglik)
}
shown("If the peak of the density is much narrower", {
  fits <- lapply(c(0.1, 0.15, 0.3), function(alpha) stablefit(seeded(2, rstable(300, alpha, 0))))
  unknown <- vapply(fits, function(fit) is.na(vcov(fit)[["delta", "delta"]]), NA)
  beside <- vapply(fits[1:2], function(fit) {
    placed <- placed_beside(fit$data)
    abs(placed$away - placed$distance[placed$best]) < 0.01 * placed$distance[placed$best] &&
      max(placed$values) < placed$loglik + 1e-3
  }, NA)
  identical(unknown, c(TRUE, TRUE, FALSE)) && all(beside)
})
shown("Its distance from this observation is", {
  x <- seeded(5, rstable(400, 0.1, -0.8, pm = 1))
  placed <- placed_beside(x)
  abs(log(placed$away / placed$distance[placed$best])) < 0.01
})
shown("If the likelihood has many maxima of nearly", {
  gains <- vapply(1:10, function(seed) {
    x <- seeded(seed, rstable(10, 0.3, 0))
    start <- list(alpha = 0.08, beta = 0, gamma = 1e-3, delta = sort(x)[5])
    other <- suppressWarnings(stablefit(x, start = start, se = FALSE))
    if (abs(coef(other)[["alpha"]] - 0.1) > 0.02) return(0)
    other$loglik - suppressWarnings(stablefit(x, se = FALSE))$loglik
  }, 0)
  sum(gains > 0.5) > 5
})
coded("For samples of 49152 values or more, a part", "src/fit/likelihood.c: #define PART            8192",
      "src/fit/likelihood.c: #define PARTS           6")
coded("Samples of 4194304 values or more without", "src/fit/fit.c: #define HUGE_SAMPLE    4194304",
      "src/fit/fit.c: #define MIN_ORDINARY   0.8", "src/fit/fit.c: #define PART_OF_HUGE   65536")
tested("In both cases the estimate is the maximum",
       "fit-large: a large sample has the same maximum as a search that starts",
       "fit-large: an unsorted sample has the same fit as the sorted one")

# --- bounds, standard errors, quantiles, accuracy ---
shown("`alpha = 2` is a common estimate", {
  shares <- vapply(1:20, function(k) coef(stablefit(seeded(k, rnorm(100)), se = FALSE))[["alpha"]] == 2, NA)
  mean(shares) > 0.4
})
tested("The distribution is then Gaussian with variance",
       "fit-covariance: Gaussian data give alpha = 2, an unidentified beta")
shown("`beta = -1` and `beta = 1` are common for", {
  share <- function(n, alpha) mean(vapply(1:30, function(k)
    abs(coef(stablefit(seeded(k, rstable(n, alpha, 0.2)), se = FALSE))[["beta"]]) %in% 1, NA))
  suppressWarnings(share(30, 1.5) > 0.25 && share(100, 1.9) > 0.25 && share(500, 1.5) < 0.1)
})
shown("A parameter at a bound has no standard error", {
  at <- stablefit(seeded(1, rstable(100, 1.7, 1)))
  held <- stablefit(at$data, fixed = list(beta = coef(at)[["beta"]]))
  abs(coef(at)[["beta"]]) == 1 && is.na(vcov(at)["beta", "beta"]) &&
    near(diag(vcov(at))[-2], diag(vcov(held))[-2], 1e-3) &&
    prints(at, "bound") && prints(summary(at), "bound")
})
shown("For maximum likelihood they come from the observed", {
  t <- coef(fit)
  gradient <- function(t) colSums(stable_score(sample, t[1], t[2], t[3], t[4])[, 1:4])
  hessian <- sapply(1:4, function(k) (gradient(t + 1e-4 * (1:4 == k)) - gradient(t - 1e-4 * (1:4 == k))) / 2e-4)
  s1 <- stablefit(sample, pm = 1)
  max(abs(solve(-hessian) / vcov(fit) - 1)) < 0.01 && near(vcov(s1)[1:3, 1:3], vcov(fit)[1:3, 1:3], 1e-5) &&
    abs(vcov(s1)[4, 4] / vcov(fit)[4, 4] - 1) > 0.1
})
tested("For `alpha` so close to 2 that the interval",
       "fit-auto: automatic intervals of quantiles contain the true value")
shown("Similar to McCulloch (1986)", {
  pair <- function(q) {
    spread <- log((q[5] - q[1]) / (q[4] - q[2]))
    c(spread, log((q[5] - q[3]) / (q[3] - q[1])) / spread)
  }
  p <- c(0.05, 0.25, 0.5, 0.75, 0.95)
  near(pair(predict(quick, p)), pair(quantile(sample, p, type = 5)), 1e-3)
})
shown("On the logarithmic scale both remain", {
  nu <- function(alpha) log(diff(qstable(c(0.05, 0.95), alpha, 0)) / diff(qstable(c(0.25, 0.75), alpha, 0)))
  all(diff(vapply(c(2, 1.5, 1, 0.5, 0.1, 0.05, 0.01), nu, 0)) > 0.05) && is.finite(nu(0.01))
})
shown("`gamma` follows from the interquartile range", {
  p <- c(0.25, 0.5, 0.75)
  gap <- predict(quick, p) - quantile(sample, p, type = 5)
  x <- seeded(5, rstable(400, 0.4, 0.3))
  peak <- coef(stablefit(x, "quantile", pm = 1))[["delta"]]
  near(gap[[3]], gap[[1]], 1e-3) && near(gap[[2]], 0, 1e-3) && near(peak, half_sample_mode(x))
})
tested("The reported log-likelihood is the compensated", "fit-loglik: a log-likelihood is the sum of the log densities",
       "fit-loglik: small terms are not lost among large ones",
         "fit-recovery: logLik() is the log-likelihood of the data")
shown("An optimiser of R that starts from the estimate", {
  fits <- readLines("bench/fit.md")
  hard <- "bench/fit-hard.md"
  kinds <- c("few", "outlier", "small", "ties")
  largest <- as.numeric(sub("largest ([0-9.e-]+);.*", "\\1", grep("^largest", fits, value = TRUE)))
  largest < 1e-11 && any(grepl("0 of 20 shapes", fits)) && any(grepl("50 random", readLines(hard))) &&
    sum(vapply(kinds, function(k) as.numeric(cell(hard, paste0("| ", k), 2)), 0)) == 200 &&
    all(vapply(kinds, function(k) cell(hard, paste0("| ", k), 4) == "0", NA))
})

# --- devices, many samples, windows ---
tested("If `stable_backend()` selects an OpenCL device by name, it computes the sums",
       "device-fits: a device selected by name computes all sums of single fits, and all log-likelihoods of grids")
tested("The CPU computes scores for `alpha` below 0.3", "device-fits: the CPU adds elements outside the range",
       "device-fits: device and CPU fits agree for all distributions, sample sizes and arguments",
       code = c("src/interpolant/table_layout.h: #define TABLES_BEGIN 0.3",
                "src/fit/evaluate.c: replay_request(e->replay_log, &l, REQUEST_HOST, st);",
                "src/fit/lockstep.c: if (a->replay_log.what == REQUEST_HOST) a->state = ON_CPU;"))
tested("The sums of `\"ecf\"` and `\"logmoment\"` have no kernel",
       "device-inventory: every estimator computes its sums on the device, or fails with a class",
       "device-inventory: starting values may be computed by the CPU")
coded("Under `\"auto\"` a device computes the sums of samples of 131072", "src/fit/evaluate.h: #define SHARED 131072",
      "src/run/run.c: #define DEVICE_JOB_SECONDS 0.05",
      "src/run/run.c: if (seconds < DEVICE_JOB_SECONDS || is_slower) return 0;")
tested("`stable_data()` keeps a sample on the device.",
       "fit-large: a stable_data() object has the same fit on a device")
tested("Estimates differ from those of the CPU by", "fit-loglik: fits on a device and the CPU agree",
       "device-fits: device and CPU fits agree for all distributions")
tested("Data sets are fitted in parallel on the number",
       "fit-many: each fit of a batch is bitwise identical to the single fit",
       "fit-many: fits do not depend on the number of threads",
         "fit-many: samples large enough to be shared by all threads",
       code = "src/fit/evaluate.h: #define SHARED 131072")
tested("On a device (`stable_backend()`) thousands of data",
       "device-fits: device and CPU fits agree for all distributions, sample sizes and arguments",
       code = c("src/fit/lockstep.c: #define MAX_VALUES  32768",
                "bench/gpu/fits.md: 10000 samples of 1000 in a list"))
tested("A data set that cannot be fitted does not affect", "fit-many: bad data sets do not affect the others",
       "fit-many-methods: bad data sets do not affect the others, by any method")
tested("An interrupt ends the computation with a warning",
       "fit-many: after an interrupt the finished fits are returned")
tested("This applies to `\"mle\"`, `\"quantile\"`",
       "fit-many-methods: after an interrupt the finished fits are returned",
       "fit-many-methods: each fit of a batch is identical to the single fit, by each method")
tested("`\"mle2d\"` is written in R",
       "fit-many-methods: each fit of a batch is identical to the single fit, by each method",
       "workers: an interrupt keeps the chunks that are finished, and the workers stay usable",
       code = "R/fit-estimate.R: utils::modifyList(request, list(method = \"quantile\", start = NULL, se = FALSE))")
coded("So are the grids of `control = list(grid = 2)`",
      "R/fit-estimate.R: request$method == \"grid\" && request$control$grid == 2", "R/fit-grid.R: plane_estimate")

tested("If workers of package future or mirai are set up, they fit",
       "workers: results do not depend on the number of workers",
       "workers: daemons that connect over TCP give the results of one process")
shown("From Spark, call `stablefit()`", {
  groups <- split(data.frame(x = sample), rep(1:2, 150))
  rows <- do.call(rbind, lapply(groups, function(data) as.data.frame(coef(stablefit(list(data$x), "quantile")))))
  nrow(rows) == 2 && all(c("alpha", "delta") %in% names(rows))
})
shown("`stablefit(x, width = 250)` fits the values", {
  at <- function(...) as.data.frame(stablefit(sample[1:262], "quantile", width = 250, ...))[c("start", "end")]
  all(at()$start == 1:13, at()$end == 250:262, at(by = 5)$start == c(1, 6, 11), at(by = 5, expanding = TRUE)$start == 1,
      at(by = 5, expanding = TRUE)$end == c(250, 255, 260))
})
shown("The values of the windows are not copied.", {
  x <- rep(sample, 10)
  size <- function(width) as.numeric(object.size(unclass(stablefit(x, "quantile", width = width, by = 50))$data))
  size(500) < 2 * object.size(x) && size(500) < size(250) + 1000
})
tested("Missing values are left out, so that windows", "fit-windows: a window that cannot be fitted states the reason",
       "fit-windows: arguments of windows are checked")
tested("A window that cannot be fitted, because", "fit-windows: a window that cannot be fitted states the reason")

# --- other methods ---
shown("`method = \"ecf\"`.", identical(stablefit(sample, method = "ecf")$method, "ecf"))
shown("With \\phi_n(t) the mean", {
  t <- c(0.1, 0.5, 1)
  cf <- stable_cf(t, 1.4, 0.3, 2, 0.5)
  u <- 2 * t
  near(log(-log(Mod(cf))), 1.4 * log(u)) && near(Arg(cf), 0.5 * t - 0.3 * tan(0.7 * pi) * (u - u^1.4))
})
tested("The sample is standardised, first by the quantile",
       "fit-ecf: estimates and standard errors are those of the reference",
       "fit-ecf: residuals of the log characteristic function have the mean and covariance of simulated samples",
       code = c("src/fit/ecf.h: #define FREQUENCIES 12", "src/fit/ecf.c: #define MIN_DECAY   0.01",
                "src/fit/ecf.c: #define MAX_DECAY   2.0", "src/fit/ecf.c: #define PASSES      2"))
tested("They also give the standard errors.", "fit-ecf: standard errors agree with the spread of estimates")
tested("The estimates are nearly as efficient as those", "fit-ecf: ecf is almost as precise as maximum likelihood",
       "fit-estimators: extreme outliers have little influence")
shown("For large samples the cost is 48 sines", {
  2 * 2 * 12 == 48 && source_has("src/fit/ecf.h", "#define FREQUENCIES 12") &&
    source_has("src/fit/ecf.c", "#define PASSES      2")
})
tested("`method = \"logmoment\"` is for symmetric",
       "fit-logmoment: the fit states that it is symmetric, and rejects beta other")
tested("As E\\log|X", "fit-logmoment: log|X| has the moments and covariances that the estimator assumes",
       "fit-logmoment: estimates and standard errors are those of the reference")
shown("Standard errors are asymptotic, from the first", {
  ratio <- function(n, alpha) {                                         # errors in units of their standard errors
    table <- as.data.frame(stablefit(seeded(1, matrix(rstable(400 * n, alpha, 0), n)), "logmoment"))
    sqrt(mean(((table$alpha - alpha) / table$se.alpha)^2, na.rm = TRUE))
  }
  suppressWarnings(ratio(200, 1.5) > 1.15 && abs(ratio(200, 0.8) - 1) < 0.15 && abs(ratio(3000, 1.5) - 1) < 0.15)
})
shown("Fractional lower-order moments follow the same", {
  x <- abs(seeded(1, rstable(1e4, 1.5, 0)))
  p <- 1e-4                                   # (E|X|^2p / (E|X|^p)^2 - 1)/p^2 tends to the variance of log|X|
  near((mean(x^(2 * p)) / mean(x^p)^2 - 1) / p^2, mean((log(x) - mean(log(x)))^2), 1e-2)
})
shown("Extensions to skewed distributions (Kuruoglu 2001)", {
  x <- seeded(1, rstable(1e5, 1.5, 0.6, pm = 1))
  pairs <- x[c(TRUE, FALSE)] - x[c(FALSE, TRUE)]
  length(pairs) == length(x) / 2 && abs(coef(stablefit(pairs[1:5000]))[["beta"]]) < 0.15
})
shown("Below `alpha` of about 0.2 the rounding", {
  shift <- function(alpha) {
    x <- seeded(1, rstable(1000, alpha, 0.3))
    one <- stablefit(x, "ecf")
    max(abs(coef(stablefit(3 * x, "ecf")) / c(1, 1, 3, 3) - coef(one)) / sqrt(diag(vcov(one))))
  }
  shift(0.3) < 1e-4 && shift(0.1) > 0.3 && shift(0.1) < 5
})
shown("If the likelihood has several maxima (small samples", {
  differ <- vapply(1:20, function(k) {
    x <- seeded(k, rstable(20, 0.2, 0))
    abs(as.numeric(logLik(stablefit(x, se = FALSE)) - logLik(stablefit(x, "grid", se = FALSE)))) > 1e-3
  }, NA)
  any(differ)
})
measured("The method is fast, and the least robust", {
  x <- seeded(1, rstable(1000, 1.5, 0))
  time <- function(m) min(replicate(3, seconds(for (k in 1:10) stablefit(x, m, fixed = list(beta = 0)))))
  time("logmoment") / time("mle2d")
}, {
  far <- c(x, 1e300)
  moved <- function(m) abs(coef(stablefit(far, m, fixed = list(beta = 0))) - coef(stablefit(x, m,
      fixed = list(beta = 0))))[[1]]
  near_median <- function(m) abs(coef(stablefit(c(x, median(x) + 1e-300), m, fixed = list(beta = 0))) -
                                   coef(stablefit(x, m, fixed = list(beta = 0))))[[1]]
  others <- c("mle", "ecf", "quantile", "mle2d", "grid")
  moved("logmoment") > max(vapply(others, moved, 0)) &&
    near_median("logmoment") > 10 * max(vapply(others, near_median, 0))
})
tested("`method = \"mle2d\"` maximises the likelihood",
       "fit-plane: the fitted distribution has the interquartile range and",
       "fit-plane: no neighbouring shape with the same quantiles has a higher likelihood")
shown("For data whose quantile estimate of `alpha`", {
  x <- seeded(5, rstable(400, 0.4, 0.3))
  mode <- function(fit) do.call(stable_mode, as.list(unname(coef(fit))))
  y <- seeded(5, rstable(400, 0.7, 0.3))
  near(mode(stablefit(x, "mle2d")), half_sample_mode(x)) &&
    abs(mode(stablefit(y, "mle2d")) - half_sample_mode(y)) > 1e-3
})
shown("Fisher scoring converges to within", {
  q <- quantile(sample, c(0.25, 0.5, 0.75), type = 5, names = FALSE)
  found <- stablefit(sample, "mle2d")
  at <- function(step) {                                    # the likelihood at a step, in standard errors
    shape <- coef(found)[1:2] + step * sqrt(diag(vcov(found))[1:2])
    Q <- qstable(c(0.25, 0.5, 0.75), shape[1], shape[2])
    gamma <- (q[3] - q[1]) / (Q[3] - Q[1])
    sum(dstable(sample, shape[1], shape[2], gamma, q[2] - gamma * Q[2], log = TRUE))
  }
  one <- diag(2)
  slope <- function(k, h = 0.02)
    (45 * (at(h * one[k, ]) - at(-h * one[k, ])) - 9 * (at(2 * h * one[k, ]) - at(-2 * h * one[k, ])) +
       at(3 * h * one[k, ]) - at(-3 * h * one[k, ])) / (60 * h)
  curvature <- function(j, k, h = 0.1) {
    a <- h * one[j, ]
    b <- h * one[k, ]
    (at(a + b) - at(a - b) - at(b - a) + at(-a - b)) / (4 * h^2)
  }
  hessian <- matrix(mapply(curvature, c(1, 2, 1, 2), c(1, 1, 2, 2)), 2)
  max(abs(solve(hessian, c(slope(1), slope(2))))) < 1e-7
})
shown("With s the score and I", {
  p <- c(0.25, 0.5, 0.75)
  q <- quantile(sample, p, type = 5, names = FALSE)
  found <- stablefit(sample, "mle2d")
  estimate <- unname(coef(found))
  parameters <- function(shape, q) {
    Q <- qstable(p, shape[1], shape[2])
    gamma <- (q[3] - q[1]) / (Q[3] - Q[1])
    c(shape, gamma, q[2] - gamma * Q[2])
  }
  slopes <- function(f, at) sapply(seq_along(at), function(k) {
    h <- 1e-5 * (seq_along(at) == k)
    (f(at + h) - f(at - h)) / 2e-5
  })
  T <- slopes(function(shape) parameters(shape, q), estimate[1:2])
  D <- slopes(function(q) parameters(estimate[1:2], q), q)
  f <- function(...) dstable(..., estimate[1], estimate[2], estimate[3], estimate[4])
  s <- t(stable_score(sample, estimate[1], estimate[2], estimate[3], estimate[4])[, 1:4])
  w <- (p - outer(q, sample, ">=")) / f(q)
  I <- s %*% t(s) / 300
  influence <- T %*% solve(t(T) %*% I %*% T, t(T) %*% (s - I %*% D %*% w)) + D %*% w
  near(influence %*% t(influence) / 300^2 / vcov(found), 1, 1e-4)
})
tested("`method = \"grid\"` maximises the likelihood",
       "fit-grid: with four parameters the grid finds the maximum of the",
       "fit-grid: the grid moves to a maximum far from its start")
tested("With `control = list(grid = 2)` they are followed", "fit-grid: with two parameters the grid agrees with mle2d",
       "fit-grid: with four parameters the grid finds the maximum of the likelihood and its curvature")
coded("The first grids cover `alpha` and `beta`", "src/fit/contraction.c: #define WIDE_REACH    2")
coded("A quadratic function is fitted to the values", "src/fit/contraction.c: #define SHORTER       5.0")
shown("The last grid has steps of 0.02", {
  x <- seeded(3, rstable(1000, 1.5, 0.3))
  max(abs(coef(stablefit(x, "grid")) - coef(stablefit(x))) / sqrt(diag(vcov(stablefit(x))))) < 4e-4
})
shown("About seven grids and 400 evaluations", {
  runs <- lapply(1:10, function(k) stablefit(seeded(k, rstable(1000, 1.5, 0.3)), "grid")$convergence)
  evaluations <- median(vapply(runs, function(r) r$evaluations, 0))
  grids <- median(vapply(runs, function(r) as.numeric(r$iterations), 0))
  evaluations > 300 && evaluations < 500 && grids >= 5 && grids <= 9
})
tested("There a parameter is held at the bound", "fit-grid: a shape parameter is released from a bound that is not",
       "fit-grid: the grid finds estimates at a bound and reports the bound")
shown("`\"mle\"` has the smallest errors", {
  rows <- grep("^[|] [0-9.]+ [|]", readLines("bench/estimators.md"), value = TRUE)[1:18]   # alpha below 2
  errors <- lapply(strsplit(rows, " *[|] *"), function(row) as.numeric(row[c(5, 6, 8, 9)])) # mle, ecf, quantile, mle2d
  mle <- vapply(errors, function(e) e[1] / min(e), 0)
  ecf <- vapply(errors, function(e) e[2] / e[1], 0)
  all(mle < 1.1) && mean(mle < 1.03) > 0.8 && median(ecf) < 1.1
})
shown("`\"ecf\"` comes close;", {
  rows <- grep("^[|] [0-9.]+ [|]", readLines("bench/estimators.md"), value = TRUE)[1:18]
  ratio <- vapply(strsplit(rows, " *[|] *"), function(row) as.numeric(row[6]) / as.numeric(row[5]), 0)
  max(ratio) < 1.4
})
tested("If standard errors are missing or unreliable", "fit-auto: method \\\"auto\\\" computes Wald's intervals where")

# --- errors ---
raises("`\"stablecl_error_data\"`: the sample is not numeric, not finite", stablefit(letters),
       stablefit(c(sample, Inf)),
       stablefit(1:7), stablefit(rep(1:2, c(20, 5))), stablefit(sample, truncation = c(0, 1)),
       stablefit(-(1:20), fixed = list(alpha = 0.5, beta = 1, gamma = 1, delta = 5)))
raises("`\"stablecl_error_argument\"`: an argument is missing, empty, unknown or invalid, for example a value",
       stablefit(),
       stablefit(sample, , , , , , , , , , , , , , , , ), stablefit(sample, speed = 1),
         stablefit(sample, start = list(alpha = -1)),
       stablefit(sample, fixed = list(alpha = 3)), stablefit(sample, "logmoment", fixed = list(beta = 0.5)))
raises("`\"stablecl_error_unsupported\"`: a device that is selected by name (`stable_backend()`) does not support",
       tests = c("device-inventory: every estimator computes its sums on the device, or fails with a class",
                 "fit-chunks: sources that change, small alpha and refits are errors"))
raises("`\"stablecl_error_device\"`, `\"stablecl_error_memory\"`: this device does not",
       tests = c("device-faults: errors of a device selected by name have a class",
                 "memory: a failed allocation gives"))
raises("`\"stablecl_error_worker\"`, `\"stablecl_error_interrupted\"`: a worker process",
       tests = c("workers: a chunk that kills every worker is an error", "workers: an interrupt keeps the chunks"))
shown("The message names the element.", {
  grepl("301", message_of(stablefit(c(sample, Inf))))
})
shown("Among many samples, one that cannot be fitted", nzchar(many$error[3]) && is.na(coef(many)[3, 1]))
raises("Warnings have the class `\"stablecl_warning_convergence\"` (a search ended",
       stablefit(seeded(175, rstable(30, 0.3, 0.9))), stablefit(c(rep(0, 30), sample)),
       tests = "fit-many: after an interrupt the finished fits are returned")
