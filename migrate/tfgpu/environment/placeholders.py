"""What `xargs`, GNU `parallel` and `find` fill in when they run a command: `{}`, `{%}`, `-I GPU`.

It is known only when they run, wherever it stands in the words of the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from tfgpu.dataclass import replace
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE

if TYPE_CHECKING:
    from tfgpu.environment.command import Word

# `{}`, `{%}`, `{2.}`, `{= $_ %= 2 =}`.
_OF_PARALLEL = r"\{=.*?=\}|\{[^{}\s\"'$]*\}"
_OF_FIND = r"\{\}"
# Options of xargs, and of parallel, that name what is replaced; `-i` and `--replace` have `{}`.
_NAMES = expression(r"-(?:[0oprtx]*)[IJ](.*)")
_MAY_NAME = expression(r"(?:-[0oprtx]*i|--replace)=?(.*)")


def filled_in(words: Sequence[Word]) -> re.Pattern[str] | None:
    """Return what is filled in where one of some words runs the rest; None where nothing is."""
    parts: list[str] = []
    for index, word in enumerate(words):
        name = PurePosixPath(word.text).name
        if name in ("xargs", "parallel"):
            parts += map(re.escape, _named(words[index + 1 :]))
        if name == "parallel":
            parts.append(_OF_PARALLEL)
        elif name == "find":
            parts.append(_OF_FIND)
    return re.compile("|".join(parts)) if parts else None


def _named(words: Sequence[Word]) -> Iterator[str]:
    """Yield the texts that options say are replaced."""
    for index, word in enumerate(words):
        if (found := _NAMES.fullmatch(word.text)) is not None:
            behind = words[index + 1].text if index + 1 < len(words) else ""
            text = found[1] or behind
        elif (found := _MAY_NAME.fullmatch(word.text)) is not None:
            text = found[1] or "{}"
        else:
            continue
        if text := text.strip("\"'"):
            yield text


def unknown(words: Sequence[Word], placeholder: re.Pattern[str]) -> list[Word]:
    """Return words of which no value is known that has something filled in."""
    return [
        replace(word, value=None) if placeholder.search(word.text) is not None else word
        for word in words
    ]


def with_holes(text: str, placeholder: re.Pattern[str]) -> str:
    """Return text to run with holes where something is filled in."""
    return placeholder.sub(lambda found: HOLE * len(found[0]), text)
