/* client.c: a package that calls stablecl from C, on several threads. */
#include <math.h>
#include <string.h>
#include <stablecl.h>
#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

static const struct stablecl_api *stable;

enum what { DENSITY = 1, DISTRIBUTION, QUANTILE, SCORE, RANDOM };

struct call {
    enum what what;
    const double *x;
    size_t n;
    struct stablecl_laws laws;
    const int *flag;
    uint64_t seed, first;
    double *y;
};

/* Computes elements [from, to); parameters that vary are taken from element `from` on. */
static int stretch(struct stablecl *s, const struct call *c, size_t from, size_t to)
{
    struct stablecl_column *column[4];
    struct stablecl_laws l = c->laws;
    size_t n = to - from;
    const double *x = c->x + from;
    double *y = c->y + from;

    column[0] = &l.alpha; column[1] = &l.beta; column[2] = &l.gamma; column[3] = &l.delta;
    for (int k = 0; k < 4; k++) {
        if (column[k]->length == 1) continue;
        column[k]->at += from;
        column[k]->length = n;
    }
    switch (c->what) {
    case DENSITY:      return stable->density(s, &l, n, x, c->flag[0], y);
    case DISTRIBUTION: return stable->distribution(s, &l, n, x, c->flag[0], c->flag[1], y);
    case QUANTILE:     return stable->quantile(s, &l, n, x, c->flag[0], c->flag[1], y);
    case RANDOM:       return stable->random(s, &l, n, c->seed, c->first + from, y);
    default:           return stable->score(s, &l, n, x, y);
    }
}

static int in_threads(const struct call *c, int threads)
{
    int wrong = 0;
#pragma omp parallel for num_threads(threads) reduction(|:wrong) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        struct stablecl *s = stable->open();
        size_t from = c->n * (size_t)t / (size_t)threads, to = c->n * (size_t)(t + 1) / (size_t)threads;
        wrong |= s ? stretch(s, c, from, to) : STABLECL_MEMORY;
        stable->close(s);
    }
    return wrong;
}

/* `laws`: four double vectors, each of length 1 or the length of x. */
SEXP client_call(SEXP what, SEXP x, SEXP laws, SEXP pm, SEXP flags, SEXP seed, SEXP threads)
{
    struct stablecl_column column[4];
    struct call c;

    for (int k = 0; k < 4; k++) {
        column[k].at = REAL(VECTOR_ELT(laws, k));
        column[k].length = (size_t)XLENGTH(VECTOR_ELT(laws, k));
    }
    struct stablecl_laws l = { column[0], column[1], column[2], column[3], Rf_asInteger(pm) };
    c.what = (enum what)Rf_asInteger(what);
    c.x = REAL(x);
    c.n = (size_t)XLENGTH(x);
    c.laws = l;
    c.flag = INTEGER(flags);
    c.seed = (uint64_t)REAL(seed)[0] | (uint64_t)REAL(seed)[1] << 32;
    c.first = (uint64_t)REAL(seed)[2];
    SEXP y = PROTECT(Rf_allocVector(REALSXP, XLENGTH(x) * (c.what == SCORE ? STABLECL_SCORES : 1)));
    c.y = REAL(y);
    if (in_threads(&c, Rf_asInteger(threads))) Rf_error("a call of stablecl failed");
    UNPROTECT(1);
    return y;
}

SEXP client_wrong(void)
{
    static const double par[4] = { 1.5, 0.5, 1.0, 0.0 };
    double x = 0.3, y = 0.0;
    struct stablecl *s = stable->open();
    struct stablecl_laws law = stablecl_one_law(par, 3), empty = stablecl_one_law(par, 0);
    const char *names[] = { "code", "text", "code", "text", "code", "value", "" };
    SEXP answers = PROTECT(Rf_mkNamed(VECSXP, names));

    if (!s) Rf_error("no evaluator");
    empty.beta.length = 0;
    SET_VECTOR_ELT(answers, 0, Rf_ScalarInteger(stable->density(s, &law, 1, &x, 0, &y)));
    SET_VECTOR_ELT(answers, 1, Rf_mkString(stable->message(s)));
    SET_VECTOR_ELT(answers, 2, Rf_ScalarInteger(stable->random(s, &empty, 1, 1, 0, &y)));
    SET_VECTOR_ELT(answers, 3, Rf_mkString(stable->message(s)));
    law.pm = 0;
    SET_VECTOR_ELT(answers, 4, Rf_ScalarInteger(stable->density(s, &law, 1, &x, 0, &y)));
    SET_VECTOR_ELT(answers, 5, Rf_ScalarReal(y));
    stable->close(s);
    UNPROTECT(1);
    return answers;
}

SEXP client_next_version(void)
{
    typedef const struct stablecl_api *(*getter)(int);
    getter get = (getter)(void (*)(void))R_GetCCallable("stablecl", "stablecl_api");
    return Rf_ScalarLogical(get(STABLECL_API_VERSION + 1) == NULL);
}

static const R_CallMethodDef routines[] = {
    { "C_call", (DL_FUNC)(void (*)(void))client_call, 7 },
    { "C_wrong", (DL_FUNC)(void (*)(void))client_wrong, 0 },
    { "C_next_version", (DL_FUNC)(void (*)(void))client_next_version, 0 },
    { NULL, NULL, 0 }
};

void R_init_stableclclient(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, routines, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    stable = stablecl_get_api();
    if (!stable) Rf_error("stablecl is older than the header that this package was built with");
}
