/* plan/sheet.h: charts laid out as devices read them (core/sheet.h). */
#ifndef STABLECL_PLAN_SHEET_H
#define STABLECL_PLAN_SHEET_H

#include "../core/sheet.h"
#include "chart.h"

/* The head, for a law of the chart's shape whose pm is not 2. */
struct sheet sheet_of(const struct chart *, const struct user_law *);

/* The buffer: its size in bytes, and what it holds. */
size_t sheet_size(const struct sheet *);
void sheet_write(const struct chart *, const struct sheet *, void *buffer);

#endif
