/* Translation of nested elementwise operations (R/integrand-operations.R), which are most of an integrand: single
 * numbers here, everything else by R functions of that file.
 *
 * The operations are visited with an explicit stack, as they may be nested deeply.  R functions that are called here
 * may call translate_operations() again, and may end with an error: nothing here owns memory. */
#include <string.h>
#include "r_translate.h"

/* The kinds of a translated operand: an expression that R can evaluate, whose evaluation is deferred, so that R
 * evaluates expressions as large as possible; a node; a known number; any other value, as in R/integrand-value.R. */
enum kind { DEFERRED, NODE, NUMBER, OTHER };

/* The type of a value, in R and here. */
enum type { TYPE_LOGICAL, TYPE_INTEGER, TYPE_DOUBLE, TYPE_UNCLEAR, TYPES };

static const char *const type_name[TYPES] = { "logical", "integer", "double", "unclear" };

/* object: the expression of a deferred operand, or the value in R, R's NULL if there is none yet.  number: a known
 * number, or the bound of a node.  label: of a captured number, else R's NULL. */
struct operand {
    enum kind kind;
    enum type type;
    int id;
    double number;
    SEXP object, label;
};

/* An operation whose operands are being translated.  rest: those that are left; first: index of the first operand. */
struct level {
    SEXP call, rest;
    int first;
};

/* A name that was found to refer to a supported function here, and its operations with one and two operands: -1 if R
 * combines them. */
struct meaning {
    SEXP name;
    int op[2], is_power;
};

#define MEANINGS 16

/* space: the namespace of this package; supported: its table of supported functions.  kept protects the objects of the
 * operands.  meaning: the bindings of names found so far, valid until R is called, which may assign to them. */
struct translation {
    SEXP tr, frame, space, supported, handle, kept, parenthesis, current;
    PROTECT_INDEX at;
    struct nodes *nodes;
    struct level *level;
    struct operand *operand;
    int depth, levels, count, capacity, meanings;
    struct meaning meaning[MEANINGS];
};

/* --- calls of R ------------------------------------------------------------------------------ */

static SEXP quoted(SEXP x)
{
    return Rf_lang2(R_QuoteSymbol, x);
}

/* Returns the value of name(tr, x, y); the arguments are not evaluated. */
static SEXP call_r(const struct translation *t, const char *name, SEXP x, SEXP y)
{
    SEXP first = PROTECT(quoted(x)), second = PROTECT(quoted(y));
    SEXP call = PROTECT(Rf_lang4(Rf_install(name), t->tr, first, second));
    SEXP value = Rf_eval(call, t->space);
    UNPROTECT(3);
    return value;
}

static void count_step(const struct translation *t)
{
    if (++t->nodes->steps > t->nodes->max_steps) call_r(t, "stop_at_steps", R_NilValue, R_NilValue);
}

/* Returns a node, after an R error if memory is short or there are too many. */
static int checked(const struct translation *t, int id)
{
    if (!id) glue_raise_memory("a translation");
    if (t->nodes->ssa.count > t->nodes->max_nodes) call_r(t, "stop_at_nodes", R_NilValue, R_NilValue);
    return id;
}

/* --- operands -------------------------------------------------------------------------------- */

static enum type type_of(SEXP text)
{
    for (int k = 0; k < TYPES; k++)
        if (!strcmp(CHAR(STRING_ELT(text, 0)), type_name[k])) return (enum type)k;
    return TYPE_UNCLEAR;
}

/* Returns a number of R as a known one. */
static struct operand number_of(SEXP x)
{
    enum type type = TYPEOF(x) == REALSXP ? TYPE_DOUBLE : TYPEOF(x) == INTSXP ? TYPE_INTEGER : TYPE_LOGICAL;
    struct operand v = { NUMBER, type, 0, Rf_asReal(x), R_NilValue, R_NilValue };
    return v;
}

static int is_true(SEXP x)
{
    return TYPEOF(x) == LGLSXP && XLENGTH(x) == 1 && LOGICAL(x)[0] == 1;
}

/* Returns a value in R as an operand: as a node or a number if it is one. */
static struct operand operand_of(SEXP value)
{
    struct operand v = { OTHER, TYPE_UNCLEAR, 0, 0.0, value, R_NilValue };
    SEXP known = glue_find(value, "known"), id = glue_find(value, "id"), number = glue_find(value, "value");
    if (is_true(known) && expression_is_number(number)) {
        v = number_of(number);
        v.object = value;
        v.label = glue_find(value, "label");
    } else if (TYPEOF(known) == LGLSXP && !is_true(known) && TYPEOF(id) == INTSXP && XLENGTH(id) == 1 &&
               INTEGER(id)[0] != NA_INTEGER && glue_find(value, "dim") == R_NilValue) {
        v.kind = NODE;
        v.type = type_of(glue_element(value, "type"));
        v.id = INTEGER(id)[0];
        v.number = Rf_asReal(glue_element(value, "bound"));
    }
    return v;
}

/* Returns an operand as a value in R. */
static SEXP value_of(const struct operand *v)
{
    const char *node[] = { "known", "id", "dim", "type", "bound", "" };
    const char *known[] = { "known", "value", "label", "frame", "" };
    if (v->object != R_NilValue) return v->object;
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, v->kind == NODE ? node : known));
    SET_VECTOR_ELT(list, 0, Rf_ScalarLogical(v->kind != NODE));
    if (v->kind == NODE) {
        SET_VECTOR_ELT(list, 1, Rf_ScalarInteger(v->id));
        SET_VECTOR_ELT(list, 3, Rf_mkString(type_name[v->type]));
        SET_VECTOR_ELT(list, 4, Rf_ScalarReal(v->number));
    } else SET_VECTOR_ELT(list, 1, v->type == TYPE_DOUBLE ? Rf_ScalarReal(v->number) : v->type == TYPE_LOGICAL
                          ? Rf_ScalarLogical(ISNAN(v->number) ? NA_LOGICAL : v->number != 0.0)
                          : Rf_ScalarInteger(ISNAN(v->number) ? NA_INTEGER : (int)v->number));
    UNPROTECT(1);
    return list;
}

/* Replaces a deferred operand by its value. */
static void force_value(struct translation *t, int k)
{
    struct operand *v = &t->operand[k];
    if (v->kind != DEFERRED) return;
    SEXP constant = r_constant(t->frame, v->object);
    if (expression_is_number(constant)) *v = number_of(constant);
    else {
        SEXP value = call_r(t, "fold", t->frame, v->object);
        SET_VECTOR_ELT(t->kept, k, value);
        t->operand[k] = operand_of(value);
    }
}

/* --- the stacks ------------------------------------------------------------------------------ */

static void push_level(struct translation *t, SEXP call)
{
    count_step(t);
    if (t->depth == t->levels) {
        t->levels = t->levels ? 2 * t->levels : 16;
        t->level = glue_enlarge(t->level, t->depth, t->levels, sizeof *t->level);
    }
    struct level l = { call, CDR(call), t->count };
    t->level[t->depth++] = l;
}

static void push_operand(struct translation *t, struct operand v)
{
    PROTECT(v.object);
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 32;
        t->operand = glue_enlarge(t->operand, t->count, t->capacity, sizeof *t->operand);
        REPROTECT(t->kept = t->count ? Rf_xlengthgets(t->kept, t->capacity) : Rf_allocVector(VECSXP, t->capacity),
                  t->at);
    }
    SET_VECTOR_ELT(t->kept, t->count, v.object);
    t->operand[t->count++] = v;
    UNPROTECT(1);
}

/* --- names ------------------------------------------------------------------------------------- */

/* TRUE if a name refers to a supported function here; see is_meant() in R. */
static int is_meant(const struct translation *t, SEXP name, SEXP fun)
{
    if (expression_is_base(t->frame, name, fun)) return 1;
    if (expression_local(t->frame, name) == R_NilValue) {
        SEXP known = glue_variable(glue_element(t->frame, "meant"), name);
        if (known != R_NilValue) return is_true(known);
    }
    SEXP text = PROTECT(Rf_ScalarString(PRINTNAME(name)));
    int answer = is_true(call_r(t, "is_supported_here", t->frame, text));
    UNPROTECT(1);
    return answer;
}

/* Returns the operation that an entry of the table has for one or two operands ("1", "2"); -1 if R combines them. */
static int op_of(SEXP entry, const char *operands)
{
    SEXP name = is_true(glue_find(entry, "is_plain")) ? glue_find(glue_find(entry, "op"), operands) : R_NilValue;
    if (TYPEOF(name) != STRSXP || !strcmp(CHAR(STRING_ELT(name, 0)), "SAME")) return -1;
    return node_op_of(STRING_ELT(name, 0));
}

/* Returns the meaning of a name as an operation, NULL if it has none here. */
static const struct meaning *meaning_of(struct translation *t, SEXP name)
{
    for (int k = 0; k < t->meanings; k++)
        if (t->meaning[k].name == name) return &t->meaning[k];
    SEXP entry = glue_variable(t->supported, name);
    if (glue_find(entry, "combine") == R_NilValue || !is_meant(t, name, glue_find(entry, "fun"))) return NULL;
    struct meaning m = { name, { op_of(entry, "1"), op_of(entry, "2") }, is_true(glue_find(entry, "is_power")) };
    if (t->meanings == MEANINGS) t->meanings = 0;
    t->meaning[t->meanings] = m;
    return &t->meaning[t->meanings++];
}

/* TRUE for a call of an operation whose operands are all given by position. */
static int is_operation(struct translation *t, SEXP expr)
{
    if (TYPEOF(expr) != LANGSXP || TYPEOF(CAR(expr)) != SYMSXP || CDR(expr) == R_NilValue) return 0;
    for (SEXP at = expr; at != R_NilValue; at = CDR(at))
        if (TAG(at) != R_NilValue) return 0;
    return CAR(expr) == t->parenthesis || meaning_of(t, CAR(expr));
}

/* Translates an operand that is no operation. */
static void translate_operand(struct translation *t, SEXP expr)
{
    struct operand v = { DEFERRED, TYPE_UNCLEAR, 0, 0.0, expr, R_NilValue }, local = v;
    if (TYPEOF(expr) == SYMSXP && expr != R_MissingArg) local = operand_of(expression_local(t->frame, expr));
    if (local.kind == NODE) {
        count_step(t);
        v = local;
    } else if (expr == R_MissingArg) v = operand_of(call_r(t, "missing_operand", R_NilValue, R_NilValue));
    else if (!expression_is_number(expr) && !expression_is_foldable(t->tr, t->frame, expr)) {
        v = operand_of(call_r(t, "translate", t->frame, expr));
        t->meanings = 0;
    }
    push_operand(t, v);
}

/* --- operations -------------------------------------------------------------------------------- */

/* Returns the node of an operand. */
static int node_of(const struct translation *t, const struct operand *v)
{
    if (v->kind == NODE) return v->id;
    if (v->label == R_NilValue) return checked(t, node_number(&t->nodes->ssa, v->number));
    SEXP label = STRING_ELT(v->label, 0);
    char *text = R_alloc(strlen(CHAR(label)) + 4, 1);
    strcat(strcpy(text, CHAR(label)), "[1]");
    SEXP origin = PROTECT(Rf_mkCharCE(text, Rf_getCharCE(label)));
    int id = node_captured(t->handle, v->number, origin);
    UNPROTECT(1);
    return checked(t, id);
}

static struct operand node_operand(int id, enum type type)
{
    struct operand v = { NODE, type, id, type == TYPE_LOGICAL ? 1.0 : R_PosInf, R_NilValue, R_NilValue };
    return v;
}

static int is_truth(int op)
{
    return (op >= OP_LT && op <= OP_XOR) || (op >= OP_ISNAN && op <= OP_ISINF);
}

/* Returns the operation for these operands; -1 if R combines them, as it does integers. */
static int op_for(const struct meaning *m, const struct operand *v, int count)
{
    int is_double = 0, op = count > 2 ? -1 : m->op[count - 1];
    for (int k = 0; k < count; k++) is_double |= v[k].type == TYPE_DOUBLE;
    if (op < 0 || (op == OP_ISNAN && !is_double)) return -1;
    return is_truth(op) || is_double ? op : -1;
}

/* Combines the operands of the current level, which are values, by an R function. */
static struct operand combined_by_r(struct translation *t, const struct level *l, const char *name)
{
    int count = t->count - l->first;
    SEXP values = PROTECT(Rf_allocVector(VECSXP, count));
    for (int k = 0; k < count; k++) SET_VECTOR_ELT(values, k, value_of(&t->operand[l->first + k]));
    struct operand v = operand_of(call_r(t, name, l->call, values));
    UNPROTECT(1);
    return v;
}

/* Combines the operands of an operation, all of which are single numbers.  Returns an operand of kind OTHER if it is
 * left to R. */
static struct operand combined(struct translation *t, SEXP call, const struct operand *v, int count)
{
    struct operand other = { OTHER, TYPE_UNCLEAR, 0, 0.0, R_NilValue, R_NilValue };
    struct ssa *s = &t->nodes->ssa;
    if (CAR(call) == t->parenthesis) return count == 1 ? v[0] : other;
    const struct meaning *m = meaning_of(t, CAR(call));
    if (!m) return other;
    int is_power = m->is_power && count == 2, op = is_power ? OP_POW : op_for(m, v, count);
    if (op < 0) return other;
    Rf_defineVar(t->current, call, t->tr);
    double k = v[count - 1].number;
    int first = node_of(t, &v[0]);
    if (is_power && v[1].kind == NUMBER && v[1].label == R_NilValue && fabs(k) <= 16.0 && 2.0 * k == floor(2.0 * k))
        return node_operand(checked(t, node_small_power(s, first, k)), TYPE_DOUBLE);
    int second = count > 1 ? node_of(t, &v[1]) : 0;
    return node_operand(checked(t, node_operation(s, op, first, second)), is_truth(op) ? TYPE_LOGICAL : TYPE_DOUBLE);
}

static int is_known(const struct operand *v)
{
    return v->kind == NUMBER || (v->kind == OTHER && is_true(glue_find(v->object, "known")));
}

/* Ends the current level and returns its value. */
static struct operand finish_level(struct translation *t)
{
    struct level l = t->level[--t->depth];
    struct operand v = { DEFERRED, TYPE_UNCLEAR, 0, 0.0, l.call, R_NilValue };
    int count = t->count - l.first, deferred = 0, others = 0, known = 0;

    for (int k = l.first; k < t->count; k++) deferred += t->operand[k].kind == DEFERRED;
    if (deferred < count) {
        for (int k = l.first; k < t->count; k++) {
            force_value(t, k);
            others += t->operand[k].kind == OTHER;
            known += is_known(&t->operand[k]);
        }
        v.kind = OTHER;
        if (known == count) v = combined_by_r(t, &l, "combine_known");
        else if (!others) v = combined(t, l.call, &t->operand[l.first], count);
        if (v.kind == OTHER && known < count) v = combined_by_r(t, &l, "combine_values");
    }
    t->count = l.first;
    return v;
}

static struct translation translation_in(SEXP tr, SEXP frame)
{
    struct translation t = { .tr = tr, .frame = frame, .kept = R_NilValue };
    t.space = glue_variable(tr, Rf_install("space"));
    t.supported = glue_variable(t.space, Rf_install("supported_functions"));
    t.handle = glue_variable(tr, Rf_install("nodes"));
    t.nodes = nodes_from(t.handle);
    t.parenthesis = Rf_install("(");
    t.current = Rf_install("current");
    return t;
}

/* Returns the value of an expression for which is_operation() is TRUE. */
SEXP r_translate_operations(SEXP tr, SEXP frame, SEXP expr)
{
    struct translation t = translation_in(tr, frame);
    PROTECT_WITH_INDEX(t.kept, &t.at);
    push_level(&t, expr);
    while (t.depth) {
        struct level *l = &t.level[t.depth - 1];
        SEXP next = l->rest;
        if (next == R_NilValue) push_operand(&t, finish_level(&t));
        else {
            l->rest = CDR(next);
            if (is_operation(&t, CAR(next))) push_level(&t, CAR(next));
            else translate_operand(&t, CAR(next));
        }
    }
    force_value(&t, 0);
    SEXP value = value_of(&t.operand[0]);
    UNPROTECT(1);
    return value;
}

SEXP r_is_operation(SEXP tr, SEXP frame, SEXP expr)
{
    struct translation t = translation_in(tr, frame);
    return Rf_ScalarLogical(is_operation(&t, expr));
}
