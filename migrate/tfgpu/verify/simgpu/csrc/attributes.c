/* Descriptors that give back what was set: cuDNN's backend and cublasLt describe work this way. */
#include "attributes.h"

#include <stdlib.h>
#include <string.h>

Descriptor *sim_descriptor(int type) {
    Descriptor *made = calloc(1, sizeof *made);
    if (made) made->type = type;
    return made;
}

void sim_descriptor_free(Descriptor *descriptor) {
    if (!descriptor) return;
    for (int i = 0; i < descriptor->count; i++) free(descriptor->values[i].bytes);
    free(descriptor);
}

void sim_set(Descriptor *descriptor, int name, int64_t count, const void *bytes, size_t size) {
    Value *value = (Value *)sim_get(descriptor, name);
    if (!value) {
        if (descriptor->count == SIM_MAX_ATTRIBUTES) abort();
        value = &descriptor->values[descriptor->count++];
    }
    free(value->bytes);
    *value = (Value){name, count, size, malloc(size ? size : 1)};
    if (!value->bytes) abort();
    if (size) memcpy(value->bytes, bytes, size);
}

const Value *sim_get(const Descriptor *descriptor, int name) {
    for (int i = 0; i < descriptor->count; i++)
        if (descriptor->values[i].name == name) return &descriptor->values[i];
    return NULL;
}
