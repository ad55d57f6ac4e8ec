"""Lists whose elements are all written out: nothing that is not followed puts others into them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from tfgpu.code.classes import Classes
from tfgpu.code.index import Binding, Variable
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

# Methods that put nothing into a list, and builtins that leave one as it is.
_READING = frozenset(["pop", "remove", "clear", "sort", "reverse", "index", "count", "copy"])
_HARMLESS = frozenset(
    [
        "all", "any", "bool", "enumerate", "filter", "id", "isinstance", "len", "list", "map",
        "max", "min", "print", "repr", "reversed", "set", "sorted", "str", "sum", "tuple", "zip",
    ]
)  # fmt: skip
# Functions of libraries that do so, too.
_COPYING = ("numpy.array", "numpy.asarray", "numpy.mean", "numpy.stack", "numpy.concatenate")
_SHUFFLING = ("random.shuffle", "random.choice", "random.sample", "numpy.random.shuffle")
_KNOWN = frozenset([*_COPYING, *_SHUFFLING])
# They return a new list of what they are given.
_LISTING = frozenset(["list", "sorted", "reversed", "tuple", "set"])
# They find variables, or attributes, by names that are not read.
_OF_VARIABLES = ("locals", "globals", "exec", "eval")
_OF_ATTRIBUTES = (*_OF_VARIABLES, "getattr", "setattr", "vars")
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert)


class Lists:
    """The lists of one file, or of several that are read as one."""

    def __init__(self, tree: Tree, symbols: Symbols, classes: Classes) -> None:
        self._tree = tree
        self._symbols = symbols
        self._classes = classes
        self._known: dict[Variable, list[ast.expr] | None] = {}

    def elements(self, node: ast.expr) -> list[ast.expr] | None:
        """Return all that may be an element of a list; None where it may have others."""
        made = self._made(node)
        if made is not None:
            return made
        if isinstance(node, ast.Attribute):
            owner = self._classes.self_class(node)
            return self._of_attribute(node.attr, owner) if owner is not None else None
        variable = self._symbols.variable(node) if isinstance(node, ast.Name) else None
        if variable is None:
            return None
        if variable not in self._known:
            self._known[variable] = None  # of lists that are made of each other
            self._known[variable] = self._of_variable(variable)
        return self._known[variable]

    def _made(self, node: ast.expr) -> list[ast.expr] | None:
        """Return the elements of a list that an expression makes."""
        if isinstance(node, _DISPLAYS):
            return None if any(isinstance(item, ast.Starred) for item in node.elts) else node.elts
        if isinstance(node, _COMPREHENSIONS):
            return [node.elt]
        if (
            isinstance(node, ast.Call)
            and self._tree.builtin(node.func) in _LISTING
            and not node.keywords
        ):
            return [] if not node.args else self.elements(node.args[0])
        return None

    def _of_variable(self, variable: Variable) -> list[ast.expr] | None:
        scope, name = variable
        home = self._tree.file(scope.node)
        if (
            scope.kind not in ("module", "function")
            or self._symbols.is_replaced(variable)
            or (scope.kind == "module" and home in self._imported)
            or any(self._tree.file(use) is home for use in self._named(_OF_VARIABLES))
        ):
            return None
        bound = [self._bound(binding) for binding in scope.bindings[name]]
        return _all([*bound, *map(self._added, self._symbols.uses(variable))])

    def _bound(self, binding: Binding) -> list[ast.expr] | None:
        node = binding.node
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            return self.elements(node.value)
        return self._fresh(binding.value, node) if binding.value is not None else None

    def _fresh(self, value: ast.expr, statement: ast.AST) -> list[ast.expr] | None:
        """Return the elements of a new list that has just one name."""
        several = isinstance(statement, ast.Assign) and len(statement.targets) > 1
        alone = isinstance(statement, ast.Assign | ast.AnnAssign) and not several
        return self._made(value) if alone else None

    def _of_attribute(self, name: str, owner: ast.ClassDef) -> list[ast.expr] | None:
        """Return what may be in an attribute of objects of a class, whoever's it is."""
        around = self._classes.relatives(owner)
        if self._named(_OF_ATTRIBUTES) or self._tree.attributes.get("__dict__"):
            return None
        if not all(map(self._classes.is_known, around)):
            return None
        if self._classes.body_bindings(owner, name):
            return None
        found: list[list[ast.expr] | None] = []
        for node in self._tree.attributes[name]:
            if isinstance(node.ctx, ast.Load):
                found.append(self._added(node))
                continue
            statement = self._tree.parent[node]
            if (
                self._classes.self_class(node) is None
                or not isinstance(statement, ast.Assign)
                or node not in statement.targets
            ):
                return None
            found.append(self._fresh(statement.value, statement))
        return _all(found)

    def _named(self, names: Iterable[str]) -> list[ast.Name]:
        return [use for name in names for use in self._tree.names.get(name, ())]

    @cached_property
    def _imported(self) -> frozenset[Tree]:
        """The files that others import, and may change."""
        return frozenset(other for _, other in self._tree.imported_modules())

    def _added(self, use: ast.expr) -> list[ast.expr] | None:
        """Return what a use of a list puts into it; None where that is not known."""
        tree, parent = self._tree, self._tree.parent[use]
        if isinstance(parent, ast.Attribute):
            call = tree.parent[parent]
            if isinstance(call, ast.Call) and call.func is parent:
                return self._by_method(parent.attr, call)
            return None
        if isinstance(parent, ast.Subscript):
            return self._by_item(parent) if parent.value is use else None
        if isinstance(parent, ast.Call):
            return [] if use in parent.args and self._is_harmless(parent) else None
        if isinstance(parent, ast.Starred):
            return [] if isinstance(tree.parent[parent], ast.Call | ast.List | ast.Tuple) else None
        return [] if _only_reads(parent, use) else None

    def _by_method(self, method: str, call: ast.Call) -> list[ast.expr] | None:
        count = {"append": 1, "extend": 1, "insert": 2}.get(method)
        if count is None:
            return [] if method in _READING else None
        given = call.args
        if len(given) != count or call.keywords or isinstance(given[-1], ast.Starred):
            return None
        return self.elements(given[-1]) if method == "extend" else [given[-1]]

    def _by_item(self, item: ast.Subscript) -> list[ast.expr] | None:
        if not isinstance(item.ctx, ast.Store):
            return []
        statement = self._tree.parent[item]
        if isinstance(item.slice, ast.Slice) or not isinstance(statement, ast.Assign):
            return None
        return [statement.value] if item in statement.targets else None

    def _is_harmless(self, call: ast.Call) -> bool:
        """Tell whether a call leaves a list that it is given as it is, and keeps none of it."""
        paths = self._symbols.paths(call.func)
        return self._tree.builtin(call.func) in _HARMLESS or (bool(paths) and paths <= _KNOWN)


def _only_reads(parent: ast.AST, use: ast.expr) -> bool:
    """Tell whether a statement or an expression only looks at a list, or at what is in it."""
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is use
    if isinstance(parent, ast.Compare):
        asked = ast.In | ast.NotIn | ast.Is | ast.IsNot
        return parent.left is not use and all(isinstance(op, asked) for op in parent.ops)
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if isinstance(parent, _TESTS):
        return parent.test is use
    return isinstance(parent, ast.Expr | ast.FormattedValue)


def _all(found: Iterable[list[ast.expr] | None]) -> list[ast.expr] | None:
    """Return what is in several lists; None if that of one is not known."""
    known: list[ast.expr] = []
    for items in found:
        if items is None:
            return None
        known += items
    return known
