"""Which of two pieces of code has run before the other, wherever there are GPUs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.sites import generators, home_of
from tfgpu.flow.collect import Analysis
from tfgpu.flow.named_gpus import Devices

_DEPTH = 4
# After every line of a file.
_NEVER = (1 << 30, 0)


class UsualOrder:
    """What runs before what in the files of an analysis."""

    def __init__(self, analysis: Analysis, devices: Devices) -> None:
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._callees = analysis.callees
        self._devices = devices
        self._reaching: dict[tuple[ast.AST, int], list[ast.AST]] = {}
        self._found: dict[ast.FunctionDef, tuple[list[ast.AST], bool]] = {}
        self._generators = generators(analysis.tree)
        self._first: dict[ast.Module, tuple[int, int]] = {}

    def before(self, one: ast.AST, other: ast.AST, depth: int = _DEPTH) -> bool:
        """Tell whether one piece of code has certainly run when another one is reached."""
        return self.site_before(one, other, depth) is not None

    def site_before(self, one: ast.AST, other: ast.AST, depth: int = _DEPTH) -> ast.AST | None:
        """Return what has certainly run one piece of code when another one is reached.

        It is that code itself, or a call which leads there and stands beside the other one or a
        call of that.
        """
        home = home_of(other, self._tree)
        for site in self._sites(one, depth):
            there = home_of(site, self._tree)
            if there is home:
                if self._dominates(site, other):
                    return site
            elif (
                site is one
                and isinstance(there, ast.Module)
                and self._tree.file(site) is self._tree.file(other)
                and self._always(site, ())
                and not self._calls_own_code(there, site)
            ):
                # A module runs from its top to its end before anybody else calls its functions.
                return site
        if not isinstance(home, ast.FunctionDef) or not depth:
            return None
        sites = [self.site_before(one, call, depth - 1) for call in self._calls(home)]
        return sites[0] if sites and None not in sites else None

    def runs_with_module(self, node: ast.AST) -> bool:
        """Tell whether the import of its module certainly runs a piece of code."""
        return any(
            isinstance(home_of(site, self._tree), ast.Module) and self._always(site, ())
            for site in self._sites(node, _DEPTH)
        )

    def _sites(self, node: ast.AST, depth: int) -> list[ast.AST]:
        """Return a node, and the calls that certainly reach it."""
        if (node, depth) not in self._reaching:
            self._reaching[node, depth] = list(self._find_sites(node, depth))
        return self._reaching[node, depth]

    def _find_sites(self, node: ast.AST, depth: int) -> Iterator[ast.AST]:
        yield node
        home = home_of(node, self._tree)
        if not isinstance(home, ast.FunctionDef) or home.decorator_list:
            return
        if home in self._generators:
            return
        if depth and self._always(node, ()):
            for call in self._calls(home, all_known=False):
                yield from self._sites(call, depth - 1)

    def _calls(self, function: ast.FunctionDef, all_known: bool = True) -> list[ast.AST]:
        """Return the calls of a function; with `all_known` none where others may call it."""
        known = self._found.get(function)
        if known is None:
            known = self._found[function] = self._look_up(function)
        calls, is_complete = known
        return calls if is_complete or not all_known else []

    def _look_up(self, function: ast.FunctionDef) -> tuple[list[ast.AST], bool]:
        tree, name = self._tree, function.name
        uses: list[ast.expr] = [*tree.attributes.get(name, [])]
        uses += [item for item in tree.names.get(name, []) if isinstance(item.ctx, ast.Load)]
        calls: list[ast.AST] = []
        for use in uses:
            call = tree.parent[use]
            is_call = isinstance(call, ast.Call) and call.func is use
            if is_call and self._callees.classes.function(use) is function:
                calls.append(call)
        renamed = self._symbols.is_renamed(name)
        return calls, len(calls) == len(uses) and not renamed

    def _calls_own_code(self, module: ast.Module, site: ast.AST) -> bool:
        """Tell whether a module calls a function of its own, or passes one on, before a place."""
        first = self._first.get(module)
        if first is None:
            tree = self._tree
            own = tree.file(module)
            uses: list[ast.AST] = [
                call for call in own.calls if self._callees.classes.function(call.func) is not None
            ]
            # `Process(target=work)`, and functions that a decorator takes.
            uses += [
                name
                for word in own.functions
                for name in own.names.get(word, [])
                if isinstance(name.ctx, ast.Load)
            ]
            at_top = [use for use in uses if home_of(use, tree) is module]
            first = self._first[module] = min(map(tree.position, at_top), default=_NEVER)
        return first < self._tree.position(site)

    def _dominates(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether one of two nodes of a function has run when the other one is reached."""
        tree = self._tree
        if tree.position(one) >= tree.position(other) or one in set(tree.within(other)):
            return False
        return self._always(one, tree.guards(other))

    def _always(self, node: ast.AST, given: tuple[tuple[ast.AST, str], ...]) -> bool:
        """Tell whether a node runs whenever its function does and certain branches are taken."""
        return all(branch in given or self._is_usual(*branch) for branch in self._tree.guards(node))

    def _is_usual(self, guard: ast.AST, part: str) -> bool:
        """Tell whether a branch is taken wherever there are GPUs."""
        if isinstance(guard, ast.Try | ast.ClassDef):
            return part in ("body", "finalbody")
        if isinstance(guard, ast.If):
            return part == "body" and self._devices.of(guard.test) is not None
        if isinstance(guard, ast.For):
            return part == "body" and self._devices.of(guard.iter) is not None
        return False
