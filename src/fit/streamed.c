/* The fit of a sample that is not in memory.
 *
 * The caller fits a part of the sample, and computes each sum over all values that the search from there requests: in
 * one pass over the sample for all sums of a kind that are requested together.  The fit is restarted after each pass
 * and reads the sums so far from the replay log (evaluate.h), so that no state is kept between the calls.
 */
#include <string.h>
#include "fit.h"
#include "../base/parallel.h"

/* Fills the replay log with the answers. */
static int fill(struct replay_log *log, size_t answers, double (*answer)[APPROXIMATE_SUMS], struct status *st)
{
    log->what = REQUEST_SUMS;
    for (size_t i = 0; i < answers; i++)
        if (replay_add_answer(log, answer[i], st)) return st->code;
    replay_begin(log);
    return ST_OK;
}

/* Copies the requests of the replay log. */
static int copy_requests(const struct replay_log *log, struct streamed_requests *r, struct status *st)
{
    if (log->what == REQUEST_HOST)
        return fail(st, ST_UNSUPPORTED, "alpha is too small for a sample that is not in memory; fit a part of it");
    if (log->requests_so_far > MAX_STREAMED) return fail(st, ST_UNSUPPORTED, "too many sums at a time");
    r->count = (int)log->requests_so_far;
    r->what = log->what;
    memcpy(r->request, log->replay_entry, log->requests_so_far * sizeof *r->request);
    return ST_OK;
}

int fit_streamed(const struct streamed_data *d, const struct fit_preference *w, size_t answers,
                 double (*answer)[APPROXIMATE_SUMS], struct streamed_requests *requests, struct fit_result *r,
                 poll_function poll, struct status *st)
{
    struct stop_flag stop = { .poll = poll, .st = st };
    struct replay_log log = { .count = 0 };
    struct prepared_fit c;
    struct fitter f;

    requests->count = 0;
    if (fitter_begin(&f, st)) return st->code;
    fitter_attach(&f, &stop);
    if (!fill(&log, answers, answer, st) && !fit_prepare_streamed(&f, d, w, &c, r, st) && !r->trouble) {
        f.evaluator.replay_log = &log;
        fit_finish(&f.evaluator, &c, w, r, st);
        if (st->code == ST_AWAITED) {
            st->code = ST_OK;
            copy_requests(&log, requests, st);
        }
    }
    replay_free(&log);
    fitter_end(&f);
    return st->code;
}
