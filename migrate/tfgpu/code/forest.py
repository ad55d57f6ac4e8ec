"""Several modules that are analysed as one: names are followed through imports between them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import PurePath

from tfgpu.code.index import Import, Scope, _Node
from tfgpu.code.spelled import is_build_script, texts_that_load
from tfgpu.code.tree import Tree

# Returns the path of the module that a dotted import of a file means, and the names after it.
Find = Callable[[str, str], tuple[str, str] | None]
# Libraries that programs import everything from: none of it is a setting.
_LIBRARIES = frozenset(["tensorflow", "keras", "numpy", "scipy", "matplotlib", "pylab", "six"])


def _may_be_ours(dotted: str) -> bool:
    """Tell whether a module that is not among the files may be one of the program all the same."""
    root = dotted.partition(".")[0]
    return root not in sys.stdlib_module_names and root not in _LIBRARIES


class Forest(Tree):
    """The trees of several modules, read as one."""

    def __init__(self, trees: Sequence[Tree], find: Find) -> None:
        # The index of a single module is merged, not built again.
        self._trees = list(trees)
        self._find = find
        self._by_path = {tree.path: tree for tree in trees}
        # The scopes of modules, and those inside of them that were asked for.
        self._by_scope: dict[Scope, Tree] = {tree.root: tree for tree in trees}
        self.parent = {}
        self.names = {}
        self.attributes = {}
        self.calls = []
        self.imports = []
        self.imported = {}
        self.functions = {}
        self.opened = frozenset()
        self.swallowing = frozenset()
        self._scope = {}
        self._guards = {}
        self._linked: list[tuple[ast.stmt, Tree]] = []
        # Whether dotted paths may mean one of the files.
        self._meant_files: dict[str, bool] = {}
        self._meanings: dict[Tree, dict[ast.AST, tuple[str, str] | None]] = {}
        for tree in trees:
            self.parent.update(tree.parent)
            self.calls += tree.calls
            self.imports += tree.imports
            self.imported.update(tree.imported)
            self._scope.update(tree._scope)
            for name, names in tree.names.items():
                self.names.setdefault(name, []).extend(names)
            for name, attributes in tree.attributes.items():
                self.attributes.setdefault(name, []).extend(attributes)
            for name, functions in tree.functions.items():
                self.functions.setdefault(name, []).extend(functions)

    def open(self, tests: Iterable[ast.AST]) -> None:
        """Record the conditions that are always true after the migration: they guard nothing."""
        super().open(tests)
        for tree in self._trees:
            tree.open(test for test in self.opened if tree.holds(test))

    def swallow(self, statements: Iterable[ast.AST]) -> None:
        """Record the `with` statements that may end an exception in their bodies."""
        super().swallow(statements)
        for tree in self._trees:
            tree.swallow(one for one in self.swallowing if tree.holds(one))

    @property
    def files(self) -> list[Tree]:
        """Every module, as a tree of its own."""
        return self._trees

    def nodes(self, kind: type[_Node]) -> list[_Node]:
        """Return every node of a class."""
        return [node for tree in self._trees for node in tree.nodes(kind)]

    def _code_of(self, scope: Scope) -> list[tuple[tuple[int, int], ast.stmt | ast.expr]]:
        return self.file(scope.node)._code_of(scope)

    def file(self, node: ast.AST) -> Tree:
        """Return the tree of the module that a node is in."""
        scope = self._scope[node]
        found = self._by_scope.get(scope)
        if found is None:
            root = scope
            while root.parent is not None:
                root = root.parent
            found = self._by_scope[scope] = self._by_scope[root]
        return found

    def linked(self, item: Import) -> tuple[Tree, str] | None:
        """Return the module that an import means, and the name that it takes from there."""
        found = self._find(self.file(item.statement).path, item.path)
        if found is None or found[0] not in self._by_path or "." in found[1]:
            return None
        module = self._by_path[found[0]]
        package = None if found[1] else self._package(item, module)
        if package is not None:
            return package, item.path.rpartition(".")[2]
        return module, found[1]

    def _package(self, item: Import, module: Tree) -> Tree | None:
        """Return the package of a module that binds the name of the module to something else.

        That is what other files import: `from package import train` is the function where the
        package has `from package.train import train`.
        """
        head, _, name = item.path.rpartition(".")
        dots = item.path[: len(item.path) - len(item.path.lstrip("."))]
        above = head if head.strip(".") else dots
        found = self._find(self.file(item.statement).path, above) if above else None
        package = self._by_path.get(found[0]) if found is not None and not found[1] else None
        if package is None or package is module:
            return None
        means = self._meant(package)
        bound = any(
            means.get(binding.node) != (module.path, "")
            for binding in package.root.bindings.get(name, ())
        )
        # `import package.module` binds the name once more, unless the package has done so before.
        imports = isinstance(item.statement, ast.ImportFrom) or any(
            path is not None and path[0] == module.path for path in means.values()
        )
        return package if imports and (bound or self._star_binds(package, name)) else None

    def _meant(self, package: Tree) -> dict[ast.AST, tuple[str, str] | None]:
        """Return what the `from ... import ...` of a package mean, by their aliases."""
        if package not in self._meanings:
            self._meanings[package] = {
                alias: self._find(package.path, other.path)
                for alias, other in package.imported.items()
                if isinstance(other.statement, ast.ImportFrom)
            }
        return self._meanings[package]

    def _is_shadowed(self, name: ast.Name) -> bool:
        return super()._is_shadowed(name) or self._star_binds(self.file(name), name.id)

    def _star_binds(self, tree: Tree, name: str) -> bool:
        """Tell whether `from module import *` of a module, through any number, binds a name."""
        return any(self.star_binders(tree, name))

    def star_binders(self, tree: Tree, name: str, after: int = 0) -> list[Tree | None]:
        """Return the modules that a name may come from by the star imports behind a line.

        None stands for those that are not known. There is one where the name is certain.
        """
        return self._star_binders(tree, name, after, frozenset())[0]

    def _star_binders(
        self, tree: Tree, name: str, after: int, seen: frozenset[Tree]
    ) -> tuple[list[Tree | None], bool]:
        """Return the modules as `star_binders` does, and whether one binds the name for sure."""
        found: list[Tree | None] = []
        certain = False
        for statement, path in sorted(tree.star_imports.items(), key=lambda item: item[0].lineno):
            if statement.lineno <= after:
                continue
            module = self._module(tree, path)
            given: list[Tree | None] = []
            always = False
            if module is None:
                given = [None] if _may_be_ours(path) else []
            elif module not in seen and self._brings(module, name) is not False:
                if name in module.root.bindings:
                    given, always = [module], module.always_binds(name)
                else:
                    given, always = self._star_binders(module, name, 0, seen | {tree})
                always = always and bool(self._brings(module, name))
            if always and statement in tree.module.body:
                found, certain = given, True
            else:
                found = found + given
        return list(dict.fromkeys(found)), certain

    def _module(self, importer: Tree, dotted: str) -> Tree | None:
        """Return the module that an import of a dotted path means, if it is one of the files."""
        found = self._find(importer.path, dotted)
        return self._by_path.get(found[0]) if found is not None and not found[1] else None

    def means(self, dotted: str) -> bool:
        """Tell whether an import of a dotted path, in any of the files, may mean one of them."""
        known = self._meant_files.get(dotted)
        if known is None:
            found = (self._find(tree.path, dotted) for tree in self._trees)
            known = any(item is not None and item[0] in self._by_path for item in found)
            self._meant_files[dotted] = known
        return known

    @cached_property
    def _sets_exports(self) -> bool:
        """Whether a file may change what `__all__` of another one is."""
        return any(tree.changes_exports for tree in self._trees)

    @cached_property
    def _all_starred(self) -> frozenset[Tree]:
        return frozenset(module for tree in self._trees for module in self.starred(tree))

    def _brings(self, module: Tree, name: str) -> bool | None:
        """Tell whether a star import of a module brings a name of it; None if unknown."""
        return None if self._sets_exports else module.star_brings(name)

    def may_export(self, module: Tree, name: str) -> bool:
        """Tell whether `__all__` of a module, which another may set, may have a name."""
        is_set = self._sets_exports and module in self._all_starred
        return is_set or module.exports.may_have(name)

    def starred(self, tree: Tree, after: int = 0) -> list[Tree]:
        """Return the modules that a module imports everything from, behind a line."""
        stars = tree.star_imports.items()
        found = (self._module(tree, path) for node, path in stars if node.lineno > after)
        return [module for module in found if module is not None]

    def has_submodule(self, package: Tree, name: str) -> bool:
        """Tell whether an import of a module may give its name in a package to it, later on.

        It does not where the package takes the name from that module: it is loaded by then.
        """
        module = self._module(package, f".{name}") if package.is_package else None
        if module is None or module is package or module not in self._imported:
            return False
        paths = [item.path for item in package.root.bindings.get(name, ()) if item.path]
        taken = (self._find(package.path, path) for path in paths)
        return all(found is None or found[0] != module.path for found in taken)

    @cached_property
    def _imported(self) -> frozenset[Tree]:
        return frozenset(module for _, module in self.imported_modules())

    def loaded_modules(self) -> Iterator[tuple[ast.expr, Tree, str]]:
        """Yield each text that may import a module of the files, that, and what it names in it."""
        return iter(self._loaded)

    @cached_property
    def _loaded(self) -> list[tuple[ast.expr, Tree, str]]:
        found = []
        for tree in self._trees:
            for node, dotted in texts_that_load(tree) if not is_build_script(tree.path) else ():
                means = self._find(tree.path, dotted)
                module = self._by_path.get(means[0]) if means is not None else None
                if means is None or module is None or module is tree:
                    continue
                name = means[1].partition(".")[0]
                if not name or name in module.words or module.star_imports:
                    found.append((node, module, name))
        return found

    def imported_modules(self) -> Iterator[tuple[ast.stmt, Tree]]:
        """Yield each import statement with every module of the files that it runs."""
        if not self._linked:
            self._linked += self._find_linked()
        return iter(self._linked)

    def _find_linked(self) -> Iterator[tuple[ast.stmt, Tree]]:
        for tree in self._trees:
            for statement, path in (
                *tree.imports_by_name(),
                *((item.statement, item.path) for item in tree.imports),
                *(
                    (item.statement, item.alias.name)
                    for item in tree.imports
                    if isinstance(item.statement, ast.Import)
                ),
                *tree.star_imports.items(),
            ):
                level = len(path) - len(path.lstrip("."))
                names = path[level:].split(".")
                for end in range(1, len(names) + 1):
                    found = self._find(tree.path, path[:level] + ".".join(names[:end]))
                    if found is not None and found[0] in self._by_path:
                        yield statement, self._by_path[found[0]]
            for statement, path in tree.star_imports.items():
                for module in self._listed(tree, path):
                    yield statement, module

    def _listed(self, importer: Tree, dotted: str) -> Iterator[Tree]:
        """Yield the modules that `from package import *` imports: those that `__all__` may name."""
        package = self._module(importer, dotted)
        if package is None or "__all__" not in package.root.bindings:
            return
        for tree in self._trees:
            name = PurePath(tree.path).stem
            if self._find(package.path, f".{name}") == (tree.path, "") and (
                package.exports.may_have(name)
            ):
                yield tree

    def line(self, number: int) -> str:
        """Not to be asked of several modules: lines belong to the tree of one."""
        raise NotImplementedError  # pragma: no cover

    def source(self, node: ast.expr) -> str:
        """Return the text of an expression on one line."""
        return self.file(node).source(node)

    def line_words(self, node: ast.AST) -> str:
        """Return the line number of a node as in messages: `3`, or `3 of cell 2`."""
        return self.file(node).line_words(node)

    def where(self, node: ast.AST) -> str:
        """Return file and line of a node, as messages about several files name them."""
        return self.file(node).where(node)

    def end(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column after the last character of a node, in its file."""
        return self.file(node).end(node)

    def position(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column of a node in its file, both from 1."""
        return self.file(node).position(node)
