"""YAML, and JSON with comments, as nodes with positions, and the ConfigProtos in it.

Templates are read around. A ConfigProto is in protobuf's JSON form, or what a program hands over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tfgpu.environment.model import ConfigPiece
from tfgpu.environment.piece import Piece
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError
from tfgpu.flow.strings import HOLE
from tfgpu.texts.prototext import RUN_TIME, Field, Scalar, Word
from tfgpu.texts.schema import MESSAGES, ROOT

if TYPE_CHECKING:
    from yaml import Node

_UNKNOWN = expression(r"\$[\w{(]|\{\{|%\(|<%")
_NUMBER = expression(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_TRUTH = {"true": True, "false": False, "yes": True, "no": False, "on": True, "off": False}
_DEPTH = 200
# Neither goes beyond the next opening, so that no file takes more than one pass.
_FILLED_IN = r"\$?\{\{(?:[^{}]|\{(?!\{)|\}(?!\}))*\}\}|\{%(?:[^{%]|\{(?!%)|%(?!\}))*%\}"
_TEMPLATE = expression(_FILLED_IN)
_ONLY_TEMPLATES = expression(rf"^[ \t]*(?:(?:{_FILLED_IN})[ \t]*)+$", re.MULTILINE)
_STRING_OR_COMMENT = expression(
    r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)|\t', re.DOTALL
)


_SURROGATE = expression(r"(?i)(?<!\\)\\ud[89a-f][0-9a-f]{2}")


def _camel(name: str) -> str:
    """Return the name of a field as protobuf's JSON has it."""
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name)


# Of each message its fields by both spellings.
_SPELLED = {
    message: {spelled: name for name in fields for spelled in (name, _camel(name))}
    for message, fields in MESSAGES.items()
}
# What only JSON of protobuf spells so.
_CAMEL = frozenset(
    _camel(name)
    for name, field in MESSAGES[ROOT].items()
    if "_" in name and field.type not in MESSAGES
)


def mapping_fields(node: Node, is_proto: bool) -> tuple[Field, ...]:
    """Return the fields of a mapping that is a ConfigProto; nothing where it is another one.

    With `is_proto` it is one if it has nothing but fields; else these may be a program's own words.
    """
    return tuple(_fields(node, ROOT, "")) if _is_config(node, is_proto) else ()


def json_pieces(piece: Piece, target: str) -> Iterator[ConfigPiece]:
    """Yield the ConfigProtos in a text that is JSON, and is put into a file."""
    try:
        waiting = json_documents(piece.text)
    except SourceError:
        return
    while waiting:
        node = waiting.pop()
        fields = mapping_fields(node, is_proto=True) if node.id == "mapping" else ()
        if fields:
            yield ConfigPiece(piece, language="mapping", fields=fields, target=target)
        elif node.id == "mapping":
            waiting += [value for _, value in node.value]


def _is_config(node: Node, is_proto: bool) -> bool:
    """Tell whether a mapping is a ConfigProto: it has GPU options, or nothing but its fields."""
    entries = {key.value: value for key, value in node.value if isinstance(key.value, str)}
    known = [name for name in entries if name in _SPELLED[ROOT]]
    for name in known:
        message = MESSAGES[ROOT][_SPELLED[ROOT][name]].type
        if entries[name].id == "mapping" and _is_message(entries[name], message):
            return True
    is_flat = any(name in _CAMEL or (is_proto and "_" in name) for name in known)
    return is_flat and len(known) == len(entries)


def _is_message(node: Node, message: str) -> bool:
    names = [str(key.value) for key, _ in node.value]
    if message == "DeviceCountEntry":
        return bool(names) and all(name.isupper() for name in names)
    if message not in ("GPUOptions", "GraphOptions"):
        return False
    return any(name in _SPELLED[message] for name in names)


def _fields(node: Node, message: str, above: str) -> Iterator[Field]:
    for key, value in node.value:
        name = _SPELLED[message].get(key.value)
        if name is None:
            # Of the message around it all may be another's, of its options none.
            if above and value.id == "scalar":
                yield Field(f"{above}.{key.value}", _scalar(value, ""), *_place(key, value))
            continue
        path = f"{above}.{name}" if above else name
        type_ = MESSAGES[message][name].type
        if path == "device_count" and value.id == "mapping":
            for entry, count in value.value:
                yield Field(path, _scalar(count, "int32"), *_place(entry, count), key=entry.value)
        elif type_ in MESSAGES and value.id == "mapping":
            yield from _fields(value, type_, path)
        elif value.id == "sequence":
            yield from _listed(value, type_, path)
        elif value.id == "scalar" and type_ not in MESSAGES:
            # Only protobuf's JSON spells it so, and takes no type for another.
            is_json = key.value != name
            known = _in_json(value, type_) if is_json else _scalar(value, type_)
            yield Field(path, known, *_place(key, value))


def _listed(node: Node, type_: str, path: str) -> Iterator[Field]:
    for item in node.value:
        if type_ not in MESSAGES and item.id == "scalar":
            yield Field(path, _scalar(item, type_), *_place(item, item))
        elif path == "gpu_options.experimental.virtual_devices" and item.id == "mapping":
            parts = [
                (_SPELLED[type_][key.value], _scalar(part, "float"))
                for key, value in item.value
                if key.value in _SPELLED[type_]
                for part in (value.value if value.id == "sequence" else [value])
                if part.id == "scalar"
            ]
            yield Field(path, None, *_place(item, item), parts=tuple(parts))
        elif type_ in MESSAGES and item.id == "mapping":
            yield from _fields(item, type_, path)


def _scalar(node: Node, type_: str) -> Scalar | Word:
    text = str(node.value)
    if _UNKNOWN.search(text) or HOLE in text:
        return RUN_TIME
    if type_ in ("bool", "") and text.lower() in _TRUTH:
        return _TRUTH[text.lower()]
    if type_ != "string" and _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)
    return Word(text) if type_ == "enum" else text


def _in_json(node: Node, type_: str) -> Scalar | Word:
    """Return a value as protobuf's JSON takes it: `"yes"` is no boolean, and 0 is no text."""
    is_text = node.tag.endswith(":str")
    known = _scalar(node, "" if type_ == "string" and not is_text else type_)
    return str(node.value) if isinstance(known, bool) and is_text else known


def _place(first: Node, last: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    start, end = first.start_mark, last.end_mark
    if end.line != start.line:
        end = first.end_mark
    return (start.line, start.column), (end.line, end.column)


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
        # What is missing at the end is so behind the last line.
        last = text.rstrip("\n").count("\n")
        line = min(mark.line, last) + 1 if mark is not None else 0
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
