"""How many GPUs a program certainly leaves visible."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.values import Values
from tfgpu.dataclass import dataclass
from tfgpu.flow.callees import Callees
from tfgpu.flow.facts import Config, Facts
from tfgpu.flow.late_writes import read_before
from tfgpu.flow.locations import LISTS
from tfgpu.rulebook.book import Rulebook

_SET_VISIBLE = ("tf.config.set_visible_devices", "tf.config.experimental.set_visible_devices")
_SET_SOFT = "tf.config.set_soft_device_placement"
# With these a GPU becomes several devices.
_SPLIT = frozenset(
    [
        "set_logical_device_configuration",
        "set_virtual_device_configuration",
        "virtual_devices",
        "num_virtual_devices_per_gpu",
        "VirtualDevices",
    ]
)


def splits_gpus(tree: Tree) -> bool:
    """Tell whether a program may make several devices of one GPU."""
    keywords = {item.arg for call in tree.calls for item in call.keywords}
    words = {word for file in tree.files for word in (*file.words, *file.attributes)}
    return not (_SPLIT.isdisjoint(keywords) and _SPLIT.isdisjoint(words))


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """At most `count` GPUs are visible; `node` sees to it."""

    count: int
    node: ast.AST


class Visible:
    """What limits the visible GPUs of one file."""

    def __init__(
        self,
        tree: Tree,
        symbols: Symbols,
        values: Values,
        callees: Callees,
        facts: Facts,
        book: Rulebook,
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._values = values
        self._callees = callees
        self._facts = facts
        self._book = book
        self._bounds = [*self._of_config(), *self._of_calls(), *self._of_cuda()]

    def bound(self, device: ast.AST) -> Bound | None:
        """Return the lowest bound that certainly holds where a device is asked for."""
        holding = [item for item in self._bounds if self._holds(item.node, device)]
        return min(holding, key=lambda item: item.count, default=None)

    def soft_placement(self) -> ast.AST | None:
        """Return what certainly sets soft placement: each config, or else tf.config."""
        facts = self._facts
        if facts.configs and not facts.plain_sinks and not facts.foreign_sinks:
            found = [self._softening(config) for config in facts.configs]
            return found[0] if None not in found else None
        calls = [] if facts.configs else self._symbols.calls_of(self._tree, (_SET_SOFT,))
        given = [call.args[0] for call in calls if call.args and self.is_unconditional(call)]
        if not given or len(given) < len(calls):
            return None
        return calls[0] if all(self._values.known(item) is True for item in given) else None

    def _softening(self, config: Config) -> ast.AST | None:
        """Return what sets soft placement in a config, where it is in the file and on for sure."""
        found = [item for item in config.settings if item.field == "allow_soft_placement"]
        is_on = all(item.value.known is True and not item.conditions for item in found)
        return found[0].node if found and is_on and self._tree.holds(found[0].node) else None

    def _of_config(self) -> Iterator[Bound]:
        """Yield what the one config of the file says, if every session has that."""
        facts = self._facts
        if len(facts.configs) != 1 or facts.plain_sinks or facts.foreign_sinks:
            return
        for setting in facts.configs[0].settings:
            known = setting.value.known
            if setting.conditions or not self._tree.holds(setting.node):
                continue
            if setting.field == "gpu_options.visible_device_list" and isinstance(known, str):
                if known.strip():
                    yield from self._of_ids(known, setting.node)
            elif setting.field == "device_count.GPU" and isinstance(known, int) and known >= 0:
                yield Bound(known, setting.node)

    def _of_ids(self, ids: str, node: ast.AST) -> Iterator[Bound]:
        """Yield the length of a list of ids; one that is negative hides the rest."""
        parts = [part.strip() for part in ids.split(",")] if ids.strip() else []
        if all(part.removeprefix("-").isdigit() for part in parts):
            end = next((n for n, part in enumerate(parts) if part[0] == "-"), len(parts))
            yield Bound(end, node)

    def _of_calls(self) -> Iterator[Bound]:
        calls = list(
            filter(self._sets_visible_gpus, self._symbols.calls_of(self._tree, _SET_VISIBLE))
        )
        if len(calls) == 1 and calls[0].args:
            count = self._length(calls[0].args[0])
            if count is not None:
                yield Bound(count, calls[0])

    def _sets_visible_gpus(self, call: ast.Call) -> bool:
        """Tell whether a call may choose among the GPUs."""
        if self._symbols.name(call.func) not in _SET_VISIBLE:
            return False
        kinds = [*call.args[1:], *(item.value for item in call.keywords)]
        return not any(self._values.known(kind) == "CPU" for kind in kinds)

    def _length(self, node: ast.expr) -> int | None:
        """Return how many GPUs an expression over the list of all names at most."""
        if isinstance(node, ast.Name):
            values = [item.value for item in self._tree.bindings(node)]
            known = values[0] if len(values) == 1 else None
            # A name for a name is not followed: it could lead in a circle.
            return None if known is None or isinstance(known, ast.Name) else self._length(known)
        if isinstance(node, ast.List) and all(map(self._is_one, node.elts)):
            return len(node.elts)
        if self._is_one(node):
            return 1
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            lower = 0 if node.slice.lower is None else self._values.known(node.slice.lower)
            upper = node.slice.upper and self._values.known(node.slice.upper)
            numbers = isinstance(lower, int) and isinstance(upper, int)
            if self._is_list(node.value) and numbers and 0 <= lower <= upper:  # type: ignore[operator]
                return upper - lower  # type: ignore[operator,return-value]
        return None

    def _is_one(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Subscript)
            and not isinstance(node.slice, ast.Slice)
            and self._is_list(node.value)
        )

    def _is_list(self, node: ast.expr) -> bool:
        """Tell whether an expression is a list of devices as TensorFlow gives it."""
        if isinstance(node, ast.Name):
            values = [item.value for item in self._tree.bindings(node)]
            return len(values) == 1 and isinstance(values[0], ast.Call) and self._is_list(values[0])
        return isinstance(node, ast.Call) and self._symbols.name(node.func) in LISTS

    def _of_cuda(self) -> Iterator[Bound]:
        from tfgpu.flow.environment import environment_writes  # noqa: PLC0415 - few need it

        writes = [
            node
            for variable, node in environment_writes(self._tree, self._symbols)
            if variable == "CUDA_VISIBLE_DEVICES"
        ]
        if len(writes) != 1 or read_before(
            "CUDA_VISIBLE_DEVICES",
            writes[0],
            self._tree,
            self._symbols,
            self._facts.configs,
            self._book,
        ):
            return
        statement = self._tree.parent[writes[0]]
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            known = self._values.known(statement.value)
            if isinstance(known, str):
                yield from self._of_ids(known, statement)

    def _holds(self, node: ast.AST, device: ast.AST) -> bool:
        """Tell whether what a node sets is certainly in force where a device is asked for."""
        tree = self._tree
        if not self.is_unconditional(node):
            return False
        home, there = tree.function(node), tree.function(device)
        if home is there:
            return tree.position(node) < tree.position(device) or any(
                setting.node is node
                for config in self._facts.configs
                for setting in config.settings
            )
        if home is tree.root:
            return True
        return any(
            self._callees.classes.function(call.func) is home.node
            and tree.function(call) in (tree.root, there)
            and self.is_unconditional(call)
            for call in tree.calls
        )

    def is_unconditional(self, node: ast.AST) -> bool:
        """Tell whether a function that runs reaches a node, if nothing fails.

        `if gpus:` counts as always: without a GPU there is none to ask for, either.
        """
        return all(
            part == "body"
            and (
                isinstance(guard, ast.Try | ast.ClassDef)
                or (isinstance(guard, ast.If) and self._is_usual(guard.test))
            )
            for guard, part in self._tree.guards(node)
        )

    def _is_usual(self, test: ast.expr) -> bool:
        if isinstance(test, ast.Compare):
            return isinstance(test.left, ast.Name) and test.left.id == "__name__"
        return self._is_list(test)
