/* cuBLAS, cublasLt, cuSPARSE, NCCL, CUPTI: the few functions whose answers are used. */
#include "attributes.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

/* --- cuBLAS --- */

/* cuBLAS has the major version of CUDA; TensorFlow prints it and compares nothing. */
API int cublasGetVersion_v2(const void *handle, int *version) {
    (void)handle;
    return *version = SIM_RUNTIME_VERSION / 1000 * 10000 + 500, 0;
}

API int cublasGetProperty(int property, int *value) {
    return *value = property == 0 ? SIM_RUNTIME_VERSION / 1000 : 0, 0;
}

API size_t cublasLtGetVersion(void) { return SIM_RUNTIME_VERSION / 1000 * 10000 + 500; }
API size_t cublasLtGetCudartVersion(void) { return SIM_RUNTIME_VERSION; }

/* --- cublasLt: layouts and descriptions give back what was set --- */

static int set_number(Descriptor *descriptor, int name, uint64_t value, size_t size) {
    sim_set(descriptor, name, 1, &value, size); /* little endian: a prefix is the shorter number */
    return 0;
}

API int cublasLtMatrixLayoutCreate(Descriptor **out, int type, uint64_t rows, uint64_t columns,
                                   int64_t leading) {
    if (!(*out = sim_descriptor(0))) return 3;
    set_number(*out, 0, (uint64_t)type, 4);
    set_number(*out, 1, 0, 4); /* column order */
    set_number(*out, 2, rows, 8);
    set_number(*out, 3, columns, 8);
    set_number(*out, 4, (uint64_t)leading, 8);
    set_number(*out, 5, 1, 4); /* batch */
    return set_number(*out, 6, 0, 8);
}

API int cublasLtMatmulDescCreate(Descriptor **out, int compute, int scale) {
    if (!(*out = sim_descriptor(0))) return 3;
    set_number(*out, 0, (uint64_t)compute, 4);
    set_number(*out, 1, (uint64_t)scale, 4);
    for (int name = 2; name <= 5; name++) set_number(*out, name, 0, 4);
    return set_number(*out, 7, 1, 4); /* the default epilogue */
}

API int cublasLtMatmulPreferenceCreate(Descriptor **out) {
    return (*out = sim_descriptor(0)) ? 0 : 3;
}

static int set_bytes(Descriptor *descriptor, int name, const void *bytes, size_t size) {
    sim_set(descriptor, name, 1, bytes, size);
    return 0;
}

static int get_bytes(const Descriptor *descriptor, int name, void *bytes, size_t size,
                     size_t *written) {
    const Value *value = sim_get(descriptor, name);
    if (!value || value->size > size) {
        sim_record_name("unmodelled", "cublasLt attribute (never set)");
        return 7;
    }
    memcpy(bytes, value->bytes, value->size);
    if (written) *written = value->size;
    return 0;
}

#define ATTRIBUTES(STEM)                                                                           \
    API int STEM##SetAttribute(Descriptor *d, int name, const void *bytes, size_t size) {          \
        return set_bytes(d, name, bytes, size);                                                    \
    }                                                                                              \
    API int STEM##GetAttribute(const Descriptor *d, int name, void *bytes, size_t size,           \
                               size_t *written) {                                                  \
        return get_bytes(d, name, bytes, size, written);                                           \
    }                                                                                              \
    API int STEM##Destroy(Descriptor *d) { return sim_descriptor_free(d), 0; }
ATTRIBUTES(cublasLtMatrixLayout)
ATTRIBUTES(cublasLtMatmulDesc)
ATTRIBUTES(cublasLtMatmulPreference)

API int cublasLtMatmulAlgoGetHeuristic(const void *handle, const void *work, const void *a,
                                       const void *b, const void *c, const void *d,
                                       const void *preference, int wanted, void *results,
                                       int *count) {
    (void)handle, (void)work, (void)a, (void)b, (void)c, (void)d, (void)preference;
    if (wanted > 0) memset(results, 0, 96); /* one algorithm, no workspace, success */
    return *count = wanted > 0, 0;
}

/* --- cuSPARSE --- */

API int cusparseSpMatGetSize(const void *matrix, int64_t *rows, int64_t *columns, int64_t *count) {
    (void)matrix;
    return *rows = 0, *columns = 0, *count = 0, 0;
}

API int cusparseGetProperty(int property, int *value) {
    return *value = property == 0 ? SIM_RUNTIME_VERSION / 1000 : 0, 0;
}

/* --- NCCL: communicators know their size; the collectives are skipped --- */

typedef struct {
    int size, rank, device;
} Communicator;
typedef struct {
    char bytes[128];
} UniqueId;

API int ncclGetVersion(int *version) { return *version = 22501, 0; }
API const char *ncclGetErrorString(int error) { return error ? "NCCL error" : "no error"; }
API const char *ncclGetLastError(const void *comm) { return (void)comm, ""; }

API int ncclGetUniqueId(UniqueId *id) { return memset(id, 1, sizeof *id), 0; }

static int communicator(Communicator **out, int size, int rank, int device) {
    if (!(*out = malloc(sizeof **out))) return 2;
    **out = (Communicator){size, rank, device};
    return 0;
}

API int ncclCommInitRank(Communicator **out, int size, UniqueId id, int rank) {
    (void)id;
    return communicator(out, size, rank, sim_current());
}

API int ncclCommInitRankConfig(Communicator **out, int size, UniqueId id, int rank, void *config) {
    (void)config;
    return ncclCommInitRank(out, size, id, rank);
}

API int ncclCommInitRankScalable(Communicator **out, int size, int rank, int ids, void *id,
                                 void *config) {
    (void)ids, (void)id, (void)config;
    return communicator(out, size, rank, sim_current());
}

API int ncclCommInitAll(Communicator **out, int size, const int *devices) {
    for (int i = 0; i < size; i++)
        if (communicator(&out[i], size, i, devices ? devices[i] : i)) return 2;
    return 0;
}

API int ncclCommSplit(const Communicator *comm, int color, int key, Communicator **out,
                      void *config) {
    (void)color, (void)key, (void)config;
    return communicator(out, comm->size, comm->rank, comm->device);
}

API int ncclCommCount(const Communicator *comm, int *count) { return *count = comm->size, 0; }
API int ncclCommUserRank(const Communicator *comm, int *rank) { return *rank = comm->rank, 0; }
API int ncclCommCuDevice(const Communicator *comm, int *device) { return *device = comm->device, 0; }
API int ncclCommDestroy(Communicator *comm) { return free(comm), 0; }
API int ncclCommAbort(Communicator *comm) { return free(comm), 0; }

API int ncclMemAlloc(void **out, size_t size) {
    return sim_allocate(out, size, SIM_DEVICE, sim_current(), "alloc");
}
API int ncclMemFree(void *pointer) { return sim_release(pointer, SIM_FREE_DEVICE); }

/* --- CUPTI --- */

API int cuptiGetResultString(int result, const char **text) {
    return *text = result ? "CUPTI error" : "CUPTI_SUCCESS", 0;
}
