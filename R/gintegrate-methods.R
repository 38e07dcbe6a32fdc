# What gintegrate() knows of its methods.

# code: place in `methods` of src/r_integrate.c; one, more: in one dimension, in several.
integral_methods <- data.frame(
  row.names = c("gk", "tanhsinh", "cubature", "simpson"),
  code = 0:3,
  one = c(TRUE, TRUE, FALSE, TRUE),
  more = c(FALSE, FALSE, TRUE, FALSE),
  breaks = c(TRUE, FALSE, FALSE, TRUE))

method_code <- function(method) integral_methods[method, "code"]

check_method <- function(method, dim, call) {
  possible <- if (dim == 1L) integral_methods$one else integral_methods$more
  method <- check_choice(method, c("auto", rownames(integral_methods)[possible]), "method", call)
  if (dim > 1L && method == "auto") "cubature" else method
}

check_breaks <- function(breaks, dim, method, call) {
  if (is.null(breaks)) return(double())
  if (!is.numeric(breaks) || !all(is.finite(breaks)))
    fit_abort(call, "argument", "`breaks` must be finite numbers.")
  if (length(breaks) && (dim > 1L || method != "auto" && !integral_methods[method, "breaks"]))
    fit_abort(call, "argument", "`breaks` go, in one dimension, with the methods ",
              paste(dQuote(rownames(integral_methods)[integral_methods$breaks], FALSE), collapse = ", "), " only.")
  sort(unique(as.double(breaks)))
}
