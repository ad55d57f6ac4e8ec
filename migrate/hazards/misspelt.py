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

# A name of another release would not be this much alike.
_ALIKE = 0.8
# Characters without a width. (A no-break space is a space for int(), which reads "gpu: 0".)
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")


def misspelt(analysis: Analysis, book: Rulebook) -> Iterator[Problem]:
    """Find misspelt names and arguments of tf.config, and hidden characters in device strings."""
    yield from _names(analysis, book)
    yield from _arguments(analysis, book)
    yield from _hidden(analysis)


def _names(analysis: Analysis, book: Rulebook) -> Iterator[Problem]:
    tree, symbols, known = analysis.tree, analysis.symbols, book.config_names
    modules = {name.rpartition(".")[0] for name in known}
    last = {module.rpartition(".")[2] for module in modules}
    for attribute in (node for name in last for node in tree.attributes.get(name, [])):
        parent = tree.parent[attribute]
        if not isinstance(parent, ast.Attribute) or not isinstance(parent.ctx, ast.Load):
            continue
        name = symbols.name(parent) or ""
        if name.rpartition(".")[0] not in modules or name in known or name in modules:
            continue
        near = _nearest(name, known)
        if near is None or asks_for_version(parent, tree):
            continue
        if not _is_tried(parent, near, analysis):
            yield Problem("unknown-name", parent, {"name": name, "near": near})
    for item in tree.imports:
        name = canonical(item.path)
        if name.rpartition(".")[0] in modules and name not in known and name not in modules:
            near = _nearest(name, known)
            if near is not None and not asks_for_version(item.statement, tree):
                yield Problem("unknown-name", item.alias, {"name": name, "near": near})


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
