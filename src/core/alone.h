/* core/alone.h: the value of a law at a place that shares nothing with others. */
#ifndef STABLECL_ALONE_H
#define STABLECL_ALONE_H

#include "standard.h"
#include "stream.h"

/* Without tail, only v->pdf, its scale and the error count. */
APART void value_alone(const struct standard *law, struct abscissa z, int without_tail, struct stable_value *v)
{
    struct position p;
    struct sums sums;
    if (standard_closed(law, z, &p, v)) return;
    if (standard_is_far(law, &p) && position_log_z(&law->law, &p) <= tail_limit(&law->law)) {
        struct tail tail;
        tail_set(&tail, &law->law, position_side(&law->law, &p));
        if (value_tail(&law->law, &p, &tail, v)) return;
    }
    struct bump b = standard_bump(law, &p);
    stream_sums(&b, without_tail, &sums);
    value_from_sums(&law->law, &p, &sums, v);
}

#endif
