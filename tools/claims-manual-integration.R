# The evidence for the manual pages of gintegrate() and its results (tools/check-claims).

objects$vegas_with <- function(...) suppressWarnings(gintegrate(
  function(x, y) exp(-3 * (x - 0.4)^2 - y), c(0, 0), 1, method = "vegas", rel.tol = 1e-3,
  control = utils::modifyList(list(seed = 5), list(...))))

# --- gintegrate ---
manual("gintegrate")
takes("f: a function that returns a number", near(gintegrate(function(x) if (x > 0.5) 1 else 0, 0, 1)$value, 0.5, 1e-6),
      near(gintegrate(function(x) c(x, x^2), 0, 1, n.value = 2)$value, c(1 / 2, 1 / 3)), not = gintegrate("sin", 0, 1))
measured("Or a value of `gtranslate()` for the same",
         seconds(for (k in 1:50) gtranslate(function(x, a) exp(a * x), params = "a")) / 50, {
  translation <- gtranslate(function(x, a) exp(a * x), params = "a")
  near(gintegrate(translation, 0, 1, params = data.frame(a = 1:3))$value, integrals$value)
})
takes("lower, upper: limits, in the unit of the variable", length(gintegrate(sin, 0, 1:3)$value) == 3,
      near(gintegrate(function(x, y) x * y, c(0, 0), c(1, 2))$value, 1),
      near(gintegrate(function(x, y) x * y, rbind(c(0, 0), c(0, 0)), rbind(c(1, 2), c(1, 1)))$value, c(1, 1 / 4)),
      not = gintegrate(sin, "a", 1))
takes("They may be infinite.", near(gintegrate(dnorm, -Inf, Inf)$value, 1))
takes("`upper < lower` is allowed", near(gintegrate(sin, 1, 0)$value, -gintegrate(sin, 0, 1)$value))
takes("...: further arguments of `f`", near(gintegrate(dnorm, -Inf, 3, mean = 3)$value, 0.5),
      not = gintegrate(sin, 0, 1, speed = 3))
takes("`n.value`, unless it is an argument of `f`", near(gintegrate(function(x, n.value) n.value * x, 0, 1,
    n.value = 4)$value, 2),
      gintegrate(function(x) rep(x, 1000), 0, 1, n.value = 1000)$value > 0.49,
        not = c(gintegrate(function(x) rep(x, 1001), 0, 1,
      n.value = 1001), gintegrate(sin, 0, 1, n.value = 0)))
shown("`subdivisions`, as in `integrate()`, stands", {
  wild <- function(x) sin(1e6 * x)
  suppressWarnings(gintegrate(wild, 0, 1, subdivisions = 10)$evaluations == gintegrate(wild, 0, 1,
      max.eval = 420)$evaluations)
})
takes("params: data frame of arguments of `f`", length(integrals$value) == 3,
      near(integrals$value, (exp(1:3) - 1) / 1:3),
      not = gintegrate(function(x, a) a * x, 0, 1, params = data.frame(b = 1)))
takes("method: `\"auto\"` or one of the methods", all(vapply(c("auto", "gk", "tanhsinh", "simpson", "vegas", "lattice",
    "product"),
      function(m) abs(gintegrate(exp, 0, 1, method = m, rel.tol = 1e-3)$value - exp(1) + 1) < 0.01, NA)),
      not = gintegrate(exp, 0, 1, method = "romberg"))
takes("rel.tol, abs.tol: the error tolerance", gintegrate(sqrt, 0, 1, rel.tol = 1e-3)$evaluations < gintegrate(sqrt, 0,
    1,
      rel.tol = 1e-12)$evaluations, gintegrate(sqrt, 0, 1, rel.tol = 0, abs.tol = 1e-3)$abs.error <= 1e-3,
      not = c(gintegrate(sin, 0, 1, rel.tol = -1), gintegrate(sin, 0, 1, abs.tol = 1:2)))
shown("max.eval: the largest number of evaluations", {
  limit <- function(...) suppressWarnings(gintegrate(..., rel.tol = 0.1))$problem$tolerance$max.eval
  one <- suppressWarnings(gintegrate(function(x) sin(1e4 / x), 0, 1, max.eval = 2000))
  limit(exp, 0, 1) == 1e6 && limit(exp, 0, 1, method = "blockcut") == 1e7 && max(one$stages) <= 2000 &&
    limit(function(x, y, a) x * y * a, c(0, 0), 1, params = data.frame(a = 1:2)) == 1e7 &&
    limit(function(x, y) x * y, c(0, 0), 1) == 5e7 &&
    is_test("quadrature-stages: the default limit on evaluations follows from the operations of the integrand")
})
takes("breaks: in one dimension", near(gintegrate(function(x) x > 0.3, 0, 1, breaks = 0.3)$value, 0.7, 1e-14),
      identical(gintegrate(sin, 0, 1, breaks = 2)$value, integral$value), not = gintegrate(sin, 0, 1, breaks = "a"))
takes("dim: number of variables, from 1 to 100", near(gintegrate(function(x) 1, 0, 1, dim = 3)$value, 1),
      not = c(gintegrate(function(x) sum(x), 0, 1, dim = 101), gintegrate(sin, 0, 1, dim = 0)))
takes("stop.on.error: logical:", warns(gintegrate(function(x) 1 / x, 0, 1)), not = c(gintegrate(function(x) 1 / x, 0, 1,
      stop.on.error = TRUE), gintegrate(sin, 0, 1, stop.on.error = NA)))
shown("The default of `integrate()` is `TRUE`.", isTRUE(formals(integrate)$stop.on.error) &&
      isFALSE(formals(gintegrate)$stop.on.error))
takes("control: a named list of options", gintegrate(exp, 0, 1, method = "vegas", rel.tol = 0.01,
    control = list(seed = 1))$value > 1,
      not = c(gintegrate(exp, 0, 1, control = list(1)), gintegrate(exp, 0, 1, control = 3)))
takes("backend: `\"auto\"`, `\"cpu\"`, `\"opencl\"`", gintegrate(exp, 0, 1, backend = "cpu")$backend == "threads",
      not = gintegrate(exp, 0, 1, backend = "no such device"))
shown("An object of class `\"gintegral\"`", inherits(integral, "gintegral") && is.list(unclass(integral)))
shown("value, abs.error, evaluations, status: one", {
  all(lengths(unclass(integrals)[c("value", "abs.error", "evaluations", "status")]) == 3)
})
reference("Errors and statuses are described", "gintegrate-integrands:", "gintegrate-methods:", "gintegrate-control:",
          "gintegrate-status:", "gintegrate-devices:")
introduction("These pages describe the details:")
shown("chi.squared, df, Q: for `\"vegas\"`", {
  r <- gintegrate(exp, 0, 1, method = "vegas", rel.tol = 1e-3, control = list(seed = 1))
  all(c("chi.squared", "df", "Q") %in% names(r)) && r$Q >= 0 && r$Q <= 1 &&
    near(r$Q, pchisq(r$chi.squared, r$df, lower.tail = FALSE))
})
shown("bound: for `\"forward\"`", {
  r <- gintegrate(exp, 0, 1, method = "forward", rel.tol = 0.1)
  h <- 0.01                                              # of constant steps
  same <- gintegrate(exp, 0, 1, method = "forward", rel.tol = 0.1, control = list(h_min = h, h_max = h))
  near(same$bound, h^2 / 24 * exp(1), 1e-3) && length(r$bound) == 1
})
shown("rule: for `\"auto\"` in several", gintegrate(function(x, y) x * y, c(0, 0), c(1, 1))$rule %in% c("cubature",
    "product"))
shown("stages: if `\"auto\"` used several", {
  r <- suppressWarnings(gintegrate(function(x) abs(sum(x) - 1.3)^0.3, rep(0, 4), 1, rel.tol = 1e-9, max.eval = 1e5))
  length(r$stages) > 1 && sum(unlist(r$stages)) <= 1e5 + 1e4
})
shown("method, backend: the method, and where", {
  integral$backend == "threads" && suppressMessages(gintegrate(function(x) x * strtoi("7", base = 8L + 0 * round(x)),
      0, 1)$backend) == "R"
})
shown("time: seconds.", is.numeric(integral$time) && integral$time < 5)
shown("call, problem: the call, and the input", {
  identical(integrals$call[[1]], as.name("gintegrate")) && identical(integrals$problem$columns, data.frame(a = 1:3)) &&
    identical(plot(integral, "points"), integral)
})
shown("message, subdivisions: for code written", {
  identical(integral$message, "OK") && integral$subdivisions * 42 >= integral$evaluations &&
    integral$subdivisions >= 1 &&
    suppressWarnings(gintegrate(function(x) 1 / x, 0, 1)$message) != "OK"
})
shown("With several components, all results", {
  r <- gintegrate(function(x, a) c(x, a), 0, 1, params = data.frame(a = 1:3), n.value = 2)
  identical(dim(r$value), c(3L, 2L)) && identical(dim(r$status), c(3L, 2L)) && length(r$evaluations) == 3 &&
    length(gintegrate(function(x) c(x, x^2), 0, 1, n.value = 2)$value) == 2
})
shown("Integrates an ordinary R function", {
  f <- function(x) sum(x)
  r <- gintegrate(f, rep(0, 100), 1, rel.tol = 1e-2, control = list(seed = 1))
  abs(r$value - 50) <= 0.5 && inherits(error_in(quote(gintegrate(f, rep(0, 101), 1)), environment()),
                                       "stablecl_error_argument")
})
tested("The function is translated (`gtranslate()`) and",
       "quadrature-batch: results do not depend on the number of threads",
       "quadrature-device: errors on a device are within their estimates for known integrals")
tested("A call may compute one integral, or as many",
       "quadrature-batch: each integral of a batch is identical to the single",
       "quadrature-batch: a hard integral does not change the evaluations of the others")
raises("`\"stablecl_error_argument\"`: an argument is missing or invalid, or `f`", gintegrate(sin, 0),
       gintegrate(sin, 0, 1, rel.tol = "a"),
       gintegrate(function(x) "a", 0, 1))
raises("`\"stablecl_error_integral\"`: an integral has not", gintegrate(function(x) 1 / x, 0, 1, stop.on.error = TRUE),
       gintegrate(function(x) 1 / x, 0, 1))
raises("`\"stablecl_error_translation\"`: `f` and its",
       tests = "quadrature-conventions: a translation that differs from the function in R")
raises("`\"stablecl_error_untranslatable\"`: `f` has no", gintegrate(function(x) strtoi(x), 0, 1,
    control = list(fallback = "none")))
raises("`\"stablecl_error_device\"`, `\"stablecl_error_unsupported\"`: a device that is named",
       tests = c("quadrature-device: unsupported requests are errors if a device is selected by name",
                 "quadrature-device-monte-carlo: a device failure is an error if the device was selected by name"))
raises("`\"stablecl_error_memory\"`, `\"stablecl_error_worker\"`: memory",
       tests = c("memory: a failed allocation gives a memory error",
                 "workers: integrals of several components and killed workers"))

shown("Errors in `f` are passed on.", {
  identical(suppressMessages(tryCatch(gintegrate(function(x) stop("no"), 0, 1), error = conditionMessage)), "no")
})

# --- results ---
manual("gintegral-methods", "stablefits")
takes("digits: significant digits, one number", prints(integral, "0.46 ", digits = 2),
      not = c(print(integral, digits = 23), print(many, digits = -1)))
manual("gintegral-methods")
takes("...: arguments of `print.default()`", utils::capture.output(print(integral, quote = FALSE)),
      not = c(summary(integral, nonsense = 1),
      as.data.frame(integral, nonsense = 1)))
takes("row.names, optional: as in `as.data.frame()`.", identical(rownames(as.data.frame(integrals,
    row.names = letters[1:3])), letters[1:3]),
      not = as.data.frame(integrals, row.names = letters))
takes("inputs: the columns before the results:", names(as.data.frame(integrals))[1] == "a",
      names(as.data.frame(integrals, inputs = FALSE))[1] == "value",
      all(c("lower", "upper", "a") %in% names(as.data.frame(integrals, inputs = TRUE))),
        not = as.data.frame(integrals, inputs = NA))
takes("i: indices of integrals, or a logical", near(integrals[2]$value, integrals$value[2]),
      near(integrals[c(TRUE, FALSE, FALSE)]$value, integrals$value[1]),
      is.na(integrals[9]$value), not = integrals["a"])
takes("j: the number of a component:", near(components[, 2]$value, components$value[2]),
      not = c(components[, 3], integrals[, 2]))
shown("`format()` returns one line", {
  columns <- c("value", "abs.error", "evaluations", "status")
  vegas <- gintegrate(exp, 0, 1, method = "vegas", rel.tol = 0.01, control = list(seed = 1))
  s <- summary(integrals)
  clash <- gintegrate(function(x, value) x * value, 0, 1, params = data.frame(value = 1:2))
  length(format(integrals)) == 3 && length(format(components)) == 2 &&
    identical(names(as.data.frame(integrals)), c("a", columns)) &&
    "component" %in% names(as.data.frame(components)) && all(c("chi.squared", "df",
        "Q") %in% names(as.data.frame(vegas))) &&
    "bound" %in% names(as.data.frame(gintegrate(exp, 0, 1, method = "forward"))) &&
    "rule" %in% names(as.data.frame(gintegrate(function(x, y) x, c(0, 0), 1))) &&
      sum(startsWith(names(as.data.frame(clash)), "value")) == 2 &&
    inherits(s, "summary.gintegral") && all(c("n", "dim", "status", "evaluations", "worst", "by.status", "method",
        "backend", "time") %in% names(s)) &&
                                                s$evaluations == sum(integrals$evaluations) &&
    summary(components)$components == 2 && is.null(summary(components)$by.status) && length(integrals) == 3 &&
    near(integrals[2:3]$value, integrals$value[2:3])
})
tested("Methods that give the values, errors",
       "quadrature-conventions: methods of the class work for several integrals")
raises("`\"stablecl_error_argument\"`: an index is not a number or logical", integrals["a"], components[, 7],
       print(integral, digits = "a"),
       as.data.frame(integrals, row.names = letters), as.data.frame(integrals, inputs = 3))
manual("gintegral-arithmetic")
takes("x, e1, e2: objects of class", near(integral + integral, 2 * integral$value),
      near(1 - integral, 1 - integral$value))
takes("...: for the mathematical functions, `digits` or `base`;", round(integral, digits = 1) == 0.5,
      near(log(integral, base = 2), log2(integral$value)),
      near(sum(integral, integral, 1), 2 * integral$value + 1), not = round(integral, digts = 1))
takes("na.rm: logical: remove missing", near(mean(integrals, na.rm = TRUE), mean(integrals$value)),
      is.na(sum(divergent)),
      sum(divergent, na.rm = TRUE) == 0, not = mean(integrals, na.rm = "yes"))
shown("Numbers, one for each integral", {
  is.double(integrals + 1) && length(integrals + 1) == 3 && length(sum(integrals)) == 1 && is.logical(integrals > 1)
})
tested("In arithmetic, comparisons and mathematical",
       "quadrature-arithmetic: operators combine integrals with numbers and with",
       "quadrature-arithmetic: mathematical functions and summaries use the values")
tested("The operators of R (`+`", "quadrature-arithmetic: operators combine integrals with numbers and with each other",
       "quadrature-arithmetic: mathematical functions and summaries use the values")
takes("`order()` and `sort()` arrange", identical(order(integrals), 1:3),
      near(as.numeric(sort(integrals)), sort(integrals$value)), is.na(divergent))
shown("Such a result has neither error", is.null(attributes(2 * integral)))
shown("The error of a sum or difference is at most", {
  one <- function(seed) gintegrate(function(x, y) exp(x * y), c(0, 0), c(1, 1), method = "vegas", rel.tol = 0.01,
      max.eval = 2000,
                                   control = list(seed = seed))
  runs <- lapply(1:80, one)
  values <- vapply(runs, function(r) r$value, 0)
  sums <- values[1:40] + values[41:80]
  stated <- sqrt(runs[[1]]$abs.error^2 + runs[[2]]$abs.error^2)
  truth <- gintegrate(function(x) sqrt(x), 0, 1)
  sd(sums) < 2 * stated && abs(truth$value - 2 / 3) <= truth$abs.error && sd(sums) > stated / 3
})
raises("`\"stablecl_error_argument\"`: an argument is unknown or empty, or `na.rm`", mean(integrals, na.rm = "yes"),
       round(integral, digts = 3))
shown("Errors of R's own operators", !inherits(tryCatch(integral + "a", error = identity), "stablecl_error"))
manual("plot.gintegral", "autoplot.gintegral")
takes("type: the type of plot; by default", plot(integrals, "values"), plot(integral, "points"), plot(area, "regions"),
      plot(integral, "convergence"),
      identical(plot(area), area), not = plot(integral, "regions"))
takes("which: index of the integral", plot(integrals, "points", which = 2), not = plot(integral, which = 3))
takes("against: for `\"values\"`:", plot(integrals, against = as.Date("2020-01-01") + 0:2),
      plot(integrals, against = 3:1),
      not = c(plot(integrals, against = 1:2), plot(integrals, against = c(1, Inf, 3))))
takes("axes: for `\"regions\"`:", plot(area, axes = 2:1), not = c(plot(area, axes = 1), plot(area, axes = c(1, 3))))
takes("main, xlab: title and label", plot(integral, main = "sine", xlab = "angle"))
shown("Plots the evaluation points of one", identical(plot(integral), integral) &&
      identical(plot(integral, "convergence"), integral))
tested("`\"points\"` (one variable) shows the integrand",
       "quadrature-plot: the recorded points are those that the integral used",
       "quadrature-plot: points concentrate near the peak")
shown("An infinite range is truncated to where", {
  shown_of <- function(f, lower) {
    r <- gintegrate(f, lower, Inf)
    x <- ggplot2::layer_data(ggplot2::autoplot(r), 2L)$x
    all(f(x) >= 1e-6 * max(f(x))) && length(x) < r$evaluations
  }
  shown_of(function(x) exp(-x), 0) && shown_of(function(x) exp(-x^2), -Inf)
})
shown("`\"regions\"` (two or more variables) shows the number", {
  regions <- stablecl:::regions_shown(area, 1:2)
  points <- stablecl:::record_points(area)
  first <- points$x1 < regions$cuts[[1]][2] & points$x2 < regions$cuts[[2]][2]
  sum(regions$count) == area$evaluations && regions$count[1, 1] == sum(first)
})
tested("`\"values\"` shows the values of several", "plot-snapshots: plots of integrals are drawn as before")
tested("The colour of each integral shows its status.", "plot-colours: statuses have symbols of their own")
tested("`\"convergence\"` repeats the integral with",
       "quadrature-plot: the error decreases with the number of evaluations",
       "quadrature-plot: the convergence plot repeats the method of the result")
shown("All types except `\"values\"` compute", {
  calls <- 0
  f <- function(x) {
    calls <<- calls + 1
    exp(x) * strtoi("1")
  }
  r <- suppressMessages(gintegrate(f, 0, 1:2))
  again <- function(...) {
    before <- calls
    plot(...)
    calls - before
  }
  again(r, "values") == 0 && again(r[1], "points") > 0 && again(r[1], "convergence") > 0
})
tested("A plot takes one figure of an arrangement",
       "quadrature-plot: plots restore all graphical parameters and take one figure")
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, the type of plot",
       plot(integral, which = 3),
       plot(integral, "regions"), plot(integral, nonsense = 1), plot(divergent, "values"))
tested("The plots of `plot.gintegral()` as objects", "quadrature-plot: autoplot() makes the same plots with ggplot2")
tested("The colours show the round in which each", "quadrature-plot: autoplot() makes the same plots with ggplot2",
       "plot-colours: statuses have symbols of their own",
         "plot-colours: lightness decreases along the scale of counts")

# --- integrands ---
manual("gintegrate-integrands")
shown("The function `f` of `gintegrate()`:", {
  text <- paste(readLines("man/gintegrate-integrands.Rd"), collapse = " ")
  all(vapply(c("section{Variables}", "section{Parameters}", "section{Translation}", "section{Several components}"),
             grepl, NA, text, fixed = TRUE))
})
shown("A function of several arguments without", near(gintegrate(function(x, y, a = 2) a * x * y, c(0, 0),
    c(1, 1))$value, 0.5))
shown("A function whose first argument is used as", {
  two <- function(f) near(gintegrate(f, c(0, 0), c(1, 1))$value, 1)
  two(function(x) x[1] + x[2]) && two(function(x) sum(x)) && two(function(x) c(matrix(c(1, 1), 1) %*% x))
})
shown("Any other function has one variable.", length(gintegrate(function(x) x^2, c(0, 1), c(1, 2))$value) == 2)
shown("The argument `dim` of `gintegrate()` states", {
  near(gintegrate(function(x) 2, 0, 2, dim = 3)$value, 16) && length(gintegrate(function(x) 2, 0, c(1, 1))$value) == 2
})
shown("In one dimension `lower` and `upper`", near(gintegrate(exp, 0:1, 2)$value, exp(2) - exp(0:1)))
shown("In `d` dimensions they are vectors", {
  f <- function(x, y) x + y
  near(gintegrate(f, 0, c(1, 1))$value, 1) && near(gintegrate(function(x) sum(x), 0, 1, dim = 2)$value, 1) &&
    near(gintegrate(f, c(0, 0), rbind(c(1, 1), c(2, 2)))$value, c(1, 8))
})
tested("Limits may be infinite, in several",
       "quadrature-infinite: limits may be reversed, empty and different for each integral")
shown("Arguments in `...` have the same value", near(gintegrate(function(x, a) a * x, 0, c(1, 2), a = 3)$value,
    c(1.5, 6)))
shown("Arguments that differ are columns", near(integrals$value, (exp(1:3) - 1) / 1:3))
tested("The program of a translated function serves", "integrand-language: captured values are not part of the program",
       "integrand-cache: a function of captured vectors is translated once, until their values change")
reference("The function is translated to a program (`gtranslate()`")
tested("Before a run, program and function are",
       "integrand-cache: a cached translation is compared with the function at new points",
       "integrand-fallback: a translation is compared with its function when it is made",
       code = "R/quadrature-gintegrate.R: 16L else if (work > 1e9) 0L")
tested("A difference beyond 1e-9 is an error",
       "quadrature-conventions: a translation that differs from the function in R is an error",
       code = "R/quadrature-gintegrate.R: 1e-9 * abs(expected)")
shown("If the function accepts a vector of points", {
  f <- function(x) if (length(x) > 1) 2 * x else x                   # R evaluates it over vectors
  refused <- tryCatch(gintegrate(function(x) max(x, 0) * dnorm(x), -1, 1), stablecl_error_translation = identity)
  near(gintegrate(function(x) pmax(x, 0) * dnorm(x), -Inf, Inf)$value, dnorm(0)) && inherits(refused, "error") &&
    near(suppressMessages(gintegrate(f, 0, 1))$value, 1)
})
tested("A function that cannot be translated is evaluated",
       "quadrature-conventions: integrands without a translation are called in R",
       "integrand-cache: a function without translation is called once for each round of bisection")
shown("With `n.value = k` the function returns", near(gintegrate(function(x) x^(1:2) * dnorm(x, 1), -Inf, Inf,
    n.value = 2)$value, c(1, 2)))
tested("Each of these components has its own value", "quadrature-components: each component has its own status")
shown("Common points save evaluations if the components", {
  count <- function(f, n) suppressWarnings(gintegrate(f, c(0, 0), 1, n.value = n, method = "cubature",
                                                      rel.tol = 1e-6))$evaluations
  same <- count(function(x, y) c(1, x) / (1e-4 + (x - 0.1)^2), 2)
  apart <- count(function(x, y) c(1 / (1e-4 + (x - 0.1)^2), 1 / (1e-4 + (y - 0.9)^2)), 2)
  one <- count(function(x, y) 1 / (1e-4 + (x - 0.1)^2), 1)
  other <- count(function(x, y) 1 / (1e-4 + (y - 0.9)^2), 1)
  same < 1.5 * one && apart > one + other
})
tested("`\"gk\"`, `\"simpson\"`, `\"cubature\"` and `\"lattice\"` evaluate",
       "quadrature-components: moments of an exponential",
       "quadrature-components: simpson shares points",
         "quadrature-components: Genz functions over a box are right and share",
       "quadrature-components: lattices serve components of different shapes")
tested("The first three divide the range for all", "quadrature-components: each component has its own status",
       "quadrature-components: singular components are extrapolated and the others are not disturbed")
shown("`\"lattice\"` examines each component first", {
  run <- function(f, n = 1) gintegrate(f, rep(0, 3), 1, n.value = n, method = "lattice", rel.tol = 1e-3,
                                       control = list(seed = 1))
  peaks <- list(function(x) exp(-2000 * sum((x - 0.3)^2)), function(x) exp(-2000 * sum((x - 0.7)^2)))
  alone <- lapply(peaks, run)
  flat <- run(function(x) c(x[1] + x[2] * x[3], exp(x[1]) * x[2]), 2)
  all <- run(function(x) c(exp(-2000 * sum((x - 0.3)^2)), exp(-2000 * sum((x - 0.7)^2)), x[1] + x[2] * x[3],
                           exp(x[1]) * x[2]), 4)
  count <- function(r) r$evaluations
  near(all$value, c(alone[[1]]$value, alone[[2]]$value, flat$value)) &&
    all(all$value[1:2] == c(alone[[1]]$value, alone[[2]]$value)) &&
    abs(count(all) - count(flat) - count(alone[[1]]) - count(alone[[2]])) < 1000
})
tested("The other methods compute one component after",
       "quadrature-components: methods that do not share points compute one component",
       "quadrature-components: an oscillating component over a half-line is completed by itself")
tested("Values and errors differ from those of a call",
       "quadrature-components: components agree with calls for each of them")
tested("A function without translation is called at",
       "quadrature-components: functions without a translation are evaluated by R")
tested("`params` and several limits work as for one",
       "quadrature-components: several integrals have a matrix of values",
       "quadrature-components: limits may be reversed, equal, or missing")
tested("Within `f`, `dstable()` and `pstable()` are",
       "quadrature-device-laws: distributions of one shape have the values of the CPU",
       "integrand-distributions: stable distributions agree with dstable() and pstable()")
shown("Kernels for a different `alpha` or `beta`", {
  built <- function(row) as.numeric(cell("bench/gpu/first-call.md", row, 2))
  built("| dstable of varying shape |") > 2 * max(built("| dstable |"), built("| pstable |"))
})

# --- control ---
manual("gintegrate-control")
reference("The elements of the argument `control`")
shown("Each option names the methods that use it;", {
  options <- lapply(stablecl:::integral_methods()$options, function(all)
    names(Filter(function(option) option$kind != "key", all)))
  text <- manual_sentences()$sentence[manual_sentences()$page == "man/gintegrate-control.Rd"]
  named <- function(name) {
    item <- grep(paste0("^`", name, "`: "), text, value = TRUE)
    heading <- sub(":.*", "", sub("^[^:]*: ", "", item))
    gsub("\"", "", regmatches(heading, gregexpr("\"[a-z]+\"", heading))[[1]])
  }
  uses <- function(name) names(Filter(function(those) name %in% those, options))
  auto <- function(seed) gintegrate(function(x) if (sum(x^2) < 3) 1 else 0, rep(0, 9), 1, rel.tol = 1e-2,
                                    control = list(seed = seed))$value
  all(vapply(unique(unlist(options)), function(name) setequal(named(name), uses(name)), NA)) &&
    auto(1) == auto(1) && auto(1) != auto(2) &&
    inherits(error_in(quote(gintegrate(exp, 0, 1, control = list(precision = "single"))), objects),
             "stablecl_error_argument")
})
shown("With other methods an option is checked", {
  run <- function(...) gintegrate(exp, 0, 1, method = "gk", control = list(...))
  fails <- function(...) inherits(tryCatch(run(...), error = identity), "stablecl_error_argument")
  identical(run(seed = 1, bins = 4, cells = 3, symmetric = FALSE)$value, run()$value) && fails(seed = -1) &&
    fails(bins = 3) && fails(symmetric = TRUE) && fails(precision = "single")
})
tested("`NULL` stands for the default.",
       "quadrature-options: NULL and the defaults of the table are the same as no option")
tested("Default: `", "quadrature-options: the manual states the options and defaults of the table")
tested("`fallback`:", "quadrature-options: each option is accepted by name and has an effect",
       "quadrature-conventions: integrands without a")
tested("`omega`:", "quadrature-fourier: omega, weight and limits are checked",
       "quadrature-fourier: the sign of omega, reflection")
takes("Required.", not = gintegrate(exp, 0, Inf, method = "fourier", control = list(weight = "cos")))
tested("`weight`:", "quadrature-fourier: omega, weight and limits are checked",
       "quadrature-fourier: the sign of omega, reflection")
tested("`h_min`:", "quadrature-forward: straight lines are exact, and steps stay within their limits",
       code = "src/quadrature/published/forward_rule.h: #define FORWARD_MIN_SHARE (1.0 / 100.0)")
tested("`h_max`:", "quadrature-forward: straight lines are exact, and steps stay within their limits",
       code = "src/quadrature/published/forward_rule.h: #define FORWARD_MAX_SHARE (1.0 / 20.0)")
shown("`blocks`: `\"forward\"`: number of equal intervals", {
  seen <- NULL
  f <- function(x) {
    seen <<- c(seen, x)
    x^2 * strtoi("1")
  }
  suppressMessages(suppressWarnings(gintegrate(f, 0, 2, method = "forward",
                                               control = list(h_min = 0.03, h_max = 0.3, blocks = 2))))
  # the limits of both intervals, points that give the slopes there, and the ends of the first steps
  near(seen[1:6], c(0, 1, 0.003, 1.003, 0.03, 1.03)) &&
    is_test("quadrature-forward: the blocks of a range are those of separate integrals with the same steps")
})
shown("With more than one, a range on which", {
  zero <- function(blocks) gintegrate(function(x) 0 * x, 0, 1, method = "forward",
      control = list(blocks = blocks))$evaluations
  zero(1) > zero(2)
})
tested("`expand`:", "quadrature-blockcut: expansion by the logarithm saves evaluations",
       "quadrature-options: a coin is drawn from R's")
tested("`variant`:", "quadrature-blockcut: every variant converges with an error within its estimate")
shown("`cells`: `\"blockcut\"`: number of intervals", {
  count <- function(variant, cells) gintegrate(function(x) 1 + x, 0, 1, method = "blockcut", rel.tol = 1e-3,
                                               control = list(variant = variant, cells = cells))$evaluations
  all(vapply(c("PBCAQ", "BCAQ"), function(v) count(v, 1) == 3 && count(v, 10) == 21, NA)) &&
    all(vapply(c("PSCAQ", "SCAQ", "CAQ"), function(v) count(v, 1) == 6 && count(v, 10) == 51, NA)) &&
    is_test("quadrature-blockcut: block-cutting agrees with the algorithm of the paper")
})
shown("At most an eighth of `max.eval`.", {
  count <- function(cells) suppressWarnings(gintegrate(exp, 0, 1, method = "blockcut", max.eval = 8000,
                                                       control = list(cells = cells)))$evaluations
  count(1000) == count(4000) && count(500) != count(1000)
})
tested("`symmetric`:", "quadrature-monte-carlo: one importance map for all axes is accurate for symmetric integrands")
takes("`seed`: `\"vegas\"`, `\"lattice\"`:",
      is_test("quadrature-monte-carlo: results are reproducible with a seed or set.seed(), and differ between seeds"),
      vegas_with(seed = 2^53 - 1), vegas_with(seed = 0),
      not = c(vegas_with(seed = 2^53), vegas_with(seed = -1), vegas_with(seed = 0.5)))
takes("`adjust`: `\"vegas\"`, `\"lattice\"`:",
      source_has("src/quadrature/monte_carlo/importance_rounds.c", "#define ROUNDS   12"),
      is_test("quadrature-monte-carlo: users may choose iterations, rounds, bins and samples as in m-Cubes"),
      vegas_with(adjust = 0), vegas_with(adjust = 255),
      not = c(vegas_with(adjust = -1), vegas_with(adjust = 256), vegas_with(adjust = 1.5)))
takes("`bins`: `\"vegas\"`, `\"lattice\"`:",
      vegas_with(bins = 256)$value == vegas_with()$value,
      is_test("quadrature-monte-carlo: users may choose iterations, rounds, bins and samples as in m-Cubes"),
      not = c(vegas_with(bins = 3), vegas_with(bins = 512)))
tested("`precision`:", "quadrature-device-single: lattices in single precision agree with those in double precision")
tested("In single precision, values of up to 3.4e38",
       "quadrature-device-single: values beyond the range of single precision are errors",
       "quadrature-device-single: the error includes rounding",
         "quadrature-device-single: functions without single precision")
takes("`iterations`: `\"vegas\"`: number of rounds", vegas_with(iterations = 2), vegas_with(iterations = 256),
      is_test("quadrature-monte-carlo: users may choose iterations, rounds, bins and samples as in m-Cubes"),
      not = c(vegas_with(iterations = 1), vegas_with(iterations = 257)))
tested("Those that do not adapt the grid",
       "quadrature-monte-carlo: users may choose iterations, rounds, bins and samples as in m-Cubes")
takes("`samples.per.cube`: `\"vegas\"`:", vegas_with(samples.per.cube = 64)$value == vegas_with()$value,
      vegas_with(samples.per.cube = 4)$value != vegas_with()$value, vegas_with(samples.per.cube = 2^20),
      gintegrate(exp, 0, 1, method = "vegas", control = list(seed = 5, samples.per.cube = 16))$value ==
        gintegrate(exp, 0, 1, method = "vegas", control = list(seed = 5))$value,
      source_has("src/quadrature/monte_carlo/strata.c", "#define COUNT_MAX    65536"),
      source_has("src/quadrature/monte_carlo/strata.c", "#define COUNT_CHOSEN 4194304"),
      not = c(vegas_with(samples.per.cube = 3), vegas_with(samples.per.cube = 2^20 + 1)))
raises("An unknown name, a name that is given twice", gintegrate(sin, 0, 1, control = list(sead = 1)),
       gintegrate(sin, 0, 1, control = list(seed = 1, seed = 2)), gintegrate(sin, 0, 1, control = list(seed = -1)))
