# The sentences of the vignettes that introduce what follows or say what to do (tools/check-claims).

page("vignettes/methods.Rmd")
no_claim("This page describes the integral")

page("vignettes/risk.Rmd")
no_claim("This vignette computes risk measures", "It uses the daily log-returns")
