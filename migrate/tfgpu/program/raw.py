"""The raw module `tensorflow`: what it is called, and what files take from it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import whole_of
from tfgpu.code.index import Import
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.version import Questions, Version
from tfgpu.rulebook.book import Rulebook

RAW = "tensorflow"
V1 = "tensorflow.compat.v1"
# What turns graph mode on in TensorFlow 2.
GRAPH_MODE = frozenset(["tf.disable_v2_behavior", "tf.disable_eager_execution"])
# Parts of the package that tensorflow.compat.v1 has not: they are imported from where they are.
INTERNAL = ("tensorflow.python.", "tensorflow.core.", "tensorflow.compiler.", "tensorflow.tools.")


def uses_tensorflow1(tree: Tree, symbols: Symbols, book: Rulebook) -> bool:
    """Tell whether a file uses, of the raw module, a name that only TensorFlow 1 has there."""
    return any(_is_v1_only(path, book) for _, paths in _of_raw(tree, symbols) for path in paths)


def needs_tensorflow1(tree: Tree, symbols: Symbols, book: Rulebook) -> bool:
    """Tell whether TensorFlow 2 cannot run a file as it is, for want of a name that it uses."""
    questions = Questions(tree, symbols, book)
    return any(
        bool(paths)
        and all(_is_v1_only(path, book) for path in paths)
        and questions.version(node) is Version.BOTH
        for node, paths in _of_raw(tree, symbols)
    )


def _of_raw(tree: Tree, symbols: Symbols) -> Iterator[tuple[ast.AST, Collection[str]]]:
    """Yield what a file imports from the raw module, and uses of it, each with what it may be."""
    for item in tree.imports:
        if item.path.startswith(f"{RAW}."):
            yield item.statement, [item.path]
    for name in symbols.readers(tree):
        if isinstance(name.ctx, ast.Load) and RAW in map(first_part, symbols.paths(name)):
            node = whole_of(name, tree)
            yield node, symbols.paths(node)


def _is_v1_only(path: str, book: Rulebook) -> bool:
    is_other = f"{path}.".startswith(("tensorflow.compat.", *INTERNAL))
    return not is_other and book.is_v1_only(canonical(path))


def raw_imports(tree: Tree) -> list[Import]:
    """Return the imports of anything of the raw package, in order."""
    return [item for item in tree.imports if is_raw(item.alias, item.statement)]


def is_raw(alias: ast.alias, statement: ast.Import | ast.ImportFrom) -> bool:
    """Tell whether an import takes something of the raw package that compat.v1 may have, too."""
    path = alias.name
    if isinstance(statement, ast.ImportFrom):
        if statement.level:
            return False
        path = f"{statement.module}.{alias.name}"
    return f"{path}.".startswith(f"{RAW}.") and not f"{path}.".startswith(
        (*INTERNAL, "tensorflow.compat.", "tensorflow.contrib.")
    )


def first_part(dotted: str) -> str:
    """Return the package of a dotted path."""
    return dotted.partition(".")[0]


def runs_at_import(node: ast.AST, tree: Tree) -> bool:
    """Tell whether a node runs when its file is imported, whatever else happens."""
    return tree.function(node) is tree.root and not tree.guards(node)


def first_of_tensorflow(tree: Tree, packages: Collection[str] = (RAW,)) -> ast.stmt | None:
    """Return the first statement of a file that imports TensorFlow, whatever else happens."""
    nodes = [*(item.statement for item in tree.imports), *tree.star_imports]
    found = [node for node in nodes if runs_at_import(node, tree) and imports_any(node, packages)]
    return min(found, key=tree.position, default=None)


def imports_any(statement: ast.Import | ast.ImportFrom, packages: Collection[str] = (RAW,)) -> bool:
    """Tell whether a statement imports TensorFlow, or one of some packages, by its own name."""
    if isinstance(statement, ast.ImportFrom):
        return not statement.level and first_part(statement.module or "") in packages
    return any(first_part(alias.name) in packages for alias in statement.names)
