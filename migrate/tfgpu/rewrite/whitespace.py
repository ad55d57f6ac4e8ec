"""Blanks, line ends and comments that libcst does not keep, told without libcst."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator
from contextlib import suppress

from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError

_BLANK = " \t\f\r\n"
_RETURN = expression(r"\r(?!\n)")
_LINE_END = expression(r"\r\n|\r|\n")
# A line that begins with a form feed, or is nothing but a backslash.
_SUSPECT = expression(r"(?:\A|[\r\n])[ \t]*(?:\f|\\[\r\n])")
_LAYOUT = frozenset(
    [tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER]
)


def parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield a text in two parts, for libcst may lose some of its end: more each time.

    The second part is nothing, then the blanks and line ends at the end, then comments, too.
    """
    yield text, ""
    body = text.rstrip(_BLANK)
    yield body, text[len(body) :]
    last = max(
        (token.end[0] for token in _tokens(text) if token.type == tokenize.NEWLINE), default=0
    )
    ends = [found.start() for found in _LINE_END.finditer(text)]
    if 0 < last <= len(ends):
        yield text[: ends[last - 1]], text[ends[last - 1] :]


def line_end(text: str) -> str:
    """Return what ends most lines of a text."""
    both = text.count("\r\n")
    return "\r\n" if 0 < both >= text.count("\n") - both else "\n"


def check_whitespace(text: str) -> None:
    """Refuse a text of which libcst would lose, or part, something between statements.

    Raises:
        SourceError: there is such a place.
    """
    if _RETURN.search(text):
        _check_returns(text)
    if not _SUSPECT.search(text):
        return
    lines = _LINE_END.sub("\n", text).split("\n")
    inside = False
    for token in _tokens(text):
        row, column = token.start
        if token.type == tokenize.NEWLINE:
            inside = False
        elif not inside and token.type not in _LAYOUT:
            # A statement begins, or an `else` and the like.
            inside = True
            if "\f" in lines[row - 1][:column]:
                raise SourceError("a form feed stands in front of a statement", row)
            if row > 1 and lines[row - 2].strip(_BLANK) == "\\":
                raise SourceError("a backslash stands alone in front of a statement", row - 1)


def _check_returns(text: str) -> None:
    """Refuse a carriage return that alone ends a line, but for those inside of strings.

    It ends no line to whatever else reads lines of files; with two of them, new lines would come
    between the two.
    """
    ends = enumerate(_LINE_END.finditer(text), 1)
    alone = {row for row, found in ends if found[0] == "\r"}
    opened = []
    for token in _tokens(text):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            alone.difference_update(range(token.start[0], token.end[0]))
        elif name.endswith("STRING_START"):  # of an f-string, since Python 3.12
            opened.append(token.start[0])
        elif name.endswith("STRING_END"):
            alone.difference_update(range(opened.pop(), token.end[0]))
    if alone:
        raise SourceError("a carriage return without a line feed ends a line", min(alone))


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    lines = io.StringIO(_LINE_END.sub("\n", text))
    # Python may take a backslash at the end of a text that this tokenizer does not.
    with suppress(tokenize.TokenError, SyntaxError):
        yield from tokenize.generate_tokens(lines.readline)
