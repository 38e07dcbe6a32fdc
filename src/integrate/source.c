/* integrate/source.c: a line for each operation of a program, a block for each branch and each loop.
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
 * Registers that a branch leaves alone hold something all the same: what selects among them does not take it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "source.h"

#define SLOTS_CONSTANT 4096             /* the least constant memory of a device holds twice as many */
#define DEEPEST 64                      /* blocks in each other */

/* Text that grows; `failed` when memory is short. */
struct text { char *at; size_t length, room; int failed; };

static void say(struct text *t, const char *format, ...)
{
    va_list args;
    char line[160];

    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (t->length + (size_t)length + 1 > t->room) {
        char *more = realloc(t->at, 2 * t->room + sizeof line);
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

static void say_instruction(struct text *t, const struct instruction *at)
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
    } else
        say_operation(t, at);
}

static int is_known(const struct instruction *at)
{
    return at->op < OP_END && at->op != OP_STABLE;
}

/* Where the block ends that an instruction begins; 0: it begins none. */
static int block_end(const struct instruction *at)
{
    return at->op == OP_SKIP ? at->b : at->op == OP_LOOP ? at->b + 1 : 0;
}

static void say_head(struct text *t, const struct program *p, int axes)
{
    say(t, "#line 1 \"integrand\"\n#define AXES %d\n#define INPUTS %d\n", axes, p->inputs);
    say(t, "#define SLOTS %s const double *\n", p->slots <= SLOTS_CONSTANT ? "__constant" : "__global");
    say(t, "double integrand(const double *x, SLOTS slot, __global const double *table)\n{\n");
    for (int k = 0; k < p->registers; k++)
        if (k < p->inputs) say(t, "    double r%d = x[%d];\n", k, k);
        else say(t, "    double r%d = 0.0;\n", k);
}

static void indent(struct text *t, int depth)
{
    for (int k = 0; k <= depth; k++) say(t, "    ");
}

/* 0 if blocks are not one within the other, or an instruction is none that devices know. */
static int say_body(struct text *t, const struct program *p)
{
    int end[DEEPEST + 1] = { p->count }, depth = 0;

    for (int i = 0; i < p->count; i++) {
        for (; depth > 0 && end[depth] == i; depth--) {
            indent(t, depth - 1);
            say(t, "}\n");
        }
        const struct instruction *at = &p->code[i];
        if (!is_known(at)) return 0;
        indent(t, depth);
        say_instruction(t, at);
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

char *source_of(const struct program *p, int axes, struct status *st)
{
    struct text t = { NULL, 0, 0, 0 };

    if (p->laws) {
        fail(st, ST_UNSUPPORTED, "dstable() and pstable() within an integrand are not computed on devices");
        return NULL;
    }
    say_head(&t, p, axes);
    if (!say_body(&t, p))
        fail(st, ST_UNSUPPORTED, "branches or loops of the integrand are not of a kind that devices compute");
    say(&t, "    return ");
    say_operand(&t, p->result);
    say(&t, ";\n}\n");
    if (t.failed) fail(st, ST_MEMORY, "no memory for the text of an integrand");
    if (!st->code) return t.at;
    free(t.at);
    return NULL;
}

/* --- tables ---------------------------------------------------------------------------- */

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

double *source_tables(const struct program *p, size_t *size)
{
    const double *column[5];
    size_t length[5], at = (size_t)p->tables * TABLE_HEAD, total = at + 1;

    for (int k = 0; k < p->tables; k++) total += columns_of(&p->table[k], column, length);
    double *all = calloc(total, sizeof *all);
    *size = total;
    for (int k = 0; all && k < p->tables; k++) {
        const struct table *t = &p->table[k];
        const double head[7] = { t->kind, t->n, t->left, t->right, t->share, t->periodic, t->natural };
        memcpy(all + k * TABLE_HEAD, head, sizeof head);
        columns_of(t, column, length);
        for (int c = 0; c < 5; c++) {
            all[k * TABLE_HEAD + 7 + c] = (double)at;
            if (length[c]) memcpy(all + at, column[c], length[c] * sizeof *all);
            at += length[c];
        }
    }
    return all;
}
