"""What the steps of a program consist of: operations with their shapes, roles and devices.

A step is what one run of a session fetches, one function, or all that eager code does. Operations
are taken as the program made them, before Grappler fuses and folds them; where each ran is read
from the partition graphs of the run. So a graph can be compared with eager code.

The role of an operation says which part of a program made it: "" is the program's own work.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .alias import is_own

UPDATE, GRADIENT, RANDOM, METRIC, DATA = "update", "gradient", "random", "metric", "data"
UNKNOWN = "unknown"  # what the recorder could not look into

# By the innermost file, and function, of a stack that one of these is about.
_ROLES = (
    (GRADIENT, re.compile(r"/(backprop|backprop_util|imperative_grad|gradients_util)\.py:")),
    (
        RANDOM,
        re.compile(
            r"/(random_ops|stateless_random_ops|init_ops|init_ops_v2|stateful_random_ops)\.py:"
            r"|/(initializers|random)/|/backend/tensorflow/random\.py:|/initializers_v[12]\.py:"
        ),
    ),
    (
        UPDATE,
        re.compile(
            r"/optimizers/|/optimizer_(v1|v2|experimental)/|/training/(optimizer|adam|adagrad\w*|"
            r"adadelta|momentum|rmsprop|ftrl|gradient_descent|proximal_\w+|slot_creator|"
            r"moving_averages|sync_replicas_optimizer|training_util|experimental/loss_scale\w*)"
            r"\.py:|/backend/tensorflow/optimizer\w*\.py:"
        ),
    ),
    (
        METRIC,
        re.compile(
            r"/metrics/|/metrics_impl\.py:|:(_init_batch_counters|_configure_steps_per_execution)$"
        ),
    ),
    (DATA, re.compile(r"/data/(ops|experimental|util)/|/data_adapters?[/.]|/input\.py:")),
)
_GRADIENT_NAME = re.compile(r"(^|/)(gradients(_\d+)?|gradient_tape)/")
_UPDATE_KIND = re.compile(r"^(Resource)?(Sparse)?Apply")

VARIABLES = {"VariableV2", "Variable", "VarHandleOp"}
# Not worth a line in the record.
_LEFT_OUT = {"Const", "HostConst", "NoOp", "Identity", "IdentityN", "ReadVariableOp", "Placeholder"}
_NO_NUMBERS = ("resource", "variant", "string")
_FUNCTIONS = ("f", "then_branch", "else_branch", "body", "cond", "branches")
_FUSED = "_Fused"
_NEAR = 6  # how far behind an operation the one is looked for that it was fused into


class Frames:
    """Finds the role and the place of an operation from a stack; remembers what a file is."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[tuple[str, str], tuple[str, bool]] = {}

    def _of(self, path: str, name: str) -> tuple[str, bool]:
        key = (path, name)
        if key not in self._known:
            own = is_own(path, self._root)
            role = ""
            if not own:
                role = next((role for role, files in _ROLES if files.search(f"{path}:{name}")), "")
            self._known[key] = (role, own)
        return self._known[key]

    def of(self, frames: Iterable[tuple[str, str, int]]) -> tuple[str, str]:
        """Return role and place (path and line) for frames (path, function, line), inner first."""
        found = ""
        for path, name, line in frames:
            role, own = self._of(path, name)
            found = found or role
            if own:
                return found, f"{path[len(self._root) :].lstrip('/')}:{line}"
        return found, ""

    def here(self) -> tuple[str, str]:
        """Return role and place of what is being executed."""
        return self.of(_running())

    def of_operation(self, operation: Any) -> tuple[str, str]:
        """Return role and place of an operation of a graph."""
        frames = reversed(list(operation.traceback or ()))
        role, place = self.of(map(_frame, frames))
        if not role and _GRADIENT_NAME.search(operation.name):
            role = GRADIENT
        return role, place


def _running() -> Iterator[tuple[str, str, int]]:
    frame = sys._getframe(2)
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]


def _frame(frame: Any) -> tuple[str, str, int]:
    # TensorFlow 1.15 keeps frames as tuples.
    if isinstance(frame, tuple) and not hasattr(frame, "filename"):
        return frame[0], frame[2], frame[1]
    return frame.filename, frame.name, frame.lineno


def signature(inputs: Iterable[Any], outputs: Iterable[Any]) -> str:
    """Return the types and shapes of an operation's inputs, and of its outputs, as text.

    What has no numbers (resources, variants) is left out.
    """
    return (
        " ".join(filter(None, map(_shape, inputs)))
        + ">"
        + " ".join(filter(None, map(_shape, outputs)))
    )


def _shape(tensor: Any) -> str:
    kind = tensor.dtype.base_dtype
    return "" if kind.name in _NO_NUMBERS else _text_of(kind, tensor.shape)


def _text_of(kind: Any, shape: Any) -> str:
    known = shape.ndims is not None
    sizes = ["?" if size is None else str(size) for size in shape.as_list()] if known else ["*"]
    return f"{kind.name}[{','.join(sizes)}]"


def text_of_shape(kind: Any, shape: Any) -> str:
    """Return type and shape of a variable, from the attributes of the operation that makes it."""
    types: Any = importlib.import_module("tensorflow.python.framework.dtypes")
    shapes: Any = importlib.import_module("tensorflow.python.framework.tensor_shape")
    return _text_of(types.as_dtype(kind).base_dtype, shapes.TensorShape(shape))


def worth(kind: str) -> bool:
    """Tell whether a kind of operation is worth a line in the record."""
    return kind not in _LEFT_OUT


class Graphs:
    """Describes steps of graphs; remembers what it found of each operation."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames
        self._known: dict[int, tuple[Any, dict[str, tuple[str, str]]]] = {}
        self._variables: set[tuple[int, str]] = set()

    def origin(self, graph: Any, operation: Any) -> tuple[str, str]:
        """Return role and place of an operation."""
        known = self._known.setdefault(id(graph), (graph, {}))[1]
        if operation.name not in known:
            known[operation.name] = self._frames.of_operation(operation)
        return known[operation.name]

    def step(
        self,
        graph: Any,
        wanted: Iterable[Any],
        fed: Iterable[Any],
        placed: Mapping[str, tuple[str, str]],
        prefix: str = "",
        around: str = "",
    ) -> list[list[str]]:
        """Return the operations that some wanted ones need: kind, shapes, role, device, place.

        `fed` are names of tensors that are given, `placed` kind and device of each node that ran.
        A variable is told with the first step that needs it. `prefix` stands before the names of a
        function that is called by another, on the device `around`.
        """
        found: list[list[str]] = []
        for operation in _needed(wanted, set(fed)):
            kind = operation.type
            if not worth(kind):
                continue
            ran, device = _device(operation, placed, prefix)
            device = device or around
            inner = list(_called(graph, operation))
            for name, called in inner:
                if called is None:
                    found.append([name, "", UNKNOWN, device, ""])
                    continue
                found.extend(
                    self.step(
                        called,
                        [*(one.op for one in called.outputs), *effects(called)],
                        (),
                        placed,
                        f"{prefix}{operation.name}/",
                        device,
                    )
                )
            if inner:
                continue
            role, place = self.origin(graph, operation)
            if role == GRADIENT and not ran:
                continue  # gradients that nothing needs
            if kind in VARIABLES:
                if (id(graph), operation.name) in self._variables:
                    continue
                self._variables.add((id(graph), operation.name))
                shapes = text_of_shape(operation.get_attr("dtype"), operation.get_attr("shape"))
            else:
                shapes = signature(operation.inputs, operation.outputs)
                if _UPDATE_KIND.match(kind):
                    role = UPDATE
            found.append([kind, shapes, role, device, place])
        return found


def _needed(wanted: Iterable[Any], fed: set[str]) -> list[Any]:
    """Return all operations that some need, in the order of their making."""
    found: dict[str, Any] = {}
    left = list(wanted)
    while left:
        operation = left.pop()
        if operation.name in found:
            continue
        outputs = operation.outputs
        if fed and outputs and all(output.name in fed for output in outputs):
            continue
        found[operation.name] = operation
        left.extend(one.op for one in operation.inputs if one.name not in fed)
        left.extend(operation.control_inputs)
    return sorted(found.values(), key=lambda one: one._id)


def effects(graph: Any) -> list[Any]:
    """Return the operations of a function that run for their effects.

    A function of `wrap_function` does not name them.
    """
    found = list(getattr(graph, "control_outputs", ()))
    if not found:
        found = [one for one in graph.get_operations() if one.op_def.is_stateful]
    return [one for one in found if hasattr(one, "inputs")]


def _called(graph: Any, operation: Any) -> Iterator[tuple[str, Any]]:
    """Yield name and graph of the functions that an operation calls; None for one not known."""
    if not any(word in operation.type for word in ("Call", "If", "While", "Case")):
        return
    for attribute in _FUNCTIONS:
        try:
            value = operation.get_attr(attribute)
        except ValueError:
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            name = getattr(one, "name", "")
            if name:
                yield name, _function(graph, name)


def _function(graph: Any, name: str) -> Any:
    while graph is not None:
        function = graph._get_function(name) if graph._is_function(name) else None
        inner = getattr(function, "graph", None)
        if inner is not None and hasattr(inner, "outputs"):
            return inner
        graph = getattr(graph, "outer_graph", None)
    return None


def _device(operation: Any, placed: Mapping[str, tuple[str, str]], prefix: str) -> tuple[bool, str]:
    """Return whether an operation ran, and where; one that was fused into another ran there.

    One that was folded away is where it was asked to be, or where its result was needed.
    """
    name = prefix + operation.name
    if name in placed:
        return True, placed[name][1]
    behind = _behind(operation, placed, prefix)
    if behind and behind[0].startswith(_FUSED):
        return True, behind[1]
    if "device:" in operation.device and operation.device[-1:].isdigit():
        return False, str(operation.device)
    return False, behind[1] if behind else ""


def _behind(
    operation: Any, placed: Mapping[str, tuple[str, str]], prefix: str
) -> tuple[str, str] | None:
    """Return kind and device of the nearest node behind an operation that ran."""
    edge = [operation]
    for _ in range(_NEAR):
        edge = [one for each in edge for output in each.outputs for one in output.consumers()]
        for one in edge:
            if prefix + one.name in placed:
                return placed[prefix + one.name]
    return None
