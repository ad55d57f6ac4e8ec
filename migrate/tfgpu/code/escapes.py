"""Which objects come to code that is not followed, and may call any of their methods.

An object stays where it is only asked for attributes, and where it goes to variables and functions
of the files that do no more with it. Libraries, containers and generators may do anything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.lookups import LOOKING
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

# An object is followed through so many variables and functions.
_DEPTH = 40
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Escapes:
    """Tells whether objects of some files come to code that is not followed."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols
        self._known: dict[ast.AST, bool] = {}
        self._seen: set[ast.AST] = set()
        self._depth = 0

    def leaves(self, node: ast.AST) -> bool:
        """Tell whether the object of an expression comes to code that is not followed."""
        if node in self._known:
            return self._known[node]
        if node in self._seen:
            return False  # What it leads to is being asked for.
        if self._depth > _DEPTH:
            return True  # Where it goes on to is not followed.
        outermost = not self._seen
        self._seen.add(node)
        self._depth += 1
        found = self._find(node)
        self._depth -= 1
        if outermost:
            self._seen.clear()
        if found or outermost:
            self._known[node] = found
        return found

    def _find(self, node: ast.AST) -> bool:
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Attribute | ast.Expr | ast.Compare):
            return False
        if isinstance(parent, ast.UnaryOp):
            return not isinstance(parent.op, ast.Not)
        if isinstance(parent, ast.If | ast.While | ast.Assert):
            return False
        if isinstance(parent, ast.IfExp):
            return parent.test is not node and self.leaves(parent)
        if isinstance(parent, ast.BoolOp | ast.Await):
            return self.leaves(parent)
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            flows = isinstance(parent, ast.NamedExpr) and self.leaves(parent)
            return flows or any(map(self._leaves_variable, targets))
        if isinstance(parent, ast.withitem):
            variable = parent.optional_vars
            return variable is not None and self._leaves_variable(variable)
        if isinstance(parent, ast.Call):
            return parent.func is not node and self._leaves_call(node, parent, None)
        if isinstance(parent, ast.keyword) and parent.arg is not None:
            call = self._tree.parent[parent]
            return not isinstance(call, ast.Call) or self._leaves_call(node, call, parent.arg)
        if isinstance(parent, ast.Return):
            return self._leaves_function(self._tree.function(parent).node)
        return True

    def _leaves_variable(self, target: ast.expr) -> bool:
        """Tell whether what a variable, or an attribute of any object, holds leaves."""
        tree = self._tree
        if isinstance(target, ast.Name):
            bindings = tree.bindings(target)
            uses: Iterator[ast.expr] = (
                item
                for item in tree.names.get(target.id, ())
                if isinstance(item.ctx, ast.Load) and tree.bindings(item) is bindings
            )
            variable = self._symbols.variable(target)
            others = self._symbols.uses(variable) if variable is not None else ()
            in_class = tree.scope(target).kind == "class" and self._leaves_attribute(target.id)
            return in_class or any(map(self.leaves, (*uses, *others)))
        return not isinstance(target, ast.Attribute) or self._leaves_attribute(target.attr)

    def _leaves_attribute(self, name: str) -> bool:
        found = self._tree.attributes.get(name, ())
        return any(self.leaves(item) for item in found if isinstance(item.ctx, ast.Load))

    def _leaves_call(self, given: ast.AST, call: ast.Call, name: str | None) -> bool:
        """Tell whether an argument of a call leaves: it stays with what functions do with it."""
        builtin = self._tree.builtin(call.func)
        if builtin and not self._symbols.bindings(call.func):
            return not (builtin in LOOKING and name is None)
        called = [item.node for item in self._symbols.bindings(call.func)]
        if len(called) != 1 or any(isinstance(item, ast.Starred) for item in call.args):
            return True
        function, skipped = called[0], 0
        if isinstance(function, ast.ClassDef):
            found = self._tree.scope(function.body[0]).bindings.get("__init__", [])
            function, skipped = (found[0].node if len(found) == 1 else function), 1
        if not isinstance(function, _FUNCTIONS):
            return True
        is_static = self._is_static(function)
        if function.decorator_list and not is_static:
            return True
        parameters = [*function.args.posonlyargs, *function.args.args]
        if isinstance(call.func, ast.Attribute) and self._is_method(function) and not is_static:
            # `Base.train(self, model)` gives the object, too.
            skipped = int(not isinstance(self._symbols.definition(call.func.value), ast.ClassDef))
        if name is None:
            place = call.args.index(given) + skipped  # type: ignore[arg-type]
            chosen = parameters[place : place + 1]
        else:
            chosen = [it for it in (*parameters, *function.args.kwonlyargs) if it.arg == name]
        return not chosen or self._leaves_parameter(chosen[0])

    def _is_method(self, function: ast.AST) -> bool:
        return isinstance(self._tree.parent[function], ast.ClassDef)

    def _is_static(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Tell whether a function is a method that gets no object."""
        return [self._tree.builtin(item) for item in function.decorator_list] == ["staticmethod"]

    def _leaves_parameter(self, parameter: ast.arg) -> bool:
        scope = self._tree.function(parameter)
        return any(
            self.leaves(item)
            for item in self._tree.names.get(parameter.arg, ())
            if isinstance(item.ctx, ast.Load)
            and self._tree.owner(item.id, self._tree.scope(item)) is scope
        )

    def _leaves_function(self, function: ast.AST) -> bool:
        """Tell whether what a function returns leaves where it is called."""
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return True
        if self._is_method(function):
            if function.name.startswith("__"):
                return True  # Python calls `__enter__` and `__getitem__` by itself.
            uses: list[ast.expr] = [*self._tree.attributes.get(function.name, ())]
        else:
            uses = [*self._symbols.uses((self._tree.scope(function), function.name))]
        calls = [self._tree.parent[use] for use in uses]
        is_called = all(
            isinstance(call, ast.Call) and call.func is use
            for use, call in zip(uses, calls, strict=True)
        )
        return not is_called or any(map(self.leaves, calls))

    def leaves_methods(self, owner: ast.ClassDef) -> bool:
        """Tell whether methods of a class give their own object away: `register(self)`."""
        methods = (item for item in owner.body if isinstance(item, _FUNCTIONS))
        first = (item.args.args[:1] for item in methods if not self._is_static(item))
        return any(self._leaves_parameter(it) for parameters in first for it in parameters)
