/* The program of an integrand: a list of operations on registers.
 *
 * A register holds the values at the BLOCK points of a block.  An entry of the constant pool holds one number that is
 * the same for all points: a constant, captured data, a parameter, or a number computed from these.  An operand is the
 * number of a register (>= 0) or the complement ~k < 0 of the number k of a constant.  The prelude computes the derived
 * constants once; all its operands are constants.
 *
 * The first `inputs` registers hold the coordinates of the points and the parameters that differ from integral to
 * integral.  SKIP jumps forward over a branch that no point of the block takes.  LOOP and NEXT enclose the body of a
 * loop, which all points execute in step: LOOP sets its register r to 1; NEXT compares r with c and, while r is less,
 * adds 1 to r and returns to the instruction after LOOP.  In each of the two, b is the index of the other and c is the
 * number of iterations.  A SKIP does not jump into or out of a loop:
 *
 *     LOOP r=5 b=14 c=1000    for (r5 = 1; r5 <= 1000; r5 += 1) {
 *     ...
 *     NEXT r=5 b=10 c=1000    }
 *
 * COPY sets the registers that keep their values from one iteration to the next.
 */
#ifndef STABLECL_INTEGRAND_PROGRAM_H
#define STABLECL_INTEGRAND_PROGRAM_H

#include <stddef.h>
#include "../base/status.h"
#include "operations.h"

#define BLOCK 168               /* the points of eight intervals under the rule of gauss_kronrod.h */

/* Instructions other than the arithmetic operations of operations.h. */
enum special {
    OP_SKIP = OP_COUNT,         /* jumps to instruction number b if a is true at no point */
    OP_LOOKUP,                  /* r = table number b at a */
    OP_STABLE,                  /* r = law number b at a */
    OP_COPY,                    /* r = a */
    OP_LOOP,
    OP_NEXT,
    OP_END
};

/* r is the register of the result; in the prelude, the number of the constant. */
struct instruction { int op, r, a, b, c; };

/* A density or distribution function of a stable law: `operand` holds the operands of its four parameters, `constant`
 * their numbers in the constant pool.  All four are -1 if any of the parameters differs from point to point. */
struct law_use { int what, lower, give_log, pm, constant[4], operand[4]; };

/* result: the operands of the values of an integrand, which has one or several components; work: the number of
 * operations at one point. */
struct program {
    int inputs, registers, constants, components;
    double work;
    const int *result;
    int count, prelude_count;
    const struct instruction *code, *prelude;
    int tables, laws;
    const struct table *table;
    const struct law_use *law;
};

/* The names by which R refers to kinds of tables. */
extern const char *const table_kind_name[TABLE_KINDS];

/* Checks that a program with this number of inputs terminates, and that it reads and writes only registers,
 * constants, tables and laws that exist.  Returns ST_OK or a failure code. */
int program_check(const struct program *, int inputs, struct status *);

/* Returns the value of operation `op` for single numbers. */
double program_number(int op, double a, double b, double c);

/* Computes the derived constants; the caller has set the first ones. */
void program_prelude(const struct program *, double *pool);

/* --- dstable() and pstable() within an integrand (laws.c) ---------------------------------------- */

/* A law that is the same for all points uses its interpolant if it has one, as large jobs do; laws that differ from
 * point to point are computed exactly, each with its own node set. */
struct column;
struct laws_built;
struct worker;

/* Builds the interpolants of the laws that a program uses; sets the result to NULL if it uses none.  The
 * constants must have been computed.  Returns ST_OK or a failure code. */
int laws_build(const struct program *, const double *pool, struct laws_built **, struct status *);
void laws_free(struct laws_built *);

/* Allocates the workspace of one thread; NULL if memory is short. */
struct worker *laws_worker(void);
void laws_worker_free(struct worker *);

/* Computes y[i] for from <= i < to in a block, for law number k.  Each of the four parameters is a column of one number
 * or of BLOCK. */
void laws_values(const struct laws_built *, int k, struct worker *, const double *x, const struct column *parameter,
                 int from, int to, double *y);

/* --- OpenCL C, and the constants that it reads (generator.c) ----------------------------------- */

/* Returns the text of integrand() (quadrature/integrand_kernel.h), preceded by a line that defines AXES; the caller
 * frees it.  An integrand with several components has its text in integrand_components(), which stores all values, and
 * integrand() returns their sum.  Returns NULL with ST_UNSUPPORTED if devices cannot compute the integrand, with
 * ST_MEMORY if memory is short.  The numbers are not part of the text: they are in the constant pool and in the buffer
 * of tables, so the text does not change with them.  is_single: numbers are floats; special functions, tables and
 * distributions are unsupported then. */
char *source_of(const struct program *, int axes, int is_single, struct status *);

/* Builds the buffer that the text reads, the tables of the integrand and the packed interpolants of its
 * laws.  The caller frees the buffer, whose size in doubles is stored; the last of them is 0, the flag of
 * laws_interpolated.cl.  The constants must have been computed.  Returns ST_OK or a failure code. */
int device_constants_build(const struct program *, const double *pool, double **buffer, size_t *size, struct status *);

#endif
