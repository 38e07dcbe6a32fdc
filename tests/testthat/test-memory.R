# Memory failures: tools/fuzz-memory.R lets each allocation of each call fail; these tests sample them.

test_that("a failed allocation gives a memory error or the right value, no leak, and does not affect the next call", {
  skip_on_cran()
  before <- stable_threads(1)
  backend <- stable_backend("cpu")
  on.exit({ stable_threads(before); stable_backend(backend) })
  set.seed(20)
  jobs <- memory_jobs()
  for (name in names(jobs)) {
    swept <- memory_sweep(jobs[[name]], name, 1)
    expect_identical(swept$found, NULL, label = paste(name, "with memory that is short"))
  }
})

test_that("failed allocations on several threads are handled, too", {
  skip_on_cran()
  before <- stable_threads(4)
  backend <- stable_backend("cpu")
  on.exit({ stable_threads(before); stable_backend(backend) })
  set.seed(21)
  names <- c("stablefits", "gintegrate, gk", "gintegrate, cubature", "gintegrate, lattice", "qstable, in groups")
  for (name in names) expect_identical(memory_sweep(memory_jobs()[[name]], name, 3)$found, NULL, label = name)
})

test_that("the first allocations of an adaptive rule may fail", {                     # finds uninitialised members
  backend <- stable_backend("cpu")
  on.exit(stable_backend(backend))
  job <- memory_jobs()[["gintegrate, gk"]]
  right <- job()
  for (k in 1:14) expect_true(memory_trial(job, right, k) %in% c("refused", "right", "passed"))
  memory_fault(NULL)
})

test_that("failed allocations during jobs on a device are handled, too", {
  skip_without_device()
  skip_on_cran()
  before <- stable_threads(1)
  on.exit(stable_threads(before))
  set.seed(22)
  jobs <- memory_device_jobs()[c("dstable", "dstable, in groups", "sums and scores", "gintegrate, gk")]
  for (name in names(jobs)) expect_identical(memory_sweep(jobs[[name]], name, 1)$found, NULL, label = name)
})
