#include <string.h>
#include "sessions.h"
#include "selection.h"
#include "verify.h"
#include "cpu.h"
#include "device/session.h"
#include "../base/process.h"

#define MAX_TESTED 64

static struct session *on_cpu, *on_devices;
static struct selection open_devices;
static unsigned char tested[MAX_TESTED];

int sessions_cpu(struct target *place, struct status *st)
{
    static const struct selection none;

    if (!on_cpu) on_cpu = cpu_backend.open(&none, st);
    place->backend = &cpu_backend;
    place->session = on_cpu;
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

static int is_tested(int device)
{
    return device < MAX_TESTED && tested[device];
}

/* Tests each device on its own, so that every failure is attributed to its device. */
static int test(int device, struct status *st)
{
    struct selection alone = { 1, { device } };
    struct target cpu, place;

    if (sessions_cpu(&cpu, st)) return st->code;
    if (!on_devices || !selection_equal(&open_devices, &alone))
        if (open_on(&alone, st)) return st->code;
    place.backend = &opencl_backend;
    place.session = on_devices;
    if (selftest(&place, &cpu, st)) {
        sessions_close_devices();
        return st->code;
    }
    if (device < MAX_TESTED) tested[device] = 1;
    return ST_OK;
}

int sessions_devices(const struct selection *devices, struct target *place, struct status *st)
{
    for (int i = 0; i < devices->count; i++)
        if (!is_tested(devices->device[i]) && test(devices->device[i], st)) return st->code;
    if (!on_devices || !selection_equal(&open_devices, devices))
        if (open_on(devices, st)) return st->code;
    place->backend = &opencl_backend;
    place->session = on_devices;
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
