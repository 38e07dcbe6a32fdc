#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "sharing.h"

size_t shared_parts_count(const struct shared_parts *p, size_t wanted, size_t minimum)
{
    size_t next = ATOMIC_READ(&p->next), even = next < p->n ? (p->n - next) / (2 * (size_t)p->devices) : 0;
    if (p->devices == 1 || wanted <= even) return wanted;
    if (even > minimum) return even;
    return wanted < minimum ? wanted : minimum;
}

size_t shared_parts_next(struct shared_parts *p, size_t wanted, size_t *first)
{
    size_t next = ATOMIC_READ(&p->next);
    if (next >= p->n || stop_is_set(&p->stop) || (next > p->first && is_stop_requested(&p->stop))) return 0;
    *first = ATOMIC_ADD(&p->next, wanted) - wanted;
    if (*first >= p->n) return 0;
    return p->n - *first < wanted ? p->n - *first : wanted;
}

struct sharing {
    struct session *session;
    device_body *body;
    void *context;
    struct shared_parts parts;
};

static void run_device(void *context, int device)
{
    struct sharing *s = context;
    struct status local = { ST_OK, "" };

    if (!s->body(s->context, s->session, device, &s->parts, &local)) return;
    session_name_failure(s->session, device, &local);
    stop_all(&s->parts.stop, local.code, local.message);
}

int session_share(struct session *session, int devices, size_t parts, device_body *body, void *context,
                  struct slice *slice, struct status *st)
{
    struct sharing s = { session, body, context, {
        parts, slice->first, slice->first, devices,
        { .st = st, .until = threads_clock() + slice->seconds }
    } };

    parallel_each(s.parts.devices, run_device, &s);
    slice->done = (s.parts.next < parts ? s.parts.next : parts) - slice->first;
    return st->code;
}

#endif
