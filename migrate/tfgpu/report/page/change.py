"""A diff as a block of lines, each kind in its colour."""

from __future__ import annotations

from tfgpu.report.page.markup import Markup, details, el, join

_MOST = 2_000
_OPEN = 80
_KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def diff(text: str) -> Markup:
    """Return a diff; a long one is shown on demand."""
    lines = text.splitlines()
    shown = [_line(line) for line in lines[:_MOST]]
    if len(lines) > _MOST:
        shown.append(Markup(f"({len(lines) - _MOST:,} more lines; the JSON report has all)"))
    block = el("pre", "\n", join(shown, "\n"), class_="diff", tabindex=0)
    return details(f"{len(lines):,} lines of a diff", block, open_=len(lines) <= _OPEN)


def _line(text: str) -> Markup:
    kind = "file" if text.startswith(("--- ", "+++ ")) else _KINDS.get(text[:1])
    return el("span", text, class_=kind) if kind else join([text])
