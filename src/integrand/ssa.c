/* The store of nodes of a translation: growing arrays, and a hash table of the nodes that can be shared.  Nodes with
 * the same hash value are linked from the newest to the oldest. */
#include <string.h>
#include "ssa.h"
#include "../base/memory.h"

#define FIRST_CAPACITY 256          /* nodes and items; a power of 2 */

int node_arity(int op)
{
#define OPERATION_ARITY(name, in_r, arity, value) arity,
    static const int arity[] = { OPERATIONS(OPERATION_ARITY) };
    switch (op) {
    case OP_SKIP: case OP_COPY: return 1;
    case OP_LOOKUP: case NODE_MOVE: return 2;
    case OP_STABLE: return 6;
    }
    return op < OP_COUNT ? arity[op] : 0;
}

int is_node_argument(int op, int k)
{
    return k != 1 || (op != OP_LOOKUP && op != OP_STABLE);
}

/* --- properties of values ------------------------------------------------------------------ */

static int has(int properties, int bits)
{
    return (properties & bits) == bits;
}

static int number_properties(double value)
{
    if (value != value) return 0;
    return NEVER_NAN | (isfinite(value) ? ALWAYS_FINITE : 0) | (value >= 0.0 ? NEVER_NEGATIVE : 0);
}

/* A sum is NaN only for infinities of opposite signs, unless an argument is NaN. */
static int sum_properties(int a, int b)
{
    int sign = a & b & NEVER_NEGATIVE, real = NEVER_NAN | ALWAYS_FINITE;
    int is_safe = has(a, real) || has(b, real) || sign;
    return sign | (has(a & b, NEVER_NAN) && is_safe ? NEVER_NAN : 0);
}

static int is_factor(const struct node *n)
{
    return n->op == NODE_CONST && n->value == n->value && n->value != 0.0;
}

/* A product is NaN only for zero times infinity, unless an argument is NaN. */
static int product_properties(const struct node *a, const struct node *b)
{
    int real = NEVER_NAN | ALWAYS_FINITE, is_square = a == b, sign = has(a->properties & b->properties, NEVER_NEGATIVE);
    int is_scaled = (is_factor(a) || is_factor(b)) && (!is_factor(a) || has(a->properties, real)) &&
                    (!is_factor(b) || has(b->properties, real));
    int is_safe = has(a->properties & b->properties, real) || is_square || is_scaled;
    return (is_square || sign ? NEVER_NEGATIVE : 0) |
           (has(a->properties & b->properties, NEVER_NAN) && is_safe ? NEVER_NAN : 0);
}

/* Returns the properties of a node whose arguments exist. */
static int node_properties(const struct ssa *s, const struct node *n)
{
    if (n->op == OP_LOOKUP || n->op == OP_STABLE) return 0;
    const struct node *a = &s->node[n->arg[0]], *b = &s->node[n->arg[1]], *c = &s->node[n->arg[2]];
    int arity = node_arity(n->op), real = NEVER_NAN | ALWAYS_FINITE;
    int all = arity == 1 ? a->properties : arity == 2 && n->op < OP_COUNT ? a->properties & b->properties : 0;

    switch (n->op) {
    case NODE_INPUT: return n->value <= s->axes ? real : 0;
    case NODE_CONST: case NODE_DATA: return number_properties(n->value);
    case OP_LOOP: case OP_ISNAN: case OP_ISFINITE: case OP_ISINF: return real | NEVER_NEGATIVE;
    case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: case OP_XOR: case OP_AND: case OP_OR:
    case OP_NOT: return (all & NEVER_NAN) | ALWAYS_FINITE | NEVER_NEGATIVE;
    case OP_NEG: case OP_FLOOR: case OP_CEILING: case OP_TRUNC: case OP_ROUND: case OP_SIGN:
        return a->properties & real;
    case OP_ABS: return a->properties | NEVER_NEGATIVE;
    case OP_COPY: return a->properties;
    case OP_ADD: return sum_properties(a->properties, b->properties);
    case OP_SUB: return sum_properties(a->properties & real, b->properties & real) & NEVER_NAN;
    case OP_MUL: return product_properties(a, b);
    case OP_EXP: return (a->properties & NEVER_NAN) | NEVER_NEGATIVE;
    case OP_SIN: case OP_COS: case OP_ATAN: case OP_TANH: return has(a->properties, real) ? real : 0;
    case OP_SQRT: return has(a->properties, NEVER_NAN | NEVER_NEGATIVE) ? a->properties : 0;
    case OP_SELECT: return has(a->properties, NEVER_NAN) ? b->properties & c->properties : 0;
    case OP_REQUIRE: return has(a->properties, NEVER_NAN) ? b->properties : 0;
    case OP_MIN: case OP_MAX: return all;
    }
    return 0;
}

static int is_uniform(const struct ssa *s, const struct node *n)
{
    if (n->op == NODE_CONST || n->op == NODE_DATA) return 1;
    if (n->op >= OP_COUNT) return 0;
    for (int k = 0; k < node_arity(n->op); k++)
        if (!s->node[n->arg[k]].uniform) return 0;
    return 1;
}

/* --- the hash table -------------------------------------------------------------------------- */

/* R's NA and NaN remain different, regardless of their other bits; 0 and -0 are different. */
static unsigned long long bits_of(double value)
{
    unsigned long long bits;
    memcpy(&bits, &value, sizeof bits);
    return value == value ? bits : 0x7FF8000000000000ULL | ((bits & 0xFFFFFFFFULL) == 1954);
}

/* The values of captured numbers do not count. */
static unsigned long long key_of(const struct node *n)
{
    return n->op == NODE_DATA ? (unsigned long long)(size_t)n->label : bits_of(n->value);
}

static int *bucket_of(const struct ssa *s, const struct node *n)
{
    unsigned long long hash = (unsigned long long)n->op + 31 * key_of(n);
    for (int k = 0; k < node_arity(n->op); k++) hash = hash * 0x9E3779B97F4A7C15ULL + (unsigned)n->arg[k];
    hash *= 0x9E3779B97F4A7C15ULL;
    return &s->bucket[(hash >> 32) & (unsigned)(s->buckets - 1)];
}

static int is_equal(const struct node *a, const struct node *b)
{
    if (a->op != b->op || key_of(a) != key_of(b)) return 0;
    for (int k = 0; k < node_arity(a->op); k++)
        if (a->arg[k] != b->arg[k]) return 0;
    return 1;
}

static void link_node(struct ssa *s, int id)
{
    int *bucket = bucket_of(s, &s->node[id]);
    s->node[id].next = *bucket;
    *bucket = id;
}

static void unlink_node(struct ssa *s, int id)
{
    int *at = bucket_of(s, &s->node[id]);
    while (*at != id) at = &s->node[*at].next;
    *at = s->node[id].next;
    s->node[id].scope = -1;
}

/* Replaces the hash table by one with as many buckets as there may be nodes.  Returns 0 if memory is short. */
static int rehash(struct ssa *s)
{
    int *bucket = memory_zeroed((size_t)s->node_capacity, sizeof *bucket);
    if (!bucket) return 0;
    memory_release(s->bucket);
    s->bucket = bucket;
    s->buckets = s->node_capacity;
    for (int id = 1; id <= s->count; id++)
        if (s->node[id].scope >= 0) link_node(s, id);
    return 1;
}

/* --- nodes and items --------------------------------------------------------------------------- */

int ssa_open(struct ssa *s, int axes, struct status *st)
{
    struct ssa empty = { .axes = axes, .node_capacity = FIRST_CAPACITY, .item_capacity = FIRST_CAPACITY };
    *s = empty;
    s->node = memory_zeroed(FIRST_CAPACITY, sizeof *s->node);
    s->item = memory_allocate(FIRST_CAPACITY * sizeof *s->item);
    return s->node && s->item && rehash(s) ? ST_OK : fail(st, ST_MEMORY, "no memory for a translation");
}

void ssa_free(struct ssa *s)
{
    memory_release(s->node);
    memory_release(s->item);
    memory_release(s->bucket);
}

/* Returns the number of a new node, 0 if memory is short.  Node 0 is unused. */
static int new_node(struct ssa *s, const struct node *given)
{
    if (s->count + 1 == s->node_capacity) {
        struct node *larger = memory_resize(s->node, 2 * (size_t)s->node_capacity * sizeof *larger);
        if (!larger) return 0;
        s->node = larger;
        s->node_capacity *= 2;
        if (!rehash(s)) return 0;
    }
    struct node *n = &s->node[s->count + 1];
    *n = *given;
    n->scope = -1;
    n->uniform = is_uniform(s, n);
    n->properties = node_properties(s, n);
    return ++s->count;
}

static int list_item(struct ssa *s, int item)
{
    if (s->length == s->item_capacity) {
        int *larger = memory_resize(s->item, 2 * (size_t)s->item_capacity * sizeof *larger);
        if (!larger) return 0;
        s->item = larger;
        s->item_capacity *= 2;
    }
    s->item[s->length++] = item;
    return 1;
}

int ssa_append(struct ssa *s, const struct node *given, int listed)
{
    int id = new_node(s, given);
    return id && listed && !list_item(s, id) ? 0 : id;
}

int ssa_share(struct ssa *s, const struct node *given)
{
    for (int id = *bucket_of(s, given); id; id = s->node[id].next)
        if (is_equal(&s->node[id], given)) return id;
    int id = new_node(s, given);
    if (!id) return 0;
    int is_common = s->node[id].uniform || given->op == NODE_INPUT;
    s->node[id].scope = is_common ? 0 : s->scope;
    link_node(s, id);
    return is_common || list_item(s, id) ? id : 0;
}

int ssa_close(struct ssa *s, int id)
{
    return list_item(s, -id);
}

int ssa_scope_open(struct ssa *s)
{
    s->scope++;
    return s->count + 1;
}

void ssa_scope_close(struct ssa *s, int first)
{
    for (int id = s->count; id >= first; id--)
        if (s->node[id].scope == s->scope) unlink_node(s, id);
    s->scope--;
}

void ssa_truncate(struct ssa *s, int count, int length)
{
    for (; s->count > count; s->count--)
        if (s->node[s->count].scope >= 0) unlink_node(s, s->count);
    s->length = length;
}
