"""From ConfigProto as text to what each field means, in findings and in the inventory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from tfgpu.environment.model import ConfigPiece, Span
from tfgpu.environment.piece import Piece
from tfgpu.environment.report import Told, check
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE
from tfgpu.results import Row
from tfgpu.rulebook.book import Rulebook
from tfgpu.texts.assigned import gin_configs, r_configs
from tfgpu.texts.builders import built_configs
from tfgpu.texts.looks import IS_MESSAGE, STARTS_CONFIG
from tfgpu.texts.meaning import Meaning, meanings
from tfgpu.texts.prototext import RUN_TIME, BrokenTextError, Field, config_texts, is_only_message
from tfgpu.texts.stored import NotRead, stored_configs

_SERVING = "nothing to do while TensorFlow Serving reads it: each release takes a ConfigProto"
_STAYS = Template(
    "nothing to do: $language has no tf.config, and takes a ConfigProto in each release"
)
_WHERE = {
    "": "in a ConfigProto as text",
    "gin": "in a gin file",
    "bytes": "in a ConfigProto as bytes",
    "mapping": "in a ConfigProto as JSON or YAML",
}
# What hands its values to TensorFlow's Python.
_PYTHON = frozenset(["R", "gin", "mapping", "bytes"])
# What shell, make, templates and `str.format` fill in.
_FILLED_IN = expression(
    r"\$\{[^{}\n]*\}|\$\([^()\n]*\)|\$\w+|\{\{[^{}\n]*\}\}|%\(\w+\)[sdf]|%[sdf]\b"
    rf"|{HOLE}+"
)


def about_config(item: ConfigPiece, book: Rulebook) -> Iterator[Told]:
    """Yield what each field of a ConfigProto means today, or why protobuf refuses the text."""
    try:
        found, not_read = _meanings(item, book)
    except BrokenTextError as error:
        text = item.piece.text
        is_config = bool(item.flag) or error.is_config
        is_config = is_config or (item.sure and STARTS_CONFIG.search(text) is not None)
        if not is_config and not (IS_MESSAGE.search(text) and is_only_message(text)):
            return
        span = item.span or item.piece.span(error.place, (error.place[0], error.place[1] + 1))
        name = "config-text-broken"
        text = f"what {item.flag} sets" if item.flag else "this text"
        why = error.why if error.is_config or not item.flag else "it is no value"
        yield check(book, name, span, {"why": why, "text": text})
        return
    for left in not_read:
        details = {"text": left.text, "why": left.why}
        yield check(book, "config-not-read", item.piece.span(left.start, left.end), details)
    for meaning, serving in found:
        yield _told(meaning, item, serving or item.serving)


def config_rows(item: ConfigPiece, guard: str, book: Rulebook) -> Iterator[Row]:
    """Yield the fields of a ConfigProto as rows; none of a text that protobuf refuses."""
    try:
        found, _ = _meanings(item, book)
    except BrokenTextError:
        return
    for meaning, serving in found:
        span = _span(meaning.field, item)
        value = _written(meaning.field)
        is_current = serving or item.serving or item.language not in ("", *_PYTHON)
        yield Row(
            cell=0,
            line=span.line,
            column=span.column,
            kind="config",
            setting=_path(meaning.field),
            value=value,
            constant=value,
            guard=guard,
            sink="TensorFlow Serving" if serving or item.serving else item.language or "text",
            rule=meaning.rule.code,
            convertible="current" if is_current else "no",
            reason="",
        )


def _meanings(
    item: ConfigPiece, book: Rulebook
) -> tuple[list[tuple[Meaning, bool]], list[NotRead]]:
    """Return what the fields mean, each with whether TensorFlow Serving reads it; what is not read.

    Raises:
        BrokenTextError: protobuf refuses the text.
        NoGrammarError: the grammar of the language is not installed.
    """
    if item.language:
        configs, left = _in_code(item, book)
        found = [(meaning, False) for fields in configs for meaning in meanings(fields, book)]
        return found, left
    text = _FILLED_IN.sub(_same_length, item.piece.text)
    found = [
        (meaning, config.serving)
        for config in config_texts(text, item.merges)
        for meaning in meanings(config.fields, book)
    ]
    return found, []


def _in_code(item: ConfigPiece, book: Rulebook) -> tuple[list[tuple[Field, ...]], list[NotRead]]:
    text, language = item.piece.text, item.language
    if item.fields:
        return [item.fields], []
    if language == "gin":
        return gin_configs(text, book), []
    if language == "R":
        return r_configs(text, book), []
    configs, left = built_configs(text, language, book)
    for found in stored_configs(text):
        if isinstance(found, NotRead):
            left.append(found)
        else:
            configs.append(found)
    return configs, left


def _same_length(found: re.Match[str]) -> str:
    return "_" * len(found[0])


def _told(meaning: Meaning, item: ConfigPiece, serving: bool) -> Told:
    field, rule = meaning.field, meaning.rule
    name = item.flag or f"{_path(field)}: {_written(field)}".removesuffix(": ")
    where = _WHERE.get(item.language, f"in a ConfigProto of {item.language}")
    message = f"`{name}` {where}: {meaning.says}"
    if item.flag:
        message = f"`{name}` sets {_path(field)} of all sessions: {meaning.says}"
    span = _span(field, item)
    if meaning.is_wrong:
        return Told(rule, span, message, meaning.todo)
    if serving:
        instead = f"; in a program of TensorFlow 2 it is: {meaning.code}" if meaning.code else ""
        return Told(rule, span, message, _SERVING + instead, "note")
    if item.language and item.language not in _PYTHON:
        instead = f"; in Python it is: {meaning.code}" if meaning.code else ""
        stays = _STAYS.substitute(language=item.language)
        return Told(rule, span, message, stays + instead, "note")
    if meaning.is_idle:
        return Told(rule, span, message, "nothing: it can go", "note")
    todo = meaning.todo
    if meaning.code:
        todo = f"write in the program that reads it, once that is for TensorFlow 2: {meaning.code}"
    return Told(rule, span, message, todo)


def _path(field: Field) -> str:
    return field.path if field.key is None else f'{field.path}["{field.key}"]'


def _written(field: Field) -> str:
    """Return the value of a field as text format has it; nothing for a message."""
    value = field.value
    if field.parts or value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(getattr(value, "name", value))
    return "..." if RUN_TIME in text else text


def _span(field: Field, item: ConfigPiece) -> Span:
    return item.span or item.piece.span(field.start, field.end)


def flag_piece(flag: str, path: str, value: str | None, span: Span) -> ConfigPiece:
    """Return a flag of TensorFlow Serving as the ConfigProto that it makes."""
    *messages, name = path.split(".")
    text = f"{name}: {value if value is not None else RUN_TIME}"
    for message in reversed(messages):
        text = f"{message} {{ {text} }}"
    start = (span.line, span.column)
    return ConfigPiece(Piece(text, (start,), exact=False), True, flag, span)
