"""Configs in dictionaries and namespaces: `options["config"]`, `args.config`.

Such a *record* is followed where it is in one variable, and in parameters that all calls give it
for, and where nothing is done with it as a whole: it is not printed, copied, or looked through.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tfgpu.code.index import Variable
from tfgpu.code.tree import assigns_one
from tfgpu.dataclass import dataclass

if TYPE_CHECKING:
    from tfgpu.flow.callers import Callers
    from tfgpu.flow.locations import Reading

_NAMESPACES = frozenset(["argparse.Namespace", "types.SimpleNamespace"])
_PARSER = "argparse.ArgumentParser"
_PARSING = frozenset(["parse_args", "parse_known_args"])
# What has a class in it that it does not change: `Optional[Namespace]`, `Namespace | None`.
_ONLY_NAMING = (ast.arg, ast.FunctionDef, ast.ClassDef, ast.Subscript, ast.BinOp)


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A dictionary, or an object without a class of the files, in a variable.

    `made` is what makes it. `has_items` tells that its parts are items, and no attributes; `given`
    are those that it is made with.
    """

    variable: Variable
    made: ast.expr
    has_items: bool
    given: Mapping[object, ast.expr]


class Records:
    """The records of some files, and their parts."""

    def __init__(self, reading: Reading, callers: Callers) -> None:
        self._read = reading
        self._callers = callers
        self._known: dict[Variable, Record | None] = {}

    def part(self, node: ast.expr) -> tuple[Record, str] | None:
        """Return the record, and the name in it, of an attribute or item."""
        name = _name(node)
        record = self._of(node.value) if isinstance(node, ast.Attribute | ast.Subscript) else None
        if name is None or record is None:
            return None
        return (record, name) if record.has_items is isinstance(node, ast.Subscript) else None

    def made_with(self, node: ast.expr) -> tuple[Record, str] | None:
        """Return the record that is made with an expression, and the name of that in it."""
        tree = self._read.tree
        parent = tree.parent[node]
        made = tree.parent[parent] if isinstance(parent, ast.keyword) else parent
        around = tree.parent.get(made)
        if not isinstance(around, ast.Assign | ast.AnnAssign) or not assigns_one(around):
            return None
        record = self._of(around.targets[0] if isinstance(around, ast.Assign) else around.target)
        if record is None or record.made is not made:
            return None
        names = [name for name, value in record.given.items() if value is node]
        return (record, names[0]) if names and isinstance(names[0], str) else None

    def holds(self, node: ast.Attribute) -> bool:
        """Tell whether an attribute is one of a record, whatever is done with that."""
        return self._of(node.value) is not None

    def variables(self, record: Record) -> list[Variable]:
        """Return the variables that have a record, that it is made in first."""
        found = [record.variable]
        for variable in found:
            for use in self._read.symbols.uses(variable):
                taker = self._taker(use)
                if taker is not None and taker not in found and self._in(taker) is record:
                    found.append(taker)
        return found

    def parts(self, record: Record, name: str) -> Iterator[ast.Attribute | ast.Subscript]:
        """Yield what reads or sets a part of a record by its name."""
        for use in self._uses(record):
            parent = self._read.tree.parent[use]
            if isinstance(parent, ast.Attribute | ast.Subscript) and _name(parent) == name:
                yield parent

    def seen(self, record: Record, name: str) -> ast.expr | None:
        """Find what may see whether a record has a part of a name, other than by that name."""
        found = (use for use in self._uses(record) if not self._is_apart(use, record, name))
        return next(found, None)

    def _uses(self, record: Record) -> Iterator[ast.expr]:
        for variable in self.variables(record):
            yield from self._read.symbols.uses(variable)

    def _is_apart(self, use: ast.expr, record: Record, name: str) -> bool:
        """Tell whether a use of a record is one of a part by its name, or hands the record on."""
        parent = self._read.tree.parent[use]
        if isinstance(parent, ast.Attribute) and record.has_items:
            call = self._read.tree.parent[parent]
            asked = call.args[0] if isinstance(call, ast.Call) and call.args else None
            known = asked.value if isinstance(asked, ast.Constant) else name
            return parent.attr == "get" and getattr(call, "func", None) is parent and known != name
        if isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is use:
            if isinstance(parent, ast.Subscript):
                return isinstance(parent.slice, ast.Constant)
            return not parent.attr.startswith("__")
        taker = self._taker(use)
        return taker is not None and self._in(taker) is record

    def _taker(self, use: ast.expr) -> Variable | None:
        """Return the parameter of a function of the files that a use of a record is given for."""
        place: str | int | None = None
        parent = call = self._read.tree.parent[use]
        if isinstance(parent, ast.keyword):
            place, call = parent.arg, self._read.tree.parent[parent]
        elif isinstance(parent, ast.Call) and use in parent.args:
            place = parent.args.index(use)
        if not isinstance(call, ast.Call) or place is None:
            return None
        function = self._read.callees.called(call.func)
        argument = self._callers.taker(call, function, place) if function is not None else None
        if function is None or argument is None:
            return None
        return self._read.tree.scope(function.args), argument.arg

    def _of(self, node: ast.expr) -> Record | None:
        variable = self._read.symbols.variable(node) if isinstance(node, ast.Name) else None
        return self._in(variable) if variable is not None else None

    def _in(self, variable: Variable) -> Record | None:
        """Return the record that a variable has, whenever that has a value."""
        if variable not in self._known:
            self._known[variable] = None  # of one that is handed to itself
            self._known[variable] = self._find(variable)
        return self._known[variable]

    def _find(self, variable: Variable) -> Record | None:
        scope, name = variable
        binding = scope.bindings[name][0]
        if len(scope.bindings[name]) > 1 or scope.kind == "class":
            return None
        if binding.kind == "param":
            return self._handed(scope.node, name)
        symbols = self._read.symbols
        if binding.value is None or not assigns_one(self._read.tree.statement(binding.node)):
            return None
        if symbols.users(variable) or symbols.is_replaced(variable):
            return None
        return self._made(variable, binding.value)

    def _handed(self, function: ast.AST, name: str) -> Record | None:
        """Return the record that all calls of a function give for a parameter."""
        if not isinstance(function, ast.FunctionDef) or self._callers.not_followed(function):
            return None
        argument = self._callers.argument(function, name)
        calls = self._callers.calls(function, argument) if argument is not None else ()
        found = {self._of(given) if given is not None else None for _, given in calls}
        return found.pop() if len(found) == 1 else None

    def _made(self, variable: Variable, node: ast.expr) -> Record | None:
        """Return the record that an expression makes, if all names of its parts are known."""
        if isinstance(node, ast.Dict):
            parts = zip(node.keys, node.values, strict=True)
            given: dict[object, ast.expr] = {
                key.value: value for key, value in parts if isinstance(key, ast.Constant)
            }
            return Record(variable, node, True, given) if len(given) == len(node.keys) else None
        if not isinstance(node, ast.Call):
            return None
        has_items = self._read.tree.builtin(node.func) == "dict"
        if not has_items and self._kinds_change:
            return None
        if not has_items and self._parses(node):
            return Record(variable, node, False, {})
        is_one = has_items or self._read.symbols.name(node.func) in _NAMESPACES
        given = {item.arg: item.value for item in node.keywords if item.arg is not None}
        is_known = is_one and not node.args and len(given) == len(node.keywords)
        return Record(variable, node, has_items, given) if is_known else None

    def _parses(self, call: ast.Call) -> bool:
        """Tell whether a call makes the namespace of the options of a program."""
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr != "parse_args":
            return False
        symbols = self._read.symbols
        parser: ast.expr | None = function.value
        if isinstance(parser, ast.Name):
            bindings, variable = symbols.bindings(parser), symbols.variable(parser)
            if len(bindings) != 1 or variable is None or self._is_set_elsewhere(variable):
                return False
            parser = bindings[0].value
        is_parser = isinstance(parser, ast.Call) and symbols.name(parser.func) == _PARSER
        is_new = len(call.args) < 2 and not any(isinstance(it, ast.Starred) for it in call.args)
        return is_parser and is_new and not call.keywords and not self._actions_keep

    def _is_set_elsewhere(self, variable: Variable) -> bool:
        """Tell whether a variable may be set by another file, or without its name."""
        looks = self._read.reflection.of_variable(*variable)
        return self._read.symbols.is_replaced(variable) or any(True for _ in looks)

    @cached_property
    def _kinds_change(self) -> bool:
        """Whether the classes of namespaces and parsers may be replaced, or get other methods.

        Only calls, annotations, subclasses and questions of a type name one: `Namespace.config =
        property(...)` and `mock.patch.object(Namespace, "__setattr__")` are none of them.
        """
        tree, symbols = self._read.tree, self._read.symbols
        kinds = _NAMESPACES | {_PARSER}
        words = {name.rpartition(".")[2] for name in kinds} | kinds
        stores = (node for name in _PARSING for node in tree.attributes.get(name, ()))
        return (
            any(word in tree.texts for word in {*words, *_PARSING})
            or any(not isinstance(node.ctx, ast.Load) for node in stores)
            or any(
                symbols.name(node) in kinds and not self._only_names(node)
                for node in symbols.imported_parts()
            )
        )

    def _only_names(self, kind: ast.expr) -> bool:
        """Tell whether what names a class cannot change it."""
        parent = self._read.tree.parent[kind]
        if isinstance(parent, ast.Call):
            return parent.func is kind or self._read.tree.builtin(parent.func) == "isinstance"
        return isinstance(parent, _ONLY_NAMING) or (
            isinstance(parent, ast.AnnAssign) and parent.annotation is kind
        )

    @cached_property
    def _actions_keep(self) -> bool:
        """Whether an action of the files may keep the namespace that a parser gives it."""
        classes, symbols = self._read.callees.classes, self._read.symbols
        calls = (
            binding.node
            for owner in self._read.tree.nodes(ast.ClassDef)
            if any(
                (symbols.name(base) or "").startswith("argparse.")
                for item in classes.line(owner)
                for base in item.bases
            )
            for binding in classes.members(owner).get("__call__", ())
        )
        return not all(map(self._keeps_nothing, calls))

    def _keeps_nothing(self, action: ast.AST) -> bool:
        """Tell whether a method `__call__` only reads and sets parts of its namespace."""
        if not isinstance(action, ast.FunctionDef) or len(action.args.args) < 3:
            return False
        given = (self._read.tree.scope(action.args), action.args.args[2].arg)
        uses = self._read.symbols.uses(given)
        return not self._is_set_elsewhere(given) and all(map(self._is_of_parts, uses))

    def _is_of_parts(self, use: ast.expr) -> bool:
        """Tell whether a use of a namespace only reads or sets parts of it."""
        parent = self._read.tree.parent[use]
        if isinstance(parent, ast.Call) and parent.args[:1] == [use]:
            return self._read.tree.builtin(parent.func) in ("setattr", "getattr", "hasattr")
        return isinstance(parent, ast.Attribute) and not parent.attr.startswith("__")


def _name(node: ast.AST) -> str | None:
    """Return the name of an attribute, or of an item that is named by a text."""
    if isinstance(node, ast.Attribute):
        return node.attr
    key = node.slice if isinstance(node, ast.Subscript) else None
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
