/* Philox4x32-10, a counter-based random number generator.
 *
 * 128 random bits are a function of a 128-bit counter and a 64-bit key.  The generator has no state, so that blocks can
 * be computed in any order and on any thread.  Each of the ten rounds multiplies two words by fixed odd constants,
 * swaps high and low halves and mixes in the key, which advances by Weyl constants between rounds.
 *
 * Source: Salmon, Moraes, Dror and Shaw (2011), "Parallel random numbers: as easy as 1, 2, 3"
 * <doi:10.1145/2063384.2063405>, section 3.4 and table 2.
 */
#ifndef STABLECL_SPECIAL_PHILOX_H
#define STABLECL_SPECIAL_PHILOX_H

#include "dialect.h"

struct philox_block { uint32 word[4]; };
struct philox_key   { uint32 word[2]; };

LANE struct philox_block philox_round(struct philox_block c, struct philox_key k)
{
    uint64 a = (uint64)0xD2511F53u * c.word[0];
    uint64 b = (uint64)0xCD9E8D57u * c.word[2];
    struct philox_block out;
    out.word[0] = (uint32)(b >> 32) ^ c.word[1] ^ k.word[0];
    out.word[1] = (uint32)b;
    out.word[2] = (uint32)(a >> 32) ^ c.word[3] ^ k.word[1];
    out.word[3] = (uint32)a;
    return out;
}

LANE struct philox_block philox4x32_10(struct philox_block counter, struct philox_key key)
{
    for (int round = 0; round < 10; round++) {
        counter = philox_round(counter, key);
        key.word[0] += 0x9E3779B9u;             /* golden ratio */
        key.word[1] += 0xBB67AE85u;             /* sqrt(3) - 1 */
    }
    return counter;
}

/* Returns block number i of the stream of a key. */
LANE struct philox_block philox_at(struct philox_key key, uint64 i)
{
    struct philox_block counter;
    counter.word[0] = (uint32)i;
    counter.word[1] = (uint32)(i >> 32);
    counter.word[2] = 0;
    counter.word[3] = 0;
    return philox4x32_10(counter, key);
}

#endif
