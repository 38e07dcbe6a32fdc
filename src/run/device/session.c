/* The OpenCL backend: converts jobs (run/backend.h) to batches of kernels. */
#include "session.h"
#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "many.h"
#include "pipeline.h"
#include "../../base/memory.h"
#include "../columns.h"

struct session {
    struct store store;
    struct interpolant_copy interpolant_copy;
    struct approximation_copy approximation_copy;
    struct tables_copy tables_copy;
    enum gpu_kernel kernel;             /* kernel of the last batch */
    struct pipeline pipeline;
    struct attachment attachment;
    struct gpu gpu[SELECTION_MAX];
};

static void opencl_close(struct session *s)
{
    if (s->attachment.close) s->attachment.close(&s->gpu[0], s->attachment.state);
    for (int d = 0; d < s->pipeline.count; d++) gpu_close(&s->gpu[d]);
    store_free(&s->store);
    interpolant_copy_free(&s->interpolant_copy);
    approximation_copy_free(&s->approximation_copy);
    tables_copy_free(&s->tables_copy);
    memory_release(s);
}

static struct session *opencl_open(const struct selection *selection, struct status *st)
{
    int known;
    const struct device *devices = devices_list(&known);
    const struct cl_table *cl = opencl_table(st);
    struct session *s = cl ? memory_zeroed(1, sizeof *s) : NULL;

    if (!s) {
        if (cl) fail(st, ST_MEMORY, "no memory for a session");
        return NULL;
    }
    s->pipeline.gpus = s->gpu;
    s->pipeline.store = &s->store;
    for (int d = 0; d < selection->count; d++) {
        s->pipeline.count++;
        if (selection->device[d] >= known) fail(st, ST_DEVICE, "there is no device %d", selection->device[d] + 1);
        else gpu_open(&s->gpu[d], cl, &devices[selection->device[d]], st);
        if (st->code) {
            opencl_close(s);
            return NULL;
        }
    }
    return s;
}

static struct batch batch_of(size_t n, struct column x, const struct laws *l)
{
    struct column none = { NULL, 0 };
    struct batch b = {
        .n = n, .kernel = EVAL_ONE, .own = EVAL_EACH, .column = { x, l->alpha, l->beta, l->gamma, l->delta, none }
    };
    b.job.pm = l->pm;
    return b;
}

/* Discards the measured rates, which hold only for one law and one kernel. */
static void forget_rates(struct session *s)
{
    for (int d = 0; d < s->pipeline.count; d++) {
        s->gpu[d].rate = 0;
        s->gpu[d].last = 0;
    }
}

static int run(struct session *s, struct batch *b, const struct laws *l, enum gpu_kernel one,
               struct slice *slice, struct status *st)
{
    unsigned before = s->store.version;
    int shared = is_one_shape(l);

    if (!shared && l->pm == 2) return fail(st, ST_UNSUPPORTED, "modes are not supported on devices");
    if (store_set(&s->store, shared ? l->alpha.at[0] : 0.0, shared ? l->beta.at[0] : 0.0, l->pm, st))
        return st->code;
    b->kernel = shared ? one : b->own;
    b->interpolant_copy = &s->interpolant_copy;
    b->approximation_copy = &s->approximation_copy;
    if (b->kernel != s->kernel || (shared && before != s->store.version)) forget_rates(s);
    s->kernel = b->kernel;
    return pipeline_run(&s->pipeline, b, slice, st);
}

static int opencl_eval(struct session *s, const struct eval_job *job, struct slice *slice, struct status *st)
{
    struct batch b = batch_of(job->n, job->x, &job->laws);
    double *out[4] = { job->pdf, job->cdf, job->sf, job->error };

    for (int k = 0; k < 4; k++) {
        if (!out[k]) continue;
        b.out[b.outs++] = out[k];
        b.job.what |= 1 << k;
    }
    b.job.give_log = job->give_log;
    b.own = EVAL_EACH;
    int interpolated = interpolant_copy_serves(&s->interpolant_copy, job);
    b.job.interpolant = s->interpolant_copy.head;
    return run(s, &b, &job->laws, interpolated ? EVAL_INTERPOLANT : EVAL_ONE, slice, st);
}

static int opencl_quantile(struct session *s, const struct quantile_job *job, struct slice *slice,
                           struct status *st)
{
    struct batch b = batch_of(job->n, job->p, &job->laws);

    b.out[b.outs++] = job->q;
    b.job.lower = job->lower;
    b.job.give_log = job->log_p;
    b.own = QUANTILE_EACH;
    return run(s, &b, &job->laws, QUANTILE_ONE, slice, st);
}

static int opencl_random(struct session *s, const struct random_job *job, struct slice *slice, struct status *st)
{
    struct column none = { NULL, 0 };
    struct batch b = batch_of(job->n, none, &job->laws);

    b.out[b.outs++] = job->y;
    b.job.key = job->key;
    b.own = RANDOM_EACH;
    return run(s, &b, &job->laws, RANDOM_ONE, slice, st);
}

static int keep_data(struct session *s, unsigned long data, const double *x, size_t n, struct status *st)
{
    for (int d = 0; d < s->pipeline.count; d++)
        if (gpu_keep(&s->gpu[d], data, x, n, st)) return st->code;
    return ST_OK;
}

/* Computes log densities like a job of values, of which only the sums are copied to the host. */
static int opencl_loglik(struct session *s, const struct loglik_job *job, struct slice *slice, struct status *st)
{
    double unused;
    struct batch b = batch_of(job->n, job->x, &job->laws);
    struct eval_job values = { job->ahead, job->x, job->laws, 1, &unused, NULL, NULL, NULL };

    if (keep_data(s, job->data, job->x.at, job->n, st)) return st->code;
    b.column[5] = job->weight;
    b.outs = 1;
    b.sum = &job->block->hi;
    b.sums = sizeof *job->block / sizeof(double);
    b.data = job->data;
    b.job.what = WANT_PDF;
    b.job.give_log = 1;
    int interpolated = interpolant_copy_serves(&s->interpolant_copy, &values);
    b.job.interpolant = s->interpolant_copy.head;
    return run(s, &b, &job->laws, interpolated ? EVAL_INTERPOLANT : EVAL_ONE, slice, st);
}

static void opencl_forget(struct session *s, unsigned long data)
{
    for (int d = 0; d < s->pipeline.count; d++)
        if (s->gpu[d].data_number == data) gpu_forget(&s->gpu[d]);
}

static int opencl_mode(struct session *s, const struct mode_job *job, struct slice *slice, struct status *st)
{
    (void)s;
    (void)job;
    (void)slice;
    return fail(st, ST_UNSUPPORTED, "modes are not supported on devices");
}

static int opencl_score(struct session *s, const struct score_job *job, struct slice *slice, struct status *st)
{
    (void)s;
    (void)job;
    (void)slice;
    return fail(st, ST_UNSUPPORTED, "scores are not supported on devices");
}

/* If a slice fails, the elements that it left to the host are removed from the list, because they are computed
 * again. */
static int opencl_approximate(struct session *s, const struct approximate_job *job, struct slice *slice,
                              struct status *st)
{
    struct batch b = batch_of(job->n, job->x, &job->laws);
    size_t before = job->left ? job->left->count : 0;

    if (!approximation_copy_serves(&s->approximation_copy, job))
        return fail(st, ST_UNSUPPORTED, "the device has no approximation of the distribution");
    if (keep_data(s, job->data, job->x.at, job->n, st)) return st->code;
    b.column[5] = job->weight;
    b.sum = job->sum;
    b.sums = APPROXIMATE_SUMS;
    b.left = job->left;
    b.data = job->data;
    b.job.approximation = s->approximation_copy.head;
    if (run(s, &b, &job->laws, APPROXIMATE_SUMS_OF_BLOCKS, slice, st)) job->left->count = before;
    return st->code;
}

static int opencl_logliks(struct session *s, const struct logliks_job *job, struct slice *slice, struct status *st)
{
    (void)s;
    (void)job;
    (void)slice;
    return fail(st, ST_UNSUPPORTED, "log-likelihoods of many distributions are not supported on devices");
}

static int opencl_many(struct session *s, const struct many_job *job, struct slice *slice, struct status *st)
{
    if (!tables_copy_update(&s->tables_copy)) return fail(st, ST_UNSUPPORTED, "the device has no tables");
    if (keep_data(s, job->data, job->x.at, job->x.length, st)) return st->code;
    for (int d = 0; d < s->pipeline.count; d++)
        if (!gpu_has(&s->gpu[d], job->data)) return fail(st, ST_UNSUPPORTED, "the samples exceed the device memory");
    return many_run(s->gpu, s->pipeline.count, &s->tables_copy, job, slice, st);
}

struct gpu *session_gpu(struct session *s)
{
    return &s->gpu[0];
}

struct attachment *session_attachment(struct session *s)
{
    return &s->attachment;
}

const struct backend opencl_backend = {
    "opencl", opencl_open, opencl_close, opencl_eval, opencl_quantile, opencl_random, opencl_mode,
    opencl_score, opencl_loglik, opencl_approximate, opencl_logliks, opencl_many, opencl_forget
};

#endif
