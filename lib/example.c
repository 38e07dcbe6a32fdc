/* Densities, tails, quantiles, scores and random numbers from C, without R.
 *
 *     make lib
 *     cc -Ibuild/lib lib/example.c build/lib/libstablecl.a -fopenmp -lm -o example && ./example
 */
#define STABLECL_WITHOUT_R
#include <stdio.h>
#include <stablecl.h>

enum { N = 5 };

static int fail(const struct stablecl_api *stable, struct stablecl *s)
{
    fprintf(stderr, "stablecl: %s\n", s ? stable->message(s) : "no memory");
    return 1;
}

int main(void)
{
    const struct stablecl_api *stable = stablecl_api(STABLECL_API_VERSION);
    const double x[N] = { -100.0, -1.0, 0.0, 1.0, 100.0 }, p[N] = { 1e-6, 0.25, 0.5, 0.75, 0.999999 };
    const double parameters[4] = { 1.5, 0.5, 1.0, 0.0 };               /* alpha, beta, gamma, delta in S0 */
    struct stablecl_laws law = stablecl_one_law(parameters, 0);
    double density[N], upper[N], quantile[N], random[N], score[N * STABLECL_SCORES];
    struct stablecl *s = stable ? stable->open() : NULL;

    if (!s) return 1;
    if (stable->density(s, &law, N, x, 0, density) || stable->distribution(s, &law, N, x, 0, 0, upper) ||
        stable->quantile(s, &law, N, p, 1, 0, quantile) || stable->score(s, &law, N, x, score) ||
        stable->random(s, &law, N, 1, 0, random))
        return fail(stable, s);
    printf("x density upper_tail score_alpha p quantile random\n");
    for (int i = 0; i < N; i++)
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", x[i], density[i], upper[i],
               score[i + N * STABLECL_ALPHA], p[i], quantile[i], random[i]);
    stable->close(s);
    return 0;
}
