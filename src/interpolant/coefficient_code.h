/* Decodes the coefficients of the tensor tables.
 *
 * The coefficients are integers whose magnitudes range over nine powers of ten and decrease along each row, so
 * that the size of one predicts that of the next.  They are stored in a Golomb-Rice code (Rice and Plaunt 1971,
 * doi:10.1109/TCOM.1971.1090789) whose parameter follows the data:
 *
 *   - the sign moves to the lowest bit: 2k stands for k, and 2k + 1 for -k - 1;
 *   - the parameter e of a coefficient is the number of bits of the one before it in its row, minus two, but at least
 *     0; for the first of a row, it is determined by the first of the row before;
 *   - the code consists of q zeros, a one and the e bits of the remainder, where q is the quotient of the division by
 *     2^e; if q is CODE_LONGEST or more, it consists of CODE_LONGEST zeros and the 32 bits of the number.
 *
 * Bits are read from the lowest of a byte to the highest.  data-raw/quick-tables.R writes this code.  It is as long as
 * the integers compressed by xz, and is read in a quarter of the time. */
#ifndef STABLECL_INTERPOLANT_COEFFICIENT_CODE_H
#define STABLECL_INTERPOLANT_COEFFICIENT_CODE_H

#include <stddef.h>
#include "tensor_approximation.h"

#define CODE_LONGEST 20

enum coefficient_part { COEFFICIENTS_LOW, COEFFICIENTS_HIGH };

/* Sets n to the numbers of coefficients of both parts, which the counts of the tables determine.  Returns 0 if these do
 * not agree with each other or with the beginnings of the pieces. */
int coefficients_count(const struct tables *, size_t n[2]);

/* Decodes all coefficients of tables that coefficients_count() has accepted; returns 0 if the code ends too early. */
int coefficients_read(const struct tables *, enum coefficient_part, const unsigned char *code, size_t bytes, int *out);

#endif
