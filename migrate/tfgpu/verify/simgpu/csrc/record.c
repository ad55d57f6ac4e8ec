/* The event log: one JSON object a line, appended to the file that TFGPU_SIM_LOG names.
 *
 * A line is one write() to a file opened with O_APPEND, so that threads and processes do not mix
 * theirs. GPUs are named by their place in TFGPU_SIM_GPUS and their bus id, which stay the same
 * whatever CUDA_VISIBLE_DEVICES says. */
#include "sim.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* High, out of the way of programs that close files from 3 on; see recorder/stream.py. */
enum { FIRST_NUMBER = 600 };

static int file = -1;
static struct stat opened; /* the program may close the file and open another in its place */
static pid_t initialised; /* the process that reached cuInit; a fork of it is another */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_log(void) {
    static const char *path;
    const char *given = sim_setting("TFGPU_SIM_LOG");
    if (!path && given) path = strdup(given);
    if (!path || !*path) return;
    file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || fstat(file, &opened) != 0) {
        fprintf(stderr, "simgpu: cannot open TFGPU_SIM_LOG=%s\n", path);
        abort(); /* a run without its record would look like a run without memory calls */
    }
    int high = fcntl(file, F_DUPFD_CLOEXEC, FIRST_NUMBER);
    if (high < 0) return; /* there are no such numbers */
    close(file);
    file = high;
}

static void reopen_when_closed(void) {
    struct stat now;
    bool there = fstat(file, &now) == 0;
    if (!there || now.st_ino != opened.st_ino || now.st_dev != opened.st_dev) open_log();
}

static void append(const char *line, int length) {
    pthread_once(&once, open_log);
    if (file < 0) return;
    reopen_when_closed();
    if (write(file, line, (size_t)length) != length) {
        fprintf(stderr, "simgpu: cannot write to TFGPU_SIM_LOG\n");
        abort();
    }
}

void sim_record(const char *operation, const Gpu *gpu, uint64_t bytes) {
    char line[256];
    int length = snprintf(line, sizeof line,
                          "{\"op\": \"%s\", \"gpu\": %d, \"pci\": \"%s\", \"bytes\": %llu, "
                          "\"pid\": %d}\n",
                          operation, gpu ? gpu->physical : -1, gpu ? gpu->pci : "",
                          (unsigned long long)bytes, (int)getpid());
    append(line, length);
}

/* Names of kernels that C++ made have no end, and no quotation marks: 1000 bytes tell them apart. */
void sim_record_name(const char *operation, const char *name) {
    char line[1200];
    int length = snprintf(line, sizeof line,
                          "{\"op\": \"%s\", \"name\": \"%.1000s\", \"pid\": %d}\n", operation,
                          name, (int)getpid());
    append(line, length);
}

void sim_record_launched(const Gpu *gpu, const char *name, uint64_t count, uint64_t sizes) {
    char line[1300];
    int length = snprintf(line, sizeof line,
                          "{\"op\": \"launched\", \"gpu\": %d, \"pci\": \"%s\", \"name\": \"%.1000s\", "
                          "\"count\": %llu, \"sizes\": %llu, \"pid\": %d}\n",
                          gpu ? gpu->physical : -1, gpu ? gpu->pci : "", name,
                          (unsigned long long)count, (unsigned long long)sizes, (int)getpid());
    append(line, length);
}

void sim_record_init(int visible) {
    char line[128];
    int length = snprintf(line, sizeof line, "{\"op\": \"init\", \"visible\": %d, \"pid\": %d}\n",
                          visible, (int)getpid());
    append(line, length);
    initialised = getpid();
}

/* A process that ends gives its memory back; one that is killed leaves no such line. */
__attribute__((destructor)) static void record_exit(void) {
    char line[64];
    if (initialised != getpid()) return;
    sim_record_launches();
    append(line, snprintf(line, sizeof line, "{\"op\": \"exit\", \"pid\": %d}\n", (int)initialised));
}
