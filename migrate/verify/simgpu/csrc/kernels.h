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

/* names.c: the parameters that point to const, as bits, where a C++ name of so many parameters says. */
uint64_t sim_constant(const char *name, int count);

/* Make a function of a module known, by the address or handle that launches will name. */
void sim_function_add(const void *function, void *module, const char *name);

/* shapes.c: the kernels that are carried out. */
typedef enum { SHAPE_NONE, SHAPE_STITCH, SHAPE_GATHER, SHAPE_PRODUCT } ShapeKernel;
ShapeKernel sim_shape_kernel(const char *name, int count, const uint16_t *sizes);
bool sim_shape(ShapeKernel kind, void **arguments); /* false: it has to be skipped after all */

#endif
