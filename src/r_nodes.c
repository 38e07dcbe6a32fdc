/* Entry points for the SSA list of a translation (integrand/ssa.h, R/integrand-ssa.R).  The list is a handle, whose
 * memory is released by r_nodes_release() or with the handle. */
#include <string.h>
#include "r_translate.h"
#include "base/memory.h"

/* --- the handle ------------------------------------------------------------------------- */

static void release_nodes(SEXP handle)
{
    struct nodes *n = R_ExternalPtrAddr(handle);
    if (!n) return;
    R_ClearExternalPtr(handle);
    ssa_free(&n->ssa);
    memory_release(n);
}

/* Returns the handle of an empty list.  axes: the number of coordinates; max_nodes, max_steps: the limits of the
 * translation. */
SEXP r_nodes(SEXP axes, SEXP max_nodes, SEXP max_steps)
{
    struct status st = { ST_OK, "" };
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    R_RegisterCFinalizer(handle, release_nodes);
    struct nodes *n = memory_zeroed(1, sizeof *n);
    if (!n) glue_raise_memory("a translation");
    R_SetExternalPtrAddr(handle, n);
    n->max_nodes = Rf_asInteger(max_nodes);
    n->max_steps = Rf_asInteger(max_steps);
    if (ssa_open(&n->ssa, Rf_asInteger(axes), &st)) glue_raise(&st);
    UNPROTECT(1);
    return handle;
}

SEXP r_nodes_release(SEXP handle)
{
    release_nodes(handle);
    return R_NilValue;
}

struct nodes *nodes_from(SEXP handle)
{
    struct nodes *n = TYPEOF(handle) == EXTPTRSXP ? R_ExternalPtrAddr(handle) : NULL;
    if (!n) Rf_error("this translation has ended");
    return n;
}

/* Returns a node that exists; 0 is no node. */
static int checked_node(const struct nodes *n, int id)
{
    if (id < 1 || id > n->ssa.count) Rf_error("there is no node %d", id);
    return id;
}

/* --- operations --------------------------------------------------------------------------- */

static const char *const op_name[] = {
#define OPERATION_NAME(name, in_r, arity, value) [OP_##name] = #name,
    OPERATIONS(OPERATION_NAME)
    [OP_SKIP] = "SKIP", [OP_LOOKUP] = "LOOKUP", [OP_STABLE] = "STABLE", [OP_COPY] = "COPY", [OP_LOOP] = "LOOP",
    [OP_NEXT] = "NEXT", [NODE_INPUT] = "INPUT", [NODE_CONST] = "CONST", [NODE_DATA] = "DATA", [NODE_CARRY] = "CARRY",
    [NODE_MOVE] = "MOVE"
};

int node_op_of(SEXP name)
{
    static SEXP symbol[NODE_OPS];
    for (int op = 0; op < NODE_OPS; op++) {
        if (!symbol[op]) symbol[op] = Rf_install(op_name[op]);
        if (PRINTNAME(symbol[op]) == name) return op;
    }
    Rf_error("there is no operation '%s'", CHAR(name));
    return -1;
}

/* Returns a node with these arguments; its op is -1 if one of them is NA. */
static struct node node_from(const struct nodes *n, int op, const int *arg)
{
    struct node node = { .op = op };
    for (int k = 0; k < node_arity(op); k++) {
        node.arg[k] = arg[k];
        if (node.arg[k] == NA_INTEGER) node.op = -1;
        else if (is_node_argument(op, k)) checked_node(n, node.arg[k]);
    }
    return node;
}

/* Checks that the arguments are those of one or several nodes; returns the number of nodes. */
static int count_from(int op, SEXP arg)
{
    int arity = node_arity(op), count = arity ? (int)XLENGTH(arg) / arity : 1;
    if (TYPEOF(arg) != INTSXP || XLENGTH(arg) != count * arity) Rf_error("wrong arguments of a node");
    return count;
}

static SEXP number_of(int id)
{
    if (!id) glue_raise_memory("a translation");
    return Rf_ScalarInteger(id);
}

/* Returns the nodes of an operation, shared ones if there are any; NA if an argument is NA.  arg: the arguments of the
 * first node, then those of the second, and so on. */
SEXP r_node(SEXP handle, SEXP op, SEXP arg)
{
    struct nodes *n = nodes_from(handle);
    int which = node_op_of(STRING_ELT(op, 0)), count = count_from(which, arg);
    SEXP made = Rf_allocVector(INTSXP, count);
    for (int k = 0; k < count; k++) {
        struct node node = node_from(n, which, INTEGER(arg) + k * node_arity(which));
        int id = node.op < 0 ? NA_INTEGER : ssa_share(&n->ssa, &node);
        if (!id) glue_raise_memory("a translation");
        INTEGER(made)[k] = id;
    }
    return made;
}

/* The handle keeps the label, since R stores equal strings once only as long as one of them is in use. */
int node_captured(SEXP handle, double value, SEXP label)
{
    struct nodes *n = nodes_from(handle);
    struct node node = { .op = NODE_DATA, .value = value, .label = label };
    int before = n->ssa.count, id = ssa_share(&n->ssa, &node);
    if (n->ssa.count > before) R_SetExternalPtrProtected(handle, Rf_cons(label, R_ExternalPtrProtected(handle)));
    return id;
}

SEXP r_node_data(SEXP handle, SEXP value, SEXP label)
{
    return number_of(node_captured(handle, Rf_asReal(value), STRING_ELT(label, 0)));
}

/* Returns the node of an input or a constant. */
SEXP r_node_leaf(SEXP handle, SEXP op, SEXP value)
{
    struct node node = { .op = node_op_of(STRING_ELT(op, 0)), .value = Rf_asReal(value) };
    return number_of(ssa_share(&nodes_from(handle)->ssa, &node));
}

/* Appends a node that is never shared.  value: the number of passes of a loop.  listed: is it one of the items? */
SEXP r_node_append(SEXP handle, SEXP op, SEXP arg, SEXP value, SEXP listed)
{
    struct nodes *n = nodes_from(handle);
    int which = node_op_of(STRING_ELT(op, 0));
    if (count_from(which, arg) != 1) Rf_error("wrong arguments of a node");
    struct node node = node_from(n, which, INTEGER(arg));
    node.value = Rf_asReal(value);
    return node.op < 0 ? Rf_ScalarInteger(NA_INTEGER) : number_of(ssa_append(&n->ssa, &node, Rf_asLogical(listed)));
}

SEXP r_node_close(SEXP handle, SEXP id)
{
    struct nodes *n = nodes_from(handle);
    return number_of(ssa_close(&n->ssa, checked_node(n, Rf_asInteger(id))));
}

SEXP r_scope_open(SEXP handle)
{
    return Rf_ScalarInteger(ssa_scope_open(&nodes_from(handle)->ssa));
}

SEXP r_scope_close(SEXP handle, SEXP first)
{
    ssa_scope_close(&nodes_from(handle)->ssa, Rf_asInteger(first));
    return R_NilValue;
}

/* Returns the numbers of nodes and items, to which r_nodes_restore() returns. */
SEXP r_nodes_mark(SEXP handle)
{
    const struct ssa *s = &nodes_from(handle)->ssa;
    SEXP mark = Rf_allocVector(INTSXP, 2);
    INTEGER(mark)[0] = s->count;
    INTEGER(mark)[1] = s->length;
    return mark;
}

SEXP r_nodes_restore(SEXP handle, SEXP mark)
{
    ssa_truncate(&nodes_from(handle)->ssa, INTEGER(mark)[0], INTEGER(mark)[1]);
    return R_NilValue;
}

SEXP r_is_never_nan(SEXP handle, SEXP id)
{
    struct nodes *n = nodes_from(handle);
    return Rf_ScalarLogical((n->ssa.node[checked_node(n, Rf_asInteger(id))].properties & NEVER_NAN) != 0);
}

SEXP r_node_uniform(SEXP handle, SEXP id)
{
    struct nodes *n = nodes_from(handle);
    return Rf_ScalarLogical(n->ssa.node[checked_node(n, Rf_asInteger(id))].uniform);
}

/* Returns the operation, the arguments and the value of a node. */
SEXP r_node_parts(SEXP handle, SEXP id)
{
    const char *names[] = { "op", "arg", "value", "" };
    struct nodes *n = nodes_from(handle);
    const struct node *node = &n->ssa.node[checked_node(n, Rf_asInteger(id))];
    SEXP parts = PROTECT(Rf_mkNamed(VECSXP, names)), arg = Rf_allocVector(INTSXP, node_arity(node->op));
    SET_VECTOR_ELT(parts, 1, arg);
    for (int k = 0; k < node_arity(node->op); k++) INTEGER(arg)[k] = node->arg[k];
    SET_VECTOR_ELT(parts, 0, Rf_mkString(op_name[node->op]));
    SET_VECTOR_ELT(parts, 2, Rf_ScalarReal(node->value));
    UNPROTECT(1);
    return parts;
}

/* Counts one step of the translation; returns TRUE if there are too many. */
SEXP r_count_step(SEXP handle)
{
    struct nodes *n = nodes_from(handle);
    return Rf_ScalarLogical(++n->steps > n->max_steps);
}

/* --- powers --------------------------------------------------------------------------------- */

int node_operation(struct ssa *s, int op, int a, int b)
{
    struct node node = { .op = op, .arg = { a, b } };
    return a && (b || node_arity(op) < 2) ? ssa_share(s, &node) : 0;
}

int node_number(struct ssa *s, double value)
{
    struct node node = { .op = NODE_CONST, .value = value };
    return ssa_share(s, &node);
}

static int power_product(struct ssa *s, int a, double k)
{
    if (k != floor(k)) {
        int root = node_operation(s, OP_SQRT, a, 0);
        return k < 1.0 ? root : node_operation(s, OP_MUL, power_product(s, a, k - 0.5), root);
    }
    if (k == 1.0) return a;
    int half = power_product(s, a, floor(k / 2.0)), square = node_operation(s, OP_MUL, half, half);
    return fmod(k, 2.0) == 1.0 ? node_operation(s, OP_MUL, square, a) : square;
}

int node_small_power(struct ssa *s, int a, double k)
{
    if (k == 0.0) return node_number(s, 1.0);
    if (fmod(k, 2.0) != 0.0 && (k < 0.0 || s->node[a].op != NODE_INPUT))
        a = node_operation(s, OP_ADD, a, node_number(s, 0.0));
    if (k > 0.0) return power_product(s, a, k);
    int one = node_number(s, 1.0);
    return node_operation(s, OP_DIV, one, power_product(s, a, -k));
}

SEXP r_node_power(SEXP handle, SEXP id, SEXP k)
{
    struct nodes *n = nodes_from(handle);
    return number_of(node_small_power(&n->ssa, checked_node(n, Rf_asInteger(id)), Rf_asReal(k)));
}

/* --- the program ---------------------------------------------------------------------------- */

static SEXP integers(const int *from, int count)
{
    SEXP x = Rf_allocVector(INTSXP, count);
    if (count) memcpy(INTEGER(x), from, (size_t)count * sizeof *from);
    return x;
}

struct assembled {
    const struct assembly *assembly;
    int nodes;
};

/* Returns the parts of a program, and the operands of all nodes. */
static SEXP parts_of(void *data)
{
    const char *names[] = { "code", "registers", "result", "constants", "captured", "prelude", "operand", "" };
    const struct assembled *all = data;
    const struct assembly *a = all->assembly;
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names)), constants = Rf_allocVector(REALSXP, a->constants);
    SET_VECTOR_ELT(list, 3, constants);
    if (a->constants) memcpy(REAL(constants), a->pool, (size_t)a->constants * sizeof *a->pool);
    SET_VECTOR_ELT(list, 0, integers(&a->code->op, 5 * a->count));
    SET_VECTOR_ELT(list, 1, Rf_ScalarInteger(a->registers));
    SET_VECTOR_ELT(list, 2, integers(a->result, a->components));
    SET_VECTOR_ELT(list, 4, integers(a->captured, a->captured_count));
    SET_VECTOR_ELT(list, 5, integers(&a->prelude->op, 5 * a->prelude_count));
    SET_VECTOR_ELT(list, 6, integers(a->operand + 1, all->nodes));
    UNPROTECT(1);
    return list;
}

SEXP r_assemble(SEXP handle, SEXP result, SEXP inputs)
{
    struct nodes *n = nodes_from(handle);
    struct status st = { ST_OK, "" };
    for (R_xlen_t c = 0; c < XLENGTH(result); c++) checked_node(n, INTEGER(result)[c]);
    struct assembly a;
    struct assembled all = { &a, n->ssa.count };
    SEXP list = R_NilValue;

    if (!assembly_open(&a, &n->ssa, Rf_asInteger(inputs), INTEGER(result), (int)XLENGTH(result), &st) &&
        glue_guard(parts_of, &all, &list))
        st.code = ST_INTERRUPTED;
    assembly_free(&a);
    if (st.code) glue_raise(&st);
    return list;
}
