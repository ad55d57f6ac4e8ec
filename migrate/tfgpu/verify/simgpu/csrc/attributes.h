/* Descriptors that give back what was set. */
#ifndef TFGPU_ATTRIBUTES_H
#define TFGPU_ATTRIBUTES_H

#include <stddef.h>
#include <stdint.h>

enum { SIM_MAX_ATTRIBUTES = 48 };

typedef struct {
    int name;
    int64_t count; /* elements, where the library counts them */
    size_t size;   /* bytes */
    void *bytes;
} Value;

typedef struct {
    int type;
    int count;
    Value values[SIM_MAX_ATTRIBUTES];
} Descriptor;

Descriptor *sim_descriptor(int type);
void sim_descriptor_free(Descriptor *descriptor);
void sim_set(Descriptor *descriptor, int name, int64_t count, const void *bytes, size_t size);
const Value *sim_get(const Descriptor *descriptor, int name);

#endif
