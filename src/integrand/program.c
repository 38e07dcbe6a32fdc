/* Evaluates the prelude of an integrand's program, and checks a program before it is run. */
#include "program.h"

#define OPERATION_ARITY(name, in_r, arity, value) arity,
static const int arity_of[] = { OPERATIONS(OPERATION_ARITY) };

const char *const table_kind_name[TABLE_KINDS] = {
    [TABLE_LINEAR] = "linear", [TABLE_CONSTANT] = "constant", [TABLE_SPLINE] = "spline", [TABLE_INDEX] = "index"
};

double program_number(int op, double a, double b, double c)
{
#define OPERATION_CASE(name, in_r, arity, value) case OP_##name: return value;
    switch (op) {
    OPERATIONS(OPERATION_CASE)
    }
    (void)c;
    return NAN;
}

void program_prelude(const struct program *p, double *pool)
{
    for (int i = 0; i < p->prelude_count; i++) {
        const struct instruction *at = &p->prelude[i];
        int n = arity_of[at->op];
        pool[at->r] = program_number(at->op, pool[~at->a], n > 1 ? pool[~at->b] : 0.0, n > 2 ? pool[~at->c] : 0.0);
    }
}

static int is_operand(const struct program *p, int operand, int prelude)
{
    if (operand < 0) return ~operand < p->constants;
    return !prelude && operand < p->registers;
}

/* TRUE if every loop that overlaps the instructions between a LOOP and its NEXT lies entirely within them, and none of
 * these instructions sets the register that counts the iterations.  A SKIP sets no register. */
static int is_body(const struct program *p, int loop, int next)
{
    for (int k = loop + 1; k < next; k++) {
        const struct instruction *at = &p->code[k];
        int has_partner = at->op == OP_LOOP || at->op == OP_NEXT;
        if (has_partner && (at->b <= loop || at->b >= next)) return 0;
        if (at->op != OP_SKIP && at->r == p->code[loop].r) return 0;
    }
    return 1;
}

/* TRUE if a LOOP or NEXT and its partner refer to each other and enclose a valid body. */
static int is_loop(const struct program *p, int index)
{
    const struct instruction *at = &p->code[index], *other;
    int forward = at->op == OP_LOOP;

    if (at->b < 0 || at->b >= p->count || at->c < 1) return 0;
    other = &p->code[at->b];
    return other->op == (forward ? OP_NEXT : OP_LOOP) && other->b == index && other->r == at->r && other->c == at->c &&
           (forward ? at->b > index && is_body(p, index, at->b) : at->b < index);
}

/* TRUE if a SKIP jumps forward, stays within its own loop, and skips only entire loops. */
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

static int is_valid(const struct program *p, int index, int prelude)
{
    const struct instruction *at = prelude ? &p->prelude[index] : &p->code[index];

    if (at->op < 0 || at->op >= (prelude ? (int)OP_COUNT : (int)OP_END)) return 0;
    if (at->r < 0 || at->r >= (prelude ? p->constants : p->registers)) return 0;
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
    int at = use->constant[k];
    return at < 0 ? use->constant[0] < 0 : at < p->constants && use->operand[k] == ~at;
}

static int is_law(const struct program *p, const struct law_use *use)
{
    int valid = use->pm >= 0 && use->pm <= 2;
    for (int k = 0; k < 4; k++) valid = valid && is_parameter(p, use, k);
    return valid;
}

/* TRUE if a table has every column that the lookup of its kind reads. */
static int is_table(const struct table *t)
{
    int has_slopes = t->b && t->c && t->d;
    if (t->n < 1 || !t->y) return 0;
    if (t->kind == TABLE_INDEX) return 1;
    if (!t->x) return 0;
    return t->kind == TABLE_LINEAR || t->kind == TABLE_CONSTANT || (t->kind == TABLE_SPLINE && has_slopes);
}

/* TRUE if the program has this number of inputs and a plausible number of registers.  Each register that is not an
 * input is set by some instruction, which limits their number. */
static int has_registers(const struct program *p, int inputs)
{
    return inputs >= 0 && p->inputs == inputs && p->inputs <= p->registers && p->registers - p->inputs <= p->count + 1;
}

int program_check(const struct program *p, int inputs, struct status *st)
{
    int valid = has_registers(p, inputs) && p->components > 0 && p->work >= 0.0 && isfinite(p->work);

    for (int k = 0; k < p->components; k++) valid = valid && is_operand(p, p->result[k], 0);
    for (int i = 0; i < p->prelude_count; i++) valid = valid && is_valid(p, i, 1);
    for (int i = 0; i < p->count; i++) valid = valid && is_valid(p, i, 0);
    for (int i = 0; i < p->laws; i++) valid = valid && is_law(p, &p->law[i]);
    for (int i = 0; i < p->tables; i++) valid = valid && is_table(&p->table[i]);
    return valid ? ST_OK : fail(st, ST_UNSUPPORTED, "the program of the integrand is invalid");
}
