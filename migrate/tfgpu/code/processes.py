"""Which files run in one process: the scripts that import a file, and the statements that do so."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import chain, combinations
from pathlib import PurePath

from tfgpu.code.finders import Finders
from tfgpu.code.prefixes import prefix_of
from tfgpu.code.scripts import does_something, is_main_guard, is_test_module, may_be_run
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree


class Processes:
    """The entry scripts of some files that are read as one, and the imports that start them."""

    def __init__(self, tree: Tree, symbols: Symbols, finders: Finders) -> None:
        self._tree = tree
        self._symbols = symbols
        self._finders = finders
        self._entries: dict[Tree, frozenset[str]] = {}
        self._started: dict[Tree, bool] = {}
        self._loaded: dict[Tree, bool] = {}

    def entries(self, tree: Tree) -> frozenset[str]:
        """Return the entry scripts that import a file; a file that nothing imports is its own.

        pytest imports all test modules into one process: together they are one entry.
        """
        found = self._entries.get(tree)
        if found is None:
            found = self._starting(self._reach(tree, self._importers, self._loaders))
            self._entries[tree] = found
        return found

    @staticmethod
    def _reach(tree: Tree, *steps: Mapping[Tree, list[Tree]]) -> set[Tree]:
        """Return a file with all that lead to it by some steps, directly or not."""
        seen = {tree}
        waiting = [tree]
        while waiting:
            last = waiting.pop()
            for other in chain.from_iterable(step.get(last, ()) for step in steps):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    def _starting(self, trees: Collection[Tree]) -> frozenset[str]:
        """Return the entry scripts among some files, all tests as one; else the files."""
        return frozenset(
            "pytest" if is_test_module(item.path) else item.path
            for item in trees
            if self.starts(item)
        ) or frozenset(item.path for item in trees)

    @cached_property
    def _loaders(self) -> dict[Tree, list[Tree]]:
        """The files with texts that may import a module, by that."""
        found: dict[Tree, dict[Tree, None]] = {}
        for node, tree, _ in self._tree.loaded_modules():
            found.setdefault(tree, {})[self._tree.file(node)] = None
        return {tree: list(trees) for tree, trees in found.items()}

    def may_be_loaded(self, tree: Tree) -> bool:
        """Tell whether a text alone brings a module into some process: then it may run at any time.

        Where the process imports it, too, its code has run by then at the latest.
        """
        if tree not in self._loaded:
            imported = self._starting(self._reach(tree, self._importers))
            self._loaded[tree] = not self.entries(tree) <= imported
        return self._loaded[tree]

    def starts(self, tree: Tree) -> bool:
        """Tell whether a program starts with a file: it is run, or pytest imports it."""
        if tree not in self._started:
            self._started[tree] = (
                not self._importers.get(tree)
                or is_test_module(tree.path)
                or may_be_run(tree.text.encode(), lambda: self._imported_by(tree))
            )
        return self._started[tree]

    def is_script(self, tree: Tree) -> bool:
        """Tell whether a program may start with a file under the name `__main__`."""
        is_package = tree.path.endswith("__init__.py")
        return self.starts(tree) and not is_package and not is_test_module(tree.path)

    def second_imports(self, tree: Tree) -> Iterator[ast.AST]:
        """Yield what may load a file once more in one process, with variables of its own.

        A script is imported by its own name; `python -m` imports the packages around it first. Any
        module may have two names: `models.net`, and `net` where its folder is in `sys.path`.
        """
        folders = PurePath(tree.path).parents
        packages = (it for it in self._tree.files if it.is_package)
        first = {tree, *(it for it in packages if PurePath(it.path).parent in folders)}
        nodes = self.imports_of(tree) if self.is_script(tree) else []
        for node in nodes:
            if not first.isdisjoint(self._reach(self._tree.file(node), self._importers)):
                yield node
        named = {self._name_in(node, tree): node for node in self.imports_of(tree)}
        for one, other in combinations([node for name, node in named.items() if name], 2):
            here, there = self._tree.file(one), self._tree.file(other)
            if not self.entries(here).isdisjoint(self.entries(there)):
                yield other

    def _name_in(self, node: ast.AST, tree: Tree) -> str:
        """Return the name by which a statement imports a file; none for a relative one."""
        own = "".join(self._finders.dotted[tree]).removesuffix(".__init__")
        found = ""
        for item in self._tree.file(node).imports if isinstance(node, ast.stmt) else ():
            if item.statement is node:
                path = item.alias.name if isinstance(node, ast.Import) else item.path
                parts = path.split(".")
                names = (".".join(parts[:end]) for end in range(1, len(parts) + 1))
                found = max((found, *(it for it in names if own.endswith(f".{it}"))), key=len)
        return found

    def _imported_by(self, tree: Tree) -> Iterator[tuple[str, bytes]]:
        for other, homes in self._importers.items():
            if tree in homes:
                yield other.path, other.text.encode()

    @cached_property
    def _scripts(self) -> frozenset[str]:
        """The files that are run, and do something then."""
        return frozenset(
            tree.path
            for tree in self._tree.files
            if self.starts(tree) and any(map(does_something, tree.module.body))
        )

    def is_dead(self, node: ast.AST) -> bool:
        """Tell whether a function without a call in the files is never called."""
        entries = self.entries(self._tree.file(node))
        return "pytest" not in entries and entries <= self._scripts and not self._is_main(node)

    @staticmethod
    def _is_main(node: ast.AST) -> bool:
        """Tell whether an installed command may start with a function."""
        return getattr(node, "name", "") in ("main", "_main", "run", "cli")

    @cached_property
    def _import_statements(self) -> dict[Tree, list[ast.AST]]:
        found: dict[Tree, dict[ast.AST, None]] = {}
        for statement, tree in self._linked():
            found.setdefault(tree, {})[statement] = None
        for node, tree, _ in self._tree.loaded_modules():
            found.setdefault(tree, {})[self._tree.statement(node)] = None
        return {tree: list(statements) for tree, statements in found.items()}

    @cached_property
    def _importers(self) -> dict[Tree, list[Tree]]:
        found: dict[Tree, dict[Tree, None]] = {}
        for statement, tree in self._linked():
            home = self._tree.file(statement)
            if home is not tree:
                found.setdefault(tree, {})[home] = None
        return {tree: list(trees) for tree, trees in found.items()}

    def _linked(self) -> Iterator[tuple[ast.AST, Tree]]:
        """Yield every import statement with each module of the files that it runs."""
        for statement, tree in self._tree.imported_modules():
            # The name of a package stands before those of its modules: `from . import module`.
            if tree is not self._tree.file(statement) or not tree.path.endswith("__init__.py"):
                yield statement, tree
        # A name of a run may be that of any module; a text or a path that of any file.
        texts = set(self._finders.texts)
        for node in self._finders.dynamic:
            home = self._tree.file(node)
            prefix = prefix_of(node, self._tree)
            for tree in self._below(prefix):
                if tree is home:
                    continue
                # What stands under a guard does not run where a module is imported.
                guarded = any(map(is_main_guard, tree.module.body))
                if node in texts or not guarded or self._reads(home, tree):
                    yield self._tree.statement(node), tree

    def _below(self, prefix: str) -> Iterator[Tree]:
        """Yield the files whose dotted names may begin so: "models." of what is in that folder.

        The folder that holds all files, and those above it, count where no folder in it has the
        name: most clones are called like the package in them.
        """
        inside = [tree for tree, (_, name) in self._finders.dotted.items() if f".{prefix}" in name]
        if inside:
            yield from inside
            return
        for tree, (above, name) in self._finders.dotted.items():
            if f".{prefix}" in above + name:
                yield tree

    def _reads(self, home: Tree, tree: Tree) -> bool:
        """Tell whether a file may read a name of a module that it does not import by name."""
        return self._finders.modules_are_objects or any(
            self._tree.file(attribute) is home
            and not self._symbols.paths(attribute)
            and self._finders.may_be_module(attribute.value)
            for name in tree.root.bindings
            for attribute in self._tree.attributes.get(name, [])
        )

    def imports_of(self, tree: Tree) -> list[ast.AST]:
        """Return the statements that import a module, or may: they run its code the first time."""
        return self._import_statements.get(tree, [])
