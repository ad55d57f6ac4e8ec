"""What a program finds by strings: `getattr(x, name)`, `globals()[name]`, `eval`, entry points.

A function or class that is found in this way may run at any time. A literal name finds whatever
has that name; a computed one finds what its object can have: a library nothing of the files, `self`
the methods of its classes, `globals()` the names of its module, anything else any method, and any
function too where modules of the files are handed around as objects.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.classes import Classes
from tfgpu.code.dotted import base_of
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

_RUNS_TEXT = frozenset(["exec", "eval", "execfile", "__import__", "compile"])
_BY_NAME = frozenset(["operator.methodcaller", "operator.attrgetter"])
_MEMBERS = frozenset(["inspect.getmembers", "inspect.getmembers_static"])
# They find, or replace, an attribute of an object.
_ATTRIBUTES = frozenset(["getattr", "setattr", "delattr"])
_NAMESPACES = frozenset(["globals", "locals", "vars"])
_LOOKUPS = _NAMESPACES | _RUNS_TEXT | _ATTRIBUTES | _BY_NAME | _MEMBERS
# They import a module that is named there, or at run time.
_BY_NAMES = frozenset(["importlib.import_module", "__import__"])
# What such functions are called, also those that others are made of.
_IMPORT_FUNCTIONS = frozenset(["import_module", "__import__", "_gcd_import", "safeimport"])
# They import modules, or run files, that are named at run time.
_IMPORTERS = frozenset(
    [
        "importlib.import_module", "importlib.util.spec_from_file_location", "importlib.reload",
        "importlib.machinery.SourceFileLoader", "imp.load_source", "imp.load_module",
        "imp.reload", "runpy.run_path", "runpy.run_module", "pkgutil.iter_modules",
        "pkgutil.walk_packages", "zipimport.zipimporter",
    ]
)  # fmt: skip
# They import modules and find what is in them, by a text.
_OBJECT_FINDERS = frozenset(
    [
        "pydoc.locate", "pkg_resources.iter_entry_points", "importlib.metadata.entry_points",
        "django.utils.module_loading.import_string", "werkzeug.utils.import_string",
        "hydra.utils.instantiate", "hydra.utils.get_method", "timeit.timeit", "timeit.repeat",
        "timeit.Timer", "pkgutil.resolve_name", "cProfile.run", "cProfile.runctx", "profile.run",
        "profile.runctx", "pdb.run", "pdb.runeval",
    ]
)  # fmt: skip
# Methods of test loaders that import modules by a text.
_LOADERS = frozenset(["loadTestsFromName", "loadTestsFromNames", "discover"])
# Methods of `get_ipython()` that run a file or a text; the others do for some of their magics.
_SHELL = frozenset(
    [
        "ex", "magic", "run_cell", "run_cell_async", "run_cell_magic", "run_line_magic",
        "safe_execfile",
    ]
)  # fmt: skip
_RUN_MAGIC = re.compile(
    r"%*(?:run|edit|ed|time|timeit|prun|lprun|memit|mprun|snakeviz|capture|debug)\b"
)
# The usual names of the options of a program: an object with values, and no functions.
_OPTIONS = frozenset(["flags", "args", "opts", "opt", "options", "hparams", "namespace"])
_EXAMPLE = re.compile(r"^[ \t]*(?:>>>|\.\.\.) (.*)$", re.M)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")


class Finders:
    """Code that finds functions, classes and modules of the files by a string, or by `exec`."""

    def __init__(self, tree: Tree, symbols: Symbols, classes: Classes) -> None:
        self._tree = tree
        self._symbols = symbols
        self.classes = classes

    # Modules.

    @cached_property
    def dynamic(self) -> tuple[ast.expr, ...]:
        """Imports and executed text whose target is known only at run time."""
        entries = (one.value for one in self._entries if self._is_taken(one))
        return (*self._dynamic_calls, *self._importers, *entries)

    @cached_property
    def _importers(self) -> tuple[ast.expr, ...]:
        """Where a function that imports becomes a value: whoever calls it may give any name."""
        tree = self._tree
        renamed = {
            item.name
            for item in tree.imports
            if item.path.rpartition(".")[2] in _IMPORT_FUNCTIONS - {item.name}
        }
        found = [
            node
            for name in sorted(_IMPORT_FUNCTIONS | renamed)
            for node in (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
            if isinstance(node.ctx, ast.Load)
            and not (name in _IMPORT_FUNCTIONS and self._is_known_import(node))
        ]
        texts = (node for node in tree.nodes(ast.Constant) if node.value in _IMPORT_FUNCTIONS)
        return (*found, *texts)

    def _is_known_import(self, node: ast.expr) -> bool:
        call = self._tree.parent[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            return False
        return (self._builtin(call) or self._symbols.name(node)) in _BY_NAMES

    def _is_taken(self, entry: ast.Subscript) -> bool:
        """Tell whether a file may import what an entry of `sys.modules` gives another name."""
        name = entry.slice.value if isinstance(entry.slice, ast.Constant) else None
        return not isinstance(name, str) or any(
            f"{item.path}.".startswith(f"{name}.") for item in self._tree.imports
        )

    @cached_property
    def _dynamic_calls(self) -> tuple[ast.Call, ...]:
        calls = self._symbols.calls_of(self._tree, _IMPORTERS | _OBJECT_FINDERS | _RUNS_TEXT)
        return (*filter(self._is_dynamic, calls), *self._methods)

    @cached_property
    def _methods(self) -> tuple[ast.Call, ...]:
        """The calls that load tests by a name, or run a file in the process of a notebook."""
        tests = any(item.path.partition(".")[0] == "unittest" for item in self._tree.imports)
        named = [*(_LOADERS if tests else ()), *(_SHELL if self._has_shell else ())]
        found = (node for name in sorted(named) for node in self._tree.attributes.get(name, ()))
        parents = ((node, self._tree.parent[node]) for node in found)
        return tuple(
            call
            for node, call in parents
            if isinstance(call, ast.Call) and call.func is node and _may_run(node.attr, call)
        )

    @property
    def _has_shell(self) -> bool:
        return bool(self._tree.names.get("get_ipython"))

    @cached_property
    def _entries(self) -> tuple[ast.Subscript, ...]:
        """The entries of `sys.modules` that the program makes: other names of its modules."""
        parents = [self._tree.parent[item] for item in self._tree.attributes.get("modules", [])]
        return tuple(
            item
            for item in parents
            if isinstance(item, ast.Subscript)
            and isinstance(item.ctx, ast.Store)
            and self._symbols.name(item.value) == "sys.modules"
        )

    def may_be_file(self, paths: Iterable[str]) -> bool:
        """Tell whether names may be a file's: by an import there, sys.modules, or a call."""
        if any(map(self._tree.means, paths)):
            return True
        # A file below some folder of the project does not stand in for TensorFlow.
        others = [path for path in paths if not canonical(path).startswith(("tf.", "keras."))]
        if any(path.rpartition(".")[0] in self._own_modules for path in others):
            return True
        names = [getattr(item.slice, "value", None) for item in self._entries]
        return any(
            name is None or path == name or path.startswith(f"{name}.")
            for name in names
            for path in others
        )

    @cached_property
    def dotted(self) -> dict[Tree, tuple[str, str]]:
        """The dotted path of the folder that holds all files, and that of each file in it.

        Both begin with a dot: `.home.clone` and `.nets.small`.
        """
        paths = [os.path.abspath(tree.path) for tree in self._tree.files]  # noqa: PTH100 - many
        above = os.path.commonpath(map(os.path.dirname, paths)).rstrip(os.sep)
        names = (os.path.splitext(path)[0][len(above) :] for path in paths)  # noqa: PTH122 - many
        return {
            tree: (above.replace(os.sep, "."), name.replace(os.sep, "."))
            for tree, name in zip(self._tree.files, names, strict=True)
        }

    @cached_property
    def _own_modules(self) -> frozenset[str]:
        """Every dotted path by which one of the files may be imported, from their folder on."""
        found = {"__main__"}
        for _, name in self.dotted.values():
            parts = name.split(".")[1:]
            parts = parts[:-1] if parts[-1:] == ["__init__"] else parts
            found.update(".".join(parts[start:]) for start in range(len(parts)))
        return frozenset(found)

    @cached_property
    def texts(self) -> tuple[ast.Call, ...]:
        """Calls such as `exec` whose code is not a literal."""
        return tuple(call for call in self._dynamic_calls if not self._imports_only(call))

    def _imports_only(self, call: ast.Call) -> bool:
        name = self._symbols.name(call.func) or ""
        return name.startswith(("importlib", "imp.", "pkg")) or (
            isinstance(call.func, ast.Name) and call.func.id in ("__import__", "compile", "eval")
        )

    def _is_dynamic(self, call: ast.Call) -> bool:
        name = self._builtin(call) or self._symbols.name(call.func) or ""
        if name not in _IMPORTERS and name not in _OBJECT_FINDERS and name not in _RUNS_TEXT:
            return False
        first = call.args[0] if call.args else None
        literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
        if name.startswith("timeit."):
            named = [one.value for one in call.keywords if one.arg in ("stmt", "setup", None)]
            run = [*call.args[:2], *named]
            return not run or not all(
                self._is_function(item) or self._is_given_functions(item) for item in run
            )
        if name in ("importlib.import_module", "__import__"):
            return not literal
        if name.startswith(("cProfile.", "profile.", "pdb.")):
            # What a text names that is written there is found: `cProfile.run("main()")`.
            return not literal or "import" in str(getattr(first, "value", ""))
        return name not in ("eval", "compile") or not literal or "import" in ast.unparse(call)

    def _is_function(self, node: ast.expr) -> bool:
        """Tell whether an expression is a function of the files, and no text."""
        variable = self._symbols.variable(node)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        is_named = bool(bindings) and all(isinstance(one.node, ast.FunctionDef) for one in bindings)
        return is_named or isinstance(node, ast.Lambda)

    def _is_given_functions(self, node: ast.expr) -> bool:
        """Tell whether an expression is a parameter to which every call passes a function."""
        variable = self._symbols.variable(node)
        function = variable[0].node if variable is not None else None
        if variable is None or not isinstance(function, ast.FunctionDef):
            return False
        scope, name = variable
        place = next(
            (number for number, item in enumerate(function.args.args) if item.arg == name), None
        )
        is_method = isinstance(self._tree.scope(function).node, ast.ClassDef)
        if place is None or len(scope.bindings[name]) != 1 or is_method:
            return False
        if function.decorator_list or self._finds_any or function.name in self._named:
            return False  # a decorator may call it, or what looks it up by its name
        home = self._tree.file(function)
        linked = (self._tree.linked(item) for item in self._tree.imports)
        if any(found is not None and found[0] is home for found in linked) or any(
            home in self._tree.starred(file) for file in self._tree.files
        ):
            return False
        names = self._tree.names.get(function.name, [])
        uses = [use for use in names if self._tree.file(use) is home]
        return bool(uses) and all(self._passes_function(use, place, name) for use in uses)

    def _passes_function(self, use: ast.expr, place: int, name: str) -> bool:
        """Tell whether a name is called there with a function for a parameter."""
        call = self._tree.parent[use]
        if not isinstance(call, ast.Call) or call.func is not use:
            return False
        given = call.args[: place + 1]
        if any(isinstance(item, ast.Starred) for item in given):
            return False
        found = given[place:] or [one.value for one in call.keywords if one.arg == name]
        return bool(found) and self._is_function(found[0])

    def _builtin(self, call: ast.Call) -> str:
        """Return the name of the builtin function that is called."""
        function = call.func
        known = isinstance(function, ast.Name) and not self._tree.bindings(function)
        return function.id if known and isinstance(function, ast.Name) else ""

    # Functions and classes.

    def finds(self, node: ast.FunctionDef | ast.ClassDef) -> bool:
        """Tell whether a program may find a function or class by a string."""
        name = node.name
        if name in self._named or self._finds_any:
            return True
        if self._finds_objects and name in self._words:
            return True
        scope = self._tree.scope(node)
        if isinstance(scope.node, ast.ClassDef):
            return self._finds_any_method or scope.node in self._searched_classes
        if self._finds_any_method and self.modules_are_objects:
            return True
        return any(self._holds(file, name) for file in self._searched_modules)

    def _holds(self, file: Tree, name: str) -> bool:
        """Tell whether a module may have something of the files by a name of its own."""
        return bool(file.star_imports) or any(
            spelling in file.root.bindings for spelling in self._symbols.spellings(name)
        )

    @cached_property
    def _named(self) -> frozenset[str]:
        """The names that are written out where something is found by them."""
        return frozenset(
            inner.value
            for node in self._lookups
            for argument in (*getattr(node, "args", ()), self._tree.parent[node])
            for inner in ast.walk(argument)
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
        ).union(self.examples)

    @cached_property
    def examples(self) -> frozenset[str]:
        """The names in the examples of docstrings, which doctest runs: `>>> make_config()`."""
        return frozenset(
            name
            for file in self._tree.files
            if ">>>" in file.text
            for line in _EXAMPLE.findall(file.text)
            for name in _IDENTIFIER.findall(line)
        )

    @cached_property
    def _lookups(self) -> tuple[ast.expr, ...]:
        """Every lookup by a string, whether it is written out or not."""
        found: list[ast.expr] = [
            call
            for call in self._symbols.calls_of(self._tree, _LOOKUPS)
            if self._builtin(call) in _NAMESPACES | _RUNS_TEXT | _ATTRIBUTES
            or self._symbols.name(call.func) in _BY_NAME | _MEMBERS
        ]
        found += self._tree.attributes.get("__dict__", [])
        return tuple(node for node in found if self._builtin_name(node) != "compile")

    def _builtin_name(self, node: ast.expr) -> str:
        return self._builtin(node) if isinstance(node, ast.Call) else ""

    @cached_property
    def _computed(self) -> tuple[ast.expr, ...]:
        """The lookups by strings that are computed."""
        return tuple(node for node in self._lookups if not self._is_literal(node))

    def _is_literal(self, node: ast.expr) -> bool:
        """Tell whether a lookup names what it finds."""
        name = self._builtin_name(node)
        if name in _RUNS_TEXT:
            assert isinstance(node, ast.Call)
            return bool(node.args) and isinstance(node.args[0], ast.Constant)
        if isinstance(node, ast.Attribute) or name in _NAMESPACES:
            parent = self._tree.parent[node]
            return isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant)
        assert isinstance(node, ast.Call)
        if self._symbols.name(node.func) in _MEMBERS:
            return False
        named = node.args[1:] if name in _ATTRIBUTES else node.args
        return bool(named) and isinstance(named[0], ast.Constant)

    def _object(self, node: ast.expr) -> ast.expr | None:
        """Return the object that a lookup finds something of; None for a namespace."""
        if isinstance(node, ast.Attribute):
            return node.value
        assert isinstance(node, ast.Call)
        return node.args[0] if node.args else None

    @cached_property
    def _finds_any(self) -> bool:
        """Whether a text is run that may name anything."""
        return any(self._builtin_name(node) in _RUNS_TEXT for node in self._computed)

    @cached_property
    def _finds_objects(self) -> bool:
        """Whether a library is asked to find something by a text, or a text is run."""
        return bool(self.texts) or any(
            name in _OBJECT_FINDERS for _, name in self._symbols.calls(self._tree)
        )

    @cached_property
    def _finds_any_method(self) -> bool:
        """Whether something is found by a computed name in an object that is not known."""
        return any(map(self._is_unknown, self._computed))

    def _is_unknown(self, node: ast.expr) -> bool:
        """Tell whether a lookup by a computed name may find something in any object."""
        name = self._builtin_name(node)
        if name not in (*_ATTRIBUTES, "vars", "") or not self._object(node):
            return name not in _NAMESPACES
        target = self._object(node)
        return (isinstance(node, ast.Call) and self._symbols.name(node.func) in _BY_NAME) or not (
            target is None or self.is_known(target)
        )

    def is_known(self, target: ast.expr) -> bool:
        """Tell whether it is known whose names a lookup by a computed name may find."""
        if isinstance(target, ast.Constant | ast.JoinedStr):
            return True
        name = last_name(target)
        return (
            name.lower() in _OPTIONS
            or self._symbols.module(target) is not None
            or self._is_library(target)
            or self._own_class(target) is not None
        )

    def _is_library(self, target: ast.expr) -> bool:
        """Tell whether an expression is a module that is none of the files, or a part of one."""
        base = base_of(target)
        bindings = self._tree.bindings(base) if isinstance(base, ast.Name) else []
        return (
            bool(bindings)
            and all(_is_outside(item.path) for item in bindings)
            and self._symbols.variable(target) is None
        )

    def _own_class(self, target: ast.expr) -> ast.ClassDef | None:
        """Return the class whose `self`, or which itself, an expression is."""
        if not isinstance(target, ast.Name):
            return None
        return self.classes.of_self(target) or self.classes.named(target)

    @cached_property
    def _searched_classes(self) -> frozenset[ast.ClassDef]:
        """The classes that something is found in by a computed name, with their relatives."""
        found: set[ast.ClassDef] = set()
        for node in self._computed:
            target = self._object(node)
            own = self._own_class(target) if target is not None else None
            if own is not None and self._builtin_name(node) not in _RUNS_TEXT:
                found |= self.classes.relatives(own)
        for node in self._computed:
            # The names of a class are those of its body.
            if self._builtin_name(node) in _NAMESPACES and self._object(node) is None:
                around = self._tree.scope(node).node
                if isinstance(around, ast.ClassDef):
                    found.add(around)
        return frozenset(found)

    @cached_property
    def _searched_modules(self) -> tuple[Tree, ...]:
        """The modules that something is found in by a computed name."""
        found: dict[Tree, None] = {}
        for node in self._computed:
            target = self._object(node)
            name = self._builtin_name(node)
            at_top = self._tree.function(node).kind == "module"
            if target is None and name in _NAMESPACES and (at_top or name == "globals"):
                found[self._tree.file(node)] = None
            module = self._symbols.module(target) if target is not None else None
            if module is not None:
                found[module] = None
        return tuple(found)

    @cached_property
    def modules_are_objects(self) -> bool:
        """Whether a module of the files may be what a variable, or a parameter, holds."""
        imported = list(filter(self._imports, self._symbols.calls_of(self._tree, _BY_NAMES)))
        if any(not self._is_only_read(node) for node in (*self.dynamic, *imported)):
            return True
        if any(
            self._symbols.name(node) == "sys.modules"
            for node in self._tree.attributes.get("modules", [])
        ) or any(item.path == "__main__" for item in self._tree.imports):
            return True
        of_classes = (item for item in self._tree.imports if item.scope.kind == "class")
        if any(self._tree.linked(item) is not None for item in of_classes):
            return True
        names = {item.name for item in self._tree.imports}
        return any(
            isinstance(node.ctx, ast.Load) and self._is_object(node)
            for name in names
            for node in self._tree.names.get(name, [])
        )

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
        """Yield the statements that import a name from whichever script runs."""
        return (item.statement for item in self._tree.imports if item.path == f"__main__.{name}")

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
            item.kind == "import" or isinstance(item.value, ast.Call) or self.modules_are_objects
            for item in bindings
        )

    def _is_of_module(self, node: ast.expr) -> bool:
        """Tell whether an expression names a module of the files, or something in one."""
        while isinstance(node, ast.Attribute) and self._symbols.module(node) is None:
            node = node.value
        return self._symbols.module(node) is not None

    def _imports(self, call: ast.Call) -> bool:
        """Tell whether a call returns a module, by a name that is written there or not."""
        name = self._builtin(call) or self._symbols.name(call.func)
        return name in _BY_NAMES

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


def _may_run(method: str, call: ast.Call) -> bool:
    """Tell whether a method may run a file: `run_line_magic("matplotlib", "inline")` does not."""
    if not method.endswith("magic"):
        return True
    name = call.args[0] if call.args else None
    known = name.value if isinstance(name, ast.Constant) else None
    return not isinstance(known, str) or _RUN_MAGIC.match(known) is not None


def _is_outside(path: str | None) -> bool:
    """Tell whether an import is that of a library, where it is of no file."""
    return path is not None and path != "__main__" and not path.startswith(".")


def _words_of(tree: Tree) -> Iterator[str]:
    for node in tree.nodes(ast.Constant):
        if isinstance(node.value, str) and not isinstance(tree.parent[node], ast.Expr):
            yield from _IDENTIFIER.findall(node.value)
