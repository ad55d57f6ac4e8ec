"""Names that TensorFlow has removed, or that are nearly real ones; characters that nobody sees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.checks.setters import is_expected_to_fail
from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import whole_of
from tfgpu.files.pattern import expression
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.misspelt import real_name
from tfgpu.flow.modern import asks_for_version
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Removed

# Characters without a width. (A no-break space is a space for int(), which reads "gpu: 0".)
_HIDDEN = expression("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
# A device type, in whatever form.
_TYPE = expression(r"/?(?:device:)?([cgt]pu)s?(?::(?:\d+|\*))?", re.IGNORECASE)
# tf.contrib has a rule of its own.
_CONTRIB = "tf.contrib"


def misspelt(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find misspelt names and arguments of tf.config, and hidden characters in device strings."""
    for old in analysis.facts.misspelt:
        details = {"name": old.rename.before, "near": old.rename.name}
        yield Report("unknown-name", old.node, details)
    yield from _imports(analysis, book)
    yield from _arguments(analysis, book)
    yield from _types(analysis, book)
    yield from _hidden(analysis)


def _imports(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    for item in analysis.tree.imports:
        near = real_name(canonical(item.path), book)
        if near is not None and not asks_for_version(item.statement, analysis.tree):
            yield Report("unknown-import", item.alias, {"name": near.before, "near": near.name})


def _arguments(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    for call, name in analysis.symbols.calls(analysis.tree):
        if not call.keywords:
            continue
        parameters = book.config_names.get(name)
        if parameters is None:
            continue
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in parameters:
                import difflib  # noqa: PLC0415 - few files need it

                near = difflib.get_close_matches(keyword.arg, sorted(parameters), 1, 0.5)
                hint = f"; did you mean {near[0]}?" if near else ""
                details = {"name": keyword.arg, "call": name, "hint": hint}
                yield Report("unknown-argument", keyword, details)


def _types(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find device types that are nearly one of TensorFlow's: it compares them letter by letter."""
    for call, name in analysis.symbols.calls(analysis.tree):
        parameters = book.config_names.get(name, ())
        is_function = name.rpartition(".")[2].islower()
        if not is_function or "device_type" not in parameters:
            continue
        if is_expected_to_fail(call, analysis):
            continue
        node = argument(call, "device_type", parameters)
        known = analysis.values.known(node) if node is not None else None
        near = _TYPE.fullmatch(known) if isinstance(known, str) else None
        if node is not None and near is not None and near[1].upper() != known:
            is_list = "devices" not in parameters
            effect = "it finds none, and what is done with each is never done"
            details = {
                "call": name.rpartition(".")[2],
                "text": repr(known),
                "near": near[1].upper(),
                "effect": effect if is_list else "it changes nothing",
            }
            yield Report("wrong-device-type", node, details)


def _hidden(analysis: Analysis) -> Iterator[Report]:
    for call, name in analysis.symbols.calls(analysis.tree):
        if name != "tf.device" or not call.args:
            continue
        node = call.args[0]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = _HIDDEN.search(node.value)
            if found is not None:
                details = {"code": f"U+{ord(found[0]):04X}", "text": _HIDDEN.sub("", node.value)}
                yield Report("hidden-character", node, details)


def removed_names(analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find, for each file and each removed name, the first use."""
    for tree in analysis.tree.files:
        here = analysis.of(tree)
        for removed in book.removed_names:
            if not removed.name.startswith(_CONTRIB):
                uses = _uses(removed, here, book)
                first = min(uses, key=tree.position, default=None)
                if first is not None:
                    details = {
                        "name": removed.name.replace("keras.", "tf.keras.", 1),
                        "since": removed.since,
                        "instead": removed.instead,
                    }
                    yield Report("removed-name", first, details)


def _uses(removed: Removed, analysis: Analysis, book: Rulebook) -> Iterator[ast.AST]:
    """Yield where a name, or one below it, is used; calls that a rule of their own has, not."""
    tree, symbols = analysis.tree, analysis.symbols
    for item in tree.imports:
        is_below = f"{canonical(item.path)}.".startswith(f"{removed.name}.")
        if is_below and _is_tensorflow(item.path) and not asks_for_version(item.statement, tree):
            yield item.alias
    for node in tree.attributes.get(removed.name.rpartition(".")[2], []):
        paths = symbols.paths(node)
        if symbols.name(node) != removed.name or not all(map(_is_tensorflow, paths)):
            continue
        whole = whole_of(node, tree)
        is_told = symbols.name(whole) in book.sinks or symbols.name(whole) in book.calls
        if not is_told and not asks_for_version(node, tree):
            yield node


def _is_tensorflow(path: str) -> bool:
    """Tell whether a path is one of TensorFlow's own: Keras by itself still has such names."""
    return path.startswith("tensorflow.") and not path.startswith("tensorflow.python.")
