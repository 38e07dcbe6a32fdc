/* Questions about R expressions during a translation (R/integrand-expression.R).  Expressions are visited level by level
 * with a queue, as they may be nested deeply. */
#include <string.h>
#include <Rversion.h>
#include "r_expression.h"

struct queue {
    SEXP *item;
    int count, room;
};

static void append(struct queue *q, SEXP x)
{
    if (q->count == q->room) {
        q->room = q->room ? 2 * q->room : 64;
        q->item = glue_grown(q->item, q->count, q->room, sizeof *q->item);
    }
    q->item[q->count++] = x;
}

/* --- calls ------------------------------------------------------------------------------ */

/* Returns the name of the function of a call; if that is itself the value of a call, the name of the latter. */
static const char *head_of(SEXP call)
{
    SEXP head = CAR(call);
    if (TYPEOF(head) == LANGSXP) head = CAR(head);
    return TYPEOF(head) == SYMSXP ? CHAR(PRINTNAME(head)) : "";
}

static int is_among(const char *name, SEXP names)
{
    for (R_xlen_t k = 0; k < XLENGTH(names); k++)
        if (!strcmp(CHAR(STRING_ELT(names, k)), name)) return 1;
    return 0;
}

/* Returns the calls in an expression of functions with these names (R's NULL: of all functions), level by level, except
 * those inside function definitions. */
SEXP r_calls_in(SEXP expr, SEXP names)
{
    struct queue all = { NULL, 0, 0 }, found = { NULL, 0, 0 };
    append(&all, expr);
    for (int k = 0; k < all.count; k++) {
        SEXP call = all.item[k];
        if (TYPEOF(call) != LANGSXP || CAR(call) == Rf_install("function")) continue;
        if (names == R_NilValue || is_among(head_of(call), names)) append(&found, call);
        for (SEXP at = call; at != R_NilValue; at = CDR(at))
            if (TYPEOF(CAR(at)) == LANGSXP) append(&all, CAR(at));
    }
    SEXP list = PROTECT(Rf_allocVector(VECSXP, found.count));
    for (int k = 0; k < found.count; k++) SET_VECTOR_ELT(list, k, found.item[k]);
    UNPROTECT(1);
    return list;
}

/* --- hash values ------------------------------------------------------------------------- */

/* Returns a hash value of what is no call, which identical() objects share. */
static unsigned long long hash_of(SEXP x)
{
    unsigned long long bits = (unsigned long long)TYPEOF(x);
    if (TYPEOF(x) == SYMSXP) bits = (unsigned long long)(size_t)x;
    if (TYPEOF(x) == STRSXP && XLENGTH(x) == 1) bits = (unsigned long long)(size_t)STRING_ELT(x, 0);
    if (TYPEOF(x) == REALSXP && XLENGTH(x) == 1 && !ISNAN(REAL(x)[0])) memcpy(&bits, REAL(x), sizeof bits);
    return bits;
}

static int is_list(SEXP x)
{
    return TYPEOF(x) == LANGSXP || TYPEOF(x) == LISTSXP;
}

double expression_hash(SEXP formals, SEXP body)
{
    unsigned long long hash = 1;
    struct queue all = { NULL, 0, 0 };
    append(&all, formals);
    append(&all, body);
    for (int k = 0; k < all.count; k++) {
        SEXP x = all.item[k];
        if (!is_list(x)) hash = hash * 0x9E3779B97F4A7C15ULL + hash_of(x);
        for (SEXP at = is_list(x) ? x : R_NilValue; at != R_NilValue; at = CDR(at)) {
            if (is_list(CAR(at))) append(&all, CAR(at));
            hash = (hash ^ hash >> 29) * 0x9E3779B97F4A7C15ULL + hash_of(CAR(at));
        }
    }
    return (double)(hash >> 11);
}

SEXP r_expression_hash(SEXP formals, SEXP body)
{
    return Rf_ScalarReal(expression_hash(formals, body));
}

/* --- names ------------------------------------------------------------------------------ */

SEXP expression_local(SEXP frame, SEXP name)
{
    for (; frame != R_NilValue; frame = glue_element(frame, "parent")) {
        SEXP value = glue_variable(glue_element(frame, "vars"), name);
        if (value != R_NilValue) return value;
    }
    return R_NilValue;
}

static SEXP parent_of(SEXP env)
{
#if R_VERSION >= R_Version(4, 5, 0)
    return R_ParentEnv(env);
#else
    return ENCLOS(env);
#endif
}

/* TRUE if a name that is not local always has the same value; see is_steady() in R.  That is so for names of R's base
 * package and for those that do not exist. */
static int is_steady(SEXP tr, SEXP frame, SEXP name)
{
    SEXP env = glue_element(frame, "env");
    while (env != R_EmptyEnv && !R_existsVarInFrame(env, name)) env = parent_of(env);
    if (env == R_EmptyEnv || env == R_BaseEnv || env == R_BaseNamespace) return 1;
    SEXP text = PROTECT(Rf_ScalarString(PRINTNAME(name)));
    SEXP call = PROTECT(Rf_lang4(Rf_install("is_steady"), tr, frame, text));
    int answer = Rf_asLogical(Rf_eval(call, glue_variable(tr, Rf_install("space"))));
    UNPROTECT(2);
    return answer;
}

/* TRUE if the value of a local name is known, and not a function that a frame of the translation defines. */
static int is_known(SEXP value)
{
    SEXP known = glue_find(value, "known");
    return TYPEOF(known) == LGLSXP && LOGICAL(known)[0] && glue_find(value, "frame") == R_NilValue;
}

/* What the names and the calls in an expression permit.  others: the names that are not local. */
struct names {
    SEXP tr, frame, refused;
    struct queue calls, others;
    int selects, computed;              /* does it contain $, [[, @ or (, and a function that is the value of a call? */
};

/* Returns 0 if an expression with this name cannot be evaluated once. */
static int permits_name(struct names *n, SEXP name)
{
    const char *text = CHAR(PRINTNAME(name));
    if (!*text) return 1;
    if (glue_variable(n->refused, name) != R_NilValue) return 0;
    SEXP local = expression_local(n->frame, name);
    if (local != R_NilValue && !is_known(local)) return 0;
    if (local == R_NilValue) append(&n->others, name);
    n->selects |= !strcmp(text, "$") || !strcmp(text, "[[") || !strcmp(text, "@") || !strcmp(text, "(");
    return 1;
}

/* Returns 0 if an expression with this call cannot be evaluated once. */
static int permits_call(struct names *n, SEXP call)
{
    SEXP head = CAR(call);
    if (TYPEOF(head) == LANGSXP && strcmp(head_of(call), "::") && strcmp(head_of(call), ":::")) n->computed = 1;
    for (SEXP at = call; at != R_NilValue; at = CDR(at)) {
        if (TYPEOF(CAR(at)) == LANGSXP) append(&n->calls, CAR(at));
        if (TYPEOF(CAR(at)) == SYMSXP && !permits_name(n, CAR(at))) return 0;
    }
    return 1;
}

int expression_is_foldable(SEXP tr, SEXP frame, SEXP expr)
{
    struct names n = { .tr = tr, .frame = frame, .refused = glue_variable(tr, Rf_install("unfoldable")) };
    if (TYPEOF(expr) == SYMSXP && !permits_name(&n, expr)) return 0;
    if (TYPEOF(expr) == LANGSXP) append(&n.calls, expr);
    for (int k = 0; k < n.calls.count; k++)
        if (!permits_call(&n, n.calls.item[k])) return 0;
    for (int k = 0; k < n.others.count; k++)
        if (!is_steady(tr, frame, n.others.item[k])) return 0;
    return !n.selects || !n.computed;
}

SEXP r_is_foldable(SEXP tr, SEXP frame, SEXP expr)
{
    return Rf_ScalarLogical(expression_is_foldable(tr, frame, expr));
}
