/* Examines R expressions during a translation (R/integrand-expression.R).  Expressions are visited level by
 * level with a queue, as they may be nested deeply. */
#include <string.h>
#include "r_translate.h"

struct queue {
    SEXP *item;
    int count, capacity;
};

static void append(struct queue *q, SEXP x)
{
    if (q->count == q->capacity) {
        q->capacity = q->capacity ? 2 * q->capacity : 64;
        q->item = glue_enlarge(q->item, q->count, q->capacity, sizeof *q->item);
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

static int is_list(SEXP x)
{
    return TYPEOF(x) == LANGSXP || TYPEOF(x) == LISTSXP;
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

/* Returns the texts in an expression, including those inside function definitions. */
SEXP r_texts_in(SEXP expr)
{
    struct queue all = { NULL, 0, 0 }, found = { NULL, 0, 0 };
    append(&all, expr);
    for (int k = 0; k < all.count; k++) {
        SEXP x = all.item[k];
        if (TYPEOF(x) == STRSXP && XLENGTH(x) == 1) append(&found, STRING_ELT(x, 0));
        for (SEXP at = is_list(x) ? x : R_NilValue; at != R_NilValue; at = CDR(at)) append(&all, CAR(at));
    }
    SEXP texts = PROTECT(Rf_allocVector(STRSXP, found.count));
    for (int k = 0; k < found.count; k++) SET_STRING_ELT(texts, k, found.item[k]);
    UNPROTECT(1);
    return texts;
}

/* --- hash values ------------------------------------------------------------------------- */

/* Returns a hash value of an object that is not a call; identical() objects have the same one. */
static unsigned long long hash_of(SEXP x)
{
    unsigned long long bits = (unsigned long long)TYPEOF(x);
    if (TYPEOF(x) == SYMSXP) bits = (unsigned long long)(size_t)x;
    if (TYPEOF(x) == STRSXP && XLENGTH(x) == 1) bits = (unsigned long long)(size_t)STRING_ELT(x, 0);
    if (TYPEOF(x) == REALSXP && XLENGTH(x) == 1 && !ISNAN(REAL(x)[0])) memcpy(&bits, REAL(x), sizeof bits);
    return bits;
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

/* Returns the environment that holds a name, searching from a frame of the translation; the empty one if none does. */
static SEXP environment_of(SEXP frame, SEXP name)
{
    SEXP env = glue_element(frame, "env");
    while (env != R_EmptyEnv && !R_existsVarInFrame(env, name)) env = R_ParentEnv(env);
    return env;
}

/* TRUE if a name that is not local always has the same value; see is_steady() in R.  That is so for names of R's base
 * package and for those that do not exist. */
static int is_steady(SEXP tr, SEXP frame, SEXP name)
{
    SEXP env = environment_of(frame, name);
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

/* The names and the calls in an expression while they are examined.  others: the names that are not local. */
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

/* TRUE for a text that names a function whose calls cannot be evaluated once, as in do.call("runif", ...). */
static int names_refused(const struct names *n, SEXP x)
{
    return TYPEOF(x) == STRSXP && XLENGTH(x) == 1 && STRING_ELT(x, 0) != R_BlankString &&
           glue_variable(n->refused, Rf_installTrChar(STRING_ELT(x, 0))) != R_NilValue;
}

/* Returns 0 if an expression with this call cannot be evaluated once. */
static int permits_call(struct names *n, SEXP call)
{
    SEXP head = CAR(call);
    if (TYPEOF(head) == LANGSXP && strcmp(head_of(call), "::") && strcmp(head_of(call), ":::")) n->computed = 1;
    for (SEXP at = call; at != R_NilValue; at = CDR(at)) {
        if (TYPEOF(CAR(at)) == LANGSXP) append(&n->calls, CAR(at));
        if (TYPEOF(CAR(at)) == SYMSXP && !permits_name(n, CAR(at))) return 0;
        if (names_refused(n, CAR(at))) return 0;
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

/* --- names of R's base package ------------------------------------------------------------------------------- */

int expression_is_number(SEXP x)
{
    int type = TYPEOF(x);
    return (type == REALSXP || type == INTSXP || type == LGLSXP) && XLENGTH(x) == 1 && !glue_has_attributes(x);
}

/* TRUE if a name refers to the object of R's base package here. */
static int is_base(SEXP frame, SEXP name)
{
    SEXP env = environment_of(frame, name);
    return env == R_BaseEnv || env == R_BaseNamespace;
}

int expression_is_base(SEXP frame, SEXP name, SEXP fun)
{
    if (expression_local(frame, name) != R_NilValue || !is_base(frame, name)) return 0;
    return glue_variable(R_BaseEnv, name) == fun;
}

/* TRUE if a name has a value that is one number, written in the integrand and not captured; defines it in `env` unless
 * that is R's own. */
static int is_constant(SEXP frame, SEXP name, SEXP env)
{
    SEXP local = expression_local(frame, name);
    if (local == R_NilValue) return name == Rf_install("pi") && is_base(frame, name);
    SEXP value = glue_find(local, "value");
    if (!is_known(local) || glue_find(local, "label") != R_NilValue || !expression_is_number(value)) return 0;
    Rf_defineVar(name, value, env);
    return 1;
}

/* TRUE for a call of an arithmetic function of R with a suitable number of arguments, which are not named. */
static int is_arithmetic(SEXP frame, SEXP call)
{
    static const char *const names[] = { "+", "-", "sqrt", "exp", "log", "(", "+", "-", "*", "/", "^", "<", ">", "==" };
    SEXP head = CAR(call);
    int count = Rf_length(call) - 1, first = count == 1 ? 0 : 6, end = count == 1 ? 6 : 14, is_one_of = 0;
    if (TYPEOF(head) != SYMSXP || count < 1 || count > 2) return 0;
    for (int k = first; k < end; k++) is_one_of |= !strcmp(CHAR(PRINTNAME(head)), names[k]);
    for (SEXP at = call; at != R_NilValue; at = CDR(at)) is_one_of &= TAG(at) == R_NilValue;
    return is_one_of && expression_local(frame, head) == R_NilValue && is_base(frame, head);
}

static SEXP new_environment(void)
{
#if R_VERSION >= R_Version(4, 1, 0)
    return R_NewEnv(R_BaseEnv, 0, 0);
#else
    SEXP call = PROTECT(Rf_lang3(Rf_install("new.env"), Rf_ScalarLogical(0), R_BaseEnv));
    SEXP env = Rf_eval(call, R_BaseEnv);
    UNPROTECT(1);
    return env;
#endif
}

/* Returns the value of an expression of numbers that are written in the integrand and of R's arithmetic, if it is one
 * number, else R's NULL.  R finds no error in such an expression. */
SEXP r_constant(SEXP frame, SEXP expr)
{
    struct queue all = { NULL, 0, 0 };
    int is_constant_part = 1;
    if (expression_is_number(expr)) return expr;
    SEXP env = PROTECT(new_environment()), value = R_NilValue;
    append(&all, expr);
    for (int k = 0; k < all.count && is_constant_part; k++) {
        SEXP x = all.item[k];
        if (TYPEOF(x) == SYMSXP) is_constant_part = x != R_MissingArg && is_constant(frame, x, env);
        else if (TYPEOF(x) == LANGSXP) {
            is_constant_part = is_arithmetic(frame, x);
            for (SEXP at = CDR(x); at != R_NilValue; at = CDR(at)) append(&all, CAR(at));
        } else is_constant_part = expression_is_number(x);
    }
    if (is_constant_part) value = Rf_eval(expr, env);
    UNPROTECT(1);
    return value;
}

/* --- words of the language --------------------------------------------------------------------- */

/* Returns the index of a symbol among symbols, -1 if it is missing. */
static int index_of(SEXP name, SEXP words)
{
    const char *text = CHAR(PRINTNAME(name));
    for (int k = 0; k < (int)XLENGTH(words); k++)
        if (!strcmp(CHAR(STRING_ELT(words, k)), text)) return k;
    return -1;
}

/* TRUE if these words of R's language only occur as functions in an expression, and are those of R.  If not, R code
 * examines the expression (check_forms()). */
SEXP r_forms_are_base(SEXP frame, SEXP expr, SEXP words)
{
    struct queue all = { NULL, 0, 0 };
    unsigned seen = 0;
    append(&all, expr);
    for (int k = 0; k < all.count; k++) {
        SEXP call = all.item[k];
        if (TYPEOF(call) != LANGSXP) continue;
        int word = TYPEOF(CAR(call)) == SYMSXP ? index_of(CAR(call), words) : -1;
        if (word >= 0 && !(seen >> word & 1) && (expression_local(frame, CAR(call)) != R_NilValue ||
                                                 !is_base(frame, CAR(call)))) return Rf_ScalarLogical(0);
        if (word >= 0) seen |= 1u << word;
        if (word >= 0 && TYPEOF(CADR(call)) == STRSXP) return Rf_ScalarLogical(0);
        if (TYPEOF(CAR(call)) == LANGSXP) append(&all, CAR(call));
        for (SEXP at = CDR(call); at != R_NilValue; at = CDR(at)) {
            if (TYPEOF(CAR(at)) == SYMSXP && index_of(CAR(at), words) >= 0) return Rf_ScalarLogical(0);
            append(&all, CAR(at));
        }
    }
    return Rf_ScalarLogical(1);
}
