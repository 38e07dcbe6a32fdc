/* The OpenCL backend: converts jobs (run/job.h) to batches of kernels. */
#include "../job.h"
#include "../../opencl/devices.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "../../base/memory.h"
#include "../columns.h"

struct session {
    struct store store;
    struct interpolant_copy interpolant_copy;
    struct approximation_copy approximation_copy;
    struct tables_copy tables_copy;
    struct encoded_copy encoded_copy;
    enum gpu_kernel kernel;             /* kernel of the last batch */
    struct pipeline pipeline;
    struct attachment attachment[SELECTION_MAX];
    struct gpu gpu[SELECTION_MAX];
};

static void opencl_close(struct session *s)
{
    for (int d = 0; d < s->pipeline.count; d++) {
        struct attachment *a = &s->attachment[d];
        if (a->close) a->close(&s->gpu[d], a->state);
        gpu_close(&s->gpu[d]);
    }
    store_free(&s->store);
    interpolant_copy_free(&s->interpolant_copy);
    approximation_copy_free(&s->approximation_copy);
    tables_copy_free(&s->tables_copy);
    encoded_copy_free(&s->encoded_copy);
    memory_release(s);
}

static struct session *opencl_open(const struct selection *selection, struct status *st)
{
    int known;
    const struct device *devices = devices_list(&known);
    struct session *s = opencl_table(0, st) ? memory_zeroed(1, sizeof *s) : NULL;

    if (!s) {
        if (!st->code) fail(st, ST_MEMORY, "no memory for a session");
        return NULL;
    }
    s->pipeline.gpus = s->gpu;
    s->pipeline.store = &s->store;
    s->pipeline.count = selection->count;
    for (int d = 0; d < selection->count && !st->code; d++) {
        int index = selection->device[d];
        if (index >= known) fail(st, ST_DEVICE, "there is no device %d", index + 1);
        else if (gpu_open(&s->gpu[d], opencl_table(index, st), &devices[index], st)) session_name_failure(s, d, st);
    }
    if (!st->code) return s;
    opencl_close(s);
    return NULL;
}

/* TRUE if an element costs the same for every law. */
static int has_fixed_cost(enum gpu_kernel k)
{
    return k == APPROXIMATE_SUMS_OF_BLOCKS;
}

/* Discards the measured rates, which hold for one kernel and, unless its cost is fixed, for one law. */
static void forget_rates(struct session *s)
{
    for (int d = 0; d < s->pipeline.count; d++) {
        s->gpu[d].rate = 0;
        s->gpu[d].last = 0;
    }
}

/* The kernels of a quantity: for elements that share (alpha, beta), and for elements that do not. */
struct kernels { int exist; enum gpu_kernel one, each; };

static const struct kernels kernels_of[QUANTITIES] = {
    [JOB_VALUES]      = { 1, EVAL_ONE, EVAL_EACH },
    [JOB_QUANTILES]   = { 1, QUANTILE_ONE, QUANTILE_EACH },
    [JOB_VARIATES]    = { 1, RANDOM_ONE, RANDOM_EACH },
    [JOB_MODES]       = { 1, MODE_EACH, MODE_EACH },
    [JOB_SCORES]      = { 1, SCORE_EACH, SCORE_EACH },
    [JOB_LOGLIK]      = { 1, EVAL_ONE, EVAL_EACH },
    [JOB_APPROXIMATE] = { 1, APPROXIMATE_SUMS_OF_BLOCKS, EVAL_EACH }
};

/* A column that all devices are to keep. */
struct kept_column { struct session *session; unsigned long number; struct column x; struct stop_flag stop; };

static void keep_on_device(void *context, int device)
{
    struct kept_column *c = context;
    struct status local = { ST_OK, "" };

    if (!gpu_keep_data(&c->session->gpu[device], c->number, c->x.at, c->x.length, &local)) return;
    session_name_failure(c->session, device, &local);
    stop_all(&c->stop, local.code, local.message);
}

/* Copies a column to the devices that do not have it yet, to all of them at a time. */
static int keep_data(struct session *s, unsigned long data, const double *x, size_t n, struct status *st)
{
    struct kept_column c = { s, data, { x, n }, { .st = st } };
    int has = 0;

    for (int d = 0; d < s->pipeline.count; d++) has += gpu_has_data(&s->gpu[d], data);
    if (data && has < s->pipeline.count) parallel_each(s->pipeline.count, keep_on_device, &c);
    return st->code;
}

/* Returns the kernel of a job.  has_tables: the law has a tensor approximation. */
static enum gpu_kernel kernel_of(const struct element_job *job, int has_tables)
{
    const struct kernels *k = &kernels_of[job->quantity];
    if (job->quantity == JOB_APPROXIMATE && job->out[0]) return has_tables ? APPROXIMATE_ROWS : SCORE_EACH;
    return is_one_shape(&job->laws) ? k->one : k->each;
}

/* Sums of log densities are computed like values, of which only the sums are copied to the host. */
static struct batch batch_of(struct session *s, const struct element_job *job)
{
    const struct laws *l = &job->laws;
    int is_loglik = job->quantity == JOB_LOGLIK;
    struct batch b = {
        .n = job->n, .each = kernels_of[job->quantity].each, .sum = job->sum, .sums = job->sum ? sums_of_block(job) : 0,
        .column = { job->x, l->alpha, l->beta, l->gamma, l->delta, job->weight },
        .deferred = job->deferred, .data = job->data,
        .interpolant = &s->interpolant_copy.input, .approximation = &s->approximation_copy.input,
        .job = {
            .pm = l->pm, .what = is_loglik ? WANT_PDF : 0, .give_log = is_loglik || job->give_log, .lower = job->lower,
            .key = job->key, .interpolant = s->interpolant_copy.head, .approximation = s->approximation_copy.head
        }
    };
    for (int k = 0; k < OUTPUTS; k++) {
        if (!job->out[k]) continue;
        b.out[b.outs++] = job->out[k];
        b.job.what |= 1 << k;
    }
    if (is_loglik) b.outs = 1;
    b.needs_slopes = l->pm == 2 && (job->quantity == JOB_SCORES || job->quantity == JOB_APPROXIMATE);
    b.needs_modes = job->quantity == JOB_MODES ? l->pm != 2 : b.needs_slopes || (l->pm == 2 && !is_one_shape(l));
    b.job.with_value = job->quantity == JOB_APPROXIMATE;
    return b;
}

static int run_batch(struct session *s, const struct element_job *job, int has_tables, struct slice *slice,
                     struct status *st)
{
    const struct laws *l = &job->laws;
    unsigned before = s->store.version;
    int shared = is_one_shape(l), is_interpolated = interpolant_copy_update(&s->interpolant_copy, job);
    struct batch b = batch_of(s, job);

    if (store_set(&s->store, shared ? l->alpha.at[0] : 0.0, shared ? l->beta.at[0] : 0.0, l->pm, st))
        return st->code;
    b.kernel = b.retry = kernel_of(job, has_tables);
    if (is_interpolated) b.kernel = job->quantity == JOB_QUANTILES ? QUANTILE_INTERPOLANT : EVAL_INTERPOLANT;
    if (b.kernel != s->kernel || (!has_fixed_cost(b.kernel) && shared && before != s->store.version)) forget_rates(s);
    s->kernel = b.kernel;
    if (pipeline_run(&s->pipeline, &b, slice, st)) session_name_failure(s, s->pipeline.at, st);
    return st->code;
}

/* If a slice fails, the elements that it left to the host are removed from the list, because they are computed
 * again. */
static int opencl_run(struct session *s, const struct element_job *job, struct slice *slice, struct status *st)
{
    size_t before = job->deferred ? job->deferred->count : 0;
    int is_approximate = job->quantity == JOB_APPROXIMATE;

    if (job->precision == PRECISION_SINGLE)
        return single_run(s, &s->encoded_copy, &s->interpolant_copy, job, slice, st);
    int has_tables = is_approximate && approximation_copy_update(&s->approximation_copy, job);

    if (!kernels_of[job->quantity].exist || job->first)
        return fail(st, ST_UNSUPPORTED, "devices do not compute this quantity");
    if (is_approximate && !has_tables && !job->out[0])
        return fail(st, ST_UNSUPPORTED, "the device has no approximation of the distribution");
    if (keep_data(s, job->data, job->x.at, job->n, st)) return st->code;
    if (run_batch(s, job, has_tables, slice, st) && job->deferred) job->deferred->count = before;
    return st->code;
}

static void opencl_forget(struct session *s, unsigned long data)
{
    for (int d = 0; d < s->pipeline.count; d++)
        if (s->gpu[d].data_number == data) gpu_discard_data(&s->gpu[d]);
}

static int opencl_many(struct session *s, const struct many_job *job, struct slice *slice, struct status *st)
{
    if (!tables_copy_update(&s->tables_copy)) return fail(st, ST_UNSUPPORTED, "the device has no tables");
    if (keep_data(s, job->data, job->x.at, job->x.length, st)) return st->code;
    for (int d = 0; d < s->pipeline.count; d++)
        if (!gpu_has_data(&s->gpu[d], job->data))
            return fail(st, ST_UNSUPPORTED, "the samples exceed the device memory");
    return many_run(s, &s->tables_copy, job, slice, st);
}

int session_devices(const struct session *s)
{
    return s->pipeline.count;
}

struct gpu *session_gpu(struct session *s, int device)
{
    return &s->gpu[device];
}

struct attachment *session_attachment(struct session *s, int device)
{
    return &s->attachment[device];
}

int session_name_failure(struct session *s, int device, struct status *st)
{
    struct status original = *st;
    int count;
    const struct device *all = devices_list(&count), *d = s->gpu[device].device;

    if (st->code != ST_DEVICE || s->pipeline.count == 1) return st->code;
    return fail(st, original.code, "opencl:%d '%s': %.800s", (int)(d - all) + 1, d->name, original.message);
}

const struct backend opencl_backend = {
    "opencl", opencl_open, opencl_close, opencl_run, opencl_many, opencl_forget
};

#else

static struct session *absent_open(const struct selection *selection, struct status *st)
{
    (void)selection;
    fail(st, ST_DEVICE, "%s", devices_note());
    return NULL;
}

const struct backend opencl_backend = { .name = "opencl", .open = absent_open };

#endif
