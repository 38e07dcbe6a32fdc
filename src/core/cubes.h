/* core/cubes.h: where the samples of a stratified iteration lie: m-Cubes (Sakiotis et al. 2022) and vegas+ (Lepage
 * 2021, doi:10.1016/j.jcp.2021.110386).
 *
 * The unit cube is cut along axis k into cuts[k] parts: the digits of a cube's number, axis 0 first.  A sample is
 * counted, not drawn: its words are those of Philox at the counter (number of the sample in its iteration, 64 bits;
 * 4 times the iteration plus the group of four axes; number of the integral).  So any worker may take any
 * sample.
 */
#ifndef STABLECL_CUBES_H
#define STABLECL_CUBES_H

#include "philox.h"
#include "warp.h"

#define CUBES_HEAVY  4096u              /* points; a cube with more is too much for one work item of a device */
#define CUBES_SHIFTS 3u                 /* the group of words for what belongs to no sample */

/* Words for axes 4 group, ..., 4 group + 3 of a sample. */
LANE struct philox_block cubes_words(struct philox_key key, uint64 sample, uint32 iteration, uint32 group,
                                     uint32 integral)
{
    struct philox_block counter;
    counter.word[0] = (uint32)sample;
    counter.word[1] = (uint32)(sample >> 32);
    counter.word[2] = 4u * iteration + group;
    counter.word[3] = integral;
    return philox4x32_10(counter, key);
}

/* Place along an axis of a sample in part `digit`; `width` = 1/cuts. */
LANE double cubes_place(double digit, double width, uint32 word)
{
    return (digit + unit_share(word)) * width;
}

#endif
