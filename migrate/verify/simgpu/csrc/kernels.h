/* Kernels and their parameters. */
#ifndef TFGPU_KERNELS_H
#define TFGPU_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Kernel Kernel;

/* A module of kernels from a fat binary, its wrapper, an ELF file or PTX. The first form reads the
 * image when a kernel is launched, the second takes what it needs at once. */
void *sim_module(const void *image);
void *sim_module_copy(const void *image);

/* compute.c: the size of an item if a kernel of this name is computed, else 0; compute it, false when
 * an input is not known. */
size_t sim_computed(const char *name);
bool sim_compute(size_t item, void **arguments);

/* names.c: the parameters that point to const, as bits, where a C++ name of so many parameters says. */
uint64_t sim_constant(const char *name, int count);

/* Make a function of a module known, by the address or handle that launches will name. */
void sim_function_add(const void *function, void *module, const char *name);

#endif
