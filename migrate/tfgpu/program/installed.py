"""What installed commands start: `console_scripts` of a setup, `[project.scripts]`."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.files.pattern import expression

# `train = pkg.cli:main`; behind the name may come what it needs: `[extra]`.
_ENTRY = expression(r"[\w.\"'-][ \t]*=[ \t]*[\"']?([A-Za-z_][\w.]*):([A-Za-z_]\w*)")


def may_install(data: bytes) -> bool:
    """Tell whether a file may name commands that are installed."""
    return b"scripts" in data and b":" in data


def code_of_entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield the code that each installed command runs, with the line that names it."""
    for match in _ENTRY.finditer(text):
        module, name = match[1], match[2]
        line = text.count("\n", 0, match.start()) + 1
        yield line, f"from {module} import {name}\n{name}()"
