# The sentences of the vignettes that introduce what follows or say what to do (tools/check-claims).

page("vignettes/methods.Rmd")
no_claim("This page describes the integral")

page("vignettes/risk.Rmd")
no_claim("This vignette computes risk measures", "It uses the daily log-returns")

# What the manuals of other packages state: those of rugarch (ugarchspec) and fGarch (garchSpec).
page("vignettes/series.Rmd")
no_claim("Packages rugarch and fGarch fit many more models", "The lists of valid names in their manuals")
