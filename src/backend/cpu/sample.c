#include "sample.h"

#define BATCH 64

struct words { uint32 word[4][BATCH]; };

static void draw_words(struct philox_key key, uint64 first, struct words *w)
{
    for (uint32 k = 0; k < BATCH; k++) {
        struct philox_block r = philox_at(key, first + k);
        for (int j = 0; j < 4; j++) w->word[j][k] = r.word[j];
    }
}

static inline struct philox_block block_of(const struct words *w, int k)
{
    struct philox_block r = { { w->word[0][k], w->word[1][k], w->word[2][k], w->word[3][k] } };
    return r;
}

WIDE void batch_near_one(const struct draw_law *law, const struct draw_place *place, const struct words *w,
                         double *y)
{
    struct draw_law s = *law;
    struct draw_place p = *place;
    for (int k = 0; k < BATCH; k++) y[k] = draw_near_one(&s, &p, block_of(w, k));
}

WIDE void batch_off_one(const struct draw_law *law, const struct draw_place *place, const struct words *w,
                        double *y)
{
    struct draw_law s = *law;
    struct draw_place p = *place;
    for (int k = 0; k < BATCH; k++) y[k] = draw_off_one(&s, &p, block_of(w, k));
}

static void batch(const struct draw_law *law, const struct draw_place *place, struct philox_key key,
                  uint64 first, double *y)
{
    struct words w;
    draw_words(key, first, &w);
    if (draw_is_near_one(law)) batch_near_one(law, place, &w, y);
    else batch_off_one(law, place, &w, y);
}

void sample(const struct draw_law *law, const struct draw_place *place, struct philox_key key, uint64 first,
            size_t count, double *y)
{
    for (; count >= BATCH; count -= BATCH, first += BATCH, y += BATCH) batch(law, place, key, first, y);
    for (size_t k = 0; k < count; k++) y[k] = draw_at(law, place, key, first + k);
}
