# Every manual page has the sections that readers need: arguments, value, errors if any, and examples.

tags_of <- function(page) vapply(page, attr, "", "Rd_tag")
text_of <- function(part) paste(unlist(part), collapse = "")
parts_of <- function(page, tag) page[tags_of(page) == tag]
is_data_free <- function(page) length(parts_of(page, "\\usage")) == 0L

pages <- tools::Rd_db("stablecl")
names(pages) <- sub("[.]Rd$", "", names(pages))
functions <- Filter(Negate(is_data_free), pages)

page_text <- function(page) {
  paste(capture.output(tools::Rd2txt(page, options = list(underline_titles = FALSE))), collapse = "\n")
}

# Returns the name and text of every argument on a page.
items_of <- function(page) {
  arguments <- unlist(parts_of(page, "\\arguments"), recursive = FALSE)
  items <- Filter(function(part) identical(attr(part, "Rd_tag"), "\\item"), arguments)
  stats::setNames(vapply(items, function(item) text_of(item[[2L]]), ""),
                  vapply(items, function(item) text_of(item[[1L]]), ""))
}

test_that("pages of functions have title, description, arguments, value and examples", {
  expect_gt(length(functions), 25)
  for (name in names(functions)) {
    tags <- tags_of(functions[[name]])
    needed <- c("\\title", "\\description", "\\value")
    expect_identical(setdiff(needed, tags), character(), info = name)
    # print and plot methods may use the examples of the object that they display
    expect_true("\\examples" %in% tags, info = name)
  }
})

test_that("Usage shows functions as users call them: exported ones, and methods as those of their generic", {
  registered <- getNamespaceInfo("stablecl", "S3methods")
  methods <- paste(registered[, 1L], registered[, 2L], sep = ".")
  for (name in names(functions)) {
    usage <- parts_of(functions[[name]], "\\usage")[[1L]]
    plain <- paste(unlist(usage[tags_of(usage) %in% c("RCODE", "TEXT", "VERB", "\\dots")]), collapse = "")
    called <- regmatches(plain, gregexpr("(?m)^[A-Za-z.][A-Za-z0-9._]*(?=[(])", plain, perl = TRUE))[[1L]]
    expect_identical(setdiff(called, getNamespaceExports("stablecl")), character(), label = name)
    shown <- Filter(function(part) identical(attr(part, "Rd_tag"), "\\method"), usage)
    for (part in shown) expect_true(paste(text_of(part[[1L]]), text_of(part[[2L]]), sep = ".") %in% methods,
                                    label = name)
  }
})

test_that("every argument of a function is described on its page", {
  for (name in names(functions)) {
    items <- items_of(functions[[name]])
    known <- trimws(unlist(strsplit(names(items), ",")))
    known <- sub("^\\\\dots$", "...", known)
    aliases <- vapply(parts_of(functions[[name]], "\\alias"), function(a) trimws(text_of(a)), "")
    for (fun in intersect(aliases, getNamespaceExports("stablecl")))
      expect_identical(setdiff(as.character(names(formals(getExportedValue("stablecl", fun)))), known), character(),
                       info = fun)
    short <- names(items)[nchar(trimws(items)) < 8]
    expect_identical(short, character(), info = name)
  }
})

test_that("descriptions of numeric arguments state their range", {
  domain <- c(alpha = "0 < alpha <= 2", beta = "-1 <= beta <= 1", gamma = "gamma >= 0")
  items <- items_of(pages$stable)
  for (name in names(domain)) expect_match(items[[name]], domain[[name]], fixed = TRUE)
  # for arguments with these names on any page
  words <- c(level = "between 0 and 1", R = "at least 1", digits = "from 0 to 22", dim = "[Nn]umber of variables",
             limit = "from 0 to", nsim = "0 or more|see", n = "number of", pm = "0, 1 or 2|see", p = "from 0 to 1",
             timeout = "at least 0", probs = "from 0 to 1")
  for (page in names(functions)) {
    items <- items_of(functions[[page]])
    for (item in names(items)) for (name in intersect(trimws(strsplit(item, ",")[[1L]]), names(words)))
      expect_match(items[[item]], words[[name]], info = paste(page, name))
  }
  for (page in c("stable", "stable_score", "stable_eval", "gintegrate"))
    expect_match(page_text(pages[[page]]), "Accuracy|error", info = page)
})

test_that("error classes on the manual pages are classes that the package raises", {
  raised <- c("argument", "data", "device", "memory", "interrupted", "unsupported", "integral", "translation",
              "untranslatable", "worker")
  named <- unlist(lapply(pages, function(page) {
    text <- page_text(page)
    regmatches(text, gregexpr("stablecl_error_[a-z]+", text))
  }))
  expect_setequal(setdiff(unique(named), paste0("stablecl_error_", raised)), character())
  expect_true(all(paste0("stablecl_error_", c("argument", "data", "device")) %in% named))
})

# Articles without a known DOI.
without_doi <- c("DuMouchel, W. H. [(]1983", "Stoyanov", "Ojeda-Revah", "Hesterman", "Kuruoglu", "Nikias",
                 "Genz, A. and Kass", "Haber", "Kern, D. and Alaghband", "Modarres", "Panorska")

test_that("references to articles have a DOI", {
  for (name in names(pages)) {
    entries <- unlist(lapply(parts_of(pages[[name]], "\\references"), function(part)
      strsplit(text_of(part), "\n[[:space:]]*\n")[[1L]]))
    entries <- grep("[(][12][0-9]{3}[)]", entries, value = TRUE)
    no_article <- c("doi", "10[.][0-9]{4}", "ISBN", "Springer", "Birkh", "SIAM", "Technical", "arXiv", without_doi)
    expect_identical(trimws(grep(paste(no_article, collapse = "|"), entries, value = TRUE, invert = TRUE)),
                     character(), info = name)
  }
})

test_that("links lead to existing pages", {
  aliases <- unlist(lapply(pages, function(page) vapply(parts_of(page, "\\alias"), function(a) trimws(text_of(a)), "")))
  links <- function(part) {
    own <- if (identical(attr(part, "Rd_tag"), "\\link")) {
      target <- attr(part, "Rd_option")
      if (is.null(target)) text_of(part) else if (startsWith(text_of(target), "=")) sub("^=", "", text_of(target))
    }
    c(own, if (is.list(part)) unlist(lapply(part, links)))
  }
  base <- unlist(lapply(c("base", "stats", "graphics", "grDevices", "utils", "parallel"), getNamespaceExports))
  for (name in names(pages))
    expect_setequal(setdiff(sub("\\(\\)$", "", unlist(lapply(pages[[name]], links))), c(aliases, base)), character())
})

# Returns the first words of the calls of a function, such as stop_with(), in the code of the package.
kinds_of <- function(code, name, at) {
  if (!is.call(code)) return(if (is.pairlist(code)) unlist(lapply(as.list(code), kinds_of, name, at)))
  own <- if (identical(code[[1L]], as.name(name)) && length(code) > at && is.character(code[[at + 1L]])) code[[at + 1L]]
  parts <- Filter(function(part) !identical(part, quote(expr = )), as.list(code))
  c(own, unlist(lapply(parts, kinds_of, name, at)))
}

test_that("the page of the package lists all classes of conditions in the code", {
  space <- asNamespace("stablecl")
  code <- lapply(Filter(is.function, mget(ls(space, all.names = TRUE), envir = space)), body)
  kinds <- function(name) unique(unlist(lapply(code, kinds_of, name, 2L)))
  classes <- c(paste0("stablecl_error_", c(kinds("stop_with"), "untranslatable", "memory", "device")),
               paste0("stablecl_warning_", c(kinds("warn_with"), "worker")), "gintegrate_warning_status")
  expect_gt(length(unique(classes)), 14L)
  text <- page_text(pages[["stablecl-package"]])
  for (class in classes) expect_match(text, paste0("\"", class, "\""), fixed = TRUE)
  mentioned <- unlist(lapply(pages, function(page) {
    text <- page_text(page)
    regmatches(text, gregexpr("stablecl_(error|warning)_[a-z]+", text))
  }))
  expect_setequal(setdiff(mentioned, classes), character())
})

test_that("the pages about gintegrate() name every method, status and option, and the shares of \"auto\"", {
  words <- lapply(pages[paste0("gintegrate-", c("methods", "status", "control"))], function(page)
    gsub("[[:space:]]+", " ", gsub("[\u2018\u2019']", "", gsub("[\u201c\u201d]", "\"", page_text(page)))))
  methods <- c("auto", names(stablecl:::integral_methods()$one))
  for (name in methods) expect_match(words[["gintegrate-methods"]], paste0("\"", name, "\""), fixed = TRUE)
  for (name in stablecl:::integral_statuses())
    expect_match(words[["gintegrate-status"]], paste0("\"", name, "\""), fixed = TRUE)
  for (name in stablecl:::control_names())
    expect_match(words[["gintegrate-control"]], paste0(" ", name, " \""), fixed = TRUE)
  for (plan in c("stages_all", "stages_exact", "stages_loose", "stages_beyond", "stages_many")) {
    stages <- get(plan, asNamespace("stablecl"))
    most <- sub("e[+]0?", "e", vapply(stages$most, format, ""))
    limits <- ifelse(is.finite(stages$most), sprintf(" [(]at most %s( evaluations)?[)]", most), "")
    shares <- paste0("\"", stages$method, "\" ", 100 * stages$share, "%", limits, collapse = ", ")
    expect_true(grepl(paste0(shares, "[;.]"), words[["gintegrate-methods"]]), label = shares)
  }
})

# --- See Also ---------------------------------------------------------------------------------

# The pages of each family, after its main page.
families <- list(
  stable = c("stable_eval", "stable_mode", "stableMode", "stable_es", "stable_cf", "stable_convert", "stable_score",
             "stable_quick", "dist_stable"),
  mvstable = c("pmvstable", "mvstable_projection", "mvstable_spectral", "mvspectralfit", "mvstablefit",
               "mvstablefit-methods", "mvspectralfit-methods"),
  stablefit = c("stablefit-methods", "predict.stablefit", "confint.stablefit", "anova.stablefit", "stable_gof",
                "stable_compare", "estfun.stablefit", "profile.stablefit",
                "plot.stablefit", "autoplot.stablefit", "autoplot.stablefits", "stablefit-tidy", "stablefits",
                "stablewindows", "predict.stablefits", "stable_data", "stable_chunks", "stable_lm",
                "stablefit_censored"),
  gintegrate = c("gintegrate-integrands", "gintegrate-methods", "gintegrate-control", "gintegrate-status",
                 "gintegrate-devices", "gtranslate", "gintegral-methods", "gintegral-arithmetic", "plot.gintegral",
                 "autoplot.gintegral"),
  stable_backend = c("stable_devices", "stable_threads", "stable_cache", "stablecl-workers", "stablecl-options",
                     "stable_sitrep"))

aliases_of <- function(page) vapply(parts_of(page, "\\alias"), function(alias) trimws(text_of(alias)), "")

# Returns the targets of the links in a part of a page.
links_in <- function(part) {
  own <- if (identical(attr(part, "Rd_tag"), "\\link")) {
    target <- attr(part, "Rd_option")
    if (is.null(target)) text_of(part) else sub("^=", "", text_of(target))
  }
  c(sub("\\(\\)$", "", own), if (is.list(part)) unlist(lapply(part, links_in)))
}

# Returns the pages to which the section See Also of each page links.
see_also <- function() {
  topics <- utils::stack(lapply(pages, aliases_of))
  lapply(pages, function(page) {
    targets <- unlist(lapply(parts_of(page, "\\seealso"), links_in))
    unique(as.character(topics$ind)[match(intersect(targets, topics$values), topics$values)])
  })
}

test_that("every page belongs to a family, and links to its main page, which links back", {
  expect_setequal(c(names(families), unlist(families), "stablecl-package"), names(pages))
  links <- see_also()
  expect_setequal(setdiff(names(families), links[["stablecl-package"]]), character())
  for (main in names(families)) {
    expect_identical(setdiff(families[[main]], links[[main]]), character(), info = main)
    for (page in families[[main]]) expect_true(main %in% links[[page]], info = page)
  }
})

test_that("links in See Also are mutual, except those to main pages", {
  links <- see_also()
  one_way <- unlist(lapply(names(pages), function(page) {
    others <- setdiff(links[[page]], names(families))
    paste(page, others)[!vapply(others, function(other) page %in% links[[other]], NA)]
  }))
  expect_identical(setdiff(one_way, character()), character())
})

test_that("every page has examples, and their lines are at most 100 characters long", {
  for (name in names(pages)) {
    examples <- parts_of(pages[[name]], "\\examples")
    expect_length(examples, 1L)
    code <- utils::capture.output(tools::Rd2ex(pages[[name]]))
    body <- code[-seq_len(grep("^### [*][*] Examples", code)[1L])]
    body <- body[!endsWith(body, "# examplesIf")]                          # a line that roxygen2 writes
    expect_identical(body[nchar(body) > 100L], character(), info = name)
  }
})

# --- errors -----------------------------------------------------------------------------------

# For each page of functions, calls that raise conditions that the section Errors names, each followed by its class.
raised <- list(
  stable = list(quote(dstable(0, 1.5, 0, pm = 7)), "argument",
    quote(qstable(0.5, 1.5)), "argument", quote(rstable(3, 1.5, 0, precision = "half")), "argument",
    quote(pstable(0, 1.5, 0, , , , , , , , )), "argument"),
  stable_eval = list(quote(stable_eval(0, 1.5, 0, what = "tail")), "argument"),
  stable_mode = list(quote(stable_mode(1.5, 0, pm = 7)), "argument"),
  dist_stable = list(quote(dist_stable(1.5, 2)), "argument", quote(dist_stable(1.5, 0, pm = 7)), "argument"),
  stableMode = list(quote(stableMode(beta = 0)), "argument"),
  stable_es = list(quote(stable_es(0.1, 1.5, 0, lower.tail = NA)), "argument"),
  stable_cf = list(quote(stable_cf(1, 1.5, 0, pm = 7)), "argument",
    quote(stable_cf(1)), "argument"),
  stable_convert = list(quote(stable_convert(1.5, 0, to = 7)), "argument"),
  stable_score = list(quote(stable_score(0, 1.5, 0, pm = 7)), "argument"),
  stable_quick = list(quote(stable_quick("a", 1.5, 0)), "data",
    quote(stable_quick(0, 1:2, 0)), "argument"),
  mvstable = list(quote(dmvstable(c(0, 0), 1.5, matrix(1, 2, 2))), "argument",
    quote(rmvstable(-1, 1.5, diag(2))), "argument"),
  pmvstable = list(quote(pmvstable(2, 1, 1.5, diag(2))), "argument"),
  mvstable_projection = list(quote(mvstable_projection(1:3, 1.5, diag(2))), "argument"),
  mvstable_spectral = list(quote(mvstable_spectral(1.5, 1:3, -1)), "argument"),
  mvspectralfit = list(quote(mvspectralfit(cbind(1:20, 1))), "data",
    quote(mvspectralfit(cbind(1:20), fixed = list(alpha = 2))), "argument"),
  mvstablefit = list(quote(mvstablefit(cbind(1:20, 1))), "data",
    quote(mvstablefit(cbind(1:20), fixed = list(beta = 0))), "argument"),
  `mvspectralfit-methods` = list(quote(nobs(mvstable_spectral(1.5, 1:3, 1))), "argument"),
  `mvstablefit-methods` = list(quote(predict(elliptical, type = "radius")), "argument"),
  stablefit = list(quote(stablefit(rep(1, 20))), "data",
    quote(stablefit(1:3)), "data", quote(stablefit(c(1:20, Inf))), "data",
    quote(stablefit(1:20, fixed = list(alpha = 3))), "argument", quote(stablefit(1:20, speed = 2)), "argument"),
  `stablefit-methods` = list(quote(vcov(fit, complete = NA)), "argument"),
  stablefit_censored = list(quote(residuals(censored)), "argument", quote(plot(censored, speed = 2)), "argument",
    quote(stablefit(data.frame(left = 1:9, right = 0))), "data"),
  predict.stablefits = list(quote(predict(many, type = "density")), "argument"),
  predict.stablefit = list(quote(predict(fit, interval = "tolerance")), "argument"),
  confint.stablefit = list(quote(confint(fit, level = 95)), "argument",
    quote(confint(quick, method = "profile")), "argument"),
  anova.stablefit = list(quote(anova(fit, fit)), "argument",
    quote(anova(fit, )), "argument", quote(anova(quick)), "argument"),
  stable_gof = list(quote(stable_gof(c(1, Inf), 1.5, 0)), "data",
    quote(stable_gof(numeric(), 1.5, 0)), "data", quote(stable_gof(1:9, 3, 0)), "argument"),
  stable_compare = list(quote(stable_compare(fit, "cauchy")), "argument", quote(stable_compare(1:9)), "argument",
    quote(stable_compare(fit, "t", , 3)), "argument"),
  plot.stablefit = list(quote(plot(fit, "pie")), "argument"),
  autoplot.stablefit = list(quote(autoplot.stablefit(fit, "pie")), "argument"),
  autoplot.stablefits = list(quote(autoplot.stablefits(many, se = NA)), "argument"),
  profile.stablefit = list(quote(profile(fit, points = 0)), "argument", quote(profile(quick)), "argument"),
  estfun.stablefit = list(quote(estfun.stablefit(quick)), "argument"),
  `stablefit-tidy` = list(quote(augment.stablefit(fit, data = 3)), "argument"),
  stablefits = list(quote(many[["no such name"]]), "argument"),
  stablewindows = list(quote(plot(windows, se = "yes")), "argument"),
  stable_data = list(quote(stable_data(c(1:20, NA))), "data",
    quote(stable_data()), "argument"),
  stable_chunks = list(quote(stable_loglik(infinite, 1.5, 0)), "data",
    quote(stable_loglik(infinite, 3, 0)), "argument", quote(stable_each(infinite, 3)), "argument"),
  stable_lm = list(quote(stable_lm(dist ~ I(speed / 0), cars)), "data",
    quote(stable_lm(dist ~ no_such_variable, cars)), "argument",
    quote(stable_lm(dist ~ speed + I(2 * speed), cars)), "data"),
  gintegrate = list(quote(gintegrate(function(x) 1 / x, 0, 1, stop.on.error = TRUE)), "integral",
    quote(gintegrate(sin, 0)), "argument", quote(gintegrate(sin, 0, 1, control = list(sead = 1))), "argument",
    quote(gintegrate(function(x) strtoi(x), 0, 1, control = list(fallback = "none"))), "untranslatable",
    quote(gintegrate(sin, 0, 1, backend = "no such device")), "device"),
  gtranslate = list(quote(gtranslate(function(x) rnorm(1))), "untranslatable",
    quote(gtranslate(3)), "argument"),
  `gintegral-methods` = list(quote(integral["a"]), "argument",
    quote(integral[, 7]), "argument"),
  `gintegral-arithmetic` = list(quote(mean(integral, na.rm = "yes")), "argument"),
  plot.gintegral = list(quote(plot(integral, which = 3)), "argument"),
  autoplot.gintegral = list(quote(autoplot.gintegral(integral, which = 3)), "argument"),
  stable_backend = list(quote(local_stable_backend("no such device")), "device",
    quote(stable_backend(3)), "argument"),
  stable_devices = list(quote(print(devices, nonsense = 1)), "argument"),
  stable_threads = list(quote(stable_threads(-1)), "argument"),
  stable_cache = list(quote(stable_cache(-1)), "argument",
    quote(stable_cache(programs = "all")), "argument"),
  stable_sitrep = list(quote(stable_sitrep(timeout = -1)), "argument"))

# Returns the section Errors of a page as text; "" if there is none.
errors_section <- function(page) {
  sections <- Filter(function(part) text_of(part[[1L]]) == "Errors", parts_of(page, "\\section"))
  if (length(sections) == 1L) text_of(sections[[1L]][[2L]]) else ""
}

test_that("every page of functions has a section Errors that names classes", {
  expect_setequal(names(raised), names(functions))
  exports <- getNamespaceExports("stablecl")
  expect_setequal(setdiff(exports, unlist(lapply(pages[names(raised)], aliases_of))), character())
  for (name in names(functions))
    expect_match(errors_section(functions[[name]]), "\"stablecl_error_[a-z]+\"", info = name)
})

test_that("a call for each page raises a documented condition, whose call is that of the user", {
  where <- new.env(parent = asNamespace("stablecl"))
  where$fit <- stablefit(fit_sample_of(40, 1.6, 0.3))
  where$many <- stablefit(list(a = where$fit$data, b = -where$fit$data), "quantile")
  where$windows <- stablefit(where$fit$data, "quantile", width = 30, by = 5)
  where$integral <- gintegrate(sin, 0, 1)
  where$devices <- stable_devices()
  where$elliptical <- mvstablefit(where$fit$data, "projection")
  where$censored <- stablefit(data.frame(left = 1:9, right = c(2:9, Inf)), fixed = list(alpha = 2), se = FALSE)
  where$infinite <- stable_chunks(function(reset) if (!reset) c(1, Inf))
  where$quick <- where$many[["a"]]
  for (name in names(raised)) for (k in seq(1L, length(raised[[name]]), 2L)) {
    call <- raised[[name]][[k]]
    class <- paste0("stablecl_error_", raised[[name]][[k + 1L]])
    failure <- tryCatch(suppressWarnings(eval(call, where)), error = identity)
    expect_s3_class(failure, class)
    expect_s3_class(failure, "stablecl_error")
    expect_match(errors_section(pages[[name]]), paste0("\"", class, "\""), fixed = TRUE, info = name)
    expect_call(failure, call, where)
  }
})

# Does a part of an example load the drivers of devices, outside `if (interactive() ...)`?
opens_devices <- function(code) {
  if (!is.call(code)) return(identical(code, "opencl") || identical(code, "gpu"))
  if (identical(code[[1L]], quote(`if`)) && "interactive" %in% all.names(code[[2L]])) return(FALSE)
  if (identical(code, quote(stable_devices())) || identical(code, quote(stable_sitrep()))) return(TRUE)
  any(vapply(Filter(function(part) !identical(part, quote(expr = )), as.list(code)), opens_devices, NA))
}

test_that("examples open devices only in interactive sessions", {
  expect_true(opens_devices(quote(f(stable_devices()))))
  expect_true(opens_devices(quote(stable_backend("opencl"))))
  expect_false(opens_devices(quote(if (interactive()) stable_devices())))
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  for (name in names(pages)) {
    tools::Rd2ex(pages[[name]], file)
    for (code in as.list(parse(file))) expect_false(opens_devices(code), label = paste(name, deparse(code)[1L]))
  }
})
