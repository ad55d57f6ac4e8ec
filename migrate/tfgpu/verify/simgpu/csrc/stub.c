/* Names without code of their own. build.py writes the table: each name with its kind, and the
 * function itself, which hands its first arguments here. */
#define _GNU_SOURCE
#include "stub.h"

#include "sim.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A handle is the address of a byte in a range that nobody uses for anything else. */
void *sim_handle(void) {
    static _Atomic(uintptr_t) next = 0x100000;
    return (void *)atomic_fetch_add(&next, 64);
}

static void *self;

static void find_self(void) {
    Dl_info info;
    if (dladdr((void *)&sim_handle, &info)) self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

void *sim_symbol(const char *name) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_self);
    return self ? dlsym(self, name) : NULL;
}

/* An address above the first page and below the end of user space. */
static bool looks_like_pointer(const void *pointer) {
    return (uintptr_t)pointer >= 4096 && (uintptr_t)pointer < (uintptr_t)1 << 47;
}

/* The products of cuBLAS have the sizes of their matrices behind the handle and two modes. */
static void count_calculation(const char *name, const long *arguments) {
    const unsigned sizes[] = {(unsigned)arguments[3], (unsigned)arguments[4], (unsigned)arguments[5]};
    sim_count_launch(name, sizes, strstr(name, "emm") && !strncmp(name, "cublas", 6) ? 3 : 0);
}

long sim_stub(Stub *stub, const long *arguments) {
    void *out = (void *)arguments[stub->argument];
    if (!atomic_exchange(&stub->seen, true) && stub->kind == STUB_UNMODELLED)
        sim_record_name("unmodelled", stub->name);
    switch (stub->kind) {
    case STUB_HANDLE:
        if (looks_like_pointer(out)) *(void **)out = sim_handle();
        return 0;
    case STUB_OUT32:
        if (looks_like_pointer(out)) *(int32_t *)out = (int32_t)stub->value;
        return 0;
    case STUB_OUT64:
        if (looks_like_pointer(out)) *(int64_t *)out = stub->value;
        return 0;
    case STUB_COMPUTE: /* a calculation that is skipped, like a kernel */
        count_calculation(stub->name, arguments);
        for (int i = 0; i < STUB_ARGUMENTS; i++) sim_spoil_pointer((const void *)arguments[i]);
        return 0;
    case STUB_RETURN: return (long)stub->value;
    case STUB_TEXT: return (long)(intptr_t)"no text on a simulated GPU";
    case STUB_ACCEPT:
    case STUB_UNMODELLED: return 0;
    }
    return 0;
}
