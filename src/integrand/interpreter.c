/* The interpreter: runs the program of an integrand, one instruction at a time, over the points of a block, at most
 * BLOCK, which are filled up to a multiple of LANES.
 *
 * All threads share the program, its constants and its laws; each thread has its own registers.  The value at a point
 * depends only on that point and its parameters, not on the other points of the block.
 */
#include <string.h>
#include "sampler.h"
#include "../base/memory.h"

/* --- the operations of operations.h, applied to the values of registers ------------------ */

#define LANES 8
#if BLOCK % LANES
#  error "a block must be a multiple of LANES"
#endif

/* n: a multiple of LANES.  r must not overlap a, b or c.  A binary operation has one kernel for two registers, one for
 * a register and a number, and one for a number and a register.  Unary and ternary operations take registers only. */
typedef void (*kernel)(const double *a, const double *b, const double *c, double *r, int n);

struct kernels {
    int arity;
    kernel all, second_number, first_number;
};

/* The table of operations is expanded into loops over a block, which a compiler can vectorise.  It can see that no
 * points are left over. */
#define EACH_LANE(k, n) for (int k = 0; k < (n & -LANES); k++)
#define VALUES const double *restrict x, const double *restrict y, const double *restrict z, double *restrict r, int n
#define UNUSED2 (void)y; (void)z
#define UNUSED1 (void)z

#define KERNELS_1(name, value) \
    WIDE void name##_all(VALUES) \
    { UNUSED2; EACH_LANE(k, n) { double a = x[k]; r[k] = value; } }

#define KERNELS_2(name, value) \
    WIDE void name##_all(VALUES) \
    { UNUSED1; EACH_LANE(k, n) { double a = x[k], b = y[k]; r[k] = value; } } \
    WIDE void name##_second(VALUES) \
    { UNUSED1; double b = *y; EACH_LANE(k, n) { double a = x[k]; r[k] = value; } } \
    WIDE void name##_first(VALUES) \
    { UNUSED1; double a = *x; EACH_LANE(k, n) { double b = y[k]; r[k] = value; } }

#define KERNELS_3(name, value) \
    WIDE void name##_all(VALUES) \
    { EACH_LANE(k, n) { double a = x[k], b = y[k], c = z[k]; r[k] = value; } }

#define MAKE_KERNELS(name, in_r, arity, value) KERNELS_##arity(name, value)
OPERATIONS(MAKE_KERNELS)

/* Sine and cosine are vectorised if special/elementary.h can reduce all angles of a block.  If any angle is larger, the
 * values are computed one at a time; those of the other angles stay the same. */
WIDE void sin_vectorised(const double *restrict x, double *restrict r, int n)
{
    EACH_LANE(k, n) r[k] = sin_near(x[k], 0);
}

WIDE void cos_vectorised(const double *restrict x, double *restrict r, int n)
{
    EACH_LANE(k, n) r[k] = sin_near(x[k], 1);
}

WIDE int angles_are_small(const double *restrict x, int n)
{
    uint64 all = mask_of(1);
    EACH_LANE(k, n) all &= mask_of(fabs(x[k]) <= ANGLE_MAX);
    return all != 0;
}

static void sin_block(VALUES)
{
    if (angles_are_small(x, n)) sin_vectorised(x, r, n);
    else SIN_all(x, y, z, r, n);
}

static void cos_block(VALUES)
{
    if (angles_are_small(x, n)) cos_vectorised(x, r, n);
    else COS_all(x, y, z, r, n);
}

/* Powers are vectorised if all pairs of a block lie in the domain of power_positive().  Otherwise they are computed one
 * at a time; the values of pairs within the domain stay the same. */
WIDE void pow_vectorised(const double *restrict x, const double *restrict y, double *restrict r, int n)
{
    EACH_LANE(k, n) r[k] = power_positive(x[k], y[k]);
}

WIDE int are_in_power_domain(const double *restrict x, const double *restrict y, int n)
{
    uint64 all = mask_of(1);
    EACH_LANE(k, n) all &= power_domain(x[k], y[k]);
    return all != 0;
}

static const double *repeated(double *buffer, const double *value, int n)
{
    EACH_LANE(k, n) buffer[k] = *value;
    return buffer;
}

static void pow_block(VALUES)
{
    if (are_in_power_domain(x, y, n)) pow_vectorised(x, y, r, n);
    else POW_all(x, y, z, r, n);
}

static void pow_second(VALUES)
{
    double buffer[BLOCK];
    if (are_in_power_domain(x, repeated(buffer, y, n), n)) pow_vectorised(x, buffer, r, n);
    else POW_second(x, y, z, r, n);
}

static void pow_first(VALUES)
{
    double buffer[BLOCK];
    if (are_in_power_domain(repeated(buffer, x, n), y, n)) pow_vectorised(buffer, y, r, n);
    else POW_first(x, y, z, r, n);
}

#define ENTRY_1(name, all) { 1, all, NULL, NULL }
#define ENTRY_2(name, all) { 2, all, name##_second, name##_first }
#define ENTRY_3(name, all) { 3, all, NULL, NULL }

#define ALL_OF(name) name##_all
#define MAKE_ENTRY(name, in_r, arity, value) [OP_##name] = ENTRY_##arity(name, ALL_OF(name)),

#define SIN_all sin_block
#define COS_all cos_block
#define POW_all pow_block
#define POW_second pow_second
#define POW_first  pow_first
static const struct kernels kernels_of[OP_COUNT] = { OPERATIONS(MAKE_ENTRY) };

/* --- one thread --------------------------------------------------------------------------- */

struct interpreter {
    const struct program *program;
    const double *pool;
    const struct laws_built *laws;
    struct worker *worker;              /* evaluates the laws; NULL if there are none */
    double *file;                       /* the registers, then three blocks for copies of constants */
    double *values;                     /* of all components, a block for each; NULL if there is only one */
    struct stop_flag *stop_flag;
    int is_stopped, n;                  /* n: points of this run, filled up */
    long work;                          /* instructions since the stop flag was last tested */
};

/* Instructions between two tests of the stop flag; most programs run them in a millisecond or less.  Only loops and
 * laws whose parameters differ from point to point take long; for other programs, the caller tests the flag between
 * runs. */
#define TEST_INTERVAL 4096

static void interpreter_free(struct interpreter *m)
{
    if (!m) return;
    laws_worker_free(m->worker);
    memory_release(m->file);
    memory_release(m->values);
    memory_release(m);
}

/* Allocates the interpreter of one thread; NULL if memory is short. */
static struct interpreter *interpreter_new(const struct program *p, const double *pool, const struct laws_built *laws,
                                           struct stop_flag *stop_flag)
{
    struct interpreter *m = memory_zeroed(1, sizeof *m);
    if (!m) return NULL;
    m->program = p;
    m->pool = pool;
    m->laws = laws;
    m->stop_flag = stop_flag;
    m->file = memory_zeroed(((size_t)p->registers + 3) * BLOCK, sizeof *m->file);
    if (p->components > 1) m->values = memory_allocate((size_t)p->components * BLOCK * sizeof *m->values);
    if (p->laws) m->worker = laws_worker();
    if (m->file && (m->worker || !p->laws) && (m->values || p->components == 1)) return m;
    interpreter_free(m);
    return NULL;
}

/* Returns the array to which the caller writes the values of an input. */
static double *interpreter_input(struct interpreter *m, int input)
{
    return m->file + (size_t)input * BLOCK;
}

/* Returns the values of a register, or block number `spare` filled with the value of a pool. */
static const double *operand_values(struct interpreter *m, int operand, int spare)
{
    double *block = m->file + ((size_t)m->program->registers + spare) * BLOCK;
    if (operand >= 0) return m->file + (size_t)operand * BLOCK;
    for (int k = 0; k < m->n; k++) block[k] = m->pool[~operand];
    return block;
}

static int any_true(const double *a, int n)
{
    for (int k = 0; k < n; k++)
        if (a[k] != 0.0 && a[k] == a[k]) return 1;
    return 0;
}

static void run_operation(struct interpreter *m, const struct instruction *at, double *r)
{
    const struct kernels *k = &kernels_of[at->op];

    if (k->arity == 2 && at->a < 0 && at->b >= 0)
        k->first_number(&m->pool[~at->a], interpreter_input(m, at->b), NULL, r, m->n);
    else if (k->arity == 2 && at->a >= 0 && at->b < 0)
        k->second_number(interpreter_input(m, at->a), &m->pool[~at->b], NULL, r, m->n);
    else {
        const double *a = operand_values(m, at->a, 0), *b = NULL, *c = NULL;
        if (k->arity > 1) b = operand_values(m, at->b, 1);
        if (k->arity > 2) c = operand_values(m, at->c, 2);
        k->all(a, b, c, r, m->n);
    }
}

static void pad_inputs(struct interpreter *m, int count)
{
    for (int i = 0; i < m->program->inputs; i++) {
        double *x = interpreter_input(m, i);
        for (int k = count; k < m->n; k++) x[k] = x[count - 1];
    }
}

/* TRUE if the run must stop.  Adds `work` to the count of instructions, and tests the flag after every TEST_INTERVAL.
 * */
static int is_stopped(struct interpreter *m, long work)
{
    m->work += work;
    if (m->work < TEST_INTERVAL || m->is_stopped) return m->is_stopped;
    m->work = 0;
    return m->is_stopped = is_stop_requested(m->stop_flag);
}

/* Evaluates a law at the points of a block.  If its parameters differ from point to point, one value may take a second,
 * so the stop flag is tested before each. */
static void run_law(struct interpreter *m, const struct instruction *at, const double *x, double *r)
{
    const struct law_use *use = &m->program->law[at->b];
    struct column parameter[4];

    for (int k = 0; k < 4; k++) {
        int operand = use->operand[k];
        parameter[k].at = operand < 0 ? &m->pool[~operand] : interpreter_input(m, operand);
        parameter[k].length = operand < 0 ? 1 : BLOCK;
    }
    int part = use->constant[0] < 0 ? 1 : m->n, work = use->constant[0] < 0 ? TEST_INTERVAL : m->n;
    for (int from = 0; from < m->n && !is_stopped(m, work); from += part)
        laws_values(m->laws, at->b, m->worker, x, parameter, from, from + part, r);
}

/* Runs instruction i, one of enum special.  Returns the index of the instruction after which the run continues;
 * p->count if the run must stop. */
static int run_special(struct interpreter *m, int i)
{
    const struct program *p = m->program;
    const struct instruction *at = &p->code[i];
    double *r = interpreter_input(m, at->r);
    const double *a = at->op == OP_LOOP || at->op == OP_NEXT ? NULL : operand_values(m, at->a, 0);

    switch (at->op) {
    case OP_SKIP: return any_true(a, m->n) ? i : at->b - 1;
    case OP_LOOKUP:
        for (int k = 0; k < m->n; k++) r[k] = lookup(&p->table[at->b], a[k]);
        return i;
    case OP_COPY:
        memmove(r, a, (size_t)m->n * sizeof *r);
        return i;
    case OP_LOOP:
        for (int k = 0; k < m->n; k++) r[k] = 1.0;
        return i;
    case OP_NEXT:
        if (r[0] >= at->c) return i;
        if (is_stopped(m, i - at->b)) return p->count;
        for (int k = 0; k < m->n; k++) r[k] += 1.0;
        return at->b;
    default:
        run_law(m, at, a, r);
        return i;
    }
}

/* Returns the values of the integrand at count <= BLOCK points, which are valid until the next call.  Fills the inputs
 * up itself.  Returns NULL if the stop flag was set; the flag is tested in loops and between the values of a
 * stable law. */
static const double *interpreter_run(struct interpreter *m, int count)
{
    const struct program *p = m->program;

    m->n = (count + LANES - 1) & -LANES;
    pad_inputs(m, count);
    for (int i = 0; i < p->count; i++) {
        const struct instruction *at = &p->code[i];
        if (at->op < OP_COUNT) run_operation(m, at, interpreter_input(m, at->r));
        else i = run_special(m, i);
    }
    if (m->is_stopped) return NULL;
    if (p->components == 1) return operand_values(m, p->result[0], 0);
    for (int c = 0; c < p->components; c++)
        memcpy(m->values + (size_t)c * BLOCK, operand_values(m, p->result[c], 0), (size_t)count * sizeof *m->values);
    return m->values;
}

/* --- one interpreter for each thread, presented as a sampler ------------------------------- */

struct interpreter_pool {
    int count;
    struct stop_flag stop_flag;         /* the stop flag of the runs in all threads */
    struct laws_built *laws;
    struct interpreter *interpreter[];
};

void interpreters_close(struct interpreter_pool *c)
{
    if (!c) return;
    for (int i = 0; i < c->count; i++) interpreter_free(c->interpreter[i]);
    laws_free(c->laws);
    memory_release(c);
}

int interpreters_open(const struct program *p, double *pool, int threads, poll_function poll,
                      struct interpreter_pool **made, struct status *st)
{
    struct interpreter_pool *c = memory_zeroed(1, sizeof *c + (size_t)threads * sizeof c->interpreter[0]);

    *made = c;
    if (!c) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    c->stop_flag.poll = poll;
    program_prelude(p, pool);
    if (laws_build(p, pool, &c->laws, st)) return st->code;
    for (; c->count < threads; c->count++) {
        c->interpreter[c->count] = interpreter_new(p, pool, c->laws, &c->stop_flag);
        if (!c->interpreter[c->count]) return fail(st, ST_MEMORY, "no memory for %d threads", threads);
    }
    return ST_OK;
}

void interpreters_until(struct interpreter_pool *c, double until)
{
    c->stop_flag.until = until;
}

static double *input(void *self, int thread, int k)
{
    struct interpreter_pool *c = self;
    return interpreter_input(c->interpreter[thread], k);
}

static const double *run(void *self, int thread, int count)
{
    struct interpreter_pool *c = self;
    return interpreter_run(c->interpreter[thread], count);
}

struct sampler interpreters_sampler(struct interpreter_pool *c)
{
    const struct program *p = c->interpreter[0]->program;
    double seconds = p->work * OPERATION_TIME;
    struct sampler s = { c, c->count, BLOCK, input, run, NULL, p->components,
                         seconds > EVALUATION_TIME ? seconds : EVALUATION_TIME };
    return s;
}
