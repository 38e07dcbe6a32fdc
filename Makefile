# make demo      fit stable distributions to real data and draw one picture
# make test      check layers, warnings of compilers and stack frames, kernels as OpenCL C, cross builds, installations
#                with every clang and with unusual settings, R CMD check, the library without R, the claims of
#                README.md, DESCRIPTION, NEWS.md, vignettes and manual, random calls, and run the test suite
# make accuracy  largest error in each region, compared with the reference tables in data-raw/tables, or with others:
#                make accuracy REFERENCE=FOLDER
# make fuzz      check random calls against relations that must hold (tools/fuzz.R); N=1e6 makes a million calls,
#                SEED=2 different ones
# make tables    compute all reference values anew (data-raw/reference/Makefile): two hours of one core; JOBS=4
# make coverage  lines of R and C that the test suite runs, and those that it does not (build/coverage.md)
# make memory    sanitizers for memory and threads, valgrind and gctorture (tools/check-memory)
# make lib       build the numerical core without R, as build/lib/libstablecl.a and .so (inst/include/stablecl.h)
# make site      build the web site in build/site and check its links
# Each installs the package into build/library only.  As root on Debian and Ubuntu it first names and installs missing
# programs and R packages; with SETUP=no (make test SETUP=no, or in the environment) it installs nothing, and stops if
# something is missing.

LIBRARY = R_LIBS="build/library$${R_LIBS:+:$$R_LIBS}"

# make fuzz: number of calls and seed.
N = 20000
SEED = 1
# make tables: processes at once.
JOBS = 1
# make test: number of calls and seed, about two minutes; the same calls each time, so that a failure is caused by a
# change of the code.
TEST_FUZZ = 10000 1

# R packages without which some tests are skipped.
OPTIONAL = cli commonmark data.table DBI distributional dplyr emmeans fitdistrplus future generics ggplot2 knitr \
  progressr rmarkdown RSQLite sandwich shiny spelling survival vdiffr xml2
OPTIONAL_CRAN = mirai

demo: installed
	$(LIBRARY) Rscript inst/scripts/demo.R

# PoCL keeps the kernels that it compiles for all steps and for the next run; tools/check-package uses the object files
# of the installation (tools/compile-once).
test: export POCL_CACHE_DIR ?= $(CURDIR)/build/pocl
test: export STABLECL_OBJECTS = $(CURDIR)/build/objects
test:
	tools/setup --opencl testthat
	tools/setup --optional $(OPTIONAL)
	tools/setup --optional --cran $(OPTIONAL_CRAN)
	rm -rf build/objects
	MAKEFLAGS=-j2 tools/install-local
	@if grep -n 'warning:' build/install.log; then echo 'the compiler warns'; exit 1; fi
	Rscript --vanilla tools/check-install.R build/library build/install.log
	$(MAKE) --no-print-directory -j2 --output-sync=target $(STEPS:%=step-%)
	Rscript tools/run-tests.R

# The steps of make test between installation and test suite run two at a time, the long ones first; the output of each
# is printed when it ends.  They get no options of make, so that calls of make by R have none of these.
STEPS = package installs claims compilers library fuzz cross opencl layers

step-package step-installs step-compilers step-cross step-opencl step-layers:
	MAKEFLAGS= tools/check-$(@:step-%=%)

step-library:
	MAKEFLAGS= $(LIBRARY) tools/check-library

step-claims:
	@MAKEFLAGS= $(LIBRARY) tools/check-claims $$(command -v pandoc > /dev/null && echo --without-code) \
	  > build/claims.log || { grep FAILED build/claims.log; exit 1; }

step-fuzz:
	MAKEFLAGS= Rscript tools/fuzz.R $(TEST_FUZZ)

fuzz: installed
	$(LIBRARY) Rscript tools/fuzz.R $(N) $(SEED)

accuracy: installed
	$(LIBRARY) Rscript bench/accuracy.R $(REFERENCE)

tables: installed
	R_LIBS="$(CURDIR)/build/library$${R_LIBS:+:$$R_LIBS}" $(MAKE) -C data-raw/reference tables JOBS=$(JOBS)

coverage:
	tools/setup --opencl testthat covr
	tools/setup --optional $(OPTIONAL)
	tools/setup --optional --cran $(OPTIONAL_CRAN)
	Rscript tools/coverage.R

memory:
	tools/check-memory

lib:
	tools/build-library

site:
	tools/setup pkgdown knitr rmarkdown
	tools/install-local
	$(LIBRARY) Rscript tools/build-site.R build/site
	Rscript tools/check-site.R build/site

installed:
	tools/setup
	tools/install-local

clean:
	./cleanup
	rm -rf build

.PHONY: demo test fuzz accuracy tables coverage memory lib site installed clean $(STEPS:%=step-%)
