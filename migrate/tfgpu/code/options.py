"""Which options of a program are whole numbers: those of argparse, and flags of TensorFlow or absl.

What a program may set itself, by whatever way, is not known.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property

from tfgpu.code.canonical import FLAGS
from tfgpu.code.index import Variable
from tfgpu.code.lookups import names_set
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

_DEFINITIONS = frozenset(f"{path.rpartition('.')[0]}.DEFINE_integer" for path in FLAGS)
# They leave an option another kind of value than its type says.
_OTHER = frozenset(["action", "nargs", "const", None])
# They reach what is said of options, and what a function does.
_REACHING = ("__dict__", "__code__", "set_defaults", "register", "_actions", "_registries")
# What is said of an option: of argparse, and of a flag.
_OF_OPTIONS = ("type", "default", "dest", "nargs", "const", "value")
_CHANGING = frozenset(["update", "pop", "setdefault", "__setitem__", "clear"])


class Options:
    """The options that some files define.

    `is_rebound` tells of a variable whether other code than its file's may bind it.
    """

    def __init__(
        self, tree: Tree, symbols: Symbols, is_rebound: Callable[[Variable], bool]
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._is_rebound = is_rebound

    def is_whole(self, node: ast.expr) -> bool:
        """Tell whether an expression is an option that is certainly a whole number: `args.gpu`."""
        if not isinstance(node, ast.Attribute) or self._may_be_set(node.attr):
            return False
        if self._symbols.name(node.value) in FLAGS:
            variable = self._symbols.variable(node.value)
            is_own = variable is None or not self._is_rebound(variable)
            return is_own and self._is_flag(node.attr)
        return self._is_parsed(node.value) and self._is_argument(node.attr)

    def may_be_none(self, name: str) -> bool:
        """Tell whether the files define an option of a name that is None where it is not given."""
        return self._is_defined(name, _is_optional)

    def may_be_text(self, name: str) -> bool:
        """Tell whether the files define an option of a name that is the text that is given."""
        return self._is_defined(name, _is_text)

    def may_be_bool(self, name: str) -> bool:
        """Tell whether the files define an option of a name that is True or False."""
        return self._is_defined(name, _is_bool)

    def _is_defined(self, name: str, is_such: Callable[[ast.Call], bool]) -> bool:
        """Tell whether a call that defines an option of a name is such a one."""
        return any(
            is_such(call)
            for call in self._tree.calls
            if call.args and name in (_destination(call), _named(call))
        )

    def _may_be_set(self, name: str) -> bool:
        tree = self._tree
        return self._sets_any or name in names_set(tree) or name in tree.set_attributes

    @cached_property
    def _sets_any(self) -> bool:
        """Whether the files may set an attribute of any name, or defaults of a parser."""
        tree = self._tree
        if any(tree.attributes.get(name) for name in _REACHING):
            return True
        if not tree.set_attributes.isdisjoint(_OF_OPTIONS):
            return True
        for call in tree.calls:
            name = tree.builtin(call.func)
            if name in ("setattr", "delattr") and not all(
                isinstance(item, ast.Constant) for item in call.args[1:2]
            ):
                return True
            parent = tree.parent[call]
            if name == "vars" and (
                (isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load))
                or (isinstance(parent, ast.Attribute) and parent.attr in _CHANGING)
                or isinstance(parent, ast.Assign | ast.Return)
            ):
                return True
        return any(
            tree.builtin(use) and getattr(tree.parent[use], "func", None) is not use
            for name in ("setattr", "vars")
            for use in tree.names.get(name, ())
        )

    def _is_flag(self, name: str) -> bool:
        """Tell whether a flag is defined as a whole number, with a default."""
        defined = [call for call in self._tree.calls if last_name(call.func).startswith("DEFINE_")]
        found = [
            call
            for call in defined
            if not call.args
            or not isinstance(call.args[0], ast.Constant)
            or call.args[0].value == name
        ]
        return bool(found) and all(
            self._symbols.name(call.func) in _DEFINITIONS
            and len(call.args) > 1
            and _is_number(call.args[1])
            for call in found
        )

    def _is_parsed(self, node: ast.expr, depth: int = 3) -> bool:
        """Tell whether an object is what `parse_args` of a parser returns."""
        if isinstance(node, ast.Call):
            if last_name(node.func) == "parse_args" and isinstance(node.func, ast.Attribute):
                return len(node.args) < 2 and not node.keywords
            made = [item.node for item in self._symbols.bindings(node.func)]
            function = made[0] if len(made) == 1 else None
            if self._is_replaced(node.func):
                return False
            if not depth or not isinstance(function, ast.FunctionDef) or function.decorator_list:
                return False
            results = [*self._tree.results(function)]
            return bool(results) and all(
                isinstance(one, ast.Return)
                and one.value is not None
                and self._is_parsed(one.value, depth - 1)
                for one in results
            )
        bindings = self._symbols.bindings(node)
        value = bindings[0].value if len(bindings) == 1 else None
        if self._is_replaced(node):
            return False
        return bool(depth) and value is not None and self._is_parsed(value, depth - 1)

    def _is_replaced(self, node: ast.expr) -> bool:
        variable = self._symbols.variable(node)
        return variable is None or self._is_rebound(variable)

    def _is_argument(self, name: str) -> bool:
        """Tell whether an argument is defined as a whole number, with a default or required."""
        added = [call for call in self._tree.calls if last_name(call.func) == "add_argument"]
        found = [call for call in added if _destination(call) in (name, None)]
        return bool(found) and all(map(self._is_whole_argument, found))

    def _is_whole_argument(self, call: ast.Call) -> bool:
        given = {item.arg: item.value for item in call.keywords}
        if not _OTHER.isdisjoint(given) or self._tree.builtin(given.get("type", call)) != "int":
            return False
        default, required = given.get("default"), given.get("required")
        if default is not None:
            return _is_number(default)
        first = call.args[0] if call.args else None
        if isinstance(first, ast.Constant) and not str(first.value).startswith("-"):
            return True
        return isinstance(required, ast.Constant) and required.value is True


def _named(call: ast.Call) -> object:
    return call.args[0].value if isinstance(call.args[0], ast.Constant) else None


def _is_none(node: ast.expr | None) -> bool:
    """Tell whether a default is None, or is not there."""
    return node is None or (isinstance(node, ast.Constant) and node.value is None)


def _is_optional(call: ast.Call) -> bool:
    """Tell whether a call defines a flag, or an argument, that is None where it is not given."""
    given = {item.arg: item.value for item in call.keywords}
    word = last_name(call.func)
    if word.startswith("DEFINE_"):
        return _is_none(given.get("default", next(iter(call.args[1:]), None)))
    action, required = given.get("action"), given.get("required")
    name = _named(call)
    is_switch = isinstance(action, ast.Constant) and action.value in ("store_true", "store_false")
    is_flag = isinstance(name, str) and (name.startswith("-") or "nargs" in given)
    may_go = required is None or (isinstance(required, ast.Constant) and not required.value)
    is_none = word == "add_argument" and _is_none(given.get("default"))
    return is_none and is_flag and may_go and not is_switch


def _is_text(call: ast.Call) -> bool:
    """Tell whether a call defines a flag, or an argument, with the text that is given for it."""
    word = last_name(call.func)
    given = {item.arg: item.value for item in call.keywords}
    kind = getattr(given.get("type"), "id", "str" if "type" not in given else "")
    is_plain = _OTHER.isdisjoint(given) and kind == "str"
    return word == "DEFINE_string" or (word == "add_argument" and is_plain)


def _is_bool(call: ast.Call) -> bool:
    """Tell whether a call defines a flag, or an argument, that is True or False."""
    if last_name(call.func) in ("DEFINE_bool", "DEFINE_boolean"):
        return True
    given = {item.arg: item.value for item in call.keywords}
    action = getattr(given.get("action"), "value", None)
    return last_name(call.func) == "add_argument" and (
        action in ("store_true", "store_false")
        or last_name(given.get("action", call)) == "BooleanOptionalAction"
        or getattr(given.get("type"), "id", "") == "bool"
    )


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _destination(call: ast.Call) -> str | None:
    """Return the name of the attribute that an argument becomes; None where it is not known."""
    for item in call.keywords:
        if item.arg == "dest":
            return str(item.value.value) if isinstance(item.value, ast.Constant) else None
    names = [item.value for item in call.args if isinstance(item, ast.Constant)]
    texts = [name for name in names if isinstance(name, str)]
    if not texts or len(texts) < len(call.args):
        return None
    long = [name for name in texts if name.startswith("--")]
    return (long or texts)[0].lstrip("-").replace("-", "_")
