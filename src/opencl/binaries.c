#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "binaries.h"
#include "../base/memory.h"

static char folder[FILES_PATH];
static int folder_is_chosen;
static double limit = BINARIES_LIMIT;

void binaries_folder(const char *path, int is_chosen)
{
    size_t length = strlen(path);
    if (length >= sizeof folder) length = 0;
    memcpy(folder, path, length);
    folder[length] = 0;
    folder_is_chosen = is_chosen;
}

/* --- the files of the folder -------------------------------------------------------------------- */

#define HASH_DIGITS 32
#define SUFFIX      ".program"
#define TEMPORARY_AGE 3600.0            /* age in seconds from which a file that was not renamed is abandoned */

struct binary_file { char name[64]; double bytes, age; };

struct listing {
    struct binary_file *file;
    int files, capacity, is_incomplete;     /* is_short: memory did not suffice for all */
    double bytes;
};

/* TRUE for the name of a file of a binary; *is_temporary is set if it is one that was not yet renamed. */
static int is_binary_name(const char *name, int *is_temporary)
{
    const size_t length = HASH_DIGITS + sizeof SUFFIX - 1;

    if (strspn(name, "0123456789abcdef") != HASH_DIGITS || strncmp(name + HASH_DIGITS, SUFFIX, sizeof SUFFIX - 1))
        return 0;
    *is_temporary = name[length] == '.';
    return strlen(name) < sizeof ((struct binary_file *)0)->name && (name[length] == 0 || *is_temporary);
}

static void add_file(void *context, const char *name, double bytes, double age)
{
    struct listing *all = context;
    int is_temporary;

    if (!is_binary_name(name, &is_temporary) || (is_temporary && age < TEMPORARY_AGE)) return;
    if (all->files == all->capacity) {
        int capacity = 2 * all->capacity + 64;
        struct binary_file *more = memory_resize(all->file, (size_t)capacity * sizeof *more);
        all->is_incomplete |= !more;
        if (!more) return;
        all->file = more;
        all->capacity = capacity;
    }
    struct binary_file *one = &all->file[all->files++];
    snprintf(one->name, sizeof one->name, "%s", name);
    one->bytes = bytes;
    one->age = is_temporary ? 86400.0 * BINARIES_DAYS : age;
    all->bytes += bytes;
}

static struct listing list_files(void)
{
    struct listing all = { NULL, 0, 0, 0, 0.0 };
    if (*folder) files_visit(folder, add_file, &all);
    return all;
}

static int path_of(char path[FILES_PATH], const char *name)
{
    int n = snprintf(path, FILES_PATH, "%s/%s", folder, name);
    return n > 0 && n < FILES_PATH;
}

/* Removes one file from the list, and from the folder unless another process has done so. */
static void evict(struct listing *all, int k)
{
    char path[FILES_PATH];

    if (path_of(path, all->file[k].name)) files_remove(path);
    all->bytes -= all->file[k].bytes;
    all->file[k] = all->file[--all->files];
}

/* Removes outdated files, and the oldest ones until at most `maximum` bytes are left. */
static void evict_oldest(double maximum)
{
    struct listing all = list_files();

    while (all.files > 0) {
        int oldest = 0;
        for (int k = 1; k < all.files; k++) if (all.file[k].age > all.file[oldest].age) oldest = k;
        if (all.bytes <= maximum && all.file[oldest].age < 86400.0 * BINARIES_DAYS) break;
        evict(&all, oldest);
    }
    memory_release(all.file);
}

void binaries_limit(double bytes)
{
    limit = bytes;
    if (*folder) evict_oldest(limit);
}

void binaries_describe(struct binaries_state *s)
{
    struct listing all = list_files();
    const char *trouble = *folder ? files_folder_trouble(folder, 0) : NULL;

    s->folder = folder;
    s->limit = limit;
    s->bytes = all.bytes;
    s->files = all.files;
    s->trouble = trouble && trouble != files_absent ? trouble : "";
    memory_release(all.file);
}

#ifdef STABLECL_OPENCL

/* --- hashes ------------------------------------------------------------------------------------- */

/* A hash of 128 bits, with which equal names of different programs do not occur by chance. */
struct hash { uint64_t a, b; };

static const struct hash empty_hash = { 0xcbf29ce484222325u, 0x9ae16a3b2f90404fu };

/* FNV-1a in each half, with different multipliers. */
static void hash_bytes(struct hash *h, const unsigned char *byte, size_t n)
{
    uint64_t a = h->a, b = h->b;
    for (size_t i = 0; i < n; i++) {
        a = (a ^ byte[i]) * 0x100000001b3u;
        b = (b ^ byte[i]) * 0x9e3779b97f4a7c15u;
        b ^= b >> 29;
    }
    h->a = a;
    h->b = b;
}

static void hash_text(struct hash *h, const char *text)
{
    hash_bytes(h, (const unsigned char *)text, strlen(text));
}

static void hash_digits(char digits[HASH_DIGITS + 1], const struct hash *h)
{
    for (int half = 0; half < 2; half++) {
        uint64_t value = half ? h->b : h->a;
        for (int k = 15; k >= 0; k--, value >>= 4) digits[16 * half + k] = "0123456789abcdef"[value & 15];
    }
    digits[HASH_DIGITS] = 0;
}

/* --- reading and writing ------------------------------------------------------------------------ */

/* The end of a header: size and hash of the binary. */
#define END_FORMAT "bytes: %016lx\nhash: %s\n\n"
#define END_LENGTH (7 + 16 + 1 + 6 + HASH_DIGITS + 2)

static int is_enabled(void)
{
    return *folder && limit > 0;
}

/* To create a binary, PoCL compiles each kernel again, for work groups of any size, which takes longer than the build
 * itself; it keeps its own cache of built programs. */
int binaries_are_kept(const struct device *device)
{
    return is_enabled() && (folder_is_chosen || strcmp(device->platform_name, "Portable Computing Language"));
}

void binary_key(struct binary_key *key, const struct device *device, const char *options, unsigned strings,
                const char *const *string)
{
    struct hash source = empty_hash, whole = empty_hash;
    char digits[HASH_DIGITS + 1];

    for (unsigned k = 0; k < strings; k++) hash_text(&source, string[k]);
    hash_digits(digits, &source);
    snprintf(key->header, sizeof key->header,
             "stablecl: binary of an OpenCL program, format 1\ndevice: %s\nvendor: %s\nversion: %s\ndriver: %s\n"
             "platform: %s\nplatform version: %s\npointers: %d\noptions: %s\nsource: %s\n",
             device->name, device->vendor, device->version, device->driver, device->platform_name,
             device->platform_version, (int)sizeof(void *), options, digits);
    hash_text(&whole, key->header);
    hash_digits(digits, &whole);
    snprintf(key->name, sizeof key->name, "%s" SUFFIX, digits);
}

static void end_of_header(char end[END_LENGTH + 1], const unsigned char *binary, size_t size)
{
    struct hash h = empty_hash;
    char digits[HASH_DIGITS + 1];

    hash_bytes(&h, binary, size);
    hash_digits(digits, &h);
    snprintf(end, END_LENGTH + 1, END_FORMAT, (unsigned long)size, digits);
}

/* TRUE if the file consists of the expected header and the binary that it describes. */
static int is_valid(const struct binary_key *key, const unsigned char *file, size_t size)
{
    size_t start = strlen(key->header);
    char end[END_LENGTH + 1];

    if (size <= start + END_LENGTH || memcmp(file, key->header, start)) return 0;
    end_of_header(end, file + start + END_LENGTH, size - start - END_LENGTH);
    return !memcmp(file + start, end, END_LENGTH);
}

unsigned char *binary_read(const struct binary_key *key, const unsigned char **binary, size_t *size)
{
    char path[FILES_PATH];
    size_t start = strlen(key->header) + END_LENGTH, bytes;

    if (!is_enabled() || !path_of(path, key->name) || files_folder_trouble(folder, 0)) return NULL;
    unsigned char *file = files_read(path, (size_t)limit, &bytes);
    if (!file) return NULL;
    if (!is_valid(key, file, bytes)) {
        memory_release(file);
        return NULL;
    }
    files_touch(path);
    *binary = file + start;
    *size = bytes - start;
    return file;
}

/* The oldest files are removed before writing, so that the limit is exceeded at most by what other processes write at
 * the same time. */
void binary_write(const struct binary_key *key, const unsigned char *binary, size_t size)
{
    char path[FILES_PATH], head[sizeof key->header + END_LENGTH + 1];
    size_t start = strlen(key->header);

    if (!is_enabled() || (double)(start + END_LENGTH + size) > limit) return;
    if (!path_of(path, key->name) || files_folder_trouble(folder, 1)) return;
    memcpy(head, key->header, start);
    end_of_header(head + start, binary, size);
    evict_oldest(limit - (double)(start + END_LENGTH + size));
    files_replace(path, head, start + END_LENGTH, binary, size);
}

#endif
