/* What the driver is told by variables of the environment: the GPUs, the file of its log, the memory
 * of the host. A program may clear its environment before it comes to a GPU, and a real driver needs
 * none of these. So what starts a program calls sim_keep_settings, and they stay what they were then;
 * without that, each is read when it is needed. CUDA's own variables are never kept. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"TFGPU_SIM_GPUS", "TFGPU_SIM_LOG", "TFGPU_SIM_HOST_BYTES"};
enum { COUNT = sizeof names / sizeof *names };
static char *kept[COUNT];
static bool keeps;

/* Called before a program begins; once more in a fork that begins another one. */
API void sim_keep_settings(void) {
    for (int i = 0; i < COUNT; i++) {
        const char *given = getenv(names[i]);
        free(kept[i]);
        kept[i] = given ? strdup(given) : NULL;
        if (given && !kept[i]) abort();
    }
    keeps = true;
}

const char *sim_setting(const char *name) {
    for (int i = 0; keeps && i < COUNT; i++)
        if (!strcmp(names[i], name)) return kept[i];
    return getenv(name);
}
