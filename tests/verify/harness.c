/* Drives the simulated driver hard, for the sanitizers: memory of every kind, copies, kernels with
 * readable and damaged code, descriptors, and all of it from several threads. Exits with 1 and a
 * line number when an answer is wrong; what else is wrong the sanitizers say. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Address;
enum { THREADS = 4, ROUNDS = 150, MIB = 1 << 20, GPUS = 2, LZ4_FLAG = 0x2000 };

int cuInit(unsigned), cuDeviceGetCount(int *), cuDevicePrimaryCtxRetain(void **, int);
int cuDevicePrimaryCtxRelease_v2(int), cuCtxSetCurrent(void *), cuCtxPushCurrent_v2(void *);
int cuCtxPopCurrent_v2(void **), cuCtxGetDevice(int *), cuMemGetInfo_v2(size_t *, size_t *);
int cuMemAlloc_v2(Address *, size_t), cuMemFree_v2(Address);
int cuMemAllocManaged(Address *, size_t, unsigned), cuMemAllocPitch_v2(Address *, size_t *, size_t,
                                                                      size_t, unsigned);
int cuMemAllocHost_v2(void **, size_t), cuMemFreeHost(void *);
int cuMemcpyHtoD_v2(Address, const void *, size_t), cuMemcpyDtoH_v2(void *, Address, size_t);
int cuMemcpyDtoD_v2(Address, Address, size_t), cuMemcpy2D_v2(const void *);
int cuMemsetD8_v2(Address, unsigned char, size_t), cuMemsetD32_v2(Address, unsigned, size_t);
int cuDeviceGetDefaultMemPool(void **, int), cuMemAllocFromPoolAsync(Address *, size_t, void *, void *);
int cuMemFreeAsync(Address, void *), cuMemPoolGetAttribute(void *, int, void *);
int cuMemCreate(void **, size_t, const int *, uint64_t), cuMemRelease(void *);
int cuMemAddressReserve(Address *, size_t, size_t, Address, uint64_t), cuMemAddressFree(Address, size_t);
int cuMemMap(Address, size_t, size_t, void *, uint64_t), cuMemUnmap(Address, size_t);
int cuMemGetAddressRange_v2(Address *, size_t *, Address), cuPointerGetAttribute(void *, int, Address);
int cuStreamCreate(void **, unsigned), cuStreamDestroy_v2(void *), cuStreamGetCtx(void *, void **);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuModuleGetGlobal_v2(Address *, size_t *, void *, const char *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **);
int cuGraphCreate(void **, unsigned), cuGraphDestroy(void *), cuGraphClone(void **, void *);
int cuGraphAddKernelNode_v2(void **, void *, void *, size_t, void *);
int cuGraphAddChildGraphNode(void **, void *, void *, size_t, void *);
int cuGraphChildGraphNodeGetGraph(void *, void **), cuGraphGetNodes(void *, void **, size_t *);
int cuGraphInstantiateWithFlags(void **, void *, uint64_t), cuGraphExecDestroy(void *);
int cuGraphExecKernelNodeSetParams_v2(void *, void *, void *), cuGraphExecUpdate_v2(void *, void *, void *);
int cuGraphExecChildGraphNodeSetParams(void *, void *, void *), cuGraphLaunch(void *, void *);
int cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
int cudaMalloc(void **, size_t), cudaFree(void *), cudaSetDevice(int), cudaMemcpy(void *, const void *,
                                                                                 size_t, int);
int cudaGetDeviceProperties(char *, int), cudaGetDeviceProperties_v2(char *, int);
int cudaPointerGetAttributes(void *, const void *);
void **__cudaRegisterFatBinary(const void *);
void __cudaRegisterFunction(void *, const void *, const char *, const char *);
int cudnnBackendCreateDescriptor(int, void **), cudnnBackendDestroyDescriptor(void *);
int cudnnBackendSetAttribute(void *, int, int, int64_t, const void *);
int cudnnBackendGetAttribute(void *, int, int, int64_t, int64_t *, void *);
int nvmlInit_v2(void), nvmlDeviceGetHandleByIndex_v2(unsigned, void **);
int nvmlDeviceGetMemoryInfo(void *, unsigned long long *), nvmlDeviceGetPciInfo_v3(void *, void *);
int nvmlDeviceGetComputeRunningProcesses_v3(void *, unsigned *, void *);

/* In the threads another one's opaque kernel may spoil what was written: then it reads as zeros. */
static _Thread_local int alone;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "harness: line %d: %s\n", __LINE__, #condition);                       \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* --- kernels: an ELF file with one kernel of three parameters, packed in a fat binary --- */

static const char KERNEL[] = "spoiler";

static void put(unsigned char *at, uint64_t value, size_t size) { memcpy(at, &value, size); }

static size_t make_elf(unsigned char *out) {
    static const char names[] = "\0.shstrtab\0.nv.info.spoiler";
    unsigned char info[3 * 16];
    for (unsigned i = 0; i < 3; i++) { /* format 4, kernel parameter, 12 bytes; 8 bytes each */
        unsigned char *at = info + i * 16;
        memset(at, 0, 16);
        at[0] = 4, at[1] = 0x17, put(at + 2, 12, 2), put(at + 8, i, 2), put(at + 12, 8U << 18, 4);
    }
    size_t names_at = 64, info_at = names_at + sizeof names, table = info_at + sizeof info;
    memset(out, 0, table + 3 * 64);
    memcpy(out, "\x7f" "ELF\x02\x01\x01", 7);
    put(out + 40, table, 8), put(out + 58, 64, 2), put(out + 60, 3, 2), put(out + 62, 1, 2);
    memcpy(out + names_at, names, sizeof names);
    memcpy(out + info_at, info, sizeof info);
    unsigned char *one = out + table + 64, *two = one + 64;
    put(one, 1, 4), put(one + 4, 3, 4), put(one + 24, names_at, 8), put(one + 32, sizeof names, 8);
    put(two, 11, 4), put(two + 4, 1, 4), put(two + 24, info_at, 8), put(two + 32, sizeof info, 8);
    return table + 3 * 64;
}

/* LZ4's format without a match: one run of literals. */
static size_t pack(const unsigned char *in, size_t size, unsigned char *out) {
    size_t at = 0, rest = size - 15;
    out[at++] = 0xF0;
    for (; rest >= 255; rest -= 255) out[at++] = 255;
    out[at++] = (unsigned char)rest;
    memcpy(out + at, in, size);
    return at + size;
}

static size_t make_fat(unsigned char *out, int packed) {
    unsigned char elf[1024];
    size_t elf_size = make_elf(elf), payload = elf_size;
    memset(out, 0, 16 + 72);
    if (packed) payload = pack(elf, elf_size, out + 16 + 72);
    else memcpy(out + 16 + 72, elf, elf_size);
    put(out, 0xBA55ED50, 4), put(out + 4, 1, 2), put(out + 6, 16, 2), put(out + 8, 72 + payload, 8);
    unsigned char *entry = out + 16;
    put(entry, 2, 2), put(entry + 4, 72, 4), put(entry + 8, payload, 8);
    if (packed) {
        put(entry + 16, payload, 4), put(entry + 40, LZ4_FLAG, 8), put(entry + 56, elf_size, 8);
    }
    return 16 + 72 + payload;
}

static void *function_of(const void *image) {
    void *module, *function;
    CHECK(cuModuleLoadData(&module, image) == 0);
    CHECK(cuModuleGetFunction(&function, module, KERNEL) == 0);
    return function;
}

static void launch(void *function, Address a, Address b, Address c) {
    void *arguments[] = {&a, &b, &c};
    CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) == 0);
}

static int reads(Address at, const char *wanted) {
    char got[64];
    CHECK(cuMemcpyDtoH_v2(got, at, strlen(wanted)) == 0);
    return !memcmp(got, wanted, strlen(wanted));
}

/* Each way of giving a kernel spoils what it is given, and nothing else. */
static void kernels(void) {
    static const char ptx[] =
        ".version 8.0\n.visible .entry spoiler(\n.param .u64 a,\n.param .align 8 .b8 b[8],\n"
        ".param .u64 c\n)\n{\nret;\n}\n";
    unsigned char fat[2048], *empty_elf = calloc(1, 64 + sizeof ptx);
    void *functions[4];
    CHECK(empty_elf);
    memcpy(empty_elf, "\x7f" "ELF\x02\x01\x01", 7), memcpy(empty_elf + 64, ptx, sizeof ptx);
    make_fat(fat, 0), functions[0] = function_of(fat);
    make_fat(fat, 1), functions[1] = function_of(fat);
    functions[2] = function_of(ptx);
    functions[3] = function_of(empty_elf);
    free(empty_elf), memset(fat, 0, sizeof fat); /* the driver has taken what it needs */
    for (int i = 0; i < 4; i++) {
        Address at[4];
        for (int k = 0; k < 4; k++) {
            CHECK(cuMemAlloc_v2(&at[k], 4096) == 0);
            CHECK(cuMemcpyHtoD_v2(at[k], "known", 6) == 0);
        }
        launch(functions[i], at[0], at[1], at[2]);
        for (int k = 0; k < 4; k++) {
            CHECK(!alone || reads(at[k], "known") == (k == 3));
            CHECK(cuMemFree_v2(at[k]) == 0);
        }
    }
}

/* The runtime's way: the image is read at the first launch. */
static void registered(void) {
    static unsigned char kept[2048];
    static const char symbol;
    struct {
        uint32_t magic, version;
        const void *data, *unused;
    } wrapper = {0x466243b1, 1, kept, NULL};
    make_fat(kept, 1);
    __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), &symbol, "spoiler", KERNEL);
    launch((void *)&symbol, 0, 1, 2);
}

/* A graph that was captured, one that holds it, and what is launched, which outlives both. */
static void graphs(void) {
    struct {
        void *function;
        unsigned size[7];
        void **arguments;
    } kernel = {(void *)(intptr_t)64, {1, 1, 1, 1, 1, 1, 0}, NULL};
    void *captured, *graph, *copy, *node, *child, *inner, *executable, *nodes[2];
    char result[24];
    size_t count = 2;
    CHECK(cuStreamBeginCapture_v2(NULL, 1) == 0);
    launch((void *)(intptr_t)64, 0, 1, 2);
    CHECK(cuStreamEndCapture(NULL, &captured) == 0 && cuStreamEndCapture(NULL, &graph) == 1);
    CHECK(cuGraphCreate(&graph, 0) == 0 && cuGraphGetNodes(graph, NULL, &count) == 0 && count == 1);
    CHECK(cuGraphAddKernelNode_v2(&node, graph, NULL, 0, &kernel) == 0);
    CHECK(cuGraphAddChildGraphNode(&child, graph, NULL, 0, captured) == 0);
    CHECK(cuGraphGetNodes(graph, nodes, (count = 2, &count)) == 0 && count == 2);
    CHECK(nodes[0] == node && nodes[1] == child && cuGraphClone(&copy, graph) == 0);
    CHECK(cuGraphInstantiateWithFlags(&executable, graph, 0) == 0);
    CHECK(cuGraphExecKernelNodeSetParams_v2(executable, node, &kernel) == 0);
    CHECK(cuGraphExecKernelNodeSetParams_v2(executable, executable, &kernel) == 1);
    CHECK(cuGraphChildGraphNodeGetGraph(child, &inner) == 0);
    CHECK(cuGraphExecChildGraphNodeSetParams(executable, child, inner) == 0);
    CHECK(cuGraphDestroy(captured) == 0 && cuGraphDestroy(graph) == 0);
    CHECK(cuGraphLaunch(executable, NULL) == 0 && cuGraphExecUpdate_v2(executable, copy, result) == 0);
    CHECK(cuGraphDestroy(copy) == 0 && cuGraphLaunch(executable, NULL) == 0);
    CHECK(cuGraphExecDestroy(executable) == 0);
}

static void *named(const char *ptx, const char *name) {
    void *module, *function;
    CHECK(cuModuleLoadData(&module, ptx) == 0);
    CHECK(cuModuleGetFunction(&function, module, name) == 0);
    return function;
}

/* The kernels that put shapes together are carried out where all is known, else skipped. */
static void shapes(void) {
    static const char ptx[] =
        ".version 8.0\n"
        ".entry DynamicStitchKernelIiEE(.param .u32 a, .param .u32 b, .param .align 8 .b8 c[48],"
        " .param .align 8 .b8 d[80], .param .u64 e){ret;}\n"
        ".entry GatherOpKernelIiiLb1EE(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d,"
        " .param .u64 e, .param .u64 f, .param .u64 g){ret;}\n"
        ".entry BlockReduceKernelIPi_4ProdIiE(.param .u64 a, .param .u64 b, .param .u32 c,"
        " .param .b8 d[1], .param .u32 e){ret;}\n"
        ".entry Add_GPU_DT_INT64_kernel(.param .u64 a, .param .u64 b, .param .u64 c,"
        " .param .u64 d){ret;}\n";
    static const int first[] = {7, 8, 9}, second[] = {5}, order[] = {2, 0, 4};
    struct {
        int size, values[8];
        Address elsewhere;
    } indices = {4, {0, 1, 0, 1}, 0};
    struct {
        int size;
        Address values[8], elsewhere;
    } inputs = {2, {0}, 0};
    Address out;
    int got[4], slice = 1, total = 4;
    int64_t most = 3, count = 3, one = 1;
    CHECK(cuMemAlloc_v2(&inputs.values[0], 64) == 0 && cuMemAlloc_v2(&inputs.values[1], 64) == 0);
    CHECK(cuMemAlloc_v2(&out, 64) == 0);
    void *stitch[] = {&slice, &total, &indices, &inputs, &out};
    for (int known = 0; known < 2; known++) {
        CHECK(cuMemcpyHtoD_v2(inputs.values[0], first, sizeof first) == 0);
        if (known) CHECK(cuMemcpyHtoD_v2(inputs.values[1], second, sizeof second) == 0);
        CHECK(cuMemcpyHtoD_v2(out, first, sizeof first) == 0);
        CHECK(cuLaunchKernel(named(ptx, "DynamicStitchKernelIiEE"), 1, 1, 1, 1, 1, 1, 0, NULL,
                             stitch, NULL) == 0);
        CHECK(cuMemcpyDtoH_v2(got, out, sizeof got) == 0);
        CHECK(got[0] == 7 * known && got[1] == 5 * known && got[2] == 7 * known && got[3] == 5 * known);
    }
    void *gather[] = {&inputs.values[0], &inputs.values[1], &out, &most, &count, &one, &count};
    CHECK(cuMemcpyHtoD_v2(inputs.values[1], order, sizeof order) == 0);
    CHECK(cuLaunchKernel(named(ptx, "GatherOpKernelIiiLb1EE"), 1, 1, 1, 1, 1, 1, 0, NULL, gather,
                         NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(got, out, sizeof first) == 0);
    CHECK(got[0] == 9 && got[1] == 7 && got[2] == 0); /* an index too far gives 0 */
    int three = 3;
    void *product[] = {&inputs.values[0], &out, &three, &one, &one};
    CHECK(cuLaunchKernel(named(ptx, "BlockReduceKernelIPi_4ProdIiE"), 1, 1, 1, 1, 1, 1, 0, NULL,
                         product, NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(got, out, sizeof *got) == 0 && got[0] == 7 * 8 * 9);
    /* A generated kernel leaves what it reads. */
    void *add[] = {&inputs.values[0], &inputs.values[0], &out, &out};
    CHECK(cuLaunchKernel(named(ptx, "Add_GPU_DT_INT64_kernel"), 1, 1, 1, 1, 1, 1, 0, NULL, add,
                         NULL) == 0);
    CHECK(cuMemcpyDtoH_v2(got, out, sizeof *got) == 0 && got[0] == 0);
    CHECK(cuMemcpyDtoH_v2(got, inputs.values[0], sizeof *got) == 0 && got[0] == 7);
    indices.size = 1 << 30, total = -5;
    CHECK(cuLaunchKernel(named(ptx, "DynamicStitchKernelIiEE"), 1, 1, 1, 1, 1, 1, 0, NULL, stitch,
                         NULL) == 0);
    for (int i = 0; i < 2; i++) CHECK(cuMemFree_v2(inputs.values[i]) == 0);
    CHECK(cuMemFree_v2(out) == 0);
}

/* Damage to the code makes a kernel opaque, or gives it other parameters, and nothing worse. The fat
 * binary's own header stays: it says how long the image is, and nothing else does. */
static void damaged(void) {
    static char argument[1 << 16];
    void *arguments[256];
    unsigned seed = 1;
    for (int i = 0; i < 256; i++) arguments[i] = argument;
    for (int round = 0; round < 600; round++) {
        unsigned char fat[2048];
        size_t size = make_fat(fat, round & 1);
        unsigned char *image = malloc(size);
        CHECK(image);
        memcpy(image, fat, size);
        for (int k = 0; k < 1 + round % 4; k++) {
            seed = seed * 1664525 + 1013904223;
            size_t at = 16 + (seed >> 8) % (round % 3 ? size - 16 : 72);
            image[at] = (unsigned char)(seed >> 24);
        }
        void *function = function_of(image);
        free(image);
        CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) == 0);
    }
}

/* --- memory --- */

static size_t free_bytes(void) {
    size_t left, total;
    CHECK(cuMemGetInfo_v2(&left, &total) == 0 && left <= total);
    return left;
}

static void virtual_memory(int gpu) {
    int properties[8] = {1, 0, 1, gpu};
    void *memory, *other;
    Address range;
    size_t before = free_bytes();
    CHECK(cuMemCreate(&memory, 2 * MIB, properties, 0) == 0);
    CHECK(cuMemCreate(&other, 2 * MIB, properties, 0) == 0);
    CHECK(cuMemAddressReserve(&range, 8 * MIB, 0, 0, 0) == 0);
    CHECK(cuMemcpyHtoD_v2(range, "x", 1) == 1);
    CHECK(cuMemMap(range, 2 * MIB, 0, memory, 0) == 0);
    CHECK(cuMemMap(range, 2 * MIB, 0, other, 0) == 1);
    CHECK(cuMemMap(range + 2 * MIB, 2 * MIB, 0, other, 0) == 0);
    CHECK(cuMemcpyHtoD_v2(range + 2 * MIB - 4, "over both", 9) == 0);
    CHECK(cuMemcpyHtoD_v2(range + 4 * MIB - 1, "out", 3) == 1);
    CHECK(cuMemRelease(memory) == 0);
    CHECK(cuMemUnmap(range, 4 * MIB) == 0);
    CHECK(cuMemRelease(other) == 0);
    CHECK(cuMemAddressFree(range, 8 * MIB) == 0);
    (void)before; /* other threads take memory too */
}

static void rows(void) {
    struct {
        struct {
            size_t x, y;
            int type;
            const char *host;
            Address device;
            void *array;
            size_t pitch;
        } from, to;
        size_t width, height;
    } copy = {.width = 3, .height = 2};
    Address at;
    size_t pitch;
    CHECK(cuMemAllocPitch_v2(&at, &pitch, 3, 2, 4) == 0 && pitch == 512);
    copy.from.type = 1, copy.from.host = "abcdef", copy.from.pitch = 3;
    copy.to.type = 2, copy.to.device = at, copy.to.pitch = pitch;
    CHECK(cuMemcpy2D_v2(&copy) == 0);
    CHECK(!alone || (reads(at, "abc") && reads(at + pitch, "def")));
    copy.height = 4; /* more than there is */
    copy.from.host = "abcdefghijklmnopqrstuvwxyz";
    CHECK(cuMemcpy2D_v2(&copy) == 1);
    copy.to.type = 3;
    CHECK(cuMemcpy2D_v2(&copy) == 1);
    CHECK(cuMemFree_v2(at) == 0);
    CHECK(!alone || cuMemFree_v2(at) == 1); /* another thread may have the address by now */
    CHECK(cuMemAllocPitch_v2(&at, &pitch, SIZE_MAX - 3, 2, 4) == 2);
    CHECK(cuMemAllocPitch_v2(&at, &pitch, (size_t)1 << 40, (size_t)1 << 40, 4) == 2);
}

static void descriptors(void) {
    void *one;
    int64_t dims[4] = {1, 2, 3, 4}, back[2] = {0}, count = 0;
    CHECK(cudnnBackendCreateDescriptor(0, &one) == 0);
    for (int name = 2000; name < 2030; name++)
        CHECK(cudnnBackendSetAttribute(one, name, 3, 4, dims) == 0);
    CHECK(cudnnBackendGetAttribute(one, 2001, 3, 2, &count, back) == 0 && count == 4);
    CHECK(back[1] == 2 && cudnnBackendGetAttribute(one, 1999, 3, 2, &count, back) == 3000);
    CHECK(cudnnBackendDestroyDescriptor(one) == 0);
}

static void monitor(int gpu) {
    void *handle;
    unsigned long long memory[3];
    unsigned count = 1;
    struct {
        unsigned pid;
        unsigned long long memory;
        unsigned ids[2];
    } process;
    char pci[68], properties[1032];
    CHECK(nvmlInit_v2() == 0 && nvmlDeviceGetHandleByIndex_v2((unsigned)gpu, &handle) == 0);
    CHECK(nvmlDeviceGetMemoryInfo(handle, memory) == 0 && memory[1] + memory[2] == memory[0]);
    CHECK(nvmlDeviceGetPciInfo_v3(handle, pci) == 0);
    CHECK(nvmlDeviceGetComputeRunningProcesses_v3(handle, &count, &process) == 0 && count == 1);
    CHECK(cudaGetDeviceProperties_v2(properties, gpu) == 0);
    CHECK(cudaGetDeviceProperties(properties, gpu) == 0);
}

static void *worker(void *argument) {
    int number = (int)(intptr_t)argument, gpu = number % GPUS, device;
    void *context, *top, *pool, *stream, *pinned, *pointer;
    char big[10000], back[10000];
    memset(big, 'a' + number, sizeof big);
    for (int round = 0; round < ROUNDS; round++) {
        Address at, copy, managed, pooled, base;
        size_t size = 4096 + (size_t)(round * 37), found;
        uint64_t used;
        CHECK(cuDevicePrimaryCtxRetain(&context, gpu) == 0 && cuCtxPushCurrent_v2(context) == 0);
        CHECK(cuCtxGetDevice(&device) == 0 && device == gpu);
        CHECK(cuMemAlloc_v2(&at, size) == 0 && cuMemAlloc_v2(&copy, size) == 0);
        CHECK(cuMemAlloc_v2(&base, (size_t)1 << 40) == 2 && cuMemAlloc_v2(&base, 0) == 1);
        CHECK(cuMemAllocManaged(&managed, size, 1) == 0);
        CHECK(cuDeviceGetDefaultMemPool(&pool, gpu) == 0);
        CHECK(cuMemAllocFromPoolAsync(&pooled, size, pool, NULL) == 0);
        CHECK(cuMemPoolGetAttribute(pool, 7, &used) == 0 && used >= size);
        CHECK(cuMemAllocHost_v2(&pinned, size) == 0);
        CHECK(cuMemcpyHtoD_v2(at, big, size) == 0 && cuMemcpyDtoD_v2(copy, at, size) == 0);
        CHECK(cuMemcpyDtoH_v2(back, copy, size) == 0);
        CHECK(!memcmp(back, big, size) || (!back[0] && !memcmp(back, back + 1, size - 1)));
        CHECK(cuMemsetD32_v2(at, 7, size / 4) == 0 && cuMemsetD8_v2(at, 0, size) == 0);
        CHECK(cuMemsetD32_v2(at, 7, SIZE_MAX / 2) == 1);
        CHECK(cuMemcpyHtoD_v2(managed, big, size) == 0 && cuMemcpyDtoH_v2(pinned, managed, 8) == 0);
        CHECK(cuMemGetAddressRange_v2(&base, &found, at + 9) == 0 && base == at && found == size);
        CHECK(cuPointerGetAttribute(&device, 9, copy) == 0 && device == gpu);
        CHECK(cuStreamCreate(&stream, 0) == 0 && cuStreamGetCtx(stream, &top) == 0);
        CHECK(top == context && cuStreamDestroy_v2(stream) == 0);
        launch((void *)(intptr_t)64, at, copy, managed); /* nobody registered it */
        CHECK(cudaSetDevice(gpu) == 0 && cudaMalloc(&pointer, size) == 0);
        CHECK(cudaMemcpy(pointer, big, size, 1) == 0 && cudaFree(pointer) == 0);
        CHECK(cuModuleGetGlobal_v2(&base, &found, NULL, "constant") == 0 && found);
        CHECK(cuGetProcAddress_v2("cuMemAlloc", &pointer, 12000, 0, NULL) == 0);
        virtual_memory(gpu), rows(), descriptors(), monitor(gpu), graphs();
        if (round % 10 == 0) kernels();
        CHECK(cuMemFreeAsync(pooled, NULL) == 0 && cuMemFreeHost(pinned) == 0);
        CHECK(cuMemFree_v2(managed) == 0 && cuMemFree_v2(copy) == 0 && cuMemFree_v2(at) == 0);
        CHECK(cuCtxPopCurrent_v2(&top) == 0 && top == context);
        CHECK(cuDevicePrimaryCtxRelease_v2(gpu) == 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    void *context[GPUS];
    size_t before[GPUS];
    CHECK(cuInit(0) == 0);
    for (int gpu = 0; gpu < GPUS; gpu++) {
        CHECK(cuDevicePrimaryCtxRetain(&context[gpu], gpu) == 0);
        CHECK(cuCtxSetCurrent(context[gpu]) == 0);
        before[gpu] = free_bytes();
    }
    alone = 1;
    kernels(), registered(), shapes(), rows(), damaged();
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    for (int gpu = 0; gpu < GPUS; gpu++) {
        CHECK(cuCtxSetCurrent(context[gpu]) == 0 && free_bytes() == before[gpu]);
        CHECK(cuDevicePrimaryCtxRelease_v2(gpu) == 0);
    }
    puts("done");
    return 0;
}
