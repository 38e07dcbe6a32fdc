#include "../../opencl/headers.h"
#ifdef STABLECL_OPENCL
#include "pipeline.h"
#include "chunk.h"
#include "../../opencl/devices.h"
#include "../../base/threads.h"

/* Elements of a chunk: few at first, since the cost per element is unknown; then as many as take CHUNK_SECONDS,
 * growing at most by the factor GROWTH.  A GPU needs about 300000 elements to be fully occupied.  On a CPU
 * device the limit is lower, so that a sudden run of the most expensive elements does not take long. */
#define CHUNK_FIRST   4096
#define CHUNK_MAX     (1 << 20)
#define CHUNK_INTERPOLANT   (1 << 22)         /* starting a kernel takes as long as a million elements */
#define CHUNK_MAX_CPU (1 << 15)
#define CHUNK_DATA    (1 << 24)         /* only sums are returned, and the device holds x */
#define CHUNK_SECONDS 0.05
#define GROWTH        8

/* Returns the size of the next chunk, a multiple of the block size (special/compensated_sum.h) except for the
 * last chunk. */
static int chunk_size(const struct gpu *g, const struct batch *b, size_t left)
{
    double most = b->kernel == EVAL_INTERPOLANT ? CHUNK_INTERPOLANT : CHUNK_MAX;
    if (gpu_has(g, b->data)) most = CHUNK_DATA;
    if (g->device->is_cpu) most = CHUNK_MAX_CPU;
    double size = g->last == 0 ? CHUNK_FIRST : GROWTH * (double)g->last;
    if (g->rate > 0 && size > g->rate * CHUNK_SECONDS) size = g->rate * CHUNK_SECONDS;
    if (size < CHUNK_FIRST) size = CHUNK_FIRST;
    if (size > most) size = most;
    return (double)left < size ? (int)left : (int)size / TOTAL_BLOCK * TOTAL_BLOCK;
}

static struct lane *free_lane(struct gpu *g)
{
    for (int i = 0; i < GPU_LANES; i++)
        if (!g->lane[i].done) return &g->lane[i];
    return NULL;
}

/* TRUE if a chunk may be issued.  Only one chunk is in progress while the rate is unknown, since the next one
 * would be as small, and while profiling is on, since overlapping kernels cannot be timed separately. */
static int may_issue(const struct gpu *g)
{
    if (g->last > 0 && g->rate > 0 && !profile_of_process()->on) return 1;
    for (int i = 0; i < GPU_LANES; i++) if (g->lane[i].done) return 0;
    return 1;
}

static int issue(struct pipeline *p, const struct batch *b, size_t *next, struct status *st)
{
    for (int d = 0; d < p->count; d++) {
        struct gpu *g = &p->gpus[d];
        struct lane *lane;
        while (*next < b->n && may_issue(g) && (lane = free_lane(g))) {
            int count = chunk_size(g, b, b->n - *next);
            lane->turn = p->turn++;
            if (chunk_issue(g, lane, p->store, b, *next, count, st)) return st->code;
            g->last = count;
            *next += (size_t)count;
        }
    }
    return ST_OK;
}

static int is_complete(const struct gpu *g, const struct lane *lane)
{
    cl_int status = CL_QUEUED;
    cl_int e = g->cl->GetEventInfo(lane->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    return e != CL_SUCCESS || status <= CL_COMPLETE;  /* errors are reported when it is waited for */
}

/* Returns the lane to complete next: one that has finished, else the oldest; NULL if no chunk is in progress. */
static struct lane *next_lane(struct pipeline *p, struct gpu **of)
{
    struct lane *oldest = NULL;
    for (int d = 0; d < p->count; d++) {
        for (int i = 0; i < GPU_LANES; i++) {
            struct lane *lane = &p->gpus[d].lane[i];
            if (!lane->done || (oldest && oldest->turn < lane->turn)) continue;
            oldest = lane;
            *of = &p->gpus[d];
        }
    }
    for (int d = 0; d < p->count && p->count > 1; d++) {
        for (int i = 0; i < GPU_LANES; i++) {
            struct lane *lane = &p->gpus[d].lane[i];
            if (!lane->done || !is_complete(&p->gpus[d], lane)) continue;
            *of = &p->gpus[d];
            return lane;
        }
    }
    return oldest;
}

static void measure(struct gpu *g, const struct lane *lane)
{
    double now = threads_clock(), from = g->completed > lane->issued ? g->completed : lane->issued;
    if (now > from) g->rate = lane->job.n / (now - from);
    g->completed = now;
}

/* Abandons the chunks in progress and releases their events. */
static void abandon(struct pipeline *p)
{
    for (int d = 0; d < p->count; d++)
        for (int i = 0; i < GPU_LANES; i++) chunk_abandon(&p->gpus[d], &p->gpus[d].lane[i]);
}

int pipeline_run(struct pipeline *p, const struct batch *b, struct slice *slice, struct status *st)
{
    double stop = threads_clock() + slice->seconds;
    size_t next = slice->first;
    struct gpu *g = NULL;
    struct lane *lane;

    for (;;) {
        if ((next == slice->first || threads_clock() < stop) && issue(p, b, &next, st)) break;
        lane = next_lane(p, &g);
        if (!lane) {
            slice->done = next - slice->first;
            return ST_OK;
        }
        if (chunk_complete(g, lane, p->store, b, &slice->nans, st)) break;
        measure(g, lane);
    }
    abandon(p);
    return st->code;
}

#endif
