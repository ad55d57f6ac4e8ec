/* libcudnn: versions, and enough of its two ways of choosing a convolution to be given work.
 * Every choice is one algorithm without a workspace, so that cuDNN adds nothing to memory. */
#include "attributes.h"
#include "sim.h"

#include <string.h>

enum { BAD_PARAM = 2000, NOT_SUPPORTED = 3000 };

API size_t cudnnGetVersion(void) {
    /* major * 10000 + minor * 100 since cuDNN 9, major * 1000 + minor * 100 before */
    return (SIM_CUDNN_MAJOR >= 9 ? 10000 : 1000) * SIM_CUDNN_MAJOR + 100 * SIM_CUDNN_MINOR;
}

API size_t cudnnGetCudartVersion(void) { return SIM_RUNTIME_VERSION; }

API int cudnnGetProperty(int property, int *value) {
    return *value = property == 0 ? SIM_CUDNN_MAJOR : property == 1 ? SIM_CUDNN_MINOR : 0, 0;
}

API const char *cudnnGetErrorString(int status) { return status ? "CUDNN_STATUS" : "success"; }

API void cudnnGetLastErrorString(char *text, size_t size) {
    if (size) text[0] = 0;
}

/* --- algorithms of the older interface --- */

typedef struct { /* cudnnConvolution{Fwd,BwdData,BwdFilter}AlgoPerf_t */
    int algorithm, status;
    float milliseconds;
    size_t workspace;
    int determinism, math, reserved[3];
} Performance;

static int one_algorithm(int wanted, int *count, Performance *results) {
    if (wanted > 0) results[0] = (Performance){.algorithm = 1, .milliseconds = 0.01F};
    return *count = wanted > 0, 0;
}

#define ALGORITHMS(NAME)                                                                           \
    API int NAME(const void *handle, const void *a, const void *b, const void *c, const void *d,  \
                 int wanted, int *count, Performance *results) {                                   \
        (void)handle, (void)a, (void)b, (void)c, (void)d;                                          \
        return one_algorithm(wanted, count, results);                                              \
    }
ALGORITHMS(cudnnGetConvolutionForwardAlgorithm_v7)
ALGORITHMS(cudnnGetConvolutionBackwardDataAlgorithm_v7)
ALGORITHMS(cudnnGetConvolutionBackwardFilterAlgorithm_v7)
ALGORITHMS(cudnnFindConvolutionForwardAlgorithm)
ALGORITHMS(cudnnFindConvolutionBackwardDataAlgorithm)
ALGORITHMS(cudnnFindConvolutionBackwardFilterAlgorithm)

#if SIM_CUDNN_MAJOR < 8
/* cuDNN 7 has no list of algorithms: TensorFlow 1.15 tries all that it knows, and leaves out those
 * that have no answer here. */
enum { ONLY_ALGORITHM = 1, ALGORITHM_NOT_SUPPORTED = 9 };

#define ONE_ALGORITHM(NAME)                                                                        \
    API int NAME##WorkspaceSize(const void *handle, const void *a, const void *b, const void *c,  \
                                const void *d, int algorithm, size_t *size) {                      \
        (void)handle, (void)a, (void)b, (void)c, (void)d;                                          \
        return *size = 0, algorithm == ONLY_ALGORITHM ? 0 : ALGORITHM_NOT_SUPPORTED;               \
    }                                                                                              \
    API int NAME##Algorithm(const void *handle, const void *a, const void *b, const void *c,      \
                            const void *d, int preference, size_t limit, int *algorithm) {         \
        (void)handle, (void)a, (void)b, (void)c, (void)d, (void)preference, (void)limit;           \
        return *algorithm = ONLY_ALGORITHM, 0;                                                     \
    }
ONE_ALGORITHM(cudnnGetConvolutionForward)
ONE_ALGORITHM(cudnnGetConvolutionBackwardData)
ONE_ALGORITHM(cudnnGetConvolutionBackwardFilter)
#endif

/* --- the backend interface: descriptors with attributes --- */

enum { /* cudnnBackendAttributeName_t */
    HEURISTIC_RESULTS = 202,
    CONFIG_ENGINE = 300,
    CONFIG_KNOB_CHOICES = 302,
    CONFIG_WORKSPACE = 303,
    PLAN_WORKSPACE = 402,
    PLAN_INTERMEDIATES = 403,
    PLAN_JSON = 405,
    GRAPH_ENGINES = 802,
    PACK_POINTERS = 1001,
    PACK_WORKSPACE = 1003,
    ENGINE_INDEX = 1301,
    ENGINE_KNOBS = 1302,
    ENGINE_NUMERICAL_NOTES = 1303,
    ENGINE_BEHAVIOUR_NOTES = 1305,
};

/* Bytes of one element, by cudnnBackendAttributeType_t. */
static size_t element(int type) {
    switch (type) {
    case 0: case 3: case 5: case 6: case 15: return 8; /* handle, int64, double, pointers */
    case 2: case 24: return 1;                         /* bool, char */
    case 26: return 16;                                /* fraction: two int64 */
    default: return 4;                                 /* enumerations, float, int32 */
    }
}

API int cudnnBackendCreateDescriptor(int type, Descriptor **out) {
    return (*out = sim_descriptor(type)) ? 0 : NOT_SUPPORTED;
}

API int cudnnBackendDestroyDescriptor(Descriptor *descriptor) {
    return sim_descriptor_free(descriptor), 0;
}

API int cudnnBackendInitialize(Descriptor *descriptor) { return (void)descriptor, 0; }
API int cudnnBackendFinalize(Descriptor *descriptor) { return (void)descriptor, 0; }

API int cudnnBackendSetAttribute(Descriptor *descriptor, int name, int type, int64_t count,
                                 const void *values) {
    if (!descriptor || count < 0 || (count && !values)) return BAD_PARAM;
    sim_set(descriptor, name, count, values, element(type) * (size_t)count);
    return 0;
}

API int cudnnBackendGetAttribute(const Descriptor *descriptor, int name, int type, int64_t wanted,
                                 int64_t *count, void *values) {
    int64_t unused;
    if (!count) count = &unused;
    bool give = wanted > 0 && values;
    switch (name) {
    case HEURISTIC_RESULTS: /* the caller made the descriptors; as they are they will do */
    case CONFIG_ENGINE: return *count = 1, 0;
    case CONFIG_KNOB_CHOICES:
    case PLAN_INTERMEDIATES:
    case ENGINE_KNOBS:
    case ENGINE_NUMERICAL_NOTES:
    case ENGINE_BEHAVIOUR_NOTES: return *count = 0, 0;
    case GRAPH_ENGINES:
        if (give) *(int64_t *)values = 1;
        return *count = 1, 0;
    case CONFIG_WORKSPACE:
    case PLAN_WORKSPACE:
    case ENGINE_INDEX:
        if (give) *(int64_t *)values = 0;
        return *count = 1, 0;
    case PLAN_JSON:
        if (give) *(char *)values = 0;
        return *count = 1, 0;
    default: break;
    }
    const Value *value = sim_get(descriptor, name);
    if (!value) {
        sim_record_name("unmodelled", "cudnnBackendGetAttribute (attribute never set)");
        return *count = 0, NOT_SUPPORTED;
    }
    size_t copied = give ? (size_t)wanted * element(type) : 0;
    if (copied) memcpy(values, value->bytes, copied < value->size ? copied : value->size);
    return *count = value->count, 0;
}

API int cudnnBackendExecute(const void *handle, const Descriptor *plan, const Descriptor *pack) {
    (void)handle, (void)plan;
    sim_count_launch("cudnnBackendExecute", NULL, 0);
    const int names[] = {PACK_POINTERS, PACK_WORKSPACE};
    for (int i = 0; i < 2; i++) {
        const Value *pointers = sim_get(pack, names[i]);
        for (size_t k = 0; pointers && k < pointers->size / sizeof(void *); k++)
            sim_spoil_pointer(((void **)pointers->bytes)[k]);
    }
    return 0;
}
