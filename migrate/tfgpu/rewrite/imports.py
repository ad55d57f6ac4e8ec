"""What happens to the imports of a migrated file."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tfgpu.code.symbols import Symbols, canonical
from tfgpu.code.tree import Import, Scope, Tree
from tfgpu.dataclass import dataclass, field
from tfgpu.decide.graph_mode import raw_imports
from tfgpu.flow.collect import Analysis
from tfgpu.rulebook.book import Rulebook

_RAW = "tensorflow"
# TF1 names that a migrated file may not have any more.
_MAY_GO = frozenset(["ConfigProto", "GPUOptions", "GraphOptions", "OptimizerOptions", "Session"])
_NAMESPACES = (_RAW, "tensorflow.compat.v1", "tensorflow.compat.v2")


@dataclass(slots=True)
class Imports:
    """Changes of imports.

    `added` are modules to import at the top of the file (a module and the name it gets),
    `switched` what is imported from tensorflow.compat.v1 from now on (`stars`: by
    `from tensorflow import *`), `disable_after` the
    statements after which `disable_v2_behavior()` of a name is called, `removed` names that
    nothing uses any more, `moved` names that got a better one in another module.
    """

    added: dict[str, str] = field(default_factory=dict)
    switched: list[Import] = field(default_factory=list)
    stars: list[ast.ImportFrom] = field(default_factory=list)
    disable_after: dict[ast.stmt, str] = field(default_factory=dict)
    removed: list[Import] = field(default_factory=list)
    moved: dict[ast.alias, tuple[str, str]] = field(default_factory=dict)


def tensorflow_name(analysis: Analysis, node: ast.AST) -> str | None:
    """Return the name by which a node reaches the TensorFlow module, the raw module first."""
    tree = analysis.tree
    found: dict[str, str] = {}
    for item in tree.imports:
        owner = tree.owner(item.name, tree.scope(node))
        early = item.scope is tree.root or tree.position(item.alias) < tree.position(node)
        path = _tensorflow_path(item, analysis)
        if path is not None and owner is item.scope and early:
            found.setdefault(path, item.name)
    known = next((found[path] for path in _NAMESPACES if path in found), None)
    return known or _assigned_name(analysis, node)


def _tensorflow_path(item: Import, analysis: Analysis) -> str | None:
    """Return the path of the whole module that an import stands for, if that is TensorFlow."""
    if item.alias.name.startswith(f"{item.path}."):
        return None
    paths = {item.path}
    if item.path not in _NAMESPACES:
        # A module of the project's own may hand TensorFlow on.
        paths = set(analysis.symbols.imported(item))
    path = paths.pop() if len(paths) == 1 else None
    return path if path in _NAMESPACES else None


def _assigned_name(analysis: Analysis, node: ast.AST) -> str | None:
    """Return a variable that a function's result made TensorFlow: `tf = import_tensorflow()`."""
    tree = analysis.tree
    scope: Scope | None = tree.scope(node)
    while scope is not None:
        for name, bindings in scope.bindings.items():
            if not bindings or not isinstance(bindings[0].value, ast.Call):
                continue
            if scope is tree.root or tree.position(bindings[0].node) < tree.position(node):
                paths = analysis.symbols.assigned(scope, name)
                if paths and paths <= set(_NAMESPACES):
                    return name
        scope = scope.parent
    return None


def always_imported(analysis: Analysis) -> str | None:
    """Return the name that TensorFlow has in the whole module, whatever the program does."""
    tree = analysis.tree
    return next(
        (
            item.name
            for item in tree.imports
            if _tensorflow_path(item, analysis)
            and item.scope is tree.root
            and not any(isinstance(guard, ast.If) for guard, _ in tree.guards(item.statement))
        ),
        None,
    )


def module_name(analysis: Analysis, module: str, node: ast.AST) -> str | None:
    """Return the name of a module that is imported at the top level before a node needs it."""
    tree = analysis.tree
    for item in tree.imports:
        early = node is tree.module or tree.function(node) is not tree.root
        if not early:
            early = tree.position(item.alias) < tree.position(node)
        if (
            item.path == module
            and early
            and tree.owner(item.name, tree.scope(node)) is item.scope is tree.root
            and len(tree.root.bindings[item.name]) == 1
        ):
            return item.name
    return None


def switched(
    analysis: Analysis, book: Rulebook, gone: set[ast.AST], handed_on: Collection[str]
) -> list[Import]:
    """Return the raw imports to switch to tensorflow.compat.v1.

    There are none where no TF1 name is left: `gone` are the nodes that the migrated file does not
    have any more. A file that never used a TF1 name of the raw module is no raw TF1 file, unless
    other files have their TensorFlow from it, by the names `handed_on`.
    """
    raw = raw_imports(analysis)
    if any(item.name in handed_on or "*" in handed_on for item in raw):
        return [*raw, *_direct(analysis.tree, book)]
    paths = _raw_paths(analysis.tree, analysis.symbols)
    direct = _direct(analysis.tree, book)
    left = [path for use, path in paths.items() if use not in gone]
    used, contrib = (
        [item for item in found if any(use not in gone for use in _uses(item, analysis))]
        for found in (direct, _contrib(analysis.tree))
    )
    is_raw = uses_tensorflow1(analysis.tree, analysis.symbols, book)
    needs_v1 = bool(used or contrib) or any(
        _is_v1_only(path, book) or path.startswith("tensorflow.compat.v1.") for path in left
    )
    return [*raw, *used] if is_raw and needs_v1 else []


def stays_tensorflow1(tree: Tree, symbols: Symbols, book: Rulebook) -> bool:
    """Tell whether a file uses TF1 names of the raw module that no migration takes away."""
    return any(
        _is_v1_only(path, book) and path.split(".")[1] not in _MAY_GO
        for path in _raw_paths(tree, symbols).values()
    )


def uses_tensorflow1(tree: Tree, symbols: Symbols, book: Rulebook) -> bool:
    """Tell whether a file uses, of the raw module, a name that only TensorFlow 1 has there."""
    paths = _raw_paths(tree, symbols).values()
    return bool(_direct(tree, book) or _contrib(tree)) or any(
        _is_v1_only(path, book) for path in paths
    )


def _contrib(tree: Tree) -> list[Import]:
    """Return the imports from tensorflow.contrib, which only TensorFlow 1 has."""
    return [item for item in tree.imports if f"{item.path}.".startswith("tensorflow.contrib.")]


def _raw_paths(tree: Tree, symbols: Symbols) -> dict[ast.Name, str]:
    """Return what is used of the raw module: the name that each use starts with, and its path."""
    return {
        use: path
        for names in tree.names.values()
        for use in names
        if isinstance(use.ctx, ast.Load) and _RAW in symbols.paths(use)
        for path in symbols.paths(_chain(use, tree))
    }


def _direct(tree: Tree, book: Rulebook) -> list[Import]:
    """Return the imports of single TF1 names, as in `from tensorflow import Session`."""
    return [
        item
        for item in tree.imports
        if isinstance(item.statement, ast.ImportFrom)
        and item.statement.module == _RAW
        and _is_v1_only(item.path, book)
    ]


def unused(analysis: Analysis, gone: set[ast.AST], code: str) -> list[Import]:
    """Return the TensorFlow and Keras imports that only served what is gone.

    `code` is all migrated code; a name that it mentions stays.
    """
    if "__all__" in analysis.tree.words:
        return []
    found = []
    for item in analysis.tree.imports:
        uses = _uses(item, analysis)
        lonely = len(analysis.tree.block(item.statement)) == 1
        ours = canonical(item.path).partition(".")[0] in ("tf", "keras")
        if ours and uses and not lonely and all(use in gone for use in uses):
            words = set("".join(char if char.isidentifier() else " " for char in code).split())
            if item.name not in words:
                found.append(item)
    return found


def _uses(item: Import, analysis: Analysis) -> list[ast.Name]:
    tree = analysis.tree
    return [
        name
        for name in tree.names.get(item.name, [])
        if isinstance(name.ctx, ast.Load) and tree.owner(name.id, tree.scope(name)) is item.scope
    ]


def _chain(name: ast.Name, tree: Tree) -> ast.expr:
    """Return the whole dotted expression that a name starts."""
    node: ast.expr = name
    parent = tree.parent[node]
    while isinstance(parent, ast.Attribute):
        node, parent = parent, tree.parent[parent]
    return node


def _is_v1_only(path: str, book: Rulebook) -> bool:
    parts = path.split(".")[1:]
    return any(".".join(parts[: end + 1]) in book.v1_only for end in range(len(parts)))
