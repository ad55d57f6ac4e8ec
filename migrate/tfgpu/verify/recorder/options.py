"""Notes options that no config holds: those of a session's runs, of datasets, of operations."""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from collections.abc import Iterator
from typing import Any

from .alias import is_own
from .config import flat
from .modules import module_of

RUNS = "options of a session's runs"
DATASETS = "options of datasets"
OPERATIONS = "options of operations"

# Attributes that say how an operation is done. What it does shows in its type, shapes and results.
_HOW = {
    "auto_shard_policy",
    "batch_timeout_micros",
    "buffer_size_min",
    "capacity",
    "communication_hint",
    "deterministic",
    "executor_type",
    "force_synchronous",
    "max_batch_size",
    "max_enqueued_batches",
    "max_intra_op_parallelism",
    "memory_limit",
    "min_after_dequeue",
    "num_batch_threads",
    "num_threads",
    "parallel_iterations",
    "slack_period",
    "sloppy",
    "swap_memory",
    "timeout_ms",
    "timeout_seconds",
    "use_cudnn_on_gpu",
    "use_default_device",
    "use_inter_op_parallelism",
    "use_locking",
}

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


def of_callable(options: Any) -> dict[str, str]:
    """Return those options of a callable that change how it is done: where its results stay."""
    found = {
        path: value
        for path, value in flat(options).items()
        if path.startswith(("feed_devices", "fetch_devices", "fetch_skip_sync"))
    }
    return {**found, **of_run(options.run_options)}


def of_functions(context: Any) -> dict[str, str]:
    """Return what a call of a function takes from around it, where that is not the default."""
    options = getattr(context.context(), "function_call_options", None)
    executor = getattr(options, "executor_type", None)
    return {"executor_type of functions": executor} if executor else {}


def of_graph(graph: Any) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the name of each operation of a graph, and how it is done where not by default."""
    for node in graph.node:
        given = {name: node.attr[name] for name in node.attr if name in _HOW}
        if given:
            yield node.name, _not_default(node.op, given)


def of_operation(kind: str, attributes: Any) -> dict[str, str]:
    """Return how an operation of eager code is done, where that is not its default."""
    pairs = dict(zip(attributes[::2], attributes[1::2]))  # noqa: B905 - Python 3.7 has no strict
    given = {name: pairs[name] for name in pairs if name in _HOW}
    return _not_default(kind, given) if given else {}


def _not_default(kind: str, given: dict[str, Any]) -> dict[str, str]:
    defaults = _defaults(kind)
    values = {name: _plain(value) for name, value in given.items()}
    return {
        f"{kind}.{name}": value for name, value in values.items() if value != defaults.get(name)
    }


@functools.lru_cache(maxsize=None)  # noqa: UP033 - Python 3.7 has no functools.cache
def _defaults(kind: str) -> dict[str, str]:
    """Return the defaults of an operation's attributes."""
    registry = module_of("framework.op_def_registry")
    find = getattr(registry, "get", None) or registry.get_registered_ops().get
    known = find(kind)
    return {one.name: _plain(one.default_value) for one in known.attr} if known else {}


def _plain(value: Any) -> str:
    """Return the text of an attribute, whether it comes as an AttrValue or as a value of Python."""
    kind = getattr(value, "WhichOneof", lambda _: None)("value")
    value = getattr(value, kind) if kind else value
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _is_from_program(root: str, library: str) -> bool:
    """Tell whether the program gives the options itself: Keras gives some, too."""
    frame: Any = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == library:
        frame = frame.f_back
    return frame is not None and is_own(frame.f_code.co_filename, root)
