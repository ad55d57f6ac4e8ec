/* libcudart: the runtime functions, on top of the same GPUs, contexts and memory. */
#include "kernels.h"
#include "sim.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    unsigned x, y, z;
} Dim3;
typedef struct {
    Dim3 grid, block;
    size_t shared;
    void *stream;
} Call;

/* The driver functions that these stand on; -Bsymbolic makes them ours and not TensorFlow's. */
int cuMemAllocHost_v2(void **out, size_t size);
int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                         int block_size, size_t shared,
                                                         unsigned flags);
int cuStreamCreateWithPriority(void **out, unsigned flags, int priority);
int cuGetErrorName(int error, const char **out);
int cuGetErrorString(int error, const char **out);
int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status);
int cuDeviceGetDefaultMemPool(void **out, int device);

/* The runtime makes the primary context of its device current at the first call that needs it. */
static int ready(void) {
    int error = sim_init();
    if (error) return error;
    const Gpu *gpu = sim_gpu(sim_current());
    if (!gpu) return SIM_INVALID_DEVICE;
    if (!sim_has_context(gpu)) sim_retain(sim_current());
    if (!sim_bound()) sim_set_current(sim_current());
    sim_grow(sim_current());
    return SIM_OK;
}

#define READY                                                                                      \
    do {                                                                                           \
        int not_ready = ready();                                                                   \
        if (not_ready) return not_ready;                                                           \
    } while (0)

/* --- versions, errors, devices --- */

API int cudaDriverGetVersion(int *version) { return *version = SIM_DRIVER_VERSION, SIM_OK; }
API int cudaRuntimeGetVersion(int *version) { return *version = SIM_RUNTIME_VERSION, SIM_OK; }

API const char *cudaGetErrorName(int error) {
    const char *text = NULL;
    return cuGetErrorName(error, &text) ? "cudaErrorUnknown" : text;
}

API const char *cudaGetErrorString(int error) {
    const char *text = NULL;
    return cuGetErrorString(error, &text) ? "unknown error" : text;
}

API int cudaGetDeviceCount(int *count) {
    int error = sim_init();
    return *count = sim_gpu_count(), error;
}

API int cudaGetDevice(int *device) { return *device = sim_current(), SIM_OK; }

API int cudaSetDevice(int device) {
    if (sim_init() || !sim_gpu(device)) return SIM_INVALID_DEVICE;
    sim_set_current(device);
    return ready();
}

API int cudaDeviceGetAttribute(int *value, int attribute, int device) {
    if (sim_init() || !sim_gpu(device)) return SIM_INVALID_DEVICE;
    return *value = sim_attribute(sim_gpu(device), attribute), SIM_OK;
}

API int cudaDeviceGetPCIBusId(char *text, int length, int device) {
    if (sim_init() || !sim_gpu(device)) return SIM_INVALID_DEVICE;
    snprintf(text, (size_t)length, "%s", sim_gpu(device)->pci);
    return SIM_OK;
}

API int cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    return *can = device != peer, SIM_OK;
}

API int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    return *least = 0, *greatest = -5, SIM_OK;
}

/* Fields of cudaDeviceProp by offset; the size differs between CUDA versions, the places up to
 * 720 do not since CUDA 10 (read in the CUDA 12.5 header; a zero in the clock or in the threads of
 * a multiprocessor ends in a division by zero inside Eigen). */
static void properties(char *out, const Gpu *gpu, size_t size) {
    unsigned bus = 0, slot = 0;
    sscanf(gpu->pci, "%*x:%x:%x", &bus, &slot);
    memset(out, 0, size);
    snprintf(out, 256, "%s", gpu->name);
    sim_uuid(gpu, (unsigned char *)out + 256);
#define FIELD(offset, type, value) *(type *)(void *)(out + (offset)) = (type)(value)
    FIELD(288, size_t, gpu->total);
    FIELD(296, size_t, sim_attribute(gpu, 8));
    FIELD(304, int, sim_attribute(gpu, 12));
    FIELD(308, int, 32);
    FIELD(312, size_t, sim_attribute(gpu, 11));
    FIELD(320, int, 1024);
    for (int i = 0; i < 3; i++) {
        FIELD(324 + 4 * i, int, sim_attribute(gpu, 2 + i));
        FIELD(336 + 4 * i, int, sim_attribute(gpu, 5 + i));
    }
    FIELD(348, int, gpu->clock_khz);
    FIELD(352, size_t, sim_attribute(gpu, 9));
    FIELD(360, int, gpu->major);
    FIELD(364, int, gpu->minor);
    FIELD(368, size_t, 512);
    FIELD(376, size_t, 32);
    FIELD(384, int, 1);
    FIELD(388, int, gpu->multiprocessors);
    FIELD(400, int, 1);
    FIELD(576, int, 1);
    FIELD(584, int, bus);
    FIELD(588, int, slot);
    FIELD(600, int, 2);
    FIELD(604, int, 1);
    FIELD(608, int, gpu->memory_clock_khz);
    FIELD(612, int, gpu->bus_width);
    FIELD(616, int, gpu->l2_bytes);
    FIELD(624, int, sim_attribute(gpu, 39));
    if (size < 1032) return;
    FIELD(640, size_t, sim_attribute(gpu, 81));
    FIELD(648, int, sim_attribute(gpu, 82));
    FIELD(652, int, 1);
    FIELD(696, size_t, sim_attribute(gpu, 97));
    FIELD(712, int, sim_attribute(gpu, 106));
    FIELD(720, size_t, sim_attribute(gpu, 111));
#undef FIELD
}

API int cudaGetDeviceProperties(char *out, int device) { /* CUDA 11 and older: a shorter struct */
    if (sim_init() || !sim_gpu(device)) return SIM_INVALID_DEVICE;
    properties(out, sim_gpu(device), 640);
    return SIM_OK;
}

API int cudaGetDeviceProperties_v2(char *out, int device) {
    if (sim_init() || !sim_gpu(device)) return SIM_INVALID_DEVICE;
    properties(out, sim_gpu(device), 1032);
    return SIM_OK;
}

/* --- memory --- */

API int cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    uint64_t left, all;
    READY;
    sim_memory_info(sim_gpu(sim_current()), &left, &all);
    return *free_bytes = left, *total = all, SIM_OK;
}

API int cudaMalloc(void **out, size_t size) {
    READY;
    if (out && !size) return *out = NULL, SIM_OK;
    return sim_allocate(out, size, SIM_DEVICE, sim_current(), "alloc");
}

API int cudaMallocManaged(void **out, size_t size, unsigned flags) {
    (void)flags;
    READY;
    return sim_allocate(out, size, SIM_MANAGED, sim_current(), "managed");
}

API int cudaMallocAsync(void **out, size_t size, const void *stream) {
    (void)stream;
    READY;
    return sim_allocate(out, size, SIM_ASYNC, sim_current(), "async");
}

API int cudaFree(void *pointer) {
    /* Freeing nothing is how programs start the runtime. */
    return pointer ? sim_release(pointer, SIM_FREE_DEVICE) : ready();
}

API int cudaFreeAsync(void *pointer, const void *stream) {
    (void)stream;
    return sim_release(pointer, SIM_FREE_DEVICE);
}

API int cudaHostAlloc(void **out, size_t size, unsigned flags) {
    (void)flags;
    READY;
    if (out && !size) return *out = NULL, SIM_OK;
    return cuMemAllocHost_v2(out, size);
}

API int cudaMallocHost(void **out, size_t size) { return cudaHostAlloc(out, size, 0); }
API int cudaFreeHost(void *pointer) { return sim_release(pointer, 1U << SIM_HOST); }

API int cudaHostGetDevicePointer(void **out, void *host, unsigned flags) {
    (void)flags;
    return *out = host, SIM_OK;
}

/* Only memory that CUDA made is known to it: TensorFlow asks this to tell pinned memory. */
API int cudaHostGetFlags(unsigned *flags, void *host) {
    Region region;
    if (!sim_region(host, &region) || region.kind != SIM_HOST) return SIM_INVALID_VALUE;
    return *flags = 0, SIM_OK;
}

API int cudaPointerGetAttributes(void *out, const void *pointer) {
    struct {
        int type, device;
        const void *on_device, *on_host;
    } found = {0, 0, NULL, pointer};
    Region region;
    if (sim_region(pointer, &region)) {
        found.type = region.kind == SIM_HOST ? 1 : region.kind == SIM_MANAGED ? 3 : 2;
        found.device = region.ordinal;
        found.on_device = pointer;
        if (found.type == 2) found.on_host = NULL;
    }
    memcpy(out, &found, sizeof found);
    return SIM_OK;
}

API int cudaDeviceGetDefaultMemPool(void **out, int device) {
    return cuDeviceGetDefaultMemPool(out, device);
}

API int cudaMemcpy(void *to, const void *from, size_t size, int kind) {
    (void)kind;
    return sim_copy(to, from, size);
}

API int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, const void *stream) {
    (void)stream;
    return cudaMemcpy(to, from, size, kind);
}

API int cudaMemcpy2DAsync(char *to, size_t to_pitch, const char *from, size_t from_pitch,
                          size_t width, size_t height, int kind, const void *stream) {
    (void)kind, (void)stream;
    return sim_copy_rows(to, to_pitch, from, from_pitch, width, height);
}

API int cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                            const void *stream) {
    (void)to_device, (void)from_device, (void)stream;
    return sim_copy(to, from, size);
}

API int cudaMemset(void *to, int value, size_t size) {
    unsigned char byte = (unsigned char)value;
    return sim_fill(to, &byte, 1, size);
}

API int cudaMemsetAsync(void *to, int value, size_t size, const void *stream) {
    (void)stream;
    return cudaMemset(to, value, size);
}

API int cudaMemset2DAsync(char *to, size_t pitch, int value, size_t width, size_t height,
                          const void *stream) {
    (void)stream;
    int error = SIM_OK;
    for (size_t row = 0; row < height && !error; row++)
        error = cudaMemset(to + row * pitch, value, width);
    return error;
}

/* --- streams, events, callbacks --- */

API int cudaStreamCreate(void **out) { return cuStreamCreateWithPriority(out, 0, 0); }

API int cudaStreamCreateWithFlags(void **out, unsigned flags) {
    return cuStreamCreateWithPriority(out, flags, 0);
}

API int cudaStreamCreateWithPriority(void **out, unsigned flags, int priority) {
    return cuStreamCreateWithPriority(out, flags, priority);
}

API int cudaStreamIsCapturing(const void *stream, int *status) {
    (void)stream;
    return *status = 0, SIM_OK;
}

API int cudaStreamGetCaptureInfo_v2(const void *stream, int *status, uint64_t *id, void **graph,
                                    const void **needs, size_t *count) {
    (void)stream;
    *status = 0;
    if (id) *id = 0;
    if (graph) *graph = NULL;
    if (needs) *needs = NULL;
    if (count) *count = 0;
    return SIM_OK;
}

API int cudaLaunchHostFunc(const void *stream, void (*function)(void *), void *data) {
    (void)stream;
    if (!function) return SIM_INVALID_VALUE;
    function(data);
    return SIM_OK;
}

API int cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data,
                              unsigned flags) {
    (void)flags;
    if (!function) return SIM_INVALID_VALUE;
    function(stream, SIM_OK, data);
    return SIM_OK;
}

API int cudaEventElapsedTime(float *milliseconds, const void *from, const void *to) {
    (void)from, (void)to;
    return *milliseconds = 0.01F, SIM_OK;
}

/* --- kernels --- */

static _Thread_local Call calls[16];
static _Thread_local int call_depth;

API unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared, void *stream) {
    if (call_depth == 16) return 1;
    calls[call_depth++] = (Call){grid, block, shared, stream};
    return 0;
}

API int __cudaPopCallConfiguration(Dim3 *grid, Dim3 *block, size_t *shared, void **stream) {
    if (!call_depth) return SIM_INVALID_VALUE;
    const Call *call = &calls[--call_depth];
    *grid = call->grid, *block = call->block, *shared = call->shared, *stream = call->stream;
    return SIM_OK;
}

API void **__cudaRegisterFatBinary(const void *binary) { return sim_module(binary); }

API void __cudaRegisterFunction(void *module, const void *host, const char *device_function,
                                const char *name) {
    (void)device_function;
    sim_function_add(host, module, name);
}

/* The handle of a registered function is its address, so that a launch by either finds it. */
API int cudaGetFuncBySymbol(const void **out, const void *symbol) { return *out = symbol, SIM_OK; }
API int cudaGetKernel(const void **out, const void *symbol) { return *out = symbol, SIM_OK; }

API char __cudaInitModule(void **handle) {
    (void)handle;
    return 1;
}

API int cudaLaunchKernel(const void *function, Dim3 grid, Dim3 block, void **arguments,
                         size_t shared, const void *stream) {
    const unsigned size[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    (void)shared, (void)stream;
    sim_launch(function, size, arguments);
    return SIM_OK;
}

API int cudaLaunchCooperativeKernel(const void *function, Dim3 grid, Dim3 block, void **arguments,
                                    size_t shared, const void *stream) {
    return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}

API int cudaLaunchKernelExC(const void *config, const void *function, void **arguments) {
    sim_launch(function, config, arguments); /* grid and block come first in it */
    return SIM_OK;
}

API int cudaFuncGetAttributes(void *out, const void *function) {
    const Gpu *gpu = sim_gpu(sim_current());
    int capability = gpu ? gpu->major * 10 + gpu->minor : 70;
    struct {
        size_t shared, constant, local;
        int threads, registers, ptx, binary, cache, dynamic_shared, carveout;
    } found = {.threads = 1024, .registers = 32, .ptx = capability, .binary = capability,
               .dynamic_shared = 49152};
    (void)function;
    memcpy(out, &found, sizeof found);
    return SIM_OK;
}

API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                               int size, size_t shared,
                                                               unsigned flags) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, size, shared,
                                                                flags);
}

API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int size,
                                                      size_t shared) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, size, shared, 0);
}

API int cudaGetDriverEntryPoint(const char *name, void **out, uint64_t flags, int *status) {
    return cuGetProcAddress_v2(name, out, SIM_RUNTIME_VERSION, flags, status);
}
