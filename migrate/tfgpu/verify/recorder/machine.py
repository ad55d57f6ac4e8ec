"""What the process and its environment show."""

from __future__ import annotations

import ctypes
import os
import re
from collections import Counter

# Variables that TensorFlow, CUDA, its libraries or NCCL read. TF_CPP_... only change the log,
# TF_CLI_... and TF_VAR_... belong to another program.
_COUNTED = re.compile(
    r"(TF(?!_CPP_|_CLI_|_VAR_)|CUDA|NVIDIA|XLA|NCCL|CUDNN|CUBLAS(LT)?(?!(LT)?_LOG))_\w+"
)
# Variables of the libraries that compute on the CPU, and of Horovod, without those that only change
# what these print or how they are loaded.
_OF_LIBRARIES = re.compile(
    r"(G?OMP(?!_DISPLAY_)|KMP(?!_(DUPLICATE_LIB_OK|INIT_AT_FORK|SETTINGS|VERSION|WARNINGS)$)"
    r"|MKL(?!_VERBOSE$)|ONEDNN(?!_VERBOSE)|DNNL(?!_VERBOSE)|OPENBLAS(?!_VERBOSE$)"
    r"|HOROVOD(?!_LOG_))_\w+"
)
# What is read when the devices are made, or before.
_READ_AT_ONCE = re.compile(r"CUDA_|TF_FORCE_GPU_|TF_GPU_|TF_NUM_")
_NOT_COUNTED = ("TF_USE_LEGACY_KERAS",)


def counted_variables() -> dict[str, str]:
    """Return the environment variables that can change devices, threads or their use.

    They are those that C has: `os.putenv` sets them there only, and there TensorFlow and CUDA read
    them.
    """
    found, number = {}, 0
    pairs = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    while pairs and pairs[number] is not None:
        name, _, value = os.fsdecode(pairs[number] or b"").partition("=")
        if counts(name) or _OF_LIBRARIES.fullmatch(name):
            found[name] = value
        number += 1
    return dict(sorted(found.items()))


def late_variables(before: dict[str, str]) -> set[str]:
    """Return what is another value than before, when the devices were made, and may act still.

    Libraries read their variables at their first call, which may be a step's.
    """
    now = counted_variables()
    return {
        f"{name}: {now.get(name, 'not set')}"
        for name in {*before, *now}
        if before.get(name) != now.get(name) and not _READ_AT_ONCE.match(name)
    }


def counts(name: str) -> bool:
    """Tell whether an environment variable can change devices or their use."""
    return _COUNTED.fullmatch(name) is not None and name not in _NOT_COUNTED


def thread_names() -> dict[str, int]:
    """Count this process's threads by name, numbers left out: `tf_Compute` is the pool between ops.

    Empty where the system does not tell (no /proc).
    """
    names: Counter[str] = Counter()
    try:
        tasks = os.listdir("/proc/self/task")
    except OSError:
        return {}
    for task in tasks:
        try:
            with open(f"/proc/self/task/{task}/comm", encoding="utf-8") as file:
                names[re.sub(r"\d+$", "", file.read().strip())] += 1
        except OSError:  # the thread has ended
            continue
    return {name: names[name] for name in sorted(names) if name.startswith("tf_")}
