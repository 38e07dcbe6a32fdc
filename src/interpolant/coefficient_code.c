#include "coefficient_code.h"

/* --- rows ---------------------------------------------------------------- */

/* Enumerates the rows of all pieces, in the order of the tables. */
struct rows { const struct tables *tables; enum coefficient_part part; int piece, left; const unsigned char *count; };

/* Returns the number of coefficients of the next row, or -1 after the last row. */
static int next_row(struct rows *r)
{
    while (r->left == 0) {
        if (r->piece == r->tables->pieces) return -1;
        int first = r->tables->piece[r->piece++].count;
        if (first < 0) continue;
        for (int j = 0; j < TABLE_BETA; j++) r->left += r->tables->count[first + j];
        r->count = r->tables->count + first + TABLE_BETA;
    }
    r->left--;
    int groups = *r->count++;
    return TABLE_FOUR * (r->part == COEFFICIENTS_LOW ? groups & 7 : groups >> 3);
}

/* Adds the coefficients of a piece to n; returns 0 if its counts exceed the tables or what a piece can contain. */
static int add_piece(const struct tables *t, const struct table_piece *p, size_t n[2])
{
    size_t first = (size_t)p->count, rows = 0;
    if ((size_t)p->low != n[COEFFICIENTS_LOW] || (size_t)p->high != n[COEFFICIENTS_HIGH]) return 0;
    if (first + TABLE_BETA > t->counts) return 0;
    for (int j = 0; j < TABLE_BETA; j++) {
        if (t->count[first + j] > TABLE_ALPHA) return 0;
        rows += t->count[first + j];
    }
    if (first + TABLE_BETA + rows > t->counts) return 0;
    for (size_t i = first + TABLE_BETA; i < first + TABLE_BETA + rows; i++) {
        int low = t->count[i] & 7, high = t->count[i] >> 3;
        if (high > low || TABLE_FOUR * low > TABLE_U) return 0;
        n[COEFFICIENTS_LOW] += TABLE_FOUR * (size_t)low;
        n[COEFFICIENTS_HIGH] += TABLE_FOUR * (size_t)high;
    }
    return 1;
}

int coefficients_count(const struct tables *t, size_t n[2])
{
    n[COEFFICIENTS_LOW] = n[COEFFICIENTS_HIGH] = 0;
    for (int k = 0; k < t->pieces; k++)
        if (t->piece[k].count >= 0 && !add_piece(t, &t->piece[k], n)) return 0;
    return 1;
}

/* --- numbers ------------------------------------------------------------- */

#ifdef __GNUC__
static int zeros_below(uint64 x) { return __builtin_ctzll(x); }
static int bit_length(uint32 x) { return x ? 32 - __builtin_clz(x) : 0; }
#else
static int zeros_below(uint64 x) { int n = 0; while (!(x >> n & 1)) n++; return n; }
static int bit_length(uint32 x) { int n = 0; while (x) x >>= 1, n++; return n; }
#endif

struct bits {
    const unsigned char *bytes;
    size_t next, end;                   /* indices of the next byte, and of the one after the last */
    uint64 window;                      /* its lowest `ready` bits are the next ones */
    int ready;
};

/* Makes at least 56 bits ready; zeros follow the last byte. */
static void refill(struct bits *b)
{
    uint64 eight = 0;
    if (b->next + 8 <= b->end)
        for (int k = 0; k < 8; k++) eight |= (uint64)b->bytes[b->next + k] << 8 * k;   /* one load */
    else
        for (int k = 0; b->next + k < b->end; k++) eight |= (uint64)b->bytes[b->next + k] << 8 * k;
    b->window |= eight << b->ready;
    b->next += (size_t)(63 - b->ready) >> 3;
    b->ready |= 56;
}

static uint32 take(struct bits *b, int n)
{
    uint32 value = (uint32)(b->window & (((uint64)1 << n) - 1));
    b->window >>= n;
    b->ready -= n;
    return value;
}

/* Returns the next number, whose parameter is e. */
static uint32 next_number(struct bits *b, int e)
{
    refill(b);
    int quotient = zeros_below(b->window | (uint64)1 << CODE_LONGEST);
    if (quotient == CODE_LONGEST) {
        take(b, CODE_LONGEST);
        return take(b, 32);
    }
    take(b, quotient + 1);
    return (uint32)quotient << e | take(b, e);
}

int coefficients_read(const struct tables *t, enum coefficient_part part, const unsigned char *code, size_t bytes,
                      int *out)
{
    struct rows r = { t, part, 0, 0, NULL };
    struct bits b = { code, 0, bytes, 0, 0 };
    int first = 0;

    for (int row = next_row(&r); row >= 0; row = next_row(&r)) {
        for (int k = 0, e = first; k < row; k++) {
            uint32 value = next_number(&b, e);
            int length = bit_length(value);
            e = length > 2 ? length - 2 : 0;
            *out++ = (int)(value >> 1) ^ -(int)(value & 1);
            if (k == 0) first = e;
        }
        if (b.next > b.end + (size_t)b.ready / 8) return 0;
    }
    return 1;
}
