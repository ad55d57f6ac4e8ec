"""ConfigProtos that code of other languages builds: Java, Scala, Kotlin, C++, Go and C#.

tree-sitter's grammars tell names, calls, arguments, strings and comments apart. What sets a field
is alike in all of them: `setAllowGrowth(true)`, `set_allow_growth(true)`, `AllowGrowth: true`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass, replace
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError
from tfgpu.place import row_and_column
from tfgpu.rulebook.book import Rulebook
from tfgpu.texts.prototext import RUN_TIME, Field, Scalar, Word
from tfgpu.texts.schema import is_repeated
from tfgpu.texts.stored import NotRead, without_comments

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@dataclass(frozen=True, slots=True)
class Language:
    """A language: the module of its grammar, whether calls set fields, whether `=` and `:` do."""

    grammar: str
    calls: bool
    assigns: bool


LANGUAGES = {
    "Java": Language("tree_sitter_java", calls=True, assigns=False),
    "C++": Language("tree_sitter_cpp", calls=True, assigns=False),
    "Scala": Language("tree_sitter_scala", calls=True, assigns=True),
    "Kotlin": Language("tree_sitter_kotlin", calls=True, assigns=True),
    "Go": Language("tree_sitter_go", calls=False, assigns=True),
    "C#": Language("tree_sitter_c_sharp", calls=False, assigns=True),
}

_SETS = expression(r"(?:set|put|add|with)_?(?=[A-Za-z])")
_ARGUMENTS = frozenset(["argument_list", "arguments", "value_arguments"])
_FUNCTIONS = frozenset(
    ["function_definition", "method_declaration", "constructor_declaration", "func_literal",
     "function_declaration", "local_function_statement", "lambda_expression"]
)  # fmt: skip
_WHOLE_MAP = expression(r"(?:put|add|with|set)_?(?:[aA]ll)?_?(?=[dD]evice)")
_SUBSCRIPTS = frozenset(["subscript_expression", "index_expression", "element_access_expression"])
_ADDS_ENTRY = frozenset(["insert", "emplace", "Add", "put"])
_WRAPS = frozenset(
    ["value_argument", "argument", "literal_element", "expression_list", "parenthesized_expression",
     "unary_expression"]
)  # fmt: skip
# Calls that are the value that they are given.
_SAME = expression(
    r"(?:.*\W)?(?:Bool|Int32|Int64|Float32|Float64|String|string|Some|valueOf)\((.*)\)", re.DOTALL
)
_NUMBER = expression(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[fFdDlLuUmM]*")
_LITERALS = {"true": True, "false": False}
# What the code around a field names where its message is not told by the name of the field alone.
_MESSAGES = {
    "experimental": "experimental",
    "rewrite_options": "rewrit",
    "optimizer_options": "optimizeroptions",
    "virtual_devices": "virtualdevices",
}
_VIRTUAL = "gpu_options.experimental.virtual_devices"
# Nodes that give a name of the program a value.
_DECLARES = expression(r"(?:_definition|_declaration|_declarator|_spec|parameter)$")
# Names that only code for TensorFlow has.
_OURS = expression(
    "ConfigProto|configProto|config_proto|GPUOptions|OptimizerOptions|SessionOptions"
    "|mutable_(?:gpu_options|device_count)|[gG]puOptions|[Tt]ensor_?[Ff]low"
)
# What sets a field, for code of which the grammar makes nothing.
_SEEMS = expression(
    r"\b(?:[sS]et|[wW]ith)?_?(?:[aA]llow_?[gG]rowth|[pP]er_?[pP]rocess_?[gG]pu_?[mM]emory_?[fF]raction"
    r"|[vV]isible_?[dD]evice_?[lL]ist|[aA]llow_?[sS]oft_?[pP]lacement|[lL]og_?[dD]evice_?[pP]lacement"
    r"|[iI]nt(?:ra|er)_?[oO]p_?[pP]arallelism_?[tT]hreads)(?:_\b)?\s*(?:\(\s*(?=[^\s)])|=(?!=)|:(?!:))"
)
_ENTRY = expression(r"\"(\w+)\"\s*(?:,|:|->|to\b)\s*(?:Int32\()?(\d+)")
_CLIMB = 4


class NoGrammarError(SourceError):
    """The grammar of a language is not installed."""

    def __init__(self, language: str) -> None:
        super().__init__(f"{language} code: install tfgpu[languages] to have it read")
        self.language = language


def built_configs(
    text: str, language: str, book: Rulebook
) -> tuple[list[tuple[Field, ...]], list[NotRead]]:
    """Return the fields of ConfigProtos that code sets, those of one together, and what is left.

    Raises:
        NoGrammarError: the grammar of the language is not installed.
    """
    if _OURS.search(text) is None:
        return [], []
    reader = _Reader(text, LANGUAGES[language], book)
    root = _parser(language).parse(reader.data).root_node
    configs = grouped(reader.fields(root))
    if root.has_error:
        known = {line for fields in configs for field in fields for line in _lines(field)}
        reader.not_read += _unparsed(text, known)
    return configs, reader.not_read


def _lines(field: Field) -> range:
    return range(field.start[0], field.end[0] + 1)


def _unparsed(text: str, known: set[int]) -> Iterator[NotRead]:
    """Yield what seems to set a field in code that cannot be parsed; not on lines that are read."""
    for found in _SEEMS.finditer(without_comments(text)):
        row, start = row_and_column(text, found.start())
        if row not in known:
            place = (row, start), (row, start + len(found[0].rstrip("( =:")))
            yield NotRead(found[0].rstrip("( =:"), "the code around it cannot be parsed", *place)


@cache
def _parser(language: str) -> Parser:
    from tree_sitter import Language as Grammar  # noqa: PLC0415 - few files need it
    from tree_sitter import Parser  # noqa: PLC0415

    try:
        module = import_module(LANGUAGES[language].grammar)
    except ImportError as error:
        raise NoGrammarError(language) from error
    return Parser(Grammar(module.language()))


def grouped(found: Iterator[tuple[int, Field]]) -> list[tuple[Field, ...]]:
    """Return fields by ConfigProto: those of a function, up to one that is set again.

    Each field comes with the function that it stands in.
    """
    configs: list[list[Field]] = []
    seen: set[tuple[str, str | None]] = set()
    last = None
    for function, field in found:
        key = (field.path, field.key)
        if function != last or (key in seen and not is_repeated(field.path)):
            configs.append([])
            seen = set()
        last = function
        seen.add(key)
        if field.path == _VIRTUAL and configs[-1] and configs[-1][-1].path == _VIRTUAL:
            before = configs[-1].pop()
            configs[-1].append(replace(before, parts=(*before.parts, *field.parts)))
        else:
            configs[-1].append(field)
    return [tuple(fields) for fields in configs]


def plain(name: str) -> str:
    """Return a name without what differs between languages: underscores, and large letters."""
    return name.replace("_", "").lower()


def field_names(book: Rulebook) -> dict[str, str]:
    """Return the paths of all fields by the plain form of their last name."""
    paths = (path for path in reversed(list(book.fields)) if not path.startswith("device_count."))
    return {plain(path.rpartition(".")[2]): path for path in paths}


class _Reader:
    def __init__(self, text: str, language: Language, book: Rulebook) -> None:
        self.data = text.encode("utf-8", "replace")
        self._lines = self.data.split(b"\n")
        self._is_ascii = self.data.isascii()
        self._language = language
        self._book = book
        self._names = field_names(book)
        self.not_read: list[NotRead] = []
        # tree-sitter looks for what is around and behind a node from the root on, each time.
        self._around: dict[int, tuple[Node, Node | None]] = {}

    def fields(self, root: Node) -> Iterator[tuple[int, Field]]:
        """Yield the fields that code sets, in order, each with the function around it."""
        waiting, names = [(root, root)], []
        while waiting:
            node, function = waiting.pop()
            if node.child_count:
                function = node if node.type in _FUNCTIONS else function
                following: Node | None = None
                for child in reversed(node.children):
                    self._around[child.id] = (node, following)
                    following = child
                    waiting.append((child, function))
            elif node.type.endswith("identifier"):
                names.append((node, function))
        if not any(_OURS.search(_text(name)) for name, _ in names):
            return
        for name, function in names:
            for field in self._set_by(name, function):
                if self._is_meant(field.path, function):
                    yield function.start_byte, field

    def _is_meant(self, path: str, function: Node) -> bool:
        """Tell whether the function around a field names the message that the field is of."""
        words = [word for name, word in _MESSAGES.items() if name in path.split(".")[:-1]]
        return not words or any(word in plain(_text(function)) for word in words)

    def _set_by(self, name: Node, function: Node) -> Iterator[Field]:
        text = _text(name)
        behind = self._behind(name)
        if plain(text).endswith("devicecount"):
            yield from self._counts(name, behind, function)
            return
        if behind is None:
            return
        if behind.type in _ARGUMENTS:
            arguments = _named(behind)
            if text in _ADDS_ENTRY and "devicecount" in plain(_receiver(name)):
                yield from self._entry(name, arguments)
            found = _SETS.match(text)
            path = self._names.get(plain(text[found.end() :])) if found is not None else None
            if path is not None and self._language.calls and arguments:
                yield self._made(path, name, arguments[-1])
        elif behind.type in ("=", ":") and self._language.assigns:
            path = self._names.get(plain(text))
            value = behind.next_named_sibling
            owner = behind.parent
            is_variable = owner is not None and _DECLARES.search(owner.type) is not None
            if path is not None and value is not None and not is_variable:
                yield self._made(path, name, value)

    def _counts(self, name: Node, behind: Node | None, function: Node) -> Iterator[Field]:
        """Yield the entries of device_count: `put("GPU", 0)`, `["GPU"] = 0`, a map."""
        if behind is not None and behind.type in _ARGUMENTS and len(_named(behind)) == 2:
            yield from self._entry(name, _named(behind))
            return
        if behind is not None and behind.type in _ARGUMENTS and _WHOLE_MAP.match(_text(name)):
            yield from self._map(name, behind, function)
            return
        node: Node | None = name
        for _ in range(2 * _CLIMB):
            if node is None:
                return
            if node.type in _SUBSCRIPTS:
                sign = self._behind(node)
                value = sign.next_named_sibling if sign is not None and sign.type == "=" else None
                keys = re.findall(r"\[\s*\"(\w+)\"\s*\]", _text(node))
                if value is not None and keys:
                    yield self._made("device_count", name, value, keys[-1])
                return
            if node.type == "keyed_element" or node.type.startswith("assignment"):
                pairs = re.findall(r"\"(\w+)\"\s*[:,]\s*(\d+)", _text(node))
                for key, count in pairs:
                    start, end = self._place(name.start_point), self._place(node.end_point)
                    yield Field("device_count", int(count), start, end, key=key)
                return
            node = node.parent

    def _map(self, name: Node, arguments: Node, function: Node) -> Iterator[Field]:
        """Yield the entries of a map that is handed over as a whole, or made in the function."""
        given = _text(arguments)
        start, end = self._place(name.start_point), self._place(arguments.end_point)
        variable = re.fullmatch(r"\(\s*(\w+)\s*\)", given)
        if variable is not None:
            word = re.escape(variable[1])
            sign = r"(?:\.(?:put|add|Add)\s*\(|(?=\[)|(?::[^=\n]+)?=(?!=))"
            made = re.finditer(rf"\b{word}\s*{sign}([^;\n]*)", _text(function))
            given = " ".join(found[1] for found in made)
            given = re.sub(r"\[(\"\w+\")\]\s*=", r"\1:", given)
        pairs = _ENTRY.findall(given)
        if not pairs:
            text = f"{_text(name)}{_text(arguments)}"
            self.not_read.append(NotRead(text, "the map is made elsewhere", start, end))
        for key, count in pairs:
            yield Field("device_count", int(count), start, end, key=key)

    def _entry(self, name: Node, arguments: list[Node]) -> Iterator[Field]:
        if len(arguments) == 1:
            arguments = _named(arguments[0])
        if len(arguments) == 2 and _text(arguments[0])[:1] == '"':
            key = _text(arguments[0]).strip('"')
            yield self._made("device_count", name, arguments[1], key)

    def _made(self, path: str, name: Node, value: Node, key: str | None = None) -> Field:
        start, end = self._place(name.start_point), self._place(value.end_point)
        known = value_of(_text(_unwrapped(value)), path, self._book)
        if path.startswith(f"{_VIRTUAL}."):
            return Field(_VIRTUAL, None, start, end, parts=((path.rpartition(".")[2], known),))
        return Field(path, known, start, end, key)

    def _behind(self, node: Node) -> Node | None:
        """Return what follows a name: its arguments, or the sign of an assignment."""
        current = node
        for _ in range(_CLIMB):
            around, following = self._around.get(current.id, (None, None))
            if following is not None or around is None:
                return following
            current = around
        return None

    def _place(self, point: tuple[int, int]) -> tuple[int, int]:
        """Return a place with its column in characters, not bytes."""
        row, column = point
        if self._is_ascii:
            return row, column
        return row, len(self._lines[row][:column].decode("utf-8", "replace"))


def value_of(text: str, path: str, book: Rulebook) -> Scalar | Word:
    """Return the value that an expression is, or what stands for one that only the run knows."""
    text = text.strip()
    same = _SAME.fullmatch(text)
    if same is not None:
        return value_of(same[1], path, book)
    if text.lower() in _LITERALS:
        return _LITERALS[text.lower()]
    number = _NUMBER.fullmatch(text)
    if number is not None:
        return float(number[1]) if re.search(r"[.eE]", number[1]) else int(number[1])
    if text[:1] in ('"', "'", "`") and text[-1:] == text[:1]:
        try:
            return str(ast.literal_eval(text)) if text[0] != "`" else text[1:-1]
        except (SyntaxError, ValueError):
            return RUN_TIME
    rule = book.rule_for(path, frozenset())
    names = {} if rule is None else rule.enum
    last = re.split(r"[.:$]", text)[-1]
    for name in sorted(names, key=len, reverse=True):
        if plain(name) == plain(last) or last.endswith(f"_{name}"):
            return Word(name)
    return RUN_TIME


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _named(node: Node) -> list[Node]:
    return [child for child in node.named_children if "comment" not in child.type]


def _unwrapped(node: Node) -> Node:
    while node.type in _WRAPS and len(_named(node)) == 1 and _text(node)[:1] not in ("-", "!"):
        node = _named(node)[0]
    return node


def _receiver(name: Node) -> str:
    """Return the text of what a method is called on."""
    before = name.prev_named_sibling
    return "" if before is None else _text(before)
