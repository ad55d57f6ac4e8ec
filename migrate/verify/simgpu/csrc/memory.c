/* Device memory is host memory that no page backs before it is written (MAP_NORESERVE).
 *
 * What a read-back gives. Kernels are skipped, so only what the host wrote is known. The ranges
 * that the host wrote are kept; a copy inside the device carries them along. A skipped kernel
 * spoils every such range into which one of its arguments points, and all of its GPU where the
 * arguments cannot be told. A copy to the host gives the real bytes if known ranges cover all of
 * it, and zeros otherwise. So a number read back is either what the host wrote or 0. */
#define _GNU_SOURCE
#include "sim.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
    char *from, *to;
} Range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Region *regions; /* sorted by base, never overlapping */
static size_t region_count, region_room;
static Range *known; /* sorted, never overlapping */
static size_t known_count, known_room;

static void *grown(void *array, size_t *room, size_t count, size_t item) {
    if (count < *room) return array;
    *room = *room ? *room * 2 : 256;
    array = realloc(array, *room * item);
    if (!array) abort();
    return array;
}

/* The number of regions that begin at or before an address. */
static size_t region_after(const void *pointer) {
    size_t low = 0, high = region_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if ((const char *)pointer < regions[middle].base) high = middle;
        else low = middle + 1;
    }
    return low;
}

static Region *find_region(const void *pointer) {
    size_t after = region_after(pointer);
    if (!after) return NULL;
    Region *region = &regions[after - 1];
    return (const char *)pointer < region->base + region->size ? region : NULL;
}

static void add_region(Region region) {
    size_t at = region_after(region.base);
    regions = grown(regions, &region_room, region_count, sizeof *regions);
    memmove(regions + at + 1, regions + at, (region_count - at) * sizeof *regions);
    regions[at] = region;
    region_count++;
}

static void drop_region(const Region *region) {
    size_t at = (size_t)(region - regions);
    memmove(regions + at, regions + at + 1, (region_count - at - 1) * sizeof *regions);
    region_count--;
}

/* The first known range that ends behind an address. */
static size_t known_from(const char *pointer) {
    size_t low = 0, high = known_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (known[middle].to <= pointer) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void spoil(const char *from, const char *to) {
    size_t first = known_from(from), last = first;
    while (last < known_count && known[last].from < to) last++;
    memmove(known + first, known + last, (known_count - last) * sizeof *known);
    known_count -= last - first;
}

static void know(char *from, char *to) {
    if (from == to) return;
    spoil(from, to);
    size_t at = known_from(from);
    known = grown(known, &known_room, known_count, sizeof *known);
    memmove(known + at + 1, known + at, (known_count - at) * sizeof *known);
    known[at] = (Range){from, to};
    known_count++;
}

static bool is_known(const char *from, const char *to) {
    for (size_t at = known_from(from); at < known_count && known[at].from <= from; at++) {
        if (known[at].to >= to) return true;
        from = known[at].to;
    }
    return false;
}

static bool on_gpu(const Region *region) { return region && region->kind != SIM_HOST; }

int sim_take(int ordinal, uint64_t size) {
    uint64_t free_bytes, total;
    sim_memory_info(ordinal, &free_bytes, &total);
    if (size > free_bytes) return SIM_OUT_OF_MEMORY;
    sim_gpu(ordinal)->used += size;
    return SIM_OK;
}

void sim_give(int ordinal, uint64_t size) { sim_gpu(ordinal)->used -= size; }

void sim_memory_info(int ordinal, uint64_t *free_bytes, uint64_t *total_bytes) {
    const Gpu *gpu = sim_gpu(ordinal);
    uint64_t taken = gpu->used_by_others + gpu->used + (gpu->context_users ? gpu->overhead : 0);
    *total_bytes = gpu->total;
    *free_bytes = taken < gpu->total ? gpu->total - taken : 0;
}

int sim_allocate(void **out, size_t size, Kind kind, int ordinal, const char *operation) {
    Gpu *gpu = sim_gpu(ordinal);
    if (!size || (kind != SIM_HOST && !gpu)) return SIM_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    bool counted = kind == SIM_DEVICE || kind == SIM_ASYNC;
    int error = counted ? sim_take(ordinal, size) : SIM_OK;
    if (!error) {
        int access = kind == SIM_RESERVED ? PROT_NONE : PROT_READ | PROT_WRITE;
        void *base = mmap(NULL, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) {
            fprintf(stderr, "simgpu: the host has no %zu bytes of address space\n", size);
            if (counted) sim_give(ordinal, size);
            error = SIM_OUT_OF_MEMORY;
        } else {
            add_region((Region){base, size, kind, ordinal});
            *out = base;
        }
    }
    if (operation) {
        char failed[64];
        snprintf(failed, sizeof failed, "%s failed", operation);
        sim_record(error ? failed : operation, kind == SIM_HOST ? NULL : gpu, size);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int sim_release(void *pointer, const char *operation) {
    if (!pointer) return SIM_OK;
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    int error = region && region->base == pointer ? SIM_OK : SIM_INVALID_VALUE;
    if (!error) {
        Region gone = *region;
        if (operation)
            sim_record(operation, gone.kind == SIM_HOST ? NULL : sim_gpu(gone.ordinal), gone.size);
        if (gone.kind == SIM_DEVICE || gone.kind == SIM_ASYNC) sim_give(gone.ordinal, gone.size);
        spoil(gone.base, gone.base + gone.size);
        drop_region(region);
        munmap(gone.base, gone.size);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

bool sim_region(const void *pointer, Region *out) {
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    if (region) *out = *region;
    pthread_mutex_unlock(&lock);
    return region != NULL;
}

/* Mapped parts of a reserved range: the range itself stays one region of the GPU. */
int sim_map(void *pointer, size_t size, int ordinal) {
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    int error = region && mprotect(pointer, size, PROT_READ | PROT_WRITE) == 0 ? SIM_OK
                                                                               : SIM_INVALID_VALUE;
    if (!error) region->ordinal = ordinal;
    pthread_mutex_unlock(&lock);
    return error;
}

int sim_unmap(void *pointer, size_t size) {
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    int error = region ? SIM_OK : SIM_INVALID_VALUE;
    if (!error) {
        spoil(pointer, (char *)pointer + size);
        madvise(pointer, size, MADV_DONTNEED);
        mprotect(pointer, size, PROT_NONE);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

void sim_copy(void *to, const void *from, size_t size) {
    if (!size) return;
    pthread_mutex_lock(&lock);
    bool to_gpu = on_gpu(find_region(to)), from_gpu = on_gpu(find_region(from));
    bool real = !from_gpu || is_known(from, (const char *)from + size);
    if (real) memmove(to, from, size);
    if (!to_gpu && !real) memset(to, 0, size);
    if (to_gpu && real) know(to, (char *)to + size);
    if (to_gpu && !real) spoil(to, (char *)to + size);
    pthread_mutex_unlock(&lock);
}

bool sim_read(void *to, const void *from, size_t size) {
    pthread_mutex_lock(&lock);
    bool real = on_gpu(find_region(from)) && is_known(from, (const char *)from + size);
    if (real) memcpy(to, from, size);
    pthread_mutex_unlock(&lock);
    return real;
}

/* Fills by doubling: the guard bytes around cuDNN's work space are 16 MiB for every algorithm. */
static void repeat(char *to, const void *pattern, size_t pattern_size, size_t size) {
    memcpy(to, pattern, size ? pattern_size : 0);
    for (size_t done = pattern_size; done < size;) {
        size_t next = done < size - done ? done : size - done;
        memcpy(to + done, to, next);
        done += next;
    }
}

void sim_fill(void *to, const void *pattern, size_t pattern_size, size_t count) {
    static const char zero[4];
    size_t size = pattern_size * count;
    pthread_mutex_lock(&lock);
    if (on_gpu(find_region(to)) && !memcmp(pattern, zero, pattern_size)) {
        spoil(to, (char *)to + size); /* reads as zeros, and takes no memory of the host */
    } else {
        repeat(to, pattern, pattern_size, size);
        if (on_gpu(find_region(to))) know(to, (char *)to + size);
    }
    pthread_mutex_unlock(&lock);
}

void sim_spoil_pointer(const void *pointer) {
    pthread_mutex_lock(&lock);
    spoil(pointer, (const char *)pointer + 1);
    pthread_mutex_unlock(&lock);
}

void sim_spoil_gpu(int ordinal) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < region_count; i++)
        if (on_gpu(&regions[i]) && regions[i].ordinal == ordinal)
            spoil(regions[i].base, regions[i].base + regions[i].size);
    pthread_mutex_unlock(&lock);
}
