"""Watches sessions: their making, every run, and where the operations of a run were placed.

The partition graphs of a run (RunOptions.output_partition_graphs) are what the executor runs: the
graph after placing, pruning and Grappler, with a device for every node.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Hashable
from typing import Any

from .options import OPERATIONS, RUNS, of_callable, of_graph, of_run

# What the runtime adds at the edges of a device: their names are numbered as they come.
EDGES = {
    "_Send",
    "_Recv",
    "_HostSend",
    "_HostRecv",
    "_Arg",
    "_Retval",
    "_DeviceArg",
    "_DeviceRetval",
    "_SOURCE",
    "_SINK",
}
# Grappler's, numbered as they come.
_CONTROL_EDGES = "GroupCrossDeviceControlEdges_"

# Finding the places takes 0.1 ms an operation: this many are enough to explain a difference.
MOST_ASKED = 20_000


def watch(observer: Any) -> None:
    """Watch every session that is made from now on."""
    module: Any = importlib.import_module("tensorflow.python.client.session")
    base = module.BaseSession
    _watch_making(base, observer)
    _watch_runs(base, observer)
    _watch_placing(base, module.tf_session, observer)
    _watch_callables(base, observer)
    _watch_callables_of_keras(base, observer)
    _watch_servers(observer)


def _watch_servers(observer: Any) -> None:
    server: Any = importlib.import_module("tensorflow.python.training.server_lib").Server
    made = observer.errors.refusing("server", server.__init__)

    def __init__(self: Any, *args: Any, **options: Any) -> None:
        made(self, *args, **options)
        observer.server(self)

    server.__init__ = __init__


def _watch_making(base: Any, observer: Any) -> None:
    """Watch sessions from their making on, and let each log where its graph is placed.

    The log shows every operation of the graph as the placer sees it, before Grappler folds some of
    them away; the session keeps the configuration that the program gave it.
    """
    context: Any = importlib.import_module("tensorflow.python.eager.context")
    protos: Any = importlib.import_module("tensorflow.core.protobuf.config_pb2")
    made = observer.errors.refusing("session", base.__init__)

    def __init__(self: Any, target: Any = "", graph: Any = None, config: Any = None) -> None:
        if config is not None and observer.job["stands_in"] and not observer.sessions_made:
            _check_runtime(context.context(), observer)
        given = context.context().config if config is None else config
        if not isinstance(given, protos.ConfigProto):
            made(self, target, graph, config)  # raises
            return
        logging = protos.ConfigProto()
        logging.CopyFrom(given)
        logging.log_device_placement = True
        made(self, target, graph, logging)
        self._config.log_device_placement = given.log_device_placement
        self._tfgpu_has_config = config is not None
        observer.session(self)

    closed = base.close

    def close(self: Any) -> None:
        observer.until.closes(self)
        closed(self)

    base.__init__ = __init__
    base.close = close


def _check_runtime(context: Any, observer: Any) -> None:
    """Note GPUs that TensorFlow 2 has made already, where TensorFlow 1 waits for a session."""
    if context._context_handle is not None:
        reason = (
            "TensorFlow 2 made the GPUs before the program's first session, so the session's "
            "settings changed nothing; TensorFlow 1 would have taken them: give --before-python"
        )
        observer.stream.write("trouble", reason=reason)


def _watch_runs(base: Any, observer: Any) -> None:
    """Count runs, each as the step that it is."""
    do_run = base._do_run

    def _do_run(
        self: Any, handle: Any, targets: Any, fetches: Any, feeds: Any, given: Any, *rest: Any
    ) -> Any:
        is_enqueue = not fetches and all(map(_feeds_queue, targets))
        _note_filling(observer, is_enqueue)
        if observer.until.takes_over:
            observer.until.enqueues(is_enqueue)
        else:
            observer.until.step()
        names = [tuple(sorted(map(_name, items))) for items in (targets, fetches, feeds)]
        key = ("run", _title(self), *names)
        asked = ", ".join([*names[0], *names[1]])
        _note_options(observer, given, asked)

        def run() -> Any:
            self._tfgpu_step = key
            observer.steps.ran(key, f"{_title(self)}: {asked}")
            if observer.until.takes_over:
                return observer.until.in_place_of(self, fetches, feeds)
            return do_run(self, handle, targets, fetches, feeds, given, *rest)

        # partial_run goes on where another run of it stopped.
        if handle is not None or is_enqueue:
            result = run()
            if handle is not None:
                observer.steps.once(key)
            return result
        return observer.steps.done(key, run, _shapes(feeds))

    base._do_run = _do_run


def _note_filling(observer: Any, is_enqueue: bool) -> None:
    """Note a thread that fills a queue: how often it does so in a run is chance."""
    if is_enqueue and threading.current_thread() is not threading.main_thread():
        observer.fills_queues = True


def _note_options(observer: Any, given: Any, asked: str) -> None:
    """Note the options of a run, also of one that only gets the last result of its step."""
    if given is not None:
        module: Any = importlib.import_module("tensorflow.python.client.session")
        protos: Any = importlib.import_module("tensorflow.core.protobuf.config_pb2")
        options = protos.RunOptions.FromString(module.tf_session.TF_GetBuffer(given))
        observer.given(RUNS, of_run(options), asked)


def _watch_placing(base: Any, tf_session: Any, observer: Any) -> None:
    """Note where the operations of each run were, and what the first run of a step consists of."""
    protos: Any = importlib.import_module("tensorflow.core.protobuf.config_pb2")
    call = base._call_tf_sessionrun

    def _call_tf_sessionrun(
        self: Any, options: Any, feeds: Any, fetches: Any, targets: Any, metadata: Any
    ) -> Any:
        # Buffers of our own, so that the program's stay what they were.
        wanted = protos.RunOptions()
        if options is not None:
            wanted.ParseFromString(tf_session.TF_GetBuffer(options))
        wanted.output_partition_graphs = True
        if observer.steps.traces:
            wanted.trace_level = max(wanted.trace_level, protos.RunOptions.SOFTWARE_TRACE)
        ours = tf_session.TF_NewBufferFromString(wanted.SerializeToString())
        told = metadata if metadata is not None else tf_session.TF_NewBuffer()
        try:
            result = call(self, ours, feeds, fetches, targets, told)
            got = protos.RunMetadata()
            got.ParseFromString(tf_session.TF_GetBuffer(told))
            note_graphs(observer, self, got.partition_graphs)
            if observer.steps.traces:
                observer.results_of(got.step_stats)
            if observer.steps.is_first:
                observer.step_of_graph(
                    _title(self),
                    self.graph,
                    lambda: _asked_of(self.graph, feeds, fetches, targets),
                    got.partition_graphs,
                    getattr(self, "_tfgpu_step", None),
                )
        finally:
            tf_session.TF_DeleteBuffer(ours)
            if metadata is None:
                tf_session.TF_DeleteBuffer(told)
        return result

    base._call_tf_sessionrun = _call_tf_sessionrun


def _asked_of(graph: Any, feeds: Any, fetches: Any, targets: Any) -> tuple[list[Any], list[str]]:
    """Return the operations that a run wants, and the names of what it feeds."""

    def tensor(output: Any) -> Any:
        return graph._get_tensor_by_tf_output(output)

    operations = [graph._get_operation_by_tf_operation(one) for one in targets]
    wanted = [*(tensor(one).op for one in fetches), *operations]
    return wanted, [tensor(one).name for one in feeds]


def _asked_by(graph: Any, options: Any) -> tuple[list[Any], list[str]]:
    """Return the same for the options of a callable."""
    names = [*options.fetch, *options.target]
    wanted = [graph.get_operation_by_name(name.split(":")[0]) for name in names]
    return wanted, [name if ":" in name else f"{name}:0" for name in options.feed]


def _title(session: Any) -> str:
    """Return what tells a session from all others, and from one that takes its place in memory."""
    return str(getattr(session, "_tfgpu_title", id(session)))


def _feeds_queue(item: Any) -> bool:
    """Tell whether an operation only puts something into a queue: that is no step of training."""
    return str(getattr(item, "type", "")).startswith("QueueEnqueue")


def _name(item: Any) -> str:
    """Return the name of a tensor or operation; what is fed comes as a reference to a tensor."""
    if isinstance(item, str):
        return item
    name: str = (item.deref() if hasattr(item, "deref") else item).name
    return name


def _shapes(feeds: Any) -> Hashable:
    """Return the shapes of what a run is fed, by the names of the tensors."""
    return frozenset((_name(one), str(getattr(value, "shape", ""))) for one, value in feeds.items())


def _pairs(fed: Any, values: Any) -> dict[Any, Any]:
    return dict(zip(fed, values))  # noqa: B905 - Python 3.7 has no strict


def _watch_callables(base: Any, observer: Any) -> None:
    """Count the calls of callables."""
    make = base.make_callable

    def make_callable(
        self: Any, fetches: Any, feed_list: Any = None, *args: Any, **options: Any
    ) -> Callable[..., Any]:
        if observer.until.takes_over:
            return lambda *values, **_: self.run(fetches, _pairs(feed_list or (), values))
        run = make(self, fetches, feed_list, *args, **options)
        key = ("callable", _title(self), str(fetches))

        def counted(*values: Any, **given: Any) -> Any:
            if given.get("options") is not None:
                observer.given(RUNS, of_run(given["options"]), getattr(fetches, "name", ""))
            observer.until.step()
            is_enqueue = _feeds_queue(fetches)
            _note_filling(observer, is_enqueue)
            if is_enqueue:
                return run(*values, **given)
            return observer.steps.done(key, lambda: run(*values, **given))

        return counted

    base.make_callable = make_callable


def _watch_callables_of_keras(base: Any, observer: Any) -> None:
    """Watch the callables that Keras makes from options."""
    protos: Any = importlib.import_module("tensorflow.core.protobuf.config_pb2")
    make = base._make_callable_from_options

    def _make_callable_from_options(self: Any, options: Any) -> Callable[..., Any]:
        observer.given(RUNS, of_callable(options))
        options.run_options.output_partition_graphs = True
        run = make(self, options)
        noted: list[bool] = []
        key = ("callable", _title(self), options.SerializeToString(deterministic=True))

        def watched(*values: Any, **given: Any) -> Any:
            if observer.until.takes_over:
                fetched, fed = (
                    list(map(self.graph.get_tensor_by_name, names))
                    for names in (options.fetch, options.feed)
                )
                feeds = _pairs(fed, values)
                return observer.steps.done(
                    key, lambda: observer.until.in_place_of(self, fetched, feeds)
                )
            observer.until.step()
            told = given.pop("run_metadata", None)
            told = protos.RunMetadata() if told is None else told
            observer.steps.ran(
                key, f"{_title(self)}: {', '.join([*options.target, *options.fetch])}"
            )
            result = run(*values, run_metadata=told, **given)
            note_graphs(observer, self, told.partition_graphs)
            if not noted:
                noted.append(True)
                observer.step_of_graph(
                    _title(self),
                    self.graph,
                    lambda: _asked_by(self.graph, options),
                    told.partition_graphs,
                    key,
                )
            observer.steps.feed([key], _shapes(_pairs(options.feed, values)))
            observer.steps.once(key)
            return result

        # A callable lives as long as what holds it: the plain one releases itself.
        watched.run = run  # type: ignore[attr-defined]
        return watched

    base._make_callable_from_options = _make_callable_from_options


def note_graphs(observer: Any, session: Any, graphs: Any) -> None:
    """Note where the nodes of some partition graphs are."""
    found: list[list[str]] = []
    for graph in graphs:
        for name, given in of_graph(graph):
            observer.given(OPERATIONS, given, name)
        for node in graph.node:
            if node.op not in EDGES and not node.name.startswith(_CONTROL_EDGES):
                found.append([node.name, node.op, node.device])
    observer.operations(session._tfgpu_title, False, found)


def asked(observer: Any, graph: Any) -> list[list[str]]:
    """Return, for the operations of a graph, the device asked for and the place that made each."""
    return [
        [operation.name, operation.device, observer.own_place(operation.traceback or ())]
        for operation in graph.get_operations()[:MOST_ASKED]
    ]
