"""The prose of rules as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfgpu.report.page.markup import Markup, el

_CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> Iterator[Markup]:
    """Yield paragraphs; text in backticks is code."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        parts = _CODE.split(" ".join(paragraph.split()))
        # Every second part stood in backticks.
        yield el("p", *(el("code", part) if at % 2 else part for at, part in enumerate(parts)))
