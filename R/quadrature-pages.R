# Manual pages about gintegrate() besides that of its arguments.

#' Methods of integration
#'
#' Which method [gintegrate()] uses for which integral, how each method works, and how accurate it is.  `method =
#' "auto"`, the default, chooses among them.
#'
#' @section Choosing a method:
#' | **integrand** | **method** | **variables** |
#' |---|---|---|
#' | any | `"auto"` | 1 to 100 |
#' | any, also with singularities, jumps or kinks | `"gk"` | 1 |
#' | analytic inside the range, singular at a limit | `"tanhsinh"` | 1 |
#' | a function times a cosine or a sine, infinite range | `"fourier"` | 1 |
#' | few variables | `"cubature"` | 2 to 8 |
#' | smooth along each axis, or between a few jumps and kinks | `"product"` | 1 to 12 |
#' | many variables, smooth | `"lattice"` | 1 to 100 |
#' | many variables, not smooth | `"vegas"` | 1 to 100 |
#' | comparison with published algorithms | `"simpson"`, `"blockcut"` | 1 |
#' | | `"forward"` | 1 to 12 |
#'
#' `vignette("integration", package = "stablecl")` compares their accuracy and speed.
#'
#' @section Automatic choice in one dimension:
#' `"auto"` uses `"gk"`.  Integrals that do not converge are computed by `"tanhsinh"` with at most 4000 evaluations,
#' unless `f` is `NaN` throughout an interval.  If the range is infinite, `"gk"` first receives 1000
#' evaluations, then `"fourier"` 5000, provided that the translation of `f` contains either sines or cosines of one
#' multiple of `x`, no other sine or cosine of a multiple of `x`, and neither loops nor branches with many operations.
#' A result of the second or third method that contradicts the one before, as described below, is discarded.  With
#' `breaks`, `"gk"` alone is used.
#'
#' If all values were 0 and the translation of `f` contains linear functions of `x`, such as \eqn{x - m}, or compares
#' them, as \eqn{x > m} does, `f` is evaluated at their zeros, between neighbouring zeros, and beside zeros.  Where it
#' is not 0, intervals of twice the distance \eqn{2^k} beyond which the values on both sides are 0, for \eqn{k} from
#' \eqn{-1074} to \eqn{1022}, are integrated by `"gk"`, each with an equal part of `max.eval`.  Peaks and boxes that are
#' far away or much narrower than the range, such as those of `dnorm(x, 1e6)` or `(x > 1e6) * (x < 1e6 + 1)` over the
#' whole line or `dnorm(x, 0.3, 1e-6)` over the unit interval, are found in this way if nothing else contributes to the
#' values.
#'
#' @section Automatic choice in several dimensions:
#' `"auto"` uses several methods in turn, each for the integrals that those before it have not finished.  Each method
#' may use a share of `max.eval`:
#' \describe{
#'   \item{2 to 8 dimensions}{`"cubature"` 17% (at most 16384 evaluations), `"product"` 35%, `"cubature"` 5% (at most
#'     1e5), `"lattice"` 30%, `"cubature"` 13%;}
#'   \item{the same, with `rel.tol` below 1e-6 and `abs.tol = 0`}{`"cubature"` 17% (at most 16384), `"product"` 45%,
#'     `"cubature"` 38%;}
#'   \item{5 to 8 dimensions, with `rel.tol` of 1e-4 or more}{`"product"` 40%, `"lattice"` 45%, `"cubature"` 15%;}
#'   \item{9 to 12 dimensions}{`"product"` 40%, `"lattice"` 60%;}
#'   \item{13 to 100 dimensions}{`"lattice"` 60%, `"vegas"` 40%;}
#'   \item{with `max.eval` below 1e5}{`"cubature"` alone in up to 8 dimensions, `"lattice"` alone in more.}
#' }
#' Evaluations that a method does not use are available to the next ones; `"product"` leaves nearly all of them if the
#' integrand is not smooth along each axis, or if more nodes would be needed than evaluations are allowed.  The result
#' is the first that converges and does not contradict the best one before it: a result that differs from that by
#' more than ten times the sum of both errors, or for which all values were 0, is discarded, because its points have
#' missed a part of the integrand that other points have met.  If there is none, the result is the one with the smallest
#' error.  The component `rule` names its method.  Here the error of `"lattice"` and `"vegas"` is four standard errors,
#' so that `abs.error` has the same meaning for every method.
#'
#' @section Methods for one variable:
#' \describe{
#'   \item{`"gk"`}{globally adaptive Gauss-Kronrod quadrature with 21 points (Piessens et al. 1983).  Each round divides
#'     the intervals with the largest errors, for all unfinished integrals together: at the midpoint; at an eighth of
#'     their length from an end at which the values indicate a singularity; or into four, if the values show no
#'     convergence.  The error estimate of an interval comes from ten null rules over the same points (Berntsen and
#'     Espelid 1991), and from the values that it and its neighbours extrapolate to their common end.
#'
#' Next to a singular point, where bisection needs many intervals, the integrals over intervals that shrink towards
#' it are extrapolated by the epsilon algorithm (Wynn 1956), as by QUADPACK's QAGS and QAGP, on each side of the
#' point, which is located first if it lies inside the range; points much nearer to it check the limit.
#'
#' A range starts as 4 intervals.  If any becomes shorter than 1/24 of the range, all longer than 1/12 are divided
#' as well, since the integrand may have other narrow features.  A range on which all values are 0 is examined once
#' more at 6720 points, some of them very close to its ends.  A half-line from \eqn{a} is split at
#' \eqn{a \pm 1}{a +- 1}, and its outer part is mapped to \eqn{(0, 1]} by
#' \eqn{x = a \pm 1 \pm (1 - t)/t}{x = a +- 1 +- (1 - t)/t}; the whole line consists of two half-lines.
#'
#' Accuracy: [integrate()] underestimates the error of 17% of integrals with a jump at a random point, this method
#' that of 0.09%, in which the jump lies within 0.054% of the range from a limit.}
#'   \item{`"tanhsinh"`}{double exponential quadrature (Takahasi and Mori 1974), for integrands that are analytic inside
#'     the range and singular at its ends; an end at 0 is resolved best.  For other integrands it converges slowly or
#'     not at all.}
#'   \item{`"fourier"`}{the double exponential formula of Ooura and Mori (1999) for a function times
#'     \eqn{\cos(w x)}{cos(w x)} or \eqn{\sin(w x)}{sin(w x)} over a half-line, or over the line as two half-lines that
#'     meet at 0.  `f` is the function without that factor, and `control` has the elements `omega` and `weight`.  `f`
#'     may decay as slowly as \eqn{1/\log(x)}{1/log(x)}, and be singular at the finite limit, best resolved if that is
#'     0; elsewhere it must be analytic, and oscillate more slowly than the factor.  It is evaluated up to a distance of
#'     about 160/`omega` from the limit, and twice as far whenever more points are needed; the test for divergence
#'     evaluates a few points far out.
#'
#' Accuracy: on 43 integrals with closed forms, each for 6 values of `omega` from 1e-3 to 1e4, the error is never
#' underestimated, with tolerances from 1e-4 to 1e-12; half of them take fewer than 600 evaluations.}
#' }
#'
#' @section Methods for several variables:
#' \describe{
#'   \item{`"cubature"`}{adaptive subdivision with the rule of degree 7 over boxes of Genz and Malik (1980).  A box is
#'     bisected along the axis with the largest fourth difference.  The error of two halves is no less than the
#'     difference between their sum and the value of the whole, which guards against rules of degrees 7 and 5 that agree
#'     by chance.  Two additional points on each axis detect jumps and kinks near the faces.  A range on which all
#'     values are 0 is examined once more, divided into 16 to 256 boxes with 4000 to 8000 points.  Once any box is
#'     smaller than a sixteenth of those, all boxes larger than those are bisected, since the integrand may have other
#'     narrow features.
#'
#' A peak next to a face may lie between all points of the box on the other side, and a ridge may end between them.
#' The error of a box is therefore increased by the integrals of \eqn{|f|} over those boxes beside it that are at least
#' eight times narrower along an axis and on which the mean of \eqn{|f|} seems to be more than eight times as large,
#' each in proportion to the widths across the common face.  The box is then bisected along that axis, until it has met
#' the peak or is no longer much wider.
#'
#' Accuracy: of 2000 integrals over the square with a jump at a random x and a tolerance of 1e-6, the error of one is
#' underestimated.}
#'   \item{`"product"`}{a product of Gauss-Legendre rules with up to 32 nodes along each axis, for integrands that are
#'     smooth along each axis between at most three kinks or jumps, oscillating ones included.  The number of nodes
#'     follows from the Legendre coefficients of the integrand on 16 lines along that axis.  Kinks and jumps at the same
#'     places on all lines are located and become the limits of separate rules.  For other integrands the method stops
#'     after the lines, or as soon as the tolerance proves to be out of reach.  The error is the larger of two
#'     estimates: what the rules omit along the lines, and four times the sum of further changes of the result if these
#'     fall as before.
#'
#' In many dimensions a sparse product is tried first: a sum of products of nested rules with 1 to 31 nodes (Patterson
#' 1968), to which those neighbours of the products are added next that contribute most (Gerstner and Griebel 2003).
#' Its error is at least four times the sum of the contributions of the last products, and at least what the products
#' omit along the lines; a product with equally many nodes along each axis checks the result.}
#'   \item{`"lattice"`}{16 copies of a rank-1 lattice (Nuyens and Cools 2006) with random shifts, doubled until the
#'     error is small enough, and beyond 2^26 points supplemented by further copies; over the importance grid of
#'     `"vegas"` where this helps, otherwise over a periodised form of the integrand.  It needs far fewer points than
#'     `"vegas"` for integrands that are smooth or become smooth on the grid.
#'
#' Accuracy: of 100 runs with each of 14 integrals and tolerances in 3 to 8 dimensions, 61% to 73% were within one
#' standard error, 89% to 96% within two, and the largest error was 4.4 standard errors.  At singularities the
#' method underestimates the error (\eqn{x^{-0.4}}{x^-0.4} to 1e-3: 88% of 200 runs within two standard errors, the
#' largest error 6.5 of them).}
#'   \item{`"vegas"`}{stratified sampling over an importance grid with 256 bins along each axis: m-Cubes (Sakiotis et
#'     al. 2022) with the adaptive stratification of vegas+ (Lepage 2021), and in each cell two antithetic pairs of
#'     points (Haber 1967), so that the error falls like n^-(1/2 + 2/d) where the integrand is smooth.  In more than 12
#'     dimensions only the first 12 axes are divided into cells, and the grid has fewer bins, as many as the points of a
#'     round determine well.  Preliminary rounds of points adapt the grid and contribute nothing else; the iterations
#'     that follow use this grid and are averaged.  The options `iterations`, `adjust`, `bins` and `samples.per.cube`
#'     fix what the method otherwise chooses; with `symmetric` all axes share one grid, which is adapted along one of
#'     them (m-Cubes1D).
#'
#' Accuracy: where a few points near a singularity dominate the variance, the standard error is increased, but may
#' still be too small: of 200 runs with \eqn{x^{-0.4}}{x^-0.4} over (0, 1) to 1e-3, 98% were within two standard
#' errors, and the largest error was 4.2 standard errors; with \eqn{x^{-0.45}}{x^-0.45} to 1e-4, 98% and 7.7.}
#' }
#' `"product"`, `"lattice"` and `"vegas"` also integrate over one variable.
#'
#' @section Published algorithms for comparison:
#' \describe{
#'   \item{`"simpson"`}{adaptive Simpson quadrature (Lyness 1969) in rounds as for `"gk"`.  The two halves of a bisected
#'     interval reuse its values and need 2 new points each.  A range starts as 7 intervals, all of which are bisected
#'     at least once, and the error of two halves is no less than the difference between their sum and the value of the
#'     whole.  A non-finite value at a limit or break is replaced by the value at the neighbouring point.}
#'   \item{`"forward"`}{heuristic forward quadrature (Thuerck et al. 2014): trapezoids whose widths, from `h_min` to
#'     `h_max`, are chosen from the last two slopes; no step is ever repeated.  There is no refinement: the error
#'     estimate follows from second differences, and if it exceeds the tolerance the status is `"coarse"`; choose a
#'     `rel.tol` that fits the steps.  In several dimensions the method applies Fubini's theorem: the points of an axis
#'     are chosen along the line on which all subsequent axes are at their midpoints.  A step depends on those before
#'     it; with `blocks`, a range is divided into equal intervals that are computed independently.  The result has a
#'     component `bound`, the bound of the paper's Theorem 1 with the supremum taken over the points; its constant is
#'     that of the midpoint rule, half that of the trapezoidal rule, so that the error may exceed it by this factor.}
#'   \item{`"blockcut"`}{block-cutting (Kern and Alaghband 2013): proceeds from the upper limit to the lower one in
#'     regions of `cells` equal intervals, each with Simpson's rule, and the difference of the trapezoidal rule from it
#'     as error estimate; a region is accepted by the sum of its errors, which also determines the length of the next
#'     region.  `variant` selects related algorithms of the paper: `"BCAQ"`, the same on one thread; `"SCAQ"`,
#'     side-cutting, one interval at a time; `"PSCAQ"`, side-cutting in `cells` equal parts of the range in parallel;
#'     `"CAQ"`, a common queue of intervals that are bisected.  The error estimate is far too large, and the number of
#'     evaluations high: for reliable values at low cost use `"gk"`.}
#' }
#'
#' @section Infinite ranges: In several dimensions, and for `"vegas"`, `"lattice"` and `"product"` in one dimension, the
#' integrand is transformed to a finite box by \eqn{x = o + A g(t)}.  Along each axis \eqn{g(t) = t/(1 - t^2)}, as in
#' Johnson's Cubature library, which suits algebraic tails, or \eqn{g(t) = \log((1 + t)/(1 - t))}{g(t) = log((1 + t)/(1
#' - t))} if \eqn{|f|} falls faster than exponentially in all directions examined.  The origin \eqn{o} is the finite
#' limit of a half-line, which is scaled.  For axes that are whole lines, \eqn{o} and the triangular matrix \eqn{A} are
#' the location and the Cholesky factor of the covariance matrix of \eqn{|f|}, regarded as a density (Genz and Kass 1997
#' take the mode and the Hessian).  In up to 8 dimensions a normal density therefore needs no substitution by hand,
#' whatever its covariance matrix, if its mean lies within ten standard deviations of the origin along each axis.
#'
#' In up to 12 dimensions, 501 points along each half-axis, from \eqn{2^{-1000}}{2^-1000} to
#' \eqn{2^{1000}}{2^1000}, give a first scale.  Location and scale follow from medians, quartiles and correlations in 3
#' to 12 steps with 1024 points for each axis (65536 more where all values are 0).  All of these points count as
#' evaluations.  In more than 12 dimensions location and scale follow from mode and Hessian, and from medians of
#' distances, with 300 to 700 evaluations for each axis.  A peak that is narrow compared with its distance from the
#' origin or from other peaks may be missed, as with any rule; if all values are 0 the status is `"stuck"`.
#'
#' Location and scale are common to all integrals of a call, of which up to four are examined (in more than 12
#' dimensions, the first one), unless they do not suit some integrals.  In up to three dimensions these are the
#' integrals for which one of 256 points carries most of \eqn{|f|}.  In more dimensions they are all integrals of the
#' call if the median of \eqn{|f|} for one of those examined lies more than 1.5 standard deviations from the common
#' origin, or its standard deviation is less than half or more than twice the common one along an axis.  Integrals that
#' location and scale do not suit are divided into groups with their own, down to single integrals.
#'
#' @section Random numbers:
#' `"vegas"` and `"lattice"` use a counter-based generator (Philox 4x32-10): with the same `seed` the result is the same
#' for any number of threads.  Without a `seed` the key comes from R's generator, so that [set.seed()] controls it.  As
#' with any method of this kind, a peak is missed if none of about 16384 points comes near it, and it does not lie on an
#' axis-parallel line through the centre or through the best of these points.
#'
#' @references
#' Berntsen, J. and Espelid, T. O. (1991) Error estimation in automatic quadrature routines. *ACM Transactions on
#' Mathematical Software* **17**, 233--252. \doi{10.1145/108556.108575}
#'
#' Genz, A. and Kass, R. E. (1997) Subregion-adaptive integration of functions having a dominant peak. *Journal of
#' Computational and Graphical Statistics* **6**, 92--111.
#'
#' Genz, A. C. and Malik, A. A. (1980) Remarks on algorithm 006. *Journal of Computational and Applied Mathematics*
#' **6**, 295--302. \doi{10.1016/0771-050X(80)90039-X}
#'
#' Gerstner, T. and Griebel, M. (2003) Dimension-adaptive tensor-product quadrature. *Computing* **71**, 65--87.
#' \doi{10.1007/s00607-003-0015-5}
#'
#' Haber, S. (1967) A modified Monte-Carlo quadrature. II. *Mathematics of Computation* **21**, 388--397.
#'
#' Kern, D. and Alaghband, G. (2013) Parallel processing of irregular workloads on the GPGPU: adaptive quadrature.
#'
#' Lepage, G. P. (2021) Adaptive multidimensional integration: vegas enhanced. *Journal of Computational Physics*
#' **439**, 110386. \doi{10.1016/j.jcp.2021.110386}
#'
#' Lyness, J. N. (1969) Notes on the adaptive Simpson quadrature routine. *Journal of the ACM* **16**, 483--495.
#' \doi{10.1145/321526.321537}
#'
#' Nuyens, D. and Cools, R. (2006) Fast algorithms for component-by-component construction of rank-1 lattice rules in
#' shift-invariant reproducing kernel Hilbert spaces. *Mathematics of Computation* **75**, 903--920.
#' \doi{10.1090/S0025-5718-06-01785-6}
#'
#' Ooura, T. and Mori, M. (1999) A robust double exponential formula for Fourier-type integrals. *Journal of
#' Computational and Applied Mathematics* **112**, 229--241. \doi{10.1016/S0377-0427(99)00223-X}
#'
#' Patterson, T. N. L. (1968) The optimum addition of points to quadrature formulae. *Mathematics of Computation*
#' **22**, 847--856. \doi{10.1090/S0025-5718-68-99866-9}
#'
#' Piessens, R., de Doncker-Kapenga, E., Ueberhuber, C. W. and Kahaner, D. K. (1983) *QUADPACK*. Springer.
#' \doi{10.1007/978-3-642-61786-7}
#'
#' Sakiotis, I., Arumugam, K., Paterno, M., Ranjan, D., Terzic, B. and Zubair, M. (2022) m-Cubes: an efficient and
#' portable implementation of multi-dimensional integration for GPUs. arXiv:2202.01753.
#'
#' Takahasi, H. and Mori, M. (1974) Double exponential formulas for numerical integration. *Publications of the Research
#' Institute for Mathematical Sciences* **9**, 721--741. \doi{10.2977/prims/1195192451}
#'
#' Thuerck, D., Widmer, S., Kuijper, A. and Goesele, M. (2014) Efficient heuristic adaptive quadrature on GPUs: design
#' and evaluation. *PPAM 2013*. \doi{10.1007/978-3-642-55224-3_61}
#'
#' Wynn, P. (1956) On a device for computing the e_m(S_n) transformation. *Mathematical Tables and Other Aids to
#' Computation* **10**, 91--96. \doi{10.2307/2002183}
#' @seealso [gintegrate()], [gintegrate-integrands], [gintegrate-control] for the options of the methods,
#'   [gintegrate-status] for error estimates, [gintegrate-devices].
#' @examples
#' gintegrate(function(x) 1 / sqrt(x), 0, Inf, method = "fourier",
#'            control = list(omega = 3, weight = "cos"))
#' gintegrate(function(x) x^-0.9, 0, 1, method = "tanhsinh")
#' gintegrate(function(x) 1 / (1 + sum((1:9) * x))^10, rep(0, 9), 1, method = "lattice",
#'            rel.tol = 1e-3, control = list(seed = 1))
#' gintegrate(function(x) cos(sum(x)), rep(0, 6), 1, method = "product")
#' @name gintegrate-methods
NULL

#' Options of the methods of integration
#'
#' The elements of the argument `control` of [gintegrate()].
#'
#' @section Options:
#' Each option names the methods that use it; `"auto"` uses those of `"lattice"` except for `precision`.  With other
#' methods an option is checked and has no effect, except that `symmetric = TRUE` and `precision = "single"` are errors.
#' `NULL` stands for the default.
#' \describe{
#'   \item{`fallback`}{`"R"` or `"none"`: how to compute a function that has no translation.  Default: `"R"`.}
#' `r describe_options()`
#' }
#'
#' @section Errors:
#' An unknown name, a name that is given twice, and a value outside the domain raise an error of class
#' `"stablecl_error_argument"`.
#' @seealso [gintegrate()], [gintegrate-methods], [gintegrate-devices] for single precision.
#' @examples
#' gintegrate(function(x) exp(-sum(x^2)), rep(0, 5), 1, method = "vegas", rel.tol = 1e-3,
#'            control = list(seed = 1, iterations = 10))
#' @name gintegrate-control
NULL

#' Integrands
#'
#' The function `f` of [gintegrate()]: how its variables are counted, how parameters are passed, how functions with
#' several values are integrated, and which functions cannot be translated.
#'
#' @section Variables:
#' A function of several arguments without a default (`function(x, y)`) has as many variables.  A function whose first
#' argument is used as a vector - `x[2]`, `sum(x)`, `A %*% x` - has as many variables as the limits have elements.  Any
#' other function has one variable.  The argument `dim` of [gintegrate()] states the number where it cannot be inferred,
#' or should differ.
#'
#' In one dimension `lower` and `upper` are single numbers or vectors with an element for each integral.  In `d`
#' dimensions they are vectors of `d` numbers (or one number for all axes, if `dim` or the other limit shows how many
#' there are), the same for all integrals, or matrices with a row for each integral and a column for each axis.  Limits
#' may be infinite, in several dimensions along any axis, and along different axes for different integrals.
#'
#' @section Parameters:
#' Arguments in `...` have the same value for all integrals of a call.  Arguments that differ are columns of `params`,
#' which has a row for each integral.  The program of a translated function serves all values of `params`, the limits,
#' and the numbers in `...` and in the environment of `f`, so that a call with a million rows translates once.
#'
#' @section Translation: The function is translated to a program ([gtranslate()] describes the supported part of R).
#' Before a run, program and function are compared at 16 points, unless they were compared there before; a value of
#' [gtranslate()] is compared with the function from which it was made.  A difference beyond 1e-9 is an error of class
#' `"stablecl_error_translation"` that names the point.  If the function accepts a vector of points, as [integrate()]
#' requires, it must return the same values for a vector, as `pmax(x, 0) * dnorm(x)` does, but not
#' `max(x, 0) * dnorm(x)`.
#'
#' A function that cannot be translated is evaluated by R on the main thread, over large blocks of points if it accepts
#' vectors, with a message once per session; with `fallback = "none"` in `control` it is an error of class
#' `"stablecl_error_untranslatable"`.
#'
#' @section Several components:
#' With `n.value = k` the function returns `k` numbers at a point, such as several moments of a density.  Each of these
#' components has its own value, error and status, and must meet the tolerance.  Common points save evaluations if
#' the components have common terms or are difficult at the same places; if they are difficult at different places,
#' separate calls may need fewer evaluations in several dimensions.
#'
#' `"gk"`, `"simpson"`, `"cubature"` and `"lattice"` evaluate all components at the same points, which `evaluations`
#' counts.  The first three divide the range for all components together, wherever one of them needs it, until all have
#' converged or cannot be refined; components that have ended are not refined further.  `"lattice"` examines each
#' component first, and computes those with pronounced peaks one by one, the others at the same points.  The other
#' methods compute one component after the other, `evaluations` being the sum, and so does `"auto"` when it uses them
#' for components that have not converged.  Values and errors differ from those of a call for a single component,
#' because the range is divided differently, but have the same meaning.
#'
#' A function without translation is called at one point at a time, or with many points if it then returns a matrix with
#' a row for each component and a column for each point.  `params` and several limits work as for one component.
#'
#' @section Stable distributions: Within `f`, [dstable()] and [pstable()] are fastest if `alpha` and `beta` are the same
#' for all points and integrals: a device then evaluates piecewise polynomials, to 12 digits.  Kernels for a different
#' `alpha` or `beta` at each point take longer to build.
#'
#' @seealso [gintegrate()], [gtranslate()], [gintegrate-methods].
#' @examples
#' # two variables as two arguments or as a vector
#' gintegrate(function(x, y) exp(-x * y), c(0, 0), 1)
#' gintegrate(function(x) exp(-x[1] * x[2]), c(0, 0), 1)
#'
#' # parameters: the same for all integrals, or one value for each
#' gintegrate(function(x, k) cos(k * x), 0, 1, k = 2)
#' gintegrate(function(x, k) cos(k * x), 0, 1, params = data.frame(k = 1:3))
#'
#' # three moments at once
#' gintegrate(function(x) c(1, x, x^2) * exp(-x), 0, Inf, n.value = 3)
#' @name gintegrate-integrands
NULL

#' Status and error estimates of integrals
#'
#' The meaning of `status` and `abs.error` in a value of [gintegrate()], the detection of divergent integrals, and the
#' results of an interrupted call.
#'
#' @section Status:
#' The status `"converged"` means, for each method and backend, that the value and the error are finite and that the
#' error is no more than the larger of `abs.tol` and `rel.tol` times the absolute value.  Any other integral has one of
#' these:
#' \describe{
#'   \item{`"max.eval"`}{the evaluations are used up.  Remedy: a larger `max.eval`, `breaks`, or another method.}
#'   \item{`"roundoff"`}{rounding keeps the error above the tolerance, although value and error are as accurate as
#'     doubles allow: the integral is small by cancellation, such as that of an odd function, or the integrand varies so
#'     rapidly that the rounding of `x` matters, as next to a peak far narrower than its distance from 0.  Remedy: a
#'     positive `abs.tol`.}
#'   \item{`"stuck"`}{intervals are as narrow as floating-point numbers allow, or the error falls too slowly to reach
#'     the tolerance with the evaluations allowed, as for oscillations without end, or all values on an infinite range
#'     in several dimensions were 0.}
#'   \item{`"not finite"`}{the integrand has non-finite values in an interval that is too narrow to be bisected.  On an
#'     infinite range non-finite values count as 0 beyond a point at which the integrand was 0 (\eqn{0\cdot\infty}{0
#'     times Inf}), in several dimensions beyond the distance at which it was 0 in all directions examined.}
#'   \item{`"divergent"`}{the integral of \eqn{|f|} appears to be infinite, or \eqn{f} oscillates without a limit.  The
#'     value is `NaN`.  An integral that converges although that of \eqn{|f|} is infinite, as that of
#'     \eqn{\sin(x^2)}{sin(x^2)} over a half-line, is `"divergent"` only for `"vegas"` and `"lattice"`: the mean of
#'     samples does not converge.}
#'   \item{`"coarse"`}{the given steps are too long (`"forward"`).}
#'   \item{`"inconsistent"`}{the iterations disagree (`"vegas"`).}
#'   \item{`"interrupted"`}{the integral was not finished before an interrupt.}
#' }
#' One warning of class `"gintegrate_warning_status"` reports all integrals that have not converged; with `stop.on.error
#' = TRUE` it is an error of class `"stablecl_error_integral"`.  With `rel.tol` below 50 eps and `abs.tol` 0, which
#' rounding errors exceed, `"roundoff"` causes neither.
#'
#' @section Error estimates:
#' `abs.error` is a conservative estimate, not a bound: on the 45 one-dimensional integrals of the package's tests
#' it is never below the true error (rel.tol = 1e-8), nor on those of 36 in 2 to 8 dimensions that converge to 1e-2,
#' 1e-3, 1e-4 or 1e-6 within 1e6 evaluations.  For integrals that use up their evaluations first it is only an
#' indication.  Refinement also ends where the error is no more than 100 eps times the integral of \eqn{|f|}, which is
#' as accurate as rounding allows.
#'
#' @section Standard errors:
#' For `"vegas"` and `"lattice"`, `abs.error` is one standard error: about 68% of the results are within it of the true
#' value, and nearly all within three times it.  The standard error is compared with the tolerance.
#'
#' For `"lattice"` it follows from the differences between the shifts, by Student's t, and is larger if these are
#' skewed.  For `"vegas"` it follows from the variances in the cells, and `chi.squared`, with `df` degrees of freedom,
#' measures whether the iterations agree; `Q` is the probability of such a value or a larger one.  If `Q` is below 0.001
#' the iterations are discarded and restarted with four times as many points; if the evaluations do not suffice for
#' that, the status is `"inconsistent"`.  In one dimension the standard error is at least that of the differences
#' between the iterations, because these alone reveal a jump inside a cell; `Q` then does not show disagreement.
#'
#' @section Divergence:
#' Divergence is detected from the growth or decay of \eqn{f} near limits and breaks, near corners and faces of a box
#' and, in one dimension, near the point with the largest values where intervals became narrow.  Integrals that have not
#' converged are examined, and those that converged with many evaluations; this takes up to about 200 evaluations for
#' each limit or break, and about 800 for a point inside, which are not counted.  A principal value is not an integral:
#' \eqn{x^3} over the line and \eqn{1/x} over (-1, 1) diverge.
#'
#' An examination of points is not a proof: an exponent within 1e-4 of -1 counts as -1 (within 8e-3 if `f` is singular
#' at a point that is not a floating-point number, such as the root of 2), and divergence that shows only between the
#' points is missed, as with any quadrature rule.
#'
#' @section Interrupts and progress:
#' After an interrupt the call returns the integrals that are finished; a time limit of [setTimeLimit()] ends it with
#' R's error.  Neither ends the build of a kernel.  With package \pkg{cli}, computations of more than two seconds show
#' the number of finished integrals.
#'
#' @seealso [gintegrate()], [gintegrate-methods], [plot.gintegral()], which shows where a method evaluates an
#'   integrand.
#' @examples
#' gintegrate(function(x) 1 / x, 0, 1)$status
#' gintegrate(function(x) sin(1e5 / x) / x, 0, 1, max.eval = 1000)$status
#' gintegrate(function(x) x^3, -1, 1, abs.tol = 1e-12)
#'
#' # an error instead of a warning
#' tryCatch(gintegrate(function(x) 1 / x, 0, 1, stop.on.error = TRUE),
#'          stablecl_error_integral = function(e) conditionMessage(e))
#' @name gintegrate-status
NULL

#' Integrals on devices and by several processes
#'
#' When [gintegrate()] uses an OpenCL device or worker processes, what devices support, and single precision.
#'
#' @section Choice of the backend: With `backend = "auto"` the choice of [stable_backend()] applies.  If that is also
#' `"auto"`, the CPU starts with 1024 integrals, and a device computes the rest if it is expected to finish
#' sooner, including the time to build the kernel.  If the device fails, the CPU continues from there, with one
#' warning of class `"stablecl_warning_device"`.  The first values of every integrand on a device are compared with
#' those of the CPU; a difference that rounding does not explain is such a failure.
#'
#' A device that is named (`"opencl"`, or any other choice of [stable_backend()]) is used whatever the size of the job,
#' and its failure is an error (see below).  In any case the CPU computes the few integrals that need more than
#' 65536 intervals, or so many evaluations that the device would be busy for long, because a kernel cannot be
#' interrupted.  In forked processes it computes everything.
#'
#' @section Methods on devices:
#' All methods also run on devices, `"blockcut"` in its variants `"PBCAQ"`, `"PSCAQ"` and `"SCAQ"`: the translated
#' function becomes a kernel, which is built once per session and serves all parameters, limits and captured numbers.
#' Devices choose the same intervals, up to rounding, and use the same samples: values agree to rounding where both
#' results claim this accuracy, and statuses have the same meaning.
#'
#' A device computes integrals one after the other, each on all of its processors, or side by side, each on a small part
#' of the device.
#'
#' \itemize{
#'   \item `"vegas"`, `"lattice"`, `"product"` and the variant `"PSCAQ"` of `"blockcut"` always use all processors for
#'     one integral; `"PSCAQ"` advances all parts of all ranges at the same time;
#'   \item `"cubature"` does so for up to 8 integrals;
#'   \item `"gk"`, `"tanhsinh"`, `"fourier"`, `"simpson"` and the other variants of `"blockcut"` do so for up to 8
#'     integrals of a function with 1000 operations ([gtranslate()]) or more, whose points the device then evaluates;
#'   \item `"forward"` in several dimensions or with `blocks` does so for up to 8 integrals, or up to 4096 of a function
#'     with 1000 operations or more: first for the points along the first axis, then for all lines along the second one,
#'     and so on.  Otherwise `"forward"` uses one work item for each integral.
#' }
#' With several components, the CPU divides the range, and a device evaluates all components at the points of one
#' integral after the other; if it is named, it computes the samples of `"lattice"` for one component after the other.
#'
#' @section Single precision:
#' With `precision = "single"` in `control` and method `"vegas"` or `"lattice"`, devices compute coordinates and values
#' of the integrand in single precision, and sums of values as pairs of numbers.  Random numbers, the importance grid
#' and the tolerance stay in double precision, so that both precisions use the same points; with `"vegas"` they do so
#' until the variances that it observes differ.  Devices without double precision can be used with it.  The CPU always
#' computes in double precision, also the rounds that adapt the grid, and iterations of `"vegas"` of less than about
#' 4000 samples.
#'
#' 8192 points of a lattice are evaluated in both precisions, and with `"vegas"` up to 64 parts of the samples of an
#' iteration, again after each change of the grid: `abs.error` includes the mean difference of the values, its standard
#' error, and 1.2e-7 times the mean of \eqn{|f|}.  If that exceeds the tolerance the status is `"roundoff"`.  Single
#' precision is not possible if this error exceeds 1% of the integral of \eqn{|f|}, if values, constants, parameters or
#' limits overflow (beyond 3.4e38) or vanish (below 1.2e-38), and if the integrand needs special functions (such as
#' [besselJ()] or [pgamma()]), tables or stable distributions.  Then the CPU computes the integral in double precision,
#' or, if the device was named, the call is an error of class `"stablecl_error_unsupported"`.
#'
#' @section Several processes: If workers of package future or mirai are set up in the session ([stablecl-workers]),
#' they compute the integrals of a call, except for the first ones, if the time for these indicates that the others take
#' a second or longer.  The results are the same.  Functions without translation are evaluated in the calling process.
#'
#' @section Errors:
#' If a device is named, these are errors:
#' \describe{
#'   \item{`"stablecl_error_device"`}{the device does not exist, or has failed;}
#'   \item{`"stablecl_error_untranslatable"`}{the integrand has no translation;}
#'   \item{`"stablecl_error_unsupported"`}{devices do not support the computation: other variants of `"blockcut"`, more
#'     than 32 limits and parameters together, [dstable()] and [pstable()] with `pm = 2` whose `alpha` or `beta` differ
#'     between points, integrands of which one value takes a work item of the device longer than 5 milliseconds, or
#'     single precision where it is not possible.}
#' }
#' A worker process that fails is an error of class `"stablecl_error_worker"` ([stablecl-workers]).
#' @seealso [gintegrate()], [stable_backend()], [stable_devices()], [stable_threads()], [stablecl-workers],
#'   [gintegrate-methods], [gintegrate-control], `vignette("devices", package = "stablecl")`.
#' @examples
#' # computed by a device only if there is one that finishes sooner
#' many <- gintegrate(function(x, k) exp(-k * x^2), 0, Inf, params = data.frame(k = 1:100))
#' many$backend
#' if (interactive() && any(stable_devices()$usable))
#'   gintegrate(function(x) exp(-sum(x^2)), rep(0, 6), 1, method = "lattice", rel.tol = 1e-3,
#'              backend = "opencl")
#' @name gintegrate-devices
NULL
