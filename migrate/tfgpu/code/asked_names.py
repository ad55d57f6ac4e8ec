"""Which names a reflective lookup asks for, as far as the texts in it are known."""

from __future__ import annotations

import ast
import re

from tfgpu.code.tree import Tree, last_name
from tfgpu.code.values import Values
from tfgpu.files.pattern import expression

# They ask an object for an attribute, or set one.
ATTRIBUTES = frozenset(["getattr", "hasattr", "setattr", "delattr"])
# Methods of a namespace that look for one name.
_OF_ONE = frozenset(
    ["get", "pop", "setdefault", "__contains__", "__getitem__", "__setitem__", "__delitem__"]
)
_NAME = expression(r"[A-Za-z_]\w*")
_PERCENT = expression(r"%\((\w+)\)")
_BRACES = expression(r"\{(\w+)")


class AskedNames:
    """The names that lookups of some files ask for, as patterns."""

    def __init__(self, tree: Tree, values: Values) -> None:
        self._tree = tree
        self._values = values

    def of(self, look: ast.expr) -> list[str] | None:
        """Return patterns of the names that a reflective lookup may ask for; None for all."""
        if isinstance(look, ast.Call) and self._tree.builtin(look.func) == "eval":
            return self._in_text(look.args[0]) if look.args else []
        if isinstance(look, ast.Call) and self._tree.builtin(look.func) in ATTRIBUTES:
            if len(look.args) < 2 or self._is_called(look):
                return []
            return self.of_key(look.args[1])
        if isinstance(look, ast.Attribute) and look.attr == "cell_contents":
            return None
        return self._of_namespace(look)

    def _of_namespace(self, look: ast.expr) -> list[str] | None:
        """Return what is asked of a dictionary of names."""
        parent = self._tree.parent[look]
        if isinstance(parent, ast.Subscript) and parent.value is look:
            return [] if self._is_called(parent) else self.of_key(parent.slice)
        if isinstance(parent, ast.Compare) and look in parent.comparators:
            return self.of_key(parent.left)
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod):
            return self._in_format(parent.left, _PERCENT)
        if isinstance(parent, ast.keyword):
            function = getattr(self._tree.parent[parent], "func", None)
            if isinstance(function, ast.Attribute) and function.attr == "format":
                return self._in_format(function.value, _BRACES)
            return None
        if isinstance(parent, ast.Attribute):
            call = self._tree.parent[parent]
            if isinstance(call, ast.Call) and call.func is parent:
                if parent.attr in _OF_ONE and call.args:
                    return self.of_key(call.args[0])
                if parent.attr == "update" and isinstance(self._tree.parent[call], ast.Expr):
                    return self._of_update(call)
        if isinstance(parent, ast.Call) and self._is_for_others(parent):
            return []
        return None

    def _of_update(self, call: ast.Call) -> list[str] | None:
        """Return patterns of the names that an update of a namespace writes."""
        names = [item.arg for item in call.keywords if item.arg is not None]
        unpacked = [item.value for item in call.keywords if item.arg is None]
        for given in (*call.args, *unpacked):
            keys = given.keys if isinstance(given, ast.Dict) else [None]
            known = [None if key is None else self._values.known(key) for key in keys]
            if not all(isinstance(key, str) for key in known):
                return None
            names += map(str, known)
        return [re.escape(name) for name in names]

    def _is_for_others(self, call: ast.Call) -> bool:
        """Tell whether a call that is given a namespace looks for nothing there by itself.

        What a text asks for is said of it; a lazy loader only puts its module there.
        """
        name = last_name(call.func)
        return self._tree.builtin(call.func) in ("eval", "exec") or name.lower().startswith("lazy")

    def of_key(self, key: ast.expr) -> list[str] | None:
        """Return a pattern of the texts that a key may be."""
        known = self._text(key)
        if known == "__dict__":
            return None  # All names.
        if known is not None and known.replace(".*", ""):
            return [known]
        return self._each(key)

    def _each(self, key: ast.expr) -> list[str] | None:
        """Return the texts that a variable of a loop over literals takes."""
        bindings = self._tree.bindings(key) if isinstance(key, ast.Name) else []
        loop = bindings[0].node if len(bindings) == 1 else None
        items = loop.iter if isinstance(loop, ast.For | ast.comprehension) else None
        if not isinstance(items, ast.List | ast.Tuple | ast.Set):
            return None
        found = [self._values.known(item) for item in items.elts]
        texts = [re.escape(item) for item in found if isinstance(item, str)]
        return texts if len(texts) == len(found) else None

    def _text(self, node: ast.expr) -> str | None:
        """Return a pattern of a text; None where nothing of it is known."""
        known = self._values.known(node)
        if isinstance(known, str):
            return re.escape(known)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            one, other = self._text(node.left), self._text(node.right)
            return None if one is None and other is None else f"{one or '.*'}{other or '.*'}"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            left = self._values.known(node.left)
            place = r"%[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]"
            return _pattern(left, place) if isinstance(left, str) else None
        if isinstance(node, ast.JoinedStr):
            return "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
                for part in node.values
            )
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "format"
        ):
            left = self._values.known(node.func.value)
            return _pattern(left, r"\{[^}]*\}") if isinstance(left, str) else None
        return None

    def _in_text(self, text: ast.expr) -> list[str] | None:
        """Return patterns of the names in a text that is run; None where it is not known."""
        known = self._values.known(text)
        if isinstance(known, str):
            return [re.escape(name) for name in _NAME.findall(known)]
        pattern = self._text(text)
        begin = _NAME.match(pattern) if pattern is not None else None
        if pattern is None or begin is None or pattern[begin.end() :].startswith(".*"):
            return None
        # It begins with a name: `"nets." + name`.
        return [begin[0]] if pattern[begin.end() :].startswith((r"\.", r"\(")) else None

    def _in_format(self, text: ast.expr, asking: re.Pattern[str]) -> list[str] | None:
        """Return the names that a text asks a dictionary for."""
        known = self._values.known(text)
        return asking.findall(known) if isinstance(known, str) else None

    def _is_called(self, node: ast.expr) -> bool:
        """Tell whether what is found is called at once: no config can be."""
        parent = self._tree.parent[node]
        return isinstance(parent, ast.Call) and parent.func is node


def _pattern(text: str, placeholder: str) -> str:
    """Return a pattern of what a format gives."""
    return ".*".join(map(re.escape, re.split(placeholder, text)))
