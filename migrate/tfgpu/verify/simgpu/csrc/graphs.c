/* CUDA graphs: the kernels and calculations in one are work that a GPU is given when it is launched,
 * each time, and not when they are captured: how often XLA captures them anew is left to chance. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL = 0, CHILD = 4, CONDITIONAL = 13 }; /* CUgraphNodeType */

typedef struct Graph Graph;

typedef struct Node {
    struct Node *next;
    const void *original; /* the node that this is a copy of, in what is launched */
    char *name;           /* work that was captured, with a number for its sizes */
    uint64_t sizes;
    Graph **inner; /* of other nodes: one graph, or one for each branch */
    size_t count;
} Node;

struct Graph {
    Node *first, *last;
};

/* CUDA_KERNEL_NODE_PARAMS, and that of an older or newer CUDA: what comes behind is not read. */
typedef struct {
    const void *function;
    unsigned size[6], shared;
    void **arguments;
} KernelNode;

/* CUgraphNodeParams */
typedef struct {
    int type, reserved[3];
    union {
        KernelNode kernel;
        const Graph *child;
        struct {
            uint64_t handle;
            int type;
            unsigned count;
            Graph **graphs; /* is written */
        } conditional;
    };
} NodeParameters;

static _Thread_local Graph *captured; /* what this thread does goes there */

static void *made(size_t size) {
    void *found = calloc(1, size);
    if (!found) abort();
    return found;
}

static Node *node_of(Graph *graph, size_t count) {
    Node *node = made(sizeof *node);
    if (graph->last) graph->last->next = node;
    else graph->first = node;
    graph->last = node;
    node->inner = made((count + 1) * sizeof *node->inner);
    node->count = count;
    for (size_t i = 0; i < count; i++) node->inner[i] = made(sizeof(Graph));
    return node;
}

static void drop(Graph *graph) {
    if (!graph) return;
    for (Node *node = graph->first, *next; node; node = next) {
        next = node->next;
        for (size_t i = 0; i < node->count; i++) drop(node->inner[i]);
        free(node->inner), free(node->name), free(node);
    }
    free(graph);
}

static Graph *copy(const Graph *graph) {
    Graph *found = made(sizeof *found);
    for (const Node *node = graph ? graph->first : NULL; node; node = node->next) {
        Node *same = node_of(found, 0);
        free(same->inner);
        same->inner = made((node->count + 1) * sizeof *same->inner);
        same->original = node, same->sizes = node->sizes, same->count = node->count;
        if (node->name && !(same->name = strdup(node->name))) abort();
        for (size_t i = 0; i < node->count; i++) same->inner[i] = copy(node->inner[i]);
    }
    return found;
}

/* The copy of a node in what is launched, also in the graphs inside. */
static Node *copy_of(const Graph *graph, const void *original) {
    for (Node *node = graph->first; node; node = node->next) {
        if (node->original == original) return node;
        for (size_t i = 0; i < node->count; i++) {
            Node *found = copy_of(node->inner[i], original);
            if (found) return found;
        }
    }
    return NULL;
}

bool sim_capture(const char *name, uint64_t sizes) {
    if (!captured) return false;
    Node *node = node_of(captured, 0);
    if (!(node->name = strdup(name))) abort();
    node->sizes = sizes;
    return true;
}

static Graph *of_kernel(const KernelNode *kernel) {
    Graph *before = captured, *found = made(sizeof *found);
    captured = found;
    sim_launch(kernel->function, kernel->size, kernel->arguments);
    captured = before;
    return found;
}

static int put(Node *node, Graph *inner) {
    drop(node->inner[0]);
    return node->inner[0] = inner, SIM_OK;
}

static void count(const Graph *graph) {
    for (const Node *node = graph->first; node; node = node->next) {
        if (node->name) sim_count_work(node->name, node->sizes);
        /* Of branches and loops each once: what decides is on the GPU. */
        for (size_t i = 0; i < node->count; i++) count(node->inner[i]);
    }
}

/* --- capture --- */

API int cuStreamBeginCapture(const void *stream) {
    (void)stream;
    captured = made(sizeof *captured);
    return SIM_OK;
}

API int cuStreamBeginCapture_v2(const void *stream) { return cuStreamBeginCapture(stream); }

API int cuStreamBeginCaptureToGraph(const void *stream, Graph *graph) {
    (void)stream;
    captured = graph;
    return SIM_OK;
}

API int cuStreamEndCapture(const void *stream, Graph **out) {
    (void)stream;
    if (!captured) return SIM_INVALID_VALUE;
    return *out = captured, captured = NULL, SIM_OK;
}

/* --- graphs and their nodes --- */

API int cuGraphCreate(Graph **out) { return *out = made(sizeof(Graph)), SIM_OK; }

API int cuGraphClone(Graph **out, const Graph *graph) { return *out = copy(graph), SIM_OK; }

API int cuGraphDestroy(Graph *graph) { return drop(graph), SIM_OK; }

API int cuGraphAddKernelNode(Node **out, Graph *graph, const void *after, size_t count,
                             const KernelNode *kernel) {
    (void)after, (void)count;
    *out = node_of(graph, 1);
    return put(*out, of_kernel(kernel));
}

API int cuGraphAddKernelNode_v2(Node **out, Graph *graph, const void *after, size_t count,
                                const KernelNode *kernel) {
    return cuGraphAddKernelNode(out, graph, after, count, kernel);
}

API int cuGraphAddChildGraphNode(Node **out, Graph *graph, const void *after, size_t count,
                                 const Graph *child) {
    (void)after, (void)count;
    *out = node_of(graph, 1);
    return put(*out, copy(child));
}

API int cuGraphChildGraphNodeGetGraph(const Node *node, Graph **out) {
    return *out = node->inner[0], SIM_OK;
}

API int cuGraphAddNode(Node **out, Graph *graph, const void *after, size_t count,
                       NodeParameters *parameters) {
    bool branches = parameters->type == CONDITIONAL;
    (void)after, (void)count;
    *out = node_of(graph, branches ? parameters->conditional.count : 1);
    if (branches) parameters->conditional.graphs = (*out)->inner;
    else if (parameters->type == CHILD) put(*out, copy(parameters->child));
    else if (parameters->type == KERNEL) put(*out, of_kernel(&parameters->kernel));
    return SIM_OK;
}

API int cuGraphAddNode_v2(Node **out, Graph *graph, const void *after, const void *edges,
                          size_t count, NodeParameters *parameters) {
    (void)edges;
    return cuGraphAddNode(out, graph, after, count, parameters);
}

/* TensorFlow wants at least one node in a graph that it captured: copies are none here. */
API int cuGraphGetNodes(const Graph *graph, const void **nodes, size_t *count) {
    size_t found = 0;
    for (const Node *node = graph->first; node; node = node->next, found++)
        if (nodes && found < *count) nodes[found] = node;
    if (!found && nodes && *count) nodes[0] = sim_handle();
    return *count = found ? found : 1, SIM_OK;
}

API int cuGraphGetRootNodes(const Graph *graph, const void **nodes, size_t *count) {
    return cuGraphGetNodes(graph, nodes, count);
}

API int cuGraphNodeGetType(const void *node, int *type) {
    (void)node;
    return *type = KERNEL, SIM_OK;
}

/* --- what is launched --- */

API int cuGraphInstantiate(Graph **out, const Graph *graph) { return *out = copy(graph), SIM_OK; }

API int cuGraphInstantiate_v2(Graph **out, const Graph *graph) { return cuGraphInstantiate(out, graph); }

API int cuGraphInstantiateWithFlags(Graph **out, const Graph *graph) {
    return cuGraphInstantiate(out, graph);
}

API int cuGraphInstantiateWithParams(Graph **out, const Graph *graph) {
    return cuGraphInstantiate(out, graph);
}

API int cuGraphExecUpdate_v2(Graph *executable, const Graph *graph, void *result) {
    Graph *newer = copy(graph), older = *executable;
    *executable = *newer, *newer = older;
    drop(newer);
    memset(result, 0, 24);
    return SIM_OK;
}

API int cuGraphExecKernelNodeSetParams(const Graph *executable, const Node *node,
                                       const KernelNode *kernel) {
    Node *found = copy_of(executable, node);
    return found ? put(found, of_kernel(kernel)) : SIM_INVALID_VALUE;
}

API int cuGraphExecKernelNodeSetParams_v2(const Graph *executable, const Node *node,
                                          const KernelNode *kernel) {
    return cuGraphExecKernelNodeSetParams(executable, node, kernel);
}

API int cuGraphExecChildGraphNodeSetParams(const Graph *executable, const Node *node,
                                           const Graph *child) {
    Node *found = copy_of(executable, node);
    return found ? put(found, copy(child)) : SIM_INVALID_VALUE;
}

API int cuGraphExecDestroy(Graph *executable) { return drop(executable), SIM_OK; }

API int cuGraphLaunch(const Graph *executable) { return count(executable), SIM_OK; }
