"""Parses YAML, and JSON with comments, to nodes with positions; templates are read around."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfgpu.files.pyfile import SourceError
from tfgpu.flow.strings import HOLE

if TYPE_CHECKING:
    from yaml import Node

_DEPTH = 200
# Neither goes beyond the next opening, so that no file takes more than one pass.
_FILLED_IN = r"\$?\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}|\{%(?:[^{%]|\{(?!%)|%(?!\}))*%\}"
_TEMPLATE = re.compile(_FILLED_IN)
_ONLY_TEMPLATES = re.compile(rf"^[ \t]*(?:(?:{_FILLED_IN})[ \t]*)+$", re.MULTILINE)
_STRING_OR_COMMENT = re.compile(
    r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|\t', re.DOTALL
)


_SURROGATE = re.compile(r"(?i)(?<!\\)\\ud[89a-f][0-9a-f]{2}")


def documents(text: str) -> list[Node]:
    """Return the documents of a YAML file.

    Raises:
        SourceError: it is no YAML, and no template of YAML either.
    """
    try:
        return _compose(text)
    except SourceError:
        if _TEMPLATE.search(text) is None:
            raise
    text = _ONLY_TEMPLATES.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    try:
        return _compose(with_holes(text))
    except SourceError as error:
        message = f"a template that is no YAML by itself: {error}"
        raise SourceError(message, error.line) from error


def with_holes(text: str) -> str:
    """Return a text in which nothing but holes stand where a template fills something in."""
    return _TEMPLATE.sub(lambda found: re.sub(r"[^\n]", HOLE, found[0]), text)


def json_documents(text: str) -> list[Node]:
    """Return the document of a JSON file, which may have comments and trailing commas.

    Raises:
        SourceError: it is no JSON.
    """
    try:
        return _compose(_STRING_OR_COMMENT.sub(_blanked, text))
    except SourceError as error:
        raise SourceError(str(error).replace("YAML", "JSON"), error.line) from error


def _blanked(found: re.Match[str]) -> str:
    part = found[0]
    if part.startswith('"') and "\\u" in part:
        # Half of a pair is no character to YAML.
        part = _SURROGATE.sub("??????", part)
    return part if part.startswith('"') else re.sub(r"[^\n]", " ", part)


def _compose(text: str) -> list[Node]:
    import yaml  # noqa: PLC0415 - costs 20 ms, for files that name a variable only

    # Line breaks to YAML 1.1, and to nothing that shows or edits the file.
    text = text.translate(dict.fromkeys((0x85, 0x2028, 0x2029), " "))
    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        _check_depth(yaml.parse(text, loader))
        return [node for node in yaml.compose_all(text, loader) if node is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = mark.line + 1 if mark is not None else 0
        raise SourceError(f"not valid YAML: {error.problem}", line) from error
    except (yaml.YAMLError, ValueError) as error:
        raise SourceError(f"not valid YAML: {str(error).splitlines()[0]}") from error


def _check_depth(events: Iterable[object]) -> None:
    """Refuse what would exhaust the stack of libyaml's composer, which nothing could catch.

    Raises:
        SourceError: the nodes are nested too deeply.
    """
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        if depth > _DEPTH:
            raise SourceError("too deeply nested")
