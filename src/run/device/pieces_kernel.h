/* Finds the pieces of tensor approximations of requests (shared.h). */
#ifndef STABLECL_RUN_DEVICE_PIECES_KERNEL_H
#define STABLECL_RUN_DEVICE_PIECES_KERNEL_H

/* Returns the number of the piece that contains u, among those built for the request, and sets *t; -1 if none
 * does. */
static int piece_at(__global const struct device_request *r, const struct approximation_frame *f,
                    __global const int *base,
                    __global const int *entry, double u, double *t)
{
    double within;
    int b = approximation_base(f->inv_width, f->first, f->bases, u, &within);
    if (b < 0) return -1;
    int piece = base[2 * b] + approximation_piece_index(within, base[2 * b + 1], t);
    if (piece < r->piece || piece >= r->piece + r->pieces || entry[3 * piece] < 0) return -1;
    return piece - r->piece;
}

/* Returns the number of the piece that contains y, or -1 if none does; *root = sqrt(y^2/s^2 + 1). */
static int piece_of(__global const struct device_request *r, const struct approximation_frame *f,
                    __global const int *base, __global const int *entry, double y, double *root, double *t)
{
    double a = fabs(y) / f->s;
    *root = sqrt(a * a + 1.0);
    *t = 0.0;
    return fabs(y) < 1e100 ? piece_at(r, f, base, entry, copysign(log(a + *root), y), t) : -1;
}

#endif
