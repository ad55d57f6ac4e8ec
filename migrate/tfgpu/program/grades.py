"""What a use of the raw module `tensorflow` means to TensorFlow 1 and 2."""

from __future__ import annotations

import ast
import re
from enum import Enum

from tfgpu.code.canonical import canonical
from tfgpu.code.index import Scope
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.program.raw import INTERNAL, RAW
from tfgpu.rulebook.book import Rulebook


class Grade(Enum):
    """What a use of the raw module `tensorflow` means to TensorFlow 1 and 2."""

    SAME = "the same in both"
    DIFFERS = "another meaning in each"
    V1_ONLY = "TensorFlow 1 only"
    MISSING = "in no TensorFlow 2"
    V2_ONLY = "TensorFlow 2 only"
    KERAS = "Keras"
    OTHER_KERAS = "Keras, with another meaning in each"
    INTERNAL = "an internal module"
    PASSED = "the module itself is passed on"


class Grades:
    """Grades uses by the names that rules know."""

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        # The namespaces of names that differ: `nn` of `nn.moments`.
        self._namespaces = {
            name[: place.start()] for name in book.differs for place in re.finditer(r"\.", name)
        }

    def of(self, node: ast.AST, dotted: str, tree: Tree, symbols: Symbols) -> Grade:
        """Return the grade of an expression or import of a dotted path."""
        name = canonical(dotted)
        if f"{dotted}.".startswith(INTERNAL):
            return Grade.INTERNAL
        # Keras's own package has the same names, and no other version of itself.
        inside = f"tf.{dotted.removeprefix(f'{RAW}.')}" if dotted.startswith(f"{RAW}.") else name
        if self._book.is_missing(name) or self._book.is_missing(inside):
            return Grade.MISSING
        if self._book.is_v1_only(name) or self._book.is_v1_only(inside):
            return Grade.V1_ONLY
        if self._book.is_v2_only(name):
            return Grade.V2_ONLY
        asks = _asks_for_names(node, name, tree) and not self._has_in_both(node, name, tree)
        is_lost = isinstance(node, ast.alias) and loses(node, tree, symbols)
        if name == "keras" or name.startswith("keras."):
            is_import = isinstance(node, ast.alias) and name in self._namespaces and not is_lost
            differs = not is_import and (asks or self._differs(node, name, tree, symbols))
            return Grade.OTHER_KERAS if differs else Grade.KERAS
        if isinstance(node, ast.alias):
            return Grade.DIFFERS if is_lost else Grade.SAME
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) and name != "tf":
            return Grade.DIFFERS  # What is set on a module is on no other one.
        if name == "tf":
            return Grade.SAME if is_renamed(node, tree, symbols) and not asks else Grade.PASSED
        if asks or self._differs(node, name.removeprefix("tf."), tree, symbols):
            return Grade.DIFFERS
        return Grade.SAME

    def _has_in_both(self, node: ast.AST, name: str, tree: Tree) -> bool:
        """Tell whether `hasattr` asks for a name that is in both versions, or in none."""
        call = tree.parent[node]
        is_asked = isinstance(call, ast.Call) and tree.builtin(call.func) == "hasattr"
        asked = call.args[1:] if isinstance(call, ast.Call) and is_asked else []
        text = asked[0].value if len(asked) == 1 and isinstance(asked[0], ast.Constant) else None
        if not isinstance(text, str) or name.startswith("keras"):
            return False
        inside = f"{name}.{text}"
        book = self._book
        return not (book.is_v1_only(inside) or book.is_v2_only(inside) or book.is_missing(inside))

    def _differs(self, node: ast.AST, name: str, tree: Tree, symbols: Symbols) -> bool:
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            same = self._book.differs.get(".".join(parts[:end]))
            if same is not None:
                call = tree.parent[node]
                return not (
                    end == len(parts)
                    and isinstance(call, ast.Call)
                    and call.func is node
                    and _gives_only(call, same)
                )
        # A namespace that is passed on: `ops = tf.nn` has uses of its own.
        return name in self._namespaces and not is_renamed(node, tree, symbols)


def _gives_only(call: ast.Call, same: tuple[str, ...]) -> bool:
    """Tell whether a call gives only values by which it means the same."""
    by_place = [word for word in same if not word.endswith("=")]
    by_name = {name: kind for name, _, kind in (word.rstrip("=").partition(":") for word in same)}
    if not same or len(call.args) > len(by_place):
        return False
    kinds = (word.partition(":")[2] for word in by_place)
    return all(_is_of(item, kind) for item, kind in zip(call.args, kinds, strict=False)) and all(
        item.arg in by_name and _is_of(item.value, by_name[item.arg]) for item in call.keywords
    )


def _is_of(value: ast.expr, kind: str) -> bool:
    """Tell whether a value is written as one of a kind: `text`, `several`, or any single one."""
    if kind == "text":
        return _is_text(value)
    if kind == "several":
        items = value.elts if isinstance(value, ast.List | ast.Tuple) else []
        return len(items) > 1 and not any(isinstance(item, ast.Starred) for item in items)
    return not isinstance(value, ast.Starred)


def _is_text(value: ast.expr) -> bool:
    """Tell whether a value is a text for certain: `"/gpu:0"`, `"/gpu:%d" % i`, `name + "/x"`."""
    if isinstance(value, ast.BinOp):
        texts = [value.left, value.right] if isinstance(value.op, ast.Add) else [value.left]
        return isinstance(value.op, ast.Add | ast.Mod) and any(map(_is_text, texts))
    if isinstance(value, ast.Call):
        func = value.func
        return isinstance(func, ast.Attribute) and func.attr == "format" and _is_text(func.value)
    is_constant = isinstance(value, ast.Constant) and isinstance(value.value, str)
    return is_constant or isinstance(value, ast.JoinedStr)


def _asks_for_names(node: ast.AST, name: str, tree: Tree) -> bool:
    """Tell whether a program asks a module which names it has, or what it is called, for a value.

    A test may be one for the version, which decides by itself what a program is for.
    """
    if any(part.startswith("__") for part in name.split(".")[2:]):
        return True
    call = tree.parent[node]
    if not isinstance(call, ast.Call) or tree.builtin(call.func) not in ("hasattr", "dir"):
        return False
    inner: ast.AST = call
    while isinstance(tree.parent[inner], ast.BoolOp | ast.UnaryOp | ast.Compare):
        inner = tree.parent[inner]
    return getattr(tree.parent[inner], "test", None) is not inner


def loses(alias: ast.alias, tree: Tree, symbols: Symbols) -> bool:
    """Tell whether uses of what an import binds are not all seen."""
    item = tree.imported[alias]
    return not _is_followed(item.name, item.scope, tree, symbols) or any(
        # `nn = nn` in a class takes what is outside of it.
        (owner := tree.owner(name.id, tree.scope(name))) is not None
        and owner.kind == "class"
        and not symbols.paths(name)
        for name in tree.names.get(item.name, ())
    )


def _is_followed(name: str, scope: Scope, tree: Tree, symbols: Symbols) -> bool:
    """Tell whether uses of a variable are seen: it is not of a class, nor another thing, too."""
    owner = tree.owner(name, scope)
    return owner is not None and owner.kind != "class" and bool(symbols.assigned(owner, name))


def is_renamed(node: ast.AST, tree: Tree, symbols: Symbols) -> bool:
    """Tell whether an expression is given a name, which is followed, or asked about."""
    parent = tree.parent[node]
    if isinstance(parent, ast.Assign):
        return all(
            isinstance(target, ast.Name)
            and _is_followed(target.id, tree.scope(target), tree, symbols)
            for target in parent.targets
        )
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name):
        return parent.func.id in ("hasattr", "print", "id", "type", "reload")
    return isinstance(parent, ast.Expr | ast.Delete)
