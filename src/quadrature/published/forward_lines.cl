/* Advances steppers of forward quadrature (quadrature/published/forward_line.h), each by one work item, and records
 * their points.  A launch ends after `rounds` points of a stepper, or when `capacity` of them are recorded; the host
 * launches the kernel again with those that have not finished.
 */
#include "../integrand_kernel.h"
#include "forward_line.h"

__kernel __attribute__((reqd_work_group_size(BOX_ITEMS, 1, 1))) void forward_lines(
    const struct device_steppers job, __global const struct forward_line *from, POOL pool, TABLES table,
    __global double *to)
{
    int number = job.first + (int) get_global_id(0);
    if (number >= job.end) return;
    __global const double *parameter = (__global const double *) (from + job.count);
    __global double *record = to + number * ((int) (sizeof *from / sizeof *to) + job.capacity);
    __global double *point = record + sizeof *from / sizeof *to;
    struct forward_line w = from[number];
    double x[INPUTS];

    for (int k = 0; k < AXES; k++) x[k] = w.x[k];
    for (int k = AXES; k < INPUTS; k++) x[k] = parameter[(k - AXES) * job.count + number];
    w.stepper.recorded = 0;
    for (int round = 0; round < job.rounds && !w.stepper.is_finished && (!w.keep || w.stepper.recorded < job.capacity);
         round++) {
        x[w.axis] = part_x(w.forward.part, w.forward.t);
        w.stepper.evaluations++;
        if (forward_line_step(&w, integrand(x, pool, table))) point[w.stepper.recorded++] = w.forward.p;
    }
    *(__global struct forward_line *) record = w;
}
