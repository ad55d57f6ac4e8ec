"""Imports, and runs, of what is named by a string, or known only in a run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.prefixes import prefix_of
from tfgpu.code.tree import Tree, last_name
from tfgpu.program.raw import RAW, first_part

_IMPORTERS = frozenset(["import_module", "__import__"])
# They import, or run, files and texts that are named at run time.
_RUNNERS = frozenset(
    [
        "spec_from_file_location", "SourceFileLoader", "load_source", "run_path", "run_module",
        "iter_modules", "walk_packages", "timeit", "exec", "execfile", "locate",
        "iter_entry_points", "import_string", "resolve_name",
    ]
)  # fmt: skip


def imports_by_name(tree: Tree) -> Iterator[ast.AST]:
    """Yield imports by a name in a string that is TensorFlow's, or is not known."""
    times = any(first_part(item.path) == "timeit" for item in tree.imports)
    for call in tree.calls:
        word = last_name(call.func)
        if word in _IMPORTERS and call.args:
            first = call.args[0]
            known = str(first.value) if isinstance(first, ast.Constant) else prefix_of(call, tree)
            if first_part(known) in ("", RAW):
                yield call
        elif word in _RUNNERS or (word == "Timer" and times):
            yield call
    for attribute in tree.attributes.get("modules", []):
        if isinstance(tree.parent[attribute], ast.Subscript):
            yield attribute
