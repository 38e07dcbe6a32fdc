/* The source text of the kernels.  tools/embed-kernels.R writes it to kernel_source.c, with includes resolved
 * and one string per line. */
#ifndef STABLECL_OPENCL_KERNEL_SOURCE_H
#define STABLECL_OPENCL_KERNEL_SOURCE_H

struct kernel_source {
    const char *name;                   /* name of the .cl file, without folder and extension */
    const char *const *line;            /* each line ends in "\n" */
    unsigned lines;
    const char *hash;                   /* MD5 hash of the whole text */
};

extern const struct kernel_source kernel_sources[];
extern const int kernel_source_count;

/* Returns the source with this name, or NULL. */
const struct kernel_source *kernel_source_of(const char *name);

#endif
