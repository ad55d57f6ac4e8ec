"""Imports, and texts that are run, of which the target is known only at run time."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterable
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.lookups import RUNS_TEXT, Lookups
from tfgpu.code.tree import Tree
from tfgpu.files.pattern import expression

# They import a module that is named there, or at run time.
BY_NAMES = frozenset(["importlib.import_module", "__import__"])
# What such functions are called, also those that others are made of.
_IMPORT_FUNCTIONS = frozenset(["import_module", "__import__", "_gcd_import", "safeimport"])
# They import modules, or run files, that are named at run time.
_IMPORTERS = frozenset(
    [
        "importlib.import_module", "importlib.util.spec_from_file_location", "importlib.reload",
        "importlib.util.module_from_spec", "importlib.machinery.SourceFileLoader",
        "imp.load_source", "imp.load_module", "imp.load_package", "imp.reload",
        "runpy.run_path", "runpy.run_module", "pkgutil.iter_modules",
        "pkgutil.walk_packages", "zipimport.zipimporter",
    ]
)  # fmt: skip
# They import modules and find what is in them, by a text.
OBJECT_FINDERS = frozenset(
    [
        "pydoc.locate", "pkg_resources.iter_entry_points", "importlib.metadata.entry_points",
        "django.utils.module_loading.import_string", "werkzeug.utils.import_string",
        "hydra.utils.instantiate", "hydra.utils.get_method", "timeit.timeit", "timeit.repeat",
        "timeit.Timer", "pkgutil.resolve_name", "cProfile.run", "cProfile.runctx", "profile.run",
        "profile.runctx", "pdb.run", "pdb.runeval",
    ]
)  # fmt: skip
# They do so by a text that is seen where it is written there: see code/spelled.py.
_TEXT_FINDERS = frozenset(
    [
        "importlib.metadata.EntryPoint", "importlib_metadata.EntryPoint",
        "pkg_resources.EntryPoint.parse", "logging.config.fileConfig",
    ]
)  # fmt: skip
# What says where modules are found.
_HOOKS = ("meta_path", "path_hooks", "__path__")
# Methods of test loaders that import modules by a text.
_LOADERS = frozenset(["loadTestsFromName", "loadTestsFromNames", "discover"])
# They run the tests of the module that is named, or of the script itself.
_TEST_PROGRAMS = frozenset(["unittest.main", "unittest.TestProgram"])
# Methods of `get_ipython()` that run a file or a text; the others do for some of their magics.
_SHELL = frozenset(
    [
        "ex", "magic", "run_cell", "run_cell_async", "run_cell_magic", "run_line_magic",
        "safe_execfile",
    ]
)  # fmt: skip
_RUN_MAGIC = expression(
    r"%*(?:run|edit|ed|time|timeit|prun|lprun|memit|mprun|snakeviz|capture|debug)\b"
)


class DynamicImports(Lookups):
    """The imports by computed names in some files, and what they may import."""

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
        texts = (node for name in sorted(_IMPORT_FUNCTIONS) for node in tree.texts.get(name, ()))
        return (*found, *texts)

    def _is_known_import(self, node: ast.expr) -> bool:
        call = self._tree.parent[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            return False
        return (self._tree.builtin(call.func) or self._symbols.name(node)) in BY_NAMES

    def _is_taken(self, entry: ast.Subscript) -> bool:
        """Tell whether a file may import what an entry of `sys.modules` gives another name."""
        name = entry.slice.value if isinstance(entry.slice, ast.Constant) else None
        return not isinstance(name, str) or any(
            f"{item.path}.".startswith(f"{name}.") for item in self._tree.imports
        )

    @cached_property
    def _dynamic_calls(self) -> tuple[ast.Call, ...]:
        calls = self._symbols.calls_of(
            self._tree, _IMPORTERS | OBJECT_FINDERS | _TEXT_FINDERS | RUNS_TEXT | _TEST_PROGRAMS
        )
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

    @cached_property
    def _hooks(self) -> bool:
        """Whether the program has a say in where modules are found."""
        tree = self._tree
        return any(tree.attributes.get(name) or tree.names.get(name) for name in _HOOKS)

    @cached_property
    def renames_modules(self) -> bool:
        """Whether an import may find a module of the files by a name that is not its own."""
        changes = (
            node
            for word in ("setdefault", "update")
            for node in self._tree.attributes.get(word, ())
            if self._symbols.name(node.value) == "sys.modules"
        )
        return self._hooks or bool(self._entries) or next(changes, None) is not None

    def may_be_file(self, paths: Iterable[str]) -> bool:
        """Tell whether names may be a file's: by an import there, sys.modules, or a call."""
        if any(map(self._tree.means, paths)):
            return True
        # A file below some folder of the project does not stand in for TensorFlow.
        others = [path for path in paths if not canonical(path).startswith(("tf.", "keras."))]
        if any(path.rpartition(".")[0] in self._own_modules for path in others):
            return True
        if self._hooks and not all(is_library(path.partition(".")[0]) for path in others):
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
        name = self._tree.builtin(call.func) or self._symbols.name(call.func) or ""
        if name in _TEST_PROGRAMS:
            words = {one.arg for one in call.keywords}
            return bool(call.args or words & {"module", "defaultTest", "argv", None})
        if name in _TEXT_FINDERS:
            given = [*call.args, *(one.value for one in call.keywords)]
            return name.startswith("logging.") or not all(map(_is_one_word, given))
        if name not in _IMPORTERS and name not in OBJECT_FINDERS and name not in RUNS_TEXT:
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
            return not literal or self._names_library(first)
        return name not in ("eval", "compile") or not literal or self._names_library(call)

    def _names_library(self, code: ast.expr | None) -> bool:
        """Tell whether a text of code names what is imported from a library, or may import it.

        What it names of the files is found: `cProfile.run("main()")`.
        """
        words = set(re.findall(r"\w+", ast.unparse(code))) if code is not None else set()
        libraries = {item.name for item in self._tree.imports if self._tree.linked(item) is None}
        return any("import" in word for word in words) or not words.isdisjoint(libraries)

    def _is_function(self, node: ast.expr) -> bool:
        """Tell whether an expression is a function of the files, and no text."""
        bindings = self._symbols.bindings(node)
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
        if function.decorator_list or self._runs_texts or function.name in self._named:
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


def _may_run(method: str, call: ast.Call) -> bool:
    """Tell whether a method may run a file: `run_line_magic("matplotlib", "inline")` does not."""
    if not method.endswith("magic"):
        return True
    name = call.args[0] if call.args else None
    known = name.value if isinstance(name, ast.Constant) else None
    return not isinstance(known, str) or _RUN_MAGIC.match(known) is not None


def _is_one_word(node: ast.expr) -> bool:
    """Tell whether an argument is written there, and has no blank: `"pkg.mod : main [extra]"`."""
    return isinstance(node, ast.Constant) and " " not in str(node.value)


def is_library(root: str) -> bool:
    """Tell whether a top-level module is certainly one of Python, or of TensorFlow."""
    return root in sys.stdlib_module_names or root in ("tensorflow", "keras", "tf_keras")
