/* Kernels and their parameters. */
#ifndef TFGPU_KERNELS_H
#define TFGPU_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Kernel Kernel;

/* A module of kernels from a fat binary, its wrapper, an ELF file or PTX. The first form reads the
 * image when a kernel is launched, the second takes what it needs at once. */
void *sim_module(const void *image);
void *sim_module_copy(const void *image);

/* names.c: the parameters through which a kernel of this name writes nothing, as bits. */
uint64_t sim_read_only(const char *name, int count, const uint16_t *sizes);

/* Make a function of a module known, by the address or handle that launches will name. */
void sim_function_add(const void *function, void *module, const char *name);

/* shapes.c: the kernels that are carried out. */
typedef enum { SHAPE_NONE, SHAPE_STITCH, SHAPE_STITCH64, SHAPE_GATHER, SHAPE_PRODUCT } ShapeKernel;
ShapeKernel sim_shape_kernel(const char *name, int count, const uint16_t *sizes);
bool sim_shape(ShapeKernel kind, void **arguments); /* false: it has to be skipped after all */

#endif
