"""Texts with fields that ask what they are filled with for attributes: `"{0.config}".format(x)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.tree import Tree
from tfgpu.files.pattern import expression

# The methods that fill such texts.
_FILL = ("format", "format_map", "vformat")
# What a field asks for: `{0.config}`; and one that other texts go into: `"{0." + name + "}"`.
_FIELD = expression(r"\{([^{}!:]*)")
_PUT_TOGETHER = expression(r"\{[^{}!:\"'\s]*(?:\.$|\.%|\.\{)")
# A field that begins here and ends in another text may have any path for its name.
_OPEN = expression(r"\{$|\{%")


class Formats:
    """The texts with such fields in some files."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def asking(self, name: str) -> Iterator[ast.Constant]:
        """Yield the texts that ask for an attribute, or may."""
        for text in (*self._by_name.get(name, ()), *self._of_any):
            yield from self._tree.texts[text]
        if self._open and any(text.endswith(f".{name}") for text in self._tree.texts):
            for text in self._open:
                yield from self._tree.texts[text]

    @cached_property
    def _texts(self) -> list[str]:
        """The texts with fields, where any text is filled."""
        is_filled = any(name in self._tree.attributes for name in _FILL)
        return [text for text in self._tree.texts if "{" in text] if is_filled else []

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """The texts that ask what they are filled with for attributes, by those."""
        found: dict[str, list[str]] = {}
        for text in self._texts:
            fields = _FIELD.findall(text)
            for name in {part for item in fields for part in re.split(r"[.\[\]]", item)[1:]}:
                found.setdefault(name, []).append(text)
        return found

    @cached_property
    def _of_any(self) -> list[str]:
        """The texts that ask for an attribute whose name is put into them."""
        return [text for text in self._texts if _PUT_TOGETHER.search(text)]

    @cached_property
    def _open(self) -> list[str]:
        """The texts with a field whose name is put into them."""
        return [text for text in self._texts if _OPEN.search(text)]
