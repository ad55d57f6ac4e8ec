"""What runs at most once in a program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.flow.collect import Analysis

_MAINS = frozenset(["main", "__main__"])


def runs_once(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a node runs at most once in a program, as far as the files at hand show.

    That is so at the top of a module, in `main`, and in functions that are named once, by a call
    that runs once; a method `__init__` runs where its class is called. The names that this depends
    on become known to `analysis.facts.callers`: other files that use one of them have a say, too.
    """
    once, names = _follow(node, analysis)
    analysis.facts.callers.update(dict.fromkeys(names))
    return once


def _follow(node: ast.AST, analysis: Analysis) -> tuple[bool, list[tuple[Tree, str]]]:
    """Follow the one call that leads to a node, and the one that leads to that, to the start.

    Returns whether there is one, and the names whose uses decide on that.
    """
    tree = analysis.tree
    seen: set[ast.AST] = set()
    names: list[tuple[Tree, str]] = []
    while node not in seen and not tree.in_loop(node):
        seen.add(node)
        function = tree.function(node).node
        if isinstance(function, ast.Module) or getattr(function, "name", "") in _MAINS:
            return True, names
        named = _named(function, analysis)
        uses = _uses(named, analysis)
        names += _names(named, analysis)
        if not uses:
            # Another file may have the one call.
            return False, names
        parent = tree.parent[uses[0]]
        if len(uses) > 1 or not isinstance(parent, ast.Call) or parent.func is not uses[0]:
            break
        node = parent
    return False, []


def _named(function: ast.AST, analysis: Analysis) -> ast.AST:
    """Return what a function is called by: itself, or the class whose `__init__` it is."""
    is_init = getattr(function, "name", "") == "__init__"
    return analysis.tree.parent[function] if is_init else function


def _uses(named: ast.AST, analysis: Analysis) -> list[ast.AST]:
    """Return everything that may name a function or class, whatever else it may name."""
    tree, symbols = analysis.tree, analysis.symbols
    name = getattr(named, "name", "")
    reads = [item for item in tree.names.get(name, []) if isinstance(item.ctx, ast.Load)]
    known = list(symbols.uses((tree.scope(named), name)))
    unsure = [
        binding.node
        for item in symbols.importers((tree.scope(named), name))
        if len(tree.bound(item)) > 1
        for binding in tree.bound(item)
    ]
    found: list[ast.AST] = [*reads, *tree.attributes.get(name, []), *known, *unsure]
    return list(dict.fromkeys(found))


def _names(named: ast.AST, analysis: Analysis) -> Iterator[tuple[Tree, str]]:
    """Yield the names by which other files can reach a function or class."""
    scope, name = analysis.tree.scope(named), getattr(named, "name", "")
    if scope.kind == "class":
        yield analysis.tree.file(named), f".{name}"
    elif scope.kind == "module" and name:
        yield analysis.tree.file(named), name
        yield from analysis.symbols.reexports((scope, name))
