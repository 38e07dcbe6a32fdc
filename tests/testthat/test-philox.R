# Known answers published by the authors of Philox (Random123, kat_vectors:
# philox4x32 10), Salmon et al. (2011) <doi:10.1145/2063384.2063405>.

words <- function(hex) {
  high <- strtoi(substr(strsplit(hex, " ")[[1]], 1, 4), 16L)
  low <- strtoi(substr(strsplit(hex, " ")[[1]], 5, 8), 16L)
  high * 65536 + low
}

philox <- function(counter, key) {
  .Call(stablecl:::C_philox, words(counter), words(key))
}

test_that("Philox4x32-10 gives its known answers", {
  expect_identical(philox("00000000 00000000 00000000 00000000", "00000000 00000000"),
                   words("6627e8d5 e169c58d bc57ac4c 9b00dbd8"))
  expect_identical(philox("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff"),
                   words("408f276d 41c83b0e a20bc7c6 6d5451fd"))
  expect_identical(philox("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0"),
                   words("d16cfe09 94fdcceb 5001e420 24126ea1"))
})

test_that("element i of a sample uses block i of the stream with a key from R's generator", {
  set.seed(7)
  key <- floor(runif(2) * 2^32)
  set.seed(7)
  x <- rstable(3, 1, 0)
  for (i in 1:3) {
    block <- .Call(stablecl:::C_philox, c(i - 1, 0, 0, 0), key)
    negative <- block[1] >= 2^31
    angle <- (block[1] - if (negative) 2^31 else 0) * 2^32 + block[2]
    w <- pi / 2 * (angle + 0.5) * 2^-63          # distance of the angle from pi/2
    expect_equal(x[i], (if (negative) -1 else 1) / tan(w), tolerance = 1e-14)
  }
})
