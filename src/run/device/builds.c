/* Builds programs, on a thread of their own, from their source or from the binary of an earlier process.
 *
 * A build that the user has interrupted, or for which "auto" does not wait, remains in a list: the next request for the
 * same program in the same context takes its result.  Those whose context is closed are released when they have ended.
 */
#include <stdio.h>
#include <string.h>
#include "../../opencl/entries.h"
#ifdef STABLECL_OPENCL
#include "gpu.h"
#include "../../opencl/binaries.h"
#include "../../base/background.h"
#include "../../base/memory.h"
#include "../../base/process.h"

#define OPTIONS "-cl-std=CL1.2"
#define OPTIONS_SINGLE OPTIONS " -cl-single-precision-constant"
#define OPTIONS_ROUNDED OPTIONS_SINGLE " -cl-fp32-correctly-rounded-divide-sqrt"

/* Without the last option, a quotient in single precision may have an error of 2.5 ulp. */
static const char *options_of(const struct device *d, int is_single)
{
    return !is_single ? OPTIONS : d->rounds_quotients ? OPTIONS_ROUNDED : OPTIONS_SINGLE;
}

/* Bytes of a build log kept in a message: together with the text before it they must fit into the 800 that run.c
 * passes on and the 1000 that R prints. */
#define LOG_KEPT 680

/* Returns where the part of a log to keep begins: at the line of the first error, which causes the later ones,
 * but late enough that the end of the log fits. */
static size_t start_of_part(const char *log, size_t length)
{
    const char *error = strstr(log, "rror");
    size_t late = length > LOG_KEPT ? length - LOG_KEPT : 0, line = error ? (size_t)(error - log) : length;

    if (line >= late) return late;
    while (line > 0 && log[line - 1] != '\n') line--;
    return line;
}

/* Copies that part as plain text, with all characters other than printable ASCII replaced. */
static void keep_part(char *kept, const char *log)
{
    size_t length = strlen(log);

    while (length > 0 && (unsigned char)log[length - 1] <= ' ') length--;
    const char *from = log + start_of_part(log, length);
    for (size_t i = 0; i < LOG_KEPT && from + i < log + length; i++)
        *kept++ = from[i] == '\n' || (from[i] >= ' ' && from[i] <= '~') ? from[i] : from[i] == '\t' ? ' ' : '?';
    *kept = 0;
}

/* Returns the compiler's log, or NULL; the caller frees it. */
static char *build_log(struct gpu *g, cl_program program)
{
    size_t size = 0;
    char *log;

    if (g->cl->GetProgramBuildInfo(program, g->device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS)
        return NULL;
    log = memory_zeroed(size + 1, 1);
    if (log && g->cl->GetProgramBuildInfo(program, g->device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) == CL_SUCCESS)
        return log;
    memory_release(log);
    return NULL;
}

static int report(struct gpu *g, cl_program program, cl_int error, const char *name, struct status *st)
{
    char what[32], kept[LOG_KEPT + 1] = "";
    char *log = build_log(g, program);
    const char *part = log && strlen(log) > LOG_KEPT ? "part of its log" : "its log";

    if (log) keep_part(kept, log);
    memory_release(log);
    snprintf(what, sizeof what, "building %s.cl", name);
    gpu_check(error, what, st);
    size_t used = strlen(st->message);
    if (*kept) snprintf(st->message + used, sizeof st->message - used, "; %s:\n%s", part, kept);
    else snprintf(st->message + used, sizeof st->message - used, "; the compiler returned no log");
    return st->code;
}

/* --- binaries on disk (opencl/binaries.h) --- */

/* Creates the program from the binary of an earlier process.  Returns NULL if there is none, or if the driver refuses
 * it. */
static cl_program from_binary(struct gpu *g, const struct binary_key *key)
{
    const unsigned char *binary;
    size_t size;
    cl_int e, status;
    unsigned char *file = binary_read(key, &binary, &size);

    if (!file) return NULL;
    cl_program program = g->cl->CreateProgramWithBinary(g->context, 1, &g->device->id, &size, &binary, &status, &e);
    memory_release(file);
    return e == CL_SUCCESS ? program : NULL;
}

/* Keeps the binary of a program for later processes, if the driver provides it and memory suffices. */
static void keep_binary(struct gpu *g, const struct binary_key *key, cl_program program)
{
    size_t size = 0;
    unsigned char *binary;

    if (!binaries_are_kept(g->device)) return;
    if (g->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) || size == 0) return;
    binary = memory_allocate(size);
    if (binary && !g->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL))
        binary_write(key, binary, size);
    memory_release(binary);
}

/* --- builds --------------------------------------------------------------------------------------- */

struct build {
    struct build *next;                 /* in the list of those in the background */
    const struct cl_table *cl;
    cl_context context;
    cl_device_id device;
    const char *options;
    char key[sizeof ((struct binary_key *)0)->name];
    cl_program program;                 /* retains the context */
    cl_int error;
    int is_binary, is_abandoned;        /* is_abandoned: its context is closed */
    struct background *thread;          /* NULL: built at once */
};

static struct build *builds;            /* main thread only */

static void compile(void *context)
{
    struct build *b = context;
    b->error = b->cl->BuildProgram(b->program, 1, &b->device, b->options, NULL, NULL);
}

/* Waits for the build if necessary, and removes it from the list. */
static void unlist(struct build *b)
{
    if (!b->thread) return;
    struct build **at = &builds;
    while (*at != b) at = &(*at)->next;
    *at = b->next;
    background_end(b->thread);
    b->thread = NULL;
    process_restore_handlers();
}

static void discard(struct build *b)
{
    unlist(b);
    b->cl->ReleaseProgram(b->program);
    memory_release(b);
}

/* Signal handlers belong to the main thread. */
static void compile_in_background(struct build *b)
{
    int is_main = background_is_main();

    if (is_main) process_keep_handlers();
    b->thread = background_start(compile, b);
    if (b->thread) {
        b->next = builds;
        builds = b;
        return;
    }
    compile(b);
    if (is_main) process_restore_handlers();
}

/* Starts to build a program, of which it becomes the owner.  Returns NULL if memory is short. */
static struct build *start_build(struct gpu *g, const struct binary_key *key, const char *options, cl_program program,
                                 int is_binary, struct status *st)
{
    struct build *b = memory_zeroed(1, sizeof *b);

    if (!b) {
        g->cl->ReleaseProgram(program);
        fail(st, ST_MEMORY, "no memory for a program");
        return NULL;
    }
    b->cl = g->cl;
    b->context = g->context;
    b->device = g->device->id;
    b->options = options;
    memcpy(b->key, key->name, sizeof b->key);
    b->program = program;
    b->is_binary = is_binary;
    compile_in_background(b);
    return b;
}

/* Releases the builds that have ended without a use for their result. */
static void release_abandoned(void)
{
    struct build *next;
    for (struct build *b = builds; b; b = next) {
        next = b->next;
        if (b->is_abandoned && background_has_ended(b->thread)) discard(b);
    }
}

static struct build *find_build(const struct gpu *g, const struct binary_key *key)
{
    if (!background_is_main()) return NULL;
    release_abandoned();
    struct build *b = builds;
    while (b && (b->is_abandoned || b->context != g->context || b->device != g->device->id ||
                 strcmp(b->key, key->name)))
        b = b->next;
    return b;
}

void builds_abandon(const struct gpu *g)
{
    for (struct build *b = builds; b; b = b->next) b->is_abandoned |= b->context == g->context;
    release_abandoned();
}

static int wait_for_build(const struct gpu *g, struct build *b, const char *name, struct status *st)
{
    char what[BACKGROUND_TEXT];

    if (!b->thread) return ST_OK;
    snprintf(what, sizeof what, "program '%s' for '%s'", name, g->device->name);
    return background_wait(b->thread, what, st);
}

/* Takes the program of a build that has succeeded. */
static void take_program(struct build *b, cl_program *made)
{
    unlist(b);
    *made = b->program;
    memory_release(b);
}

static int from_source(struct gpu *g, const struct binary_key *key, cl_uint strings, const char *const *string,
                       const char *options, struct build **b, struct status *st)
{
    cl_int e;
    cl_program program = g->cl->CreateProgramWithSource(g->context, strings, (const char **)string, NULL, &e);

    if (gpu_check(e, "creating a program", st)) return st->code;
    *b = start_build(g, key, options, program, 0, st);
    return st->code;
}

/* Sets *b to the build in progress or to one from a binary; to NULL if there is none or if the driver refuses it: the
 * source is compiled then. */
static int continue_build(struct gpu *g, const struct binary_key *key, const char *options, const char *name,
                          struct build **b, struct status *st)
{
    *b = find_build(g, key);
    cl_program program = *b ? NULL : from_binary(g, key);
    if (program) *b = start_build(g, key, options, program, 1, st);
    if (!*b || wait_for_build(g, *b, name, st) || !(*b)->is_binary || (*b)->error == CL_SUCCESS) return st->code;
    discard(*b);
    *b = NULL;
    return ST_OK;
}

int gpu_build(struct gpu *g, cl_uint strings, const char *const *string, int is_single, const char *name,
              cl_program *made, struct status *st)
{
    const char *options = options_of(g->device, is_single);
    struct binary_key key;
    struct build *b;

    binary_key(&key, g->device, options, strings, string);
    if (continue_build(g, &key, options, name, &b, st) ||
        (!b && from_source(g, &key, strings, string, options, &b, st)) || wait_for_build(g, b, name, st))
        return st->code;
    if (b->error != CL_SUCCESS) {
        report(g, b->program, b->error, name, st);
        discard(b);
        return st->code;
    }
    int is_new = !b->is_binary;
    take_program(b, made);
    if (is_new) keep_binary(g, &key, *made);
    return ST_OK;
}

#endif
