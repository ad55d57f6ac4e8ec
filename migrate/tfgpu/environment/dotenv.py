"""Reads files of variables, `.env`, as docker compose and python-dotenv do."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from tfgpu.environment.model import LIKE_NAME, Item, Setting, Span, Trouble, Way
from tfgpu.environment.words import default_of

_BLANKS = re.compile(rf"\s*(?:export\s+)?({LIKE_NAME.pattern})(?:\s+=|=[ \t]+\S)")


def read_dotenv(text: str, names: frozenset[str]) -> list[Item]:
    """Return what a file of variables sets."""
    return list(_items(text, names))


def _items(text: str, names: frozenset[str]) -> Iterator[Item]:
    from dotenv.parser import parse_stream  # noqa: PLC0415 - only where there is such a file

    for binding in parse_stream(io.StringIO(text)):
        written = binding.original.string
        if binding.key is None or binding.error:
            continue
        lead = len(written) - len(written.lstrip())
        line = binding.original.line + written.count("\n", 0, lead)
        column = lead - (written.rfind("\n", 0, lead) + 1) + 1
        body = written.strip().split("\n")[0]
        span = Span(line, column, line, column + len(body))
        blanks = _BLANKS.match(body)
        if blanks is not None and binding.key in names:
            yield Trouble("blanks-around-equals", span, (("name", binding.key),))
        raw = binding.value
        if raw is None:
            continue
        single = body.partition("=")[2].lstrip().startswith("'")
        known = raw if single or "$" not in raw else None
        default = default_of(raw) if known is None else None
        yield Setting(binding.key, known, raw, span, Way.FILE, default, "file")
