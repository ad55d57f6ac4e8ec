/* libnvidia-ml: what monitoring programs ask of the GPUs. NVML shows all of them, in the order of
 * the PCI bus, whatever CUDA_VISIBLE_DEVICES says, and knows this process's memory only. Structures
 * are laid out as nvidia-ml-py declares them; functions that are not here say "not supported". */
#include "sim.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    DONE = 0,
    UNINITIALIZED = 1,
    INVALID_ARGUMENT = 2,
    NOT_SUPPORTED = 3,
    NOT_FOUND = 6,
    INSUFFICIENT_SIZE = 7,
    VERSION_MISMATCH = 25,
    MEMORY_V2 = 0x02000028,
    TEMPERATURE_V1 = 0x0100000C,
    IDLE_TEMPERATURE = 30,
    VENDOR = 0x10DE, /* NVIDIA; which device is not known */
};

static atomic_int users;

#define READY(condition)                                                                           \
    if (!users) return UNINITIALIZED;                                                              \
    if (!(condition)) return INVALID_ARGUMENT

static int give_text(char *out, unsigned room, const char *text) {
    if (strlen(text) >= room) return INSUFFICIENT_SIZE;
    return strcpy(out, text), DONE;
}

/* --- the library --- */

API int nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    return atomic_fetch_add(&users, 1), DONE;
}

API int nvmlInit(void) { return nvmlInitWithFlags(0); }
API int nvmlInit_v2(void) { return nvmlInitWithFlags(0); }

API int nvmlShutdown(void) {
    int before = users;
    while (before && !atomic_compare_exchange_weak(&users, &before, before - 1)) {
    }
    return before ? DONE : UNINITIALIZED;
}

API const char *nvmlErrorString(int error) {
    switch (error) {
    case DONE: return "Success";
    case UNINITIALIZED: return "Uninitialized";
    case INVALID_ARGUMENT: return "Invalid Argument";
    case NOT_SUPPORTED: return "Not Supported";
    case NOT_FOUND: return "Not Found";
    case INSUFFICIENT_SIZE: return "Insufficient Size";
    case VERSION_MISMATCH: return "Argument version mismatch";
    default: return "Unknown Error";
    }
}

API int nvmlSystemGetDriverVersion(char *text, unsigned room) {
    READY(text);
    return give_text(text, room, "570.00");
}

API int nvmlSystemGetNVMLVersion(char *text, unsigned room) {
    READY(text);
    return give_text(text, room, "12.570.00");
}

API int nvmlSystemGetCudaDriverVersion(int *version) {
    if (!version) return INVALID_ARGUMENT;
    return *version = SIM_DRIVER_VERSION, DONE;
}

API int nvmlSystemGetCudaDriverVersion_v2(int *version) {
    return nvmlSystemGetCudaDriverVersion(version);
}

/* --- finding a GPU: a handle is its description --- */

API int nvmlDeviceGetCount_v2(unsigned *count) {
    READY(count);
    return *count = (unsigned)sim_described_count(), DONE;
}

API int nvmlDeviceGetCount(unsigned *count) { return nvmlDeviceGetCount_v2(count); }

API int nvmlDeviceGetHandleByIndex_v2(unsigned index, const Gpu **out) {
    READY(out && index < (unsigned)sim_described_count());
    return *out = sim_described((int)index), DONE;
}

API int nvmlDeviceGetHandleByIndex(unsigned index, const Gpu **out) {
    return nvmlDeviceGetHandleByIndex_v2(index, out);
}

typedef struct {
    unsigned domain, bus, slot;
} Place;

static bool place_of(const char *text, Place *out) {
    return sscanf(text, "%x:%x:%x", &out->domain, &out->bus, &out->slot) == 3;
}

/* "0000:01:00.0" and "00000000:01:00.0" are the same place. */
API int nvmlDeviceGetHandleByPciBusId_v2(const char *text, const Gpu **out) {
    Place wanted, here;
    READY(text && out && place_of(text, &wanted));
    for (int i = 0; i < sim_described_count(); i++) {
        const Gpu *gpu = sim_described(i);
        if (place_of(gpu->pci, &here) && !memcmp(&here, &wanted, sizeof here))
            return *out = gpu, DONE;
    }
    return NOT_FOUND;
}

API int nvmlDeviceGetHandleByPciBusId(const char *text, const Gpu **out) {
    return nvmlDeviceGetHandleByPciBusId_v2(text, out);
}

API int nvmlDeviceGetHandleByUUID(const char *text, const Gpu **out) {
    READY(text && out);
    for (int i = 0; i < sim_described_count(); i++) {
        char uuid[SIM_UUID_TEXT];
        sim_uuid_text(sim_described(i), uuid);
        if (!strcmp(uuid, text)) return *out = sim_described(i), DONE;
    }
    return NOT_FOUND;
}

/* --- what a GPU is --- */

API int nvmlDeviceGetName(const Gpu *gpu, char *text, unsigned room) {
    READY(gpu && text);
    return give_text(text, room, gpu->name);
}

API int nvmlDeviceGetIndex(const Gpu *gpu, unsigned *index) {
    READY(gpu && index);
    return *index = (unsigned)gpu->physical, DONE;
}

API int nvmlDeviceGetMinorNumber(const Gpu *gpu, unsigned *minor) {
    return nvmlDeviceGetIndex(gpu, minor);
}

API int nvmlDeviceGetUUID(const Gpu *gpu, char *text, unsigned room) {
    char uuid[SIM_UUID_TEXT];
    READY(gpu && text);
    sim_uuid_text(gpu, uuid);
    return give_text(text, room, uuid);
}

API int nvmlDeviceGetCudaComputeCapability(const Gpu *gpu, int *major, int *minor) {
    READY(gpu && major && minor);
    return *major = gpu->major, *minor = gpu->minor, DONE;
}

typedef struct {
    char short_id[16];
    unsigned domain, bus, slot, device_id, subsystem_id;
    char id[32]; /* the first form ends before it, with 16 reserved bytes */
} Pci;

static int pci(const Gpu *gpu, Pci *out, size_t size) {
    Pci found = {.device_id = VENDOR};
    Place place = {0, 0, 0};
    READY(gpu && out && place_of(gpu->pci, &place));
    found.domain = place.domain, found.bus = place.bus, found.slot = place.slot;
    snprintf(found.short_id, sizeof found.short_id, "%04X:%02X:%02X.0", place.domain & 0xFFFF,
             place.bus & 0xFF, place.slot & 0xFF);
    snprintf(found.id, sizeof found.id, "%08X:%02X:%02X.0", place.domain, place.bus & 0xFF,
             place.slot & 0xFF);
    memset(out, 0, size);
    memcpy(out, &found, size == sizeof found ? size : offsetof(Pci, id));
    return DONE;
}

API int nvmlDeviceGetPciInfo(const Gpu *gpu, Pci *out) {
    return pci(gpu, out, offsetof(Pci, id));
}
API int nvmlDeviceGetPciInfo_v2(const Gpu *gpu, Pci *out) {
    return pci(gpu, out, offsetof(Pci, id) + 16);
}
API int nvmlDeviceGetPciInfo_v3(const Gpu *gpu, Pci *out) { return pci(gpu, out, sizeof *out); }

/* --- what it does --- */

typedef struct {
    unsigned long long total, free, used;
} MemoryInfo;
typedef struct {
    unsigned version;
    unsigned long long total, reserved, free, used;
} MemoryInfo2;

API int nvmlDeviceGetMemoryInfo(const Gpu *gpu, MemoryInfo *out) {
    uint64_t left, total;
    READY(gpu && out);
    sim_memory_info(gpu, &left, &total);
    return *out = (MemoryInfo){total, left, total - left}, DONE;
}

API int nvmlDeviceGetMemoryInfo_v2(const Gpu *gpu, MemoryInfo2 *out) {
    MemoryInfo info;
    READY(gpu && out);
    if (out->version != MEMORY_V2) return VERSION_MISMATCH;
    nvmlDeviceGetMemoryInfo(gpu, &info);
    return *out = (MemoryInfo2){MEMORY_V2, info.total, 0, info.free, info.used}, DONE;
}

typedef struct {
    unsigned pid;
    unsigned long long memory;
} Process;
typedef struct {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
} Process2;

/* This process, where it has a context; `count` is how many there is room for. */
static int processes(const Gpu *gpu, unsigned *count, void *out, size_t size) {
    READY(gpu && count);
    unsigned room = *count;
    *count = sim_has_context(gpu);
    if (!*count) return DONE;
    if (!room || !out) return INSUFFICIENT_SIZE;
    Process2 found = {(unsigned)getpid(), sim_used(gpu) + sim_context_size(gpu), ~0U, ~0U};
    return memcpy(out, &found, size), DONE;
}

API int nvmlDeviceGetComputeRunningProcesses(const Gpu *gpu, unsigned *count, void *out) {
    return processes(gpu, count, out, sizeof(Process));
}
API int nvmlDeviceGetComputeRunningProcesses_v2(const Gpu *gpu, unsigned *count, void *out) {
    return processes(gpu, count, out, sizeof(Process2));
}
API int nvmlDeviceGetComputeRunningProcesses_v3(const Gpu *gpu, unsigned *count, void *out) {
    return processes(gpu, count, out, sizeof(Process2));
}

typedef struct {
    unsigned gpu, memory;
} Utilization;

API int nvmlDeviceGetUtilizationRates(const Gpu *gpu, Utilization *out) {
    READY(gpu && out);
    return *out = (Utilization){0, 0}, DONE;
}

API int nvmlDeviceGetTemperature(const Gpu *gpu, int sensor, unsigned *degrees) {
    READY(gpu && degrees && !sensor);
    return *degrees = IDLE_TEMPERATURE, DONE;
}

typedef struct {
    unsigned version;
    int sensor, degrees;
} Temperature;

API int nvmlDeviceGetTemperatureV(const Gpu *gpu, Temperature *out) {
    READY(gpu && out && !out->sensor);
    if (out->version != TEMPERATURE_V1) return VERSION_MISMATCH;
    return out->degrees = IDLE_TEMPERATURE, DONE;
}
