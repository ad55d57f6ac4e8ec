/* Which GPUs there are: TFGPU_SIM_GPUS describes them, CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER
 * choose and order them as NVIDIA's documentation says (not compared with hardware).
 *
 * TFGPU_SIM_GPUS holds one GPU after another, with ';' between them, each a list of key=value with
 * '|' between them: name, total, used, overhead (MiB; without it the CUDA runtime decides), cc, sms, clock, memclock (MHz), bus (bits),
 * l2 (KiB), pci. */
#include "sim.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Gpu described[SIM_MAX_GPUS];
static int described_count;
static int visible[SIM_MAX_GPUS]; /* CUDA's number -> place in `described` */
static int visible_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_bool started, forked;

static uint64_t mib(const char *text) { return (uint64_t)(strtod(text, NULL) * 1048576.0); }

static void set_field(Gpu *gpu, const char *key, const char *value) {
    if (!strcmp(key, "name")) snprintf(gpu->name, sizeof gpu->name, "%s", value);
    else if (!strcmp(key, "pci")) snprintf(gpu->pci, sizeof gpu->pci, "%s", value);
    else if (!strcmp(key, "total")) gpu->total = mib(value);
    else if (!strcmp(key, "used")) gpu->used_by_others = mib(value);
    else if (!strcmp(key, "overhead")) gpu->overhead = mib(value), gpu->growth = 0;
    else if (!strcmp(key, "cc")) sscanf(value, "%d.%d", &gpu->major, &gpu->minor);
    else if (!strcmp(key, "sms")) gpu->multiprocessors = atoi(value);
    else if (!strcmp(key, "clock")) gpu->clock_khz = atoi(value) * 1000;
    else if (!strcmp(key, "memclock")) gpu->memory_clock_khz = atoi(value) * 1000;
    else if (!strcmp(key, "bus")) gpu->bus_width = atoi(value);
    else if (!strcmp(key, "l2")) gpu->l2_bytes = atoi(value) * 1024;
    else fprintf(stderr, "simgpu: TFGPU_SIM_GPUS: unknown key %s\n", key);
}

static const uint64_t UNSET = UINT64_MAX;

/* What a context takes of a card: memory/context.py has the same formula. */
static void size_context(Gpu *gpu) {
    uint64_t base = gpu->major == 3 ? SIM_CONTEXT_KEPLER_KIB : SIM_CONTEXT_KIB;
    uint64_t threads = (uint64_t)gpu->multiprocessors * (uint64_t)sim_threads(gpu);
    uint64_t size = (base + SIM_CONTEXT_THREADS_KIB * (threads / 1024)) / 64 * 64 * 1024;
    gpu->growth = (uint64_t)SIM_CONTEXT_GROWTH_KIB * 1024;
    if (gpu->growth > size) gpu->growth = size;
    gpu->overhead = size - gpu->growth;
}

static void describe(void) {
    const char *given = sim_setting("TFGPU_SIM_GPUS");
    char *text = strdup(given ? given : ""), *rest = NULL;
    if (!text) abort();
    for (char *one = strtok_r(text, ";", &rest); one && described_count < SIM_MAX_GPUS;
         one = strtok_r(NULL, ";", &rest)) {
        Gpu *gpu = &described[described_count];
        *gpu = (Gpu){.physical = described_count, .major = 7, .multiprocessors = 80,
                     .clock_khz = 1530000, .memory_clock_khz = 877000, .bus_width = 4096,
                     .l2_bytes = 6 << 20, .overhead = UNSET, .growth = UNSET,
                     .total = (uint64_t)16384 << 20};
        snprintf(gpu->name, sizeof gpu->name, "Simulated GPU");
        snprintf(gpu->pci, sizeof gpu->pci, "0000:%02X:00.0", described_count + 1);
        char *inner = NULL;
        for (char *field = strtok_r(one, "|", &inner); field; field = strtok_r(NULL, "|", &inner)) {
            char *equals = strchr(field, '=');
            if (!equals) continue;
            *equals = 0;
            set_field(gpu, field, equals + 1);
        }
        if (gpu->overhead == UNSET) size_context(gpu);
        described_count++;
    }
    free(text);
}

int sim_described_count(void) {
    static pthread_once_t described_once = PTHREAD_ONCE_INIT;
    pthread_once(&described_once, describe);
    return described_count;
}

Gpu *sim_described(int place) { return &described[place]; }

static double speed(const Gpu *gpu) {
    return (gpu->major * 10 + gpu->minor) * 1e9 +
           (double)gpu->multiprocessors * gpu->clock_khz / 1000.0;
}

void sim_uuid(const Gpu *gpu, unsigned char out[16]) {
    memcpy(out, "tfgpu-simulated", 15);
    out[15] = (unsigned char)gpu->physical;
    out[0] = (unsigned char)(0x50 + gpu->physical); /* so that a short prefix is already unique */
}

/* A UUID as CUDA_VISIBLE_DEVICES takes it: "GPU-" and 8-4-4-4-12 hexadecimal digits. */
void sim_uuid_text(const Gpu *gpu, char out[SIM_UUID_TEXT]) {
    unsigned char uuid[16];
    char *at = out + sprintf(out, "GPU-");
    sim_uuid(gpu, uuid);
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *at++ = '-';
        at += sprintf(at, "%02x", uuid[i]);
    }
}

/* The place of an entry of CUDA_VISIBLE_DEVICES in `order`, or -1 for an invalid one. */
static int entry(const char *text, const int *order) {
    if (!strncmp(text, "GPU-", 4)) {
        int found = -1;
        for (int i = 0; i < described_count; i++) {
            char uuid[SIM_UUID_TEXT];
            sim_uuid_text(&described[order[i]], uuid);
            if (strncmp(uuid, text, strlen(text))) continue;
            if (found >= 0) return -1;
            found = i;
        }
        return found;
    }
    char *end = NULL;
    long number = strtol(text, &end, 10);
    while (end && *end == ' ') end++;
    if (end == text || (end && *end) || number < 0 || number >= described_count) return -1;
    return (int)number;
}

static void choose(void) {
    int order[SIM_MAX_GPUS];
    for (int i = 0; i < described_count; i++) order[i] = i;
    const char *by = getenv("CUDA_DEVICE_ORDER");
    if (!by || strcmp(by, "PCI_BUS_ID")) { /* FASTEST_FIRST: a stable sort */
        for (int i = 1; i < described_count; i++)
            for (int j = i; j && speed(&described[order[j]]) > speed(&described[order[j - 1]]); j--) {
                int swap = order[j];
                order[j] = order[j - 1];
                order[j - 1] = swap;
            }
    }
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    if (!list) {
        memcpy(visible, order, sizeof order);
        visible_count = described_count;
        return;
    }
    char copy[4096], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", list);
    for (char *one = strtok_r(copy, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        while (*one == ' ') one++;
        int found = entry(one, order);
        if (found < 0) break; /* an invalid entry ends the list */
        for (int i = 0; i < visible_count; i++)
            if (visible[i] == order[found]) { /* a GPU named twice: CUDA shows none */
                visible_count = 0;
                return;
            }
        visible[visible_count++] = order[found];
    }
}

static void start(void) {
    sim_described_count();
    choose();
    sim_record_init(visible_count);
    for (int i = 0; i < visible_count; i++) {
        const Gpu *gpu = &described[visible[i]];
        sim_record("visible", gpu, gpu->total);
    }
    atomic_store(&started, true);
}

static void in_child(void) {
    if (atomic_exchange(&started, false)) atomic_store(&forked, true);
}

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/* CUDA does not survive a fork: the child of an initialised process gets an error. */
int sim_init(void) {
    if (atomic_load(&forked)) return SIM_NOT_INITIALIZED;
    pthread_once(&once, start);
    return visible_count ? SIM_OK : SIM_NO_DEVICE;
}

bool sim_started(void) { return atomic_load(&started); }

int sim_gpu_count(void) { return sim_started() ? visible_count : 0; }

Gpu *sim_gpu(int ordinal) {
    return ordinal >= 0 && ordinal < sim_gpu_count() ? &described[visible[ordinal]] : NULL;
}

int sim_threads(const Gpu *gpu) {
    if (gpu->major == 7 && gpu->minor == 5) return 1024;
    return (gpu->major == 8 && gpu->minor >= 6) || gpu->major >= 12 ? 1536 : 2048;
}

/* CUdevice_attribute (cudaDeviceAttr has the same numbers). */
int sim_attribute(const Gpu *gpu, int attribute) {
    unsigned domain = 0, bus = 0, slot = 0;
    sscanf(gpu->pci, "%x:%x:%x", &domain, &bus, &slot);
    bool ampere = gpu->major >= 8;
    switch (attribute) {
    case 1: return 1024;       /* threads per block */
    case 2: case 3: return 1024;
    case 4: return 64;
    case 5: return 2147483647; /* grid */
    case 6: case 7: return 65535;
    case 8: return 49152;      /* shared memory per block */
    case 9: return 65536;      /* constant memory */
    case 10: return 32;        /* warp */
    case 11: return 2147483647;
    case 12: return 65536;     /* registers per block */
    case 13: return gpu->clock_khz;
    case 14: return 512;
    case 15: return 1;
    case 16: return gpu->multiprocessors;
    case 19: return 1;
    case 31: return 1;         /* concurrent kernels */
    case 32: return 0;         /* ECC */
    case 33: return (int)bus;
    case 34: return (int)slot;
    case 36: return gpu->memory_clock_khz;
    case 37: return gpu->bus_width;
    case 38: return gpu->l2_bytes;
    case 39: return sim_threads(gpu);
    case 40: return 2;
    case 41: return 1;         /* unified addressing */
    case 50: return (int)domain;
    case 75: return gpu->major;
    case 76: return gpu->minor;
    case 78: return 1;
    case 81: return ampere ? 167936 : 98304;
    case 82: return 65536;
    case 83: return 1;         /* managed memory */
    case 89: return gpu->major >= 6;
    case 90: return gpu->major >= 6;
    case 95: return gpu->major >= 6;
    case 97: return ampere ? 166912 : gpu->major == 7 ? 65536 : 49152;
    case 99: return 1;
    case 102: return 1;        /* virtual memory management */
    case 103: return 1;
    case 106: return ampere ? 32 : 16;
    case 111: return ampere ? 1024 : 0;
    case 115: return 1;        /* memory pools */
    default: return 0;
    }
}
