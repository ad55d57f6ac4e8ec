"""Texts that spell the name of a module, which whoever is given them may import: `"pkg.mod:main"`.

A word alone is one only where it is given to what is known to load modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from tfgpu.files.pattern import Pattern, expression

if TYPE_CHECKING:
    from tfgpu.code.tree import Tree

# `"ref.H"`, `"ext://ref.H"`, `"pkg.mod:main"`; the names of loggers are none. Each begins with what
# is looked for fast.
_NAME = rb"(?<!getLogger\(.)(?:\w{1,9}://)?([A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+)"
_DOTTED = (expression(rb"\"%s\"" % _NAME), expression(rb"'%s'" % _NAME))
# In the files of `logging`: `class=ref.H`.
_CLASS = expression(rb"class(?<=[;\"'n]class)[ \t]*=[ \t]*([A-Za-z_]\w*(?:\.\w+)+)")
# An import in a text that is no line of its own: `"import ref; ref.main()"`, `">>> import ref"`.
_INSIDE = rb"%s(?:(?<=[\"';>]%s)|(?<=[\"';>] %s)|(?<=\\n%s))"
_IMPORT = expression(_INSIDE % ((b"import",) * 4) + rb"[ \t]+([A-Za-z_][\w.]*)")
_FROM = expression(_INSIDE % ((b"from",) * 4) + rb"[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b")
# They load a module that is named by one word.
_LOADERS = frozenset(
    [
        "LazyLoader", "find_class", "find_loader", "get_loader", "make_parser",
        "PyImport_ImportModule", "patch",
    ]
)  # fmt: skip
_LOADS = Pattern(tuple(f"{name}(".encode() for name in sorted(_LOADERS)))
_CALL = expression(
    rb"\b(?:%s)\(([^()]*(?:\([^()]*\)[^()]*)?)\)"
    % b"|".join(sorted(name.encode() for name in _LOADERS))
)
_WORD = expression(rb"[\"']([A-Za-z_][\w.]*)[\"']")
# A function, or class, in a pickle that is written there.
_PICKLED = expression(rb"\bc([A-Za-z_][\w.]*)(?:\\n|;)[A-Za-z_]\w*(?:\\n|;)")


def spelled(code: bytes) -> Iterator[str]:
    """Yield the dotted names that texts in code may import."""
    found = [name.replace(b":", b".") for quoted in _DOTTED for name in quoted.findall(code)]
    found += _IMPORT.findall(code)
    found += _FROM.findall(code)
    if b"handlers" in code:
        found += _CLASS.findall(code)
    if b"loads(" in code or b"Unpickler" in code:
        found += _PICKLED.findall(code)
    if _LOADS.search(code):
        for call in _CALL.findall(code):
            found += _beginnings(_WORD.findall(call))
    return map(_decoded, found)


def _beginnings(dotted: Iterable[bytes]) -> Iterator[bytes]:
    """Yield dotted names with all that they begin with: one of these is the module."""
    for names in (name.split(b".") for name in dotted):
        yield from (b".".join(names[: end + 1]) for end in range(len(names)))


def is_build_script(path: str) -> bool:
    """Tell whether a file names modules for an installation, and loads none of them."""
    return path.replace("\\", "/").rpartition("/")[2] == "setup.py"


def texts_that_load(tree: Tree) -> Iterator[tuple[ast.expr, str]]:
    """Yield the texts of a file that may import something, but docstrings, each with its name."""
    unpickles = any(
        name in words for name in ("loads", "Unpickler") for words in (tree.attributes, tree.names)
    )
    for text, nodes in tree.texts.items():
        if "." in text or ":" in text or "import" in text:
            quoted = _quoted(text)
            names = [
                *spelled(quoted),
                *map(_decoded, _PICKLED.findall(quoted) if unpickles else ()),
            ]
            yield from product((node for node in nodes if not _is_apart(node, tree)), names)
    for call in tree.calls:
        if _name_of(call) in _LOADERS:
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
                    words = _WORD.findall(_quoted(node.value))
                    yield from ((node, _decoded(name)) for name in _beginnings(words))


def _quoted(text: str | bytes) -> bytes:
    """Return a text as it may stand in code, in one line."""
    known = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return b"'%s'" % known.replace(b"\n", b";")


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "replace").strip(".")


def _is_apart(node: ast.expr, tree: Tree) -> bool:
    """Tell whether a text is a docstring, or the name of a logger."""
    parent = tree.parent[node]
    is_logger = isinstance(parent, ast.Call) and _name_of(parent) == "getLogger"
    return is_logger or isinstance(parent, ast.Expr)


def _name_of(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))
