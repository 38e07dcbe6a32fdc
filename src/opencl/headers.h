/* Includes the OpenCL headers if the package is built with them.
 *
 * configure defines STABLECL_OPENCL.  Without it the device code compiles to nothing, and there are no devices.
 */
#ifndef STABLECL_OPENCL_HEADERS_H
#define STABLECL_OPENCL_HEADERS_H

#ifdef STABLECL_OPENCL
#  ifndef CL_TARGET_OPENCL_VERSION
#    define CL_TARGET_OPENCL_VERSION 120
#  endif
#  ifdef __APPLE__
#    include <OpenCL/cl.h>
#  else
#    include <CL/cl.h>
#  endif
enum { HAVE_OPENCL = 1 };
#else
enum { HAVE_OPENCL = 0 };
#endif

#endif
