/* backend/cpu/cpu.h: the backend that is always there. */
#ifndef STABLECL_CPU_H
#define STABLECL_CPU_H

#include "../backend.h"

extern const struct backend cpu_backend;

#endif
