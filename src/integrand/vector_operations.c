/* Expands the table of operations into loops over a block, which a compiler can vectorise. */
#include "vector_operations.h"

#define VALUES const double *restrict x, const double *restrict y, const double *restrict z, double *restrict r
#define UNUSED2 (void)y; (void)z
#define UNUSED1 (void)z

#define KERNELS_1(name, value) \
    WIDE void name##_all(VALUES) \
    { UNUSED2; for (int k = 0; k < BLOCK; k++) { double a = x[k]; r[k] = value; } }

#define KERNELS_2(name, value) \
    WIDE void name##_all(VALUES) \
    { UNUSED1; for (int k = 0; k < BLOCK; k++) { double a = x[k], b = y[k]; r[k] = value; } } \
    WIDE void name##_second(VALUES) \
    { UNUSED1; double b = *y; for (int k = 0; k < BLOCK; k++) { double a = x[k]; r[k] = value; } } \
    WIDE void name##_first(VALUES) \
    { UNUSED1; double a = *x; for (int k = 0; k < BLOCK; k++) { double b = y[k]; r[k] = value; } }

#define KERNELS_3(name, value) \
    WIDE void name##_all(VALUES) \
    { for (int k = 0; k < BLOCK; k++) { double a = x[k], b = y[k], c = z[k]; r[k] = value; } }

#define MAKE_KERNELS(name, in_r, arity, value) KERNELS_##arity(name, value)
OPERATIONS(MAKE_KERNELS)

/* Sine and cosine are vectorised if special/elementary.h can reduce all angles of a block.  If any angle is larger, the
 * values are computed one at a time; those of the other angles stay the same. */
WIDE void sin_side_by_side(const double *restrict x, double *restrict r)
{
    for (int k = 0; k < BLOCK; k++) r[k] = sin_near(x[k], 0);
}

WIDE void cos_side_by_side(const double *restrict x, double *restrict r)
{
    for (int k = 0; k < BLOCK; k++) r[k] = sin_near(x[k], 1);
}

WIDE int are_near(const double *restrict x)
{
    uint64 all = when(1);
    for (int k = 0; k < BLOCK; k++) all &= when(fabs(x[k]) <= ANGLE_MOST);
    return all != 0;
}

static void sin_block(VALUES)
{
    if (are_near(x)) sin_side_by_side(x, r);
    else SIN_all(x, y, z, r);
}

static void cos_block(VALUES)
{
    if (are_near(x)) cos_side_by_side(x, r);
    else COS_all(x, y, z, r);
}

/* Powers are vectorised if all pairs of a block lie in the domain of special/power.h (positive base).  Otherwise they
 * are computed one at a time; the values of pairs within the domain stay the same. */
WIDE void pow_side_by_side(const double *restrict x, const double *restrict y, double *restrict r)
{
    for (int k = 0; k < BLOCK; k++) r[k] = power_positive(x[k], y[k]);
}

WIDE int are_positive(const double *restrict x, const double *restrict y)
{
    uint64 all = when(1);
    for (int k = 0; k < BLOCK; k++) all &= power_domain(x[k], y[k]);
    return all != 0;
}

static const double *filled(double *room, const double *value)
{
    for (int k = 0; k < BLOCK; k++) room[k] = *value;
    return room;
}

static void pow_block(VALUES)
{
    if (are_positive(x, y)) pow_side_by_side(x, y, r);
    else POW_all(x, y, z, r);
}

static void pow_second(VALUES)
{
    double room[BLOCK];
    if (are_positive(x, filled(room, y))) pow_side_by_side(x, room, r);
    else POW_second(x, y, z, r);
}

static void pow_first(VALUES)
{
    double room[BLOCK];
    if (are_positive(filled(room, x), y)) pow_side_by_side(room, y, r);
    else POW_first(x, y, z, r);
}

#define ENTRY_1(name, all) { 1, all, NULL, NULL }
#define ENTRY_2(name, all) { 2, all, name##_second, name##_first }
#define ENTRY_3(name, all) { 3, all, NULL, NULL }

#define ALL_OF(name) name##_all
#define MAKE_ENTRY(name, in_r, arity, value) [OP_##name] = ENTRY_##arity(name, ALL_OF(name)),

#define SIN_all sin_block
#define COS_all cos_block
#define POW_all pow_block
#define POW_second pow_second
#define POW_first  pow_first
const struct kernels kernels_of[OP_COUNT] = { OPERATIONS(MAKE_ENTRY) };
