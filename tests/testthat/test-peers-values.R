# Calls for which some other package for stable distributions returns wrong values, with
# the right ones: densities, distribution functions and quantiles.
# test-peers-interface.R tests the interface.
#
# Values: 30 digits by ball arithmetic (Arb), two independent methods each (Nolan's
# integral in log-odds, inversion of the characteristic function along a bent ray, or
# Laplace inversion for beta = +-1), here cut to 17 digits or more.
# what: d density, p distribution function, s upper tail, ld, lp, ls their logarithms.
# id: rows with the same id test the same fault.

KNOWN_VALUES <- read.table(header = TRUE, colClasses = c(value = "character"), text = "
id   what alpha              beta                 x                  value
F01  d   1                 0.1                  -44                0.00014669449316315889
F02  d   1                 0.1                  60                 9.78856558204810670308e-5
F03  d   1                 1e-05                1                  0.15915486587754079478
F04  d   1                 -0.2                 -37.9139358511237  0.00027034715464914671
F06  d   1                 -0.8                 -500               2.31668625491107701902e-6
F07  s   1                 0.01                 3                  0.10352676984806997791
F09  s   1                 0.5                  100000             4.77481684777747268947e-6
F10  p   1                 -0.3                 -40.9756870000882  0.01025191719469937415
F13  d   1.00000000000001  0.5                  0.5                0.22544221859928741264
F15  d   1.003             0.8                  -2                 0.02241635667422528957
F15  d   1.003             0.8                  50                 0.00024083074183237511
F15  d   0.997             0.8                  -2                 0.02207908452300134272
F15  d   0.997             0.8                  50                 0.00024589287474915118
F16  d   1.001             0.6                  71.61531           0.00010248336758340917
F19  d   0.9               0.8                  1e+20              5.44266875417495690119e-39
F21  d   1.025             0                    -0.015             0.31503978335824269640
F21  d   1.025             0                    -20                0.00074684451478089693
F21  d   1.01              0                    -20                0.00077480177055945114
F22  d   1.9995            0                    20                 6.45165203297988952407e-8
F23  d   1.9999            0.5                  50                 1.20616207557919123252e-9
F25  s   1.9995            0                    20                 6.35439309765938577546e-7
F26  p   1.99              0.1                  -15.373806         2.00000006377045149229e-5
F28  d   0.5005            0.9995               -2                 2.47987288717674816938e-5
F33  s   1.5               0                    1000               6.30814962873496478007e-6
F35  p   1.8               0.9                  -50                7.95837647479552245441e-6
F37  s   0.9               0.8                  1e+20              6.04740972686106304918e-19
F38  p   0.9               0                    -8281.1006         0.00010000000009024752
F39  p   0.8               0.3                  -309188.06         9.99999999222436615144e-6
F40  p   0.5               0.3                  -10000000000       2.79258147980538782714e-6
F40  s   0.5               0.3                  10000000000        5.18623516203625617892e-6
F41  d   1.5               0                    100000000          2.99206710302029438113e-21
F43  s   0.93              1                    50                 0.01817380657419286797
F43  s   0.93              1                    10000              0.00012615720247047005
F43  s   0.93              1                    100000000          2.40220553624407365077e-8
F44  p   1.5               0                    -1000              6.30814962873496478007e-6
F45  ld  1.5               0.3                  1e+300             -1727.8830760867232257
F45  ld  1.5               0.3                  -1e+300            -1728.5021152951294491
F45  ls  1.5               0.3                  1e+300             -1037.513013296617684895
F45  lp  1.5               0.3                  -1e+300            -1038.132052505023908301
F46  ld  1.6               1                    -15                -187.14442626785052632
F46  ld  1.6               1                    -14                -157.14116628314264941
F46  ld  1.6               1                    -13                -130.35266880252815319
F48  ld  1.05              1                    -10                -42252.459174284919671
F48  ld  1.05              1                    -11                -104458.48958788364131
F49  p   1.6               1                    -15                1.66827877581351727874e-83
F49  s   1.4               -1                   15                 1.81464317592478610078e-254
F50  p   1.5               0.999999             -5                 2.67174263707573467246e-8
F50  p   1.5               0.999999             -10                6.00824185443209173407e-9
F52  p   0.5               -1                   -5                 0.31690860169039129668
F52  p   0.5               -1                   0                  0.68268949213708589717
F52  p   0.5               -1                   0.9                0.99843459774199745220
F55  d   0.8125            0.99999999999999978  0                  0.25501766267235732453
F55  d   1.1875            1                    0                  0.26860038322712810785
F55  d   1.2               1                    1                  0.17875722197567501598
F57  d   0.1               0                    1e-12              1081715.23083138578223
F57  d   0.1               0                    1e-09              249065.091505049814519
F57  d   0.1               0                    1e-06              4439.22898947521254008
F58  d   0.1               0.5                  -0.0792            457.592893175543402387
F60  d   0.1               1                    -0.15838           2731.55919572508159332
F60  p   0.1               1                    -0.15838           0.03549010371457324102
F61  d   1.5               0.5                  0.4995             0.25415999629891760800
F61  d   1.5               0.5                  0.503              0.25382829464144021379
F65  p   0.75              -0.5                 0.3                0.66887227658457017240
F66  d   0.4               0                    1                  0.07001675089986508189
F66  p   0.4               0                    0.3                0.63771010183132690204
F66  p   0.58              0.74                 0                  0.37955212497987613151
F13  d   1                 0.5                  0.5                0.22544221859928654347
")

evaluate <- function(what, x, alpha, beta) {
  log <- startsWith(what, "l")
  switch(sub("^l", "", what),
         d = dstable(x, alpha, beta, log = log),
         p = pstable(x, alpha, beta, log.p = log),
         s = pstable(x, alpha, beta, lower.tail = FALSE, log.p = log))
}

# Tests both the value and its logarithm, whichever the table gives.
test_that("values that other packages compute wrongly are right", {
  for (k in seq_len(nrow(KNOWN_VALUES))) {
    row <- KNOWN_VALUES[k, ]
    what <- sub("^l", "", row$what)
    ref <- parse_decimal(row$value)
    if (row$what != what) ref <- list(value = exp(ref$value), log = ref$value)
    expect_silent(v <- evaluate(what, row$x, row$alpha, row$beta))
    expect_silent(log_v <- evaluate(paste0("l", what), row$x, row$alpha, row$beta))
    expect_lt(log_scale_error(v, log_v, ref$value, ref$log), 1e-12,
              label = sprintf("error of %s(%.17g; %.17g, %.17g) [%s]", what, row$x, row$alpha,
                              row$beta, row$id))
  }
})

expect_values <- function(ours, value, tolerance = 1e-12) {
  expect_silent(ours)
  expect_length(ours, length(value))
  gap <- ifelse(ours == value, 0, abs(ours / value - 1))
  expect(all(!is.na(gap) & gap < tolerance),
         paste("got", paste(format(ours, digits = 17), collapse = " "),
               "where", paste(format(value, digits = 17), collapse = " "), "is right"))
}

# ---- alpha = 1 and alpha close to 1 --------------------------------------------

test_that("random numbers at alpha = 1 have a continuous distribution", {
  for (beta in c(0.5, 1)) {
    set.seed(11)
    expect_silent(x <- rstable(1e4, 1, beta))
    expect_false(anyNA(x))
    expect_equal(anyDuplicated(x), 0)
    expect_lt(mean(x == round(x)), 1e-3)
    expect_gt(stats::ks.test(pstable(x, 1, beta), "punif")$p.value, 1e-4)
  }
})

far_out <- c(10^c(10:100, 120, 150, 200, 300), Inf)

expect_two_sided_unimodal <- function(alpha, beta) {
  expect_silent(f <- dstable(c(-rev(far_out), far_out), alpha, beta))
  left <- f[seq_along(far_out)]
  right <- f[-seq_along(far_out)]
  expect_false(is.unsorted(left))
  expect_false(is.unsorted(rev(right)))
  tail_weight <- c(1 - beta, 1 + beta)
  for (side in 1:2) {
    g <- list(rev(left), right)[[side]]
    if (tail_weight[side] > 0)
      expect_true(all(g[far_out < 1e300^(1 / (1 + alpha))] > 0))
  }
}

test_that("densities in the tails decrease, and are positive until they underflow", {
  for (beta in c(-0.9, 0.3, 0.999)) for (alpha in c(0.1, 0.5, 0.9, 0.999, 1, 1.001, 1.01, 1.8))
    expect_two_sided_unimodal(alpha, beta)
})

test_that("values close to alpha = 1 are not those of alpha = 1", {
  x <- c(-2, 50)
  expect_true(all(dstable(x, 1.003, 0.8) != dstable(x, 0.997, 0.8)))
  gap <- sapply(10^-(3:15), function(e) max(abs(dstable(seq(-10, 10, 0.5), 1 + e, 0.5) -
                                                  dstable(seq(-10, 10, 0.5), 1, 0.5))))
  expect_true(all(gap < 10^-(3:15) + 1e-15))
  expect_true(all(gap[1:9] > 0))
})

# ---- quantiles ---------------------------------------------------------------

test_that("quantiles in the tails are right", {
  expect_values(qstable(c(1e-6, 1e-5, 1e-4, 0.99999), 1.5, 0.5),
                c(-2150.16944479204167, -462.914408170618903, -99.4833818733366356,
                  964.303737479939106))
  expect_values(qstable(0.9999, 1.5, 0.5), 208.178406788652935)
  expect_values(qstable(1e-10, 1.5, 0.5, lower.tail = FALSE), 2076415.79640767749)
  expect_values(qstable(-50, 1.5, 0.5, log.p = TRUE), -64424261134311.428)
})

test_that("quantiles of 0 and 1 are the ends of the support", {
  expect_silent(ends <- qstable(c(0, 1), 1.5, 0.5))
  expect_identical(ends, c(-Inf, Inf))
  zeta <- -tan(pi / 2 * 0.7)
  expect_equal(qstable(c(0, 1), 0.7, 1), c(zeta, Inf), tolerance = 1e-15)
  expect_equal(qstable(c(0, 1), 0.7, -1), c(-Inf, -zeta), tolerance = 1e-15)
  expect_identical(qstable(c(0, 1), 0.7, 1, pm = 1), c(0, Inf))
})

test_that("quantiles and the upper tail of a one-sided distribution agree", {
  p <- c(0.3, 0.5, 0.9, 0.999)
  q <- c(-0.214729009753678088, 0.628240696888579999, 8.43224398838238989, 1083.81979991979124)
  expect_values(qstable(p, 0.93, 1), q)
  x <- seq(qstable(0.9, 0.93, 1), 3 * qstable(0.9999, 0.93, 1), length.out = 200)
  expect_silent(tail <- pstable(x, 0.93, 1, lower.tail = FALSE))
  expect_true(all(tail > 0 & diff(c(1, tail)) < 0))
})

# ---- tails -------------------------------------------------------------------

test_that("the logarithm follows the Pareto tail where the value underflows", {
  alpha <- 1.5
  beta <- 0.3
  weight <- gamma(alpha) * sin(pi * alpha / 2) / pi
  for (side in c(-1, 1)) {
    x <- side * c(1e250, 1e300)
    expect_values(dstable(x, alpha, beta, log = TRUE),
                  log(alpha * (1 + side * beta) * weight) - (1 + alpha) * log(abs(x)))
    expect_values(pstable(x, alpha, beta, lower.tail = side < 0, log.p = TRUE),
                  log((1 + side * beta) * weight) - alpha * log(abs(x)))
  }
})

# ---- one-sided distributions and light tails -----------------------------------

# log f(exp(u)) of S1(0.1, 1) by Zolotarev's integral and by the convergent series
# f(y) = 1/pi sum (-1)^(n+1) Gamma(n alpha + 1)/n! sin(pi n alpha) y^(-n alpha - 1),
# both with 40 to 150 digits, alpha being the double 0.1; they agree to 20 digits.
test_that("the density close to the end of the support is smooth and right", {
  u <- c(-45, -40, -30, -20, -10, -5, 0, 10, 20, 30)
  log_f <- c(-59.497794796262585386, -20.086681161104052826, 9.6928226827494826642,
             12.365334493897897106, 6.0522763184163783709, 1.5862831042696106509,
             -3.2953320029378570327, -13.699766443160490497, -24.482523538146650839,
             -35.402866099176142643)
  expect_values(dstable(exp(u), 0.1, 1, pm = 1, log = TRUE), log_f)
  fine <- seq(-45, 30, by = 1 / 16)
  expect_silent(f <- dstable(exp(fine), 0.1, 1, pm = 1, log = TRUE))
  expect_true(all(diff(f, differences = 2) < 1e-3))         # concave except in the far tail
  expect_lt(max(abs(diff(f, differences = 4))), 0.01)
})

test_that("beta close to 1 works for every alpha", {
  x <- 0:10
  for (alpha in (1:32) / 16) for (beta in 1 - 2^-c(1, 2, 5, 10, 20, 30, 40, 50, 52, 53, 54)) {
    expect_silent(f <- dstable(x, alpha, beta))
    expect_true(all(f > 0 & f < 0.35), info = sprintf("%g %.17g", alpha, beta))
  }
})

test_that("density and probability are exactly 0 outside the support", {
  for (alpha in c(0.02, 0.3, 0.5, 0.7, 0.95)) {
    zeta <- -tan(pi / 2 * alpha)
    outside <- zeta - c(1e-6, 0.1, 1, 1e10, 1e300, Inf)
    expect_silent({
      f <- dstable(outside, alpha, 1)
      log_f <- dstable(outside, alpha, 1, log = TRUE)
      p <- pstable(outside, alpha, 1)
      log_p <- pstable(outside, alpha, 1, log.p = TRUE)
      rest <- pstable(outside, alpha, 1, lower.tail = FALSE)
      log_rest <- pstable(outside, alpha, 1, lower.tail = FALSE, log.p = TRUE)
      mirror <- list(dstable(-outside, alpha, -1), pstable(-outside, alpha, -1))
    })
    expect_true(all(f == 0 & p == 0 & rest == 1 & log_rest == 0))
    expect_true(all(log_f == -Inf & log_p == -Inf))
    expect_true(all(mirror[[1]] == 0 & mirror[[2]] == 1))
  }
})

# ---- small alpha, x close to zeta ------------------------------------------------

# Points of S1 at a distance of 1e-4 from zeta on both sides; reference values at the double
# nearest to 1e-4 + zeta in S0, which changes the value by less than 1e-15.
test_that("points close to zeta are not replaced by zeta", {
  shapes <- rbind(c(1.56548, -0.40162), c(0.8, 0.6), c(1.2, -0.3), c(0.6, -0.8), c(1.95, 0.5))
  right <- c(0.271288958183343128, 0.0322078555310989993, 0.188324765373190656,
             0.0446279453497640157, 0.282078400801462367)
  left  <- c(0.271275482084059428, 0.0322005750769544101, 0.188297644254795065,
             0.0446558320243359076, 0.282079697720491459)
  expect_values(dstable(1e-4, shapes[, 1], shapes[, 2], pm = 1), right)
  expect_values(dstable(-1e-4, shapes[, 1], shapes[, 2], pm = 1), left)
})

test_that("values approach the limit for alpha -> 0", {
  x <- c(-30, -4, -0.5, 0.2, 1, 17)
  for (alpha in c(1e-15, 1e-12)) for (beta in c(-0.8, 0, 0.35)) {
    side <- sign(x + pi / 2 * alpha * beta)
    limit <- alpha * (1 + side * beta) / (2 * exp(1) * abs(x + pi / 2 * alpha * beta))
    expect_values(dstable(x, alpha, beta), limit, 1e-9 * (alpha / 1e-12) + 1e-12)
  }
})

# Modes: zeros of the derivative, from differences of 30-digit densities.
test_that("modes are right", {
  expect_equal(stable_mode(0.3, 0.5), -0.250574393839054, tolerance = 1e-10)
  expect_equal(stable_mode(0.1, 0.5), -0.07919222016, tolerance = 1e-10)
  mode <- c(-0.0912645413891386, -0.265765570494540, 0.578060435706574, 0.399272160098019,
            -0.0231543797197880, -0.000614759501567662, 0.217909701599284, -0.429378387825996)
  alpha <- c(1.5, 1, 0.7, 1.01, 1.9, 1.99, 1.2, 0.9999)
  beta <- c(0.5, 0.5, -0.9, -0.9, 1, 0.3, -0.6, 1)
  for (k in seq_along(mode))
    expect_lt(abs(stable_mode(alpha[k], beta[k]) - mode[k]), 1e-10)
  expect_equal(stable_mode(0.5, 1), -2 / 3, tolerance = 1e-10)
  expect_equal(stable_mode(1.3, 0), 0)
})

test_that("the density decreases on both sides of the mode", {
  for (shape in list(c(0.1, 0.5), c(0.3, 0.5), c(0.75, -0.5), c(1.01, -0.9), c(1.5, 1))) {
    mode <- stable_mode(shape[1], shape[2])
    x <- mode + 10^seq(-5, 1, length.out = 61)
    y <- 2 * mode - x
    expect_true(all(diff(dstable(x, shape[1], shape[2])) < 0))
    expect_true(all(diff(dstable(y, shape[1], shape[2])) < 0))
  }
})
