/* Rates at which the host clears new memory, copies within its memory, and copies to and from a device, for bus.R and
 * two-devices.R. */
#define _DEFAULT_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#ifdef _OPENMP
#  include <omp.h>
#endif
#include <CL/cl.h>

/* Writes once to each page of a new block, of small pages or large ones; `seconds` receives the time. */
void clear_pages(double *bytes, int *large, int *threads, double *seconds)
{
    size_t size = (size_t)*bytes, part = size / (size_t)*threads;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (block == MAP_FAILED) return;
    if (*large) madvise(block, size, MADV_HUGEPAGE);
    double begin = omp_get_wtime();
#pragma omp parallel num_threads(*threads)
    for (size_t i = 0; i < part; i += 4096) block[part * (size_t)omp_get_thread_num() + i] = 1;
    *seconds = omp_get_wtime() - begin;
    munmap(block, size);
}

/* Copies a block to one that has been written before or, if `is_new`, to a new one of large pages. */
void copy_bytes(double *bytes, int *is_new, int *threads, double *seconds)
{
    size_t size = (size_t)*bytes, part = size / (size_t)*threads;
    char *from = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *to = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (from == MAP_FAILED || to == MAP_FAILED) return;
    madvise(from, size, MADV_HUGEPAGE);
    madvise(to, size, MADV_HUGEPAGE);
    memset(from, 1, size);
    if (!*is_new) memset(to, 1, size);
    double begin = omp_get_wtime();
#pragma omp parallel num_threads(*threads)
    {
        size_t at = part * (size_t)omp_get_thread_num();
        memcpy(to + at, from + at, part);
    }
    *seconds = omp_get_wtime() - begin;
    munmap(from, size);
    munmap(to, size);
}

static cl_device_id first_gpu(void)
{
    cl_platform_id platform[8];
    cl_device_id device = NULL;
    cl_uint count = 0;

    clGetPlatformIDs(8, platform, &count);
    for (cl_uint k = 0; k < count && !device; k++) clGetDeviceIDs(platform[k], CL_DEVICE_TYPE_GPU, 1, &device, NULL);
    for (cl_uint k = 0; k < count && !device; k++) clGetDeviceIDs(platform[k], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    return device;
}

/* Copies between pinned memory and the device: rate[0] to the device, rate[1] from it, bytes per second. */
void pinned_rates(double *bytes, double *rate)
{
    size_t size = (size_t)*bytes;
    cl_int e;
    cl_device_id device = first_gpu();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
    cl_mem there = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &e);
    cl_mem pinned = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, NULL, &e);
    void *host = clEnqueueMapBuffer(queue, pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size, 0, NULL, NULL, &e);

    memset(host, 1, size);
    for (int k = 0; k < 10; k++) {
        double begin = omp_get_wtime();
        clEnqueueWriteBuffer(queue, there, CL_TRUE, 0, size, host, 0, NULL, NULL);
        double middle = omp_get_wtime();
        clEnqueueReadBuffer(queue, there, CL_TRUE, 0, size, host, 0, NULL, NULL);
        double end = omp_get_wtime();
        if (rate[0] < *bytes / (middle - begin)) rate[0] = *bytes / (middle - begin);
        if (rate[1] < *bytes / (end - middle)) rate[1] = *bytes / (end - middle);
    }
    clEnqueueUnmapMemObject(queue, pinned, host, 0, NULL, NULL);
    clFinish(queue);
    clReleaseMemObject(pinned);
    clReleaseMemObject(there);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
