/* The kernels that are computed and not skipped: those whose results are shapes.
 *
 * TensorFlow keeps shapes on the host with one exception: the gradient of a mean or a sum over some
 * of the axes puts its shape together with DynamicStitch, which has a kernel for integers on the
 * GPU. Skipped, it would make a shape of zeros, and the program would fail where a GPU does not.
 *
 *     DynamicStitchKernel<T>(int slice_size, int output_size,
 *                            GpuDeviceArrayStruct<int> indices, GpuDeviceArrayStruct<const T *> data,
 *                            T *output)
 *     output[i] = data[indices[i / slice_size]][i % slice_size]
 *
 * A GpuDeviceArrayStruct holds up to 8 items itself, more in an array on the device. */
#include "kernels.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

enum { INLINE = 8, LARGEST = 4096 }; /* a shape has a handful of numbers: others stay skipped */

typedef struct {
    int count, items[INLINE];
    const int *more;
} Indices;
typedef struct {
    int count;
    const char *items[INLINE];
    const char **more;
} Data;

size_t sim_computed(const char *name) {
    const char *stem = name ? strstr(name, "DynamicStitchKernelI") : NULL;
    if (!stem) return 0;
    switch (stem[strlen("DynamicStitchKernelI")]) { /* the template's argument, as C++ mangles it */
    case 'i': return sizeof(int32_t);
    case 'l': case 'x': return sizeof(int64_t);
    default: return 0;
    }
}

/* The items of an array, from the argument itself or from the device. */
static bool items(void *out, const void *here, const void *device, int count, size_t size) {
    if (count <= INLINE) return memcpy(out, here, (size_t)count * size), true;
    return sim_read(out, device, (size_t)count * size);
}

bool sim_compute(size_t item, void **arguments) {
    int slice, total;
    Indices indices;
    Data data;
    char *output;
    memcpy(&slice, arguments[0], sizeof slice);
    memcpy(&total, arguments[1], sizeof total);
    memcpy(&indices, arguments[2], sizeof indices);
    memcpy(&data, arguments[3], sizeof data);
    memcpy(&output, arguments[4], sizeof output);
    if (slice < 1 || total < 1 || total > LARGEST || total > (long)indices.count * slice ||
        indices.count > LARGEST || data.count < 1 || data.count > LARGEST)
        return false;
    int *index = malloc((size_t)indices.count * sizeof *index);
    const char **from = malloc((size_t)data.count * sizeof *from);
    char *made = malloc((size_t)total * item);
    bool done = index && from && made &&
                items(index, indices.items, indices.more, indices.count, sizeof *index) &&
                items(from, data.items, data.more, data.count, sizeof *from);
    for (int i = 0; done && i < total; i += slice) {
        int which = index[i / slice];
        size_t size = (size_t)(total - i < slice ? total - i : slice) * item;
        done = which >= 0 && which < data.count && sim_read(made + (size_t)i * item, from[which], size);
    }
    if (done) sim_copy(output, made, (size_t)total * item);
    free(index), free(from), free(made);
    return done;
}
