"""Whether importing a file may run functions of the program, by itself or through Python."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator

from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.code.scripts import runs_as_script_only
from tfgpu.code.sites import INLINE
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.files.pattern import expression

# Python calls these by itself: of a module, and where a class is defined.
_OF_MODULES = frozenset(["__getattr__", "__dir__"])
_OF_CLASSES = frozenset(["__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__"])
_OF_ENUMS = frozenset(["__init__", "__new__", "_generate_next_value_"])
# They run text, or another file.
_RUN_TEXTS = expression(r"(?:builtins\.(?:exec|eval|execfile)|runpy\.run_\w+)$")
# What is taken out of objects of Python may be a function of the program.
_TAKEN = expression(
    r"builtins\..*(?:\[\]|\.(?:get|pop|setdefault|values|items)\(\))|sys\.modules\b"
)
_OF_PROPERTIES = ("setter", "getter", "deleter")


class Importing:
    """What the import of one file runs besides definitions.

    `is_ours` tells whether a dotted path means something in a file of the program, `counts` whether
    a statement does, or what is in it. Objects of classes of the program call their methods by
    themselves, but are made by a call first, or by `raise Problem`. `as_script` counts what runs in
    a script only, too.
    """

    def __init__(
        self,
        tree: Tree,
        symbols: Symbols,
        origins: Origins,
        is_ours: Callable[[str], bool],
        counts: Callable[[ast.AST], bool] = bool,
        as_script: bool = False,
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._origins = origins
        self._is_ours = is_ours
        self._counts = counts
        self._as_script = as_script

    def runs_functions(self) -> bool:
        """Tell whether the import of the file may run a function of the program."""
        calls = (call for call in self._tree.calls if self._is_run(call))
        definitions = self._tree.nodes(ast.FunctionDef)
        raised = (node.exc for node in self._tree.nodes(ast.Raise) if self._is_run(node))
        return (
            any(map(self._is_special, definitions))
            or any(map(self._runs, calls))
            or any(map(self._may_be_ours, filter(None, raised)))
            or any(map(self._is_applied, self._decorators()))
            or any(map(self._makes_classes, self._tree.nodes(ast.ClassDef)))
        )

    def _is_run(self, node: ast.AST) -> bool:
        scope = self._tree.function(node)
        while isinstance(scope.node, (*INLINE, ast.GeneratorExp)):
            scope = self._tree.function(scope.node)
        runs = self._as_script or not runs_as_script_only(node, self._tree)
        return scope.kind == "module" and runs and self._counts(node)

    def _is_special(self, function: ast.FunctionDef) -> bool:
        """Tell whether Python calls a function when something is imported or defined."""
        kind = self._tree.scope(function).kind
        return function.name in (_OF_MODULES if kind == "module" else _OF_CLASSES)

    def _runs(self, call: ast.Call) -> bool:
        if self._may_be_ours(call.func):
            return True
        given = [*call.args, *(item.value for item in call.keywords)]
        return any(map(self._is_handed_on, given)) or any(
            isinstance(item, str) and _RUN_TEXTS.match(item) for item in self._of(call.func)
        )

    def _of(self, node: ast.expr) -> frozenset[Origin]:
        return self._origins.of(node)

    def _may_be_ours(self, node: ast.expr) -> bool:
        """Tell whether an expression may be a function of the program, or an object with some."""
        if isinstance(node, ast.Name) and not self._tree.bindings(node):
            return not hasattr(builtins, self._tree.builtin(node))
        return any(map(self._is_own, self._of(node)))

    def _is_own(self, origin: Origin) -> bool:
        if not isinstance(origin, str) or origin == UNKNOWN:
            return True
        if origin.startswith("builtins.function") or _TAKEN.match(origin):
            return True
        return self._is_ours(origin.partition("(")[0].partition("[")[0])

    def _is_handed_on(self, node: ast.expr) -> bool:
        """Tell whether an argument hands a function of the program on, or a class of it."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Lambda):
                return True
            if not isinstance(inner, ast.Name | ast.Attribute):
                continue
            if self._is_definition(inner) or any(map(self._is_ours, self._symbols.paths(inner))):
                return True
        return False

    def _is_definition(self, node: ast.expr) -> bool:
        bindings = self._symbols.bindings(node)
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return any(isinstance(item.node, kinds) for item in bindings) or (
            bool(bindings) and "builtins.function" in self._of(node)
        )

    def _decorators(self) -> Iterator[ast.expr]:
        for definition in (
            *self._tree.nodes(ast.FunctionDef),
            *self._tree.nodes(ast.AsyncFunctionDef),
            *self._tree.nodes(ast.ClassDef),
        ):
            if self._is_run(definition):
                yield from getattr(definition, "decorator_list", [])

    def _is_applied(self, decorator: ast.expr) -> bool:
        """Tell whether a decorator is code of the program; of a property it is not."""
        if isinstance(decorator, ast.Attribute) and decorator.attr in _OF_PROPERTIES:
            return False
        return self._may_be_ours(decorator)

    def _makes_classes(self, owner: ast.ClassDef) -> bool:
        """Tell whether defining a class runs a metaclass of the program, or makes its members."""
        if not self._is_run(owner):
            return False
        if any(self._may_be_ours(item.value) for item in owner.keywords):
            return True
        bases = {path for base in owner.bases for path in self._symbols.paths(base)}
        named = {item.name for item in owner.body if isinstance(item, ast.FunctionDef)}
        is_enum = any(path.startswith("enum.") for path in bases)
        return is_enum and not named.isdisjoint(_OF_ENUMS)
