/* The text of the kernels, as tools/embed-kernels.R puts
 * it into kernel_source.c: includes resolved, one string per line. */
#ifndef STABLECL_OPENCL_KERNEL_SOURCE_H
#define STABLECL_OPENCL_KERNEL_SOURCE_H

struct kernel_source {
    const char *name;                   /* of the file in kernels/, without ".cl" */
    const char *const *line;            /* each ends in "\n" */
    unsigned lines;
    const char *hash;                   /* of the whole text */
};

extern const struct kernel_source kernel_sources[];
extern const int kernel_source_count;

/* NULL if there is none of that name. */
const struct kernel_source *kernel_source_of(const char *name);

#endif
