# The evidence for the manual pages of distributions in several dimensions (tools/check-claims).

manual("mvstable", "pmvstable", "mvstable_projection", "mvstablefit", "mvspectralfit", "mvstablefit-methods",
       "mvstable_spectral")
takes("Q: shape matrix, symmetric and positive", near(mvstable_projection(diag(2), 1.5,
    matrix(c(4, 1, 1, 9), 2))$gamma, c(2, 3)),
      not = c(dmvstable(c(0, 0), 1.5, matrix(1, 2, 2)), dmvstable(c(0, 0), 1.5, matrix(1:4, 2))))
takes("A number is a 1 x 1 matrix.", near(dmvstable(1, 1.5, 4), dstable(1, 1.5, 0, 2)))
takes("delta: location, a vector with an element", near(dmvstable(c(1, 2), 1.5, diag(2), c(1, 2)),
    dmvstable(c(0, 0), 1.5, diag(2))),
      near(dmvstable(c(1, 1), 1.5, diag(2), 1), dmvstable(c(0, 0), 1.5, diag(2))),
        not = dmvstable(c(0, 0), 1.5, diag(2), 1:3))
takes("x: the sample: a numeric matrix or data frame with a row",
      near(coef(mvstablefit(as.data.frame(cloud), "projection")),
      coef(mvstablefit(cloud, "projection"))), nobs(mvstablefit(sample, "projection")) == 300,
        not = mvstablefit(letters))
takes("na.action: what to do with rows that have missing", nobs(mvstablefit(rbind(cloud, NA), "projection")) == 150,
      inherits(error_in(quote(mvstablefit(rbind(cloud, NA), na.action = na.fail)), objects), "error"))
takes("alpha: index of stability, one number, 0 <", dmvstable(c(0, 0), 2, diag(2)) > 0,
      near(dmvstable(c(0, 0), elliptical),
      dmvstable(c(0, 0), elliptical$alpha, elliptical$Q, elliptical$delta)),
        mvstable_projection(c(1, 1), spectral)$alpha == 1.5,
      not = c(dmvstable(c(0, 0), 2.1, diag(2)), dmvstable(c(0, 0), 1:2, diag(2)),
              dmvstable(c(0, 0), elliptical, diag(2))))
takes("fixed: `list(alpha = )` or a named vector", mvstablefit(cloud, fixed = list(alpha = 1))$alpha == 1,
      mvstablefit(cloud, fixed = c(alpha = 1.5))$alpha == 1.5,
        mvspectralfit(cloud, fixed = c(alpha = 1.5))$alpha == 1.5,
      not = c(mvstablefit(cloud, fixed = list(beta = 0)), mvspectralfit(cloud, fixed = c(alpha = 2))))

# --- elliptical distributions ---
manual("mvstable")
measured("`dmvstable()` requires 1e-5 or more: the number of nodes",
         system.time(dmvstable(c(1, 1), 0.001, diag(2)))[["elapsed"]],
         inherits(error_in(quote(dmvstable(c(1, 1), 1e-6, diag(2))), objects), "stablecl_error_argument") &&
           length(stablecl:::radial_law(0.01, 2L)$weight) > 5 * length(stablecl:::radial_law(0.1, 2L)$weight))
takes("x: the points: a numeric matrix", length(dmvstable(cloud, 1.5, diag(2))) == 150,
      length(dmvstable(as.data.frame(cloud), 1.5, diag(2))) == 150,
      not = dmvstable(cbind(1:3), 1.5, diag(2)))
takes("Columns with the names of the dimensions", {
  named <- list(alpha = 1.5, Q = diag(2), delta = c(a = 1, b = 2))
  by_name <- do.call(dmvstable, c(list(data.frame(b = 5, a = 0)), named))
  by_name == do.call(dmvstable, c(list(c(0, 5)), named)) &&
    by_name == do.call(dmvstable, c(list(cbind(u = 0, v = 5)), named))
}, not = dmvstable(data.frame(a = 1), 1.5, diag(2), c(a = 1, b = 2)))
takes("A vector is one point;", length(dmvstable(c(0, 1), 1.5, diag(2))) == 1, length(dmvstable(0:1, 1.5, 1)) == 2)
takes("For `rmvstable()` also a distribution", identical(dim(rmvstable(3, spectral)), c(3L, 2L)))
takes("log: logical; if `TRUE`, logarithms of densities", near(dmvstable(c(1, 1), 1.5, diag(2), log = TRUE),
    log(dmvstable(c(1, 1), 1.5, diag(2)))),
      is.finite(dmvstable(c(1e150, 0), 1.5, diag(2), log = TRUE)), dmvstable(c(1e150, 0), 1.5, diag(2)) == 0)
shown("`dmvstable()`: a vector with the density", {
  value <- dmvstable(rbind(c(0, 1), c(NA, 1)), 1.5, diag(2))
  length(value) == 2 && is.na(value[2]) && is.finite(value[1])
})
shown("`rmvstable()`: a matrix with a row", {
  named <- matrix(c(1, 0, 0, 1), 2, dimnames = list(c("a", "b"), c("a", "b")))
  identical(colnames(rmvstable(3, 1.5, named)), c("a", "b")) &&
    identical(colnames(rmvstable(3, 1.5, diag(2), c(u = 0, v = 0))), c("u", "v"))
})
tested("Density and random generation for elliptically",
       "mv-density: the radial density agrees with reference values by two other",
       "mv-random: projections have the stable distribution with the scale of the quadratic form")
shown("X has the characteristic function", {
  x <- seeded(1, rmvstable(2e5, 1.5, matrix(c(2, 0.5, 0.5, 1), 2), c(1, -1)))
  u <- c(0.4, -0.3)
  cf <- exp(-drop(u %*% matrix(c(2, 0.5, 0.5, 1), 2) %*% u)^0.75 + 1i * sum(u * c(1, -1)))
  Mod(mean(exp(1i * x %*% u)) - cf) < 5 / sqrt(2e5)
})
tested("It is distributed as", "mv-random: the mixing variate has the Laplace transform exp(-t^(alpha/2))")
shown("For `alpha = 2` the distribution is normal with covariance", {
  near(dmvstable(c(1, 2), 2, diag(2)), prod(dnorm(c(1, 2), 0, sqrt(2)))) &&
    near(dmvstable(c(1, 2), 1, diag(2)), 1 / (2 * pi) / (1 + 5)^1.5)
})
tested("The projection w^T X is stable",
       "mv-random: projections have the stable distribution with the scale of the quadratic")
shown("The components are dependent even if", {
  joint <- dmvstable(c(1, 1), 1.5, diag(2))
  abs(joint / dstable(1, 1.5, 0)^2 - 1) > 0.01 && near(dmvstable(c(1, 1), 2, diag(2)), dstable(1, 2, 0)^2)
})
shown("With r^2 = (x-", {
  Q <- matrix(c(2, 0.5, 0.5, 1), 2)
  x <- c(1, -2)
  r <- sqrt(drop(x %*% solve(Q) %*% x))
  near(dmvstable(x, 1.5, Q), det(Q)^-0.5 * dmvstable(c(r, 0), 1.5, diag(2)))
})
shown("For 200 points or more", {
  x <- cloud[rep(1:150, 2), ]
  for (k in 1:18) dmvstable(x, 1 + k / 50, diag(2))
  kept <- length(stablecl:::recent_laws$laws)
  few <- dmvstable(x[1:3, ], 1.02, diag(2), log = TRUE)
  kept == 16 && near(dmvstable(x, 1.02, diag(2), log = TRUE)[1:3], few, 1e-11) &&
    source_has("R/mv-radial.R", "mv_enough_points <- 200L")
})
tested("The error of \\log g", "mv-density: the radial density agrees with reference values by two other methods",
       "mv-density: the series and the quadrature agree where they meet, and refined panels change nothing")
shown("Tests compare it with values from", {
  table <- utils::read.csv("tests/testthat/data/mv-radial.csv", comment.char = "#")
  tests <- c("mv-density: the radial density agrees with reference values by two other methods",
             "mv-density: the density tends to the closed forms at alpha = 1 and alpha = 2",
             "mv-density: the series and the quadrature agree where they meet, and refined panels change nothing")
  says(sentence, "`alpha` from %s to %s,", min(table$alpha), max(table$alpha[table$alpha < 2])) &&
    all(vapply(tests, is_test, NA))
})
shown("If `Q` is nearly singular", {
  Q <- matrix(c(1, 1 - 1e-13, 1 - 1e-13, 1), 2)
  r2 <- 1^2 / ((1 - Q[1, 2]))                          # of (1, -1), by the eigenvector of the small eigenvalue
  value <- dmvstable(c(1, -1), 2, Q, log = TRUE)
  abs(value / (-2 / (1 - Q[1, 2]) / 4) - 1) < 1e-2 && is.finite(r2)
})
tested("Row `i` of a sample is a function",
       "mv-random: samples depend on the seed only, and longer ones begin with shorter ones",
       "mv-random: rmvstable() advances R's generator as rstable() does")
raises("`\"stablecl_error_argument\"`: an argument is missing or invalid: `alpha` outside", dmvstable(0),
       dmvstable(c(0, 0), 3, diag(2)),
       dmvstable(c(0, 0), 1.5, matrix(1:4, 2)), dmvstable(c(0, 0), 1.5, -diag(2)),
         dmvstable(c(0, 0), 1.5, diag(2), 1:3),
       dmvstable(cbind(1:3), 1.5, diag(2)), dmvstable(c(0, 0), elliptical, diag(2)))

manual("mvstable_projection")
takes("w: weights: a vector with an element", nrow(mvstable_projection(diag(2), 1.5, diag(2))) == 2,
      mvstable_projection(c(b = 0, a = 2), 1.5, diag(c(1, 9)), c(a = 1, b = 1))$gamma == 2,
      not = mvstable_projection(1:3, 1.5, diag(2)))
shown("A data frame with the columns `alpha`, `beta`, `gamma` and `delta`, the arguments", {
  law <- mvstable_projection(rbind(1:2, 2:1), 1.5, diag(2))
  identical(names(law), c("alpha", "beta", "gamma", "delta")) && nrow(law) == 2 &&
    is.finite(do.call(dstable, c(0, law[1, ])))
})
tested("The distribution of w^TX, such", "mv-probability: linear combinations have the distribution of the projection")
shown("For X with an elliptically contoured", {
  Q <- matrix(c(2, 0.5, 0.5, 1), 2)
  law <- mvstable_projection(1:2, 1.5, Q, c(3, 4))
  law$beta == 0 && near(law$gamma, sqrt(drop(1:2 %*% Q %*% 1:2))) && near(law$delta, 11)
})
raises("`\"stablecl_error_argument\"`: an argument is missing or invalid, `w`", mvstable_projection(1),
       mvstable_projection(1:3, 1.5, diag(2)),
       mvstable_projection(1:2, elliptical, diag(2)), mvstable_projection("a", 1.5, diag(2)))

manual("pmvstable")
takes("lower, upper: limits of the box", pmvstable(-1, 1, 1.5, diag(2)) < pmvstable(c(-Inf, -1), c(1, Inf), 1.5,
    diag(2)),
      not = pmvstable(2, 1, 1.5, diag(2)))
takes("At most 99 dimensions, for", pmvstable(-Inf, c(rep(0, 99), Inf), 1.5, diag(100), max.eval = 1e4) >= 0,
      not = pmvstable(0, 1, 1.5, diag(100)))
takes("rel.tol: requested relative error", attr(pmvstable(-1, 1, 1.5, diag(2), rel.tol = 0.01, seed = 1),
    "abs.error") < 0.01,
      not = pmvstable(-1, 1, 1.5, diag(2), rel.tol = 0))
takes("max.eval: largest number of evaluations, one positive",
      suppressWarnings(pmvstable(-1, 1, 1.5, diag(2), rel.tol = 1e-9, max.eval = 1e4)) > 0,
      not = pmvstable(-1, 1, 1.5, diag(2), max.eval = -1))
takes("seed: seed of the random shifts", identical(pmvstable(-1, 1, 1.5, diag(2), seed = 4),
    pmvstable(-1, 1, 1.5, diag(2), seed = 4)),
      not = pmvstable(-1, 1, 1.5, diag(2), seed = -1))
shown("The probability, with attributes", all(c("abs.error", "status") %in% names(attributes(pmvstable(-1, 1, 1.5,
    diag(2), seed = 1)))))
tested("Arithmetic with it, and rounding, return", "annotated-numbers: arithmetic, rounding and indexing return plain")
tested("The probability of a box", "mv-probability: probabilities agree with an independent integral of the density")
tested("With X = ", "mv-probability: probabilities of orthants are those of the normal distribution")
tested("Kanter's (1975) formula generates S",
       "mv-random: the mixing variate has the Laplace transform exp(-t^(alpha/2))",
       "mv-probability: probabilities in the tails have relative accuracy")
tested("`gintegrate()` integrates over the d + 1",
       "mv-probability: the integrand is translated, and the seed determines the result")
shown("In one dimension the probability is computed", near(as.numeric(pmvstable(-1, 2, 1.5, 4)),
    diff(pstable(c(-1, 2), 1.5, 0, 2))))
shown("`attr(, \"abs.error\")` is the standard", attr(pmvstable(-1, 2, 1.5, 4), "abs.error") == 0)
raises("The integration ends when the estimated error", pmvstable(-1, 1, 1.5, diag(2), rel.tol = 1e-9, max.eval = 1e4))
raises("`\"stablecl_error_argument\"`: an argument is missing or invalid, or a lower limit", pmvstable(1),
       pmvstable(2, 1, 1.5, diag(2)),
       pmvstable(-1, 1, 3, diag(2)))

# --- discrete spectral measures ---
manual("mvstable_spectral")
shown("For `alpha = 2` the distribution is normal.", {
  x <- seeded(1, rmvstable(2000, mvstable_spectral(2, diag(2), 1)))
  shapiro.test(x[, 1])$p.value > 0.001 && abs(var(x[, 1]) - 2) < 0.4
})
takes("directions: a numeric matrix or data frame", identical(dim(mvstable_spectral(1.5, as.data.frame(diag(3)),
    1)$directions), c(3L, 3L)),
      not = mvstable_spectral(1.5, letters, 1))
takes("Rows are divided by their lengths.", near(mvstable_spectral(1.5, rbind(c(3, 4)), 1)$directions, c(0.6, 0.8)))
takes("In two dimensions, the directions may be", near(mvstable_spectral(1.5, c(0, pi / 2), 1)$directions, diag(2)))
takes("mass: masses m_j ", near(mvstable_spectral(1.5, diag(2), 3)$mass, c(3, 3)),
      not = c(mvstable_spectral(1.5, diag(2), -1),
      mvstable_spectral(1.5, diag(2), 0), mvstable_spectral(1.5, diag(2), 1:3)))
takes("beta: skewness for each direction", near(mvstable_spectral(1.5, diag(2), 1, beta = c(-1, 0.5))$beta, c(-1, 0.5)),
      not = mvstable_spectral(1.5, diag(2), 1, beta = 2))
takes("...: arguments of `print()`.", utils::capture.output(print(spectral, quote = FALSE)),
      not = print(spectral, nonsense = 1))
shown("`mvstable_spectral()`: an object of class", {
  all(c("alpha", "directions", "mass", "beta", "delta") %in% names(spectral)) && near(rowSums(spectral$directions^2), 1)
})
shown("`print()`: its argument, invisibly.", {
  printed <- NULL
  utils::capture.output(printed <- withVisible(print(spectral)))
  identical(printed$value, spectral) && !printed$visible
})
tested("Describes a multivariate stable distribution, in general",
       "mv-spectral: random vectors have the characteristic function of the measure")
shown("`rmvstable()` draws random vectors from it", {
  is.matrix(rmvstable(2, spectral)) && is.data.frame(mvstable_projection(c(1, 1), spectral)) &&
    inherits(mvspectralfit(seeded(1, rmvstable(500, spectral))), "mvstable_spectral")
})
tested("For masses m_j at unit vectors", "mv-spectral: random vectors have the characteristic function of the measure",
       "mv-spectral: projections agree with the characteristic function of the spectral measure")
tested("The spectral measure has the mass", "mv-spectral: a measure may be described in several ways")
tested("X is a sum of independent stable",
       "mv-spectral: random vectors have the characteristic function of the measure")
tested("If the directions are the coordinate axes",
       "mv-spectral: components with directions along the axes are independent")
tested("Component k has the location", "mv-spectral: components with directions along the axes are independent",
       "mv-spectral: projections are continuous in alpha at 1 and exact next to it")
tested("The vector c above has the elements",
       "mv-spectral: projections agree with the characteristic function of the spectral measure")
shown("w^TX is stable with ", {
  law <- mvstable_spectral(1.5, rbind(c(1, 0), c(0.6, 0.8)), c(2, 3), beta = c(1, -0.5))
  along <- drop(law$directions %*% c(1, -2))
  scale <- sum(law$mass * abs(along)^1.5)
  got <- mvstable_projection(c(1, -2), law)
  near(got$gamma^1.5, scale) && near(got$beta, sum(law$beta * law$mass * sign(along) * abs(along)^1.5) / scale) &&
    source_has("tests/testthat/test-mv-spectral.R", "continuous in alpha at 1 and exact next to it")
})
shown("For small `alpha`, |w^Ts_j|", round(1e-16^0.1, 3) == 0.025)
shown("`rmvstable()` adds the vectors", {
  sample_of <- function(law) seeded(1, rmvstable(5, law))
  law <- mvstable_spectral(0.8, rbind(c(1, 0), c(3, 4)), c(1, 2))
  numbers <- matrix(seeded(1, rstable(10, 0.8, 1, pm = 1)), 5, byrow = TRUE)
  none <- mvstable_spectral(0.8, rbind(c(1, 0), c(0, 1), c(3, 4)), c(1, 0, 2))
  # up to a shift
  near(diff(sample_of(law)), diff(numbers %*% (c(1, 2)^(1 / 0.8) * rbind(c(1, 0), c(0.6, 0.8))))) &&
    identical(sample_of(none), sample_of(law))
})
raises("`\"stablecl_error_argument\"`: an argument is missing or invalid: a direction", mvstable_spectral(1.5),
       mvstable_spectral(1.5, rbind(c(0, 0)), 1),
       mvstable_spectral(1.5, diag(2), -1), mvstable_spectral(1.5, diag(2), 1:3),
         mvstable_spectral(1.5, diag(2), 1, delta = 1:3),
       mvstable_spectral(0.01, diag(2), 1e300))

manual("mvspectralfit")
takes("directions: directions that may have a mass:", nrow(mvspectralfit(skewed, 8)$directions) <= 8,
      nrow(mvspectralfit(skewed)$directions) <= 48,
      nrow(mvspectralfit(skewed, diag(2))$directions) == 2, nrow(mvspectralfit(skewed, c(0, pi / 2))$directions) == 2,
      not = c(mvspectralfit(skewed, 3), mvspectralfit(skewed, 1001)))
takes("R: `NULL`, or the number of bootstrap samples", "se" %in% names(mvspectralfit(skewed, diag(2), R = 2, seed = 1)),
      is.null(mvspectralfit(skewed, diag(2))$se), not = mvspectralfit(skewed, R = 0))
shown("An object of class `\"mvstable_spectral\"`, to be used", {
  f <- mvspectralfit(skewed, diag(2))
  is.matrix(rmvstable(2, f)) && is.data.frame(mvstable_projection(c(1, 1), f)) && f$nobs == 200 && is.call(f$call) &&
    all(c("gamma", "beta", "gamma.fitted", "beta.fitted", "converged") %in% names(f$misfit)) &&
      ncol(f$projections) == nrow(f$misfit)
})
shown("With a number `R` also `se`", {
  f <- mvspectralfit(skewed, diag(2), R = 3, seed = 1)
  all(c("alpha", "mass", "delta") %in% names(f$se)) && f$replicates == 3
})
tested("Estimates index, spectral measure and location", "mv-spectral: masses are estimated from large samples")
tested("The distribution need not be symmetric",
       "mv-spectral: projections are estimated with directions by default, in two and three")
shown("`stablefit()` fits stable distributions by maximum", {
  fit <- mvspectralfit(cloud)
  w <- fit$projections
  one <- function(k) coef(stablefit(drop(cloud %*% w[, k]), fixed = list(alpha = fit$alpha)))
  # 24 lines through 48 directions, among them those of the components
  ncol(w) == 24 && sum(colSums(w != 0) == 1) == 2 && near(unname(one(1)[c("gamma", "beta")]),
                                                          unlist(fit$misfit[1, c("gamma", "beta")]), 1e-6)
})
shown("`alpha` is the mean of the estimates; with this `alpha` the projections", {
  fit <- mvspectralfit(cloud)
  each <- apply(fit$projections, 2, function(w) coef(stablefit(drop(cloud %*% w)))[["alpha"]])
  near(fit$alpha, mean(each), 1e-6)
})
tested("The parameters of a projection t",
       "mv-spectral: least squares with nonnegative variables fulfils the conditions")
coded("The equations are divided by", "R/mv-spectral-fit.R: / estimate$gamma",
      "R/mv-spectral-fit.R: if (alpha > 1) min(1, -tanpi(alpha / 2)) else 1")
shown("`delta` consists of the locations", {
  f <- mvspectralfit(skewed, diag(2))
  one <- stablefit(skewed[, 1], fixed = list(alpha = f$alpha))
  near(f$delta[1], coef(one)[["delta"]], 1e-4)
})
shown("The default is 48 directions at equal angles", {
  s <- mvspectralfit(cloud)$directions %*% diag(1 / apply(cloud, 2, mad))
  angles <- sort(atan2(s[, 2], s[, 1]))
  three <- mvspectralfit(cbind(cloud, sample[1:150]))$directions
  scaled <- three %*% diag(1 / apply(cbind(cloud, sample[1:150]), 2, mad))
  scaled <- scaled / apply(abs(scaled), 1, max)
  nrow(s) == 48 && near(diff(angles), 2 * pi / 48) && nrow(three) == 26 && near(scaled, round(scaled)) &&
    nrow(unique(round(scaled))) == 26 &&
    inherits(error_in(quote(mvspectralfit(matrix(sample[1:300], 50))), objects), "stablecl_error_argument")
})
tested("In more dimensions `directions` must be given", "mv-spectral: remote observations serve as directions")
shown("The true directions need not be among those given", {
  w <- rbind(cos(1:12), sin(1:12))
  error <- function(alpha, directions) {
    law <- mvstable_spectral(alpha, c(0.05, 1, 2.5), c(1, 3, 1))
    x <- seeded(2, rmvstable(2000, law))
    max(abs(mvstable_projection(w, mvspectralfit(x, directions))$gamma / mvstable_projection(w, law)$gamma - 1))
  }
  small <- error(0.7, 24)
  error(1.5, 24) < 0.06 && small > 0.2 && error(0.7, 96) < small && error(1.5, 96) < 0.06
})
tested("Both a direction and its opposite must",
       "mv-spectral: a sample whose heavy tails lie in none of the directions is an error")
shown("Errors decrease like 1/", {
  law <- mvstable_spectral(1.4, diag(2), c(1, 2))
  miss <- function(n) median(vapply(1:8, function(k) abs(mvspectralfit(seeded(k, rmvstable(n, law)),
      diag(2))$alpha - 1.4), 0))
  ratio <- miss(200) / miss(5000)
  ratio > 2 && ratio < 15
})
shown("Parameters of projections are estimated better", {
  w <- rbind(cos(1:12), sin(1:12))
  law <- mvstable_spectral(1.9, c(0, 1, 2.5), c(1, 3, 1))
  fit <- mvspectralfit(seeded(1, rmvstable(1000, law)))
  gamma <- function(of) mvstable_projection(w, of)$gamma
  # the largest mass is divided between neighbours
  max(abs(gamma(fit) / gamma(law) - 1)) < 0.05 && max(fit$mass) < 0.7 * 3
})
tested("With a number `R`, standard errors are",
       "mv-spectral: standard errors of masses are those of samples from the same distribution")
shown("The error of a mass at the bound 0", {
  f <- mvspectralfit(seeded(2, rmvstable(300, mvstable_spectral(1.5, c(0, pi / 2), 1))), c(0, pi / 4, pi / 2, pi))
  any(f$mass == 0) || nrow(f$directions) < 4             # directions with mass 0 may be left out
})
coded("Bootstrap samples that cannot be fitted are", "R/mv-spectral-fit.R: bootstrap samples could be fitted")
shown("Element `misfit` contains the differences", {
  f <- mvspectralfit(skewed, diag(2))
  all(c("gamma", "gamma.fitted") %in% names(f$misfit)) && any(f$misfit$gamma != f$misfit$gamma.fitted)
})
raises("`\"stablecl_error_data\"`: the sample is not numeric or not finite", mvspectralfit("a"),
       mvspectralfit(cbind(1:7, 7:1)), mvspectralfit(cbind(1:20, 1)), mvspectralfit(seeded(1, matrix(runif(400), 200))))
raises("If the search of `stablefit()` for a projection does not converge",
       mvspectralfit(seeded(1, replace(rmvstable(100, 1.5, diag(2)), cbind(1:40, rep(1:2, each = 40)), 0)), 8))

# --- elliptical fits ---
manual("mvstablefit")
takes("method: `\"mle\"` or `\"projection\"`.", mvstablefit(cloud, "mle")$loglik >= mvstablefit(cloud,
    "projection")$loglik,
      mvstablefit(cloud, "projection")$alpha > 0, not = mvstablefit(cloud, "bayes"))
takes("control: list: `alpha.min`, the least `alpha` considered (0.1)",
      suppressWarnings(mvstablefit(cloud, control = list(alpha.min = 1.7, maxit = 5)))$alpha >= 1.7,
      !suppressWarnings(mvstablefit(cloud, control = list(maxit = 1)))$convergence$converged,
      identical(mvstablefit(cloud, control = list(alpha.min = 0.1, maxit = 100, tol = 1e-8))$alpha, elliptical$alpha),
      not = mvstablefit(cloud, control = list(grid = 2)))
shown("An object of class `\"mvstablefit\"`:", {
  all(c("alpha", "Q", "delta", "loglik", "nobs", "df", "convergence", "notes", "data",
        "call") %in% names(elliptical)) &&
    isTRUE(elliptical$convergence$converged) && length(elliptical$convergence) == 3
})
reference("Its methods are described in")
tested("Estimates index, shape matrix and location", "mv-fit: the fit is a maximum of the likelihood in all parameters",
       "mv-fit: projections recover the parameters", "mv-fit: a hundred dimensions are fitted")
shown("`method = \"projection\"` (Nolan 2013) fits a symmetric", {
  one <- function(k, ...) coef(stablefit(cloud[, k], fixed = list(beta = 0, ...)))
  fit <- mvstablefit(cloud, "projection")
  near(fit$alpha, mean(c(one(1)[["alpha"]], one(2)[["alpha"]])), 1e-6) &&
    near(unname(sqrt(diag(fit$Q))), c(one(1, alpha = fit$alpha)[["gamma"]], one(2, alpha = fit$alpha)[["gamma"]]), 1e-5)
})
shown("`alpha` is the mean of the estimates; with this `alpha` the columns", {
  f <- mvstablefit(cloud, "projection")
  one <- function(j, ...) coef(stablefit(cloud[, j], fixed = list(beta = 0, ...)))
  near(f$alpha, mean(c(one(1)[["alpha"]], one(2)[["alpha"]])), 1e-5) &&
    near(sqrt(f$Q[1, 1]), one(1, alpha = f$alpha)[["gamma"]], 1e-4)
})
shown("The other elements follow from the scales", {
  fit <- mvstablefit(cloud, "projection")
  z <- sweep(cloud, 2, fit$delta) %*% diag(1 / sqrt(diag(fit$Q)))
  scales <- c(IQR(z[, 1] + z[, 2]), IQR(z[, 1] - z[, 2]))^2
  near(stats::cov2cor(fit$Q)[1, 2], (scales[1] - scales[2]) / sum(scales), 1e-6)
})
shown("If the resulting matrix is not positive", {
  R <- matrix(c(1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1), 3)
  raised <- stablecl:::positive_correlation(R)
  min(eigen(R)$values) < 0 && min(eigen(raised)$values) > 0 && near(diag(raised), 1)
})
shown("There are no standard errors.", all(is.na(vcov(mvstablefit(cloud, "projection")))) ||
      length(vcov(mvstablefit(cloud, "projection"))) == 0)
tested("`method = \"mle\"`, the default, maximises", "mv-fit: the fit is a maximum of the likelihood in all parameters")
shown("With r the distance of an observation", {
  w <- predict(elliptical, type = "weight")
  r <- predict(elliptical, type = "distance")
  centred <- sweep(cloud, 2, elliptical$delta)
  near(colSums(w * centred), 0, 1e-3) && near(crossprod(centred, w * centred) / 150, elliptical$Q, 1e-3) &&
    all(diff(w[order(r)]) < 1e-12)
})
coded("Near the maximum, the length of a step follows", "R/mv-fit.R: unique(c(fraction, 2^-(0:8)))",
      "R/mv-fit.R: min(max(fraction / (1 - left), 0.5), largest_fraction)",
      "R/mv-fit.R: if (isTRUE(new$loglik > at$loglik)) return(c(new, fraction = fraction))")
tested("In one dimension the estimates are those",
       "mv-fit: in one dimension the fit is the symmetric one of stablefit()")
tested("If the normal distribution, `alpha = 2`, has at least", "mv-fit: normal data give alpha = 2 and the moments")
tested("They come from the expected information", "mv-fit: standard errors are those of repeated samples")
tested("At the bound `alpha = 2` those of `delta`", "mv-fit: normal data give alpha = 2 and the moments")
raises("`\"stablecl_error_data\"`: the sample is not numeric or not finite", mvstablefit("a"),
       mvstablefit(cbind(1:7, 7:1)), mvstablefit(cbind(1:20, 1)), mvstablefit(matrix(1:20, 4)))
raises("A search that ends before it has converged", mvstablefit(cloud, control = list(maxit = 1)))

manual("mvstablefit-methods")
takes("...: arguments of `print()` for `print()`.", utils::capture.output(print(elliptical, quote = FALSE)),
      not = coef(elliptical, nonsense = 1))
takes("complete: logical: keep the row and column", nrow(vcov(fixed_cloud)) > nrow(vcov(fixed_cloud,
    complete = FALSE)), not = vcov(elliptical, complete = NA))
takes("newdata: points, as for `dmvstable()`", length(predict(elliptical, rbind(c(0, 0)))) == 1,
      length(predict(elliptical)) == 150)
takes("type: what to predict: `\"density\"`, `\"distance\"`", all(vapply(c("density", "distance", "weight"), function(t)
      length(predict(elliptical, type = t)) == 150, NA)), not = predict(elliptical, type = "radius"))
takes("log: logical: return the logarithms", near(predict(elliptical, log = TRUE), log(predict(elliptical))),
      not = predict(elliptical, log = NA))
shown("`coef()` a named vector; `vcov()`", {
  s <- summary(elliptical)
  !is.null(names(coef(elliptical))) && is.matrix(vcov(elliptical)) && inherits(logLik(elliptical), "logLik") &&
    nobs(elliptical) == 150 &&
    !is.null(attr(simulate(elliptical, 1, seed = 1), "seed")) && inherits(s, "summary.mvstablefit") &&
    all(c("se.alpha", "se.delta", "se.Q", "correlation") %in% names(s))
})
tested("Estimates, uncertainty, likelihood, predictions", "mv-fit: methods of R's generics work")
takes("parm: names or indices of parameters", near(confint(elliptical, 1), confint(elliptical, "alpha")),
      not = confint(elliptical, "zz"))
takes("level: confidence level of the intervals", diff(confint(elliptical, 2, level = 0.5)[1, ]) <
      diff(confint(elliptical, 2)[1, ]), not = confint(elliptical, level = 2))
tested("`confint()` returns Wald intervals: for `alpha`", "mv-fit: confidence intervals are within the parameter space")
shown("In 100 dimensions `vcov()` returns a matrix", {
  rows <- 1 + 100 + 100 * 101 / 2
  large <- elliptical
  large$Q <- diag(100)
  large$delta <- numeric(100)
  rows == 5151 && round(8 * rows^2 / 1e6) == 212 && nrow(confint(large)) == 5151
})
shown("`AIC()`, `BIC()` and `update()` work", {
  near(AIC(elliptical), 12 - 2 * elliptical$loglik) && nrow(confint(elliptical)) == 6 && is.finite(BIC(elliptical)) &&
    update(elliptical, method = "projection")$alpha > 0
})
shown("`vcov()` is the inverse of the expected", {
  identical(rownames(vcov(elliptical)), c("alpha", "delta[1]", "delta[2]", "Q[1,1]", "Q[2,1]", "Q[2,2]"))
})
shown("`summary()` contains the standard errors", near(summary(elliptical)$se.alpha, sqrt(vcov(elliptical)[1, 1])))
shown("A fixed `alpha`, and one at the bound", is.na(vcov(fixed_cloud)[1, 1]) &&
      is.na(vcov(mvstablefit(seeded(1, matrix(runif(60), 30))))[1, 1]))
shown("`predict()` returns the distances", {
  centred <- sweep(cloud, 2, elliptical$delta)
  near(predict(elliptical, type = "distance"), sqrt(rowSums(centred * (centred %*% solve(elliptical$Q))))) &&
    near(predict(elliptical), dmvstable(cloud, elliptical))
})
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid;",
       predict(elliptical, type = "radius"), coef(elliptical, 3),
       simulate(elliptical, -1))

# --- methods of fitted spectral measures ---
manual("mvspectralfit-methods")
measure <- quote({
  set.seed(1)
  law <- mvstable_spectral(1.4, c(0, pi / 3), mass = c(1, 2))
  mvspectralfit(rmvstable(300, law), directions = c(0, 1, 3, 4) * pi / 3)
})
takes("...: graphical parameters for `plot()`, and for `print()` its other arguments.",
      plot(eval(measure), cex.axis = 0.8), not = coef(spectral, nonsense = 1))
tested("`summary()` contains, besides `alpha`,", "mv-spectral: summaries of fitted measures have components")
tested("For each direction with a positive mass it has", "mv-spectral: summaries of fitted measures have components")
tested("Standard errors are `NA` unless the fit has", "mv-spectral: summaries of fitted measures have components")
tested("`print()` orders the directions by their masses", "mv-spectral: summaries of fitted measures have components")
tested("Estimates, samples and pictures of a fit by", "mv-spectral: methods of fitted measures return estimates")
tested("`coef()` also exists for distributions by", "mv-spectral: methods of fitted measures return estimates")
shown("`plot()` shows how well the fitted measure", {
  fit <- eval(measure)
  points <- Filter(function(call) length(call[[1]]$x) == nrow(fit$misfit), calls_of("C_plotXY", drawn(plot(fit))))
  near(unlist(lapply(points, function(call) call[[1]]$y)), c(fit$misfit$gamma.fitted, fit$misfit$beta.fitted))
})
tested("`coef()`: a vector with `alpha`", "mv-spectral: methods of fitted measures return estimates")
raises("`\"stablecl_error_argument\"`: an argument is unknown, empty or invalid, or the distribution", nobs(spectral),
       plot(spectral), simulate(spectral))
