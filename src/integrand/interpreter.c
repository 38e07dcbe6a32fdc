/* Runs the program of an integrand, one instruction at a time, over the BLOCK points of a block. */
#include <string.h>
#include "interpreter.h"
#include "laws.h"
#include "vector_operations.h"
#include "../base/memory.h"

struct interpreter {
    const struct program *program;
    const double *slot;
    const struct laws_built *laws;
    struct worker *worker;              /* evaluates the laws; NULL if there are none */
    double *file;                       /* the registers, then three blocks for slots that are copied to every point */
    struct stop_flag *stop_flag;
    int is_stopped;
    long work;                          /* instructions since the stop flag was last tested */
};

/* Instructions between two tests of the stop flag; most programs run them in a millisecond or less.  Only loops and
 * laws whose parameters differ from point to point take long; for other programs, the caller tests the flag between
 * runs. */
#define LOOK_EVERY 4096

struct interpreter *interpreter_new(const struct program *p, const double *slot, const struct laws_built *laws,
                                    struct stop_flag *stop_flag)
{
    struct interpreter *m = memory_zeroed(1, sizeof *m);
    if (!m) return NULL;
    m->program = p;
    m->slot = slot;
    m->laws = laws;
    m->stop_flag = stop_flag;
    m->file = memory_zeroed(((size_t)p->registers + 3) * BLOCK, sizeof *m->file);
    if (p->laws) m->worker = laws_worker();
    if (m->file && (m->worker || !p->laws)) return m;
    interpreter_free(m);
    return NULL;
}

void interpreter_free(struct interpreter *m)
{
    if (!m) return;
    laws_worker_free(m->worker);
    memory_release(m->file);
    memory_release(m);
}

double *interpreter_input(struct interpreter *m, int input)
{
    return m->file + (size_t)input * BLOCK;
}

/* Returns the values of a register, or block number `room` filled with the value of a slot. */
static const double *spread(struct interpreter *m, int operand, int room)
{
    double *block = m->file + ((size_t)m->program->registers + room) * BLOCK;
    if (operand >= 0) return m->file + (size_t)operand * BLOCK;
    for (int k = 0; k < BLOCK; k++) block[k] = m->slot[~operand];
    return block;
}

static int holds_somewhere(const double *a)
{
    for (int k = 0; k < BLOCK; k++)
        if (a[k] != 0.0 && a[k] == a[k]) return 1;
    return 0;
}

static void run_operation(struct interpreter *m, const struct instruction *at, double *r)
{
    const struct kernels *k = &kernels_of[at->op];

    if (k->arity == 2 && at->a < 0 && at->b >= 0)
        k->first_number(&m->slot[~at->a], interpreter_input(m, at->b), NULL, r);
    else if (k->arity == 2 && at->a >= 0 && at->b < 0)
        k->second_number(interpreter_input(m, at->a), &m->slot[~at->b], NULL, r);
    else {
        const double *a = spread(m, at->a, 0), *b = NULL, *c = NULL;
        if (k->arity > 1) b = spread(m, at->b, 1);
        if (k->arity > 2) c = spread(m, at->c, 2);
        k->all(a, b, c, r);
    }
}

static void fill_up(struct interpreter *m, int count)
{
    for (int i = 0; i < m->program->inputs; i++) {
        double *x = interpreter_input(m, i);
        for (int k = count; k < BLOCK; k++) x[k] = x[count - 1];
    }
}

/* TRUE if the run must stop.  Adds `work` to the count of instructions, and tests the flag after every LOOK_EVERY. */
static int is_stopped(struct interpreter *m, long work)
{
    m->work += work;
    if (m->work < LOOK_EVERY || m->is_stopped) return m->is_stopped;
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
        parameter[k].at = operand < 0 ? &m->slot[~operand] : interpreter_input(m, operand);
        parameter[k].length = operand < 0 ? 1 : BLOCK;
    }
    int part = use->slot[0] < 0 ? 1 : BLOCK, work = use->slot[0] < 0 ? LOOK_EVERY : BLOCK;
    for (int from = 0; from < BLOCK && !is_stopped(m, work); from += part)
        laws_values(m->laws, at->b, m->worker, x, parameter, from, from + part, r);
}

/* Runs instruction i, one of enum special.  Returns the index of the instruction after which the run continues;
 * p->count if the run must stop. */
static int run_special(struct interpreter *m, int i)
{
    const struct program *p = m->program;
    const struct instruction *at = &p->code[i];
    double *r = interpreter_input(m, at->r);
    const double *a = at->op == OP_LOOP || at->op == OP_NEXT ? NULL : spread(m, at->a, 0);

    switch (at->op) {
    case OP_SKIP: return holds_somewhere(a) ? i : at->b - 1;
    case OP_LOOKUP:
        for (int k = 0; k < BLOCK; k++) r[k] = lookup(&p->table[at->b], a[k]);
        return i;
    case OP_COPY:
        memmove(r, a, BLOCK * sizeof *r);
        return i;
    case OP_LOOP:
        for (int k = 0; k < BLOCK; k++) r[k] = 1.0;
        return i;
    case OP_NEXT:
        if (r[0] >= at->c) return i;
        if (is_stopped(m, i - at->b)) return p->count;
        for (int k = 0; k < BLOCK; k++) r[k] += 1.0;
        return at->b;
    default:
        run_law(m, at, a, r);
        return i;
    }
}

const double *interpreter_run(struct interpreter *m, int count)
{
    const struct program *p = m->program;

    if (count < BLOCK) fill_up(m, count);
    for (int i = 0; i < p->count; i++) {
        const struct instruction *at = &p->code[i];
        if (at->op < OP_COUNT) run_operation(m, at, interpreter_input(m, at->r));
        else i = run_special(m, i);
    }
    return m->is_stopped ? NULL : spread(m, p->result, 0);
}
