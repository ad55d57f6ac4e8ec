"""Names of TensorFlow 2 that got a better one: `tf.config.experimental.list_physical_devices`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.canonical import canonical
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass
from tfgpu.program.version import Questions, Version
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rename

# What names and attributes are called that tell one TensorFlow from another.
_VERSION_WORDS = ("version", "tf2", "tf_2", "tf1", "tf_1")
# Why a name stays that may be the only one that its version has.
ASKS = "the code around it asks which TensorFlow it runs on"
_MISSING = frozenset(["AttributeError", "ImportError", "ModuleNotFoundError"])


@dataclass(frozen=True, slots=True, eq=False)
class OldName:
    """A use, or an import, of a name that got a better one; `problem` says why it must stay.

    An attribute loses its last `depth` parts and gets `names` in their place.
    """

    node: ast.Attribute | ast.alias
    rename: Rename
    depth: int
    names: tuple[str, ...]
    problem: str | None


def old_names(tree: Tree, symbols: Symbols, book: Rulebook) -> Iterator[OldName]:
    """Find the old names of a file, those that are not to be changed among them."""
    questions = Questions(tree, symbols, book)

    def asks(node: ast.AST) -> bool:
        """Tell whether only some versions run a node."""
        return asks_for_version(node, tree) or questions.version(node) is not Version.BOTH

    for rename in book.renames:
        common, old, new = name_parts(rename)
        nodes = [
            node for node in tree.attributes.get(old[-1], []) if symbols.name(node) == rename.before
        ]
        imported = [item for item in tree.imports if canonical(item.path) == rename.before]
        patched = any(not isinstance(node.ctx, ast.Load) for node in nodes) or (
            bool(nodes or imported) and _is_named_in_a_string(rename, tree)
        )
        for node in nodes:
            if not isinstance(node.ctx, ast.Load):
                continue
            problem = "the file replaces the old name, or has it in a string" if patched else None
            if problem is None and asks(node):
                problem = ASKS
            if problem is None and symbols.name(_head(node, len(old))) != common:
                problem = "it is reached through another name"
            yield OldName(node, rename, len(old), new, problem)
        for item in imported:
            assert isinstance(item.statement, ast.ImportFrom)
            problem = "the file replaces the old name, or has it in a string" if patched else None
            if problem is None and asks(item.statement):
                problem = ASKS
            if problem is None and not _all_renamed(item.statement, rename, book):
                problem = "names that stay are imported with it"
            yield OldName(item.alias, rename, len(old), new, problem)


def name_parts(rename: Rename) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the common prefix of two dotted names, and the rest of each."""
    before, after = rename.before.split("."), rename.name.split(".")
    count = 0
    while before[count] == after[count] and count < len(after) - 1:
        count += 1
    return ".".join(before[:count]), tuple(before[count:]), tuple(after[count:])


def _head(node: ast.expr, depth: int) -> ast.expr:
    """Return what is left of a dotted expression without its last parts, or the name it starts."""
    for _ in range(depth):
        if isinstance(node, ast.Attribute):
            node = node.value
    return node


def _is_named_in_a_string(rename: Rename, tree: Tree) -> bool:
    """Tell whether a string is the path of an old name, as `mock.patch` takes it."""
    end = rename.before.removeprefix("tf")
    return any(
        isinstance(node.value, str)
        and node.value.endswith(end)
        and node.value.replace(".", "_").isidentifier()
        for node in tree.nodes(ast.Constant)
    )


def _all_renamed(statement: ast.ImportFrom, rename: Rename, book: Rulebook) -> bool:
    """Tell whether the same version renamed everything that a statement imports."""
    old = {other.before for other in book.renames if other.since == rename.since}
    return all(canonical(f"{statement.module}.{alias.name}") in old for alias in statement.names)


def asks_for_version(node: ast.AST, tree: Tree) -> bool:
    """Tell whether a node is in code that asks which TensorFlow it runs on.

    Such code is written for several versions, and each of its branches for some of them.
    """
    child = node
    for around in tree.within(node):
        if isinstance(around, ast.If | ast.IfExp | ast.While) and child is not around.test:
            if _is_about_version(around.test, tree):
                return True
        elif isinstance(around, ast.BoolOp):
            if any(_is_about_version(value, tree) for value in around.values if value is not child):
                return True
        elif isinstance(around, ast.Try) and any(map(_is_about_missing, around.handlers)):
            return True
        child = around
    return False


def _is_about_version(test: ast.expr, tree: Tree, depth: int = 2) -> bool:
    for node in ast.walk(test):
        word = None
        if isinstance(node, ast.Name):
            word = node.id
            values = [item.value for item in tree.bindings(node) if item.value is not None]
            if depth and any(_is_about_version(value, tree, depth - 1) for value in values):
                return True
        elif isinstance(node, ast.Attribute):
            word = node.attr
        if word is not None and (
            word in ("hasattr", "getattr") or any(part in word.lower() for part in _VERSION_WORDS)
        ):
            return True
    return False


def _is_about_missing(handler: ast.ExceptHandler) -> bool:
    return handler.type is not None and any(
        isinstance(node, ast.Name) and node.id in _MISSING for node in ast.walk(handler.type)
    )
