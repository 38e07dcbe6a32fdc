/* The OpenCL headers, and the functions of OpenCL 1.2 that this package uses.
 *
 * configure defines STABLECL_OPENCL.  Without it the device code compiles to nothing, and there are no devices.
 *
 * The loader, the table of function pointers and fault injection are generated from these two lists; names are
 * given without the prefix "cl".  The effect states how a successful call changes the number of objects to be
 * released and how fault injection treats the function:
 *     QUERY    no change
 *     CREATE   returns a new object
 *     RETAIN   retains an object
 *     RELEASE  releases an object; is executed even if it "fails"
 *     WAIT     waits for commands; is executed even if it "fails"
 *     ENQUEUE  returns a new event if one is requested
 *     LAUNCH   like ENQUEUE, and starts a kernel
 *     READ     like ENQUEUE, and transfers data from the device
 *     MAP      like READ, by mapping
 */
#ifndef STABLECL_OPENCL_ENTRIES_H
#define STABLECL_OPENCL_ENTRIES_H

#ifdef STABLECL_OPENCL
#  ifndef CL_TARGET_OPENCL_VERSION
#    define CL_TARGET_OPENCL_VERSION 120
#  endif
#  ifdef __APPLE__
#    include <OpenCL/cl.h>
#  else
#    include <CL/cl.h>
#  endif

/* X(effect, name, parameters, arguments): functions that return a cl_int. */
#define STATUS_ENTRIES(X)                                                                   \
    X(QUERY, GetPlatformIDs,                                                                \
      (cl_uint capacity, cl_platform_id *platforms, cl_uint *count),                            \
      (capacity, platforms, count))                                                             \
    X(QUERY, GetPlatformInfo,                                                               \
      (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *needed), \
      (platform, what, size, value, needed))                                                \
    X(QUERY, GetDeviceIDs,                                                                  \
      (cl_platform_id platform, cl_device_type type, cl_uint capacity, cl_device_id *devices,   \
       cl_uint *count),                                                                     \
      (platform, type, capacity, devices, count))                                               \
    X(QUERY, GetDeviceInfo,                                                                 \
      (cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed), \
      (device, what, size, value, needed))                                                  \
    X(RELEASE, ReleaseContext, (cl_context context), (context))                             \
    X(RELEASE, ReleaseCommandQueue, (cl_command_queue queue), (queue))                      \
    X(QUERY, BuildProgram,                                                                  \
      (cl_program program, cl_uint count, const cl_device_id *devices, const char *options, \
       void (CL_CALLBACK *done)(cl_program, void *), void *data),                           \
      (program, count, devices, options, done, data))                                       \
    X(QUERY, GetProgramBuildInfo,                                                           \
      (cl_program program, cl_device_id device, cl_program_build_info what, size_t size,    \
       void *value, size_t *needed),                                                        \
      (program, device, what, size, value, needed))                                         \
    X(QUERY, GetProgramInfo,                                                                \
      (cl_program program, cl_program_info what, size_t size, void *value, size_t *needed), \
      (program, what, size, value, needed))                                                 \
    X(RELEASE, ReleaseProgram, (cl_program program), (program))                             \
    X(QUERY, SetKernelArg,                                                                  \
      (cl_kernel kernel, cl_uint index, size_t size, const void *value),                    \
      (kernel, index, size, value))                                                         \
    X(QUERY, GetKernelWorkGroupInfo,                                                        \
      (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size,  \
       void *value, size_t *needed),                                                        \
      (kernel, device, what, size, value, needed))                                          \
    X(RELEASE, ReleaseKernel, (cl_kernel kernel), (kernel))                                 \
    X(RELEASE, ReleaseMemObject, (cl_mem memory), (memory))                                 \
    X(ENQUEUE, EnqueueWriteBuffer,                                                          \
      (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, \
       const void *data, cl_uint waits, const cl_event *wait_list, cl_event *event),        \
      (queue, buffer, blocking, offset, size, data, waits, wait_list, event))               \
    X(READ, EnqueueReadBuffer,                                                              \
      (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, \
       void *data, cl_uint waits, const cl_event *wait_list, cl_event *event),              \
      (queue, buffer, blocking, offset, size, data, waits, wait_list, event))               \
    X(ENQUEUE, EnqueueCopyBuffer,                                                           \
      (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, \
       size_t size, cl_uint waits, const cl_event *wait_list, cl_event *event),             \
      (queue, from, to, from_offset, to_offset, size, waits, wait_list, event))             \
    X(ENQUEUE, EnqueueFillBuffer,                                                           \
      (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,     \
       size_t offset, size_t size, cl_uint waits, const cl_event *wait_list, cl_event *event), \
      (queue, buffer, pattern, pattern_size, offset, size, waits, wait_list, event))        \
    X(ENQUEUE, EnqueueUnmapMemObject,                                                       \
      (cl_command_queue queue, cl_mem memory, void *mapped, cl_uint waits,                  \
       const cl_event *wait_list, cl_event *event),                                         \
      (queue, memory, mapped, waits, wait_list, event))                                     \
    X(LAUNCH, EnqueueNDRangeKernel,                                                         \
      (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,  \
       const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait_list, \
       cl_event *event),                                                                    \
      (queue, kernel, dimensions, offset, global, local, waits, wait_list, event))          \
    X(ENQUEUE, EnqueueMarkerWithWaitList,                                                   \
      (cl_command_queue queue, cl_uint waits, const cl_event *wait_list, cl_event *event),  \
      (queue, waits, wait_list, event))                                                     \
    X(ENQUEUE, EnqueueBarrierWithWaitList,                                                  \
      (cl_command_queue queue, cl_uint waits, const cl_event *wait_list, cl_event *event),  \
      (queue, waits, wait_list, event))                                                     \
    X(QUERY, Flush, (cl_command_queue queue), (queue))                                      \
    X(WAIT, Finish, (cl_command_queue queue), (queue))                                      \
    X(WAIT, WaitForEvents, (cl_uint count, const cl_event *events), (count, events))        \
    X(QUERY, GetEventInfo,                                                                  \
      (cl_event event, cl_event_info what, size_t size, void *value, size_t *needed),       \
      (event, what, size, value, needed))                                                   \
    X(QUERY, GetEventProfilingInfo,                                                         \
      (cl_event event, cl_profiling_info what, size_t size, void *value, size_t *needed),   \
      (event, what, size, value, needed))                                                   \
    X(RETAIN, RetainEvent, (cl_event event), (event))                                       \
    X(RELEASE, ReleaseEvent, (cl_event event), (event))

/* X(effect, type, name, parameters, arguments): functions that return an object and store their status through a
 * pointer, which is always called `result` here. */
#define OBJECT_ENTRIES(X)                                                                   \
    X(CREATE, cl_context, CreateContext,                                                    \
      (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices, \
       void (CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,  \
       cl_int *result),                                                                     \
      (properties, count, devices, notify, data, result))                                   \
    X(CREATE, cl_command_queue, CreateCommandQueue,                                         \
      (cl_context context, cl_device_id device, cl_command_queue_properties properties,     \
       cl_int *result),                                                                     \
      (context, device, properties, result))                                                \
    X(CREATE, cl_program, CreateProgramWithSource,                                          \
      (cl_context context, cl_uint count, const char **strings, const size_t *lengths,      \
       cl_int *result),                                                                     \
      (context, count, strings, lengths, result))                                           \
    X(CREATE, cl_program, CreateProgramWithBinary,                                          \
      (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths, \
       const unsigned char **binaries, cl_int *status, cl_int *result),                     \
      (context, count, devices, lengths, binaries, status, result))                         \
    X(CREATE, cl_kernel, CreateKernel,                                                      \
      (cl_program program, const char *name, cl_int *result),                               \
      (program, name, result))                                                              \
    X(CREATE, cl_mem, CreateBuffer,                                                         \
      (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *result),    \
      (context, flags, size, host, result))                                                 \
    X(MAP, void *, EnqueueMapBuffer,                                                        \
      (cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,         \
       size_t offset, size_t size, cl_uint waits, const cl_event *wait_list, cl_event *event, \
       cl_int *result),                                                                     \
      (queue, buffer, blocking, flags, offset, size, waits, wait_list, event, result))

#define STATUS_POINTER(effect, name, parameters, arguments) \
    cl_int (CL_API_CALL *name) parameters;
#define OBJECT_POINTER(effect, type, name, parameters, arguments) \
    type (CL_API_CALL *name) parameters;

/* The functions, as the loader found them: cl->Finish(queue) calls clFinish(queue). */
struct cl_table {
    STATUS_ENTRIES(STATUS_POINTER)
    OBJECT_ENTRIES(OBJECT_POINTER)
};

enum { HAVE_OPENCL = 1 };
#else
enum { HAVE_OPENCL = 0 };               /* ISO C requires at least one declaration in a source file */
#endif

#endif
