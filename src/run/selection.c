/* A preference is a keyword, a row number in stable_devices(), or part of the name of a device, tried in this order. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cpu.h"
#include "selection.h"
#include "verify.h"
#include "../base/process.h"
#include "../opencl/devices.h"

#define PREFERENCE_LENGTH 256

static char preferences[PREFERENCE_SOURCES][PREFERENCE_LENGTH];
static char given_up[1200];
static int is_notice_pending;

enum preference_source preference_source_in_force(void)
{
    int s = 0;
    while (s < PREFERENCE_SOURCES && !preferences[s][0]) s++;
    return (enum preference_source)s;
}

const char *preference_in_force(void)
{
    enum preference_source s = preference_source_in_force();
    return s < PREFERENCE_SOURCES ? preferences[s] : "auto";
}

const char *preference_of(enum preference_source source)
{
    return preferences[source];
}

int preference_check(const char *text, struct status *st)
{
    if (strlen(text) < PREFERENCE_LENGTH) return ST_OK;
    return fail(st, ST_DEVICE, "the name of a backend must have fewer than %d characters", PREFERENCE_LENGTH);
}

void preference_set(enum preference_source source, const char *text)
{
    memcpy(preferences[source], text, strlen(text) + 1);
}

void preference_try_again(void)
{
    given_up[0] = 0;
    is_notice_pending = 0;
}

void preference_load(void)
{
    const char *preference = getenv("STABLECL_BACKEND");
    memset(preferences, 0, sizeof preferences);
    preference_try_again();
    if (preference && strlen(preference) < PREFERENCE_LENGTH) preference_set(PREFERENCE_ENVIRONMENT, preference);
}

const char *preference_given_up(void)
{
    return given_up;
}

void preference_give_up(const char *reason)
{
    snprintf(given_up, sizeof given_up, "%s", reason);
    is_notice_pending = 1;
}

const char *preference_notice(void)
{
    int due = is_notice_pending;
    is_notice_pending = 0;
    return due ? given_up : NULL;
}

/* --- devices --- */

static int cpu_allowed;

/* TRUE if `text` begins with `part`, ignoring case. */
static int begins(const char *text, const char *part)
{
    while (*part && tolower((unsigned char)*text) == tolower((unsigned char)*part)) {
        text++;
        part++;
    }
    return !*part;
}

static int same(const char *a, const char *b)
{
    return strlen(a) == strlen(b) && begins(a, b);
}

static int contains(const char *text, const char *part)
{
    for (; *text; text++)
        if (begins(text, part)) return 1;
    return 0;
}

/* Lists the numbers and names of the devices, as far as they fit. */
static void list_devices(char *text, size_t size)
{
    int count;
    const struct device *d = devices_list(&count);
    size_t used = 0;

    snprintf(text, size, "no device (%s)", devices_note());
    for (int i = 0; i < count && used < size; i++) {
        int more = snprintf(text + used, size - used, "%sopencl:%d '%s'", i ? ", " : "", i + 1,
                            d[i].name);
        if (more < 0) break;
        used += (size_t)more;
    }
}

static int unknown(const char *preference, struct status *st)
{
    char list[512];
    list_devices(list, sizeof list);
    return fail(st, ST_DEVICE, "no backend or device matches '%.100s'; available are auto, cpu and %s",
                preference, list);
}

static int add(struct selection *devices, int index)
{
    if (devices->count < SELECTION_MAX) devices->device[devices->count++] = index;
    return ST_OK;
}

/* TRUE if a device computes jobs in this precision. */
static int computes(const struct device *d, enum precision precision)
{
    return precision == PRECISION_SINGLE ? d->single : d->usable;
}

static int add_usable(struct selection *devices, const struct device *d, int index, enum precision precision,
                      struct status *st)
{
    if (computes(&d[index], precision)) return add(devices, index);
    return fail(st, d[index].single ? ST_UNSUPPORTED : ST_DEVICE, "device opencl:%d '%s' cannot be used: %s", index + 1,
                d[index].name, d[index].reason);
}

/* Adds the devices for this precision that are CPUs, or those that are not: only the first one, or all. */
static void collect(struct selection *devices, enum precision precision, int cpus, int all)
{
    int count;
    const struct device *d = devices_list(&count);

    for (int i = 0; i < count && (all || devices->count == 0); i++)
        if (computes(&d[i], precision) && d[i].is_cpu == cpus) add(devices, i);
}

static int best(struct selection *devices, enum precision precision, int all, struct status *st)
{
    int count;
    const struct device *d = devices_list(&count);
    char list[512];

    collect(devices, precision, 0, all);
    if (devices->count == 0) collect(devices, precision, 1, all);
    if (devices->count > 0) return ST_OK;
    if (count == 0) return fail(st, ST_DEVICE, "no OpenCL device: %s", devices_note());
    for (int i = 0; i < count; i++) if (d[i].single) return add_usable(devices, d, i, precision, st);
    list_devices(list, sizeof list);
    return fail(st, ST_DEVICE, "no usable OpenCL device among %s; stable_devices() lists the reasons",
                list);
}

/* Adds the first usable device that is not a CPU. */
static int first_gpu(struct selection *devices, enum precision precision, struct status *st)
{
    int count;
    const struct device *d = devices_list(&count);
    char list[512];

    collect(devices, precision, 0, 0);
    if (devices->count > 0) return ST_OK;
    if (count == 0) return fail(st, ST_DEVICE, "no GPU can be used: %s", devices_note());
    for (int i = 0; i < count; i++) if (d[i].single && !d[i].is_cpu) return add_usable(devices, d, i, precision, st);
    list_devices(list, sizeof list);
    return fail(st, ST_DEVICE, "no GPU can be used; available are cpu and %s", list);
}

static int numbered(const char *preference, const char *number, enum precision precision, struct selection *devices,
                    struct status *st)
{
    int count;
    const struct device *d = devices_list(&count);
    char *end;
    long row = strtol(number, &end, 10);

    if (*end || end == number || row < 1 || row > count) return unknown(preference, st);
    return add_usable(devices, d, (int)row - 1, precision, st);
}

/* Returns 2 for a device that computes jobs in this precision, 1 for one that does in single precision, else 0. */
static int fitness(const struct device *d, enum precision precision)
{
    return computes(d, precision) ? 2 : d->single;
}

static int named(const char *preference, enum precision precision, struct selection *devices, struct status *st)
{
    int count, found = -1;
    const struct device *d = devices_list(&count);

    for (int i = count - 1; i >= 0; i--)
        if (contains(d[i].name, preference) &&
            (found < 0 || fitness(&d[i], precision) >= fitness(&d[found], precision)))
            found = i;
    if (found < 0) return unknown(preference, st);
    return add_usable(devices, d, found, precision, st);
}

int selection_resolve(const char *preference, enum precision precision, enum selection_kind *kind,
                      struct selection *devices, struct status *st)
{
    memset(devices, 0, sizeof *devices);
    *kind = SELECTION_AUTO;
    if (!*preference || same(preference, "auto")) return ST_OK;
    *kind = SELECTION_CPU;
    if (same(preference, "cpu")) return ST_OK;
    *kind = SELECTION_DEVICE;
    if (same(preference, "opencl"))     return best(devices, precision, 0, st);
    if (same(preference, "gpu"))        return first_gpu(devices, precision, st);
    if (same(preference, "opencl:all")) return best(devices, precision, 1, st);
    if (begins(preference, "opencl:"))
        return numbered(preference, preference + strlen("opencl:"), precision, devices, st);
    return named(preference, precision, devices, st);
}

int selection_auto(enum precision precision, struct selection *device)
{
    memset(device, 0, sizeof *device);
    if (process_is_checked() && !cpu_allowed) return 0;
    collect(device, precision, 0, 0);
    if (device->count == 0 && cpu_allowed) collect(device, precision, 1, 0);
    return device->count > 0;
}

void selection_allow_cpu(int allowed)
{
    cpu_allowed = allowed;
}

int selection_equal(const struct selection *a, const struct selection *b)
{
    if (a->count != b->count) return 0;
    for (int i = 0; i < a->count; i++)
        if (a->device[i] != b->device[i]) return 0;
    return 1;
}

/* --- sessions --- */

#define MAX_TESTED 64

static struct session *on_cpu, *on_devices;
static struct selection open_devices;
static unsigned char tested[MAX_TESTED]; /* parts of the self-test that each device has passed */

int sessions_cpu(struct target *target, struct status *st)
{
    static const struct selection none;

    if (!on_cpu) on_cpu = cpu_backend.open(&none, st);
    target->backend = &cpu_backend;
    target->session = on_cpu;
    return on_cpu ? ST_OK : st->code;
}

void sessions_close_devices(void)
{
    if (on_devices && !process_is_child()) opencl_backend.close(on_devices);
    on_devices = NULL;
    open_devices.count = 0;
}

static int open_on(const struct selection *devices, struct status *st)
{
    sessions_close_devices();
    on_devices = opencl_backend.open(devices, st);
    if (!on_devices) return st->code;
    verify_begin();
    open_devices = *devices;
    return ST_OK;
}

/* Returns those of the parts that the device has not passed. */
static unsigned untested(int device, unsigned parts)
{
    return device < MAX_TESTED ? parts & ~(unsigned)tested[device] : parts;
}

/* Tests each device on its own, so that every failure is attributed to its device. */
static int test_device(int device, unsigned parts, struct status *st)
{
    struct selection single_device = { 1, { device } };
    struct target cpu, target;

    if (sessions_cpu(&cpu, st)) return st->code;
    if (!on_devices || !selection_equal(&open_devices, &single_device))
        if (open_on(&single_device, st)) return st->code;
    target.backend = &opencl_backend;
    target.session = on_devices;
    if (selftest(&target, &cpu, parts, st)) {
        if (st->code != ST_BUSY && st->code != ST_INTERRUPTED) sessions_close_devices();
        return st->code;
    }
    if (device < MAX_TESTED) tested[device] |= (unsigned char)parts;
    return ST_OK;
}

int sessions_devices(const struct selection *devices, unsigned parts, struct target *target, struct status *st)
{
    if (devices->count > 1 && parts && !(parts & TEST_SINGLE)) parts = TEST_ALL;
    process_keep_handlers();
    int failed = 0;
    for (int i = 0; i < devices->count && !failed; i++) {
        unsigned missing = untested(devices->device[i], parts);
        failed = missing && test_device(devices->device[i], missing, st);
    }
    process_restore_handlers();
    if (failed) return st->code;
    if (!on_devices || !selection_equal(&open_devices, devices))
        if (open_on(devices, st)) return st->code;
    target->backend = &opencl_backend;
    target->session = on_devices;
    return ST_OK;
}

const struct selection *sessions_open_devices(void)
{
    return on_devices ? &open_devices : NULL;
}

void sessions_close_all(void)
{
    sessions_close_devices();
    if (on_cpu) cpu_backend.close(on_cpu);
    on_cpu = NULL;
}

void sessions_forget_data(unsigned long data)
{
    if (on_devices && !process_is_child()) opencl_backend.forget(on_devices, data);
}

void sessions_forget_tests(void)
{
    memset(tested, 0, sizeof tested);
}
