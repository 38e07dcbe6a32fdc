/* Makes a program of an SSA list: finds the nodes that are needed, and assigns constants and registers. */
#include "ssa.h"
#include "../base/memory.h"

/* Sides of branches with fewer operations than this are always computed. */
#define MIN_SKIPPED   3

/* Working space, and the program.  needed: of each node; keep: of each item; last: index from 1 on of the last of the
 * kept items that uses a node, 0 if there is none; at: index of the instruction that opens a branch or a loop; free:
 * registers that are free, the last one first. */
struct assembler {
    const struct ssa *s;
    struct assembly *to;
    int *needed, *keep, *item, *last, *reg, *constant, *at, *free;
    int items, free_count, used;
};

static const struct node *node_of(const struct assembler *a, int id)
{
    return &a->s->node[id];
}

static int op_of(const struct assembler *a, int item)
{
    return node_of(a, item < 0 ? -item : item)->op;
}

/* --- nodes that are needed ------------------------------------------------------------------- */

static void mark_arguments(struct assembler *a, int id)
{
    const struct node *n = node_of(a, id);
    for (int k = 0; k < node_arity(n->op); k++)
        if (is_node_argument(n->op, k)) a->needed[n->arg[k]] = 1;
}

/* Walks backwards through the items.  weight: the operations within the enclosing branch; opened: the labels of the
 * branches, with the weights outside of them in `outside`. */
static void find_needed(struct assembler *a, int *opened, int *outside)
{
    int weight = 0, depth = 0;
    for (int k = a->s->length - 1; k >= 0; k--) {
        int item = a->s->item[k], op = op_of(a, item);
        if (op == OP_LOOP || op == NODE_MOVE) {
            a->keep[k] = 1;
            if (item > 0) mark_arguments(a, item);
            weight += MIN_SKIPPED;
        } else if (item < 0) {
            outside[depth] = weight;
            opened[depth++] = k;
            weight = 0;
        } else if (op == OP_SKIP) {
            if (weight >= MIN_SKIPPED) {
                a->keep[k] = a->keep[opened[depth - 1]] = 1;
                mark_arguments(a, item);
            }
            weight += outside[--depth];
        } else if (a->needed[item]) {
            a->keep[k] = 1;
            mark_arguments(a, item);
            weight++;
        }
    }
    for (int id = a->s->count; id > 0; id--)
        if (node_of(a, id)->uniform && a->needed[id]) mark_arguments(a, id);
    for (int k = 0; k < a->s->length; k++)
        if (a->keep[k]) a->item[a->items++] = a->s->item[k];
}

/* --- constants ---------------------------------------------------------------------------------- */

static int is_given(const struct node *n)
{
    return n->op == NODE_CONST || n->op == NODE_DATA;
}

/* Numbers the constants, first numbers, then values computed from them by the prelude, in the order of the nodes. */
static void assign_constants(struct assembler *a)
{
    struct assembly *to = a->to;
    for (int given = 1; given >= 0; given--)
        for (int id = 1; id <= a->s->count; id++) {
            const struct node *n = node_of(a, id);
            if (!n->uniform || !a->needed[id] || is_given(n) != given) continue;
            to->pool[to->constants] = n->value;
            a->constant[id] = to->constants++;
        }
    for (int id = 1; id <= a->s->count; id++) {
        const struct node *n = node_of(a, id);
        if (!n->uniform || !a->needed[id]) continue;
        if (n->op == NODE_DATA) to->captured[to->captured_count++] = a->constant[id] + 1;
        if (is_given(n)) continue;
        struct instruction *i = &to->prelude[to->prelude_count++];
        int arity = node_arity(n->op);
        i->op = n->op;
        i->r = a->constant[id];
        i->a = ~a->constant[n->arg[0]];
        i->b = arity > 1 ? ~a->constant[n->arg[1]] : 0;
        i->c = arity > 2 ? ~a->constant[n->arg[2]] : 0;
    }
}

/* --- lifetimes --------------------------------------------------------------------------------- */

/* Extends the lifetime of a loop variable, and of values from before the loop, to the end of the loop if a pass needs
 * them.  made: index of the first item that sets a node. */
static void keep_through_loops(struct assembler *a, int *made)
{
    for (int k = a->items; k > 0; k--) {
        int item = a->item[k - 1];
        if (item < 0) continue;
        made[op_of(a, item) == NODE_MOVE ? node_of(a, item)->arg[0] : item] = k;
    }
    for (int end = 1; end <= a->items; end++) {
        int loop = -a->item[end - 1], begin = 1;
        if (loop < 0 || node_of(a, loop)->op != OP_LOOP) continue;
        while (a->item[begin - 1] != loop) begin++;
        for (int id = 1; id <= a->s->count; id++)
            if (made[id] <= begin && a->last[id] > begin && a->last[id] < end) a->last[id] = end;
        if (a->last[loop] < end) a->last[loop] = end;
    }
}

static void find_last_uses(struct assembler *a, const int *result, int *made)
{
    for (int k = 0; k < a->items; k++) {
        if (a->item[k] < 0) continue;
        const struct node *n = node_of(a, a->item[k]);
        for (int j = 0; j < node_arity(n->op); j++)
            if (is_node_argument(n->op, j)) a->last[n->arg[j]] = k + 1;
    }
    for (int c = 0; c < a->to->components; c++) a->last[result[c]] = a->items + 1;
    keep_through_loops(a, made);
}

/* --- registers --------------------------------------------------------------------------------- */

static int operand(const struct assembler *a, int id)
{
    return node_of(a, id)->uniform ? ~a->constant[id] : a->reg[id];
}

/* Returns the register of a node, a free one if it has none yet. */
static int assign_register(struct assembler *a, int id)
{
    if (a->reg[id] < 0) a->reg[id] = a->free_count ? a->free[--a->free_count] : a->used++;
    return a->reg[id];
}

/* TRUE if item number k, from 1 on, is the last that needs the register of a node. */
static int is_last_use(const struct assembler *a, int id, int k)
{
    const struct node *n = node_of(a, id);
    return a->last[id] == k && !n->uniform && n->op != NODE_INPUT && a->reg[id] >= 0;
}

/* Frees the registers of the arguments of item number k, so that those of its first arguments are taken first; at the
 * end of a loop, the registers of all nodes that are last needed there. */
static void release(struct assembler *a, int item, int k)
{
    const struct node *n = node_of(a, item < 0 ? -item : item);
    int count = item < 0 ? a->s->count : node_arity(n->op);
    for (int j = count - 1; j >= 0; j--) {
        int id = item < 0 ? j + 1 : n->arg[j], is_repeated = 0;
        if (item > 0 && !is_node_argument(n->op, j)) continue;
        for (int i = 0; i < j && item > 0; i++) is_repeated |= is_node_argument(n->op, i) && n->arg[i] == id;
        if (!is_repeated && is_last_use(a, id, k)) a->free[a->free_count++] = a->reg[id];
    }
}

/* Returns the instruction of a node. */
static struct instruction instruction_of(struct assembler *a, int id)
{
    const struct node *n = node_of(a, id);
    struct instruction i = { n->op, 0, 0, 0, 0 };
    int arity = n->op < OP_COUNT ? node_arity(n->op) : 0;

    if (n->op == OP_LOOP) i.c = (int)n->value;
    else if (n->op == NODE_MOVE) {
        i.op = OP_COPY;
        i.r = assign_register(a, n->arg[0]);
        i.a = operand(a, n->arg[1]);
        return i;
    } else i.a = operand(a, n->arg[0]);
    if (n->op == OP_LOOKUP || n->op == OP_STABLE) i.b = n->arg[1] - 1;
    if (arity > 1) i.b = operand(a, n->arg[1]);
    if (arity > 2) i.c = operand(a, n->arg[2]);
    if (n->op != OP_SKIP) i.r = assign_register(a, id);
    return i;
}

/* Assigns registers.  A register is free after the last use of its value; the result of an operation never shares a
 * register with an argument. */
static void write_code(struct assembler *a)
{
    struct instruction *code = a->to->code;
    int count = 0;
    for (int k = 1; k <= a->items; k++) {
        int item = a->item[k - 1], op = op_of(a, item);
        if (item < 0) {
            int from = a->at[-item];
            code[from].b = count;
            if (op == OP_SKIP) continue;
            struct instruction next = { OP_NEXT, a->reg[-item], 0, from, code[from].c };
            code[count++] = next;
        } else {
            if (op == OP_SKIP || op == OP_LOOP) a->at[item] = count;
            code[count++] = instruction_of(a, item);
        }
        release(a, item, k);
    }
    a->to->count = count;
}

/* --- the program ------------------------------------------------------------------------------- */

/* Divides memory, zeroed, into arrays of `nodes` and `items` elements. */
static int allocate(struct assembler *a, size_t nodes, size_t items, int **opened, int **outside, int **made)
{
    struct assembly *to = a->to;
    size_t bytes = nodes * sizeof *to->pool + (nodes + items) * sizeof *to->code;
    bytes += (8 * nodes + 4 * items + (size_t)to->components) * sizeof(int);
    if (!(to->memory = memory_zeroed(1, bytes))) return 0;
    to->pool = to->memory;
    to->prelude = (struct instruction *)(to->pool + nodes);
    to->code = to->prelude + nodes;
    int **of_nodes[] = { &to->operand, &to->captured, &a->needed, &a->last, &a->reg, &a->constant, &a->at, made };
    int **of_items[] = { opened, outside, &a->keep, &a->item };
    int *next = (int *)(to->code + items);
    for (int k = 0; k < 8; k++, next += nodes) *of_nodes[k] = next;
    for (int k = 0; k < 4; k++, next += items) *of_items[k] = next;
    to->result = next;
    return 1;
}

int assembly_open(struct assembly *to, const struct ssa *s, int inputs, const int *result, int components,
                  struct status *st)
{
    struct assembly empty = { .components = components };
    struct assembler a = { .s = s, .to = to, .used = inputs };
    int *opened, *outside, *made;

    *to = empty;
    if (!allocate(&a, (size_t)s->count + 1, (size_t)s->length + 1, &opened, &outside, &made))
        return fail(st, ST_MEMORY, "no memory for a translation");
    for (int id = 1; id <= s->count; id++) a.reg[id] = s->node[id].op == NODE_INPUT ? (int)s->node[id].value - 1 : -1;
    for (int c = 0; c < components; c++) a.needed[result[c]] = 1;
    find_needed(&a, opened, outside);
    assign_constants(&a);
    find_last_uses(&a, result, made);
    a.free = made;
    write_code(&a);
    for (int id = 1; id <= s->count; id++)
        to->operand[id] = s->node[id].uniform && !a.needed[id] ? 0 : operand(&a, id);
    for (int c = 0; c < components; c++) to->result[c] = to->operand[result[c]];
    to->registers = a.used > 1 ? a.used : 1;
    return ST_OK;
}

void assembly_free(struct assembly *to)
{
    memory_release(to->memory);
}
