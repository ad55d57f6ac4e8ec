"""Watches eager execution and tf.function: operations, devices, the context's configuration."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable, Hashable
from typing import Any

from .config import flat
from .modules import CONCRETE_FUNCTIONS, FUNCTIONS, live_context, module_of
from .options import OPERATIONS, of_functions, of_graph, of_operation
from .running import OF_A_THREAD, Running, is_of_program
from .sessions import EDGES
from .structure import UPDATE, VARIABLES, signature, text_of_shape, worth

TITLE = "eager context"
_NO_NAME = "functions"  # those that the program does not call by a tf.function
_NEW_VARIABLE = "EagerVariableNameReuse"
_pending: list[list[str]] = []
_graphs: list[Any] = []  # of functions that ran, not yet noted


def watch(observer: Any) -> None:
    """Watch the eager context from its initialisation on."""
    context = module_of("eager.context")
    initialise = context.Context.ensure_initialized
    making = threading.RLock()
    noted: list[Any] = []

    def ensure_initialized(self: Any) -> None:
        if self in noted:
            initialise(self)
            return
        with making:  # threads that ask at once wait until it is noted, which is done once
            was_there = self._context_handle is not None
            initialise(self)
            if not was_there and self._context_handle is not None:
                _initialised(observer, self, context)
                noted.append(self)

    context.Context.ensure_initialized = ensure_initialized
    _watch_mode(observer, context)
    _watch_functions(observer, context)
    _watch_gradients(observer, context)


def _initialised(observer: Any, made: Any, context: Any) -> None:
    if observer.assumptions:
        observer.assumptions.happened()
    observer.devices_made()
    devices = observer.described(made.config)
    observer.settings.makes_gpus(devices)
    observer.stream.write(
        "session",
        title=TITLE,
        source=observer.place(),
        target="",
        config=flat(made.config),
        devices=devices,
    )
    observer.look()
    if hasattr(made, "enable_graph_collection"):
        made.enable_graph_collection()
    ops = module_of("framework.ops")
    if ops.executing_eagerly_outside_functions():
        note = _callback(observer)
        if hasattr(made, "post_execution_callbacks"):
            _watch_of_old(made, note)
            return
        with contextlib.suppress(ImportError):  # an old version
            callbacks = module_of("framework.op_callbacks")
            with ops.init_scope():  # a graph may be under construction
                callbacks.add_op_callback(note)
            _watch_threads(made, note)


def _watch_mode(observer: Any, context: Any) -> None:
    """Note that graph code turns to eager code, as `tf.py_function` does inside a run.

    What other functions of Python do that a graph calls is eager code in threads of TensorFlow
    wherever version 2's behaviour is on.
    """
    turn = context.eager_mode
    registry = module_of("ops.script_ops").FuncRegistry
    insert = registry.insert

    def eager_mode() -> Any:
        observer.turned_eager = True
        return turn()

    def inserted(self: Any, *args: Any, **given: Any) -> Any:
        if context.default_execution_mode == context.EAGER_MODE:
            observer.turned_eager = True
        return insert(self, *args, **given)

    context.eager_mode = eager_mode
    registry.insert = inserted


def _watch_threads(made: Any, note: Any) -> None:
    """Note operations in the threads of the program, too: each has callbacks of its own.

    What TensorFlow's threads call (`tf.py_function`) runs ahead as far as it gets. An operation
    asks for what its thread has, so that is where a new thread shows.
    """
    kept = made._thread_local_data
    kind = type(made)

    def local(context: Any) -> Any:
        if context is not made:
            return context.__dict__["_thread_local_data"]
        if not kept.op_callbacks and is_of_program():
            kept.op_callbacks.append(note)
        return kept

    def put(context: Any, value: Any) -> None:
        context.__dict__["_thread_local_data"] = value

    kind._thread_local_data = property(local, put)


def _watch_of_old(made: Any, note: Any) -> None:
    """Note operations as `_watch_threads` does, where each asks the context itself (1.15)."""
    execute, kind = module_of("eager.execute"), type(made)
    known = kind.post_execution_callbacks.fget

    def callbacks(context: Any) -> Any:
        kept = known(context)
        if context is made and not kept and is_of_program():
            kept.append(note)
        return kept

    kind.post_execution_callbacks = property(callbacks)
    execute.execute = execute.execute_with_callbacks
    logging = module_of("ops.gen_logging_ops")
    check = logging._assert

    def _assert(condition: Any, data: Any, summarize: int = 3, name: Any = None) -> Any:
        # What a GPU says of a new variable, and a simulated one says 0.
        return None if name == _NEW_VARIABLE else check(condition, data, summarize, name)

    logging._assert = _assert


def _callback(observer: Any) -> Any:
    home = threading.get_ident()
    threads = threading.local()  # an identifier may be given to a later thread again
    numbers = itertools.count(1)

    def thread() -> str:
        if threading.get_ident() == threading.main_thread().ident:
            return ""
        if not hasattr(threads, "number"):
            threads.number = str(next(numbers))
        return str(threads.number)

    def note(
        op_type: Any,
        inputs: Any,
        attrs: Any,
        outputs: Any,
        op_name: Any = None,
        graph: Any = None,
    ) -> None:
        # Only an output tells where an operation ran; functions are noted with their graphs.
        if graph is not None or _text(op_type).startswith("__"):
            return
        is_home = threading.get_ident() == home
        if observer.numbers and is_home:
            observer.numbers.executed(_text(op_type), inputs)
        observer.given(OPERATIONS, of_operation(_text(op_type), attrs))
        role, place = observer.frames.here()
        device = getattr(outputs[0], "device", "") if outputs else ""
        if device:
            with observer.lock:
                _pending.append([thread(), _text(op_type), device, place])
            if observer.what():  # a child may be killed any time
                _write_pending(observer)
        work = _work(_text(op_type), inputs, attrs, outputs, (role, place))
        if work is not None:
            observer.eager_work(work, in_order=is_home)

    return note


def _work(
    kind: str, inputs: Any, attrs: Any, outputs: Any, origin: tuple[str, str]
) -> tuple[str, ...] | None:
    """Return what an operation is: its kind, shapes, role, device and place."""
    if not worth(kind):
        return None
    device = next((one.device for one in (*(outputs or ()), *inputs) if hasattr(one, "device")), "")
    if kind in VARIABLES:
        given = dict(zip(attrs[::2], attrs[1::2]))  # noqa: B905 - Python 3.7 has no strict
        shapes = text_of_shape(given["dtype"], given["shape"])
    else:
        shapes = signature(
            [one for one in inputs if hasattr(one, "dtype")], outputs if outputs else ()
        )
    return (kind, shapes, origin[0], device, origin[1])


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def _write_pending(observer: Any) -> None:
    with observer.lock:
        taken, _pending[:] = _pending[:], []
    if taken:
        observer.stream.write("operations", title="eager operations", eager=True, operations=taken)


def collect(observer: Any, title: str = _NO_NAME) -> None:
    """Note the eager operations since the last call, and the graphs of functions that ran."""
    _write_pending(observer)
    context = live_context()
    if context is None:
        return
    _export(context)
    taken, _graphs[:] = _graphs[:], []
    found = []
    functions = _of_functions(taken)
    for graph in [part for graphs in taken for part in graphs.partition_graphs]:
        for _, given in of_graph(graph):  # the names in functions have changing numbers
            observer.given(OPERATIONS, given)
        nodes = _nodes(graph)
        is_eager = len(nodes) == 1 and _like_eager(nodes[0]) and nodes[0][0] not in functions
        if not is_eager:  # an eager operation is noted already
            found += nodes
    observer.operations(title, False, found)


def _of_functions(taken: list[Any]) -> set[str]:
    """Return the names of what the program's functions consist of.

    TensorFlow makes a function of each eager operation, too. Which graph and which parts belong
    together is not known where threads run some at a time.
    """
    graphs = [_nodes(one.pre_optimization_graph) for one in taken]
    return {node[0] for nodes in graphs if not all(map(_like_eager, nodes)) for node in nodes}


def _like_eager(node: list[str]) -> bool:
    """Tell whether a node is named and placed as an eager operation: by its type, and in full."""
    name, kind, device = node
    return name == kind and device.startswith("/job:")


def _nodes(graph: Any) -> list[list[str]]:
    return [[node.name, node.op, node.device] for node in graph.node if node.op not in EDGES]


def _export(context: Any) -> list[Any]:
    """Take the graphs of functions that were made since the last call, and return them."""
    metadata = context.export_run_metadata()
    found = list(metadata.function_graphs) if metadata else []
    _graphs.extend(found)
    return found


def forget() -> None:
    """Forget eager operations that were not written: a fork of this process begins."""
    _pending.clear()
    _graphs.clear()


def _watch_functions(observer: Any, context: Any) -> None:
    module = module_of(*FUNCTIONS)
    call = module.Function.__call__
    running = Running()

    def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
        if (
            not context.executing_eagerly()
            or running.titles()
            or observer.frames.here()[0] == UPDATE
        ):
            return call(self, *args, **kwargs)
        observer.until.step()

        def run() -> Any:
            with running.in_turn(key):
                name = title(self)
                with running.inside(name):
                    result = call(self, *args, **kwargs)
                    take(name)
            return result

        given = _given((args, kwargs))
        key = ("function", id(self), given, _around(context))
        return observer.steps.done(key, run, _tensors(given))

    def take(name: str) -> None:
        with running.taking() as mine:
            if mine:
                collect(observer, name)

    # Functions of one name are numbered as they are called; all are kept, so that none takes the
    # place of another in memory.
    titles: dict[Any, str] = {}
    counts: dict[str, int] = {}

    def title(function: Any) -> str:
        if function not in titles:
            where = "" if threading.current_thread() is threading.main_thread() else OF_A_THREAD
            name = f"function {getattr(function.python_function, '__name__', '')}{where}"
            counts[name] = counts.get(name, 0) + 1
            titles[function] = name + (f" {counts[name]}" if counts[name] > 1 else "")
        return titles[function]

    module.Function.__call__ = __call__
    _watch_concrete_functions(observer, context, running, take)


# Begins what tells a tensor apart.
_TENSOR = object()


class _Same:
    """An argument that is the same only as itself; it is kept, so that nothing takes its place."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._value is self._value

    def __hash__(self) -> int:
        return id(self._value)


def _given(value: Any) -> Any:
    """Return what tells apart the arguments of two calls that are traced apart."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_given, value))
    if isinstance(value, dict):
        return tuple((str(key), _given(one)) for key, one in value.items())
    if isinstance(value, (str, bytes, int, float, bool)) or value is None:
        return type(value), value
    kind, shape = getattr(value, "dtype", None), getattr(value, "shape", None)
    if kind is None or shape is None or hasattr(value, "assign"):  # a variable is itself
        return _Same(value)
    return _TENSOR, str(kind), str(shape)


def _tensors(given: Any, place: str = "") -> Any:
    """Return the shapes of tensors among what tells arguments apart, with their places."""
    if not isinstance(given, tuple):
        return frozenset()
    if given[:1] == (_TENSOR,):
        return frozenset([(place, given[2])])
    inner = (_tensors(one, f"{place}.{number}") for number, one in enumerate(given))
    return frozenset().union(*inner)


def _watch_concrete_functions(
    observer: Any, context: Any, running: Running, take: Callable[[str], None]
) -> None:
    """Note what each function consists of that eager code calls, whoever made it."""
    module = module_of(*CONCRETE_FUNCTIONS)
    call = module.ConcreteFunction._call_flat
    # They are kept, so that none takes the place of another in memory.
    known: dict[Hashable, Any] = {}

    def noted(function: Any, run: Callable[[], Any], title: str) -> Any:
        step = ("function", id(function), _around(context))
        observer.steps.ran(step, title)
        observer.given(OPERATIONS, of_functions(context))
        with running.in_turn(step):
            with running.taking() as mine:
                if mine:
                    _export(context.context())
            with running.inside(""):  # what it calls itself is a part of it
                result = run()
            if step not in known:
                known[step] = function
                graphs = _export(context.context())
                observer.function(title, function.graph, graphs, step, _one_device(function))
        return result

    def _call_flat(self: Any, *args: Any, **kwargs: Any) -> Any:
        def run() -> Any:
            return call(self, *args, **kwargs)

        titles = running.titles()
        if not context.executing_eagerly() or live_context() is None or titles[-1:] == [""]:
            return run()
        if titles or observer.frames.here()[0] == UPDATE:
            return noted(self, run, titles[-1] if titles else _NO_NAME)

        observer.until.step()

        def step() -> Any:
            with running.in_turn(key):
                result = noted(self, run, title)
                take(title)
            return result

        title = f"function {getattr(self.graph, 'name', '')}"
        given = _given(args[:1])
        key = ("function", id(self), given, _around(context))
        return observer.steps.done(key, step, _tensors(given))

    module.ConcreteFunction._call_flat = _call_flat


def _around(context: Any) -> str:
    """Return the device that is asked for around a call: where what asks for none itself runs."""
    return str(context.context().device_name)


def _one_device(function: Any) -> str:
    """Return where the variables of a function are, which XLA compiles for one device."""
    found = {getattr(one, "device", "") for one in getattr(function, "captured_inputs", ())}
    return found.pop() if len(found) == 1 else ""


def _watch_gradients(observer: Any, context: Any) -> None:
    module = module_of("eager.backprop")
    gradient = module.GradientTape.gradient

    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = gradient(self, *args, **kwargs)
        if context.executing_eagerly():
            observer.steps.gradient()
        return result

    module.GradientTape.gradient = watched
