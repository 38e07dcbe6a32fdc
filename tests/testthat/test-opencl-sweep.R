# Some calls of OpenCL, by a seed, fail in the jobs of a device that test-device-faults.R does not have;
# tools/fuzz-opencl.R lets all calls of all jobs fail in turn.

jobs <- opencl_jobs()[c("distribution", "random_varying", "kept_data", "tanhsinh", "simpson", "forward", "blockcut",
                        "cubature_many", "lattice", "product", "distributions")]
set.seed(20)
for (name in names(jobs)) test_that(paste("some call of OpenCL fails:", name), {
  skip_without_device()
  skip_on_cran()
  report <- sweep_faults(jobs[[name]], most = 6, seconds = 10)
  expect_identical(report$findings, character())
  expect_gt(report$tried, 0)
})
