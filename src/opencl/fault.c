#ifndef _GNU_SOURCE
#  define _GNU_SOURCE 1                 /* for nanosleep() */
#endif
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "fault.h"
#include "../base/parallel.h"

#ifdef STABLECL_OPENCL

static const struct cl_table *real;
static struct fault_plan plan = { .device = FAULT_ANY };
static int on;

/* Calls and launches of kernels on the first device, on the others, and on any; objects in use; atomic. */
static long calls[FAULT_ANY + 1], launches[FAULT_ANY + 1], live;

#define STATUS_NUMBER(effect, name, parameters, arguments)       NUMBER_##name,
#define OBJECT_NUMBER(effect, type, name, parameters, arguments) NUMBER_##name,
enum { STATUS_ENTRIES(STATUS_NUMBER) OBJECT_ENTRIES(OBJECT_NUMBER) FUNCTIONS };
static long calls_of[FUNCTIONS];        /* on any device; atomic */

/* Counts a call, and returns whether it is to fail. */
static int next_call_fails(int table, int function)
{
    ATOMIC_ADD(&calls_of[function], 1);
    long of_table = ATOMIC_ADD(&calls[table], 1), all = ATOMIC_ADD(&calls[FAULT_ANY], 1);
    double number = (double)(plan.device == FAULT_ANY ? all : of_table);
    if (!on || (plan.device != FAULT_ANY && plan.device != table)) return 0;
    return number >= plan.first && number <= plan.last;
}

static void count_launch(int table)
{
    ATOMIC_ADD(&launches[table], 1);
    ATOMIC_ADD(&launches[FAULT_ANY], 1);
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
static void corrupt(void *data, size_t size)
{
    unsigned char *byte = data;
    for (size_t i = 0; i + 8 <= size; i += 8)
        if (plan.corrupt == CORRUPT_ALL || is_ordinary(byte + i)) byte[i + 5] ^= 0x10;
}

static int is_corrupting(void)
{
    return on && plan.corrupt;
}

/* Whether a call is executed even if it is to fail. */
enum { EXECUTED_QUERY, EXECUTED_RETAIN = 0, EXECUTED_ENQUEUE = 0, EXECUTED_LAUNCH = 0, EXECUTED_READ = 0,
       EXECUTED_CREATE = 0, EXECUTED_MAP = 0, EXECUTED_RELEASE = 1, EXECUTED_WAIT = 1 };

/* Data can be altered only after they have arrived, so that such reads are made blocking. */
#define BEFORE_QUERY
#define BEFORE_RELEASE
#define BEFORE_RETAIN
#define BEFORE_WAIT
#define BEFORE_CREATE
#define BEFORE_ENQUEUE
#define BEFORE_LAUNCH
#define BEFORE_READ     if (is_corrupting()) blocking = CL_TRUE;
#define BEFORE_MAP      if (is_corrupting()) blocking = CL_TRUE;

/* Memory mapped only for reading holds results; memory mapped otherwise may be about to be sent to the device. */
#define AFTER_QUERY
#define AFTER_WAIT
#define AFTER_RELEASE   ATOMIC_ADD(&live, -1);
#define AFTER_RETAIN    ATOMIC_ADD(&live, 1);
#define AFTER_CREATE    ATOMIC_ADD(&live, 1);
#define AFTER_ENQUEUE   ATOMIC_ADD(&live, event != NULL);
#define AFTER_LAUNCH    ATOMIC_ADD(&live, event != NULL); count_launch(table);
#define AFTER_READ      ATOMIC_ADD(&live, event != NULL); if (is_corrupting()) corrupt(data, size);
#define AFTER_MAP       ATOMIC_ADD(&live, event != NULL); \
                        if (is_corrupting() && flags == CL_MAP_READ) corrupt(object, size);

#define STATUS_WRAPPER(number, effect, name, parameters, arguments)    \
    static cl_int CL_API_CALL wrapped_##number##_##name parameters     \
    {                                                                   \
        enum { table = number };                                        \
        int fails = next_call_fails(table, NUMBER_##name);              \
        if (fails && !EXECUTED_##effect) return plan.code;              \
        BEFORE_##effect                                                 \
        cl_int code = real->name arguments;                             \
        if (code == CL_SUCCESS) { AFTER_##effect }                      \
        return fails ? plan.code : code;                                \
    }

#define OBJECT_WRAPPER(number, effect, type, name, parameters, arguments) \
    static type CL_API_CALL wrapped_##number##_##name parameters        \
    {                                                                   \
        if (next_call_fails(number, NUMBER_##name)) {                   \
            if (result) *result = plan.code;                            \
            return NULL;                                                \
        }                                                               \
        BEFORE_##effect                                                 \
        type object = real->name arguments;                             \
        if (object) { AFTER_##effect }                                  \
        return object;                                                  \
    }

#define STATUS_MEMBER(number, name) wrapped_##number##_##name,

/* These macros for each table, because X(effect, ...) of the lists does not have the number of the table. */
#define STATUS_WRAPPER_0(effect, name, parameters, arguments) STATUS_WRAPPER(0, effect, name, parameters, arguments)
#define STATUS_WRAPPER_1(effect, name, parameters, arguments) STATUS_WRAPPER(1, effect, name, parameters, arguments)
#define OBJECT_WRAPPER_0(effect, type, name, parameters, arguments) \
    OBJECT_WRAPPER(0, effect, type, name, parameters, arguments)
#define OBJECT_WRAPPER_1(effect, type, name, parameters, arguments) \
    OBJECT_WRAPPER(1, effect, type, name, parameters, arguments)
#define STATUS_MEMBER_0(effect, name, parameters, arguments)        STATUS_MEMBER(0, name)
#define STATUS_MEMBER_1(effect, name, parameters, arguments)        STATUS_MEMBER(1, name)
#define OBJECT_MEMBER_0(effect, type, name, parameters, arguments)  STATUS_MEMBER(0, name)
#define OBJECT_MEMBER_1(effect, type, name, parameters, arguments)  STATUS_MEMBER(1, name)

STATUS_ENTRIES(STATUS_WRAPPER_0)
OBJECT_ENTRIES(OBJECT_WRAPPER_0)
STATUS_ENTRIES(STATUS_WRAPPER_1)
OBJECT_ENTRIES(OBJECT_WRAPPER_1)

static const struct cl_table wrappers[FAULT_TABLES] = {
    { STATUS_ENTRIES(STATUS_MEMBER_0) OBJECT_ENTRIES(OBJECT_MEMBER_0) },
    { STATUS_ENTRIES(STATUS_MEMBER_1) OBJECT_ENTRIES(OBJECT_MEMBER_1) }
};

void fault_start(const struct fault_plan *wanted)
{
    plan = *wanted;
    for (int k = 0; k <= FAULT_ANY; k++) {
        ATOMIC_WRITE(&calls[k], 0);
        ATOMIC_WRITE(&launches[k], 0);
    }
    for (int k = 0; k < FUNCTIONS; k++) ATOMIC_WRITE(&calls_of[k], 0);
    on = 1;
}

void fault_stop(void)
{
    on = 0;
}

double fault_calls(void)
{
    return (double)ATOMIC_READ(&calls[plan.device]);
}

double fault_launches(int device)
{
    return (double)ATOMIC_READ(&launches[device]);
}

#define STATUS_NAME(effect, name, parameters, arguments)       #name,
#define OBJECT_NAME(effect, type, name, parameters, arguments) #name,

double fault_calls_of(int k, const char **name)
{
    static const char *const names[FUNCTIONS] = { STATUS_ENTRIES(STATUS_NAME) OBJECT_ENTRIES(OBJECT_NAME) };

    *name = k < FUNCTIONS ? names[k] : NULL;
    return k < FUNCTIONS ? (double)ATOMIC_READ(&calls_of[k]) : 0.0;
}

double fault_live(void)
{
    return (double)ATOMIC_READ(&live);
}

/* --- devices without double precision, and slow and plain compilers --- */

static int is_hidden;                   /* double precision */
static int is_slow, is_held;            /* compilers wait while is_held, which is atomic */
static int is_unoptimised;              /* compilers do not optimise */
static struct cl_table altered[FAULT_TABLES];

static int is_part_of_name(char c)
{
    return c && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", c);
}

/* Returns whether the text uses the type double or a vector of it outside of comments.  Lines of comments that do not
 * begin a comment begin with '*'. */
static int has_double(const char *text)
{
    for (const char *at = text; (at = strstr(at, "double")); at += 6) {
        const char *line = at, *comment;
        while (line > text && line[-1] != '\n') line--;
        comment = strstr(line, "/*");
        if (line[strspn(line, " \t")] == '*' || (comment && comment < at)) continue;
        if (at > line && is_part_of_name(at[-1])) continue;
        if (!is_part_of_name(at[6]) || (at[6] >= '2' && at[6] <= '8')) return 1;
    }
    return 0;
}

static cl_int CL_API_CALL info_without_double(cl_device_id device, cl_device_info what, size_t size, void *value,
                                              size_t *needed)
{
    cl_int code = wrappers[0].GetDeviceInfo(device, what, size, value, needed);
    if (what == CL_DEVICE_DOUBLE_FP_CONFIG && value) memset(value, 0, size);
    return code;
}

static cl_program CL_API_CALL program_without_double(cl_context context, cl_uint count, const char **strings,
                                                     const size_t *lengths, cl_int *result)
{
    for (cl_uint k = 0; k < count; k++) {
        if (!has_double(strings[k])) continue;
        if (result) *result = CL_INVALID_OPERATION;
        return NULL;
    }
    return wrappers[0].CreateProgramWithSource(context, count, strings, lengths, result);
}

static cl_int CL_API_CALL slow_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                     const char *options, void (CL_CALLBACK *done)(cl_program, void *), void *data)
{
    struct timespec moment = { 0, 1000000 };

    while (ATOMIC_READ(&is_held)) nanosleep(&moment, NULL);
    return wrappers[0].BuildProgram(program, count, devices, options, done, data);
}

static cl_int CL_API_CALL unoptimised_build(cl_program program, cl_uint count, const cl_device_id *devices,
                                            const char *options, void (CL_CALLBACK *done)(cl_program, void *),
                                            void *data)
{
    char all[512];
    int length = snprintf(all, sizeof all, "%s -cl-opt-disable", options ? options : "");

    if (length < 0 || (size_t)length >= sizeof all) return CL_INVALID_BUILD_OPTIONS;
    return wrappers[0].BuildProgram(program, count, devices, all, done, data);
}

static void alter_tables(void)
{
    for (int k = 0; k < FAULT_TABLES; k++) {
        altered[k] = wrappers[k];
        if (is_hidden) {
            altered[k].GetDeviceInfo = info_without_double;
            altered[k].CreateProgramWithSource = program_without_double;
        }
        if (is_unoptimised) altered[k].BuildProgram = unoptimised_build;
        if (is_slow) altered[k].BuildProgram = slow_build;
    }
}

void fault_hide_double(int hidden)
{
    is_hidden = hidden;
    alter_tables();
}

void fault_hold_builds(int held)
{
    is_slow |= held;
    ATOMIC_WRITE(&is_held, held);
    alter_tables();
}

void fault_disable_optimisation(int plain)
{
    is_unoptimised = plain;
    alter_tables();
}

const struct cl_table *fault_table(const struct cl_table *wrapped, int device)
{
    real = wrapped;
    if (is_hidden || is_slow || is_unoptimised) return &altered[device > 0];
    return on ? &wrappers[device > 0] : wrapped;
}

#else

double fault_calls_of(int k, const char **name)
{
    (void)k;
    *name = NULL;
    return 0;
}

void fault_start(const struct fault_plan *plan)
{
    (void)plan;
}

void fault_stop(void)
{
}

void fault_hide_double(int hidden)
{
    (void)hidden;
}

void fault_hold_builds(int held)
{
    (void)held;
}

void fault_disable_optimisation(int plain)
{
    (void)plain;
}

double fault_calls(void)
{
    return 0;
}

double fault_launches(int device)
{
    (void)device;
    return 0;
}

double fault_live(void)
{
    return 0;
}

#endif
