/* Kernels and their parameters. */
#ifndef TFGPU_KERNELS_H
#define TFGPU_KERNELS_H

typedef struct Kernel Kernel;

/* A module of kernels from a fat binary, its wrapper, an ELF file or PTX. The first form reads the
 * image when a kernel is launched, the second takes what it needs at once. */
void *sim_module(const void *image);
void *sim_module_copy(const void *image);

/* Make a function of a module known, by the address or handle that launches will name. */
void sim_function_add(const void *function, void *module, const char *name);

#endif
