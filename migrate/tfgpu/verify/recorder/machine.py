"""What the process and its environment show."""

from __future__ import annotations

import os
import re
from collections import Counter

# Variables that TensorFlow, CUDA or NCCL read. TF_CPP_... only change the log, TF_CLI_... and
# TF_VAR_... belong to another program.
_COUNTED = re.compile(r"(TF(?!_CPP_|_CLI_|_VAR_)|CUDA|NVIDIA|XLA|NCCL|CUDNN)_\w+")
_NOT_COUNTED = ("TF_USE_LEGACY_KERAS",)


def counted_variables() -> dict[str, str]:
    """Return the environment variables that can change devices or their use."""
    return {name: value for name, value in sorted(os.environ.items()) if counts(name)}


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
