/* Combines the values of the work-items of a group. */
#ifndef STABLECL_RUN_DEVICE_GROUP_KERNEL_H
#define STABLECL_RUN_DEVICE_GROUP_KERNEL_H

/* Combines `own` over `share` neighbouring lanes in pairs by joined(a, b) and stores the result in `own` of each
 * of them.  share: a power of 2; lanes: room for one value per lane. */
#define JOIN_LANES(own, share, lanes, joined)                                                           \
    do {                                                                                                \
        int lane_ = (int) get_local_id(0), within_ = lane_ % (share);                                   \
        (lanes)[lane_] = (own);                                                                         \
        for (int apart_ = (share) / 2; apart_ > 0; apart_ /= 2) {                                       \
            barrier(CLK_LOCAL_MEM_FENCE);                                                               \
            if (within_ < apart_) (lanes)[lane_] = joined((lanes)[lane_], (lanes)[lane_ + apart_]);     \
        }                                                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
        (own) = (lanes)[lane_ - within_];                                                               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                   \
    } while (0)

#endif
