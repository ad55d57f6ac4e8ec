"""Words by which a file that matters is told from the many others: it holds at least one."""

from __future__ import annotations

from functools import lru_cache

from tfgpu.files.kinds import LANGUAGES, REWRITTEN, Kind
from tfgpu.rulebook.book import MESSAGES, Rulebook

# What hides GPUs, however the rest of its name is spelled.
_VISIBLE = (b"CUDA_VIS", b"cuda_vis", b"VISIBLE_DEV")
# Comments to tfgpu itself, which may have nothing left to say.
_COMMENT = (b"tfgpu:",)
# What else asks for GPUs in scripts and YAML.
_REQUESTS = (
    b"nvidia.com/", b"nvidia-docker", b"runtime: nvidia", b"runtime=nvidia", b"--runtime nvidia",
    b"--gpus", b"--gres", b"gpus", b"#SBATCH", b"#PBS", b"#BSUB", b"#$ ", b"capabilities",
    b"discrete_resource_spec", b"--nv", b"-gpu ", b"-accelerator", b"accelerator-type",
    b"runtimeClassName", b"default-runtime",
)  # fmt: skip
_CLOUDS = (
    b"acceleratorC", b"accelerator_count", b"esourceRequirements", b"guestAccelerator",
)  # fmt: skip
# What a ConfigProto as text holds, and what TensorFlow Serving is started with.
_CONFIGS = (
    b"allow_soft_placement", b"device_count", b"gpu_options", b"graph_options",
    b"log_device_placement", b"op_parallelism_threads", b"session_config",
    b"use_per_session_threads", b"session_inter_op_thread_pool", b"pluggable_device_options",
    b"operation_timeout_in_ms",
)  # fmt: skip
_IN_JSON = (
    b"gpuOptions", b"graphOptions", b"deviceCount", b"allowSoftPlacement", b"logDevicePlacement",
    b"OpParallelismThreads", b"--gpus", b'"gpus', b"runtime", b"resource.gpu.amount",
    b"gke-accelerator",
)  # fmt: skip
_BUILDERS = (
    b"ConfigProto", b"configProto", b"GPUOptions", b"gpu_options", b"GpuOptions",
    b"op_parallelism_threads", b"soft_placement", b"device_placement",
)  # fmt: skip
# A ConfigProto as bytes, where nothing else names it.
_BYTES = (b"TF_SetConfig", b"SessionOptions")
_SERVING = (
    b"per_process_gpu_memory_fraction", b"tensorflow_session_config_file", b"platform_config_file",
    b"batching_parameters_file", b"tensorflow_session_parallelism", b"tensorflow_intra_op",
    b"tensorflow_inter_op", b"tensorflow_model_server",
)  # fmt: skip
# Several GPUs, and half precision; devices of which a loop fills in the number.
_TRAINING = (
    b"train_distribute", b"eval_distribute", b"mixed_precision_graph_rewrite", b"LossScale",
    b"num_gpus=", b"gpu:%", b"gpu:{", b"GPU:%", b"GPU:{", b"gpu:'", b'gpu:"', b"GPU:'", b'GPU:"',
    b"allow_growth", b"per_process_gpu", b"model_server", b"contrib.learn",
)  # fmt: skip
_LAUNCHERS = (b"horovodrun", b"mpirun", b"mpiexec", b"resource.gpu.amount")
# The same where Python that names them says nothing of it.
_IN_SHELL = (b"srun", b"torchrun", b"torch.distributed.", b"horovod.run")


@lru_cache(maxsize=64)
def tokens(kind: Kind | None, book: Rulebook, settings: bool = False) -> tuple[bytes, ...]:
    """Return the words for files of a kind; `settings` asks for calls of setters, too."""
    variables = {name.encode() for name in book.variable_names}
    if kind is Kind.CONFIG:
        found = {*_CONFIGS}
    elif kind in LANGUAGES:
        # They may set variables, too.
        found = variables.union(_BUILDERS, _COMMENT, _BYTES)
    elif kind is Kind.JSON:
        # Data of all sorts.
        found = variables.union(_CONFIGS, _IN_JSON, _SERVING, _COMMENT, _CLOUDS, (b"nvidia.com/",))
    elif kind is Kind.GIN:
        fields = (b"allow_growth", b"per_process_gpu", b"visible_device_list")
        found = {*_CONFIGS, *_BUILDERS, *fields}
    elif kind in REWRITTEN:
        found = variables.union(_of_python(book), _VISIBLE, _COMMENT, _TRAINING, _LAUNCHERS)
        if settings:
            found |= _of_setters(book)
    else:
        found = variables.union(
            _IN_JSON[:6], _VISIBLE, _REQUESTS, _CLOUDS, _COMMENT, _CONFIGS, _SERVING, _LAUNCHERS,
            _IN_SHELL,
        )  # fmt: skip
    return tuple(sorted(found))


def _of_python(book: Rulebook) -> set[bytes]:
    names = {symbol.rpartition(".")[2] for symbol in MESSAGES}
    names |= {symbol.rpartition(".")[2] for symbol in (*book.queries, *book.calls)}
    # Other sinks matter only with a config, which has a name above.
    alone = [name for name, rule in book.sinks.items() if rule.converts == "gone" or rule.setting]
    names |= {symbol.rpartition(".")[2] for symbol in alone}
    names -= {"Experimental"}
    names |= {rename.before.rpartition(".")[2] for rename in book.renames}
    # What hides GPUs, and devices that are gone.
    names |= {"XLA_GPU", "XLA_CPU"}
    # Settings on objects that another file may make.
    names |= {"gpu_options", "session_config.", "allow_soft_placement", "log_device_placement"}
    # What sets GPUs up in TensorFlow 2, and in PyTorch.
    names |= {"set_memory_growth", "op_parallelism_threads", "tf.config.", "tensorflow.config"}
    names |= {"cuda.set_device", "set_per_process_memory_fraction", "PYTORCH_CUDA_ALLOC_CONF"}
    names |= {"accelerator_count", "cuda:", *(f".cuda({number})" for number in range(8))}
    return {name.encode() for name in names}


def _of_setters(book: Rulebook) -> set[bytes]:
    names = {name.rpartition(".")[2] for name in book.setters}
    names.update(parameter for _, parameter in book.setting_arguments)
    return {b"gpu:", b"GPU:", *(name.encode() for name in names)}
