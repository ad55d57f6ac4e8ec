"""Names of tf.config that are a letter or two from real ones, and characters that nobody sees."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Iterator

from migrate.analysis.collect import Analysis
from migrate.analysis.facts import Problem
from migrate.analysis.modern import asks_for_version
from migrate.analysis.symbols import canonical
from migrate.rulebook.book import Rulebook
from migrate.rulebook.model import Rename

# A name of another release would not be this much alike.
_ALIKE = 0.8
# Characters without a width. (A no-break space is a space for int(), which reads "gpu: 0".)
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def misspelt(analysis: Analysis, book: Rulebook) -> Iterator[Problem]:
    """Find misspelt names and arguments of tf.config, and hidden characters in device strings."""
    for node, rename in misspelt_names(analysis, book):
        yield Problem("unknown-name", node, {"name": rename.before, "near": rename.name})
    yield from _imports(analysis, book)
    yield from _arguments(analysis, book)
    yield from _hidden(analysis)


def misspelt_names(analysis: Analysis, book: Rulebook) -> Iterator[tuple[ast.Attribute, Rename]]:
    """Yield the misspelt names of tf.config, with what they are to become."""
    tree, symbols, known = analysis.tree, analysis.symbols, book.config_names
    modules = {name.rpartition(".")[0] for name in known}
    last = {module.rpartition(".")[2] for module in modules}
    for attribute in (node for name in last for node in tree.attributes.get(name, [])):
        parent = tree.parent[attribute]
        if not isinstance(parent, ast.Attribute) or not isinstance(parent.ctx, ast.Load):
            continue
        near = _real_name(symbols.name(parent) or "", book)
        if near is None or asks_for_version(parent, tree):
            continue
        if not _is_tried(parent, near.name, analysis):
            yield parent, near


def _imports(analysis: Analysis, book: Rulebook) -> Iterator[Problem]:
    for item in analysis.tree.imports:
        near = _real_name(canonical(item.path), book)
        if near is not None and not asks_for_version(item.statement, analysis.tree):
            yield Problem("unknown-import", item.alias, {"name": near.before, "near": near.name})


def _real_name(name: str, book: Rulebook) -> Rename | None:
    """Return what a name of tf.config that does not exist is to become, where that is clear."""
    known = book.config_names
    modules = {item.rpartition(".")[0] for item in known}
    if name.rpartition(".")[0] not in modules or name in known or name in modules:
        return None
    near = _nearest(name, known)
    stable = next((item.name for item in book.renames if item.before == near), near)
    return None if stable is None else Rename(stable, (0, 0), name)


def _is_tried(node: ast.AST, near: str, analysis: Analysis) -> bool:
    """Tell whether the real name is used where this one fails."""
    return any(
        isinstance(item, ast.Attribute) and analysis.symbols.name(item) == near
        for around in analysis.tree.within(node)
        if isinstance(around, ast.Try)
        for handler in around.handlers
        for item in ast.walk(handler)
    )


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the real name that is meant: of the same module, or by its last part of another."""
    module, _, last = name.rpartition(".")
    siblings = {item.rpartition(".")[2]: item for item in known if item.startswith(f"{module}.")}
    others = {item.rpartition(".")[2]: item for item in known}
    for names, alike in ((others, 1.0), (siblings, _ALIKE), (others, _ALIKE)):
        found = difflib.get_close_matches(last, names, 1, alike)
        if found:
            return names[found[0]]
    return None


def _arguments(analysis: Analysis, book: Rulebook) -> Iterator[Problem]:
    for call in analysis.tree.calls:
        if not call.keywords:
            continue
        name = analysis.symbols.name(call.func) or ""
        parameters = book.config_names.get(name)
        if parameters is None:
            continue
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in parameters:
                near = difflib.get_close_matches(keyword.arg, sorted(parameters), 1, 0.5)
                hint = f"; did you mean {near[0]}?" if near else ""
                details = {"name": keyword.arg, "call": name, "hint": hint}
                yield Problem("unknown-argument", keyword, details)


def _hidden(analysis: Analysis) -> Iterator[Problem]:
    for call in analysis.tree.calls:
        if analysis.symbols.name(call.func) != "tf.device" or not call.args:
            continue
        node = call.args[0]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = _HIDDEN.search(node.value)
            if found is not None:
                details = {"code": f"U+{ord(found[0]):04X}", "text": _HIDDEN.sub("", node.value)}
                yield Problem("hidden-character", node, details)
