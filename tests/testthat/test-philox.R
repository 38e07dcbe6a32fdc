# Known answers that the authors of Philox publish with it (Random123, kat_vectors:
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
