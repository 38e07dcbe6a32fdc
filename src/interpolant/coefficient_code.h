/* Decodes the coefficients of the tensor tables.
 *
 * The coefficients are integers whose magnitudes range over nine powers of ten and decrease along each row, so
 * that the size of one predicts that of the next.  They are stored in a Golomb-Rice code (Rice and Plaunt 1971,
 * doi:10.1109/TCOM.1971.1090789) whose parameter follows the data:
 *
 *   - the sign moves to the lowest bit: 2k stands for k, and 2k + 1 for -k - 1;
 *   - the parameter e of a coefficient is the number of bits of the one before it in its row, minus two, but at least
 *     0; for the first of a row, it is determined by the first of the row before, and is 0 in the first row of a cell;
 *   - the code consists of q zeros, a one and the e bits of the remainder, where q is the quotient of the division by
 *     2^e; if q is CODE_LONGEST or more, it consists of CODE_LONGEST zeros and the 32 bits of the number.
 *
 * Bits are read from the lowest of a byte to the highest.  The code of each cell begins with a new byte and is decoded
 * by itself.  data-raw/quick-tables.R writes this code.  It is as long as the integers compressed by xz, and is read in
 * a quarter of the time. */
#ifndef STABLECL_INTERPOLANT_COEFFICIENT_CODE_H
#define STABLECL_INTERPOLANT_COEFFICIENT_CODE_H

#include "table_layout.h"

#define CODE_LONGEST 20

/* Sets the number of decoded values of both parts, which the counts of the tables determine.  Returns 0 if these do not
 * agree with each other or with the beginnings of the pieces, or if the cells do not divide the pieces among them. */
int coefficients_count(struct tables *);

/* TRUE if the codes of the cells follow each other from the first byte of a part to the last. */
int coefficients_are_complete(const struct tables *, const struct table_part *);

/* Decodes a part of the coefficients of a cell of tables that coefficients_count() and coefficients_are_complete() have
 * accepted.  Returns 0 if their code does not end where the next one begins. */
int coefficients_read(const struct tables *, const struct table_part *, int cell);

#endif
