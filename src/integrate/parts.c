#include "limits.h"
#include "parts.h"

struct parts parts_of(const struct integral_job *j, size_t i)
{
    struct parts p = { j, 0.0, 0.0, 0, 0, 0 };
    range_of(j, i, 0, &p.a, &p.b);
    return p;
}

static int half_line(struct part *to, double origin, int side)
{
    struct part p = { 0.0, 1.0, origin, side };
    *to = p;
    return 1;
}

int parts_next(struct parts *p, struct part *to)
{
    const struct integral_job *j = p->job;
    double a = p->a, b = p->b;
    if (p->done) return 0;
    while (p->at < j->break_count && !(j->breaks[p->at] > a)) p->at++;
    if (p->at < j->break_count && j->breaks[p->at] < b) b = j->breaks[p->at];
    if (isinf(a) && isinf(b) && !p->half) {
        p->half = 1;
        return half_line(to, 0.0, -1);
    }
    p->done = b == p->b;
    p->a = b;
    if (isinf(b)) return half_line(to, isfinite(a) ? a : 0.0, 1);
    if (isinf(a)) return half_line(to, b, -1);
    struct part finite = { a, b, 0.0, 0 };
    *to = finite;
    return 1;
}
