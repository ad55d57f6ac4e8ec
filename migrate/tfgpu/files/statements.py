"""Where the statements of Python text end, without parsing it: text may be no valid Python yet."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""\#[^\n]* | (?P<quotes>'''|\"\"\"|'|") | (?P<open>[(\[{]) | (?P<close>[)\]}])"""
    r"""| (?P<joined>\\\r?\n) | (?P<end>\n)""",
    re.VERBOSE,
)
_STRING_ENDS = {
    quotes: re.compile(rf"(?:\\.|(?!{quotes}).)*(?P<closed>{quotes})?", re.DOTALL)
    for quotes in ("'''", '"""')
} | {
    quote: re.compile(rf"(?:\\.|[^\\{quote}\n])*(?P<closed>{quote})?", re.DOTALL) for quote in "'\""
}


def statement_end(text: str, start: int) -> tuple[int, bool]:
    """Return where the line of statements that begins at `start` ends, after its line feed.

    Also tell whether all its strings and brackets are closed there.
    """
    depth = 0
    closed = True
    position = start
    while found := _TOKEN.search(text, position):
        position = found.end()
        if quotes := found["quotes"]:
            string = _STRING_ENDS[quotes].match(text, position)
            assert string is not None
            position = string.end()
            closed = closed and (string["closed"] is not None or len(quotes) == 1)
        elif found["open"]:
            depth += 1
        elif found["close"]:
            depth = max(depth - 1, 0)
        elif found["end"] and not depth:
            return position, closed
        elif found["joined"] and position == len(text):
            return position, False
    return len(text), closed and not depth and not text.endswith("\\", start)
