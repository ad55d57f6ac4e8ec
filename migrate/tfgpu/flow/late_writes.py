"""Variables of the environment that are set when what reads them has read them already."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.flow.facts import Config
from tfgpu.rulebook.book import Rulebook

# What CUDA reads when it is initialised.
_CUDA = frozenset(["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"])


def read_before(
    name: str,
    write: ast.AST,
    tree: Tree,
    symbols: Symbols,
    configs: Iterable[Config],
    book: Rulebook,
) -> ast.Call | None:
    """Return a call that certainly made the GPUs, or asked CUDA for them, before a variable is set.

    None where there is none, or the variable is not about devices.
    """
    if name not in book.variables_of_devices:
        return None
    named = [(call, symbols.name(call.func) or "") for call in tree.calls]
    settings = (item for config in configs for item in config.settings)
    if any(item.field.startswith("device_count") for item in settings):
        # A session without GPUs leaves CUDA alone.
        named = [(call, callee) for call, callee in named if not callee.endswith("Session")]
    asks = [call for call, callee in named if name in _CUDA and callee in book.starts_cuda]
    makes = [call for call, callee in named if callee in book.makes_devices]
    return next((call for call in [*asks, *makes] if _certainly_before(call, write, tree)), None)


def _certainly_before(call: ast.Call, write: ast.AST, tree: Tree) -> bool:
    """Tell whether a call has certainly run when a variable is set."""
    guards, around = tree.guards(call), tree.guards(write)
    if tree.function(call) is tree.function(write):
        return tree.position(call) < tree.position(write) and around[: len(guards)] == guards
    if tree.function(call).kind != "module" or guards:
        return False
    # Module code runs before the functions that are defined below it.
    outer = tree.function(write).node
    while tree.function(outer).kind != "module":
        outer = tree.function(outer).node
    return tree.position(call) < tree.position(outer)
