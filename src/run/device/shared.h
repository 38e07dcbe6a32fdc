/* What host and kernels agree on, read by both compilers.
 *
 * The structs hold doubles and ints only and have one layout on either side.
 */
#ifndef STABLECL_RUN_DEVICE_SHARED_H
#define STABLECL_RUN_DEVICE_SHARED_H

#include "../../stable/random.h"
#include "../../stable/node_set.h"
#include "../../interpolant/packed.h"
#include "../../interpolant/approximation.h"
#include "../../stable/standard.h"
#include "../../stable/user_law.h"

/* The panel of cell `key` (stable/standard.h) has the number slot[key + SLOT_ZERO], or NO_NODE_SET.
 * Places in other cells go without a panel. */
#define SLOT_ZERO  4096
#define SLOTS      (2 * SLOT_ZERO)
#define NO_NODE_SET   (-1)

/* A law whose sketch is in use.  Its pieces are one buffer:
 *     for each polynomial APPROXIMATION_PAIRS arrays of pairs of coefficients, one pair for each piece;
 *     number of the first piece, and the cut, of each base (two ints);
 *     whether a piece is drawn (int). */
#define APPROXIMATION_PAIRS (APPROXIMATION_TERMS / 2)

struct device_approximation {
    struct approximation_frame frame;
    int pieces, only_value;
};

/* One of many sums (many.cl): over elements first, ..., first + n - 1 of x, under a law of its own.  Its sketch holds
 * pieces of the tables from number `piece` on, and lies in the buffer of sketches from piece number `room` on. */
struct device_request {
    struct user_law law;
    int only_value;
    int first, n;
    int base;                           /* number of its first base in the tables */
    int piece, pieces, room;
    struct approximation_frame frame;
    struct approximation_weights weights;
};

/* The tables (interpolant/tensor_tables.h) as one buffer: T_k in powers of t; then, from these ints on, bases (two each), pieces
 * (three each), low and high parts; and, from this byte on, counts. */
struct device_tables { int base, piece, low, high, count; };

/* What is to be done for all elements of a chunk. */
struct device_job {
    int n;                              /* elements */
    int pm;
    int what;                           /* of values: WANT_... */
    int give_log;
    int lower;                          /* of quantiles */
    int only_own;                       /* only elements that the kernel before has not done */
    int stride[6];                      /* x or p, alpha, beta, gamma, delta, weight: 1, or 0 for a scalar */
    int is_weighted;                    /* of sums */
    int is_ordered;                     /* items see to elements in the order of order.cl */
    int is_resident;                    /* x is the whole column, not the chunk's part */
    uint32 first_low, first_high;       /* number of element 0 in its stream */
    struct philox_key key;
    struct packed interpolant;          /* of the law that all elements share */
    struct device_approximation approximation;
};

/* A law that all elements share; alpha and beta are unchecked, and the rest is
 * set only if they are legal. */
struct device_shape {
    double alpha, beta;
    double mode;                        /* for pm = 2 */
    struct standard law;
    struct tail tail[2];                /* right, left */
    struct draw_law draw;
};

/* A panel (stable/node_set.h) whose nodes start at `offset` of a common store: n each of dg, pdf, tail. */
struct device_node_set {
    int n, offset;
    struct form form;
    double error, log_G, g_min;
};

/* Bins that order.cl sorts into, and the items that add them up. */
#define ORDER_BINS  16384
#define ORDER_LANES 256

/* What became of an element; STATE_DONE is 0. */
enum {
    STATE_DONE,
    STATE_MISSING,                      /* its panel is not there: it is asked for in `missing` */
    STATE_OWN                           /* it needs nodes of its own, or is not on the chart */
};

/* Counters of a chunk. */
enum { FLAG_NANS, FLAG_MISSING, FLAG_OWN, FLAG_LEFT, FLAGS };

#endif
