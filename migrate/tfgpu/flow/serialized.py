"""ConfigProtos that Python code takes from bytes or JSON: `ConfigProto.FromString(b"8\\x01")`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.flow.strings import Strings
from tfgpu.rulebook.book import MESSAGES

_INTO = ("ParseFromString", "MergeFromString")


def from_bytes(tree: Tree, symbols: Symbols) -> Iterator[tuple[ast.Call, bytes | None]]:
    """Yield what takes a ConfigProto from bytes, with these where they are in the file."""
    strings = Strings(tree, symbols)
    for call in _calls(tree, symbols, strings):
        given = call.args[0] if call.args else None
        text = strings.certain(given) if given is not None else None
        try:
            yield call, None if text is None else text.encode("latin-1")
        except UnicodeEncodeError:
            yield call, None


def _calls(tree: Tree, symbols: Symbols, strings: Strings) -> Iterator[ast.Call]:
    for made in tree.attributes.get("FromString", ()):
        call = tree.parent[made]
        if isinstance(call, ast.Call) and symbols.name(made.value) in MESSAGES:
            yield call
    for method in (node for name in _INTO for node in tree.attributes.get(name, ())):
        call, config = tree.parent[method], strings.assigned(method.value)
        is_config = isinstance(config, ast.Call) and symbols.name(config.func) == "tf.ConfigProto"
        if isinstance(call, ast.Call) and call.func is method and is_config:
            yield call


def from_json(tree: Tree, symbols: Symbols) -> Iterator[ast.Constant]:
    """Yield the texts that `json_format.Parse` reads."""
    strings = Strings(tree, symbols)
    for call in tree.calls:
        if last_name(call.func) == "Parse" and call.args:
            text = strings.assigned(call.args[0])
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text
