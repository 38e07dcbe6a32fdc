#include "coefficient_code.h"

/* --- cells --------------------------------------------------------------- */

/* Returns the number of the first piece of a cell, and after the last cell the number of pieces. */
static int first_piece(const struct tables *t, int cell)
{
    return cell < t->cells ? t->base[(int)t->cell[cell].start].piece : t->pieces;
}

/* TRUE if the base intervals of each cell begin where those of the cell before end, and their pieces likewise. */
static int are_divided(const struct tables *t)
{
    int base = 0, piece = 0;
    for (int k = 0; k < t->cells; k++) {
        const struct table_cell *c = &t->cell[k];
        if (c->start != base || !(c->bases >= 1.0 && c->bases <= t->bases - base)) return 0;
        for (int end = base + (int)c->bases; base < end; base++) {
            const struct table_base *b = &t->base[base];
            if (b->piece != piece || b->cut < 0 || b->cut > TABLE_CUT_MAX) return 0;
            piece += 1 << b->cut;
        }
    }
    return base == t->bases && piece == t->pieces;
}

/* Adds the coefficients of a piece to n; returns 0 if its counts exceed the tables or what a piece can contain. */
static int add_piece(const struct tables *t, const struct table_piece *p, size_t n[TABLE_PARTS])
{
    size_t first = (size_t)p->count, rows = 0;
    int low = 0, high = 0, is_wrong = 0;
    if ((size_t)p->low != n[TABLE_PART_LOW] || (size_t)p->high != n[TABLE_PART_HIGH]) return 0;
    if (first + TABLE_BETA > t->counts) return 0;
    for (int j = 0; j < TABLE_BETA; j++) {
        if (t->count[first + j] > TABLE_ALPHA) return 0;
        rows += t->count[first + j];
    }
    if (first + TABLE_BETA + rows > t->counts) return 0;
    for (size_t i = first + TABLE_BETA; i < first + TABLE_BETA + rows; i++) {
        int fours = t->count[i] & 7, wide = t->count[i] >> 3;
        is_wrong |= (wide > fours) | (fours > TABLE_U / TABLE_FOUR);
        low += fours;
        high += wide;
    }
    n[TABLE_PART_LOW] += TABLE_FOUR * (size_t)low;
    n[TABLE_PART_HIGH] += TABLE_FOUR * (size_t)high;
    return !is_wrong;
}

int coefficients_count(struct tables *t)
{
    size_t n[TABLE_PARTS] = { 0 };
    if (!are_divided(t)) return 0;
    for (int k = 0; k < t->pieces; k++)
        if (t->piece[k].count >= 0 && !add_piece(t, &t->piece[k], n)) return 0;
    for (int k = 0; k < TABLE_PARTS; k++) t->part[k].values = n[k];
    return 1;
}

int coefficients_are_complete(const struct tables *t, const struct table_part *part)
{
    if (part->start[0] != 0 || (size_t)part->start[t->cells] != part->bytes) return 0;
    for (int k = 0; k < t->cells; k++)
        if (part->start[k + 1] < part->start[k]) return 0;
    return 1;
}

/* --- rows ---------------------------------------------------------------- */

/* Enumerates the rows of the pieces from `piece` to `end` - 1, in the order of the tables. */
struct rows { const struct tables *tables; int is_high, piece, end, left; const unsigned char *count; };

/* Returns the number of coefficients of the next row, or -1 after the last row. */
static int next_row(struct rows *r)
{
    while (r->left == 0) {
        if (r->piece == r->end) return -1;
        int first = r->tables->piece[r->piece++].count;
        if (first < 0) continue;
        for (int j = 0; j < TABLE_BETA; j++) r->left += r->tables->count[first + j];
        r->count = r->tables->count + first + TABLE_BETA;
    }
    r->left--;
    int groups = *r->count++;
    return TABLE_FOUR * (r->is_high ? groups >> 3 : groups & 7);
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

/* Returns the next n bits and removes them from the window. */
static uint32 take_bits(struct bits *b, int n)
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
        take_bits(b, CODE_LONGEST);
        return take_bits(b, 32);
    }
    take_bits(b, quotient + 1);
    return (uint32)quotient << e | take_bits(b, e);
}

/* Returns the address of the first value of a cell; the values of its pieces are contiguous. */
static int *first_value(const struct tables *t, const struct table_part *part, const struct rows *r)
{
    int k = r->piece;
    while (k < r->end && t->piece[k].count < 0) k++;
    if (k == r->end) return part->value;
    return part->value + (r->is_high ? t->piece[k].high : t->piece[k].low);
}

int coefficients_read(const struct tables *t, const struct table_part *part, int cell)
{
    struct rows r = { t, part == &t->part[TABLE_PART_HIGH], first_piece(t, cell), first_piece(t, cell + 1), 0, NULL };
    struct bits b = { part->code, (size_t)part->start[cell], (size_t)part->start[cell + 1], 0, 0 };
    int first = 0, *out = first_value(t, part, &r);

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
    return b.next - (size_t)b.ready / 8 == b.end;
}
