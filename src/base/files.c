#ifndef _GNU_SOURCE
#  define _GNU_SOURCE 1                 /* for lstat() and O_NOFOLLOW */
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <time.h>
#include "files.h"
#include "memory.h"

/* --- what differs between the systems ---------------------------------------------------------- */

#ifdef _WIN32

#include <direct.h>
#include <io.h>
#include <process.h>
#include <windows.h>
#include <sys/utime.h>

typedef struct _stat64 file_status;

#define OPEN_READ  (_O_RDONLY | _O_BINARY)
#define OPEN_NEW   (_O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY)
#define MODE       (_S_IREAD | _S_IWRITE)

static int is_separator(char c)                              { return c == '/' || c == '\\'; }
static int make_one_folder(const char *path)                 { return _mkdir(path); }
static int status_of(const char *path, file_status *s)       { return _stat64(path, s); }
static int status_of_open(int file, file_status *s)          { return _fstat64(file, s); }
static int is_folder(const file_status *s)                   { return (s->st_mode & _S_IFMT) == _S_IFDIR; }
static int is_regular(const file_status *s)                  { return (s->st_mode & _S_IFMT) == _S_IFREG; }
static int is_private(const file_status *s)                  { (void)s; return 1; }
static int open_file(const char *path, int flags)            { return _open(path, flags, MODE); }
static int close_file(int file)                              { return _close(file); }
static long evaluate_run(int file, void *data, size_t n)        { return _read(file, data, (unsigned)n); }
static long write_some(int file, const void *data, size_t n) { return _write(file, data, (unsigned)n); }
static long process_number(void)                             { return _getpid(); }
static int remove_file(const char *path)                     { return _unlink(path); }
static void set_time_to_now(const char *path)                { _utime(path, NULL); }

static int rename_over(const char *from, const char *to)
{
    return !MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING);
}

#else

#include <unistd.h>
#include <utime.h>

typedef struct stat file_status;

#define OPEN_READ  (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
#define OPEN_NEW   (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)

static int is_separator(char c)                              { return c == '/'; }
static int make_one_folder(const char *path)                 { return mkdir(path, 0700); }
static int status_of(const char *path, file_status *s)       { return lstat(path, s); }
static int status_of_open(int file, file_status *s)          { return fstat(file, s); }
static int is_folder(const file_status *s)                   { return S_ISDIR(s->st_mode); }
static int is_regular(const file_status *s)                  { return S_ISREG(s->st_mode); }
static int open_file(const char *path, int flags)            { return open(path, flags, 0600); }
static int close_file(int file)                              { return close(file); }
static long evaluate_run(int file, void *data, size_t n)        { return (long)read(file, data, n); }
static long write_some(int file, const void *data, size_t n) { return (long)write(file, data, n); }
static long process_number(void)                             { return (long)getpid(); }
static int remove_file(const char *path)                     { return unlink(path); }
static void set_time_to_now(const char *path)                { utime(path, NULL); }
static int rename_over(const char *from, const char *to)     { return rename(from, to); }

/* TRUE if it belongs to the user and nobody else can change it. */
static int is_private(const file_status *s)
{
    return s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

#endif

/* --- folders ------------------------------------------------------------------------------------ */

/* Creates the folders above the last one; failures appear when the last one is created. */
static void make_folders_above(const char *path)
{
    char part[FILES_PATH];

    snprintf(part, sizeof part, "%s", path);
    for (size_t i = 1; part[i]; i++) {
        if (!is_separator(part[i])) continue;
        char separator = part[i];
        part[i] = 0;
        make_one_folder(part);
        part[i] = separator;
    }
}

const char files_absent[] = "the folder does not exist";

const char *files_folder_trouble(const char *path, int make)
{
    file_status s;

    if (strlen(path) >= FILES_PATH - 128) return "the path is too long";
    if (status_of(path, &s)) {
        if (!make) return files_absent;
        make_folders_above(path);
        make_one_folder(path);
        if (status_of(path, &s)) return "the folder cannot be created";
    }
    if (!is_folder(&s)) return "the path is not a folder";
    return is_private(&s) ? NULL : "the folder belongs to another user or can be changed by others";
}

/* Joins folder and name; returns 0 if the path is too long. */
static int join(char path[FILES_PATH], const char *folder, const char *name)
{
    int n = snprintf(path, FILES_PATH, "%s/%s", folder, name);
    return n > 0 && n < FILES_PATH;
}

void files_visit(const char *folder, void (*visit)(void *context, const char *name, double bytes, double age),
                 void *context)
{
    DIR *opened = opendir(folder);
    time_t now = time(NULL);

    if (!opened) return;
    for (struct dirent *entry = readdir(opened); entry; entry = readdir(opened)) {
        char path[FILES_PATH];
        file_status s;
        if (!join(path, folder, entry->d_name) || status_of(path, &s) || !is_regular(&s)) continue;
        visit(context, entry->d_name, (double)s.st_size, difftime(now, s.st_mtime));
    }
    closedir(opened);
}

/* --- files -------------------------------------------------------------------------------------- */

static int read_all(int file, unsigned char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        long n = evaluate_run(file, data + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        done += (size_t)n;
    }
    return 1;
}

static int write_all(int file, const unsigned char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        long n = write_some(file, data + done, size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        done += (size_t)n;
    }
    return 1;
}

unsigned char *files_read(const char *path, size_t maximum, size_t *size)
{
    file_status s;
    unsigned char *data = NULL;
    int file = open_file(path, OPEN_READ);

    if (file < 0) return NULL;
    int ok = !status_of_open(file, &s) && is_regular(&s) && is_private(&s);
    if (ok && s.st_size > 0 && (double)s.st_size <= (double)maximum) {
        *size = (size_t)s.st_size;
        data = memory_allocate(*size);
        if (data && !read_all(file, data, *size)) {
            memory_release(data);
            data = NULL;
        }
    }
    close_file(file);
    return data;
}

/* A full disk may be reported only when the file is closed. */
int files_replace(const char *path, const void *head, size_t head_size, const void *data, size_t data_size)
{
    char temporary[FILES_PATH + 32];
    int n = snprintf(temporary, sizeof temporary, "%s.%ld", path, process_number());

    if (n < 0 || n >= FILES_PATH) return 0;
    int file = open_file(temporary, OPEN_NEW);
    if (file < 0) return 0;
    int written = write_all(file, head, head_size) && write_all(file, data, data_size);
    int closed = !close_file(file);
    if (written && closed && !rename_over(temporary, path)) return 1;
    remove_file(temporary);
    return 0;
}

void files_touch(const char *path)
{
    set_time_to_now(path);
}

int files_remove(const char *path)
{
    return !remove_file(path);
}
