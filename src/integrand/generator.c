/* Generates OpenCL C from the program of an integrand, one line for each operation, and one block for each branch and
 * each loop, whose unrolling is disabled by a pragma:
 *
 *     FN double integrand(const double *x, POOL pool, TABLES table)
 *     {
 *         double r0 = x[0], r1 = x[1], r2 = 0.0;
 *         r2 = op_GT(r0, pool[0]);
 *         if (op_holds(r2)) {
 *             r2 = op_EXP(r1);
 *         }
 *         return r2;
 *     }
 *
 * If a branch is skipped, the registers that it would have set keep their previous values; the operation that selects
 * between the branches does not use these.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "program.h"
#include "../base/memory.h"
#include "../base/parallel.h"
#include "../interpolant/build.h"
#include "../run/columns.h"

#define CONSTANTS_FIXED 4096             /* half the doubles that fit into the least constant memory of a device */
#define DEEPEST 64                      /* nested blocks */

/* A growing string: `length` of `capacity` bytes are used; `failed` is set if memory is short. */
struct text { char *at; size_t length, capacity; int failed; };

/* Appends formatted text. */
static void emit(struct text *t, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    size_t length = (size_t)vsnprintf(NULL, 0, format, args);
    if (t->length + length + 1 > t->capacity) {
        size_t capacity = 2 * t->capacity + length + 1;
        char *more = memory_resize(t->at, capacity);
        if (more) {
            t->at = more;
            t->capacity = capacity;
        } else t->failed = 1;
    }
    if (!t->failed) {
        vsnprintf(t->at + t->length, length + 1, format, again);
        t->length += length;
    }
    va_end(again);
    va_end(args);
}

static void emit_operand(struct text *t, int operand)
{
    if (operand < 0) emit(t, "pool[%d]", ~operand);
    else emit(t, "r%d", operand);
}

static void emit_operation(struct text *t, const struct instruction *at)
{
#define OPERATION_NAME(name, in_r, arity, value) { #name, arity },
    static const struct { const char *name; int arity; } operation[] = { OPERATIONS(OPERATION_NAME) };
    const int operand[3] = { at->a, at->b, at->c };

    emit(t, "r%d = op_%s(", at->r, operation[at->op].name);
    for (int k = 0; k < operation[at->op].arity; k++) {
        if (k) emit(t, ", ");
        emit_operand(t, operand[k]);
    }
    emit(t, ");\n");
}

/* TRUE if alpha and beta of a law are the same for all points. */
static int has_shape(const struct law_use *u)
{
    return u->operand[0] < 0 && u->operand[1] < 0;
}

/* Returns the index in the buffer of constants of a law's head (interpolant/interpolant.h). */
static int head_of(const struct program *p, int law)
{
    return p->tables * TABLE_HEAD + law * LAW_HEAD;
}

/* Writes a call such as op_interpolated(table, 24, r1, pool[2], pool[3], r2, pool[4], 0, WANT_PDF, 0) for a law whose
 * shape is the same for all points, otherwise op_stable(r1, ...).  integrand_programs.c searches the text for both. */
static void emit_law(struct text *t, const struct program *p, const struct instruction *at)
{
    const struct law_use *u = &p->law[at->b];

    emit(t, "r%d = ", at->r);
    if (has_shape(u)) emit(t, "op_interpolated(table, %d, ", head_of(p, at->b));
    else emit(t, "op_stable(");
    emit_operand(t, at->a);
    for (int k = 0; k < 4; k++) {
        emit(t, ", ");
        emit_operand(t, u->operand[k]);
    }
    emit(t, ", %d, %s, %d);\n", u->pm, u->what == WANT_PDF ? "WANT_PDF" : u->lower ? "WANT_CDF" : "WANT_SF",
         u->give_log);
}

static void emit_instruction(struct text *t, const struct program *p, const struct instruction *at)
{
    if (at->op == OP_SKIP) {
        emit(t, "if (op_holds(");
        emit_operand(t, at->a);
        emit(t, ")) {\n");
    } else if (at->op == OP_LOOP)
        emit(t, "for (r%d = 1.0;; r%d += 1.0) {\n", at->r, at->r);
    else if (at->op == OP_NEXT)
        emit(t, "if (r%d >= %d.0) break;\n", at->r, at->c);
    else if (at->op == OP_COPY) {
        emit(t, "r%d = ", at->r);
        emit_operand(t, at->a);
        emit(t, ";\n");
    } else if (at->op == OP_LOOKUP) {
        emit(t, "r%d = op_lookup(table, %d, ", at->r, at->b);
        emit_operand(t, at->a);
        emit(t, ");\n");
    } else if (at->op == OP_STABLE)
        emit_law(t, p, at);
    else
        emit_operation(t, at);
}

/* Returns the index of the instruction that ends the block begun by `at`; 0 if it begins none. */
static int block_end(const struct instruction *at)
{
    return at->op == OP_SKIP ? at->b : at->op == OP_LOOP ? at->b + 1 : 0;
}

/* The length of an integrand from which on it is a function that kernels call, instead of a part of each of them: in
 * additions, of which other operations count as several. */
#define LONGEST_INLINED 48

static int length_of(int op)
{
    if (op >= OP_EXP && op <= OP_ATANH) return 6;
    if (op == OP_POW || op == OP_ERFC) return 12;
    return (op >= OP_GAMMA && op < OP_COUNT) || op == OP_LOOP || op == OP_STABLE ? LONGEST_INLINED : 1;
}

/* TRUE if compilers need much time for the integrand, which is then compiled once in a program, not once in each kernel
 * and, where a loop is unrolled, for each pass. */
static int is_long(const struct program *p)
{
    int sum = 0;
    for (int i = 0; i < p->count && sum <= LONGEST_INLINED; i++) sum += length_of(p->code[i].op);
    return sum > LONGEST_INLINED;
}

static void emit_declaration(struct text *t, const char *real)
{
    emit(t, "%s integrand(const %s *x, POOL pool, __global const %s *table)\n{\n", real, real, real);
}

/* real: the type of all numbers, "double" or "float". */
static void emit_header(struct text *t, const struct program *p, int axes, const char *real)
{
    const char *kind = is_long(p) ? "NOINLINE" : "FN";

    emit(t, "#line 1 \"integrand\"\n#define AXES %d\n#define INPUTS %d\n", axes, p->inputs);
    emit(t, "#define POOL %s const %s *\n", p->constants <= CONSTANTS_FIXED ? "__constant" : "__global", real);
    if (p->components > 1) {
        emit(t, "#define COMPONENTS %d\n", p->components);
        emit(t, "%s void integrand_components(const %s *x, POOL pool, __global const %s *table, %s *y)\n{\n", kind,
             real, real, real);
    } else {
        emit(t, "%s ", kind);
        emit_declaration(t, real);
    }
    for (int k = 0; k < p->registers; k++)
        if (k < p->inputs) emit(t, "    %s r%d = x[%d];\n", real, k, k);
        else emit(t, "    %s r%d = 0.0;\n", real, k);
}

static void indent(struct text *t, int depth)
{
    for (int k = 0; k <= depth; k++) emit(t, "    ");
}

/* Writes the instructions.  Returns 0 if the blocks are not properly nested, or nested too deeply. */
static int emit_body(struct text *t, const struct program *p)
{
    int end[DEEPEST + 1] = { p->count }, depth = 0;

    for (int i = 0; i < p->count; i++) {
        for (; depth > 0 && end[depth] == i; depth--) {
            indent(t, depth - 1);
            emit(t, "}\n");
        }
        const struct instruction *at = &p->code[i];
        if (at->op == OP_LOOP) emit(t, "#pragma unroll 1\n");
        indent(t, depth);
        emit_instruction(t, p, at);
        if (!block_end(at)) continue;
        if (depth == DEEPEST || block_end(at) > end[depth]) return 0;
        end[++depth] = block_end(at);
    }
    for (; depth > 0; depth--) {
        indent(t, depth - 1);
        emit(t, "}\n");
    }
    return 1;
}

static void emit_results(struct text *t, const struct program *p, const char *real)
{
    for (int c = 0; c < p->components; c++) {
        if (p->components > 1) emit(t, "    y[%d] = ", c);
        else emit(t, "    return ");
        emit_operand(t, p->result[c]);
        emit(t, ";\n");
    }
    emit(t, "}\n");
    if (p->components == 1) return;
    emit(t, "FN ");
    emit_declaration(t, real);
    emit(t, "    %s y[COMPONENTS], sum = 0.0;\n    integrand_components(x, pool, table, y);\n", real);
    emit(t, "    for (int c = 0; c < COMPONENTS; c++) sum += y[c];\n    return sum;\n}\n");
}

/* TRUE if the program needs the modes of laws whose shape differs from point to point.  Only the host computes modes,
 * and it does not have the points. */
static int needs_modes(const struct program *p)
{
    for (int k = 0; k < p->laws; k++)
        if (p->law[k].pm == 2 && !has_shape(&p->law[k])) return 1;
    return 0;
}

/* Returns the name of an operation that is not available in single precision; NULL if all are. */
static const char *double_only(const struct program *p)
{
#define IN_R(name, in_r, arity, value) [OP_##name] = in_r,
    static const char *const special[OP_COUNT] = { SPECIAL_OPERATIONS(IN_R) };
    for (int i = 0; i < p->count; i++) {
        int op = p->code[i].op;
        if (op == OP_STABLE) return "the distribution functions of stable distributions";
        if (op == OP_LOOKUP) return "the lookup in a table";
        if (op >= 0 && op < OP_COUNT && special[op]) return special[op];
    }
    return NULL;
}

char *source_of(const struct program *p, int axes, int is_single, struct status *st)
{
    struct text t = { NULL, 0, 0, 0 };
    const char *real = is_single ? "float" : "double", *missing = is_single ? double_only(p) : NULL;

    if (missing) {
        fail(st, ST_UNSUPPORTED, "the integrand uses `%s`, which is not available in single precision; use precision = "
             "\"double\"", missing);
        return NULL;
    }
    if (needs_modes(p)) {
        fail(st, ST_UNSUPPORTED, "distributions with pm = 2 whose alpha or beta differ between points are not "
             "supported on devices");
        return NULL;
    }
    emit_header(&t, p, axes, real);
    if (!emit_body(&t, p))
        fail(st, ST_UNSUPPORTED, "branches or loops of the integrand are not supported on devices");
    emit_results(&t, p, real);
    if (t.failed) fail(st, ST_MEMORY, "no memory for the source code of an integrand");
    if (!st->code) return t.at;
    memory_release(t.at);
    return NULL;
}

/* --- the buffer of constants ----------------------------------------------------------- */

/* The buffer holds the heads of the tables (operations.h), the heads of the laws (interpolant/interpolant.h), the
 * columns of the tables, and the buffers of the packed interpolants. */

static size_t columns_of(const struct table *t, const double *column[5], size_t length[5])
{
    const double *all[5] = { t->x, t->y, t->b, t->c, t->d };
    size_t sum = 0;
    for (int k = 0; k < 5; k++) {
        int is_there = k == 1 || (k == 0 && t->kind != TABLE_INDEX) || (k > 1 && t->kind == TABLE_SPLINE);
        column[k] = all[k];
        length[k] = is_there && all[k] ? (size_t)t->n : 0;
        sum += length[k];
    }
    return sum;
}

/* Writes table number k, whose columns begin at `at`.  Returns the index after its last column. */
static size_t write_table(const struct table *t, int k, double *all, size_t at)
{
    const double head[7] = { t->kind, t->n, t->left, t->right, t->share, t->periodic, t->natural };
    const double *column[5];
    size_t length[5];

    memcpy(all + k * TABLE_HEAD, head, sizeof head);
    columns_of(t, column, length);
    for (int c = 0; c < 5; c++) {
        all[k * TABLE_HEAD + 7 + c] = (double)at;
        if (length[c]) memcpy(all + at, column[c], length[c] * sizeof *all);
        at += length[c];
    }
    return at;
}

/* --- laws ------------------------------------------------------------------------------ */

/* A law before it is written.  interpolant: NULL if the law has none. */
struct pending_law {
    struct law_head head;
    struct interpolant *interpolant;
};

/* Returns the law with gamma = 1 and delta = 0 if these differ from point to point.  If alpha or beta differ, they are
 * NaN, and the law has no interpolant. */
static struct user_law law_of(const struct law_use *u, const double *pool)
{
    double value[4] = { NAN, NAN, 1.0, 0.0 };
    for (int k = 0; k < 4; k++) if (u->operand[k] < 0) value[k] = pool[~u->operand[k]];
    struct user_law l = { value[0], value[1], value[2], value[3], u->pm };
    return l;
}

/* Computes the mode and the interpolant that a law needs, and fills in its head.  Returns 0 if memory is short. */
static int prepare_law(struct pending_law *d, struct shape_pool *shape_pool, const struct law_use *u,
                       const double *pool)
{
    struct user_law l = law_of(u, pool);

    if (user_needs_mode(&l)) {
        shape_pool_set(shape_pool, l.alpha, l.beta);
        d->head.mode = shape_frame_mode(shape_pool->shape[0]);
    }
    if (!is_interpolated_law(&l)) return 1;
    d->interpolant = interpolant_new(shape_pool, l.alpha, l.beta);
    if (!d->interpolant) return 0;
    d->head.packed = packed_of(d->interpolant, &l);
    if (u->operand[2] >= 0 || u->operand[3] >= 0) d->head.packed.gamma = NAN;
    return 1;
}

/* Returns the first even index from `at` on, where the pairs of coefficients of a law may begin. */
static size_t start_of(size_t at)
{
    return at + at % 2;
}

static size_t doubles_of(const struct pending_law *d)
{
    return d->interpolant ? (packed_size(&d->head.packed) + sizeof(double) - 1) / sizeof(double) : 0;
}

/* Writes the head of a law to `head` and its buffer to the first even index from `at` on.  Returns the index after the
 * buffer. */
static size_t write_law(struct pending_law *d, double *all, int head, size_t at)
{
    size_t start = start_of(at);

    d->head.start = (int)start;
    memcpy(all + head, &d->head, sizeof d->head);
    if (d->interpolant) packed_write(d->interpolant, &d->head.packed, all + start);
    return start + doubles_of(d);
}

static size_t size_of(const struct program *p, const struct pending_law *law)
{
    const double *column[5];
    size_t length[5], at = (size_t)head_of(p, p->laws);

    for (int k = 0; k < p->tables; k++) at += columns_of(&p->table[k], column, length);
    for (int k = 0; k < p->laws; k++) at = start_of(at) + doubles_of(&law[k]);
    return at + 1;
}

static double *write_all(const struct program *p, struct pending_law *law, size_t size)
{
    double *all = memory_zeroed(size, sizeof *all);
    size_t at = (size_t)head_of(p, p->laws);

    for (int k = 0; all && k < p->tables; k++) at = write_table(&p->table[k], k, all, at);
    for (int k = 0; all && k < p->laws; k++) {
        law[k].head.flag = (int)size - 1;
        at = write_law(&law[k], all, head_of(p, k), at);
    }
    return all;
}

int device_constants_build(const struct program *p, const double *pool, double **buffer, size_t *size,
                           struct status *st)
{
    struct shape_pool shape_pool = { { NULL, NULL }, 0 };
    struct pending_law *law = memory_zeroed((size_t)p->laws + 1, sizeof *law);
    int complete = law && (!p->laws || shape_pool_reserve(&shape_pool, threads_limit()));

    *buffer = NULL;
    for (int k = 0; complete && k < p->laws; k++) complete = prepare_law(&law[k], &shape_pool, &p->law[k], pool);
    if (complete) {
        *size = size_of(p, law);
        *buffer = write_all(p, law, *size);
    }
    for (int k = 0; law && k < p->laws; k++) interpolant_free(law[k].interpolant);
    memory_release(law);
    shape_pool_free(&shape_pool);
    return *buffer ? ST_OK : fail(st, ST_MEMORY, "no memory for the parameters on a device");
}
