#include <string.h>
#include "random.h"

#define BATCH 16
#define FEW   4         /* fewer elements are faster one by one */

struct words { uint32 word[4][BATCH]; };

/* Not WIDE: with AVX2 the products in Philox require moving factors between the halves of a vector, which takes
 * 10.4 ns per number, against 7.6 with vectors of half the length (Zen). */
static void words_set(struct words *w, struct philox_key key, uint64 first)
{
    for (uint32 k = 0; k < BATCH; k++) {
        struct philox_block r = philox_at(key, first + k);
        for (int j = 0; j < 4; j++) w->word[j][k] = r.word[j];
    }
}

LANE struct philox_block words_get(const struct words *w, int k)
{
    struct philox_block r = { { w->word[0][k], w->word[1][k], w->word[2][k], w->word[3][k] } };
    return r;
}

/* Copies the law, because the compiler must otherwise assume that stores to y change it. */
WIDE void batch_near_one(const struct draw_law *law, const struct draw_place *place, const struct words *w,
                         double *y)
{
    struct draw_law s = *law;
    struct draw_place p = *place;
    for (int k = 0; k < BATCH; k++) y[k] = draw_near_one(&s, &p, words_get(w, k));
}

WIDE void batch_off_one(const struct draw_law *law, const struct draw_place *place, const struct words *w,
                        double *y)
{
    struct draw_law s = *law;
    struct draw_place p = *place;
    for (int k = 0; k < BATCH; k++) y[k] = draw_off_one(&s, &p, words_get(w, k));
}

static void batch(const struct draw_law *law, const struct draw_place *place, struct philox_key key,
                  uint64 first, double *y)
{
    struct words w;
    words_set(&w, key, first);
    if (draw_is_near_one(law)) batch_near_one(law, place, &w, y);
    else batch_off_one(law, place, &w, y);
}

void sample(const struct draw_law *law, const struct draw_place *place, struct philox_key key, uint64 first,
            size_t count, double *y)
{
    double more[BATCH];

    for (; count >= BATCH; count -= BATCH, first += BATCH, y += BATCH) batch(law, place, key, first, y);
    if (count >= FEW) {
        batch(law, place, key, first, more);
        memcpy(y, more, count * sizeof *y);
    } else {
        for (size_t k = 0; k < count; k++) y[k] = draw_at(law, place, key, first + k);
    }
}
