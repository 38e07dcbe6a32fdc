/* The sums that a fit has requested so far.
 *
 * A fit is written as if every sum were available at once.  When many fits are in progress (lockstep.c), a fit is
 * restarted after its last request has been answered: it reads the sums from the log, in the same order, up to the
 * first request that is new, which ends it with ST_AWAITED.  Its own steps take a microsecond each, a sum about fifty.
 */
#ifndef STABLECL_FIT_REPLAY_LOG_H
#define STABLECL_FIT_REPLAY_LOG_H

#include "../run/backend.h"

/* Kinds of requests: all sums of JOB_APPROXIMATE; only the first of them; the exact log-likelihood; or, for
 * REQUEST_HOST, the fit can continue on the CPU only, where all sums are computed immediately. */
enum { REQUEST_SUMS, REQUEST_VALUE, REQUEST_EXACTLY, REQUEST_HOST };

struct replay_log {
    double (*sum)[APPROXIMATE_SUMS];    /* the answers */
    size_t count, room, at;             /* number of answers, of those there is room for, of those read */
    struct many_request *replay_entry;  /* the new requests, without their samples */
    size_t requests_so_far, question_room;  /* their number, and the number there is room for */
    int what;                           /* their kind */
    int is_on_cpu;                      /* TRUE if the fit computes the sums that are not in the log */
};

/* Restarts reading at the first answer, and removes all requests. */
void replay_begin(struct replay_log *);

/* TRUE if an answer has not been read yet. */
static inline int replay_has(const struct replay_log *s) { return s->at < s->count; }

/* Reads the next answer.  Returns 0 if there is none. */
int replay_read(struct replay_log *, int what, double *sum);

/* Adds a request.  Returns ST_AWAITED, or the code of a failure. */
int replay_request(struct replay_log *, const struct laws *, int what, struct status *);

/* Adds the answer to the next request. */
int replay_supply(struct replay_log *, const double *sum, struct status *);

void replay_free(struct replay_log *);

#endif
