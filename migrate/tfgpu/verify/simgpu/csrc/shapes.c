/* Three kernels that are not skipped. TensorFlow puts shapes together with them on the GPU (the gradient
 * of a mean over an axis of unknown size does) and reads the result back to size a tensor: without
 * them a batch of unknown size ends in a reshape to nothing. Only small integer results whose inputs
 * the host wrote are calculated; anything else is skipped as usual. */
#include "kernels.h"
#include "sim.h"

#include <string.h>

enum { MOST = 256, INLINE = 8 };

typedef struct { /* GpuDeviceArrayStruct<int>: up to 8 values inline, else on the device */
    int32_t size, values[INLINE];
    const int32_t *elsewhere;
} Indices;
typedef struct { /* GpuDeviceArrayStruct<const T *> */
    int32_t size;
    const char *values[INLINE], *const *elsewhere;
} Inputs;

ShapeKernel sim_shape_kernel(const char *name, int count, const uint16_t *sizes) {
    const char *stitched = strstr(name, "DynamicStitchKernelI");
    if (stitched && count == 5 && sizes[2] == sizeof(Indices) && sizes[3] == sizeof(Inputs)) {
        char type = stitched[strlen("DynamicStitchKernelI")]; /* as C++ mangles it */
        if (type == 'i') return SHAPE_STITCH;
        if (type == 'l' || type == 'x') return SHAPE_STITCH64;
    }
    bool gather = strstr(name, "GatherOpKernelIiiLb1EE") ||
                  strstr(name, "GatherOpKernelINS_13AlignedVectorIiLi1EEEiLb1EE");
    bool product = strstr(name, "BlockReduceKernelIPi") && strstr(name, "4ProdIiE");
    if (product && count == 5 && sizes[2] == 4) return SHAPE_PRODUCT;
    return gather && count == 7 && sizes[3] == 8 && sizes[6] == 8 ? SHAPE_GATHER : SHAPE_NONE;
}

static bool give(void *output, const void *values, size_t size) {
    Region region;
    if (!sim_region(output, &region) || region.kind == SIM_HOST) return false;
    return !sim_copy(output, values, size);
}

/* (slice size, output size, indices, inputs, output): output[i] = inputs[indices[i / slice]][i % slice]
 * with items of 4 or 8 bytes. */
static bool stitch(size_t item, void **arguments) {
    int32_t slice, total, list[MOST];
    char out[MOST * sizeof(int64_t)];
    Indices indices;
    Inputs inputs;
    void *output;
    memcpy(&slice, arguments[0], sizeof slice);
    memcpy(&total, arguments[1], sizeof total);
    memcpy(&indices, arguments[2], sizeof indices);
    memcpy(&inputs, arguments[3], sizeof inputs);
    memcpy(&output, arguments[4], sizeof output);
    if (slice < 1 || total < 1 || total > MOST || indices.size < 1 || indices.size > MOST)
        return false;
    if ((total - 1) / slice >= indices.size) return false;
    size_t bytes = (size_t)indices.size * sizeof *list;
    if (indices.size <= INLINE) memcpy(list, indices.values, bytes);
    else if (!sim_read_known(list, indices.elsewhere, bytes)) return false;
    for (int32_t i = 0; i < total; i++) {
        const char *from;
        int32_t which = list[i / slice];
        if (which < 0 || which >= inputs.size) return false; /* -1: a place that no input fills */
        if (inputs.size <= INLINE) from = inputs.values[which];
        else if (!sim_read_known(&from, inputs.elsewhere + which, sizeof from)) return false;
        size_t offset = (size_t)(i % slice) * item;
        if (!sim_read_known(out + (size_t)i * item, (const char *)((uintptr_t)from + offset), item))
            return false;
    }
    return give(output, out, (size_t)total * item);
}

/* (values, indices, output, number of values, number of indices, slice size, output size) */
static bool gather(void **arguments) {
    const int32_t *values, *indices;
    int32_t *output, out[MOST] = {0};
    int64_t most, count, slice, total;
    memcpy(&values, arguments[0], sizeof values);
    memcpy(&indices, arguments[1], sizeof indices);
    memcpy(&output, arguments[2], sizeof output);
    memcpy(&most, arguments[3], sizeof most);
    memcpy(&count, arguments[4], sizeof count);
    memcpy(&slice, arguments[5], sizeof slice);
    memcpy(&total, arguments[6], sizeof total);
    if (slice < 1 || total < 1 || total > MOST || (total - 1) / slice >= count) return false;
    for (int64_t i = 0; i < total; i++) {
        int32_t which;
        if (!sim_read_known(&which, indices + i / slice, sizeof which)) return false;
        if (which < 0 || which >= most) continue;
        if (!sim_read_known(&out[i], values + which * slice + i % slice, sizeof *out)) return false;
    }
    return give(output, out, (size_t)total * sizeof *out);
}

/* (values, output, number of values, operation, start): the number of elements of a shape. */
static bool product(void **arguments) {
    const int32_t *values;
    int32_t *output, count, value;
    uint32_t result = 1; /* overflows as the GPU's would */
    memcpy(&values, arguments[0], sizeof values);
    memcpy(&output, arguments[1], sizeof output);
    memcpy(&count, arguments[2], sizeof count);
    if (count < 1 || count > MOST) return false;
    for (int32_t i = 0; i < count; i++, result *= (uint32_t)value)
        if (!sim_read_known(&value, values + i, sizeof value)) return false;
    return give(output, &result, sizeof result);
}

bool sim_shape(ShapeKernel kind, void **arguments) {
    switch (kind) {
    case SHAPE_STITCH: return stitch(sizeof(int32_t), arguments);
    case SHAPE_STITCH64: return stitch(sizeof(int64_t), arguments);
    case SHAPE_GATHER: return gather(arguments);
    case SHAPE_PRODUCT: return product(arguments);
    case SHAPE_NONE: break;
    }
    return false;
}
