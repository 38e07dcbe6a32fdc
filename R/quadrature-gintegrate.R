#' Integrals of R functions, one or a million, on several threads or a GPU
#'
#' Integrates an ordinary R function over one variable or over a box in up to 100 dimensions. The function is
#' translated ([gtranslate()]) and evaluated over blocks of points on several threads. A call may compute one integral,
#' or as many as `params` has rows or the limits have elements; each is refined separately and has its own value, error,
#' number of evaluations and status.
#'
#' @section Dimensions and limits:
#' A function of several arguments without a default (`function(x, y)`) has as many variables. A function whose first
#' argument is used as a vector - `x[2]`, `sum(x)`, `A %*% x` - has as many variables as the limits have elements; give
#' `dim` where this number cannot be inferred, or should differ.  Any other function has one variable.
#'
#' In one dimension `lower` and `upper` are single numbers or vectors with an element for each integral.  In `d`
#' dimensions they are vectors of `d` numbers (or one number for all axes), the same for all integrals, or matrices with
#' a row for each integral and a column for each axis.
#'
#' Limits may be infinite, in several dimensions along any axes, different ones for each integral.  There, and for
#' `"vegas"`, `"lattice"` and `"product"` in one dimension, the integrand is transformed to a finite box by
#' \eqn{x = o + A g(t)}.  Along each axis \eqn{g(t) = t/(1 - t^2)}, as Johnson's Cubature library recommends, which
#' suits algebraic tails, or \eqn{g(t) = \log((1 + t)/(1 - t))}{g(t) = log((1 + t)/(1 - t))} if \eqn{|f|} falls faster
#' than exponentially in all directions examined.  The origin \eqn{o} is the finite limit of a half-line.  For axes that
#' are whole lines, \eqn{o} and the triangular matrix \eqn{A} are the location and the Cholesky factor of the covariance
#' matrix of \eqn{|f|}, regarded as a density (Genz and Kass 1997 take the mode and the Hessian); half-lines are scaled.
#' They follow from medians, quartiles and correlations at some ten thousand points, which count as evaluations, and are
#' the same for all integrals of a call, of which up to four are examined; in more than 12 dimensions they follow from
#' mode and Hessian of the first integral, and from medians of distances.  A normal density therefore needs no
#' substitution by hand, whatever its mean and covariance matrix.  A peak that is narrow compared with its distance from
#' the origin or from other peaks may be missed, as with any rule; if all values are 0 the status is `"stuck"`.
#'
#' @section Several components:
#' With `n.value = k` the function returns `k` numbers at a point, such as several moments of a density.  Each of these
#' components has its own value, error and status, and must meet the tolerance on its own.  `"gk"`, `"simpson"`,
#' `"cubature"` and `"lattice"` evaluate all components at the same points; `evaluations` counts these points.  The
#' first three divide the range for all components together, wherever one of them needs it, until all have converged or
#' cannot be refined; a component that has ended takes no further part.  `"lattice"` examines each component first, and
#' computes those with pronounced peaks one by one, the others at the same points.  The other methods compute one
#' component after the other, `evaluations` being the sum, and so does `"auto"` when it turns to them for components
#' that have not converged.  Values and errors differ from those of a call for a single component, because the range is
#' divided differently, but have the same meaning.
#'
#' Components gain from common points if they have common terms or are difficult at the same places; if they are
#' difficult at different places, separate calls may need fewer evaluations in several dimensions.
#'
#' A function without translation is called at one point at a time, or with many points if it then returns a matrix with
#' a row for each component and a column for each point.  `params` and several limits work as for one component.
#'
#' @section Methods:
#' \describe{
#'   \item{`"gk"`}{globally adaptive Gauss-Kronrod quadrature with 21 points (Piessens et al. 1983), breadth-first: each
#'     round subdivides the intervals with the largest errors, for all unfinished integrals together: at the midpoint;
#'     at an eighth of their length from an end at which the values indicate a singularity; or into four, if the values
#'     show no convergence.  The error estimate of an interval comes from ten null rules over the same points (Berntsen
#'     and Espelid 1991), and from the values that it and its neighbours extrapolate to their common end.  [integrate()]
#'     underestimates the error of 17% of integrals with a jump at a random point; this method of 0.09%, in which the
#'     jump lies within 0.054% of the range from a limit.  Next to a singular point, where bisection needs many
#'     intervals, the integrals over intervals that shrink towards it are extrapolated by Wynn's epsilon algorithm, as
#'     by QUADPACK's QAGS and QAGP, on each side of the point, which is located first if it lies inside the range;
#'     points much nearer to it check the limit.  A half-line from \eqn{a} is split at \eqn{a \pm 1}, and its outer part
#'     is mapped to \eqn{(0, 1]} by \eqn{x = a \pm 1 \pm (1 - t)/t}; the whole line consists of two half-lines.  A range
#'     starts as 4 intervals; if any becomes shorter than 1/24 of the range, all longer than 1/12 are divided as well,
#'     since the integrand may have other narrow features.  A range on which all values are 0 is examined once more at
#'     5376 points.}
#'   \item{`"tanhsinh"`}{double exponential quadrature (Takahasi and Mori 1974), for integrands that are analytic inside
#'     the range and singular at its ends; an end at 0 is resolved best.  Other integrands converge slowly or not at
#'     all.}
#'   \item{`"fourier"`}{the double exponential formula of Ooura and Mori (1999) for a function times
#'     \eqn{\cos(w x)}{cos(w x)} or \eqn{\sin(w x)}{sin(w x)} over a half-line, or over the line as two half-lines that
#'     meet at 0.  `f` is the function without that factor, and `control` has the elements `omega` and `weight`.  `f`
#'     may decay as slowly as \eqn{1/\log(x)}{1/log(x)}, and be singular at the finite limit, best resolved if that is
#'     0; elsewhere it must be analytic, and oscillate more slowly than the factor.  It is evaluated up to a distance of
#'     at least 166/`omega` from the limit; what it does beyond is seen only if \eqn{|f|} rises before.  On 43 integrals
#'     with closed forms, each for 6 values of `omega` from 1e-3 to 1e4, the error is never underestimated, with
#'     tolerances from 1e-4 to 1e-12; half of them take fewer than 600 evaluations.}
#'   \item{`"simpson"`}{adaptive Simpson quadrature (Lyness 1969) in the same rounds; the two halves of a bisected
#'     interval reuse its values and need 2 new points each.  A range starts as 7 intervals, all of which are bisected
#'     at least once, and the error of two halves is no less than the difference between their sum and the value of the
#'     whole.  A non-finite value at a limit or break is replaced by the value at the neighbouring point.}
#'   \item{`"forward"`}{heuristic forward quadrature (Thuerck et al. 2014): trapezoids whose widths, from `h_min` to
#'     `h_max`, are chosen from the last two slopes; no step is ever repeated.  There is no refinement: the error
#'     estimate follows from second differences, and if it exceeds the tolerance the status is `"coarse"`; choose a
#'     `rel.tol` that fits the steps.  In several dimensions the method applies Fubini's theorem: the points of an axis
#'     are chosen along the line on which all subsequent axes are at their midpoints.  A step depends on those before it;
#'     with `blocks`, a range is divided into equal intervals that do not wait for each other.  The result has a component
#'     `bound`, the bound of the paper's Theorem 1 with the supremum taken over the points; its constant is that of the
#'     midpoint rule, half that of the trapezoidal rule, so that it may fall below the error by this factor.}
#'   \item{`"blockcut"`}{block-cutting (Kern and Alaghband 2013): proceeds from the upper limit to the lower one in
#'     regions of `cells` equal intervals, each with Simpson's rule, and the difference of the trapezoidal rule from it
#'     as error estimate; a region is accepted by the sum of its errors, which also determines the length of the next
#'     region.  `variant` selects related algorithms of the paper, for comparison: `"BCAQ"`, the same on one thread;
#'     `"SCAQ"`, side-cutting, one interval at a time; `"PSCAQ"`, side-cutting in `cells` equal parts of the range in
#'     parallel; `"CAQ"`, a common queue of intervals that are bisected.  The error estimate is far too large, and the
#'     number of evaluations high: for reliable values at low cost use `"gk"`.}
#'   \item{`"cubature"`}{in 2 to 8 dimensions: the rule of Genz and Malik (1980) of degree 7 over boxes, breadth-first;
#'     a box is bisected along the axis with the largest fourth difference.  The error of two halves is no less than the
#'     difference between their sum and the value of the whole, which guards against rules of degrees 7 and 5 that agree
#'     by chance.  Two additional points on each axis detect jumps and kinks near the faces: of 2000 integrals over the
#'     square with a jump at a random x and a tolerance of 1e-6, the error of one is underestimated.  A range on which
#'     all values are 0 is examined once more, at about 5000 points.}
#'   \item{`"vegas"`}{in 1 to 100 dimensions: stratified sampling over an importance grid with 256 bins along each axis:
#'     m-Cubes (Sakiotis et al. 2022) with the adaptive stratification of vegas+ (Lepage 2021), and in each cell two
#'     antithetic pairs of points (Haber 1967), so that the error falls like n^-(1/2 + 2/d) where the integrand is
#'     smooth.  In more than 12 dimensions only the first 12 axes are divided into cells, and the grid has fewer bins,
#'     as many as the points of a round determine well.  Preliminary rounds of points adapt the grid and contribute
#'     nothing else; the iterations that follow use this grid and are averaged.  The options `iterations`, `adjust`,
#'     `bins` and `samples.per.cube` fix what the method otherwise chooses; with `symmetric` all axes share one grid,
#'     which is adapted along one of them (m-Cubes1D).  Where a few points near a singularity dominate the variance,
#'     the standard error is increased, but may still be too small: of 200 runs with \eqn{x^{-0.4}}{x^-0.4} over (0, 1)
#'     to 1e-3, 98% were within two standard errors, and the largest error was 4.8 standard errors; with
#'     \eqn{x^{-0.45}}{x^-0.45} to 1e-4, 95% and 14.}
#'   \item{`"lattice"`}{in 1 to 100 dimensions: 16 copies of a rank-1 lattice with random shifts, doubled until the
#'     error is small enough, and beyond 2^26 points supplemented by further copies; over the same importance grid where
#'     this helps, otherwise over a periodised form of the integrand.  It needs far fewer points than `"vegas"` for
#'     integrands that are smooth or become smooth on the grid.  Of 200 random integrals of Genz's test families in
#'     each of 20, 50 and 100 dimensions, to 1e-3, 71% were within one standard error, 96% within two, and the largest
#'     error was 4.0 standard errors.  At singularities it underestimates the error
#'     (\eqn{x^{-0.4}}{x^-0.4} to 1e-3: 88% of 200 runs within two standard errors, the largest error 6.5 of
#'     them).  With `precision = "single"` in `control`, devices evaluate the integrand
#'     in single precision (below).}
#'   \item{`"product"`}{in 1 to 12 dimensions: a product of Gauss-Legendre rules with up to 32 nodes along each axis;
#'     the number of nodes follows from the Legendre coefficients of the integrand on 16 lines along that axis.  Kinks
#'     and jumps at up to three places along an axis, the same on all lines, are located and become the limits of rules
#'     of their own.  For integrands that are smooth along each axis between such places, oscillating ones included; for
#'     other integrands the method stops after the lines, or as soon as the tolerance proves to be out of reach.  The
#'     error is the larger of what the rules leave out along the lines, and of the sum of further changes of the result
#'     if these fall as before.  In many dimensions a sparse product is tried first: a sum of products of Patterson's
#'     nested rules (1968) with 1 to 31 nodes, to which the neighbours of those products are added next that contribute
#'     most (Gerstner and Griebel 2003).  Its error is four times the contributions of the last products, or what
#'     products are left out along the lines, whichever is larger, and a product with equally many nodes along each axis
#'     checks the result.}
#'   \item{`"auto"`}{in one dimension `"gk"`, then `"tanhsinh"` with at most 4000 evaluations for the integrals
#'     that have not converged, unless `f` is `NaN` throughout an interval.  If the range is infinite and the
#'     translation of `f` contains, without branches or loops, only sines or only cosines of one multiple of `x`, `"gk"`
#'     first receives 1000 evaluations, then `"fourier"` 5000.  In more dimensions several methods, each
#'     for the integrals that those before have not finished: `"cubature"` (up to 8 dimensions) with 17% of `max.eval`,
#'     but at most 16384, `"product"` with 35%, `"cubature"` with 5%, but at most 1e5, `"lattice"` with 30%, and
#'     `"cubature"` with 13%; if `rel.tol` is below 1e-6 and `abs.tol` 0, `"cubature"` as above, `"product"` with 45%
#'     and `"cubature"` with 38%; in 5 or more dimensions, if `rel.tol` is 1e-4 or more, `"product"` with 40%,
#'     `"lattice"` with 45% and `"cubature"` with 15%; beyond 8 dimensions, `"product"` with 40% and `"lattice"` with
#'     60%, beyond 12 `"lattice"` with 60% and `"vegas"` with 40%; with a `max.eval` below 1e5 only `"cubature"`, or
#'     only `"lattice"` beyond 8 dimensions.  Evaluations that a method leaves pass to those after
#'     it; `"product"` leaves nearly all where the integrand is not smooth along each axis, or more nodes would be
#'     needed than evaluations allow.  The result is the first that converges, otherwise the one with the smallest
#'     error; `rule` names its method.  Here the error of `"lattice"` and `"vegas"` is four standard errors, so that
#'     `abs.error` has the same meaning for every method.}
#' }
#'
#' @section Options:
#' Elements of `control`, with the methods that use them; `"auto"` uses those of `"lattice"`.  With other methods they
#' have no effect, except that `symmetric = TRUE` and `precision = "single"` are errors.  `NULL` stands for the default.
#' \describe{
#'   \item{`fallback`}{`"R"` or `"none"`: how to compute a function that has no translation.  Default: `"R"`.}
#' `r describe_options()`
#' }
#'
#' @section Single precision:
#' With `precision = "single"` and method `"lattice"`, devices compute coordinates and values of the integrand in single
#' precision, and sums of values as pairs of numbers; points, the importance grid and the tolerance stay in double
#' precision, so that both precisions use the same points.  Devices without double precision can be used with it.  The
#' CPU always computes in double precision.  8192 points are evaluated in both
#' precisions: `abs.error` includes the mean difference of the values, its standard error, and 1.2e-7 times the mean of
#' \eqn{|f|}.  If that exceeds the tolerance the status is `"roundoff"`.  If it exceeds 1% of the integral of
#' \eqn{|f|}, if the values overflow (beyond 3.4e38) or vanish (below 1.2e-38), or if constants, parameters or limits do
#' so, and if the integrand needs special functions (such as [besselJ()] or [pgamma()]), tables or stable distributions,
#' a device that was requested by name raises an error of class `stablecl_error_unsupported`; otherwise the CPU computes
#' the integral in double precision.
#'
#' @section Standard errors:
#' For `"vegas"` and `"lattice"`, `abs.error` is one standard error: about 68 of a hundred results are that close to
#' the true value, nearly all within three times that.  The standard error is compared with the tolerance.  For
#' `"vegas"` it follows from the variances in the cells, and `chi.squared`, with `df` degrees of freedom, measures
#' whether the iterations agree; `Q` is the probability of such a value or a larger one.  If `Q` is below 0.001 the
#' iterations are discarded and restarted with four times as many points; if the evaluations do not suffice for that,
#' the status is `"inconsistent"`.  In one dimension the standard error is at least that of the differences between the
#' iterations, because a jump inside a cell is seen in them alone; `Q` then does not show disagreement.  For `"lattice"`
#' the standard error follows from the differences between the shifts, by Student's t.
#'
#' Random numbers come from a counter-based generator (Philox 4x32-10): with the same `seed` the result is the same for
#' any number of threads.  Without a `seed` the key comes from R's generator, so that [set.seed()] controls it.  As with
#' any method of this kind, a peak is missed if none of about 16384 points comes near it, and it does not lie on an
#' axis-parallel line through the centre or through the best of these points.
#'
#' @section Errors and accuracy:
#' `abs.error` is a conservative estimate, not a bound: on the 45 one-dimensional integrals of the package's tests
#' it is never below the true error (rel.tol = 1e-8), nor on those of 36 in 2 to 8 dimensions that converge to 1e-2,
#' 1e-3, 1e-4 or 1e-6 within 1e6 evaluations; for integrals that use up their evaluations first it is only an
#' indication.  Refinement also ends where the error is no more than 100 eps times the integral of \eqn{|f|}, which is
#' as accurate as rounding allows. An interval with non-finite values is bisected; if it becomes too narrow, the
#' integral ends with the status `"not finite"`.  On an infinite range non-finite values count as 0 beyond a point at
#' which the integrand was 0 (\eqn{0\cdot\infty}{0 times Inf}), in several dimensions beyond the distance at which it
#' was 0 in all directions examined.
#'
#' The status `"converged"` means, for each method and backend, that the value and the error are finite and that the
#' error is no more than the larger of `abs.tol` and `rel.tol` times the absolute value.  Any other integral has one of
#' these: `"max.eval"`: the evaluations are used up; `"stuck"`: intervals are as narrow as floating-point numbers allow,
#' or the error falls too slowly to reach the tolerance with the evaluations allowed, as for oscillations without end,
#' or all values on an infinite range in several dimensions were 0;
#' `"not finite"`; `"inconsistent"`; `"interrupted"`; `"coarse"`: the given steps are too long; `"roundoff"`: rounding
#' keeps the error above the tolerance, although value and error are as accurate as doubles allow, which happens where
#' an integral is small by cancellation, such as that of an odd function, or where the integrand varies so rapidly that
#' the rounding of `x` matters, as next to a peak far narrower than its distance from 0: set `abs.tol` in these cases;
#' `"divergent"`: the integral of \eqn{|f|} appears to be infinite, or \eqn{f} oscillates without a limit, and the value
#' is `NaN`.  One warning of class `"gintegrate_warning_status"` reports all such integrals, or an error of class
#' `"stablecl_error_integral"` with `stop.on.error = TRUE`.  With `rel.tol` below 50 eps and `abs.tol` 0, which no
#' integral can reach, `"roundoff"` causes neither.
#'
#' Divergence is detected from the growth or decay of \eqn{f} near limits and breaks, near corners and faces of a box
#' and, in one dimension, near the point with the largest values where intervals became narrow.  Integrals that have not
#' converged are examined, and those that converged with many evaluations; this takes up to about 200 evaluations for
#' each limit or break, and about 800 for a point inside, which are not counted.  A principal value is not an integral:
#' \eqn{x^3} over the line and \eqn{1/x} over (-1, 1) diverge.  An examination of points is not a proof: an
#' exponent within 1e-4 of -1 (4e-3 near an end that is not 0) counts as -1, and divergence that shows only between the
#' points is missed, as with any quadrature rule.
#'
#' A function that cannot be translated is evaluated by R on the main thread, over large blocks of points, with a
#' message once per session, unless the option `fallback` is `"none"`.  Before a run, translation and closure are
#' compared at 16 points, unless they were compared there before; a value of [gtranslate()] is compared with the
#' function from which it was made.  A difference beyond 1e-9 is an error of class `"stablecl_error_translation"` that
#' names the point.  If the closure accepts a vector of points, as [integrate()] requires, it must return the same
#' values for a vector.
#'
#' After an interrupt the call returns the integrals that are finished; a time limit of [setTimeLimit()] ends it with
#' R's error; neither ends the build of a kernel.  With package \pkg{cli}, computations of more than two seconds
#' show the number of finished integrals.
#'
#' @section Several processes:
#' If workers of package future or mirai are set up in the session ([stablecl-workers]), they compute the integrals of a
#' call, except for the first ones, if the time for these indicates that the others take a second or longer.  The results
#' are the same.  Functions without translation are evaluated in this process.
#'
#' @section Devices:
#' All methods also run on OpenCL devices, `"blockcut"` in its variants `"PBCAQ"`, `"PSCAQ"` and `"SCAQ"`: the
#' translated function becomes a kernel, which is built once per session and serves all parameters, limits and captured
#' numbers.  For `"vegas"`,
#' `"lattice"` and `"product"` a device computes one integral after the other, each on all of its processors, as it
#' does for up to 8 integrals by `"cubature"`, and for up to 8 integrals of a function with 1000 operations or more
#' ([gtranslate()]) by `"gk"`, `"tanhsinh"`, `"fourier"`, `"simpson"` and `"blockcut"`, whose points it then evaluates;
#' otherwise these methods compute integrals side by side, each on a small part of the device (`"forward"`: one work
#' item), so that it is faster for many integrals.  `"PSCAQ"` uses the whole device for any number of integrals: all
#' parts of their ranges are cut at the same time, without exchange between the device and the processor.  So does
#' `"forward"` in several dimensions or with `blocks`, for up to 8 integrals, or up to 4096 of a function with 1000
#' operations or more: first for the points along the first axis, then for all lines along the second one, and so on.
#' With
#' `backend = "auto"` the choice of [stable_backend()] applies; if that is also `"auto"`, the processor starts with 1024
#' integrals, and a device computes the rest if it is expected to finish sooner, including the time to build the kernel.
#' With several components, the processor divides the range, and a device evaluates all components at the points of one
#' integral after the other; if it is named, it computes the samples of `"lattice"` for one component after the other.
#' If a device fails, the processor continues from there, with one warning.  The first values of every integrand on a
#' device are compared with those of the processor; a difference that rounding does not explain is such a failure.
#'
#' A device that is named (`"opencl"`, or any other choice of [stable_backend()]) is used whatever the size of the job,
#' and its failure is an error of class `"stablecl_error_device"`.  Integrals that devices do not support are then an
#' error of class `"stablecl_error_unsupported"` - other variants of `"blockcut"`, more than 32 limits and parameters
#' together, [dstable()] and [pstable()] with `pm = 2` whose `alpha` or `beta` differ between points, integrands of
#' which one value takes longer than about a millisecond - or of class `"gintegrate_untranslatable"`.  In any case the
#' processor computes the few integrals that need more than 65536 intervals or 262144 boxes, or so many evaluations
#' that the device would be busy for long, because a kernel cannot be interrupted; and it does all work in forked
#' processes.
#'
#' Within `f`, [dstable()] and [pstable()] are fastest if `alpha` and `beta` are the same for all points and
#' integrals: a device then evaluates piecewise polynomials, to 12 digits.  Kernels with stable distributions take
#' longer to build.
#'
#' Devices choose the same intervals, up to rounding, and use the same samples: values agree to rounding where both
#' results claim this accuracy, and statuses have the same meaning.
#'
#' @param f a function that returns a number, or `n.value` numbers; in one dimension it may, but need not, accept
#'   vectors of points.  Or a value of [gtranslate()] for the same dimension and `params`: a translation takes some
#'   milliseconds, which repeated calls can save.
#' @param lower,upper limits, in the unit of the variable: one number, or one for each integral; over several variables
#'   one for each variable, or a matrix with a row for each integral and a column for each variable. They may be
#'   infinite. `upper < lower` is allowed and changes the sign.
#' @param ... further arguments of `f`, the same for all integrals.  `n.value`, unless it is an argument of `f`, is the
#'   number of components, from 1 (the default) to 1000.  `subdivisions`, as in [integrate()], stands for a `max.eval`
#'   of 42 times this number.
#' @param params data frame of arguments of `f`, a row for each integral.
#' @param method one of the methods below.
#' @param rel.tol,abs.tol the error tolerance is the larger of `abs.tol` and `rel.tol` times the absolute value; one
#'   non-negative number each.
#' @param max.eval the largest number of evaluations for one integral, one number above 0 (with `"auto"` in one
#'   dimension, for each of the two methods); by default 1e6 in one dimension, 1e7 in more and for `"blockcut"`, and for
#'   a single integral in more dimensions 1e9 divided by the number of operations that [gtranslate()] reports, which
#'   take about a second, but at most 5e7 and no less than 1e7: the same on all machines.
#' @param breaks in one dimension, numbers inside the range where `f` or a derivative jumps.
#' @param dim number of variables, from 1 to 100, if it cannot be inferred.
#' @param stop.on.error logical: is an integral that does not converge an error?  The default of [integrate()] is
#'   `TRUE`.
#' @param control a named list of options, described below.
#' @param backend `"auto"`, `"cpu"`, `"opencl"` or another choice of [stable_backend()].
#' @return An object of class `"gintegral"`: a list with `value`, `abs.error`, `evaluations` and `status` (one
#'   element for each integral; `"vegas"` adds `chi.squared`, `df` and `Q`, `"forward"` adds `bound`, and `"auto"` in
#'   several dimensions `rule`; if `"auto"` used several methods, `stages` has the evaluations of each, all integrals
#'   together), `method`, `backend` (`"threads"`, `"opencl"` or `"R"`), `time` (seconds), `call`,
#'   `problem` (the input of [plot.gintegral()], with the given limits and `params`, which R shares with the caller, not
#'   copies of them) and, for code written for [integrate()], `message`, which is `"OK"` if
#'   all integrals have converged, and for one integral over one variable `subdivisions`: the number with which
#'   [integrate()] makes as many evaluations.  With several components, `value`, `abs.error`, `status` and the other
#'   parts except `evaluations` have an element for each component, or, for several integrals, are matrices with a row
#'   for each integral and a column for each component.
#'   [format()], [print()], [summary()], [plot()], [as.data.frame()], [length()], `[` and arithmetic
#'   ([gintegral-arithmetic]) have methods.
#' @section Errors of arguments:
#' Invalid arguments are an error of class `"stablecl_error_argument"`.
#' @source Piessens, R., de Doncker-Kapenga, E., Ueberhuber, C. W. and Kahaner, D. K. (1983) *QUADPACK*, Springer,
#'   \doi{10.1007/978-3-642-61786-7}. Berntsen, J. and Espelid, T. O. (1991) Error estimation in automatic quadrature
#'   routines, *ACM Trans. Math. Softw.* 17, 233-252, \doi{10.1145/108556.108575}. Wynn, P. (1956) On a device for
#'   computing the e_m(S_n) transformation, *Math. Tables Aids Comput.* 10, 91-96, \doi{10.2307/2002183}. Genz, A. C.
#'   and Malik, A. A. (1980) Remarks on algorithm 006, *J. Comput. Appl. Math.* 6, 295-302,
#'   \doi{10.1016/0771-050X(80)90039-X}. Patterson, T. N. L. (1968)
#'   The optimum addition of points to quadrature formulae, *Math. Comp.* 22, 847-856,
#'   \doi{10.1090/S0025-5718-68-99866-9}. Gerstner, T. and Griebel, M. (2003) Dimension-adaptive tensor-product
#'   quadrature, *Computing* 71, 65-87, \doi{10.1007/s00607-003-0015-5}. Takahasi, H. and Mori, M. (1974) Double
#'   exponential formulas for numerical integration, *Publ. RIMS* 9, 721-741, \doi{10.2977/prims/1195192451}. Genz, A.
#'   and Kass, R. E. (1997) Subregion-adaptive integration of functions having a dominant peak, *J. Comput. Graph.
#'   Stat.* 6, 92-111. Ooura, T. and Mori, M. (1999) A robust double exponential formula for Fourier-type integrals, *J.
#'   Comput. Appl. Math.* 112, 229-241, \doi{10.1016/S0377-0427(99)00223-X}. Lepage, G. P. (2021) Adaptive
#'   multidimensional integration: vegas enhanced, *J. Comput. Phys.* 439, 110386, \doi{10.1016/j.jcp.2021.110386}.
#'   Sakiotis, I., Arumugam, K., Paterno, M., Ranjan, D., Terzic, B. and Zubair, M. (2022) m-Cubes: an efficient and
#'   portable implementation of multi-dimensional integration for GPUs. Nuyens, D. and Cools, R. (2006) Fast algorithms
#'   for component-by-component construction of rank-1 lattice rules in shift-invariant reproducing kernel Hilbert
#'   spaces, *Math. Comp.* 75, 903-920, \doi{10.1090/S0025-5718-06-01785-6}. Thuerck, D., Widmer, S., Kuijper, A. and
#'   Goesele, M. (2014) Efficient heuristic adaptive quadrature on GPUs: design and evaluation, *PPAM 2013*,
#'   \doi{10.1007/978-3-642-55224-3_61}. Kern, D. and Alaghband, G. (2013) Parallel processing of irregular workloads on
#'   the GPGPU: adaptive quadrature. Lyness, J. N. (1969) Notes on the adaptive Simpson quadrature routine, *J. ACM* 16,
#'   483-495.
#' @seealso [gtranslate()] for what `f` may contain, [plot.gintegral()], [stable_threads()],
#'   `vignette("integration", package = "stablecl")`.
#' @examples
#' gintegrate(function(x) exp(-x^2), -Inf, Inf)
#' gintegrate(function(x) if (x > 1/3) exp(x) else 0, 0, 1, breaks = 1/3)
#' gintegrate(function(x) 1 / sqrt(x), 0, Inf, method = "fourier",
#'            control = list(omega = 3, weight = "cos"))
#' gintegrate(function(x) exp(-sum(x^2)), c(0, 0, 0), 1, rel.tol = 1e-6)
#' gintegrate(function(x) 1 / (1 + sum((1:9) * x))^10, rep(0, 9), 1, method = "lattice",
#'            rel.tol = 1e-3, seed = 1)
#'
#' # three moments at once
#' gintegrate(function(x) c(1, x, x^2) * exp(-x), 0, Inf, n.value = 3)
#'
#' # a thousand integrals at once
#' many <- gintegrate(function(x, k) exp(-(x/k)^2) / (1 + x), 0, seq(0.1, 2, length.out = 1000),
#'                    params = data.frame(k = runif(1000, 0.05, 0.2)))
#' many
#' head(as.data.frame(many))
#' @export
gintegrate <- function(f, lower, upper, ..., params = NULL, method = "auto", rel.tol = 1e-8, abs.tol = 0,
                       max.eval = NULL, breaks = NULL, dim = NULL, stop.on.error = FALSE, control = list(),
                       backend = "auto") {
  if (missing(f) || missing(lower) || missing(upper)) check_given()
  call <- sys.call()
  is_plain <- ...length() == 0L && is.null(params) && is.null(breaks) && is.null(dim) && isFALSE(stop.on.error)
  if (is_plain) {
    recalled <- .Call(C_recalled, f, lower, upper, rel.tol, abs.tol, max.eval, method, control, backend, call, caches)
    if (inherits(recalled, "gintegral")) return(recalled)
    if (!is.null(recalled))
      recalled <- recalled_integral(recalled, f, lower, upper, rel.tol, abs.tol, max.eval, method, call)
    if (is.list(recalled)) return(recalled)
  } else recalled <- NULL
  began <- proc.time()[["elapsed"]]
  if (!isFALSE(stop.on.error)) check_flag(stop.on.error, "stop.on.error", call)
  ready <- inherits(f, "gtranslation")
  made <- if (ready) unclass(f)                               # `$` on an object with a class takes a microsecond
  if (!ready && !is.function(f)) stop_with(call, "argument", "`f` must be a function, not ", value_text(f), ".")
  fixed <- list(...)
  subdivisions <- fixed[["subdivisions"]]
  has_components <- "n.value" %in% names(fixed) && !takes_n_value(f)
  components <- if (has_components) check_components(fixed[["n.value"]], ready, call) else 1L
  if (any(own <- names(fixed) %in% c("subdivisions", if (has_components) "n.value", former_arguments))) {
    control <- with_former_arguments(control, fixed[own], call)
    fixed <- if (all(own)) list() else fixed[!own]
  }
  control <- check_control(control, call)
  columns <- check_params(params, call)
  backend <- check_backend(backend, call)
  fallback <- if (is_device(backend)) "none" else control[["fallback"]]
  dim <- if (ready) check_translation(made, fixed, names(columns), dim, call)
         else dim_or_recall(dim, f, fixed, names(columns), lower, upper, call)
  method <- check_method(method, dim, call)
  breaks <- if (is.null(breaks)) double() else check_breaks(breaks, dim, method, call)
  if (length(breaks) && method == "auto") method <- "gk"
  is_default <- is.null(max.eval) && is.null(subdivisions) && dim > 1L
  if (is.null(max.eval))
    max.eval <- if (dim == 1L && method != "blockcut") evaluations_for("default") else evaluations_least
  if (!is.null(subdivisions))
    max.eval <- evaluations_for("subdivision") * check_positive(subdivisions, "subdivisions", call)
  numbers <- .Call(C_plain_numbers, lower, upper, dim, rel.tol, abs.tol, max.eval)
  if (is.null(numbers)) numbers <- check_numbers(lower, upper, dim, rel.tol, abs.tol, max.eval, call)
  given <- list(lower = given_limit(lower), upper = given_limit(upper), columns = params, dim = dim)
  lower <- numbers$lower
  upper <- numbers$upper
  options <- check_options(control, method, call)
  check_sampling(method, isTRUE(options$symmetric == 1), lower, upper, call)
  check_precision(method, options, call)
  n <- check_integrals(lower, upper, columns, options, call)
  if (method == "fourier") check_fourier(lower[[1L]], upper[[1L]], options$omega, call)
  integrand <- if (ready) integrand_of_translation(made, columns, lower, upper, n, call)
               else integrand_of(f, fixed, columns, lower, upper, n, fallback, call, components)
  if (is_default && n == 1L && !is.function(integrand)) numbers$tolerance$max.eval <- evaluations_of(integrand)
  if (is_plain && is.null(recalled) && backend == "" && is.list(integrand)) {  # as a repeated call
    recalled <- .Call(C_recalled, f, lower[[1L]], upper[[1L]], rel.tol, abs.tol, max.eval, method, control, "auto",
                      call, caches)
    if (inherits(recalled, "gintegral")) {
      recalled$time <- proc.time()[["elapsed"]] - began
      return(recalled)
    }
    recalled <- NULL
  }
  problem <- list(f = f, fixed = fixed, columns = columns, lower = lower, upper = upper, breaks = breaks,
                  tolerance = numbers$tolerance, options = options, integrand = integrand,
                  stages = if (method == "auto" && dim > 1L) auto_stages(dim, numbers$tolerance))
  if (components > 1L) problem$components <- components
  state <- if (is.null(recalled)) compute_integrals(problem, method, n, backend)
           else new_state(n, "gk", components)                # interrupted
  counts <- .Call(C_finalise, state, integral_statuses())
  result <- list(value = state$value, abs.error = state$error, evaluations = state$evaluations, status = state$status,
                 method = method,
                 backend = if (is.function(integrand)) "R" else if (state$on_device) "opencl" else "threads",
                 time = proc.time()[["elapsed"]] - began, call = call, problem = replace(problem, names(given), given))
  if (identical(method, "vegas")) result <- with_consistency(result, state)
  result$rule <- state$rule
  if (length(state$bound)) result$bound <- state$bound
  if (length(state$stages) > 1L) result$stages <- state$stages
  result <- with_message(result, counts)
  if (components > 1L) result <- with_component_shape(result, n)
  class(result) <- "gintegral"
  if (counts[1L] < sum(counts)) report_status(counts, problem$tolerance, stop.on.error, components, call)
  result
}

# By default, one integral over several variables takes up to about a second on two cores, which compute 1e9 operations
# in that time: the limit on the evaluations follows from the operations of the translated program, and not from clocks
# or threads, so that results are reproducible.  Several integrals share the time, and cubature needs memory for each.
evaluations_least <- 1e7
evaluations_most <- 5e7
operations_affordable <- 1e9

evaluations_of <- function(program) {
  min(max(evaluations_least, floor(operations_affordable / program$work)), evaluations_most)
}

# Returns the names of the statuses (enum integral_status of src/quadrature/integral.h), in the order of their numbers
# from 0 on.
integral_statuses <- function() {
  if (is.null(once$statuses)) {
    once$statuses <- .Call(C_statuses)
    once$status_numbers <- stats::setNames(seq_along(once$statuses) - 1L, once$statuses)
  }
  once$statuses
}

# Returns the number of a status before statuses become a factor.
status_number <- function(name) {
  integral_statuses()
  once$status_numbers[[name]]
}

not_done <- function() status_number("interrupted")

# --- arguments ----------------------------------------------------------------------

check_positive <- function(value, name, call, zero = FALSE) {
  good <- is.numeric(value) && length(value) == 1L && !is.na(value) && (value > 0 || zero && value == 0)
  if (!good)
    stop_with(call, "argument", "`", name, "` must be one ", if (zero) "non-negative" else "positive", " number, not ",
              value_text(value), ".")
  as.double(value)
}

# Checks and converts limits and tolerances that C_plain_numbers does not accept unchanged; returns the same list.
check_numbers <- function(lower, upper, dim, rel.tol, abs.tol, max.eval, call) {
  tolerance <- list(rel.tol = check_positive(rel.tol, "rel.tol", call, zero = TRUE),
                    abs.tol = check_positive(abs.tol, "abs.tol", call, zero = TRUE),
                    max.eval = check_positive(max.eval, "max.eval", call))
  list(lower = check_limits(lower, dim, "lower", call), upper = check_limits(upper, dim, "upper", call),
       tolerance = tolerance)
}

# Returns the dimension of a translation, which takes no further arguments.
check_translation <- function(made, fixed, parameters, dim, call) {
  if (length(fixed) || !identical(as.character(parameters), made$parameters))
    stop_with(call, "argument", "`f` is a translation, so `params` must have exactly the columns for which it was ",
              "made (", if (length(made$parameters)) paste(dQuote(made$parameters, FALSE), collapse = ", ") else "none",
              "), and `...` must be empty.")
  if (!is.null(dim) && check_dim_number(dim, call) != made$dim)
    stop_with(call, "argument", "`f` is a translation for ", made$dim, " dimensions, not ", dim, ".")
  as.integer(made$dim)
}

# Returns the number of variables.  If the first argument is used as a vector, the length of the limits determines it.
check_dim <- function(dim, f, fixed, parameters, lower, upper, call) {
  if (is.null(dim)) {
    free <- variables_of(f, fixed, parameters)
    reads <- first_argument_reads(f)
    dim <- guess_dim(free, reads)
    across <- function(limit) if (is.matrix(limit)) ncol(limit) else length(limit)
    if (length(free) > 1L && length(lower) == 1L && length(upper) == 1L)
      stop_with(call, "argument", "Argument ", sQuote(free[2L], FALSE), " of `f` has no value; give it in `...` or ",
                "`params`, or, if it is a variable of integration, give `lower` or `upper` ", dim, " elements.")
    if (reads$vector && length(free) < 2L) dim <- max(dim, across(lower), across(upper))
  }
  check_dim_number(dim, call)
}

check_dim_number <- function(dim, call,
                             remedy = ". For several integrals in one dimension with vectors of limits, set dim = 1.") {
  if (!is.numeric(dim) || length(dim) != 1L || is.na(dim) || dim != round(dim) || dim < 1 || dim > axes_most())
    stop_with(call, "argument", "`dim`, the number of variables, must be from 1 to ", axes_most(), ", not ",
              value_text(dim), remedy)
  as.integer(dim)
}

# Returns a list with a vector of limits for each axis.
check_limits <- function(limit, dim, name, call) {
  if (!is.numeric(limit) || !length(limit))
    stop_with(call, "argument", "`", name, "` must be numeric, not ", value_text(limit), ".")
  if (dim == 1L) return(list(as.double(limit)))
  if (length(limit) == dim && !is.object(limit) && !is.matrix(limit) && !anyNA(limit))
    return(as.list(as.double(limit)))
  if (!is.matrix(limit)) limit <- if (length(limit) %in% c(1L, dim)) matrix(rep_len(limit, dim), 1L)
  if (is.null(limit) || ncol(limit) != dim)
    stop_with(call, "argument", "`", name, "` must have ", dim, " elements or be a matrix with ", dim, " columns.")
  lapply(seq_len(dim), function(k) as.double(limit[, k]))
}

# Returns a list with a named vector for each parameter.
check_params <- function(params, call) {
  if (is.null(params)) return(list())
  if (!is.list(params) || is.object(params) && !is.data.frame(params))
    stop_with(call, "argument", "`params` must be a data frame of numbers with a row for each integral, not ",
              value_text(params), ".")
  columns <- as.list(unclass(params))                         # also of a pairlist
  if (!length(columns)) return(list())
  if (is.null(names(columns)) || anyNA(names(columns)) || !all(nzchar(names(columns))) || anyDuplicated(names(columns)))
    stop_with(call, "argument", "`params` must have a different name for each of its ", length(columns), " columns.")
  for (name in names(columns)) check_params_column(columns[[name]], name, call)
  lengths <- lengths(columns)
  if (any(lengths != 1L & lengths != max(lengths)))
    stop_with(call, "argument", "The columns of `params` must have 1 or ", max(lengths), " elements, not ",
              paste(lengths, collapse = ", "), ".")
  lapply(columns, function(column) if (length(column) == max(lengths)) as.double(column)
                                    else rep_len(as.double(column), max(lengths)))
}

check_params_column <- function(column, name, call) {
  if (!is_numeric_or_logical(column) || length(dim(column)) > 1L)
    stop_with(call, "argument", "Column ", sQuote(name, FALSE), " of `params` must be a vector of numbers, not ",
              value_text(column), ".")
}

# Returns the backend for the compiled code: "" stands for the choice of stable_backend().
check_backend <- function(backend, call) {
  if (!is.character(backend) || length(backend) != 1L || is.na(backend) || !nzchar(backend))
    stop_with(call, "argument", "`backend` must be \"auto\", \"cpu\", \"opencl\" or another value that ",
              "stable_backend() accepts, not ", value_text(backend), ".")
  if (backend == "auto") "" else backend
}

is_device <- function(backend) nzchar(backend) && backend != "cpu"

# Returns the number of integrals.
check_integrals <- function(lower, upper, columns, options, call) {
  lengths <- c(length(lower[[1L]]), length(upper[[1L]]), if (length(columns)) length(columns[[1L]]))
  each <- if (length(options)) lengths(each_options(options))
  lengths <- c(lengths, each, use.names = FALSE)
  n <- max(lengths)
  if (n == 1L && min(lengths) == 1L) return(n)
  if (any(lengths != 1L & lengths != n) || any(lengths == 0L))
    stop_with(call, "argument", "`lower`, `upper` and ", paste0("`", c("params", names(each)), "`", collapse = ", "),
              " must have 1 or ", n, " values, not ", paste(lengths, collapse = ", "), ".")
  n
}

# --- the integrand --------------------------------------------------------------------

# Returns a program, or, if `f` has no translation, a function of a list of columns.
integrand_of <- function(f, fixed, columns, lower, upper, n, fallback, call, components = 1L) {
  made <- translate_or_recall(f, length(lower), fixed, as.character(names(columns)), call,
                              identical(fallback, "none"), components)
  if (inherits(made, "gtranslation")) {
    compared <- made$compared
    if (is.null(compared$value) || agrees_as_before(compared, f)) {
      if (n > 1L || !identical(compared$where, list(columns, lower, upper), num.eq = FALSE))
        compare_where_new(made, f, fixed, columns, lower, upper, n, call)
      return(made$program)
    }
    forget(translations, made)
    return(integrand_of(f, fixed, columns, lower, upper, n, fallback, call, components))
  }
  slow <- closure_integrand(f, length(lower), fixed, names(columns), call, components)
  is_doubtful <- if (is.null(made$may_return_vectors)) may_return_vectors(f, fixed) else made$may_return_vectors
  if (components > 1L || is_doubtful)
    slow <- checked_closure(slow, check_points(columns, lower, upper, n))
  if (identical(fallback, "none")) stop(made)
  if (is.null(once$untranslatable)) {
    once$untranslatable <- TRUE
    message(conditionMessage(made), "\nIt is evaluated in R on one thread instead. (This message is shown once per ",
            "session.)")
  }
  slow$blocks
}

# Returns the names of the arguments in `...` with several elements.
long_arguments <- function(fixed) {
  names(fixed)[vapply(fixed, function(v) (is.numeric(v) || is.logical(v)) && length(v) > 1L, NA)]
}

# TRUE if the values at many points could come from recycling a vector: if `f` uses a vector of several elements.
may_return_vectors <- function(f, fixed) {
  is_long <- function(name) length(get0(name, environment(f), mode = "numeric")) > 1L
  length(long_arguments(fixed)) > 0L || any(vapply(setdiff(all.names(body(f), unique = TRUE), names(formals(f))),
                                                   is_long, NA))
}

# Refuses a closure that returns another number of values at one point than the integrand has components.  A closure
# whose values for a vector of points differ from those for single points is evaluated point by point.
checked_closure <- function(slow, points) {
  few <- slow$singly(lapply(points, `[`, 1:3))
  together <- slow$all_at_once(points)
  same <- outer(1:3, length(points[[1L]]) * (seq_len(slow$components) - 1L), `+`)
  if (!is.null(together) && !isTRUE(all.equal(together[same], few, tolerance = 1e-9))) slow$blocks <- slow$singly
  slow
}

complex_hint <- " Integrate the real part, Re(f(x)), and the imaginary part, Im(f(x)), separately."

# Returns the remedy for an `f` that returns several values at a point.
params_hint <- function(fixed) {
  long <- long_arguments(fixed)
  if (!length(long)) return("")
  paste0(" Arguments in `...` are the same for all integrals; for a separate integral for each element of ",
         paste(sQuote(long, FALSE), collapse = ", "), ", use params = data.frame(",
         paste(long, "= ...", collapse = ", "), ").")
}

# Returns the program of a value of gtranslate(), which keeps its function together with the values that it captured.
integrand_of_translation <- function(made, columns, lower, upper, n, call) {
  if (n == 1L && identical(made$compared$where, list(columns, lower, upper), num.eq = FALSE)) return(made$program)
  if (!is.null(made$source)) compare_where_new(made, made$source$f, made$source$fixed, columns, lower, upper, n, call)
  made$program
}

work_interpreted <- 5000                # the most operations at one point of functions that are compared uncompiled

# Compares a translation with its function, unless the last comparison used the same points.
compare_where_new <- function(made, f, fixed, columns, lower, upper, n, call) {
  points_most <- points_to_compare(made$work)
  if (points_most == 0L) return(invisible())
  where <- if (n == 1L) list(columns, lower, upper) else check_points(columns, lower, upper, n)
  if (identical(made$compared$where, where, num.eq = FALSE)) return(invisible())
  points <- if (n == 1L) check_points(columns, lower, upper, n) else where
  if (points_most < length(points[[1L]])) points <- lapply(points, `[`, seq_len(points_most))
  components <- length(made$program$result)
  slow <- closure_integrand(f, length(lower), fixed, names(columns), call, components)
  if (isTRUE(made$work <= work_interpreted)) {                # compiling would take longer than a few evaluations
    before <- compiler::enableJIT(0L)
    on.exit(compiler::enableJIT(before))
  }
  is_plain <- n == 1L && length(points) == 1L && points_most == 16L && !length(fixed) && components == 1L
  if (!is_plain || !agrees_everywhere(made$program, f, lower[[1L]], upper[[1L]]))
    compare_translation(made$program, slow, points, length(lower), call)
  if (is.null(made$compared)) return(invisible())
  made$compared$where <- where
  if (is.null(made$source) && components == 1L) note_point(made, slow, points)
}

# Returns the number of points for a comparison.  R takes at least a tenth of a microsecond for an operation: 16 points
# then take no longer than half a second, and if one point would take longer than some minutes, there is no comparison.
points_to_compare <- function(work) {
  if (is.null(work) || work < 2.5e5) 16L else if (work > 1e9) 0L else max(1L, as.integer(4e6 / work))
}

# Stores a point at which R computes a value without a warning, for the comparison in every call, which takes some
# microseconds.
note_point <- function(made, slow, points) {
  if (made$work > 1000) return(invisible())
  values <- .Call(C_values, made$program, points)
  for (k in which(is.finite(values))) {
    arguments <- slow$arguments_at(points, k)
    if (is.null(tryCatch(do.call(slow$f, arguments), warning = function(w) NULL))) next
    made$compared$value <- values[k]
    made$compared$arguments <- arguments
    return(invisible())
  }
}

# TRUE if the function has the value that the translation had at a point of the last comparison.
agrees_as_before <- function(compared, f) has_value(do.call(f, compared$arguments), compared$value)

has_value <- function(value, expected) {
  is.numeric(value) && length(value) == 1L && !is.na(value) &&
    abs(value - expected) <= max(1e-9 * abs(expected), .Machine$double.xmin)
}

# Returns functions that evaluate the closure: at many points in one call if it accepts vectors, or point by point.
# They return the values of all points for each component in turn.  If there are several components, a closure that
# accepts vectors returns a matrix with a row for each component.
closure_integrand <- function(f, dim, fixed, names, call, components = 1L) {
  as_vector <- dim > 1L && length(variables_of(f, fixed, names)) < 2L
  axes <- seq_len(dim)
  arguments <- function(inputs) c(unname(inputs[axes]), stats::setNames(inputs[-axes], names))
  all_at_once <- function(inputs) {
    n <- length(inputs[[1L]])
    if (as_vector || n == 1L) return(NULL)
    y <- value_or(suppressWarnings(do.call(f, c(arguments(inputs), fixed))), function(e) NULL)
    if (components > 1L) {
      if (is_numeric_or_logical(y) && identical(base::dim(y), c(components, n))) as.double(t(y))
    } else if (is_numeric_or_logical(y) && length(y) == n) as.double(y)
  }
  singly <- function(inputs) {
    each <- arguments(inputs)
    if (as_vector) {
      x <- do.call(rbind, each[axes])
      each <- c(list(lapply(seq_len(ncol(x)), function(k) x[, k])), each[-axes])
    }
    y <- .mapply(f, each, fixed)
    k <- which(lengths(y) != components | !vapply(y, is_numeric_or_logical, NA))[1L]
    if (!is.na(k))
      stop_with(call, "argument", "`f` must return ", if (components == 1L) "one number" else
                paste(components, "numbers"), " at each point; at ", point_text(inputs, dim, k), " it returns ",
                if (is.complex(y[[k]])) "the complex ", value_text(y[[k]]), ".",
                if (is.complex(y[[k]])) complex_hint, if (components == 1L) params_hint(fixed))
    y <- as.double(unlist(y, use.names = FALSE))
    if (components == 1L) y else as.double(t(matrix(y, components)))
  }
  # the arguments of one call, at point k
  arguments_at <- function(inputs, k) {
    each <- lapply(arguments(inputs), `[`, k)
    if (as_vector) each <- c(list(unlist(each[axes])), each[-axes])
    c(each, fixed)
  }
  blocks <- function(inputs) {
    y <- all_at_once(inputs)
    if (is.null(y)) singly(inputs) else y
  }
  list(f = f, components = components, arguments_at = arguments_at, all_at_once = all_at_once, singly = singly,
       blocks = blocks)
}

point_text <- function(inputs, dim, k) {
  paste(vapply(inputs[seq_len(dim)], function(v) format(v[k], digits = 15L), ""), collapse = ", ")
}

# Returns the positions of 16 points along an axis: multiples of an irrational number, modulo 1.
positions <- function(axis) ((1:16) * sqrt(axis_primes[axis]) / 2 + 0.11 * axis) %% 1

# The first hundred prime numbers, 5 first.
axis_primes <- local({
  n <- 2:541
  primes <- n[colSums(outer(n, n, function(divisor, n) n %% divisor == 0)) == 1]
  c(5, 2, 3, primes[-(1:3)])
})

check_shares <- positions(1L)

# Returns 16 points inside the ranges of some of the integrals.
check_points <- function(columns, lower, upper, n) {
  row <- ((1:16) * 7919) %% n
  at <- function(column) unname(column[row %% length(column) + 1])
  axes <- lapply(seq_along(lower), function(axis) {
    inside(at(lower[[axis]]), at(upper[[axis]]), positions(axis))
  })
  c(axes, unname(lapply(columns, at)))
}

# Returns the point at a given share of the range, with the substitutions t/(1 - t) for a half-line and
# (2t - 1)/(t (1 - t)) for the whole line.
inside <- function(a, b, share) {
  if (all(is.finite(a), is.finite(b))) return(a + (b - a) * share)
  reach <- share / (1 - share)
  way <- sign(b - a)
  ifelse(is.finite(a) & is.finite(b), a + (b - a) * share,
         ifelse(is.finite(a), a + way * reach,
                ifelse(is.finite(b), b - way * reach, (2 * share - 1) / (share * (1 - share)))))
}

compare_translation <- function(program, slow, points, dim, call) {
  ours <- .Call(C_values, program, points)
  theirs <- suppressWarnings(value_or(slow$singly(points), conditionMessage))
  if (is.character(theirs)) stop_with(call, "argument", "`f` failed at a point of the range: ", theirs)
  together <- slow$all_at_once(points)
  for (k in seq_len(slow$components)) {
    own <- function(values) component_values(values, k, slow$components)
    singly <- function(points) own(slow$singly(points))
    complain_if_different(own(ours), own(theirs), points, dim, "", singly, call)
    if (!is.null(together))
      complain_if_different(own(ours), own(together), points, dim, " when called with the vector of all points",
                            singly, call)
  }
}

complain_if_different <- function(ours, theirs, points, dim, how, singly, call) {
  bad <- where_different(ours, theirs, points, singly)
  if (!length(bad)) return(invisible())
  k <- bad[1L]
  stop_with(call, "translation", "The translation and `f` differ at x = ", point_text(points, dim, k), ": ",
            format(ours[k], digits = 15L), " and ", format(theirs[k], digits = 15L), how,
            ". Does `f` use the vector of all points instead of each point?")
}

# Returns the indices of the points at which the values differ: by more than 1e-9 relative and the smallest normal
# number, and by more than 4 times the change of the function when the point moves by 8 ulp.  The second criterion
# requires that the function returns the same value as before at the point itself.
where_different <- function(ours, theirs, points, singly) {
  least <- pmax(1e-9 * pmax(abs(ours), abs(theirs)), .Machine$double.xmin)
  same <- abs(ours - theirs) <= least | is.na(ours) & is.na(theirs) | ours == theirs
  bad <- which(!same | is.na(same))
  if (!length(bad) || anyNA(ours[bad]) || anyNA(theirs[bad])) return(bad)
  moved <- vapply(c(0, -8, 8), function(ulps) {
    near <- lapply(points, function(column) column[bad] * (1 + ulps * .Machine$double.eps))
    suppressWarnings(tryCatch(abs(singly(near) - theirs[bad]), error = function(e) rep(NaN, length(bad))))
  }, double(length(bad)))
  moved <- matrix(moved, length(bad))
  spread <- pmax(moved[, 2L], moved[, 3L])
  bad[!(moved[, 1L] %in% 0 & is.finite(spread) & abs(ours[bad] - theirs[bad]) <= 4 * spread)]
}

# --- the run --------------------------------------------------------------------------------

# Returns the vectors of results for n integrals: n evaluations, and for each component in turn n elements of the
# others.  Only the statuses and, with several components, the evaluations are initialised.
new_state <- function(n, method = "gk", components = 1L) {
  state <- .Call(C_integrals, as.double(c(n, if (components > 1L) components)))
  if (components > 1L) state$evaluations <- numeric(n)
  results <- n * components
  if (integral_methods()$bounds[[method]]) state$bound <- rep(NA_real_, results)
  if (integral_methods()$samples[[method]])
    state <- c(state, list(chi.squared = rep(NA_real_, results), df = rep(NA_real_, results)))
  state
}

# The compiled code writes to the vectors of `state`, so that finished integrals survive an interrupt.
run_once <- function(p, method, n, backend) {
  if (!is.null(p$components) && !shares_points(method, backend)) return(run_each_component(p, method, n, backend))
  if (is.null(p$options$seed) && !is.null(integral_methods()$options[[method]]$seed)) p$options$seed <- draw_key()
  if (is_for_workers(p, n)) return(run_by_workers(p, method, n, backend))
  progress <- if (n > 1L) show_progress(n, "Integrals")
  if (!is.null(progress)) on.exit(progress$end())
  state <- new_state(n, method, components_of(p))
  if (!is.null(p$done)) state$status[p$done] <- 0L
  told <- c(list(progress = progress$update), state)
  tryCatch(.Call(C_integrate, told, p, method, backend), interrupt = function(e) NULL)
  state
}

# Returns a limit as results keep it: as it was given, so that it is not copied, but single numbers as doubles.
given_limit <- function(limit) if (length(limit) == 1L) as.double(limit) else limit

# Runs a problem and sets the final statuses.
compute_integrals <- function(p, method, n, backend) {
  if (!is.null(p$components)) return(compute_components(p, method, n, backend))
  run <- runner_of(p, method)
  judged <- if (needs_finite_box(p, method)) on_finite_box(p, new_map(p)) else p
  judge_integrals(run(p, method, n, backend), judged, method)
}

# Returns the function that runs a problem by a method.
runner_of <- function(p, method) {
  if (needs_finite_box(p, method)) run_on_finite_box else if (method == "auto") run_auto else run_once
}

run_on_finite_box <- function(p, method, n, backend) {
  p <- on_finite_box(p)
  run <- runner_of(p, method)
  state <- run(p, method, n, backend)
  state$evaluations <- state$evaluations + ceiling(p$evaluations * min(n, integrals_examined) / n)
  state
}

# Runs a problem whose limits need no transformation by several methods.
run_auto <- function(p, method, n, backend) {
  if (!is.null(p$stages)) return(run_stages(p, n, backend))
  oscillation <- oscillation_of(p, n)
  if (is.null(oscillation)) run_bisecting(p, n, backend) else run_oscillating(p, oscillation, n, backend)
}

# Runs bisection, and the double exponential rule for integrals that have not converged.
run_bisecting <- function(p, n, backend) try_tanhsinh(run_once(p, "gk", n, backend), p, backend)

# Computes the integrals that "gk" has not finished by "tanhsinh".
try_tanhsinh <- function(state, p, backend) {
  again <- .Call(C_unfinished, state$status)
  again <- again[!is.nan(state$value[again])]                 # f is NaN throughout an interval, which tanhsinh may miss
  if (!length(again) || any(state$status == not_done())) return(state)
  others <- pick_integrals(p, again)
  others$tolerance$max.eval <- min(p$tolerance$max.eval, tanhsinh_most)
  other <- run_once(others, "tanhsinh", length(again), backend)
  # its limit on the evaluations is not that of the caller, and its errors are reliable only if it has converged
  limited <- other$status == status_number("max.eval")
  other$status[limited] <- state$status[again][limited]
  other$error[other$status != 0L & other$status != not_done() & is.finite(state$error[again])] <- Inf
  better_of(with_stage(with_stage(state, "gk"), "tanhsinh", other), again, other)
}

# Appends the evaluations of a stage of "auto", all integrals together, to those of earlier stages.
with_stage <- function(state, method, stage = state) {
  evaluations <- sum(stage$evaluations[stage$status != not_done()])  # the remaining values are not initialised
  state$stages <- c(state$stages, stats::setNames(evaluations, method))
  state
}

# Evaluations of the double exponential rule for integrals that bisection does not complete: those that it can complete
# take fewer.
tanhsinh_most <- 4000

# Returns the problem of some of the integrals.
pick_integrals <- function(p, i) {
  pick <- function(columns) lapply(columns, function(v) if (length(v) == 1L) v else v[i])
  p[c("lower", "upper", "columns")] <- lapply(p[c("lower", "upper", "columns")], pick)
  each <- names(each_options(p$options))
  p$options[each] <- pick(p$options[each])
  p
}

# Merges two results, taking the better one for each of the integrals `again`; `other` holds only these.
better_of <- function(state, again, other) {
  before <- state$error[again]
  seen <- other$status != not_done()
  better <- which(is_better(other$status, other$error, before))
  other$evaluations[!seen] <- 0
  state$evaluations[again] <- state$evaluations[again] + other$evaluations
  for (part in c("value", "error", "status", if (!is.null(state$rule)) "rule"))
    state[[part]][again[better]] <- other[[part]][better]
  state$on_device <- state$on_device || other$on_device
  state
}

# TRUE for results that replace others with the error `before`.  Results with the status "interrupted" are not
# initialised.
is_better <- function(status, error, before) {
  status == 0L | status != not_done() & is.finite(error) & (is.na(before) | error < before)
}

# Reports integrals that have not converged.  counts: the number of integrals, or of their components if they have
# several, with each status.  With tolerances below what rounding allows for any integrand, "roundoff" causes no
# warning.
report_status <- function(counts, tolerance, stop.on.error, components, call) {
  n <- sum(counts)
  rounded <- match("roundoff", integral_statuses())
  if (tolerance$rel.tol < 50 * .Machine$double.eps && tolerance$abs.tol == 0) {
    counts[1L] <- counts[1L] + counts[rounded]
    counts[rounded] <- 0
  }
  if (counts[1L] == n) return(invisible())
  bad <- n - counts[1L]
  which <- which(counts > 0 & integral_statuses() != "converged")
  text <- paste0(format(bad, scientific = FALSE), " of ", format(n, scientific = FALSE),
                 if (components > 1L) " components have" else ngettext(n, " integral has", " integrals have"),
                 " not converged: ",
                 paste0(format(counts[which], scientific = FALSE, trim = TRUE), " ", integral_statuses()[which],
                        collapse = ", "), ".",
                 if (counts[rounded] > 0) " For \"roundoff\", set `abs.tol` above the rounding error.")
  if (stop.on.error) stop_with(call, "integral", text)
  warning(structure(class = c("gintegrate_warning_status", "stablecl_warning", "warning", "condition"),
                    list(message = text, call = call)))
}
