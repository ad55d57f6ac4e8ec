"""The dotted paths that the import statements of a file may import, read from its text."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.files.pattern import expression

# Statements at the start of a line. One inside a string counts too: a program that looks larger
# than it is costs a conversion, one that looks smaller would cost correctness.
_STATEMENT = expression(
    rb"\n[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\n#;]+)|import[ \t]+([^\n#;]+))"
)
# An import by a name that is written there.
_BY_NAME = expression(rb"(?:import_module|__import__)\(\s*[\"']([\w.]+)[\"']")
# One of which the beginning is written there: `import_module("models." + name)`.
_BELOW = expression(rb"(?:import_module|__import__)\(\s*f?[\"']([A-Za-z_][\w.]*)\.(?=[\"'%{])")
_STAR = expression(rb"\n[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+\*")
# What `from package import *` imports; the beginning of it where texts are listed.
_ALL = expression(rb"__all__[^\n]*\n?[^\n]*")
_LIST_OF_TEXTS = expression(rb"__all__\s*\+?=\s*[\[(]\s*(?:#[^\n]*\s*)?[\"'\])]")
_COMMENT = expression(rb"#[^\n]*")
_CONTINUED = expression(rb"\\\n")


def dotted_paths(data: bytes) -> Iterator[str]:
    """Yield the dotted path of everything that the statements of a file may import."""
    # Looking for words first takes a tenth of the time, and most files have none of them.
    if b"import_module" in data or b"__import__" in data:
        for found in _BY_NAME.findall(data):
            yield found.decode("utf-8", "replace")
        for found in _BELOW.findall(data):
            yield found.decode("utf-8", "replace") + ".*"
    data = _plain(data)
    if b"\\" in data:
        data = _CONTINUED.sub(b" ", data)
    for source, names, plain in _STATEMENT.findall(b"\n" + data):
        listed = names or plain
        if b"#" in listed:
            listed = _COMMENT.sub(b"", listed)
        for item in listed.strip(b"() \t\r\n").split(b","):
            words = item.split()
            if not words:
                continue
            name = words[0].decode("utf-8", "replace")
            if plain:
                yield name
            else:
                base = source.decode("utf-8", "replace")
                if name != "*":
                    yield f"{base}{name}" if base.endswith(".") else f"{base}.{name}"
                yield base


def starred_paths(data: bytes) -> list[str]:
    """Return the dotted paths of what a file imports everything from."""
    return [name.decode() for name in _STAR.findall(b"\n" + _plain(data))]


def _plain(data: bytes) -> bytes:
    """Return a text whose lines end with line feeds, without form feeds, as Python reads it."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data.replace(b"\f", b" ") if b"\f" in data else data


def lists_texts(data: bytes) -> bool | None:
    """Tell whether a file's `__all__` is nothing but lists of texts; None where it has none."""
    found = _ALL.findall(data)
    return all(map(_LIST_OF_TEXTS.match, found)) if found else None
