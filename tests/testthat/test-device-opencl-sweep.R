# A fixed random sample of OpenCL calls fails in those device jobs that test-device-faults.R does not contain;
# tools/fuzz-opencl.R lets all calls of all jobs fail in turn.

jobs <- opencl_jobs()[c("distribution", "random_varying", "kept_data", "tanhsinh", "fourier", "simpson", "forward",
                        "blockcut", "cubature_many", "lattice", "product", "distributions", "far_tail", "mode",
                        "mode_one_shape", "s2_varying", "score_varying", "score_of_s2", "quick_rows", "loglik_single",
                        "lattice_single", "vegas_single")]
set.seed(20)
for (name in names(jobs)) test_that(paste("the session survives failures of sampled OpenCL calls:", name), {
  skip_without_device()
  skip_on_cran()
  report <- sweep_faults(jobs[[name]], most = 6, seconds = 10)
  expect_identical(report$findings, character())
  expect_gt(report$tried, 0)
})
