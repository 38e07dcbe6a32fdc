#include <math.h>
#include <string.h>
#include "fault.h"

#ifdef STABLECL_OPENCL

#include "load.h"

static const struct cl_table *real;
static struct fault_plan plan;
static int on;
static double calls, live;

static int next_call_fails(void)
{
    calls++;
    return on && calls >= plan.first && calls <= plan.last;
}

/* Are these eight bytes a number of ordinary size, and no pair of counters? */
static int is_ordinary(const unsigned char *byte)
{
    double value;
    memcpy(&value, byte, sizeof value);
    return fabs(value) > 1e-100 && fabs(value) < 1e100;
}

/* Bit 4 of byte 5 of a double is worth 2^-8 of its value; a small number elsewhere
 * stays one. */
static void spoil(void *data, size_t size)
{
    unsigned char *byte = data;
    for (size_t i = 0; i + 8 <= size; i += 8)
        if (plan.spoil == SPOIL_ALL || is_ordinary(byte + i)) byte[i + 5] ^= 0x10;
}

static int spoiling(void)
{
    return on && plan.spoil;
}

/* Calls that take place whether they are to fail or not. */
enum { HAPPENS_ASK, HAPPENS_KEEP = 0, HAPPENS_QUEUE = 0, HAPPENS_READ = 0, HAPPENS_MAKE = 0,
       HAPPENS_MAP = 0, HAPPENS_DROP = 1, HAPPENS_WAIT = 1 };

/* Data can be spoilt once they have arrived. */
#define BEFORE_ASK
#define BEFORE_DROP
#define BEFORE_KEEP
#define BEFORE_WAIT
#define BEFORE_MAKE
#define BEFORE_QUEUE
#define BEFORE_READ     if (spoiling()) blocking = CL_TRUE;
#define BEFORE_MAP      if (spoiling()) blocking = CL_TRUE;

/* Memory mapped for reading alone holds results; other maps may be on their way to the
 * device. */
#define AFTER_ASK
#define AFTER_WAIT
#define AFTER_DROP      live--;
#define AFTER_KEEP      live++;
#define AFTER_MAKE      live++;
#define AFTER_QUEUE     live += event != NULL;
#define AFTER_READ      live += event != NULL; if (spoiling()) spoil(data, size);
#define AFTER_MAP       live += event != NULL; \
                        if (spoiling() && flags == CL_MAP_READ) spoil(object, size);

#define STATUS_WRAPPER(effect, name, parameters, arguments)     \
    static cl_int CL_API_CALL wrapped_##name parameters         \
    {                                                           \
        int fails = next_call_fails();                          \
        if (fails && !HAPPENS_##effect) return plan.code;       \
        BEFORE_##effect                                         \
        cl_int code = real->name arguments;                     \
        if (code == CL_SUCCESS) { AFTER_##effect }              \
        return fails ? plan.code : code;                        \
    }

#define OBJECT_WRAPPER(effect, type, name, parameters, arguments)       \
    static type CL_API_CALL wrapped_##name parameters                   \
    {                                                                   \
        if (next_call_fails()) {                                        \
            if (result) *result = plan.code;                            \
            return NULL;                                                \
        }                                                               \
        BEFORE_##effect                                                 \
        type object = real->name arguments;                             \
        if (object) { AFTER_##effect }                                  \
        return object;                                                  \
    }

STATUS_ENTRIES(STATUS_WRAPPER)
OBJECT_ENTRIES(OBJECT_WRAPPER)

#define STATUS_MEMBER(effect, name, parameters, arguments)       wrapped_##name,
#define OBJECT_MEMBER(effect, type, name, parameters, arguments) wrapped_##name,

static const struct cl_table wrappers = {
    STATUS_ENTRIES(STATUS_MEMBER)
    OBJECT_ENTRIES(OBJECT_MEMBER)
};

void fault_start(const struct fault_plan *wanted)
{
    plan = *wanted;
    calls = 0;
    on = 1;
}

void fault_stop(void)
{
    on = 0;
}

double fault_calls(void)
{
    return calls;
}

double fault_live(void)
{
    return live;
}

const struct cl_table *fault_table(const struct cl_table *underneath)
{
    real = underneath;
    return on ? &wrappers : underneath;
}

#endif
