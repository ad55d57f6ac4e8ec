"""Computes a program's numbers on the CPU and notes them: simulated GPUs compute nothing.

A leg for numbers sees the GPUs, so that a program finds what it asks for, but each operation runs
on the CPU, whatever its device. Random numbers depend on nothing but their shape: then a session, a
function and eager code begin with the same weights. Of variables of one shape each further one then
begins with the numbers of the first in another order, so that one in the place of another shows.
Of random tensors that differ by place only (`drawn`) so does each that another line draws.
Noted are the values of the program's own variables each time that they change, and what it fetches:
results of sessions and functions, tensors that become arrays.
"""

from __future__ import annotations

import contextlib
import importlib
import random
import re
import sys
import threading
import time
import weakref
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from .alias import is_own
from .determined import GOLDEN, PLASTIC, fix_random_numbers, keep_reads_apart, use_the_cpu
from .modules import CONCRETE_FUNCTIONS, FUNCTIONS, module_of
from .structure import DATA, METRIC, RANDOM, UPDATE, VARIABLES

_NOT_OWN = {UPDATE, METRIC, DATA, RANDOM}
_CHANGES = re.compile(r"Assign(Add|Sub)?VariableOp$|Resource(Sparse)?Apply|ResourceScatter")
_OF_KERAS = re.compile(r"-packages[/\\](tf_|tensorflow[/\\]python[/\\])?keras[/\\]")
_OF_TENSORFLOW = re.compile(r"-packages[/\\](tensorflow|numpy)[/\\]|[/\\]recorder[/\\]")

# What makes an array of a tensor.
_OF_TENSORS = re.compile(
    r"-packages[/\\](tensorflow[/\\]python[/\\]framework|numpy)[/\\]"
    r"|[/\\]resource_variable_ops\.py$"
)

# Of one variable or result: numbers of each value, spread evenly; values. Digits of a number.
_MOST_NUMBERS = 256
_MOST_VALUES = 24
_DIGITS = 9

# What became of variables of one shape, see `_Apart`.
DONE, LATE = "done", "late"
# Fewer numbers are like any others; how much alike random ones are after rounding.
_FEWEST = 4
_LIKE = 1 - 1e-6

# So often is each step run; so often where it has taken so many seconds.
_STEPS, _STEPS_OF_SLOW = 20, 5
_SLOW = 10


class _Here(threading.local):
    """What one thread does: whether it looks at values itself, and how many functions it is in."""

    busy = False
    depth = 0


class Numbers:
    """Notes the numbers of one leg."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._here = _Here()
        self._graphs: dict[int, _OfGraph] = {}
        self._variables: dict[int, tuple[str, Any]] = {}  # by the number of the handle
        self._apart = _Apart(observer)
        self._places: dict[tuple[int, ...], list[tuple[str, int]]] = {}  # by what is drawn there
        self._made = 0
        self._last: dict[Hashable, list[float]] = {}
        self._counts: dict[Hashable, int] = {}
        self._plain_run: Any = None
        self._since = 0.0  # the first value
        numpy: Any = importlib.import_module("numpy")
        random.seed(0)
        numpy.random.seed(0)
        if hasattr(numpy.random, "default_rng"):
            make = numpy.random.default_rng
            numpy.random.default_rng = lambda seed=None: make(0 if seed is None else seed)

    def watch(self) -> None:
        """Change TensorFlow; what the observer watches is put around this."""
        use_the_cpu()
        fix_random_numbers(self._turned)
        keep_reads_apart()
        self._watch_sessions()
        self._watch_functions()
        self._watch_variables()
        self._watch_arrays()

    def steps(self) -> int:
        """Return how often each step is run, fewer times where that takes long."""
        passed = time.monotonic() - self._since if self._since else 0.0
        return _STEPS if passed < _SLOW else _STEPS_OF_SLOW

    def finish(self) -> None:
        """Note the last values, and whether the program came to its end with all steps."""
        self._look_at_variables()
        full = any(count >= _MOST_VALUES for count in self._counts.values())
        whole = not self._observer.steps.skips and not full
        drawn = any(len(places) > 1 for places in self._places.values())
        self._observer.stream.write("numbers", whole=whole, apart=self._apart.how, drawn=drawn)

    def _turned(self, shape: tuple[int, ...]) -> int:
        """Return how far random numbers of a shape are turned where the program draws them now."""
        place = self._own_place()
        if place is None:
            return 0
        places = self._places.setdefault(shape, [])
        if place not in places:
            places.append(place)
        return places.index(place) if self._observer.job["drawn"] else 0

    def _own_place(self) -> tuple[str, int] | None:
        """Return the instruction of the program that calls TensorFlow; None where Keras does."""
        frame: Any = sys._getframe(3)
        while frame is not None and _OF_TENSORFLOW.search(frame.f_code.co_filename):
            if _OF_KERAS.search(frame.f_code.co_filename):
                return None
            frame = frame.f_back
        if frame is None or not is_own(frame.f_code.co_filename, self._observer.root):
            return None
        return frame.f_code.co_filename, frame.f_lasti

    # --- sessions ---

    def _watch_sessions(self) -> None:
        base = module_of("client.session").BaseSession
        run, make = base._do_run, base._make_callable_from_options
        self._plain_run = run

        def _do_run(session: Any, handle: Any, targets: Any, fetches: Any, *rest: Any) -> Any:
            result = run(session, handle, targets, fetches, *rest)
            if not self._here.busy:
                self._ran(session, [str(one) for one in (*fetches, *targets)], result)
            return result

        def _make_callable_from_options(session: Any, options: Any) -> Callable[..., Any]:
            called = make(session, options)

            def watched(*values: Any, **given: Any) -> Any:
                result = called(*values, **given)
                self._ran(session, list(options.fetch), result)
                return result

            return watched

        base._do_run = _do_run
        base._make_callable_from_options = _make_callable_from_options

    def _ran(self, session: Any, names: list[str], result: Any) -> None:
        if not _from_keras():
            for number, value in enumerate(result if isinstance(result, list) else [result]):
                self._note("result", ("run", *names, number), value)
        graph = session.graph
        known = self._graphs.setdefault(id(graph), _OfGraph(graph, len(self._graphs), self._apart))

        def run(targets: list[Any], fetches: list[Any]) -> list[Any]:
            found: list[Any] = self._plain_run(session, None, targets, fetches, {}, None, None)
            return found

        with self._alone(), contextlib.suppress(Exception):  # a session that was closed or failed
            for key, value in known.values(self._observer, run):
                self._note("variable", key, value)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        was, self._here.busy = self._here.busy, True
        try:
            yield
        finally:
            self._here.busy = was

    # --- functions and eager code ---

    def _watch_functions(self) -> None:
        self._watch_calls(module_of(*FUNCTIONS).Function, "__call__")
        self._watch_calls(module_of(*CONCRETE_FUNCTIONS).ConcreteFunction, "_call_flat")

    def _watch_calls(self, kind: Any, method: str) -> None:
        call = getattr(kind, method)
        context = module_of("eager.context")

        def called(function: Any, *args: Any, **given: Any) -> Any:
            if self._here.busy or self._here.depth or not context.executing_eagerly():
                return call(function, *args, **given)
            self._look_at_variables()
            self._here.depth += 1
            try:
                result = call(function, *args, **given)
            finally:
                self._here.depth -= 1
            self._look_at_variables()
            if not _from_keras():
                for number, value in enumerate(module_of("util.nest").flatten(result)):
                    if hasattr(value, "_numpy"):
                        with self._alone():
                            self._note("result", ("call", id(function), number), value._numpy())
            return result

        setattr(kind, method, called)

    def _watch_variables(self) -> None:
        base = module_of("ops.resource_variable_ops").BaseResourceVariable
        make = base.__init__

        def __init__(variable: Any, *args: Any, **given: Any) -> None:
            make(variable, *args, **given)
            handle: Any = getattr(variable, "_handle", None)
            if not hasattr(handle, "_numpy") or handle._id in self._variables:
                return  # of a graph; or what an assignment returns
            self._variables[handle._id] = ("", lambda: None)
            if self._observer.frames.here()[0] in _NOT_OWN:
                return
            if not variable.shape.ndims and _from_keras():
                return  # a counter of its own
            self._made += 1
            name = f"eager {self._made}"
            self._variables[handle._id] = (name, weakref.ref(variable))
            self._apart.add(name, variable.shape, variable.dtype)
            if not self._look_at(name, variable) and self._here.depth:
                self._apart.how = LATE  # the function that makes it uses it, too

        base.__init__ = __init__

    def executed(self, kind: str, inputs: Any) -> None:
        """Note the new value of a variable that an eager operation has changed."""
        if self._here.busy or not _CHANGES.match(kind):
            return
        name, variable = self._variables.get(getattr(inputs[0], "_id", -1), ("", lambda: None))
        if variable() is not None:
            self._look_at(name, variable())

    def _look_at_variables(self) -> None:
        for name, reference in list(self._variables.values()):
            variable = reference()
            if variable is not None:
                self._look_at(name, variable)

    def _look_at(self, name: str, variable: Any) -> bool:
        """Note the value of a variable; tell whether it has one."""
        resources = module_of("ops.gen_resource_variable_ops")
        stop = _stop_recording()
        eagerly = module_of("framework.ops").init_scope
        with self._alone(), contextlib.suppress(Exception), eagerly(), stop():
            if bool(resources.var_is_initialized_op(variable._handle)._numpy()):
                value = resources.read_variable_op(variable._handle, variable.dtype)._numpy()
                other = self._apart.of(name, value)
                if other is not None:
                    value = other
                    tensor = module_of("framework.ops").convert_to_tensor(value)
                    resources.assign_variable_op(variable._handle, tensor)
                self._note("variable", name, value)
                return True
        return False

    def _watch_arrays(self) -> None:
        ops = module_of("framework.ops")
        base = getattr(ops, "_EagerTensorBase", None)
        if base is None or not hasattr(base, "_numpy"):
            return
        convert = base._numpy

        def _numpy(tensor: Any) -> Any:
            result = convert(tensor)
            if not self._here.busy and not self._here.depth and self._is_asked():
                self._note("result", ("array", self._observer.frames.here()[1]), result)
            return result

        base._numpy = _numpy

    def _is_asked(self) -> bool:
        """Tell whether the program itself asks for an array, and not a part of TensorFlow."""
        frame: Any = sys._getframe(2)
        while frame is not None and _OF_TENSORS.search(frame.f_code.co_filename):
            frame = frame.f_back
        return frame is not None and is_own(frame.f_code.co_filename, self._observer.root)

    # --- values ---

    def saved(self, name: str, value: Any) -> None:
        """Note the value of a variable in a checkpoint."""
        self._note("saved", name, value)

    def _note(self, what: str, key: Hashable, value: Any) -> None:
        numpy: Any = importlib.import_module("numpy")
        array = numpy.asarray(value)
        if array.dtype.kind not in "fiu" and "float" not in array.dtype.name:
            return
        count = self._counts.get(key, 0)
        if count >= _MOST_VALUES:
            return
        flat = array.astype("float64").ravel()
        if flat.size > _MOST_NUMBERS:
            flat = flat[numpy.linspace(0, flat.size - 1, _MOST_NUMBERS).astype(int)]
        numbers = [float(f"{one:.{_DIGITS}g}") for one in flat]
        if self._last.get(key) == numbers:
            return
        self._last[key], self._counts[key] = numbers, count + 1
        self._since = self._since or time.monotonic()
        kind = "int" if array.dtype.kind in "iu" else "float"
        shape = f"{kind}[{','.join(map(str, array.shape))}]"
        self._observer.stream.write(
            "value", what=what, of=f"{what} {key}", shape=shape, numbers=numbers
        )


def _stop_recording() -> Any:
    """Return what keeps operations from gradient tapes; its module has changed."""
    return module_of("eager.record", "eager.tape").stop_recording


class _Apart:
    """Keeps variables of one shape apart, which random numbers alike would let begin alike.

    `how` tells what it has done: nothing, some, or that it came too late for one.
    """

    def __init__(self, observer: Any) -> None:
        self.how = ""
        self._is_on = not observer.job["alike"]
        self._counts: dict[str, int] = {}
        self.numbers: dict[str, int] = {}

    def add(self, name: str, shape: Any, kind: Any) -> None:
        """Count a variable with those of its shape."""
        like = f"{kind.base_dtype.name} {shape}"
        self.numbers[name] = self._counts.get(like, 0)
        self._counts[like] = self.numbers[name] + 1

    def of(self, name: str, value: Any) -> Any:
        """Return what a variable begins with in place of random numbers; None for no other."""
        number = self.numbers[name]
        if not self._is_on or not number or not _is_random(value):
            return None
        numpy: Any = importlib.import_module("numpy")
        self.how = self.how or DONE
        return numpy.roll(value.ravel(), number).reshape(value.shape)


def _is_random(value: Any) -> bool:
    """Tell whether a value is made of random numbers: they are multiplied and shifted, if at all.

    That holds for uniform and normal ones, not for orthogonal matrices.
    """
    numpy: Any = importlib.import_module("numpy")
    flat = value.ravel()
    if value.dtype.kind != "f" or flat.size < _FEWEST:
        return False
    chosen = numpy.linspace(0, flat.size - 1, min(flat.size, _MOST_NUMBERS)).astype(int)
    mine = flat[chosen].astype("float64")
    first = (chosen + 1) * GOLDEN % 1
    normal = numpy.sqrt(-2 * numpy.log(numpy.maximum(first, 1e-9))) * numpy.cos(
        2 * numpy.pi * ((chosen + 1) * PLASTIC % 1)
    )
    if not mine.std() > 0:
        return False
    drawn = (first, normal, normal.clip(-2, 2))
    return any(abs(numpy.corrcoef(mine, one)[0, 1]) > _LIKE for one in drawn)


class _OfGraph:
    """The variables of a graph, with what reads each and gives it another value."""

    def __init__(self, graph: Any, number: int, apart: _Apart) -> None:
        self._graph, self._number, self._apart = graph, number, apart
        self._version = -1
        # Whether it has a value, the value, and what changes that as `_Apart` does.
        self._known: dict[str, tuple[Any, Any, Any]] = {}

    def values(self, observer: Any, run: Callable[..., list[Any]]) -> Iterator[Any]:
        """Yield name and value of each of the program's own variables that has one."""
        if self._graph.version != self._version:
            self._find(observer)
            self._version = self._graph.version
        if not self._known:
            return
        have = run([], [one[0] for one in self._known.values()])
        names = [name for name, there in zip(self._known, have) if there]  # noqa: B905 - Python 3.7
        found = run([], [self._known[name][1] for name in names]) if names else []
        for name, value in zip(names, found):  # noqa: B905
            other = self._apart.of(self._key(name), value)
            if other is not None:
                run([self._known[name][2]], [])
            yield self._key(name), value if other is None else other

    def _key(self, name: str) -> str:
        return f"{self._number} {name}"

    def _find(self, observer: Any) -> None:
        ops = module_of("framework.ops")
        finalized, self._graph._finalized = self._graph._finalized, False
        try:
            with self._graph.as_default(), ops.control_dependencies(None), ops.name_scope("read"):
                for operation in self._graph.get_operations():
                    if operation.type not in VARIABLES or operation.name in self._known:
                        continue
                    if observer.graphs.origin(self._graph, operation)[0] in _NOT_OWN:
                        continue
                    key, kind = self._key(operation.name), operation.get_attr("dtype")
                    shape = module_of("framework.tensor_shape").TensorShape(
                        operation.get_attr("shape")
                    )
                    self._apart.add(key, shape, kind)
                    self._known[operation.name] = _handling(
                        operation, kind, self._apart.numbers[key]
                    )
        finally:
            self._graph._finalized = finalized


def _handling(operation: Any, kind: Any, number: int) -> tuple[Any, Any, Any]:
    """Return what `_OfGraph` knows of a variable."""
    output, arrays = operation.outputs[0], module_of("ops.array_ops")
    if operation.type == "VarHandleOp":
        resources = module_of("ops.gen_resource_variable_ops")
        is_there = resources.var_is_initialized_op(output)
        value = resources.read_variable_op(output, kind)
    else:
        is_there = module_of("ops.gen_state_ops").is_variable_initialized(output)
        value = arrays.identity(output)
    flat = arrays.reshape(value, [-1])
    turned = module_of("ops.gen_manip_ops").roll(flat, [number], [0])
    other = arrays.reshape(turned, arrays.shape(value))
    if operation.type == "VarHandleOp":
        return is_there, value, resources.assign_variable_op(output, other)
    assign = module_of("ops.gen_state_ops").assign(output, other, validate_shape=False)
    return is_there, value, assign.op


def _from_keras() -> bool:
    """Tell whether Keras asks for a value, and not the program."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        path = frame.f_code.co_filename
        if _OF_KERAS.search(path):
            return True
        if not _OF_TENSORFLOW.search(path):
            return False
        frame = frame.f_back
    return False
