/* libcuda.so.1: the driver functions that mean something to TensorFlow's GPU runtime. */
#include "kernels.h"
#include "sim.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Address;
typedef struct {
    int ordinal;
    unsigned flags;
} Stream;
typedef struct {
    int ordinal;
} Pool;

static char contexts[SIM_MAX_GPUS]; /* a context is an address here: its place is CUDA's number */
enum { STACK = 256 };
static _Thread_local int stack[STACK];
static _Thread_local int depth;

static void *context(int ordinal) { return ordinal < 0 ? NULL : &contexts[ordinal]; }

/* -1 for no context, -2 for what is no context of ours. */
static int ordinal_of(const void *handle) {
    uintptr_t place = (uintptr_t)handle - (uintptr_t)contexts;
    if (!handle) return -1;
    return place < (uintptr_t)sim_gpu_count() ? (int)place : -2;
}


bool sim_bound(void) { return depth && stack[depth - 1] >= 0; }

int sim_current(void) { return sim_bound() ? stack[depth - 1] : 0; }

void sim_set_current(int ordinal) {
    if (!depth) depth = 1;
    stack[depth - 1] = ordinal;
}

/* Calls that need a context give their error without one; sim_current() is then the first GPU. */
#define NEED_CONTEXT                                                                               \
    if (!sim_started()) return SIM_NOT_INITIALIZED;                                                \
    if (!sim_bound()) return SIM_INVALID_CONTEXT
#define NEED(condition)                                                                            \
    if (!(condition)) return SIM_INVALID_VALUE

/* --- errors, versions, entry points --- */

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
    {SIM_OK, "CUDA_SUCCESS", "no error"},
    {SIM_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {SIM_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {SIM_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {SIM_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {SIM_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {SIM_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {SIM_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
};

API int cuGetErrorName(int error, const char **out) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error) return *out = errors[i].name, SIM_OK;
    return *out = NULL, SIM_INVALID_VALUE;
}

API int cuGetErrorString(int error, const char **out) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error) return *out = errors[i].text, SIM_OK;
    return *out = NULL, SIM_INVALID_VALUE;
}

API int cuInit(unsigned flags) { return flags ? SIM_INVALID_VALUE : sim_init(); }

API int cuDriverGetVersion(int *version) { return *version = SIM_DRIVER_VERSION, SIM_OK; }

API int cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status) {
    char second[256];
    (void)version, (void)flags;
    NEED(name && out);
    snprintf(second, sizeof second, "%s_v2", name); /* the form that CUDA 12 means by the name */
    *out = sim_symbol(second);
    if (!*out) *out = sim_symbol(name);
    if (status) *status = *out ? 0 : 1;
    return *out ? SIM_OK : SIM_NOT_FOUND;
}

API int cuGetProcAddress(const char *name, void **out, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, out, version, flags, NULL);
}

API int cuGetExportTable(const void **table, const void *id) {
    (void)id;
    return *table = NULL, SIM_NOT_FOUND;
}

/* --- devices --- */

#define DEVICE(gpu, ordinal)                                                                       \
    if (!sim_started()) return SIM_NOT_INITIALIZED;                                                \
    Gpu *gpu = sim_gpu(ordinal);                                                                   \
    if (!gpu) return SIM_INVALID_DEVICE

API int cuDeviceGetCount(int *count) {
    if (!sim_started()) return SIM_NOT_INITIALIZED;
    return *count = sim_gpu_count(), SIM_OK;
}

API int cuDeviceGet(int *device, int ordinal) {
    DEVICE(gpu, ordinal);
    return *device = ordinal, SIM_OK;
}

API int cuDeviceGetName(char *name, int length, int device) {
    DEVICE(gpu, device);
    snprintf(name, (size_t)length, "%s", gpu->name);
    return SIM_OK;
}

API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    DEVICE(gpu, device);
    return *bytes = gpu->total, SIM_OK;
}

API int cuDeviceGetPCIBusId(char *text, int length, int device) {
    DEVICE(gpu, device);
    snprintf(text, (size_t)length, "%s", gpu->pci);
    return SIM_OK;
}

API int cuDeviceGetByPCIBusId(int *device, const char *text) {
    for (int i = 0; i < sim_gpu_count(); i++)
        if (!strcmp(sim_gpu(i)->pci, text)) return *device = i, SIM_OK;
    return SIM_INVALID_VALUE;
}

API int cuDeviceGetUuid(unsigned char *uuid, int device) {
    DEVICE(gpu, device);
    sim_uuid(gpu, uuid);
    return SIM_OK;
}

API int cuDeviceGetUuid_v2(unsigned char *uuid, int device) { return cuDeviceGetUuid(uuid, device); }

API int cuDeviceGetAttribute(int *value, int attribute, int device) {
    DEVICE(gpu, device);
    return *value = sim_attribute(gpu, attribute), SIM_OK;
}

API int cuDeviceComputeCapability(int *major, int *minor, int device) {
    DEVICE(gpu, device);
    *major = gpu->major, *minor = gpu->minor;
    return SIM_OK;
}

API int cuDeviceCanAccessPeer(int *can, int device, int peer) {
    return *can = device != peer, SIM_OK;
}

API int cuDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
    (void)attribute;
    return *value = from != to, SIM_OK;
}

/* --- contexts: each GPU has its primary context and no other --- */

API int cuDevicePrimaryCtxRetain(void **out, int device) {
    DEVICE(gpu, device);
    (void)gpu;
    sim_retain(device);
    return *out = context(device), SIM_OK;
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
    DEVICE(gpu, device);
    if (!sim_has_context(gpu)) return SIM_INVALID_CONTEXT;
    return sim_drop(device), SIM_OK;
}

API int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    DEVICE(gpu, device);
    *flags = 0, *active = sim_has_context(gpu);
    return SIM_OK;
}

API int cuCtxCreate_v2(void **out, unsigned flags, int device) {
    DEVICE(gpu, device);
    (void)flags, (void)gpu;
    if (depth == STACK) return SIM_INVALID_CONTEXT;
    sim_retain(device);
    stack[depth++] = device;
    return *out = context(device), SIM_OK;
}

API int cuCtxDestroy_v2(const void *handle) {
    int ordinal = ordinal_of(handle);
    if (ordinal < 0) return SIM_INVALID_CONTEXT;
    if (depth && stack[depth - 1] == ordinal) depth--;
    return sim_drop(ordinal), SIM_OK;
}

API int cuCtxSetCurrent(const void *handle) {
    int ordinal = ordinal_of(handle);
    if (ordinal < -1) return SIM_INVALID_CONTEXT;
    return sim_set_current(ordinal), SIM_OK;
}

API int cuCtxGetCurrent(void **out) {
    return *out = depth ? context(stack[depth - 1]) : NULL, SIM_OK;
}

API int cuCtxPushCurrent_v2(const void *handle) {
    int ordinal = ordinal_of(handle);
    if (depth == STACK || ordinal < 0) return SIM_INVALID_CONTEXT;
    stack[depth++] = ordinal;
    return SIM_OK;
}

API int cuCtxPopCurrent_v2(void **out) {
    if (!depth) return SIM_INVALID_CONTEXT;
    void *top = context(stack[--depth]);
    if (out) *out = top;
    return SIM_OK;
}

API int cuCtxGetDevice(int *device) {
    if (!sim_bound()) return SIM_INVALID_CONTEXT;
    return *device = stack[depth - 1], SIM_OK;
}

API int cuCtxGetApiVersion(const void *handle, unsigned *version) {
    (void)handle;
    return *version = 3020, SIM_OK;
}

API int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return SIM_OK;
}

API int cuCtxGetId(const void *handle, unsigned long long *id) {
    return *id = (unsigned long long)ordinal_of(handle) + 1, SIM_OK;
}

/* --- memory --- */

API int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    uint64_t left, all;
    NEED_CONTEXT;
    sim_memory_info(sim_gpu(sim_current()), &left, &all);
    return *free_bytes = left, *total = all, SIM_OK;
}

API int cuMemAlloc_v2(Address *out, size_t size) {
    NEED_CONTEXT;
    return sim_allocate((void **)out, size, SIM_DEVICE, sim_current(), "alloc");
}

API int cuMemAllocPitch_v2(Address *out, size_t *pitch, size_t width, size_t height, unsigned item) {
    size_t size;
    (void)item;
    NEED(pitch && width && height);
    if (width > SIZE_MAX - 511) return SIM_OUT_OF_MEMORY;
    *pitch = (width + 511) / 512 * 512;
    if (__builtin_mul_overflow(*pitch, height, &size)) return SIM_OUT_OF_MEMORY;
    return cuMemAlloc_v2(out, size);
}

API int cuMemFree_v2(Address pointer) {
    return sim_release((void *)pointer, SIM_FREE_DEVICE);
}

API int cuMemAllocManaged(Address *out, size_t size, unsigned flags) {
    (void)flags;
    NEED_CONTEXT;
    return sim_allocate((void **)out, size, SIM_MANAGED, sim_current(), "managed");
}

API int cuMemHostAlloc(void **out, size_t size, unsigned flags) {
    (void)flags;
    NEED_CONTEXT;
    return sim_allocate(out, size, SIM_HOST, sim_current(), "pinned");
}

API int cuMemAllocHost_v2(void **out, size_t size) { return cuMemHostAlloc(out, size, 0); }

API int cuMemFreeHost(void *pointer) { return sim_release(pointer, 1U << SIM_HOST); }

API int cuMemHostGetDevicePointer_v2(Address *out, void *host, unsigned flags) {
    (void)flags;
    return *out = (Address)host, SIM_OK;
}

API int cuMemGetAddressRange_v2(Address *base, size_t *size, Address pointer) {
    Region region;
    NEED(sim_region((void *)pointer, &region));
    if (base) *base = (Address)region.base;
    if (size) *size = region.size;
    return SIM_OK;
}

API int cuPointerGetAttribute(void *data, int attribute, Address pointer) {
    Region region;
    NEED(data && sim_region((void *)pointer, &region));
    switch (attribute) {
    case 1: *(void **)data = context(region.ordinal); return SIM_OK;
    case 2: *(unsigned *)data = region.kind == SIM_HOST ? 1 : 2; return SIM_OK;
    case 3: case 4: *(Address *)data = pointer; return SIM_OK;
    case 8: *(unsigned *)data = region.kind == SIM_MANAGED; return SIM_OK;
    case 9: *(int *)data = region.ordinal; return SIM_OK;
    case 11: *(void **)data = region.base; return SIM_OK;
    case 12: *(size_t *)data = region.size; return SIM_OK;
    default:
        sim_record_name("unmodelled", "cuPointerGetAttribute (other attribute)");
        return SIM_INVALID_VALUE;
    }
}

/* --- memory pools --- */

/* NULL, 1 and 2 name the default streams. */
static bool is_stream(const void *stream) { return (uintptr_t)stream > 2; }

static Pool pools[SIM_MAX_GPUS];

__attribute__((constructor)) static void number_pools(void) {
    for (int i = 0; i < SIM_MAX_GPUS; i++) pools[i].ordinal = i;
}

API int cuDeviceGetDefaultMemPool(void **out, int device) {
    DEVICE(gpu, device);
    (void)gpu;
    return *out = &pools[device], SIM_OK;
}

API int cuDeviceGetMemPool(void **out, int device) { return cuDeviceGetDefaultMemPool(out, device); }

/* CUmemPoolProps: allocType, handleTypes, location {type, id} at offset 8. */
API int cuMemPoolCreate(void **out, const int *properties) {
    NEED(properties);
    DEVICE(gpu, properties[3]);
    Pool *pool = calloc(1, sizeof *pool);
    if (!pool) return SIM_OUT_OF_MEMORY;
    pool->ordinal = properties[3];
    sim_record("pool", gpu, 0);
    return *out = pool, SIM_OK;
}

API int cuMemPoolGetAttribute(const void *pool, int attribute, void *value) {
    NEED(pool && value);
    const Gpu *gpu = sim_gpu(((const Pool *)pool)->ordinal);
    NEED(gpu);
    if (attribute <= 3) return *(int *)value = 1, SIM_OK; /* the three kinds of reuse */
    return *(uint64_t *)value = attribute >= 5 ? sim_used(gpu) : 0, SIM_OK;
}

API int cuMemAllocFromPoolAsync(Address *out, size_t size, const void *pool, const void *stream) {
    (void)stream;
    NEED(pool);
    return sim_allocate((void **)out, size, SIM_ASYNC, ((const Pool *)pool)->ordinal, "async");
}

API int cuMemAllocAsync(Address *out, size_t size, const Stream *stream) {
    int ordinal = is_stream(stream) ? stream->ordinal : sim_current();
    return sim_allocate((void **)out, size, SIM_ASYNC, ordinal, "async");
}

API int cuMemFreeAsync(Address pointer, const void *stream) {
    (void)stream;
    return sim_release((void *)pointer, SIM_FREE_DEVICE);
}

/* --- virtual memory --- */

API int cuMemGetAllocationGranularity(size_t *out, const void *properties, int option) {
    (void)properties, (void)option;
    return *out = 2 << 20, SIM_OK;
}

API int cuMemAddressReserve(Address *out, size_t size, size_t align, Address at, uint64_t flags) {
    (void)align, (void)at, (void)flags;
    NEED_CONTEXT;
    return sim_allocate((void **)out, size, SIM_RESERVED, sim_current(), "reserve");
}

API int cuMemAddressFree(Address pointer, size_t size) {
    (void)size;
    return sim_release((void *)pointer, 1U << SIM_RESERVED);
}

/* CUmemAllocationProp: type, handle types, location {type, id} at offset 8. */
API int cuMemCreate(Physical **out, size_t size, const int *properties, uint64_t flags) {
    (void)flags;
    NEED(properties);
    DEVICE(gpu, properties[3]);
    (void)gpu;
    return sim_create(out, size, properties[3]);
}

API int cuMemRelease(Physical *handle) { return sim_destroy(handle); }

API int cuMemMap(Address at, size_t size, size_t offset, Physical *handle, uint64_t flags) {
    (void)flags;
    NEED(!offset); /* CUDA takes no other either */
    return sim_map((void *)at, size, handle);
}

API int cuMemUnmap(Address at, size_t size) { return sim_unmap((void *)at, size); }

/* --- copies and fills --- */

#define COPY(NAME, TO, FROM, ...)                                                                  \
    API int NAME(TO to, FROM from, size_t size __VA_OPT__(, ) __VA_ARGS__) {                       \
        return sim_copy((void *)to, (const void *)from, size);                                     \
    }
#define STREAM __attribute__((unused)) const void *stream

COPY(cuMemcpy, Address, Address)
COPY(cuMemcpyAsync, Address, Address, STREAM)
COPY(cuMemcpyHtoD_v2, Address, const void *)
COPY(cuMemcpyHtoDAsync_v2, Address, const void *, STREAM)
COPY(cuMemcpyDtoH_v2, void *, Address)
COPY(cuMemcpyDtoHAsync_v2, void *, Address, STREAM)
COPY(cuMemcpyDtoD_v2, Address, Address)
COPY(cuMemcpyDtoDAsync_v2, Address, Address, STREAM)

API int cuMemcpyPeerAsync(Address to, const void *to_context, Address from,
                          const void *from_context, size_t size, const void *stream) {
    (void)to_context, (void)from_context, (void)stream;
    return sim_copy((void *)to, (const void *)from, size);
}

API int cuMemcpyPeer(Address to, const void *to_context, Address from, const void *from_context,
                     size_t size) {
    return cuMemcpyPeerAsync(to, to_context, from, from_context, size, NULL);
}

typedef struct { /* one side of CUDA_MEMCPY2D */
    size_t x, y;
    int type; /* 1 host, 2 device, 4 unified */
    char *host, *device;
    void *array;
    size_t pitch;
} Side;
typedef struct {
    Side from, to;
    size_t width, height;
} Copy2D;

/* NULL for arrays, which nothing here makes. */
static char *start_of(const Side *side) {
    char *base = side->type == 1 ? side->host : side->type == 3 ? NULL : side->device;
    return base ? base + side->y * side->pitch + side->x : NULL;
}

API int cuMemcpy2D_v2(const Copy2D *copy) {
    NEED(copy);
    return sim_copy_rows(start_of(&copy->to), copy->to.pitch, start_of(&copy->from),
                         copy->from.pitch, copy->width, copy->height);
}

API int cuMemcpy2DUnaligned_v2(const Copy2D *copy) { return cuMemcpy2D_v2(copy); }

API int cuMemcpy2DAsync_v2(const Copy2D *copy, const void *stream) {
    (void)stream;
    return cuMemcpy2D_v2(copy);
}

#define FILL(NAME, TYPE, ...)                                                                      \
    API int NAME(Address to, TYPE value, size_t count __VA_OPT__(, ) __VA_ARGS__) {                \
        return sim_fill((void *)to, &value, sizeof value, count);                                  \
    }
FILL(cuMemsetD8_v2, unsigned char)
FILL(cuMemsetD8Async, unsigned char, STREAM)
FILL(cuMemsetD16_v2, unsigned short)
FILL(cuMemsetD16Async, unsigned short, STREAM)
FILL(cuMemsetD32_v2, unsigned)
FILL(cuMemsetD32Async, unsigned, STREAM)

/* --- streams, events, callbacks: everything is done when the call returns --- */

API int cuStreamCreateWithPriority(void **out, unsigned flags, int priority) {
    (void)priority;
    NEED(out);
    Stream *stream = calloc(1, sizeof *stream);
    if (!stream) return SIM_OUT_OF_MEMORY;
    *stream = (Stream){sim_current(), flags};
    return *out = stream, SIM_OK;
}

API int cuStreamCreate(void **out, unsigned flags) { return cuStreamCreateWithPriority(out, flags, 0); }

API int cuStreamDestroy_v2(void *stream) {
    NEED(is_stream(stream));
    return free(stream), SIM_OK;
}

API int cuStreamGetCtx(const Stream *stream, void **out) {
    return *out = context(is_stream(stream) ? stream->ordinal : sim_current()), SIM_OK;
}

API int cuStreamGetFlags(const Stream *stream, unsigned *flags) {
    return *flags = is_stream(stream) ? stream->flags : 0, SIM_OK;
}

API int cuStreamGetPriority(const void *stream, int *priority) {
    (void)stream;
    return *priority = 0, SIM_OK;
}

API int cuStreamIsCapturing(const void *stream, int *status) {
    (void)stream;
    return *status = 0, SIM_OK;
}

API int cuStreamGetCaptureInfo_v2(const void *stream, int *status, uint64_t *id, void **graph,
                                  const void **needs, size_t *count) {
    (void)stream;
    *status = 0;
    if (id) *id = 0;
    if (graph) *graph = NULL;
    if (needs) *needs = NULL;
    if (count) *count = 0;
    return SIM_OK;
}

API int cuLaunchHostFunc(const void *stream, void (*function)(void *), void *data) {
    (void)stream;
    NEED(function);
    function(data);
    return SIM_OK;
}

API int cuStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data,
                            unsigned flags) {
    (void)flags;
    NEED(function);
    function(stream, SIM_OK, data);
    return SIM_OK;
}

API int cuEventElapsedTime(float *milliseconds, const void *from, const void *to) {
    (void)from, (void)to;
    return *milliseconds = 0.01F, SIM_OK;
}

API int cuEventElapsedTime_v2(float *milliseconds, const void *from, const void *to) {
    return cuEventElapsedTime(milliseconds, from, to);
}

/* --- modules and kernels --- */

API int cuModuleLoadData(void **out, const void *image) {
    NEED(out && image);
    return *out = sim_module_copy(image), SIM_OK;
}

API int cuModuleLoadDataEx(void **out, const void *image, unsigned count, const void *options,
                           const void *values) {
    (void)count, (void)options, (void)values;
    return cuModuleLoadData(out, image);
}

API int cuModuleLoadFatBinary(void **out, const void *image) { return cuModuleLoadData(out, image); }

API int cuModuleGetFunction(void **out, void *module, const char *name) {
    NEED(out && module && name);
    char *copy = strdup(name);
    if (!copy) return SIM_OUT_OF_MEMORY;
    *out = sim_handle();
    sim_function_add(*out, module, copy);
    return SIM_OK;
}

/* A file of kernels: not read, so they are opaque. */
API int cuModuleLoad(void **out, const char *path) {
    (void)path;
    return *out = sim_module(NULL), SIM_OK;
}

/* Libraries are modules for all GPUs at once; a kernel of one is also the function of each GPU. */
API int cuLibraryLoadData(void **out, const void *image) { return cuModuleLoadData(out, image); }
API int cuLibraryLoadFromFile(void **out, const char *path) { return cuModuleLoad(out, path); }
API int cuLibraryGetModule(void **out, void *library) { return *out = library, SIM_OK; }

API int cuLibraryGetKernel(void **out, void *library, const char *name) {
    return cuModuleGetFunction(out, library, name);
}

API int cuKernelGetFunction(void **out, void *kernel) { return *out = kernel, SIM_OK; }

enum { GLOBAL_BYTES = 65536 };

API int cuModuleGetGlobal_v2(Address *out, size_t *size, const void *module, const char *name) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *shared; /* constants of kernels that never run */
    (void)module, (void)name;
    NEED_CONTEXT;
    pthread_mutex_lock(&lock);
    int error =
        shared ? SIM_OK : sim_allocate(&shared, GLOBAL_BYTES, SIM_MANAGED, sim_current(), NULL);
    pthread_mutex_unlock(&lock);
    if (error) return error;
    if (out) *out = (Address)shared;
    if (size) *size = GLOBAL_BYTES;
    return SIM_OK;
}

API int cuFuncGetAttribute(int *value, int attribute, const void *function) {
    const Gpu *gpu = sim_gpu(sim_current());
    (void)function;
    switch (attribute) {
    case 0: *value = 1024; break;            /* threads per block */
    case 4: *value = 32; break;              /* registers */
    case 5: case 6: *value = gpu ? gpu->major * 10 + gpu->minor : 70; break;
    case 8: *value = 49152; break;           /* dynamic shared memory */
    default: *value = 0;
    }
    return SIM_OK;
}

API int cuKernelGetAttribute(int *value, int attribute, const void *kernel, int device) {
    (void)device;
    return cuFuncGetAttribute(value, attribute, kernel);
}

API int cuLaunchKernel(const void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                       unsigned by, unsigned bz, unsigned shared, const void *stream,
                       void **arguments, void **extra) {
    const unsigned size[] = {gx, gy, gz, bx, by, bz};
    (void)shared, (void)stream, (void)extra;
    sim_launch(function, size, arguments);
    return SIM_OK;
}

API int cuLaunchCooperativeKernel(const void *function, unsigned gx, unsigned gy, unsigned gz,
                                  unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                  const void *stream, void **arguments) {
    return cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream, arguments, NULL);
}

API int cuLaunchKernelEx(const void *config, const void *function, void **arguments, void **extra) {
    (void)extra;
    sim_launch(function, config, arguments); /* grid and block come first in it */
    return SIM_OK;
}

/* Blocks that fit a multiprocessor by its threads alone. */
API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function,
                                                             int block_size, size_t shared,
                                                             unsigned flags) {
    const Gpu *gpu = sim_gpu(sim_current());
    (void)function, (void)shared, (void)flags;
    *blocks = gpu && block_size > 0 ? sim_attribute(gpu, 39) / block_size : 1;
    if (*blocks < 1) *blocks = 1;
    return SIM_OK;
}

API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                    int block_size, size_t shared) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, shared,
                                                                0);
}

API int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *function,
                                         const void *shared_for, size_t shared, int limit) {
    const Gpu *gpu = sim_gpu(sim_current());
    (void)function, (void)shared_for, (void)shared;
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    return *grid = gpu ? gpu->multiprocessors : 1, SIM_OK;
}

API int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, const void *function,
                                                  const void *shared_for, size_t shared, int limit,
                                                  unsigned flags) {
    (void)flags;
    return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared_for, shared, limit);
}

API int cuLinkComplete(const void *state, const void **image, size_t *size) {
    static const char nothing[64] = "\x7f" "ELF";
    (void)state;
    return *image = nothing, *size = sizeof nothing, SIM_OK;
}
