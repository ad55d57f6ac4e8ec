"""What a program reaches before calls that turn a mode on, such as graph mode."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cached_property

from tfgpu.code.order import Order
from tfgpu.code.origins import Origins
from tfgpu.code.sites import home_of
from tfgpu.code.when import When
from tfgpu.flow.collect import Analysis


class Early:
    """Tells which nodes may be reached before a mode is on, in programs that turn it on by calls.

    `names` are those of the functions that turn it on.
    """

    def __init__(
        self, analysis: Analysis, origins: Origins, order: Order, names: Collection[str]
    ) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._origins = origins
        self._order = order
        self._names = names
        self._running: dict[ast.Call, bool] = {}

    @cached_property
    def _calls(self) -> list[ast.Call]:
        """The calls that turn the mode on."""
        symbols, tree = self._analysis.symbols, self._tree
        return [call for call, name in symbols.calls(tree) if name in self._names]

    def has(self, node: ast.AST) -> bool:
        """Tell whether a node may be reached before a call turns the mode on."""
        return bool(self.behind(node))

    def behind(self, node: ast.AST) -> list[ast.Call]:
        """Return the calls that may turn the mode on only after a node is reached."""
        if self._stands_behind(node):
            return []
        late = self._late(node)
        on = self._on(late)
        return [call for call in late if not any(self._entries(call) <= entries for entries in on)]

    def is_on(self, node: ast.AST) -> bool:
        """Tell whether the mode is on wherever a node is reached."""
        if self._stands_behind(node):
            return True
        ways = self._order.chains(node) or ((),) if self._calls else ((),)
        if all(
            any(self._is_before(call, step) for _, step in way for call in self._calls)
            for way in ways
        ):
            return True
        on = self._on(self._late(node)) if self._calls else []
        return self._entries(node) <= frozenset().union(*on)

    def _is_before(self, call: ast.Call, node: ast.AST) -> bool:
        return self._order.before(call, node) is When.ALWAYS

    def _stands_behind(self, node: ast.AST) -> bool:
        """Tell whether a node stands behind a call that is made wherever its file is imported."""
        tree = self._tree
        file, position = tree.file(node), tree.position(node)
        return any(
            tree.file(call) is file and tree.position(call) < position for call in self._sure
        )

    def _late(self, node: ast.AST) -> list[ast.Call]:
        return [call for call in self._calls if self._may_precede(node, call)]

    def _on(self, late: Collection[ast.Call]) -> list[frozenset[str]]:
        """Return the entry scripts of each call that is made, and is not one of the late ones."""
        return [self._entries(call) for call in self._sure if call not in late]

    @cached_property
    def _sure(self) -> list[ast.Call]:
        return [call for call in self._calls if self._is_sure(call)]

    def _is_sure(self, call: ast.Call) -> bool:
        """Tell whether a call is made wherever its file is imported."""
        return self._tree.function(call).kind == "module" and not self._tree.guards(call)

    def _entries(self, node: ast.AST) -> frozenset[str]:
        return self._order.entries(self._tree.file(node))

    def _may_precede(self, node: ast.AST, call: ast.Call) -> bool:
        """Tell whether a node may be reached before the mode is turned on by a call.

        What nobody is seen to call is not, unless something runs functions before.
        """
        if not self._order.may_precede(node, call):
            return False
        is_module = isinstance(home_of(node, self._tree), ast.Module)
        return is_module or self._order.chains(node) is not None or self._runs_functions(call)

    def _runs_functions(self, call: ast.Call) -> bool:
        """Tell whether importing anything before a call may run functions of the files."""
        from tfgpu.code.importing import Importing  # noqa: PLC0415 - few need it

        if call not in self._running:
            self._running[call] = any(
                Importing(
                    file,
                    self._analysis.symbols,
                    self._origins,
                    lambda path: False,
                    lambda node: self._order.may_precede(node, call),
                ).runs_functions()
                for file in self._tree.files
                if self._order.share_process(file.module, call)
            )
        return self._running[call]
