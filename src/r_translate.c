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
 * operands.  meaning: what names mean, until R is called, which may assign to them. */
struct walk {
    SEXP tr, frame, space, supported, handle, kept, parenthesis, current;
    PROTECT_INDEX at;
    struct nodes *nodes;
    struct level *level;
    struct operand *operand;
    int depth, levels, count, room, meanings;
    struct meaning meaning[MEANINGS];
};

/* --- calls of R ------------------------------------------------------------------------------ */

static SEXP quoted(SEXP x)
{
    return Rf_lang2(R_QuoteSymbol, x);
}

/* Returns the value of name(tr, x, y); the arguments are not evaluated. */
static SEXP call_r(const struct walk *w, const char *name, SEXP x, SEXP y)
{
    SEXP first = PROTECT(quoted(x)), second = PROTECT(quoted(y));
    SEXP call = PROTECT(Rf_lang4(Rf_install(name), w->tr, first, second));
    SEXP value = Rf_eval(call, w->space);
    UNPROTECT(3);
    return value;
}

static void count_step(const struct walk *w)
{
    if (++w->nodes->steps > w->nodes->most_steps) call_r(w, "stop_at_steps", R_NilValue, R_NilValue);
}

/* Returns a node, after an R error if memory is short or there are too many. */
static int checked(const struct walk *w, int id)
{
    if (!id) glue_refuse_memory("a translation");
    if (w->nodes->ssa.count > w->nodes->most_nodes) call_r(w, "stop_at_nodes", R_NilValue, R_NilValue);
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
static void force_value(struct walk *w, int k)
{
    struct operand *v = &w->operand[k];
    if (v->kind != DEFERRED) return;
    SEXP constant = r_constant(w->frame, v->object);
    if (expression_is_number(constant)) *v = number_of(constant);
    else {
        SEXP value = call_r(w, "fold", w->frame, v->object);
        SET_VECTOR_ELT(w->kept, k, value);
        w->operand[k] = operand_of(value);
    }
}

/* --- the stacks ------------------------------------------------------------------------------ */

static void push_level(struct walk *w, SEXP call)
{
    count_step(w);
    if (w->depth == w->levels) {
        w->levels = w->levels ? 2 * w->levels : 16;
        w->level = glue_grown(w->level, w->depth, w->levels, sizeof *w->level);
    }
    struct level l = { call, CDR(call), w->count };
    w->level[w->depth++] = l;
}

static void push_operand(struct walk *w, struct operand v)
{
    PROTECT(v.object);
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 32;
        w->operand = glue_grown(w->operand, w->count, w->room, sizeof *w->operand);
        REPROTECT(w->kept = w->count ? Rf_xlengthgets(w->kept, w->room) : Rf_allocVector(VECSXP, w->room), w->at);
    }
    SET_VECTOR_ELT(w->kept, w->count, v.object);
    w->operand[w->count++] = v;
    UNPROTECT(1);
}

/* --- names ------------------------------------------------------------------------------------- */

/* TRUE if a name refers to a supported function here; see is_meant() in R. */
static int is_meant(const struct walk *w, SEXP name, SEXP fun)
{
    if (expression_is_own(w->frame, name, fun)) return 1;
    if (expression_local(w->frame, name) == R_NilValue) {
        SEXP known = glue_variable(glue_element(w->frame, "meant"), name);
        if (known != R_NilValue) return is_true(known);
    }
    SEXP text = PROTECT(Rf_ScalarString(PRINTNAME(name)));
    int answer = is_true(call_r(w, "is_supported_here", w->frame, text));
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
static const struct meaning *meaning_of(struct walk *w, SEXP name)
{
    for (int k = 0; k < w->meanings; k++)
        if (w->meaning[k].name == name) return &w->meaning[k];
    SEXP entry = glue_variable(w->supported, name);
    if (glue_find(entry, "combine") == R_NilValue || !is_meant(w, name, glue_find(entry, "fun"))) return NULL;
    struct meaning m = { name, { op_of(entry, "1"), op_of(entry, "2") }, is_true(glue_find(entry, "is_power")) };
    if (w->meanings == MEANINGS) w->meanings = 0;
    w->meaning[w->meanings] = m;
    return &w->meaning[w->meanings++];
}

/* TRUE for a call of an operation whose operands are all given by position. */
static int is_operation(struct walk *w, SEXP expr)
{
    if (TYPEOF(expr) != LANGSXP || TYPEOF(CAR(expr)) != SYMSXP || CDR(expr) == R_NilValue) return 0;
    for (SEXP at = expr; at != R_NilValue; at = CDR(at))
        if (TAG(at) != R_NilValue) return 0;
    return CAR(expr) == w->parenthesis || meaning_of(w, CAR(expr));
}

/* Translates an operand that is no operation. */
static void translate_operand(struct walk *w, SEXP expr)
{
    struct operand v = { DEFERRED, TYPE_UNCLEAR, 0, 0.0, expr, R_NilValue }, local = v;
    if (TYPEOF(expr) == SYMSXP && expr != R_MissingArg) local = operand_of(expression_local(w->frame, expr));
    if (local.kind == NODE) {
        count_step(w);
        v = local;
    } else if (expr == R_MissingArg) v = operand_of(call_r(w, "missing_operand", R_NilValue, R_NilValue));
    else if (!expression_is_number(expr) && !expression_is_foldable(w->tr, w->frame, expr)) {
        v = operand_of(call_r(w, "translate", w->frame, expr));
        w->meanings = 0;
    }
    push_operand(w, v);
}

/* --- operations -------------------------------------------------------------------------------- */

/* Returns the node of an operand. */
static int node_of(const struct walk *w, const struct operand *v)
{
    if (v->kind == NODE) return v->id;
    if (v->label == R_NilValue) return checked(w, node_number(&w->nodes->ssa, v->number));
    SEXP label = STRING_ELT(v->label, 0);
    char *text = R_alloc(strlen(CHAR(label)) + 4, 1);
    strcat(strcpy(text, CHAR(label)), "[1]");
    SEXP origin = PROTECT(Rf_mkCharCE(text, Rf_getCharCE(label)));
    int id = node_captured(w->handle, v->number, origin);
    UNPROTECT(1);
    return checked(w, id);
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
static struct operand combined_by_r(struct walk *w, const struct level *l, const char *name)
{
    int count = w->count - l->first;
    SEXP values = PROTECT(Rf_allocVector(VECSXP, count));
    for (int k = 0; k < count; k++) SET_VECTOR_ELT(values, k, value_of(&w->operand[l->first + k]));
    struct operand v = operand_of(call_r(w, name, l->call, values));
    UNPROTECT(1);
    return v;
}

/* Combines the operands of an operation, all of which are single numbers.  Returns an operand of kind OTHER if it is
 * left to R. */
static struct operand combined(struct walk *w, SEXP call, const struct operand *v, int count)
{
    struct operand other = { OTHER, TYPE_UNCLEAR, 0, 0.0, R_NilValue, R_NilValue };
    struct ssa *s = &w->nodes->ssa;
    if (CAR(call) == w->parenthesis) return count == 1 ? v[0] : other;
    const struct meaning *m = meaning_of(w, CAR(call));
    if (!m) return other;
    int is_power = m->is_power && count == 2, op = is_power ? OP_POW : op_for(m, v, count);
    if (op < 0) return other;
    Rf_defineVar(w->current, call, w->tr);
    double k = v[count - 1].number;
    int first = node_of(w, &v[0]);
    if (is_power && v[1].kind == NUMBER && v[1].label == R_NilValue && fabs(k) <= 16.0 && 2.0 * k == floor(2.0 * k))
        return node_operand(checked(w, node_small_power(s, first, k)), TYPE_DOUBLE);
    int second = count > 1 ? node_of(w, &v[1]) : 0;
    return node_operand(checked(w, node_operation(s, op, first, second)), is_truth(op) ? TYPE_LOGICAL : TYPE_DOUBLE);
}

static int is_known(const struct operand *v)
{
    return v->kind == NUMBER || (v->kind == OTHER && is_true(glue_find(v->object, "known")));
}

/* Ends the current level and returns its value. */
static struct operand finish_level(struct walk *w)
{
    struct level l = w->level[--w->depth];
    struct operand v = { DEFERRED, TYPE_UNCLEAR, 0, 0.0, l.call, R_NilValue };
    int count = w->count - l.first, deferred = 0, others = 0, known = 0;

    for (int k = l.first; k < w->count; k++) deferred += w->operand[k].kind == DEFERRED;
    if (deferred < count) {
        for (int k = l.first; k < w->count; k++) {
            force_value(w, k);
            others += w->operand[k].kind == OTHER;
            known += is_known(&w->operand[k]);
        }
        v.kind = OTHER;
        if (known == count) v = combined_by_r(w, &l, "combine_known");
        else if (!others) v = combined(w, l.call, &w->operand[l.first], count);
        if (v.kind == OTHER && known < count) v = combined_by_r(w, &l, "combine_values");
    }
    w->count = l.first;
    return v;
}

static struct walk walk_in(SEXP tr, SEXP frame)
{
    struct walk w = { .tr = tr, .frame = frame, .kept = R_NilValue };
    w.space = glue_variable(tr, Rf_install("space"));
    w.supported = glue_variable(w.space, Rf_install("supported_functions"));
    w.handle = glue_variable(tr, Rf_install("nodes"));
    w.nodes = nodes_from(w.handle);
    w.parenthesis = Rf_install("(");
    w.current = Rf_install("current");
    return w;
}

/* Returns the value of an expression for which is_operation() is TRUE. */
SEXP r_translate_operations(SEXP tr, SEXP frame, SEXP expr)
{
    struct walk w = walk_in(tr, frame);
    PROTECT_WITH_INDEX(w.kept, &w.at);
    push_level(&w, expr);
    while (w.depth) {
        struct level *l = &w.level[w.depth - 1];
        SEXP next = l->rest;
        if (next == R_NilValue) push_operand(&w, finish_level(&w));
        else {
            l->rest = CDR(next);
            if (is_operation(&w, CAR(next))) push_level(&w, CAR(next));
            else translate_operand(&w, CAR(next));
        }
    }
    force_value(&w, 0);
    SEXP value = value_of(&w.operand[0]);
    UNPROTECT(1);
    return value;
}

SEXP r_is_operation(SEXP tr, SEXP frame, SEXP expr)
{
    struct walk w = walk_in(tr, frame);
    return Rf_ScalarLogical(is_operation(&w, expr));
}
