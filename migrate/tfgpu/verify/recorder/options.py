"""Notes options that no config holds: those of a session's runs, of datasets, of loops."""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from typing import Any

from .alias import is_own
from .config import flat

RUNS = "options of a session's runs"
DATASETS = "options of datasets"
LOOPS = "options of loops"

_STACKS = ("StackPush", "StackPushV2")

# The others ask for what a run tells, and change nothing of it.
_OF_RUNS = ("timeout_in_ms", "inter_op_thread_pool", "experimental")


def watch(observer: Any) -> None:
    """Watch the options that the program gives datasets from now on."""
    module: Any = importlib.import_module("tensorflow.python.data.ops.dataset_ops")
    with_options = module.DatasetV2.with_options

    @functools.wraps(with_options)
    def given(self: Any, options: Any, *rest: Any, **more: Any) -> Any:
        with contextlib.suppress(Exception):  # a version that has other ones
            if _is_from_program(observer.root, module.__file__):
                observer.given(DATASETS, flat(options._to_proto()))
        return with_options(self, options, *rest, **more)

    module.DatasetV2.with_options = given


def of_run(options: Any) -> dict[str, str]:
    """Return those options of a run that change how it is done."""
    return {path: value for path, value in flat(options).items() if path.startswith(_OF_RUNS)}


def of_loops(graph: Any) -> dict[str, str]:
    """Return whether a graph moves what its loops keep for gradients to the host's memory."""
    swaps = any(node.op in _STACKS and node.attr["swap_memory"].b for node in graph.node)
    return {"swap_memory": "True"} if swaps else {}


def _is_from_program(root: str, library: str) -> bool:
    """Tell whether the program gives the options itself: Keras gives some, too."""
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == library:
        frame = frame.f_back
    return frame is not None and is_own(frame.f_code.co_filename, root)
