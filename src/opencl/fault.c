#include <math.h>
#include <string.h>
#include "fault.h"

#ifdef STABLECL_OPENCL

static const struct cl_table *real;
static struct fault_plan plan;
static int on;
static double calls, live;

static int next_call_fails(void)
{
    calls++;
    return on && calls >= plan.first && calls <= plan.last;
}

/* TRUE if these eight bytes are a double of ordinary magnitude rather than a pair of integers. */
static int is_ordinary(const unsigned char *byte)
{
    double value;
    memcpy(&value, byte, sizeof value);
    return fabs(value) > 1e-100 && fabs(value) < 1e100;
}

/* Flips bit 4 of byte 5 in each group of eight bytes.  In a double it stands for 2^-8 of the value; a small
 * integer remains small. */
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

/* Whether a call is executed even if it is to fail. */
enum { HAPPENS_ASK, HAPPENS_KEEP = 0, HAPPENS_QUEUE = 0, HAPPENS_READ = 0, HAPPENS_MAKE = 0,
       HAPPENS_MAP = 0, HAPPENS_DROP = 1, HAPPENS_WAIT = 1 };

/* Data can be altered only after they have arrived, so that such reads are made blocking. */
#define BEFORE_ASK
#define BEFORE_DROP
#define BEFORE_KEEP
#define BEFORE_WAIT
#define BEFORE_MAKE
#define BEFORE_QUEUE
#define BEFORE_READ     if (spoiling()) blocking = CL_TRUE;
#define BEFORE_MAP      if (spoiling()) blocking = CL_TRUE;

/* Memory mapped only for reading holds results; memory mapped otherwise may be about to be sent to the device. */
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

#else

void fault_start(const struct fault_plan *plan)
{
    (void)plan;
}

void fault_stop(void)
{
}

double fault_calls(void)
{
    return 0;
}

double fault_live(void)
{
    return 0;
}

#endif
