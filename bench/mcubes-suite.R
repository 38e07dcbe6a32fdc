# The integrals of m-Cubes (Sakiotis et al. 2022), for the other scripts.  `f` is a plain function of a point;
# `vectorised` is the same for a matrix with a column for each point.  `symmetric`: axes can be exchanged.  The paper
# omits f1, which no variant of VEGAS integrates, and compares fA and fB with ZMCintegral.

mcubes_case <- function(name, dim, f, vectorised, value, lower = 0, upper = 1, symmetric = FALSE) {
  list(name = name, dim = dim, f = f, vectorised = vectorised, value = value, lower = rep(lower, dim),
       upper = rep(upper, dim), symmetric = symmetric)
}

MCUBES_SUITE <- list(
  mcubes_case("f2 6-D", 6, function(x) prod(1 / (1/50^2 + (x - 0.5)^2)),
              function(x) exp(-colSums(log(1/50^2 + (x - 0.5)^2))), 1.286887990110987754421518e13, symmetric = TRUE),
  mcubes_case("f3 3-D", 3, function(x) (1 + sum((1:3) * x))^(-4), function(x) (1 + colSums((1:3) * x))^(-4),
              0.01084656084656084656084656),
  mcubes_case("f3 8-D", 8, function(x) (1 + sum((1:8) * x))^(-9), function(x) (1 + colSums((1:8) * x))^(-9),
              2.275196581791775607606e-10),
  mcubes_case("f4 5-D", 5, function(x) exp(-625 * sum((x - 0.5)^2)), function(x) exp(-625 * colSums((x - 0.5)^2)),
              1.791326036748785955457e-6, symmetric = TRUE),
  mcubes_case("f4 8-D", 8, function(x) exp(-625 * sum((x - 0.5)^2)), function(x) exp(-625 * colSums((x - 0.5)^2)),
              6.383802190004383726727e-10, symmetric = TRUE),
  mcubes_case("f5 8-D", 8, function(x) exp(-10 * sum(abs(x - 0.5))), function(x) exp(-10 * colSums(abs(x - 0.5))),
              2.425217625641885556923e-6, symmetric = TRUE),
  mcubes_case("f6 6-D", 6, function(x) if (any(x > (4:9)/10)) 0 else exp(sum((5:10) * x)),
              function(x) exp(colSums((5:10) * x)) * (colSums(x > (4:9)/10) == 0), 154773678.8509120741285),
  mcubes_case("fA 6-D", 6, function(x) sin(sum(x)), function(x) sin(colSums(x)), -49.16507381641945731050132,
              upper = 10, symmetric = TRUE),
  mcubes_case("fB 9-D", 9, function(x) exp(-sum(x^2) / (2 * 0.01^2)) / (sqrt(2 * pi) * 0.01)^9,
              function(x) exp(-colSums(x^2) / (2 * 0.01^2)) / (sqrt(2 * pi) * 0.01)^9, 1, lower = -1,
              symmetric = TRUE))

# Returns the cases of the paper's figures 1 and 3.
mcubes_figures <- function() Filter(function(case) !case$name %in% c("fA 6-D", "fB 9-D"), MCUBES_SUITE)
