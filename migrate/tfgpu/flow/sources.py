"""What flows into a holder: the expressions that it is assigned, returned or built from."""

from __future__ import annotations

import ast

from tfgpu.flow import reasons
from tfgpu.flow.facts import Passed
from tfgpu.flow.locations import Holder, Holders, Reading
from tfgpu.flow.objects import Objects
from tfgpu.flow.records import Records
from tfgpu.flow.versions import Versions

# What takes fields from a text into a message, its second argument, and returns that.
_PARSERS = frozenset(
    f"google.protobuf.{name}"
    for name in ("text_format.Merge", "text_format.Parse", "json_format.Parse")
)


def choices(node: ast.expr) -> list[ast.expr]:
    """Return the expressions of which one is what another one holds: `a if b else c`, `a or b`."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    return node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) else []


class Sources:
    """Finds what expressions hold, and links it."""

    def __init__(
        self,
        reading: Reading,
        holders: Holders,
        versions: Versions,
        objects: Objects,
        records: Records,
    ) -> None:
        self._read = reading
        self._versions = versions
        self._holders = holders
        self._objects = objects
        self.records = records

    def accept(self, node: ast.expr, holder: Holder, prefix: str) -> None:
        """Link what an expression holds to a holder that it flows into."""
        if self._read.values.is_none(node):
            return
        if branches := choices(node):
            for branch in branches:
                self.accept(branch, holder, prefix)
                if self._read.values.is_none(branch):
                    self._holders.facts[holder].nones.append(node)
            return
        if isinstance(node, ast.NamedExpr):
            node = node.value
        source = self.holder(node, prefix)
        if source is None:
            self._holders.problem(holder, reasons.MixedOrigin(node, node))
        else:
            self._holders.link(holder, *source, node)

    def holder(self, node: ast.expr, prefix: str) -> tuple[Holder, str] | None:
        """Return the holder that an expression names and what message that holder holds.

        `prefix` is the message that the expression itself refers to.
        """
        if isinstance(node, ast.Call):
            message = self._read.message(node)
            if message is not None:
                return ("site", node, ""), message
            parsed = self.parsed(node)
            if parsed is not None:
                return self.holder(parsed, prefix)
        function = self._read.callees.runs(node)
        if function is not None:
            return ("return", function, ""), prefix
        variable = self._read.symbols.variable(node)
        if variable is not None:
            return self._versions.holder(node, variable), prefix
        found = self.records.part(node)
        if found is not None:
            return ("part", *found), prefix
        if isinstance(node, ast.Attribute):
            owner_class = self._objects.owner(node)
            if owner_class is not None:
                return ("self", owner_class, node.attr), prefix
            whole, _, part = prefix.rpartition(".")
            if prefix and part == node.attr:
                # A name for a part: `options = config.gpu_options`.
                return self.holder(node.value, whole)
        return None

    def parameter(self, passed: Passed) -> Holder:
        """Return the holder of a parameter."""
        variable = self._read.tree.scope(passed.function.args), passed.argument.arg
        return self._versions.holder(passed.argument, variable)

    def parsed(self, call: ast.Call) -> ast.expr | None:
        """Return the message that a call of a library fills from a text, and returns."""
        is_parser = self._read.symbols.name(call.func) in _PARSERS
        return call.args[1] if is_parser and len(call.args) > 1 else None
