/* Writes one line for each operation of a program, and one block for each branch and each loop:
 *
 *     double integrand(const double *x, SLOTS slot, TABLES table)
 *     {
 *         double r0 = x[0], r1 = x[1], r2 = 0.0;
 *         r2 = op_GT(r0, slot[0]);
 *         if (op_holds(r2)) {
 *             r2 = op_EXP(r1);
 *         }
 *         return r2;
 *     }
 *
 * If a branch is skipped, the registers that it would have set keep their previous values; the operation that selects
 * between the branches does not use these.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "device_constants.h"
#include "generator.h"
#include "../base/memory.h"
#include "../stable/user_law.h"

#define CONSTANTS_FIXED 4096             /* half the doubles that fit into the least constant memory of a device */
#define DEEPEST 64                      /* nested blocks */

/* A growing string: `length` of `room` bytes are used; `failed` is set if memory is short. */
struct text { char *at; size_t length, room; int failed; };

static void say(struct text *t, const char *format, ...)
{
    va_list args;
    char line[160];

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (t->length + (size_t)length + 1 > t->room) {
        char *more = memory_resize(t->at, 2 * t->room + sizeof line);
        t->failed |= !more;
        if (!more) return;
        t->at = more;
        t->room = 2 * t->room + sizeof line;
    }
    memcpy(t->at + t->length, line, (size_t)length + 1);
    t->length += (size_t)length;
}

static void say_operand(struct text *t, int operand)
{
    if (operand < 0) say(t, "slot[%d]", ~operand);
    else say(t, "r%d", operand);
}

static void say_operation(struct text *t, const struct instruction *at)
{
#define OPERATION_NAME(name, in_r, arity, value) { #name, arity },
    static const struct { const char *name; int arity; } known[] = { OPERATIONS(OPERATION_NAME) };
    const int operand[3] = { at->a, at->b, at->c };

    say(t, "r%d = op_%s(", at->r, known[at->op].name);
    for (int k = 0; k < known[at->op].arity; k++) {
        if (k) say(t, ", ");
        say_operand(t, operand[k]);
    }
    say(t, ");\n");
}

/* Writes a call such as op_interpolated(table, 24, r1, slot[2], slot[3], r2, slot[4], 0, WANT_PDF, 0) for a law whose
 * shape is the same for all points, otherwise op_stable(r1, ...).  integrand_programs.c searches the text for both. */
static void say_law(struct text *t, const struct program *p, const struct instruction *at)
{
    const struct law_use *u = &p->law[at->b];

    say(t, "r%d = ", at->r);
    if (device_constants_has_shape(u)) say(t, "op_interpolated(table, %d, ", device_constants_head(p, at->b));
    else say(t, "op_stable(");
    say_operand(t, at->a);
    for (int k = 0; k < 4; k++) {
        say(t, ", ");
        say_operand(t, u->operand[k]);
    }
    say(t, ", %d, %s, %d);\n", u->pm, u->what == WANT_PDF ? "WANT_PDF" : u->lower ? "WANT_CDF" : "WANT_SF",
        u->give_log);
}

static void say_instruction(struct text *t, const struct program *p, const struct instruction *at)
{
    if (at->op == OP_SKIP) {
        say(t, "if (op_holds(");
        say_operand(t, at->a);
        say(t, ")) {\n");
    } else if (at->op == OP_LOOP)
        say(t, "for (r%d = 1.0;; r%d += 1.0) {\n", at->r, at->r);
    else if (at->op == OP_NEXT)
        say(t, "if (r%d >= %d.0) break;\n", at->r, at->c);
    else if (at->op == OP_COPY) {
        say(t, "r%d = ", at->r);
        say_operand(t, at->a);
        say(t, ";\n");
    } else if (at->op == OP_LOOKUP) {
        say(t, "r%d = op_lookup(table, %d, ", at->r, at->b);
        say_operand(t, at->a);
        say(t, ");\n");
    } else if (at->op == OP_STABLE)
        say_law(t, p, at);
    else
        say_operation(t, at);
}

/* Returns the index of the instruction that ends the block begun by `at`; 0 if it begins none. */
static int block_end(const struct instruction *at)
{
    return at->op == OP_SKIP ? at->b : at->op == OP_LOOP ? at->b + 1 : 0;
}

static void say_head(struct text *t, const struct program *p, int axes)
{
    say(t, "#line 1 \"integrand\"\n#define AXES %d\n#define INPUTS %d\n", axes, p->inputs);
    say(t, "#define SLOTS %s const double *\n", p->slots <= CONSTANTS_FIXED ? "__constant" : "__global");
    say(t, "double integrand(const double *x, SLOTS slot, __global const double *table)\n{\n");
    for (int k = 0; k < p->registers; k++)
        if (k < p->inputs) say(t, "    double r%d = x[%d];\n", k, k);
        else say(t, "    double r%d = 0.0;\n", k);
}

static void indent(struct text *t, int depth)
{
    for (int k = 0; k <= depth; k++) say(t, "    ");
}

/* Writes the instructions.  Returns 0 if the blocks are not properly nested, or nested too deeply. */
static int say_body(struct text *t, const struct program *p)
{
    int end[DEEPEST + 1] = { p->count }, depth = 0;

    for (int i = 0; i < p->count; i++) {
        for (; depth > 0 && end[depth] == i; depth--) {
            indent(t, depth - 1);
            say(t, "}\n");
        }
        const struct instruction *at = &p->code[i];
        indent(t, depth);
        say_instruction(t, p, at);
        if (!block_end(at)) continue;
        if (depth == DEEPEST || block_end(at) > end[depth]) return 0;
        end[++depth] = block_end(at);
    }
    for (; depth > 0; depth--) {
        indent(t, depth - 1);
        say(t, "}\n");
    }
    return 1;
}

/* TRUE if the program needs the modes of laws whose shape differs from point to point.  Only the host computes modes,
 * and it does not have the points. */
static int needs_modes(const struct program *p)
{
    for (int k = 0; k < p->laws; k++)
        if (p->law[k].pm == 2 && !device_constants_has_shape(&p->law[k])) return 1;
    return 0;
}

char *source_of(const struct program *p, int axes, struct status *st)
{
    struct text t = { NULL, 0, 0, 0 };

    if (needs_modes(p)) {
        fail(st, ST_UNSUPPORTED, "distributions with pm = 2 whose alpha or beta differ between points are not "
             "supported on devices");
        return NULL;
    }
    say_head(&t, p, axes);
    if (!say_body(&t, p))
        fail(st, ST_UNSUPPORTED, "branches or loops of the integrand are not supported on devices");
    say(&t, "    return ");
    say_operand(&t, p->result);
    say(&t, ";\n}\n");
    if (t.failed) fail(st, ST_MEMORY, "no memory for the source code of an integrand");
    if (!st->code) return t.at;
    memory_release(t.at);
    return NULL;
}
