"""Names of tf.config that do not exist, and are a letter or two from real ones."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.flow.modern import OldName, asks_for_version, name_parts
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rename

# A name of another release would not be this much alike.
_ALIKE = 0.8


def misspelt_names(tree: Tree, symbols: Symbols, book: Rulebook) -> Iterator[OldName]:
    """Yield the misspelt names of tf.config, with the stable names that they are to become."""
    last = {module.rpartition(".")[2] for module in _modules(book)}
    for attribute in (node for name in last for node in tree.attributes.get(name, [])):
        node = tree.parent[attribute]
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        name = symbols.name(node)
        near = None if name is None else real_name(name, book)
        if near is None or asks_for_version(node, tree):
            continue
        if not _is_tried(node, near.name, tree, symbols, book):
            _, old, new = name_parts(near)
            yield OldName(node, near, len(old), new, None)


def real_name(name: str, book: Rulebook) -> Rename | None:
    """Return what a name of tf.config that does not exist is to become, where that is clear."""
    known, modules = book.config_names, _modules(book)
    if name.rpartition(".")[0] not in modules or name in known or name in modules:
        return None
    near = _nearest(name, known)
    return None if near is None else Rename(_stable(near, book), (0, 0), name)


@lru_cache(maxsize=4)
def _modules(book: Rulebook) -> frozenset[str]:
    return frozenset(name.rpartition(".")[0] for name in book.config_names)


def _stable(name: str, book: Rulebook) -> str:
    return next((item.name for item in book.renames if item.before == name), name)


def _is_tried(node: ast.AST, near: str, tree: Tree, symbols: Symbols, book: Rulebook) -> bool:
    """Tell whether the real name is used where this one fails."""
    return any(
        isinstance(item, ast.Attribute) and _stable(symbols.name(item) or "", book) == near
        for around in tree.within(node)
        if isinstance(around, ast.Try)
        for handler in around.handlers
        for item in ast.walk(handler)
    )


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the real name that is meant: of the same module, or by its last part of another."""
    import difflib  # noqa: PLC0415 - few files have names that are not known

    module, _, last = name.rpartition(".")
    siblings = {item.rpartition(".")[2]: item for item in known if item.startswith(f"{module}.")}
    others = {item.rpartition(".")[2]: item for item in known}
    for names, alike in ((others, 1.0), (siblings, _ALIKE), (others, _ALIKE)):
        found = difflib.get_close_matches(last, names, 1, alike)
        if found:
            return names[found[0]]
    return None
