"""The texts that an expression can be, as far as they are known without running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product

from tfgpu.code.index import Binding
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.files.pattern import expression

# Stands in a text for what only the run tells; no file has it.
HOLE = "\ue000"
_PERCENT = expression(r"%(?:\((\w+)\))?[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]|%%")
_BRACES = expression(r"\{\{|\}\}|\{([^{}:!]*)[^{}]*\}")
# Known values of one expression, and numbers of one range, beyond which it is not followed.
_MOST = 16
_DEPTH = 6

_RANGES = frozenset(["range", "xrange"])

_Known = str | int | float


class Strings:
    """The texts of expressions in one file.

    What can be more than `most` things is not known. With `is_certain` neither is what may have
    changed since it was made, and a loop over a range is in its last round.
    """

    def __init__(
        self, tree: Tree, symbols: Symbols, most: int = _MOST, is_certain: bool = False
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._most = most
        self._is_certain = is_certain

    def of(self, node: ast.expr) -> list[str]:
        """Return every text that an expression can be, with holes for what is not known."""
        return [str(item) for item in self._values(node, _DEPTH)]

    def known(self, node: ast.expr) -> list[str]:
        """Return the texts of an expression that are known as a whole."""
        return [text for text in self.of(node) if HOLE not in text]

    def one(self, node: ast.expr) -> str:
        """Return the text of an expression, with holes for parts that can be several things."""
        return Strings(self._tree, self._symbols, 1).of(node)[0]

    def certain(self, node: ast.expr) -> str | None:
        """Return the text that an expression is in its last round, None if that is not known."""
        text = Strings(self._tree, self._symbols, 1, is_certain=True).of(node)[0]
        return None if HOLE in text else text

    def assigned(self, node: ast.expr) -> ast.expr:
        """Return what a name is assigned, where that is one thing."""
        if isinstance(node, ast.Name):
            found = self._symbols.bindings(node)
            if len(found) == 1 and found[0].value is not None:
                return found[0].value
        return node

    def _values(self, node: ast.expr, depth: int) -> list[_Known]:
        found = list(dict.fromkeys(self._find(node, depth))) if depth else []
        return found if 0 < len(found) <= self._most else [HOLE]

    def _find(self, node: ast.expr, depth: int) -> Iterable[_Known]:
        reader = _READERS.get(type(node))
        return reader(self, node, depth - 1) if reader is not None else [HOLE]

    def _constant(self, node: ast.Constant, depth: int) -> list[_Known]:
        value = node.value
        if isinstance(value, bytes):
            return [value.decode("latin-1")]
        return [value if isinstance(value, str | int | float) else str(value)]

    def _joined(self, node: ast.JoinedStr, depth: int) -> Iterator[_Known]:
        parts = [self._part(item, depth) for item in node.values]
        return ("".join(map(str, found)) for found in _products(parts))

    def _part(self, node: ast.expr, depth: int) -> list[_Known]:
        if not isinstance(node, ast.FormattedValue):
            return self._values(node, depth)
        is_plain = node.format_spec is None and node.conversion in (-1, ord("s"))
        return self._values(node.value, depth) if is_plain else [HOLE]

    def _operation(self, node: ast.BinOp, depth: int) -> Iterator[_Known]:
        if isinstance(node.op, ast.Mod):
            items = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            return self._filled(node.left, items, [], _PERCENT, depth)
        parts = [self._values(node.left, depth), self._values(node.right, depth)]
        return (_combined(node.op, *found) for found in _products(parts))

    def _call(self, node: ast.Call, depth: int) -> Iterable[_Known]:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr == "format":
            return self._filled(function.value, node.args, node.keywords, _BRACES, depth)
        if isinstance(function, ast.Attribute) and function.attr in ("encode", "decode"):
            return self._values(function.value, depth)
        if self._builtin(function) == "str" and len(node.args) == 1:
            return list(map(str, self._values(node.args[0], depth)))
        if isinstance(function, ast.Attribute) and function.attr == "join" and len(node.args) == 1:
            items = self._elements(node.args[0])
            if isinstance(function.value, ast.Constant) and items:
                between = str(function.value.value)
                parts = [self._values(item, depth) for item in items]
                return (between.join(map(str, found)) for found in _products(parts))
        return [HOLE]

    def _builtin(self, node: ast.expr) -> str:
        """Return the builtin that a name means; nothing for one of a file that is not read here."""
        return self._tree.builtin(node) if self._tree.holds(node) else ""

    def _filled(
        self,
        template: ast.expr,
        items: Sequence[ast.expr],
        keywords: Sequence[ast.keyword],
        places: re.Pattern[str],
        depth: int,
    ) -> Iterator[_Known]:
        """Yield a template with the texts of the values that it is given in their places."""
        names = {item.arg: len(items) + number for number, item in enumerate(keywords)}
        given = [self._values(item, depth) for item in (*items, *(k.value for k in keywords))]
        for text in self._values(template, depth):
            for found in _products(given):
                yield _fill(str(text), [str(item) for item in found], names, places)

    def _name(self, node: ast.expr, depth: int) -> Iterator[_Known]:
        bindings = self._symbols.bindings(node)
        if not bindings and isinstance(node, ast.Attribute) and not self._is_certain:
            bindings = self._members(node)
        variable = self._symbols.variable(node)
        if not bindings or (variable is not None and self._symbols.is_replaced(variable)):
            yield HOLE
        for binding in bindings:
            yield from self._bound(binding, node, depth)

    def _bound(self, binding: Binding, name: ast.expr, depth: int) -> Iterator[_Known]:
        if binding.value is not None:
            yield from self._values(binding.value, depth)
        elif not self._tree.holds(binding.node):
            yield HOLE
        elif isinstance(binding.node, ast.arg):
            yield HOLE
            default = _default(binding.node, self._tree)
            if default is not None:
                yield from self._values(default, depth)
        elif isinstance(name, ast.Name):
            for item in self._looped(name, binding.node, depth):
                yield from self._values(item, depth) if isinstance(item, ast.expr) else [item]
        else:
            yield HOLE

    def _looped(self, name: ast.Name, loop: ast.AST, depth: int) -> Iterable[ast.expr | _Known]:
        """Return what a variable of a loop goes through: texts, numbers, or what has them."""
        loop = self._tree.parent[loop] if isinstance(loop, ast.Tuple) else loop
        if not isinstance(loop, ast.For | ast.comprehension):
            return [HOLE]
        around, place = loop.iter, 0
        if isinstance(loop.target, ast.Tuple):
            names = [getattr(item, "id", "") for item in loop.target.elts]
            place = names.index(name.id) if name.id in names else -1
            if not isinstance(around, ast.Call) or place != 1:
                return [HOLE]
            if self._builtin(around.func) != "enumerate":
                return [HOLE]
            around = around.args[0] if around.args else around
        numbers = self._range(around, depth)
        if numbers is not None:
            return numbers
        return self._elements(around) or [HOLE]

    def _range(self, node: ast.expr, depth: int) -> Sequence[_Known] | None:
        """Return the numbers of a range whose ends are known; None for everything else."""
        if not isinstance(node, ast.Call) or self._builtin(node.func) not in _RANGES:
            return None
        ends = [self._values(item, depth) for item in node.args]
        known = [end[0] for end in ends if len(end) == 1]
        numbers = [end for end in known if isinstance(end, int)]
        if not 1 <= len(numbers) <= 3 or len(numbers) != len(ends) or 0 in numbers[2:]:
            return [HOLE]
        found = range(*numbers)
        if self._is_certain:
            return found[-1:] or [HOLE]
        return found if len(found) <= _MOST else [HOLE]

    def _elements(self, node: ast.expr) -> list[ast.expr]:
        """Return the elements of a list that is written out, or of what makes all of one."""
        node = node if self._is_certain else self.assigned(node)
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            return node.elts
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return [node.elt]
        if isinstance(node, ast.Dict):
            return [key for key in node.keys if key is not None]
        return []

    def _members(self, node: ast.Attribute) -> list[Binding]:
        """Return what binds an attribute of a class of the file that is named, or of `self`."""
        if not self._tree.holds(node):
            return []
        owner = next((item.node for item in self._symbols.bindings(node.value)), None)
        if not isinstance(owner, ast.ClassDef):
            is_self = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            around = self._tree.within(node) if is_self else ()
            owner = next((item for item in around if isinstance(item, ast.ClassDef)), None)
        if owner is None or not self._tree.holds(owner):
            return []
        found = list(self._tree.scope(owner.body[0]).bindings.get(node.attr, []))
        for item in self._tree.attributes.get(node.attr, []):
            parent = self._tree.parent[item]
            is_own = getattr(item.value, "id", "") == "self" and owner in self._tree.within(item)
            if is_own and isinstance(parent, ast.Assign) and item in parent.targets:
                found.append(Binding("assign", parent, parent.value))
        return found

    def _choice(self, node: ast.IfExp | ast.BoolOp, depth: int) -> list[_Known]:
        parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
        return [value for part in parts for value in self._values(part, depth)]

    def _item(self, node: ast.Subscript, depth: int) -> list[_Known]:
        table = node.value if self._is_certain else self.assigned(node.value)
        items = table.values if isinstance(table, ast.Dict) else self._elements(table)
        return [value for item in items for value in self._values(item, depth)]


_READERS: dict[type[ast.expr], Callable[..., Iterable[_Known]]] = {
    ast.Constant: Strings._constant,
    ast.JoinedStr: Strings._joined,
    ast.BinOp: Strings._operation,
    ast.Call: Strings._call,
    ast.Name: Strings._name,
    ast.Attribute: Strings._name,
    ast.IfExp: Strings._choice,
    ast.BoolOp: Strings._choice,
    ast.Subscript: Strings._item,
}


def _products(parts: Sequence[Sequence[_Known]]) -> Iterator[tuple[_Known, ...]]:
    """Yield every choice of one value of each part; holes where there are too many."""
    count = 1
    for part in parts:
        count *= len(part)
    yield from product(*parts) if count <= _MOST else [(HOLE,) * len(parts)]


def _combined(operator: ast.operator, left: _Known, right: _Known) -> _Known:
    if isinstance(left, str) and isinstance(right, str):
        return left + right if isinstance(operator, ast.Add) else HOLE
    if isinstance(left, str) or isinstance(right, str):
        return HOLE
    if isinstance(operator, ast.Add | ast.Sub):
        return left + right if isinstance(operator, ast.Add) else left - right
    return HOLE


def _fill(
    text: str, given: list[str], names: dict[str | None, int], places: re.Pattern[str]
) -> str:
    """Return a text with values in its places, holes where there is none."""
    left = list(range(len(given)))

    def value(found: re.Match[str]) -> str:
        if found[0] in ("%%", "{{", "}}"):
            return found[0][0]
        key = found[1] or ""
        number = int(key) if key.isdigit() else names.get(key)
        if not key and left:
            number = left.pop(0)
        is_plain = found[0][-1] in "dsi" or (found[0][0] == "{" and not set(":!") & set(found[0]))
        is_known = number is not None and number < len(given) and is_plain
        return given[number] if is_known and number is not None else HOLE

    return places.sub(value, text)


def _default(parameter: ast.arg, tree: Tree) -> ast.expr | None:
    """Return the default of a parameter."""
    arguments = tree.parent[parameter]
    if not isinstance(arguments, ast.arguments):
        return None
    plain = [*arguments.posonlyargs, *arguments.args]
    if parameter in plain:
        number = plain.index(parameter) - (len(plain) - len(arguments.defaults))
        return arguments.defaults[number] if number >= 0 else None
    if parameter in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(parameter)]
    return None
