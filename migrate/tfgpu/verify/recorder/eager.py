"""Watches eager execution and tf.function: operations, devices, the context's configuration."""

from __future__ import annotations

import importlib
from typing import Any

from .config import flat
from .sessions import EDGES

TITLE = "eager context"
_NO_NAME = "functions"  # those that the program does not call by a tf.function
_pending: list[list[str]] = []


def _module(*names: str) -> Any:
    """Return the first of some modules that this TensorFlow has, or None."""
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def watch(observer: Any) -> None:
    """Watch the eager context from its initialisation on."""
    context: Any = importlib.import_module("tensorflow.python.eager.context")
    initialise = context.Context.ensure_initialized

    def ensure_initialized(self: Any) -> None:
        was_there = self._context_handle is not None
        initialise(self)
        if not was_there and self._context_handle is not None:
            _initialised(observer, self, context)

    context.Context.ensure_initialized = ensure_initialized
    _watch_functions(observer, context)
    _watch_gradients(observer, context)


def _initialised(observer: Any, made: Any, context: Any) -> None:
    observer.devices_made()
    observer.stream.write(
        "session",
        title=TITLE,
        source=observer.place(),
        target="",
        config=flat(made.config),
        devices=observer.described(made.config),
    )
    observer.look_at_settings()
    if hasattr(made, "enable_graph_collection"):
        made.enable_graph_collection()
    callbacks = _module("tensorflow.python.framework.op_callbacks")
    if callbacks is not None and context.executing_eagerly():
        callbacks.add_op_callback(_callback(observer))


def _callback(observer: Any) -> Any:
    def note(
        op_type: Any,
        inputs: Any,
        attrs: Any,
        outputs: Any,
        op_name: Any = None,
        graph: Any = None,
    ) -> None:
        # Only an output tells where an operation ran; functions are noted with their graphs.
        device = getattr(outputs[0], "device", "") if outputs and graph is None else ""
        if device and not _text(op_type).startswith("__inference"):
            _pending.append(["", _text(op_type), device, observer.place()])
            if observer.what():  # a child may be killed any time
                _write_pending(observer)

    return note


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _write_pending(observer: Any) -> None:
    if _pending:
        observer.stream.write(
            "operations", title="eager operations", eager=True, operations=_pending[:]
        )
        _pending.clear()


def collect(observer: Any, title: str = _NO_NAME) -> None:
    """Note the eager operations since the last call, and the graphs of functions that ran."""
    _write_pending(observer)
    context = _live_context()
    if context is None:
        return
    metadata = context.export_run_metadata()
    for graphs in metadata.function_graphs if metadata else ():
        found = [
            [node.name, node.op, node.device]
            for graph in graphs.partition_graphs
            for node in graph.node
            if node.op not in EDGES
        ]
        # TensorFlow wraps an eager operation in a function of its own; it is noted already.
        if len(found) > 1 or title != _NO_NAME:
            observer.operations(title, False, found)


def forget() -> None:
    """Forget eager operations that were not written: a fork of this process begins."""
    _pending.clear()


def _live_context() -> Any:
    """Return the eager context if it has been initialised: asking must not initialise the GPUs."""
    module: Any = importlib.import_module("tensorflow.python.eager.context")
    context = module.context_safe() if hasattr(module, "context_safe") else None
    return context if context is not None and context._context_handle is not None else None


def _watch_functions(observer: Any, context: Any) -> None:
    module = _module(
        "tensorflow.python.eager.polymorphic_function.polymorphic_function",
        "tensorflow.python.eager.def_function",
    )
    if module is None:
        return
    call = module.Function.__call__

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        if context.executing_eagerly():
            observer.until.step()
        result = call(self, *args, **kwargs)
        if context.executing_eagerly():
            collect(observer, title(self))
            observer.step(("function", id(self)))
        return result

    # Functions of one name are numbered as they are called; all are kept, so that none takes the
    # place of another in memory.
    known: dict[str, list[Any]] = {}

    def title(function: Any) -> str:
        name = getattr(function.python_function, "__name__", "")
        alike = known.setdefault(name, [])
        if not any(each is function for each in alike):
            alike.append(function)
        number = next(index for index, each in enumerate(alike, 1) if each is function)
        return f"function {name}" + (f" {number}" if number > 1 else "")

    module.Function.__call__ = __call__


def _watch_gradients(observer: Any, context: Any) -> None:
    module: Any = importlib.import_module("tensorflow.python.eager.backprop")
    gradient = module.GradientTape.gradient

    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = gradient(self, *args, **kwargs)
        if context.executing_eagerly():
            observer.step("gradient")
        return result

    module.GradientTape.gradient = watched
