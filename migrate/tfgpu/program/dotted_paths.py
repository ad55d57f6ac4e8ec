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
_COMMENT = expression(rb"#[^\n]*")
_CONTINUED = expression(rb"\\\r?\n")


def dotted_paths(data: bytes) -> Iterator[str]:
    """Yield the dotted path of everything that the statements of a file may import."""
    # Looking for words first takes a tenth of the time, and most files have none of them.
    if b"import_module" in data or b"__import__" in data:
        for found in _BY_NAME.findall(data):
            yield found.decode("utf-8", "replace")
        for found in _BELOW.findall(data):
            yield found.decode("utf-8", "replace") + ".*"
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
