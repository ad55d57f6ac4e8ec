"""What a program finds by strings: `getattr(x, name)`, `globals()[name]`, `eval`, entry points.

A function or class that is found in this way may run at any time. A literal name finds whatever has
that name; a computed one, and all else that is not plain Python, any.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.classes import Classes
from tfgpu.code.dynamic import BY_NAMES, OBJECT_FINDERS, DynamicImports, is_library
from tfgpu.code.imported import Names
from tfgpu.code.index import Import
from tfgpu.code.lookups import IDENTIFIER
from tfgpu.code.origins import UNKNOWN, Origins
from tfgpu.code.plain import PlainPython
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.rulebook.plain import PlainNames

# Calls that give a module made of a file.
_FROM_FILES = ("load_source", "load_module", "load_package", "module_from_spec")
# How the origin of a module ends.
_MODULES = tuple(
    f"{name}()" for name in (*_FROM_FILES, "ModuleType", "reload", "import_module", "__import__")
)


class Finders(DynamicImports):
    """Code that finds functions, classes and modules of the files by a string, or by `exec`."""

    def __init__(
        self, tree: Tree, symbols: Symbols, classes: Classes, names: Names, plain: PlainNames
    ) -> None:
        super().__init__(tree, symbols)
        self.classes = classes
        self.plain = PlainPython(tree, symbols, classes, names, plain)

    @cached_property
    def origins(self) -> Origins:
        """Where objects of the files come from: the same ones for all parts of an analysis."""
        return Origins(self._tree, self._symbols, self.classes)

    @cached_property
    def certain_origins(self) -> Origins:
        """Where objects come from, whatever annotations say."""
        return Origins(self._tree, self._symbols, self.classes, believes=False)

    def finds(self, name: str) -> bool:
        """Tell whether a program may find a function or class by a string, or without its name."""
        return (
            name in self._named
            or self.finds_any
            or name in self._spelled
            or self._names_in_text(name)
        )

    @cached_property
    def _spelled(self) -> frozenset[str]:
        """The names behind that of a module of the files in a text: `"ref.H"`, `"ref:main"`."""
        return frozenset(name for _, _, name in self._tree.loaded_modules())

    @cached_property
    def finds_any(self) -> bool:
        """Whether code that is not plain Python may find any function of the files."""
        return bool(self.not_plain)

    @cached_property
    def not_plain(self) -> list[ast.AST]:
        """What is not plain Python, and what makes an object of a module of the files."""
        modules = [] if self._module_object is None else [self._module_object]
        return [*self.plain.unread, *self.plain.hidden, *modules]

    def _names_in_text(self, name: str) -> bool:
        """Tell whether a library that finds something by a text may be given a name."""
        return name in self._words and any(
            function in OBJECT_FINDERS for _, function in self._symbols.calls(self._tree)
        )

    def is_known(self, target: ast.expr) -> bool:
        """Tell whether it is known whose names a lookup by a computed name may find."""
        return (
            self.plain.has_no_functions(target)
            or self._symbols.module(target) is not None
            or self._own_class(target) is not None
        )

    def _own_class(self, target: ast.expr) -> ast.ClassDef | None:
        """Return the class whose `self`, or which itself, an expression is."""
        if not isinstance(target, ast.Name):
            return None
        return self.classes.of_self(target) or self.classes.named(target)

    @property
    def modules_are_objects(self) -> bool:
        """Whether a module of the files may be what a variable, or a parameter, holds."""
        return self._module_object is not None

    @cached_property
    def _module_object(self) -> ast.AST | None:
        """The first place where a module of the files becomes such an object."""
        return next(self._module_objects(), None)

    def _module_objects(self) -> Iterator[ast.AST]:
        tree = self._tree
        imported = list(filter(self._imports, self._symbols.calls_of(tree, BY_NAMES)))
        yield from (node for node in (*self.dynamic, *imported) if not self._is_only_read(node))
        for node in tree.attributes.get("modules", []):
            if self._symbols.name(node) == "sys.modules":
                yield node
        for item in tree.imports:
            in_class = item.scope.kind == "class" and tree.linked(item) is not None
            if in_class or item.path == "__main__":
                yield item.statement
        for name in {item.name: None for item in tree.imports}:
            for use in tree.names.get(name, []):
                if isinstance(use.ctx, ast.Load) and self._is_object(use):
                    yield use

    def _is_object(self, node: ast.expr) -> bool:
        """Tell whether an expression names a module of the files, and no name of it is read."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Attribute):
            return self._symbols.module(parent) is not None and self._is_object(parent)
        return self._symbols.module(node) is not None

    def unknown_reads(self, name: str) -> Iterator[ast.Attribute]:
        """Yield what may read a name of a module that is reached in a way that is not followed."""
        for node in self._tree.attributes.get(name, []):
            paths = self._symbols.paths(node)
            unknown = self._symbols.variable(node) is None and (
                not paths or self.may_be_file(paths)
            )
            of_self = isinstance(node.value, ast.Name) and self.classes.of_self(node.value)
            if unknown and not of_self and self.may_be_module(node.value):
                yield node

    def script_imports(self, name: str) -> Iterator[ast.stmt]:
        """Yield the statements that import a name from a module that may be any of the files.

        That is whichever script runs, or one that the program gives another name.
        """
        for item in self._tree.imports:
            is_from = isinstance(item.statement, ast.ImportFrom) and item.alias.name in (name, "*")
            if item.path == f"__main__.{name}" or (
                is_from and self.renames_modules and self._is_not_found(item)
            ):
                yield item.statement

    def asks_script(self, name: str) -> bool:
        """Tell whether code may ask a module that it does not import by its name for a name.

        `__main__.gpu` is the one of whichever script runs.
        """
        if next(self.script_imports(name), None) is not None or any(
            name in tree.words and "__main__" in tree.star_imports.values()
            for tree in self._tree.files
        ):
            return True
        unnamed = self.modules_are_objects or self.renames_modules
        return unnamed and next(self.unknown_reads(name), None) is not None

    def _is_not_found(self, item: Import) -> bool:
        """Tell whether an import finds no file, and names no module of Python or TensorFlow."""
        root = item.path.partition(".")[0]
        return self._tree.linked(item) is None and not is_library(root)

    def may_be_module(self, node: ast.expr) -> bool:
        """Tell whether an expression may refer to a module in a way that is not followed."""
        if not isinstance(node, ast.Name):
            return (
                isinstance(node, ast.Call | ast.Subscript)
                or self.modules_are_objects
                or (isinstance(node, ast.Attribute) and self._is_of_module(node.value))
            )
        bindings = self._tree.bindings(node)
        if not bindings:
            # `from package import *` brings the modules of the package, too.
            return bool(self._tree.starred(self._tree.file(node)))
        return any(
            item.kind == "import"
            or self.modules_are_objects
            or (isinstance(item.value, ast.Call) and self.may_be_loaded(item.value))
            for item in bindings
        )

    def may_be_loaded(self, node: ast.expr, unknown: bool = True) -> bool:
        """Tell whether an object may be a module that was imported by a name, or from a file.

        `unknown` is the answer for one of which nothing is known. In a program that loads files the
        answer is yes: such modules are handed on, as the objects of a plug-in loader are.
        """
        origins = self.origins.of(node) or {UNKNOWN}
        return any(
            unknown or self._loads_files
            if origin == UNKNOWN
            else origin.endswith(("[]", *_MODULES))
            for origin in origins
            if isinstance(origin, str)
        )

    @cached_property
    def _loads_files(self) -> bool:
        """Whether a module may be made of a file that is named at run time."""
        return any(
            self._tree.attributes.get(name) or self._tree.names.get(name)
            for name in (*_FROM_FILES, "exec_module", "SourceFileLoader")
        )

    def _is_of_module(self, node: ast.expr) -> bool:
        """Tell whether an expression names a module of the files, or something in one."""
        while isinstance(node, ast.Attribute) and self._symbols.module(node) is None:
            node = node.value
        return self._symbols.module(node) is not None

    def _imports(self, call: ast.Call) -> bool:
        """Tell whether a call returns a module, by a name that is written there or not."""
        name = self._tree.builtin(call.func) or self._symbols.name(call.func)
        return name in BY_NAMES

    def _is_only_read(self, node: ast.expr) -> bool:
        """Tell whether of what an expression gives only attributes are read, by their names."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Attribute | ast.Expr):
            return True
        if not isinstance(parent, ast.Assign) or not all(
            isinstance(target, ast.Name) for target in parent.targets
        ):
            return False
        return all(
            isinstance(self._tree.parent[use], ast.Attribute)
            for target in parent.targets
            if isinstance(target, ast.Name)
            for use in self._tree.names.get(target.id, [])
            if isinstance(use.ctx, ast.Load)
            and self._tree.bindings(use) is self._tree.bindings(target)
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        """Every name in a string of the files, apart from those that stand alone."""
        return frozenset(_words_of(self._tree))


def _words_of(tree: Tree) -> Iterator[str]:
    for node in tree.nodes(ast.Constant):
        if isinstance(node.value, str) and not isinstance(tree.parent[node], ast.Expr):
            yield from IDENTIFIER.findall(node.value)
