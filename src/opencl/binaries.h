/* Binaries of built programs, kept on disk so that later processes need no compiler.
 *
 * A file holds one binary of one program for one device.  Its name is a hash of everything that the binary depends on:
 * source text, build options, and names and versions of device, driver and platform.  Its header repeats these in
 * words, with the size and a hash of what follows.  A file whose header differs in any character from the expected one
 * is ignored, and replaced after the program has been built from source.
 *
 * The sizes of all files add up to at most a limit; the files that have not been used for the longest time are removed
 * first, and all that have not been used for BINARIES_DAYS days.  Other files of the folder are not touched.
 */
#ifndef STABLECL_OPENCL_BINARIES_H
#define STABLECL_OPENCL_BINARIES_H

#include "devices.h"
#include "../base/files.h"

#define BINARIES_DAYS  90
#define BINARIES_LIMIT 67108864.0       /* default limit, in bytes */

/* Selects the folder, which is created when the first binary is written; "" (the initial state) for none.
 * is_chosen: the user has named the folder, and not the package. */
void binaries_folder(const char *path, int is_chosen);

/* Sets the limit in bytes, and removes files until it is met; 0 removes all and stores none. */
void binaries_limit(double bytes);

/* The state of the folder. */
struct binaries_state {
    const char *folder;                 /* "" if none is selected */
    double limit, bytes;
    int files;
    const char *trouble;                /* why the folder cannot be used, or "" */
};

void binaries_describe(struct binaries_state *);

#ifdef STABLECL_OPENCL
/* A program for a device: the name of its file and the expected beginning of its header. */
struct binary_key {
    char name[48];
    char header[1536];
};

void binary_key(struct binary_key *, const struct device *, const char *options, unsigned strings,
                const char *const *string);

/* Returns the block read from the file, with the binary in *binary and its size in *size; the caller frees the block.
 * Returns NULL if there is no valid file. */
unsigned char *binary_read(const struct binary_key *, const unsigned char **binary, size_t *size);

/* Writes the binary, if a folder is selected and the limit allows it. */
void binary_write(const struct binary_key *, const unsigned char *binary, size_t size);

/* TRUE if the binaries of this device are kept.  Those of PoCL are kept only in a folder that the user has chosen. */
int binaries_are_kept(const struct device *);
#endif

#endif
