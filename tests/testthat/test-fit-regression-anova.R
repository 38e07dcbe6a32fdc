# Likelihood-ratio tests of regressions.

p_of <- function(...) anova(...)[2, "Pr(>Chisq)"]

test_that("regressions of a constant are tested as samples", {
  set.seed(11)
  y <- rnorm(100)
  free <- stable_lm(y ~ 1)
  normal <- stable_lm(y ~ 1, fixed = c(alpha = 2))
  expect_identical(normal$df, 2)
  expect_identical(stable_lm(y ~ 1, fixed = c(alpha = 2, beta = 0))$df, 2)
  sample <- stablefit(y)
  bell <- stablefit(y, fixed = list(alpha = 2))
  expect_equal(p_of(normal, free), anova(bell, sample)[1, "Pr(>Chisq)"], tolerance = 1e-4)
  expect_identical(anova(normal, free)$Df[2], 2)
  expect_equal(p_of(normal, stable_lm(y ~ 1, fixed = c(beta = 0))),
               anova(bell, stablefit(y, fixed = list(beta = 0)))[1, "Pr(>Chisq)"], tolerance = 1e-4)
  skewed <- stable_lm(y ~ 1, fixed = c(beta = 0.5))
  expect_identical(anova(normal, skewed)[2, "Pr(>Chisq)"], NA_real_)
  inside <- stable_lm(y ~ 1, fixed = c(alpha = 1.8, beta = 0))
  expect_equal(p_of(inside, free), pchisq(2 * (free$loglik - inside$loglik), 2, lower.tail = FALSE))
})

test_that("p-values that no distribution or table gives are NA, with the reason", {
  set.seed(12)
  d <- data.frame(x = rnorm(80), g = gl(2, 40))
  d$y <- d$x + rstable(80, 1.7, 0.5)
  missing_because <- function(words, small, large) {
    table <- anova(small, large)
    expect_identical(table[2, "Pr(>Chisq)"], NA_real_)
    expect_match(attr(table, "heading"), words, all = FALSE, fixed = TRUE)
  }
  bound <- "alpha = 2 is at its bound"
  line <- stable_lm(y ~ x, d)
  normal <- update(line, fixed = c(alpha = 2))
  missing_because(bound, normal, line)
  missing_because(bound, update(normal, . ~ 1), line)
  missing_because(bound, update(normal, . ~ 1, scale = ~ g), stable_lm(y ~ 1, d, scale = ~ g))
  missing_because(bound, update(normal, . ~ 1), stable_lm(y ~ 1, d, alpha = ~ g))
  missing_because("a bound of beta", update(line, fixed = c(beta = 1)), line)
  expect_false(anyNA(anova(stable_lm(y ~ 1, d), line)[2, ]))
  expect_false(any(grepl("No p-value", attr(anova(stable_lm(y ~ 1, d), line), "heading"))))
  both <- anova(update(normal, . ~ 1), normal)
  expect_equal(both[2, "Pr(>Chisq)"], pchisq(both$Chisq[2], 1, lower.tail = FALSE))
})

test_that("fixed coefficients and offsets of the larger model must be those of the smaller one", {
  set.seed(13)
  d <- data.frame(x = rnorm(80), z = rnorm(80))
  d$y <- d$x + rstable(80, 1.7, 0)
  line <- stable_lm(y ~ x, d)
  refused <- function(small, large, words = "not nested")
    expect_error(anova(small, large), words, class = "stablecl_error_argument")
  refused(update(line, fixed = c(alpha = 1.5, beta = 0.5)), update(line, fixed = c(beta = 0)))
  refused(update(line, fixed = c(x = 1, beta = 0)), update(line, fixed = c(x = 2)))
  refused(update(line, . ~ 1, offset = z), line)
  refused(update(line, . ~ 1), update(line, offset = z))
  refused(update(line, . ~ 1), update(line, rounding = 0.1), "same rounding")
  accepted <- function(small, large) expect_identical(anova(small, large)$Df[2], large$df - small$df)
  accepted(update(line, fixed = c(x = 1, beta = 0)), update(line, fixed = c(x = 1)))
  accepted(update(line, fixed = c(x = 2)), line)
  accepted(update(line, . ~ 1, offset = 3 * x), line)
  accepted(update(line, fixed = c(gamma = 2)), update(line, scale = ~ z))
  accepted(update(line, fixed = c(alpha = 1.6)), update(line, alpha = ~ z))
})
