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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

typedef struct {
    char *from, *to;
} Range;

struct Physical {
    Gpu *gpu;
    size_t size;
    int ordinal;
    int users; /* the handle, and each place where it is mapped */
};

typedef struct {
    char *from, *to;
    Physical *physical;
} Mapping;

/* Guards all that stands below, and what a Gpu says of this process's use. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Region *regions; /* sorted by base, never overlapping */
static size_t region_count, region_room;
static Range *known; /* sorted, never overlapping */
static size_t known_count, known_room;
static Mapping *mappings;
static size_t mapping_count, mapping_room;

static void *grown(void *array, size_t *room, size_t count, size_t item) {
    if (count < *room) return array;
    *room = *room ? *room * 2 : 256;
    array = realloc(array, *room * item);
    if (!array) abort();
    return array;
}

/* No thread is in the middle of a change while the process forks. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork);
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

static size_t pages(size_t size) { return (size + PAGE - 1) & ~(size_t)(PAGE - 1); }

/* The region whose pages hold an address; its last page may reach beyond its size. */
static Region *find_region(const void *pointer) {
    size_t after = region_after(pointer);
    if (!after) return NULL;
    Region *region = &regions[after - 1];
    return (const char *)pointer < region->base + pages(region->size) ? region : NULL;
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

static void forget(size_t first, size_t last) {
    if (first == last) return;
    memmove(known + first, known + last, (known_count - last) * sizeof *known);
    known_count -= last - first;
}

static void spoil(const char *from, const char *to) {
    size_t first = known_from(from), last = first;
    while (last < known_count && known[last].from < to) last++;
    forget(first, last);
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

/* Whether a range is nowhere, or reaches beyond the last address. */
static bool wraps(const void *from, size_t size) {
    return !from || (uintptr_t)from + size < (uintptr_t)from;
}

static bool within(const Region *region, const char *from, const char *to) {
    return from >= region->base && to <= region->base + region->size;
}

static bool mapped_in(const char *from, const char *to) {
    for (size_t i = 0; i < mapping_count; i++)
        if (mappings[i].from < to && from < mappings[i].to) return true;
    return false;
}

static bool on_gpu(const Region *region) { return region && region->kind != SIM_HOST; }

/* --- what is left of a GPU --- */

uint64_t sim_context_size(const Gpu *gpu) {
    return gpu->overhead + (gpu->grown ? gpu->growth : 0);
}

static uint64_t free_of(const Gpu *gpu) {
    uint64_t taken = gpu->used_by_others + gpu->used;
    if (gpu->context_users) taken += sim_context_size(gpu);
    return taken < gpu->total ? gpu->total - taken : 0;
}

static int take(Gpu *gpu, uint64_t size) {
    if (size > free_of(gpu)) return SIM_OUT_OF_MEMORY;
    gpu->used += size;
    return SIM_OK;
}

void sim_memory_info(const Gpu *gpu, uint64_t *free_bytes, uint64_t *total_bytes) {
    pthread_mutex_lock(&lock);
    *total_bytes = gpu->total;
    *free_bytes = free_of(gpu);
    pthread_mutex_unlock(&lock);
}

uint64_t sim_used(const Gpu *gpu) {
    pthread_mutex_lock(&lock);
    uint64_t used = gpu->used;
    pthread_mutex_unlock(&lock);
    return used;
}

bool sim_retain(int ordinal) {
    Gpu *gpu = sim_gpu(ordinal);
    if (!gpu) return false;
    pthread_mutex_lock(&lock);
    if (gpu->context_users++ == 0) sim_record("context", gpu, gpu->overhead);
    pthread_mutex_unlock(&lock);
    return true;
}

void sim_drop(int ordinal) {
    Gpu *gpu = sim_gpu(ordinal);
    if (!gpu) return;
    pthread_mutex_lock(&lock);
    if (gpu->context_users && --gpu->context_users == 0) {
        sim_record("context free", gpu, sim_context_size(gpu));
        gpu->grown = false;
    }
    pthread_mutex_unlock(&lock);
}

void sim_grow(int ordinal) {
    Gpu *gpu = sim_gpu(ordinal);
    if (!gpu) return;
    pthread_mutex_lock(&lock);
    if (gpu->context_users && !gpu->grown) {
        gpu->grown = true;
        if (gpu->growth) sim_record("context", gpu, gpu->growth);
    }
    pthread_mutex_unlock(&lock);
}

bool sim_has_context(const Gpu *gpu) {
    pthread_mutex_lock(&lock);
    bool has = gpu->context_users > 0;
    pthread_mutex_unlock(&lock);
    return has;
}

/* --- memory that is one region --- */

/* TensorFlow's allocator keeps 8 bytes of the host's memory for every 256 that it takes of a GPU.
 * TFGPU_SIM_HOST_BYTES is what there is for that: a process that needs more ends here, before it
 * takes the memory of the whole machine. */
static void keep_books(const Gpu *gpu, size_t size) {
    static uint64_t booked;
    const char *given = sim_setting("TFGPU_SIM_HOST_BYTES");
    booked += size;
    uint64_t needed = booked / 256 * 8;
    if (!given || needed <= strtoull(given, NULL, 10)) return;
    fprintf(stderr, "simgpu: the books about %llu bytes of GPUs need %llu of the host, which has %s\n",
            (unsigned long long)booked, (unsigned long long)needed, given);
    sim_record("host memory", gpu, needed);
    raise(SIGKILL);
}

static bool counted(Kind kind) { return kind == SIM_DEVICE || kind == SIM_ASYNC; }

int sim_allocate(void **out, size_t size, Kind kind, int ordinal, const char *operation) {
    if (!sim_started()) return SIM_NOT_INITIALIZED;
    Gpu *gpu = sim_gpu(ordinal);
    if (!out || !size || !gpu) return SIM_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    int error = pages(size) < size ? SIM_OUT_OF_MEMORY : counted(kind) ? take(gpu, size) : SIM_OK;
    if (!error) {
        int access = kind == SIM_RESERVED ? PROT_NONE : PROT_READ | PROT_WRITE;
        void *base =
            mmap(NULL, pages(size), access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) {
            fprintf(stderr, "simgpu: the host has no %zu bytes of address space\n", size);
            if (counted(kind)) gpu->used -= size;
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
    if (!error && kind == SIM_DEVICE) keep_books(gpu, size);
    pthread_mutex_unlock(&lock);
    return error;
}

int sim_release(void *pointer, unsigned kinds) {
    static const char *const operations[] = {
        [SIM_HOST] = "pinned free",   [SIM_DEVICE] = "free",          [SIM_MANAGED] = "managed free",
        [SIM_ASYNC] = "async free",   [SIM_RESERVED] = "reserve free",
    };
    if (!sim_started()) return SIM_NOT_INITIALIZED;
    if (!pointer) return SIM_OK;
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    bool right = region && region->base == pointer && kinds & 1U << region->kind &&
                 !mapped_in(region->base, region->base + region->size);
    if (right) {
        Region gone = *region;
        Gpu *gpu = sim_gpu(gone.ordinal);
        sim_record(operations[gone.kind], gone.kind == SIM_HOST ? NULL : gpu, gone.size);
        if (counted(gone.kind)) gpu->used -= gone.size;
        spoil(gone.base, gone.base + gone.size);
        drop_region(region);
        munmap(gone.base, pages(gone.size));
    }
    pthread_mutex_unlock(&lock);
    return right ? SIM_OK : SIM_INVALID_VALUE;
}

bool sim_region(const void *pointer, Region *out) {
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    if (region) *out = *region;
    pthread_mutex_unlock(&lock);
    return region != NULL;
}

/* --- memory that is mapped into a reserved range: the range stays one region of the GPU --- */

int sim_create(Physical **out, size_t size, int ordinal) {
    Gpu *gpu = sim_gpu(ordinal);
    if (!out || !size || !gpu) return SIM_INVALID_VALUE;
    Physical *made = calloc(1, sizeof *made);
    if (!made) return SIM_OUT_OF_MEMORY;
    *made = (Physical){gpu, size, ordinal, 1};
    pthread_mutex_lock(&lock);
    int error = take(gpu, size);
    sim_record(error ? "create failed" : "create", gpu, size);
    pthread_mutex_unlock(&lock);
    if (error) free(made);
    else *out = made;
    return error;
}

static void leave(Physical *physical) {
    if (--physical->users) return;
    physical->gpu->used -= physical->size;
    sim_record("release", physical->gpu, physical->size);
    free(physical);
}

int sim_destroy(Physical *physical) {
    if (!physical) return SIM_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    leave(physical);
    pthread_mutex_unlock(&lock);
    return SIM_OK;
}

int sim_map(void *pointer, size_t size, Physical *physical) {
    if (!physical || !size || wraps(pointer, size)) return SIM_INVALID_VALUE;
    char *from = pointer, *to = from + size;
    pthread_mutex_lock(&lock);
    Region *region = find_region(pointer);
    bool right = region && region->kind == SIM_RESERVED && within(region, from, to) &&
                 size <= physical->size && !mapped_in(from, to) &&
                 mprotect(pointer, size, PROT_READ | PROT_WRITE) == 0;
    if (right) {
        region->ordinal = physical->ordinal;
        mappings = grown(mappings, &mapping_room, mapping_count, sizeof *mappings);
        mappings[mapping_count++] = (Mapping){from, to, physical};
        physical->users++;
    }
    pthread_mutex_unlock(&lock);
    return right ? SIM_OK : SIM_INVALID_VALUE;
}

/* All mappings of the range go; none may reach out of it. */
int sim_unmap(void *pointer, size_t size) {
    if (wraps(pointer, size)) return SIM_INVALID_VALUE;
    char *from = pointer, *to = from + size;
    bool right = false;
    pthread_mutex_lock(&lock);
    for (size_t i = mapping_count; i-- > 0;) {
        Mapping *mapping = &mappings[i];
        if (mapping->from < from || mapping->to > to) continue;
        right = true;
        spoil(mapping->from, mapping->to);
        madvise(mapping->from, (size_t)(mapping->to - mapping->from), MADV_DONTNEED);
        mprotect(mapping->from, (size_t)(mapping->to - mapping->from), PROT_NONE);
        leave(mapping->physical);
        *mapping = mappings[--mapping_count];
    }
    pthread_mutex_unlock(&lock);
    return right ? SIM_OK : SIM_INVALID_VALUE;
}

/* --- copies and fills --- */

/* Whether a range may be touched: the host's memory is the caller's business, memory that we made
 * is not left at its end, and of a reserved range only mapped parts are there. */
static bool usable(const Region *region, const char *from, const char *to) {
    if (!region) return true;
    if (!within(region, from, to)) return false;
    if (region->kind != SIM_RESERVED) return true;
    for (bool found = true; found && from < to;) {
        found = false;
        for (size_t i = 0; i < mapping_count && !found; i++)
            if (mappings[i].from <= from && from < mappings[i].to)
                found = true, from = mappings[i].to;
    }
    return from >= to;
}

/* The bytes are moved without the lock, so that a big copy stops no other thread. Two threads that
 * use the same bytes at once race here as they would on a GPU. */
int sim_copy(void *to, const void *from, size_t size) {
    if (!size) return SIM_OK;
    if (wraps(to, size) || wraps(from, size)) return SIM_INVALID_VALUE;
    char *to_end = (char *)to + size;
    const char *from_end = (const char *)from + size;
    pthread_mutex_lock(&lock);
    const Region *target = find_region(to), *source = find_region(from);
    bool right = usable(target, to, to_end) && usable(source, from, from_end);
    bool to_gpu = on_gpu(target);
    bool real = !on_gpu(source) || is_known(from, from_end);
    if (right && to_gpu) spoil(to, to_end);
    pthread_mutex_unlock(&lock);
    if (!right) return SIM_INVALID_VALUE;
    if (real) memmove(to, from, size);
    else if (!to_gpu) memset(to, 0, size);
    if (to_gpu && real) {
        pthread_mutex_lock(&lock);
        know(to, to_end);
        pthread_mutex_unlock(&lock);
    }
    return SIM_OK;
}

bool sim_read_known(void *to, const void *from, size_t size) {
    if (wraps(from, size)) return false;
    pthread_mutex_lock(&lock);
    bool right = is_known(from, (const char *)from + size);
    if (right) memcpy(to, from, size);
    pthread_mutex_unlock(&lock);
    return right;
}

int sim_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                  size_t height) {
    if (!width) return SIM_OK;
    if (!to || !from || width > to_pitch || width > from_pitch) return SIM_INVALID_VALUE;
    for (size_t row = 0; row < height; row++) {
        int error = sim_copy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width);
        if (error) return error;
    }
    return SIM_OK;
}

/* Fills by doubling: the guard bytes around cuDNN's work space are 16 MiB for every algorithm. */
static void repeat(char *to, const void *pattern, size_t pattern_size, size_t size) {
    memcpy(to, pattern, pattern_size);
    for (size_t done = pattern_size; done < size;) {
        size_t next = done < size - done ? done : size - done;
        memcpy(to + done, to, next);
        done += next;
    }
}

int sim_fill(void *to, const void *pattern, size_t pattern_size, size_t count) {
    static const char zero[4];
    size_t size;
    if (!count) return SIM_OK;
    if (__builtin_mul_overflow(pattern_size, count, &size) || wraps(to, size))
        return SIM_INVALID_VALUE;
    char *end = (char *)to + size;
    pthread_mutex_lock(&lock);
    const Region *region = find_region(to);
    bool right = usable(region, to, end), gpu = on_gpu(region);
    if (right && gpu) spoil(to, end);
    pthread_mutex_unlock(&lock);
    if (!right) return SIM_INVALID_VALUE;
    /* Unknown memory reads as zeros, and zeros that nobody writes take no memory of the host. */
    if (gpu && !memcmp(pattern, zero, pattern_size)) return SIM_OK;
    repeat(to, pattern, pattern_size, size);
    if (gpu) {
        pthread_mutex_lock(&lock);
        know(to, end);
        pthread_mutex_unlock(&lock);
    }
    return SIM_OK;
}

/* --- skipped calculations --- */

void sim_spoil_pointer(const void *pointer) {
    pthread_mutex_lock(&lock);
    size_t at = known_from(pointer);
    if (at < known_count && known[at].from <= (const char *)pointer) forget(at, at + 1);
    pthread_mutex_unlock(&lock);
}

void sim_spoil_gpu(int ordinal) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < region_count; i++)
        if (on_gpu(&regions[i]) && regions[i].ordinal == ordinal)
            spoil(regions[i].base, regions[i].base + regions[i].size);
    pthread_mutex_unlock(&lock);
}
