/* libcudnn: where the weights of a recurrent network lie. TensorFlow compares the size with the
 * tensor that it holds and copies the parts one by one, so both have to be right.
 *
 * The layout is cuDNN's as documented for cudnnGetRNNWeightParams: for each layer and direction
 * ("pseudo layer") one matrix per gate for the input, one per gate for the state; biases behind all
 * matrices. The order within is ours: nobody reads the numbers. */
#include "attributes.h"
#include "sim.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    int cell, bias, directions, input_mode, type;
    int inputs, hidden, projected, layers;
    int algorithm, direction, precision, math;
    const void *dropout;
    unsigned flags;
} Rnn;

static size_t type_size(int type) { return type == 1 ? 8 : type == 2 || type == 9 ? 2 : 4; }

static int gates(const Rnn *rnn) { return rnn->cell == 2 ? 4 : rnn->cell == 3 ? 3 : 1; }

static int bias_sets(const Rnn *rnn) { return rnn->bias == 0 ? 0 : rnn->bias == 2 ? 2 : 1; }

/* Columns of one matrix of a pseudo layer; rows are always `hidden`. */
static size_t columns(const Rnn *rnn, int pseudo, int matrix) {
    int out = rnn->projected > 0 && rnn->projected < rnn->hidden ? rnn->projected : rnn->hidden;
    if (matrix >= gates(rnn)) return (size_t)out;
    if (pseudo / rnn->directions > 0) return (size_t)(out * rnn->directions);
    return (size_t)(rnn->input_mode == 1 ? 0 : rnn->inputs); /* 1: the input is not multiplied */
}

/* Elements before a matrix, or of all matrices for pseudo = layers * directions. */
static size_t matrices_before(const Rnn *rnn, int pseudo, int matrix) {
    size_t total = 0;
    for (int p = 0; p <= pseudo && p < rnn->layers * rnn->directions; p++)
        for (int m = 0; m < 2 * gates(rnn) && (p < pseudo || m < matrix); m++)
            total += (size_t)rnn->hidden * columns(rnn, p, m);
    return total;
}

static size_t biases_before(const Rnn *rnn, int pseudo, int matrix) {
    size_t each = (size_t)(gates(rnn) * bias_sets(rnn));
    return ((size_t)pseudo * each + (size_t)matrix) * (size_t)rnn->hidden;
}

API int cudnnCreateRNNDescriptor(Rnn **out) { return (*out = calloc(1, sizeof **out)) ? 0 : 2; }
API int cudnnDestroyRNNDescriptor(Rnn *rnn) { return free(rnn), 0; }

API int cudnnSetRNNDescriptor_v8(Rnn *rnn, int algorithm, int cell, int bias, int direction,
                                 int input_mode, int type, int precision, int math, int inputs,
                                 int hidden, int projected, int layers, const void *dropout,
                                 unsigned flags) {
    *rnn = (Rnn){cell, bias, direction == 1 ? 2 : 1, input_mode, type, inputs, hidden, projected,
                 layers, algorithm, direction, precision, math, dropout, flags};
    return 0;
}

API int cudnnGetRNNDescriptor_v8(const Rnn *rnn, int *algorithm, int *cell, int *bias,
                                 int *direction, int *input_mode, int *type, int *precision,
                                 int *math, int *inputs, int *hidden, int *projected, int *layers,
                                 const void **dropout, unsigned *flags) {
    int *const out[] = {algorithm, cell,   bias,   direction, input_mode, type,
                        precision, math,   inputs, hidden,    projected,  layers};
    const int in[] = {rnn->algorithm, rnn->cell, rnn->bias,   rnn->direction, rnn->input_mode,
                      rnn->type,      rnn->precision, rnn->math, rnn->inputs, rnn->hidden,
                      rnn->projected, rnn->layers};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (out[i]) *out[i] = in[i];
    if (dropout) *dropout = rnn->dropout;
    if (flags) *flags = rnn->flags;
    return 0;
}

API int cudnnGetRNNWeightSpaceSize(const void *handle, const Rnn *rnn, size_t *size) {
    (void)handle;
    int pseudo = rnn->layers * rnn->directions;
    *size = (matrices_before(rnn, pseudo, 0) + biases_before(rnn, pseudo, 0)) * type_size(rnn->type);
    return 0;
}

/* Training has to keep something, or TensorFlow misses an output; how much a real card keeps is not
 * modelled. */
API int cudnnGetRNNTempSpaceSizes(const void *handle, const Rnn *rnn, int mode, const void *input,
                                  size_t *work, size_t *reserve) {
    (void)handle, (void)rnn, (void)input;
    if (work) *work = 0;
    if (reserve) *reserve = mode == 1 ? 512 : 0;
    return 0;
}

static void describe(Descriptor *tensor, int type, size_t rows, size_t cols) {
    int dims[3] = {1, (int)rows, (int)cols}, strides[3] = {(int)(rows * cols), (int)cols, 1};
    sim_set(tensor, 0, 1, &type, sizeof type);
    sim_set(tensor, 1, 3, dims, sizeof dims);
    sim_set(tensor, 2, 3, strides, sizeof strides);
}

API int cudnnGetRNNWeightParams(const void *handle, const Rnn *rnn, int pseudo, size_t size,
                                char *space, int matrix, Descriptor *weights, void **weights_at,
                                Descriptor *biases, void **biases_at) {
    (void)handle, (void)size;
    size_t item = type_size(rnn->type), all = matrices_before(rnn, rnn->layers * rnn->directions, 0);
    size_t cols = columns(rnn, pseudo, matrix);
    bool biased = matrix < gates(rnn) * bias_sets(rnn);
    *weights_at = cols ? space + matrices_before(rnn, pseudo, matrix) * item : NULL;
    *biases_at = biased ? space + (all + biases_before(rnn, pseudo, matrix)) * item : NULL;
    describe(weights, rnn->type, (size_t)rnn->hidden, cols);
    describe(biases, rnn->type, biased ? (size_t)rnn->hidden : 0, 1);
    return 0;
}

/* --- tensor descriptors, as far as somebody asks for them again --- */

API int cudnnCreateTensorDescriptor(Descriptor **out) { return (*out = sim_descriptor(0)) ? 0 : 2; }
API int cudnnDestroyTensorDescriptor(Descriptor *tensor) { return sim_descriptor_free(tensor), 0; }

API int cudnnSetTensorNdDescriptor(Descriptor *tensor, int type, int count, const int *dims,
                                   const int *strides) {
    sim_set(tensor, 0, 1, &type, sizeof type);
    sim_set(tensor, 1, count, dims, (size_t)count * sizeof *dims);
    sim_set(tensor, 2, count, strides, (size_t)count * sizeof *strides);
    return 0;
}

API int cudnnGetTensorNdDescriptor(const Descriptor *tensor, int wanted, int *type, int *count,
                                   int *dims, int *strides) {
    const Value *types = sim_get(tensor, 0), *sizes = sim_get(tensor, 1);
    const Value *steps = sim_get(tensor, 2);
    if (!types || !sizes || !steps) {
        sim_record_name("unmodelled", "cudnnGetTensorNdDescriptor (set in another way)");
        return 3000;
    }
    size_t room = wanted > 0 ? (size_t)wanted * sizeof *dims : 0;
    size_t given = room < sizes->size ? room : sizes->size;
    memcpy(type, types->bytes, sizeof *type);
    memcpy(dims, sizes->bytes, given);
    memcpy(strides, steps->bytes, given);
    return *count = (int)sizes->count, 0;
}
