/* Radix sort of doubles by their bytes, the least significant one first (Knuth, The Art of Computer Programming 3,
 * 5.2.5).
 *
 * With the sign bit set in positive numbers and all bits inverted in negative ones, the order of doubles is that of
 * their bits as integers.  A digit that is the same in all numbers is skipped.
 */
#include <stdint.h>
#include <string.h>
#include "sort.h"

#define DIGITS 8                        /* bytes of a double */
#define GROUP  4                        /* digits that are counted in one pass */
#define VALUES 256                      /* of a digit */

static uint64_t key_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static int digit_of(double x, int digit)
{
    return (int)(key_of(x) >> (8 * digit) & (VALUES - 1));
}

/* Counts the values of digits first, ..., first + GROUP - 1. */
static void count_digits(size_t n, const double *x, int first, size_t count[GROUP][VALUES])
{
    memset(count, 0, GROUP * sizeof *count);
    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(x[i]);
        key >>= 8 * first;
        for (int d = 0; d < GROUP; d++, key >>= 8) count[d][key & (VALUES - 1)]++;
    }
}

/* Distributes the numbers by one digit, of which the values have these counts. */
static void spread(size_t n, int digit, size_t *count, const double *x, const double *with, double *to, double *to_with)
{
    size_t at = 0;
    for (int v = 0; v < VALUES; v++) {
        size_t here = count[v];
        count[v] = at;
        at += here;
    }
    for (size_t i = 0; i < n; i++) {
        size_t place = count[digit_of(x[i], digit)]++;
        to[place] = x[i];
        if (with) to_with[place] = with[i];
    }
}

void sort_numbers(size_t n, double *x, double *with, double *room, double *room_with)
{
    size_t count[GROUP][VALUES];
    double *from = x, *from_with = with;

    for (int d = 0; d < DIGITS; d++) {
        if (d % GROUP == 0) count_digits(n, x, d, count);
        size_t *here = count[d % GROUP];
        if (here[digit_of(x[0], d)] == n) continue;
        double *to = from == x ? room : x, *to_with = !with ? NULL : from == x ? room_with : with;
        spread(n, d, here, from, from_with, to, to_with);
        from = to;
        from_with = to_with;
    }
    if (from == x) return;
    memcpy(x, from, n * sizeof *x);
    if (with) memcpy(with, from_with, n * sizeof *with);
}
