"""What happens to the imports of a migrated file."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator

from tfgpu.code.canonical import canonical
from tfgpu.code.index import Import, Scope
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass, field
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis
from tfgpu.flow.taken import module_import
from tfgpu.program.raw import RAW, V1, first_of_tensorflow, first_part, runs_at_import
from tfgpu.program.switches import Switch, spot

_NAMESPACES = (RAW, V1, "tensorflow.compat.v2")
# A name, but not what is taken from something: `set_session` in `tf.keras.backend.set_session`.
_NAME = expression(r"(?<![\w.])[^\W\d]\w*")


@dataclass(slots=True)
class Imports:
    """Changes of imports.

    `added` are modules to import at the top of the file (a module and the name it gets),
    TensorFlow at the import `beside` where there is one, `switched` what is imported from
    tensorflow.compat.v1 from now on (`stars`: by `from tensorflow import *`), `disable_after` the
    statements after which `disable_v2_behavior()` of a name is called, or, where that is "", of
    the function itself, `removed` names that
    nothing uses any more, `emptied` statements that lose all their names and import their module
    all the same, `moved` names that got a better one in another module.
    """

    added: dict[str, str] = field(default_factory=dict)
    beside: ast.stmt | None = None
    switched: list[Import] = field(default_factory=list)
    stars: list[ast.ImportFrom] = field(default_factory=list)
    disable_after: dict[ast.stmt, str] = field(default_factory=dict)
    removed: list[Import] = field(default_factory=list)
    emptied: dict[ast.stmt, str] = field(default_factory=dict)
    moved: dict[ast.alias, tuple[str, str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Tell whether the file changes for its imports alone."""
        return bool(
            self.switched or self.stars or self.moved or self.disable_after or V1 in self.added
        )


def tensorflow_name(analysis: Analysis, node: ast.AST, of_configs: Container[str]) -> str | None:
    """Return the name by which a node reaches the TensorFlow module, the raw module first.

    `of_configs` are the names in the code of the configs (`config_names`).
    """
    tree = analysis.tree
    certain: dict[str, str] = {}
    needed: dict[str, str] = {}
    beside = set(_names(_expressions(tree.statement(node))))
    for item in tree.imports:
        owner = tree.owner(item.name, tree.scope(node))
        path = _tensorflow_path(item, analysis)
        if path is None or owner is not item.scope or _is_lost(item, tree):
            continue
        is_later = item.scope is tree.root and tree.function(node) is not tree.root
        early = is_later or tree.position(item.alias) < tree.position(node)
        if (early and item.name in beside) or _is_bound(item, node, tree):
            certain.setdefault(path, item.name)
        elif early and item.name in of_configs:
            needed.setdefault(path, item.name)  # The program itself needs it there, or before.
    ways = (found[path] for found in (certain, needed) for path in _NAMESPACES if path in found)
    return next(ways, None) or _assigned_name(analysis, node)


def _is_bound(item: Import, node: ast.AST, tree: Tree) -> bool:
    """Tell whether an import has certainly bound its name when a node is reached."""
    return tree.position(item.alias) < tree.position(node) and (
        set(tree.guards(item.statement)) <= set(tree.guards(node))
    )


def config_names(analysis: Analysis) -> frozenset[str]:
    """Return the names that a file needs in all that makes its configs, or takes those of others.

    What only one of several needs may not be there in the runs of another one.
    """
    found: frozenset[str] | None = None
    for config in analysis.facts.configs:
        built = [*filter(analysis.tree.holds, config.roots or config.built)]
        for call in built or filter(analysis.tree.holds, (sink.call for sink in config.sinks)):
            names = frozenset(_names([call.func]))
            found = names if found is None else found & names
    return found or frozenset()


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that are no statements."""
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield child


def _names(parts: Iterable[ast.AST]) -> Iterator[str]:
    return (name.id for part in parts for name in ast.walk(part) if isinstance(name, ast.Name))


def _is_lost(item: Import, tree: Tree) -> bool:
    """Tell whether a name may be that of something else than a module by and by: `tf = None`.

    What a handler of the import's own `try` assigns stands in for a TensorFlow that is not there.
    """
    tries = {guard for guard, part in tree.guards(item.statement) if part == "body"}
    return any(
        (binding.value is None or isinstance(binding.value, ast.Constant))
        and not any(
            guard in tries and part == "handlers" for guard, part in tree.guards(binding.node)
        )
        for binding in item.scope.bindings[item.name]
        if binding.kind != "import"
    )


def _tensorflow_path(item: Import, analysis: Analysis) -> str | None:
    """Return the path of the whole module that an import refers to, if that is TensorFlow."""
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
            and not tree.guards(item.statement)
        ),
        None,
    )


def place_of_tensorflow(
    analysis: Analysis, needed: Iterable[str], node: ast.AST
) -> ast.stmt | None:
    """Return the import of a file at which TensorFlow may be imported for a node; None for none.

    Above it may be too early: programs write what TensorFlow reads when it is imported, and some
    runs do without it. The import runs before all code that needs one of the names.
    """
    tree = analysis.tree
    ready = [
        statement
        for name in needed
        for statement in _binding_imports(name, analysis)
        if runs_at_import(statement, tree)
    ]
    if not ready:
        return None
    place = min(ready, key=tree.position)
    own = first_of_tensorflow(tree)
    if own is not None and tree.position(own) < tree.position(place):
        place = own
    # Settings may stand in front of what their config needs.
    is_late = tree.function(node) is tree.root and tree.position(node) < tree.position(place)
    return None if is_late else place


def _binding_imports(name: str, analysis: Analysis) -> list[ast.stmt]:
    """Return the import that a name of the whole module certainly comes from."""
    tree = analysis.tree
    bindings = tree.root.bindings.get(name)
    if bindings:
        item = tree.imported.get(bindings[0].node)
        return [item.statement] if item is not None and len(bindings) == 1 else []
    is_starred = analysis.symbols.starred(tree, name) is not None
    return [
        star
        for star, module in tree.star_imports.items()
        if len(tree.star_imports) == 1 and (is_starred or first_part(module) == RAW)
    ]


def module_name(analysis: Analysis, module: str, node: ast.AST) -> str | None:
    """Return the name of a module that is imported at the top level before a node needs it."""
    tree = analysis.tree
    for item in tree.imports:
        if (
            item.path == module
            and (node is tree.module or _is_bound(item, node, tree))
            and tree.owner(item.name, tree.scope(node)) is item.scope is tree.root
            and len(tree.root.bindings[item.name]) == 1
        ):
            return item.name
    return None


def switch(plan: Imports, tree: Tree, chosen: Switch, starred: bool) -> None:
    """Add the changed imports of a switched program to the plan of a file.

    `starred` tells that another file imports all of its names.
    """
    imports = {item.spot for item in chosen.imports}
    stars = {item.spot for item in chosen.stars}
    plan.switched = [item for item in tree.imports if spot(item.alias) in imports]
    plan.stars = [node for node in tree.star_imports if spot(node) in stars]
    nodes: list[ast.stmt] = [*(item.statement for item in tree.imports), *tree.star_imports]
    statements = {spot(node): node for node in nodes}
    # A file of two programs may need it at the top for one of them.
    at_top = any(disable.statement is None for disable in chosen.disable)
    for disable in chosen.disable:
        if disable.statement is None or disable.is_added:
            plan.added[V1] = _free_name(tree, plan.switched, disable.name, starred)
        if disable.statement is None:
            continue
        if not disable.is_added:
            plan.disable_after[statements[disable.statement]] = disable.name
        elif not at_top:
            plan.beside = statements[disable.statement]


def _free_name(tree: Tree, switched: list[Import], name: str, starred: bool) -> str:
    """Return a name for tensorflow.compat.v1 at the top of a file: one that nothing else has."""
    bindings = tree.root.bindings.get(name)
    if bindings:
        taken = any(tree.imported.get(binding.node) not in switched for binding in bindings)
    else:
        # It may come from a star import; one of this file takes no name with an underscore.
        taken = None in (tree.owner(name, tree.scope(node)) for node in tree.names.get(name, ()))
        if starred:
            name, taken = f"_{name}", f"_{name}" in tree.words
    if not taken:
        return name
    return next(f"{name}{number}" for number in range(1, 99) if f"{name}{number}" not in tree.words)


def lose(plan: Imports, lost: list[Import]) -> None:
    """Remove the imports of configs; their modules are imported all the same."""
    plan.removed += lost
    gone = {item.alias for item in lost}
    for statement in {item.statement for item in lost}:
        assert isinstance(statement, ast.ImportFrom)
        if gone.issuperset(statement.names):
            plan.emptied[statement], _ = module_import(statement)


def unused(
    analysis: Analysis, gone: set[ast.AST], code: str, asked: Container[str]
) -> list[Import]:
    """Return the TensorFlow and Keras imports that only served what is gone.

    `code` is all migrated code; a name that it mentions stays, and one that other code may ask the
    module for: `asked` are those that files ask for that are not analysed.
    """
    if "__all__" in analysis.tree.words:
        return []
    words = set(_NAME.findall(code))
    found = []
    for item in analysis.tree.imports:
        uses = _uses(item, analysis)
        lonely = len(analysis.tree.block(item.statement)) == 1
        ours = canonical(item.path).partition(".")[0] in ("tf", "keras")
        at_top = item.scope is analysis.tree.root
        if (
            ours
            and uses
            and not lonely
            and item.name not in words
            and all(use in gone for use in uses)
            and not (at_top and _is_asked(item, analysis, asked))
        ):
            found.append(item)
    return found


def _is_asked(item: Import, analysis: Analysis, asked: Container[str]) -> bool:
    """Tell whether other code may ask a module for a name that it imports."""
    variable = (item.scope, item.name)
    symbols = analysis.symbols
    return (
        item.name in asked
        or bool(symbols.users(variable))
        or any(symbols.reexports(variable))
        or analysis.reflection.looks_at_module(item.name)
    )


def _uses(item: Import, analysis: Analysis) -> list[ast.Name]:
    tree = analysis.tree
    return [
        name
        for name in tree.names.get(item.name, [])
        if isinstance(name.ctx, ast.Load) and tree.owner(name.id, tree.scope(name)) is item.scope
    ]
