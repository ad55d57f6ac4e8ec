"""Which physical devices an expression names: all GPUs, one of them, or those of a loop."""

from __future__ import annotations

import ast

from tfgpu.dataclass import dataclass, replace
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.locations import LISTS

_DEPTH = 5


@dataclass(frozen=True, slots=True)
class Named:
    """Devices of a `kind` ("GPU", "CPU" or "" for all kinds) that an expression names.

    `index` is the number of the one that is named, `many` tells whether it can be several, and
    `whole` that it is all of them (a loop goes over all).
    """

    kind: str
    whole: bool = True
    many: bool = True
    index: int | None = None


class Devices:
    """Finds out which devices expressions name."""

    def __init__(self, analysis: Analysis) -> None:
        self._symbols = analysis.symbols
        self._values = analysis.values

    def of(self, node: ast.expr | None, depth: int = _DEPTH) -> Named | None:
        """Return the devices that an expression names, None where that is not known."""
        if node is None or not depth:
            return None
        if isinstance(node, ast.Call):
            return self._listed(node)
        if isinstance(node, ast.Name):
            return self._variable(node, depth)
        if isinstance(node, ast.Subscript):
            base = self.of(node.value, depth - 1)
            return None if base is None or not base.many else self._part(base, node.slice)
        if isinstance(node, ast.List | ast.Tuple) and len(node.elts) == 1:
            return self.of(node.elts[0], depth - 1)
        return None

    def _listed(self, call: ast.Call) -> Named | None:
        if self._symbols.name(call.func) not in LISTS:
            return None
        kind = argument(call, "device_type", ("device_type",))
        if kind is None:
            return Named("")
        known = self._values.known(kind)
        return Named(known) if known in ("GPU", "CPU") and isinstance(known, str) else None

    def _variable(self, name: ast.Name, depth: int) -> Named | None:
        bindings = self._symbols.bindings(name)
        found = set()
        for binding in bindings:
            node = binding.node
            if binding.value is not None:
                found.add(self.of(binding.value, depth - 1))
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(
                node.target, ast.Name
            ):
                looped = self.of(node.iter, depth - 1)
                found.add(replace(looped, many=False) if looped and looped.many else None)
            else:
                return None
            if isinstance(node, ast.comprehension) and node.ifs:
                return None
        return found.pop() if len(found) == 1 else None

    def _part(self, base: Named, part: ast.expr) -> Named:
        if not isinstance(part, ast.Slice):
            known = self._values.known(part)
            index = known if isinstance(known, int) and base.whole else None
            return Named(base.kind, whole=False, many=False, index=index)
        if part.lower is None and part.upper is None:
            return base
        upper = None if part.upper is None else self._values.known(part.upper)
        index = 0 if part.lower is None and upper == 1 and base.whole else None
        return Named(base.kind, whole=False, many=True, index=index)
