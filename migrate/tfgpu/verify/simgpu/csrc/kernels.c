/* Kernels and their parameters: which of them point to device memory.
 *
 * A launch hands over an array of addresses of arguments, without number or sizes. Those stand in
 * the kernel's object code: a fat binary holds ELF files (compressed with LZ4, mostly), and an ELF
 * file has for each kernel a section .nv.info.NAME with an entry for each parameter. The formats
 * are not documented by NVIDIA; what is read here is what the tools that take fat binaries apart
 * have found. Kernels that TensorFlow compiles as it runs come as PTX, a text that names the parameters:
 * given to the driver, or kept by the stand-in for ptxas behind an empty ELF header. Whatever cannot
 * be read makes a kernel opaque: it spoils all that its GPU holds. */
#include "kernels.h"

#include "sim.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 256, FAT_MAGIC = (int)0xBA55ED50, FAT_WRAPPER = 0x466243b1, LZ4_FLAG = 0x2000,
       ELF_HEADER = 64 };

typedef struct {
    const void *image;
    const unsigned char *elf; /* NULL: none found, or not looked for yet */
    size_t size;
    bool parsed, unpacked;
    const char *ptx; /* NULL: none */
} Module;

struct Kernel {
    Module *module;
    const char *name;
    int count; /* of parameters; -1: opaque, -2: not looked at yet */
    uint16_t *sizes;
    ShapeKernel shape;
    uint64_t read_only; /* parameters through which nothing is written, as bits: see names.c */
};

typedef struct {
    uint32_t magic;
    uint16_t version, header;
    uint64_t size; /* of all entries */
} FatHeader;

typedef struct {
    uint16_t kind, version; /* kind 1: PTX, 2: ELF */
    uint32_t header;
    uint64_t size;
    uint32_t compressed, unknown;
    uint16_t minor, major;
    uint32_t arch, name_at, name_size;
    uint64_t flags, zero, decompressed;
} FatEntry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    const void *function;
    Kernel *kernel;
} *table; /* open addressing */
static size_t table_size, table_used;

static void before_fork(void) { pthread_mutex_lock(&lock); }
static void after_fork(void) { pthread_mutex_unlock(&lock); }
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* --- reading object code --- */

/* LZ4's block format; the number of bytes written, 0 when the data is damaged. */
static size_t unpack(const unsigned char *in, size_t in_size, unsigned char *out, size_t room) {
    const unsigned char *end = in + in_size;
    size_t at = 0;
    while (in < end) {
        unsigned token = *in++, byte;
        size_t literals = token >> 4, match = token & 15;
        if (literals == 15)
            do {
                if (in >= end) return 0;
                literals += byte = *in++;
            } while (byte == 255);
        if (literals > (size_t)(end - in) || literals > room - at) return 0;
        memcpy(out + at, in, literals);
        at += literals, in += literals;
        if (in >= end) break;
        if (end - in < 2) return 0;
        size_t back = in[0] | (size_t)in[1] << 8;
        in += 2;
        if (match == 15)
            do {
                if (in >= end) return 0;
                match += byte = *in++;
            } while (byte == 255);
        match += 4;
        if (!back || back > at || match > room - at) return 0;
        for (; match; match--, at++) out[at] = out[at - back];
    }
    return at;
}

static bool is_elf(const void *data) { return !memcmp(data, "\x7f" "ELF\x02", 5); }

/* How far a raw ELF file reaches: to the end of its section table or of its last section; 0 for one
 * without sections, which the stand-in for ptxas makes. */
static size_t extent(const unsigned char *elf) {
    uint64_t table_at, end;
    uint16_t entry_size, count;
    memcpy(&table_at, elf + 40, 8);
    memcpy(&entry_size, elf + 58, 2);
    memcpy(&count, elf + 60, 2);
    if (!table_at || !count) return 0;
    end = table_at + (uint64_t)entry_size * count;
    for (uint16_t i = 0; i < count; i++) {
        uint64_t place[2]; /* offset, size */
        uint32_t type;
        memcpy(&type, elf + table_at + (uint64_t)entry_size * i + 4, sizeof type);
        memcpy(place, elf + table_at + (uint64_t)entry_size * i + 24, sizeof place);
        if (type != 8 && place[0] + place[1] > end) end = place[0] + place[1];
    }
    return end;
}

static void find_elf(Module *module) {
    const unsigned char *image = module->image;
    module->parsed = true;
    if (!image) return;
    if (is_elf(image)) {
        module->size = extent(image);
        if (module->size) module->elf = image;
        else module->ptx = (const char *)image + ELF_HEADER;
        return;
    }
    if (*image == '.' || *image == '/' || *image == '\n') {
        module->ptx = (const char *)image;
        return;
    }
    FatHeader header;
    memcpy(&header, image, sizeof header);
    if (header.magic != (uint32_t)FAT_MAGIC) return;
    const unsigned char *at = image + header.header;
    uint64_t left = header.size;
    while (left >= sizeof(FatEntry)) {
        FatEntry entry;
        memcpy(&entry, at, sizeof entry);
        if (entry.header < sizeof entry || entry.header > left) return;
        if (entry.size > left - entry.header) return;
        const unsigned char *payload = at + entry.header;
        if (entry.kind == 2 && entry.flags & LZ4_FLAG) {
            bool sound = entry.compressed <= entry.size && entry.decompressed < (1U << 30);
            unsigned char *room = sound ? malloc(entry.decompressed) : NULL;
            size_t got = room ? unpack(payload, entry.compressed, room, entry.decompressed) : 0;
            if (got > 64 && is_elf(room)) {
                module->elf = room, module->size = got, module->unpacked = true;
                return;
            }
            free(room);
        } else if (entry.kind == 2 && entry.size > 64 && is_elf(payload)) {
            module->elf = payload, module->size = entry.size;
            return;
        }
        at = payload + entry.size;
        left -= entry.header + entry.size;
    }
}

typedef struct { /* Elf64_Shdr */
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t align, entry;
} Section;

static bool section(const Module *module, size_t index, Section *out) {
    uint64_t table_at;
    uint16_t entry_size;
    memcpy(&table_at, module->elf + 40, 8);
    memcpy(&entry_size, module->elf + 58, 2);
    size_t before = index * entry_size;
    if (table_at > module->size || before + sizeof *out > module->size - table_at) return false;
    memcpy(out, module->elf + table_at + before, sizeof *out);
    if (out->type == 8) out->offset = out->size = 0; /* no bytes in the file */
    return out->offset <= module->size && out->size <= module->size - out->offset;
}

/* Reads the entries "kernel parameter" of one .nv.info section. */
static void read_parameters(Kernel *kernel, const unsigned char *at, const unsigned char *end) {
    uint16_t sizes[PARAMETERS] = {0};
    int count = 0;
    while (end - at >= 4) {
        unsigned format = at[0], attribute = at[1], size = at[2] | (unsigned)at[3] << 8;
        at += 4;
        if (format != 4) continue; /* the value is in these four bytes */
        if (size > (size_t)(end - at)) return;
        if (attribute == 0x17 && size == 12) {
            unsigned ordinal = at[4] | (unsigned)at[5] << 8;
            uint32_t packed;
            memcpy(&packed, at + 8, 4);
            if (ordinal >= PARAMETERS) return;
            sizes[ordinal] = (uint16_t)(packed >> 18);
            if ((int)ordinal >= count) count = (int)ordinal + 1;
        }
        at += size;
    }
    kernel->sizes = malloc(sizeof *sizes * (size_t)(count ? count : 1));
    if (!kernel->sizes) return;
    memcpy(kernel->sizes, sizes, sizeof *sizes * (size_t)count);
    kernel->count = count;
}

/* Reads `.entry NAME(.param .u64 a, .param .align 8 .b8 b[72])` in a PTX text. */
static void read_ptx(Kernel *kernel, const char *text) {
    size_t length = strlen(kernel->name);
    for (const char *at = strstr(text, ".entry"); at; at = strstr(at + 6, ".entry")) {
        const char *name = at + 6 + strspn(at + 6, " \t\n");
        const char *open = name + strcspn(name, "(){");
        if (strncmp(name, kernel->name, length) || strspn(name + length, " \t\n(") == 0) continue;
        const char *close = *open == '(' ? strchr(open, ')') : open;
        uint16_t sizes[PARAMETERS];
        int count = 0;
        for (const char *param = strstr(open, ".param"); param && param < close;
             param = strstr(param + 6, ".param")) {
            const char *end = param + strcspn(param, ",)");
            const char *bits = param + 6, *bracket = memchr(param, '[', (size_t)(end - param));
            int width = 0;
            if (count == PARAMETERS) return;
            while ((bits = strchr(bits, '.')) && bits < end) /* the last type with a width */
                if (strchr("bufs", bits[1]) && sscanf(bits + 2, "%d", &width) == 1) break;
                else bits++;
            if (!width) return;
            sizes[count++] = (uint16_t)(width / 8 * (bracket ? atoi(bracket + 1) : 1));
        }
        kernel->sizes = malloc(sizeof sizes);
        if (!kernel->sizes) return;
        memcpy(kernel->sizes, sizes, sizeof sizes);
        kernel->count = count;
        return;
    }
}

static void look_at(Kernel *kernel) {
    static const char stem[] = ".nv.info.";
    Module *module = kernel->module;
    kernel->count = -1;
    if (module && !module->parsed) find_elf(module);
    Section names, one;
    uint16_t count, names_index;
    if (module && module->ptx) read_ptx(kernel, module->ptx);
    if (!module || !module->elf) goto opaque;
    memcpy(&count, module->elf + 60, 2);
    memcpy(&names_index, module->elf + 62, 2);
    if (!section(module, names_index, &names) || !names.size) goto opaque;
    if (module->elf[names.offset + names.size - 1]) goto opaque; /* the last name has no end */
    for (size_t i = 0; i < count; i++) {
        if (!section(module, i, &one) || one.name >= names.size) continue;
        const char *name = (const char *)module->elf + names.offset + one.name;
        if (strncmp(name, stem, sizeof stem - 1) || strcmp(name + sizeof stem - 1, kernel->name))
            continue;
        read_parameters(kernel, module->elf + one.offset, module->elf + one.offset + one.size);
        break;
    }
opaque:
    if (kernel->count > 0) {
        kernel->read_only = sim_read_only(kernel->name, kernel->count, kernel->sizes);
        kernel->shape = sim_shape_kernel(kernel->name, kernel->count, kernel->sizes);
    }
    if (kernel->count < 0) sim_record_name("opaque kernel", kernel->name ? kernel->name : "?");
}

/* --- modules and functions --- */

void *sim_module(const void *image) {
    Module *module = calloc(1, sizeof *module);
    if (!module) abort();
    struct {
        uint32_t magic, version;
        const void *data;
    } wrapper;
    if (image) {
        memcpy(&wrapper, image, 4);
        if (wrapper.magic == FAT_WRAPPER) {
            memcpy(&wrapper, image, sizeof wrapper);
            image = wrapper.data;
        }
    }
    module->image = image;
    return module;
}

void *sim_module_copy(const void *image) {
    Module *module = sim_module(image);
    find_elf(module);
    if (module->elf && !module->unpacked) {
        unsigned char *copy = malloc(module->size);
        if (!copy) abort();
        module->elf = memcpy(copy, module->elf, module->size);
    }
    if (module->ptx && !(module->ptx = strdup(module->ptx))) abort();
    module->image = NULL;
    return module;
}

static size_t slot(const void *function) {
    size_t at = ((uintptr_t)function >> 4) * 0x9E3779B97F4A7C15U >> 20;
    while (table[at & (table_size - 1)].function &&
           table[at & (table_size - 1)].function != function)
        at++;
    return at & (table_size - 1);
}

void sim_function_add(const void *function, void *module, const char *name) {
    pthread_mutex_lock(&lock);
    if (2 * (table_used + 1) > table_size) {
        size_t old_size = table_size;
        void *old = table;
        table_size = table_size ? 2 * table_size : 1 << 12;
        table = calloc(table_size, sizeof *table);
        if (!table) abort();
        for (size_t i = 0; i < old_size; i++) {
            const char *from = (const char *)old + i * sizeof *table;
            const void *moved;
            memcpy(&moved, from, sizeof moved);
            if (moved) memcpy(&table[slot(moved)], from, sizeof *table);
        }
        free(old);
    }
    size_t at = slot(function);
    if (!table[at].function) {
        Kernel *kernel = malloc(sizeof *kernel);
        if (!kernel) abort();
        *kernel = (Kernel){module, name, -2, NULL, SHAPE_NONE, 0};
        table[at].function = function, table[at].kernel = kernel;
        table_used++;
    }
    pthread_mutex_unlock(&lock);
}

/* A launch of a function that nobody made known: named once. */
static void record_unknown(void) {
    static atomic_bool seen;
    if (!atomic_exchange(&seen, true)) sim_record_name("opaque kernel", "(never registered)");
}

void sim_launch(const void *function, const unsigned size[6], void **arguments) {
    Kernel *kernel = NULL;
    pthread_mutex_lock(&lock);
    if (table_size) kernel = table[slot(function)].kernel;
    if (kernel && kernel->count == -2) look_at(kernel);
    pthread_mutex_unlock(&lock);
    if (!kernel) record_unknown();
    sim_count_launch(kernel ? kernel->name : "unknown kernel", size, size ? 6 : 0);
    if (!kernel || kernel->count < 0 || (kernel->count && !arguments)) {
        sim_spoil_gpu(sim_current());
        return;
    }
    if (sim_shape(kernel->shape, arguments)) return;
    for (int i = 0; i < kernel->count; i++) {
        if (i < 64 && kernel->read_only >> i & 1) continue;
        for (size_t at = 0; at + sizeof(void *) <= kernel->sizes[i]; at += sizeof(void *)) {
            const void *word;
            memcpy(&word, (const char *)arguments[i] + at, sizeof word);
            sim_spoil_pointer(word);
        }
    }
}
