/* What a fit has asked so far, and the answers.
 *
 * A fit is written as if every sum were there when it is asked for.  Where many are in flight (lockstep.h) each is
 * begun anew once its last question is answered: it reads what it asks from the script, in the same order, up to a
 * question that is new, which ends it with ST_AWAITED.  Its own steps take a microsecond each, a sum some fifty.
 */
#ifndef STABLECL_FIT_REPLAY_LOG_H
#define STABLECL_FIT_REPLAY_LOG_H

#include "../run/backend.h"

/* Sums of approximate_job, the first of them alone, the exact log-likelihood; or the fit goes on only where whatever it
 * wants is computed at once. */
enum { ASKS_SUMS, ASKS_VALUE, ASKS_EXACTLY, ASKS_HOST };

struct replay_log {
    double (*sum)[APPROXIMATE_SUMS];    /* the answers */
    size_t count, room, at;             /* how many there are, there is room for, were read */
    struct many_request *question;      /* those that are new, but for their sample */
    size_t questions, question_room;
    int what;                           /* of which kind they are */
    int is_on_cpu;                      /* does the fit compute what is not in the script? */
};

/* From the beginning, with nothing asked that was not answered. */
void replay_begin(struct replay_log *);

/* Is there an answer that was not read yet? */
static inline int replay_knows(const struct replay_log *s) { return s->at < s->count; }

/* 0: there is no answer yet. */
int replay_read(struct replay_log *, int what, double *sum);

/* One more question.  Returns ST_AWAITED, or the code of a failure. */
int replay_ask(struct replay_log *, const struct laws *, int what, struct status *);

/* The answer to the next question. */
int replay_answer(struct replay_log *, const double *sum, struct status *);

void replay_free(struct replay_log *);

#endif
