#include "build.h"

static int pieces_of(const struct interpolant_side *s)
{
    int last = s->binades - 1;
    return last < 0 ? 0 : s->start[last] + (1 << s->shift[last]);
}

struct packed packed_of(const struct interpolant *c, const struct user_law *l)
{
    struct packed h = { .s = c->s, .centre = c->centre[user_frame(l, 0.0).shifted] };

    for (int k = 0; k < 2; k++) {
        h.pieces += pieces_of(&c->side[k]);
        h.first[k] = c->side[k].first;
        h.binades[k] = c->side[k].binades;
    }
    packed_frame(&h, l);
    return h;
}

size_t packed_size(const struct packed *h)
{
    return (size_t)h->pieces * (2 * INTERPOLANT_TERMS * sizeof(double) + sizeof(int)) +
           (size_t)(h->binades[0] + h->binades[1]) * 2 * sizeof(int);
}

/* Writes the pieces of a side; `from`: number of its first piece in the buffer. */
static void write_side(const struct interpolant_side *s, const struct packed *h, int left, int from, double *pairs)
{
    int *binade = (int *)(pairs + 2 * INTERPOLANT_TERMS * h->pieces);
    int *upper = binade + 2 * (h->binades[0] + h->binades[1]);

    for (int i = 0; i < pieces_of(s); i++) {
        for (int k = 0; k < INTERPOLANT_TERMS; k++) {
            size_t pair = (size_t)(k / 2) * (size_t)h->pieces + (size_t)(from + i);
            pairs[2 * pair + k % 2] = s->pdf[(size_t)i * INTERPOLANT_TERMS + k];
            pairs[2 * (pair + (size_t)PACKED_PAIRS * h->pieces) + k % 2] = s->tail[(size_t)i * INTERPOLANT_TERMS + k];
        }
        upper[from + i] = s->upper[i];
    }
    binade += left ? 2 * h->binades[0] : 0;
    for (int i = 0; i < s->binades; i++) {
        binade[2 * i] = from + s->start[i];
        binade[2 * i + 1] = s->shift[i];
    }
}

void packed_write(const struct interpolant *c, const struct packed *h, void *buffer)
{
    write_side(&c->side[0], h, 0, 0, buffer);
    write_side(&c->side[1], h, 1, pieces_of(&c->side[0]), buffer);
}
