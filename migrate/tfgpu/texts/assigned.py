"""ConfigProtos that R and gin set: names, `=` or `<-`, and values that Python reads, too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import expression
from tfgpu.place import row_and_column
from tfgpu.rulebook.book import Rulebook
from tfgpu.texts.builders import field_names, grouped, plain, value_of
from tfgpu.texts.prototext import RUN_TIME, Field, Scalar, Word

_TOKEN = expression(
    r"""(?P<comment>\#[^\n]*)|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"|(?P<sign><<-|<-|==|<=|>=|!=|=)|(?P<number>-?\d[\w.]*)|(?P<name>[A-Za-z_.][\w.]*)"
    r"|(?P<break>\n)|(?P<other>\S)",
    re.DOTALL,
)
_SIGNS = frozenset(["=", "<-", "<<-"])
_DICTIONARIES = frozenset(["list", "dict", "c"])
# `scope/tf.GPUOptions.allow_growth = True`, and `GROWTH = True`, which `%GROWTH` stands for.
_BINDING = expression(
    r"^[ \t]*(?:[\w/.]+/)?([\w.]*?)\.?(\w+)[ \t]*=[ \t]*(.*?)[ \t]*(?:#.*)?$", re.MULTILINE
)
_MESSAGES = {
    "ConfigProto": "",
    "GPUOptions": "gpu_options",
    "GraphOptions": "graph_options",
    "OptimizerOptions": "graph_options.optimizer_options",
    "RewriterConfig": "graph_options.rewrite_options",
}
# Bindings of other functions that say which field they set.
_CLEAR = frozenset(
    ["allow_growth", "per_process_gpu_memory_fraction", "visible_device_list",
     "allow_soft_placement", "log_device_placement", "intra_op_parallelism_threads",
     "inter_op_parallelism_threads"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: tuple[int, int]
    end: tuple[int, int]


def r_configs(text: str, book: Rulebook) -> list[tuple[Field, ...]]:
    """Return the fields of ConfigProtos that R code sets, those of one ConfigProto together."""
    return grouped((0, field) for field in _r_fields(list(_tokens(text)), book))


def _tokens(text: str) -> Iterator[_Token]:
    row, begin = 0, 0
    for found in _TOKEN.finditer(text):
        start = (row, found.start() - begin)
        inside = found[0].count("\n")
        if inside:
            row, begin = row + inside, found.start() + found[0].rindex("\n") + 1
        kind = found.lastgroup or ""
        if kind not in ("comment", "break"):
            yield _Token(kind, found[0], start, (row, found.end() - begin))


def _r_fields(tokens: list[_Token], book: Rulebook) -> Iterator[Field]:
    names = {name: path for name, path in field_names(book).items() if "experimental" not in path}
    for index, token in enumerate(tokens[:-2]):
        sign, value = tokens[index + 1 : index + 3]
        name = token.text.strip("'\"`")
        path = names.get(plain(name)) if name.islower() and sign.text in _SIGNS else None
        if path == "device_count" and value.text in _DICTIONARIES:
            yield from _entries(tokens[index + 4 :], token, book)
        elif path is not None:
            behind = tokens[index + 3].text if index + 3 < len(tokens) else ")"
            is_whole = behind in (",", ")") or tokens[index + 3].start[0] > value.end[0]
            known = value_of(value.text, path, book) if is_whole else RUN_TIME
            yield Field(path, known, token.start, value.end)


def _entries(tokens: list[_Token], name: _Token, book: Rulebook) -> Iterator[Field]:
    """Yield the entries of `list(GPU = 0L, ...)`."""
    for index, token in enumerate(tokens[:-2]):
        if token.text == ")":
            return
        sign, value = tokens[index + 1 : index + 3]
        if sign.text == "=":
            known = value_of(value.text, "device_count", book)
            key = token.text.strip("'\"`")
            yield Field("device_count", known, name.start, value.end, key=key)


def gin_configs(text: str, book: Rulebook) -> list[tuple[Field, ...]]:
    """Return the fields of ConfigProtos that a gin file binds, those of one file together."""
    bindings = [found for found in _BINDING.finditer(text) if found[2]]
    macros = {found[2]: found[3] for found in bindings if not found[1]}
    found = []
    for binding in bindings:
        path = _bound(binding[1].rpartition(".")[2], binding[2], book)
        if path is None or binding[3].startswith("@"):
            continue
        value = macros.get(binding[3][1:], "") if binding[3].startswith("%") else binding[3]
        row, column = row_and_column(text, binding.start(2))
        start, end = (row, column), (row, column + binding.end(3) - binding.start(2))
        found += [
            Field(path, known, start, end, key=key) for key, known in _values(value, path, book)
        ]
    return grouped((0, field) for field in found)


def _bound(owner: str, name: str, book: Rulebook) -> str | None:
    """Return the path of the field that a binding sets, if it sets one."""
    if owner in _MESSAGES:
        path = f"{_MESSAGES[owner]}.{name}".removeprefix(".")
        return None if path in book.messages else path
    return field_names(book)[plain(name)] if owner and name in _CLEAR else None


def _values(text: str, path: str, book: Rulebook) -> Iterator[tuple[str | None, Scalar | Word]]:
    """Yield the value of a binding; of a map each key with its value."""
    pairs = re.findall(r"[\"'](\w+)[\"']\s*:\s*([^,}]+)", text) if path == "device_count" else []
    for key, value in pairs:
        yield key, value_of(value, path, book)
    if not pairs:
        yield None, value_of(text, path, book)
