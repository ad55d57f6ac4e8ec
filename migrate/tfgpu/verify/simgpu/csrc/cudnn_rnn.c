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

enum { RESERVE = 512 }; /* what training keeps */

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

static size_t weight_bytes(const Rnn *rnn) {
    int pseudo = rnn->layers * rnn->directions;
    return (matrices_before(rnn, pseudo, 0) + biases_before(rnn, pseudo, 0)) * type_size(rnn->type);
}

API int cudnnGetRNNWeightSpaceSize(const void *handle, const Rnn *rnn, size_t *size) {
    (void)handle;
    return *size = weight_bytes(rnn), 0;
}

/* Training has to keep something, or TensorFlow misses an output; how much a real card keeps is not
 * modelled. */
API int cudnnGetRNNTempSpaceSizes(const void *handle, const Rnn *rnn, int mode, const void *input,
                                  size_t *work, size_t *reserve) {
    (void)handle, (void)rnn, (void)input;
    if (work) *work = 0;
    if (reserve) *reserve = mode == 1 ? RESERVE : 0;
    return 0;
}

static void describe(Descriptor *tensor, int type, size_t rows, size_t cols) {
    int dims[3] = {1, (int)rows, (int)cols}, strides[3] = {(int)(rows * cols), (int)cols, 1};
    sim_set(tensor, 0, 1, &type, sizeof type);
    sim_set(tensor, 1, 3, dims, sizeof dims);
    sim_set(tensor, 2, 3, strides, sizeof strides);
}

static char *matrix_of(const Rnn *rnn, int pseudo, int matrix, char *space, Descriptor *out) {
    size_t cols = columns(rnn, pseudo, matrix);
    describe(out, rnn->type, (size_t)rnn->hidden, cols);
    size_t at = matrices_before(rnn, pseudo, matrix) * type_size(rnn->type);
    return cols ? (char *)((uintptr_t)space + at) : NULL;
}

static char *bias_of(const Rnn *rnn, int pseudo, int matrix, char *space, Descriptor *out) {
    bool biased = matrix < gates(rnn) * bias_sets(rnn);
    describe(out, rnn->type, biased ? (size_t)rnn->hidden : 0, 1);
    size_t all = matrices_before(rnn, rnn->layers * rnn->directions, 0);
    size_t at = (all + biases_before(rnn, pseudo, matrix)) * type_size(rnn->type);
    return biased ? (char *)((uintptr_t)space + at) : NULL;
}

API int cudnnGetRNNWeightParams(const void *handle, const Rnn *rnn, int pseudo, size_t size,
                                char *space, int matrix, Descriptor *weights, char **weights_at,
                                Descriptor *biases, char **biases_at) {
    (void)handle, (void)size;
    *weights_at = matrix_of(rnn, pseudo, matrix, space, weights);
    *biases_at = bias_of(rnn, pseudo, matrix, space, biases);
    return 0;
}

/* --- the same in the words of cuDNN 7, which TensorFlow speaks until 2.15 --- */

API int cudnnSetRNNDescriptor_v6(const void *handle, Rnn *rnn, int hidden, int layers,
                                 const void *dropout, int input_mode, int direction, int cell,
                                 int algorithm, int type) {
    (void)handle;
    return cudnnSetRNNDescriptor_v8(rnn, algorithm, cell, 2, direction, input_mode, type, type, 0, 0,
                                    hidden, hidden, layers, dropout, 0);
}

API int cudnnGetRNNDescriptor_v6(const void *handle, const Rnn *rnn, int *hidden, int *layers,
                                 const void **dropout, int *input_mode, int *direction, int *cell,
                                 int *algorithm, int *type) {
    (void)handle;
    return cudnnGetRNNDescriptor_v8(rnn, algorithm, cell, NULL, direction, input_mode, type, NULL,
                                    NULL, NULL, hidden, NULL, layers, dropout, NULL);
}

API int cudnnSetRNNProjectionLayers(const void *handle, Rnn *rnn, int projected, int output) {
    (void)handle, (void)output;
    return rnn->projected = projected, 0;
}

API int cudnnGetRNNProjectionLayers(const void *handle, const Rnn *rnn, int *projected,
                                    int *output) {
    (void)handle;
    *projected = rnn->projected < rnn->hidden ? rnn->projected : 0;
    return *output = 0, 0;
}

/* The width of the input is in the tensor's second dimension, unless the network knows it. */
static Rnn with_inputs(const Rnn *rnn, const Descriptor *input) {
    Rnn whole = *rnn;
    const Value *sizes = input ? sim_get(input, 1) : NULL;
    if (!whole.inputs && sizes && sizes->count > 1) whole.inputs = ((const int *)sizes->bytes)[1];
    return whole;
}

API int cudnnGetRNNParamsSize(const void *handle, const Rnn *rnn, const Descriptor *input,
                              size_t *size, int type) {
    Rnn whole = with_inputs(rnn, input);
    (void)handle, (void)type;
    return *size = weight_bytes(&whole), 0;
}

API int cudnnGetRNNLinLayerMatrixParams(const void *handle, const Rnn *rnn, int pseudo,
                                        const Descriptor *input, const void *filter, char *space,
                                        int matrix, Descriptor *out, char **at) {
    Rnn whole = with_inputs(rnn, input);
    (void)handle, (void)filter;
    return *at = matrix_of(&whole, pseudo, matrix, space, out), 0;
}

API int cudnnGetRNNLinLayerBiasParams(const void *handle, const Rnn *rnn, int pseudo,
                                      const Descriptor *input, const void *filter, char *space,
                                      int matrix, Descriptor *out, char **at) {
    Rnn whole = with_inputs(rnn, input);
    (void)handle, (void)filter;
    return *at = bias_of(&whole, pseudo, matrix, space, out), 0;
}

API int cudnnGetRNNWorkspaceSize(const void *handle, const Rnn *rnn, int steps, const void *inputs,
                                 size_t *size) {
    (void)handle, (void)rnn, (void)steps, (void)inputs;
    return *size = 0, 0;
}

API int cudnnGetRNNTrainingReserveSize(const void *handle, const Rnn *rnn, int steps,
                                       const void *inputs, size_t *size) {
    (void)handle, (void)rnn, (void)steps, (void)inputs;
    return *size = RESERVE, 0;
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

/* --- filters: a type and sizes --- */

API int cudnnCreateFilterDescriptor(Descriptor **out) { return (*out = sim_descriptor(0)) ? 0 : 2; }
API int cudnnDestroyFilterDescriptor(Descriptor *filter) { return sim_descriptor_free(filter), 0; }

API int cudnnGetFilterNdDescriptor(const Descriptor *filter, int wanted, int *type, int *format,
                                   int *count, int *dims) {
    const Value *types = sim_get(filter, 0), *sizes = sim_get(filter, 1);
    if (!types || !sizes) {
        sim_record_name("unmodelled", "cudnnGetFilterNdDescriptor (set in another way)");
        return 3000;
    }
    size_t room = wanted > 0 ? (size_t)wanted * sizeof *dims : 0;
    memcpy(type, types->bytes, sizeof *type);
    memcpy(dims, sizes->bytes, room < sizes->size ? room : sizes->size);
    return *format = 0, *count = (int)sizes->count, 0;
}
