#include "program.h"

#define OPERATION_ARITY(name, in_r, arity, value) arity,
static const int arity_of[] = { OPERATIONS(OPERATION_ARITY) };

double program_number(int op, double a, double b, double c)
{
#define OPERATION_CASE(name, in_r, arity, value) case OP_##name: return value;
    switch (op) {
    OPERATIONS(OPERATION_CASE)
    }
    (void)c;
    return NAN;
}

void program_prelude(const struct program *p, double *slot)
{
    for (int i = 0; i < p->prelude_count; i++) {
        const struct instruction *at = &p->prelude[i];
        int n = arity_of[at->op];
        slot[at->r] = program_number(at->op, slot[~at->a], n > 1 ? slot[~at->b] : 0.0, n > 2 ? slot[~at->c] : 0.0);
    }
}

static int is_operand(const struct program *p, int operand, int prelude)
{
    if (operand < 0) return ~operand < p->slots;
    return !prelude && operand < p->registers;
}

/* LOOP and NEXT that name each other. */
static int is_loop(const struct program *p, int index)
{
    const struct instruction *at = &p->code[index], *other;
    int forward = at->op == OP_LOOP;

    if (at->b < 0 || at->b >= p->count || at->c < 1) return 0;
    other = &p->code[at->b];
    return other->op == (forward ? OP_NEXT : OP_LOOP) && other->b == index && other->r == at->r && other->c == at->c &&
           (forward ? at->b > index : at->b < index);
}

/* Does a SKIP stay within the loop in which it stands, and pass over whole loops only? */
static int is_skip(const struct program *p, int index)
{
    int to = p->code[index].b;

    if (to <= index || to > p->count) return 0;
    for (int k = index + 1; k < to; k++) {
        int partner = p->code[k].b;
        if (p->code[k].op == OP_LOOP && partner >= to) return 0;
        if (p->code[k].op == OP_NEXT && partner < index) return 0;
    }
    return 1;
}

static int is_sound(const struct program *p, int index, int prelude)
{
    const struct instruction *at = prelude ? &p->prelude[index] : &p->code[index];

    if (at->op < 0 || at->op >= (prelude ? (int)OP_COUNT : (int)OP_END)) return 0;
    if (at->r < 0 || at->r >= (prelude ? p->slots : p->registers)) return 0;
    if (at->op == OP_LOOP || at->op == OP_NEXT) return is_loop(p, index);
    if (!is_operand(p, at->a, prelude)) return 0;
    if (at->op == OP_SKIP) return is_skip(p, index);
    if (at->op == OP_LOOKUP) return at->b >= 0 && at->b < p->tables;
    if (at->op == OP_STABLE) return at->b >= 0 && at->b < p->laws;
    if (at->op == OP_COPY) return 1;
    if (arity_of[at->op] > 1 && !is_operand(p, at->b, prelude)) return 0;
    return arity_of[at->op] < 3 || is_operand(p, at->c, prelude);
}

static int is_parameter(const struct program *p, const struct law_use *use, int k)
{
    if (!is_operand(p, use->operand[k], 0)) return 0;
    return use->slot[k] < 0 ? use->slot[0] < 0 : use->slot[k] < p->slots && use->operand[k] == ~use->slot[k];
}

int program_check(const struct program *p, struct status *st)
{
    int sound = p->inputs <= p->registers && is_operand(p, p->result, 0);

    for (int i = 0; i < p->prelude_count; i++) sound = sound && is_sound(p, i, 1);
    for (int i = 0; i < p->count; i++) sound = sound && is_sound(p, i, 0);
    for (int i = 0; i < p->laws; i++)
        for (int k = 0; k < 4; k++) sound = sound && is_parameter(p, &p->law[i], k);
    return sound ? ST_OK : fail(st, ST_UNSUPPORTED, "the program of the integrand is damaged");
}
