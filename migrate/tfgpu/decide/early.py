"""What a program computes eagerly before it turns on graph mode itself."""

from __future__ import annotations

import ast
from functools import cached_property

from tfgpu.code.importing import Importing
from tfgpu.code.order import Order
from tfgpu.code.origins import Origins
from tfgpu.code.sites import home_of
from tfgpu.decide.graph_mode import GRAPH_MODE
from tfgpu.flow.collect import Analysis


class Early:
    """Tells which nodes may be reached before graph mode is on, in programs that turn it on."""

    def __init__(self, analysis: Analysis, origins: Origins, order: Order) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._origins = origins
        self._order = order
        self._running: dict[ast.Call, bool] = {}

    @cached_property
    def _calls(self) -> list[ast.Call]:
        """The calls that turn graph mode on."""
        symbols, tree = self._analysis.symbols, self._tree
        return [call for call, name in symbols.calls(tree) if name in GRAPH_MODE]

    def has(self, node: ast.AST) -> bool:
        """Tell whether a node may be reached before graph mode is on."""
        return bool(self.behind(node))

    def behind(self, node: ast.AST) -> list[ast.Call]:
        """Return the calls that may turn graph mode on only after a node is reached."""
        if not self._calls:
            return []
        tree = self._tree
        file, position = tree.file(node), tree.position(node)
        sure = [call for call in self._calls if self._is_sure(call)]
        if any(tree.file(call) is file and tree.position(call) < position for call in sure):
            return []
        late = [call for call in self._calls if self._may_precede(node, call)]
        on = [self._entries(call) for call in sure if call not in late]
        return [call for call in late if not any(self._entries(call) <= entries for entries in on)]

    def _is_sure(self, call: ast.Call) -> bool:
        """Tell whether a call is made wherever its file is imported."""
        return self._tree.function(call).kind == "module" and not self._tree.guards(call)

    def _entries(self, call: ast.Call) -> frozenset[str]:
        return self._order.entries(self._tree.file(call))

    def _may_precede(self, node: ast.AST, call: ast.Call) -> bool:
        """Tell whether a node may be reached before graph mode is turned on by a call.

        What nobody is seen to call is not, unless something runs functions before.
        """
        if not self._order.may_precede(node, call):
            return False
        is_module = isinstance(home_of(node, self._tree), ast.Module)
        return is_module or self._order.chains(node) is not None or self._runs_functions(call)

    def _runs_functions(self, call: ast.Call) -> bool:
        """Tell whether importing anything before a call may run functions of the files."""
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
