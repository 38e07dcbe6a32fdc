/* Data structures that the host and the kernels share, read by the C and the OpenCL C compiler.
 *
 * The structs contain only doubles and ints and have the same layout on both sides.
 */
#ifndef STABLECL_RUN_DEVICE_SHARED_H
#define STABLECL_RUN_DEVICE_SHARED_H

#include "../../stable/random.h"
#include "../../stable/node_set.h"
#include "../../interpolant/interpolant.h"
#include "../../interpolant/approximation.h"
#include "../../stable/standard.h"
#include "../../stable/user_law.h"

/* The node set of cell `key` (stable/standard.h) has the number slot[key + SLOT_ZERO], or NO_NODE_SET if it is
 * missing.  Arguments in cells outside this range are evaluated without a node set. */
#define SLOT_ZERO  4096
#define SLOTS      (2 * SLOT_ZERO)
#define NO_NODE_SET   (-1)

/* The law whose tensor approximation is in use.  The buffer of its pieces holds:
 *     for each polynomial APPROXIMATION_PAIRS arrays of pairs of coefficients, one pair for each piece;
 *     for each base interval the number of its first piece and log2 of its number of pieces (two ints);
 *     for each piece whether it has an approximation (int). */
#define APPROXIMATION_PAIRS (APPROXIMATION_TERMS / 2)

struct device_approximation {
    struct approximation_frame frame;
    int pieces, only_value;
};

/* Elements that a work group adds in sums over many samples (many.cl): from tensor approximations, and exactly. */
#define MANY_PART       1024
#define MANY_EXACT_PART PARTIAL_SUMS

/* One of many sums (many.cl): over elements first, ..., first + n - 1 of x, with its own law.  Work groups add up
 * `parts` parts of the elements, and write their results from number `part` on.  Its tensor
 * approximation comprises `pieces` pieces of the tables from number `piece` on, stored in the buffer from piece
 * number `offset` on.  Consecutive requests of one shape share them; the first one has all of them built. */
struct device_request {
    struct user_law law;
    int only_value;
    int first, n;
    int part, parts;
    int base;                           /* index of its first base interval in the tables */
    int piece, pieces, offset;
    int built;                          /* pieces that are built for this request: `pieces` or 0 */
    struct approximation_frame frame;
    struct approximation_weights weights;
};

/* The tables (interpolant/table_layout.h) as one buffer: T_k in powers of t; then, beginning at these ints,
 * base intervals (two each), pieces (three each), low and high parts; and, beginning at byte `count`, the
 * counts. */
struct device_tables { int base, piece, low, high, count; };

/* Numbers in the buffer of modes for each mode: itself, and its two derivatives with their errors (slopes.cl). */
#define MODE_NUMBERS 5

/* Number of work-items that compute the derivatives of a mode. */
#define SLOPE_ITEMS 32

/* The job for all elements of a chunk. */
struct device_job {
    int n;                              /* number of elements */
    int pm;
    int what;                           /* wanted values: WANT_... bits */
    int give_log;
    int lower;                          /* for quantiles: p is a lower tail probability */
    int only_no_cell;                   /* skip elements that the previous kernel has completed */
    int is_listed;                      /* process only the elements that the previous kernel has listed */
    int stride[6];                      /* x or p, alpha, beta, gamma, delta, weight: 1, or 0 for a scalar */
    int is_weighted;                    /* for sums */
    int is_ordered;                     /* process the elements in the order that order.cl determines */
    int is_resident;                    /* x is the whole column, not only the part for this chunk */
    int modes;                          /* number of modes that mode.cl computes for the chunk: one for each element, 1
                                           if they share their shape, 0 for none */
    int with_value;                     /* score.cl writes log f and four scores, without that of x */
    uint32 first_low, first_high;       /* index of element 0 in its random stream */
    struct philox_key key;
    struct packed interpolant;          /* of the law that all elements share */
    struct device_approximation approximation;
};

/* The shape that all elements share.  alpha and beta are not checked; the other members are set only if they are
 * in the domain. */
struct device_shape {
    double alpha, beta;
    double mode;                        /* for pm = 2 */
    struct standard law;
    struct tail tail[2];                /* right, left */
    struct draw_law draw;
};

/* A node set (stable/node_set.h) whose n values each of dg, pdf and tail begin at `offset` of a common array. */
struct device_node_set {
    int n, offset;
    struct tail_form tail_form;
    double error, log_G, g_min;
};

/* Number of bins that order.cl sorts into, and of the work-items that add them up. */
#define ORDER_BINS  16384
#define ORDER_ITEMS 256

/* The state of an element; STATE_DONE is 0. */
enum {
    STATE_DONE,
    STATE_MISSING,                      /* its node set is missing and is requested in `missing` */
    STATE_NO_CELL                       /* its argument is in no cell with a slot: its nodes are not stored */
};

/* Counters of a chunk. */
enum { FLAG_NANS, FLAG_MISSING, FLAG_NO_CELL, FLAG_DEFERRED, FLAGS };

#endif
