/* The table of names that build.py writes. */
#ifndef TFGPU_STUB_H
#define TFGPU_STUB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    STUB_UNMODELLED, /* returns 0, and the log names it once */
    STUB_ACCEPT,     /* there is nothing to do */
    STUB_COMPUTE,    /* a calculation: skipped, and it spoils what its arguments point to */
    STUB_HANDLE,     /* writes a new handle through one argument */
    STUB_OUT32,      /* writes a number through one argument */
    STUB_OUT64,
    STUB_RETURN,     /* returns a number */
    STUB_TEXT,       /* returns a text */
} StubKind;

enum { STUB_ARGUMENTS = 20 };

typedef struct {
    const char *name;
    StubKind kind;
    int argument;
    int64_t value;
    atomic_bool seen;
} Stub;

long sim_stub(Stub *stub, const long *arguments);

/* Arguments that a caller did not pass are read from its frame: harmless, and meaningless. The
 * definition is weak, so that a function with code of its own goes first. */
#define STUB(NAME, KIND, ARGUMENT, VALUE)                                                          \
    __attribute__((weak, visibility("default"))) long NAME(                                       \
        long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k,   \
        long l, long m, long n, long o, long p, long q, long r, long s, long t) {                  \
        static Stub stub = {#NAME, KIND, ARGUMENT, VALUE, false};                                  \
        const long arguments[STUB_ARGUMENTS] = {a, b, c, d, e, f, g, h, i, j,                      \
                                                k, l, m, n, o, p, q, r, s, t};                     \
        return sim_stub(&stub, arguments);                                                         \
    }

#endif
