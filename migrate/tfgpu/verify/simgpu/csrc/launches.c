/* How often each GPU was given a kernel, or a calculation of a library, and of what sizes: which branch
 * of a graph ran, and how often a loop did, shows in nothing else. The log gets it when it is asked for,
 * and when the process ends. */
#include "sim.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int ordinal;
    char *name; /* a module may go before this is written */
    uint64_t count, sizes;
} Launches;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Launches *table; /* open addressing */
static size_t room, used;

static uint64_t hash(const void *bytes, size_t size, uint64_t from) {
    for (size_t i = 0; i < size; i++) from = (from ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return from;
}

static Launches *slot(int ordinal, const char *name) {
    size_t at = hash(name, strlen(name), 14695981039346656037u + (uint64_t)ordinal) & (room - 1);
    while (table[at].name && (table[at].ordinal != ordinal || strcmp(table[at].name, name)))
        at = (at + 1) & (room - 1);
    return &table[at];
}

static void grow(void) {
    Launches *old = table;
    size_t before = room;
    room = room ? 2 * room : 256;
    if (!(table = calloc(room, sizeof *table))) abort();
    for (size_t i = 0; i < before; i++)
        if (old[i].name) *slot(old[i].ordinal, old[i].name) = old[i];
    free(old);
}

void sim_count_launch(const char *name, const unsigned *sizes, size_t count) {
    uint64_t number = hash(sizes, count * sizeof *sizes, 14695981039346656037u);
    if (!sim_capture(name, number)) sim_count_work(name, number);
}

void sim_count_work(const char *name, uint64_t sizes) {
    pthread_mutex_lock(&lock);
    if (4 * used >= 3 * room) grow();
    int ordinal = sim_current();
    Launches *found = slot(ordinal, name);
    if (!found->name) {
        if (!(found->name = strdup(name))) abort();
        found->ordinal = ordinal;
        used++;
    }
    found->count++;
    /* A sum: threads may come in any order. */
    found->sizes += sizes;
    pthread_mutex_unlock(&lock);
}

/* Writes what was counted since the last time. */
API void sim_record_launches(void) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < room; i++) {
        Launches *one = &table[i];
        if (!one->name || !one->count) continue;
        sim_record_launched(sim_gpu(one->ordinal), one->name, one->count, one->sizes);
        one->count = one->sizes = 0;
    }
    pthread_mutex_unlock(&lock);
}

/* A fork has launched nothing; its parent's locks may be held. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
static void in_child(void) {
    for (size_t i = 0; i < room; i++) table[i].count = table[i].sizes = 0;
    after_fork();
}
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, in_child);
}
