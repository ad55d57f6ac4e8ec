"""Reads shell: what variables a script sets, for whom, and what GPUs its commands ask for.

tree-sitter's grammar for bash tells what is a comment, a string, a heredoc or an assignment; it
reads on after what it does not understand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from tfgpu.dataclass import replace
from tfgpu.environment.command import (
    Command,
    Declared,
    Found,
    Script,
    Word,
    declared,
    evaluate,
    inside,
    printed,
)
from tfgpu.environment.commands import command_items
from tfgpu.environment.exports import IDLE, Exports, children_of, exports_of
from tfgpu.environment.jobs import directive_items
from tfgpu.environment.model import ConfigPiece, Item, Setting, Span, Trouble, Way
from tfgpu.environment.outputs import heredocs_of, is_shown, output_of
from tfgpu.environment.piece import Piece
from tfgpu.environment.programs import IS_SHARED, launched, shows_one, started
from tfgpu.environment.starters import ASSIGNMENT
from tfgpu.files.pattern import expression
from tfgpu.flow.strings import HOLE
from tfgpu.results import Launch

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_STRINGS_DEEP = 4
_DIRECTIVE = expression(r"^#SBATCH[^\n]*\n", re.MULTILINE)
_HOLES = expression(f"{HOLE}+")
# `$X`, `${X}` and `"${X[@]}"`: all that a variable holds, as words.
_ALL_OF = expression(r"""["']?\$\{?(\w+)(?:\[[@*]\])?\}?["']?""")
_IF_UNSET = expression(r"\"?\$\{(\w+):?=([^}]*)\}\"?")
# More words than a command has; a variable that doubles itself ends there.
_KEPT = 500
# What only a list of GPUs has, and no command or name: `1`, `1,2`.
_ENTRY = expression(r"\d+(?:,\d*)*")
_FLAG_WORD = expression(r"\S+")
_FUNCTION = expression(r"^[ \t]*(?:function[ \t]+)?([\w-]+)[ \t]*\(\)", re.MULTILINE)
# Functions that only show what they are given.
_SHOWS = expression(
    r"(?i)(?:\w*[_-])?(?:log|info|echo|print|usage|help|warn|err|die|fail|msg|message|say|debug)"
    r"(?:[_-]\w*)?"
)
# A text that is a command, and not a sentence that begins with a word of one.
_IS_COMMAND = expression(
    r"(?:[A-Z_][A-Z0-9_]*=\S* +)*(?:(?:ba|z)?sh -c [\"']|(?:nvidia-)?docker run "
    r"|(?:horovodrun|mpirun|mpiexec|srun|torchrun) -|(?:sudo|env|nohup) +\w+"
    r"|(?:[\w./-]*/)?(?:python[\d.]*|bash|sh) +\S+)"
)


@cache
def _parser() -> Parser:
    import tree_sitter_bash  # noqa: PLC0415 - only where there is shell to read
    from tree_sitter import Language, Parser  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))


def read_shell(piece: Piece, names: frozenset[str], depth: int = _STRINGS_DEEP) -> list[Item]:
    """Return what a piece of shell sets and asks for, in order; `names` are those that count."""
    if not depth:
        return []
    return _Reader(piece, names, depth).items()


class _Reader:
    def __init__(self, piece: Piece, names: frozenset[str], depth: int) -> None:
        self._piece = piece
        self._names = names
        self._depth = depth
        self._text_bytes = piece.text.encode("utf-8", "replace")
        self._lines = self._text_bytes.split(b"\n")
        self._is_ascii = self._text_bytes.isascii()
        self._exports = Exports()
        self._used: set[str] = set()
        self._programs: list[tuple[int, str]] = []
        self._step = 0
        self._words: dict[str, tuple[str, list[Word]]] = {}
        self._functions = set(_FUNCTION.findall(piece.text))

    def items(self) -> list[Item]:
        tree = _parser().parse(self._text_bytes)
        self._exports = exports_of(tree.root_node, self._piece.ends)
        found = list(self._for_script(self._walk(tree.root_node)))
        return [_shown(self._settled(item)) for item in found if not self._is_own(item)]

    def _for_script(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield items, those for all commands after them with the program that these start."""
        comments = "".join(_DIRECTIVE.findall(self._piece.text))
        one_each = False
        for item in list(items):
            if not isinstance(item, Setting):
                yield item
            elif item.launch is None and shows_one(item) and not IS_SHARED.search(comments):
                line = item.span.line
                behind = (name for number, name in self._programs if number > line)
                program = next(behind, "")
                one_each = True
                yield replace(item, launch=Launch(program, one_gpu=True)) if program else item
            elif one_each and item.launch is not None and item.name == "srun --ntasks":
                yield replace(item, launch=replace(item.launch, one_gpu=True))
            else:
                yield item

    def _is_own(self, item: Item) -> bool:
        """Tell whether a variable is the script's own, which hands it on under another name."""
        return (
            isinstance(item, Setting) and item.name in self._used and item.name not in self._names
        )

    def _settled(self, item: Item) -> Item:
        """Tell of an assignment whether what the script runs sees it."""
        if not isinstance(item, Setting) or item.way is not Way.ASSIGNED:
            return item
        if item.name in self._used or item.step == self._step:
            # Handed on by other means, or to be sourced.
            return replace(item, way=Way.FILE)
        return item

    def _walk(self, root: Node) -> Iterator[Item]:
        waiting = [(root, self._inner(root))]
        while waiting:
            node, block = waiting.pop()
            if node.type == "comment":
                yield from self._comment(node)
                continue
            if node.type == "variable_assignment":
                yield from self._assignment(node, Way.ASSIGNED, block)
            elif node.type == "declaration_command":
                yield from self._declaration(node, block)
            elif node.type == "command":
                yield from self._command(node, block)
            elif node.type in ("simple_expansion", "expansion"):
                self._used.update(self._text(child) for child in node.named_children[:1])
            elif node.type == "unset_command":
                yield from self._unset(node, block)
                self._step += 1
            waiting += [
                (child, self._inner(child) if is_block else block)
                for child, is_block in reversed(self._children(node))
            ]

    def _inner(self, node: Node) -> str:
        return f"{self._piece.block}/{node.start_byte}"

    @staticmethod
    def _children(node: Node) -> list[tuple[Node, bool]]:
        """Return the children of a node that are still to be read; its assignments have been.

        Each is with whether it is a block of its own.
        """
        if node.type not in ("declaration_command", "command"):
            return children_of(node)
        return [
            part
            for child, is_block in children_of(node)
            for part in (
                children_of(child) if child.type == "variable_assignment" else [(child, is_block)]
            )
        ]

    def _comment(self, node: Node) -> Iterator[Item]:
        if node.start_point.column == 0:
            text = self._text(node)
            yield from directive_items(text, self._piece.part((node.start_point.row, 0), text))

    def _assignment(self, node: Node, way: Way, block: str) -> Iterator[Setting | Trouble]:
        name = node.child_by_field_name("name")
        if name is None or name.type != "variable_name":
            return
        value = node.child_by_field_name("value")
        adds = any(self._text(child) == "+=" for child in node.children)
        if value is not None:
            self._keep_words(self._text(name), value, block, adds)
        known, default = ("", None) if value is None else evaluate(value)
        text = "" if value is None else self._text(value)
        known = None if adds else known
        yield self._set(node, Declared(self._text(name), text, known, default), way, block)

    def _set(self, node: Node, item: Declared, way: Way, block: str) -> Setting | Trouble:
        """Return what a node gives a variable, or that this is gone before anything runs."""
        if way is Way.ASSIGNED and node.start_byte in self._exports.exported:
            way = Way.EXPORTED
        text, span = item.text or "", self._span(node)
        made = Setting(item.name, item.value, text, span, way, item.default, block, self._step)
        is_lost = way in (Way.ASSIGNED, Way.EXPORTED) and node.start_byte in self._exports.lost
        if not is_lost or item.name not in self._names:
            return made
        details = (("name", item.name), ("value", text.replace(HOLE, ".")))
        return Trouble("lost-with-shell", span, details, made)

    def _keep_words(self, name: str, value: Node, block: str, adds: bool) -> None:
        """Keep the words that a variable holds, for the commands that take all of them.

        Of two branches each may be what a command gets: it gets both.
        """
        if value.type == "array":
            words = [self._word(child) for child in value.named_children]
        elif value.type in ("string", "raw_string", "word", "concatenation"):
            words = self._split(value)
        else:
            words = []
        earlier = self._words.get(name)
        if earlier is not None and (adds or earlier[0] != block):
            words = [*earlier[1], *words]
        kept = dict.fromkeys(self._spliced(words))
        self._words[name] = (block, list(kept)[:_KEPT])

    def _split(self, value: Node) -> list[Word]:
        """Return the words in a string, at their places."""
        text = self._text(value)
        row, column = self._point(value.start_point)
        quote = text[0] if text[:1] in ("'", '"') else ""
        words = []
        for found in _FLAG_WORD.finditer(text.replace("\\\n", "  ")):
            part = found[0].strip(quote) if quote else found[0]
            begin = found.start() + found[0].find(part)
            line = text.count("\n", 0, begin)
            start = begin - (text.rfind("\n", 0, begin) + 1) + (0 if line else column)
            place = (row + line, start)
            is_known = ("$" not in part and "`" not in part) or quote == "'"
            known = part if is_known else None
            if part and part != "\\":
                words.append(Word(known, part, place, (place[0], start + len(part))))
        return words

    def _spliced(self, words: list[Word], is_name: bool = False) -> list[Word]:
        """Return words with the flags that a variable holds, or a program, in its place.

        What else a variable holds may be another value when it is used.
        """
        found: list[Word] = []
        for word in words:
            name = _ALL_OF.fullmatch(word.text) if word.value is None else None
            _, kept = self._words.get(name[1], ("", [])) if name is not None else ("", [])
            counts = is_name or any(item.text.startswith("-") for item in kept)
            found += kept if kept and counts else [word]
        return found

    def _declaration(self, node: Node, block: str) -> Iterator[Item]:
        keyword = self._text(node.children[0])
        options = {self._text(child) for child in node.named_children if child.type == "word"}
        exports = keyword == "export" or any(
            option.startswith("-") and "x" in option for option in options
        )
        way = Way.EXPORTED if exports else Way.ASSIGNED
        for index, child in enumerate(node.named_children):
            behind = node.named_children[index + 1 : index + 2]
            if child.type == "variable_assignment":
                for item in self._assignment(child, way, block):
                    yield self._cut(item, behind)
            elif (quoted := declared(child)) is not None:
                if quoted.text is not None:
                    yield self._set(child, quoted, way, block)
            elif child.type == "word":
                yield from self._invisible(child, block)
            elif child.type == "variable_name":
                name = self._text(child)
                if name in self._names and any(self._text(word).startswith("=") for word in behind):
                    yield Trouble("blanks-around-equals", self._span(node), (("name", name),))

    def _cut(self, item: Setting | Trouble, behind: Sequence[Node]) -> Setting | Trouble:
        """Return an assignment, or that a space ends its value: `X=0, 1`."""
        word = self._text(behind[0]) if behind else ""
        if isinstance(item, Trouble) or item.name not in self._names or not _ENTRY.fullmatch(word):
            return item
        details = (("name", item.name), ("value", item.text), ("word", word))
        return Trouble("value-with-spaces", item.span, details, item)

    def _default(self, word: Word, block: str) -> Iterator[Setting]:
        """Yield what `: ${X:=0}` gives a variable that is not set."""
        found = _IF_UNSET.fullmatch(word.text)
        if found is not None and found[1] in self._names:
            span = self._piece.span(word.start, word.end)
            yield Setting(found[1], word.default, found[2], span, Way.DEFAULT, None, block)

    def _unset(self, node: Node, block: str) -> Iterator[Setting]:
        for child in node.named_children:
            name = self._text(child)
            if name in self._names:
                span = self._span(child)
                yield Setting(name, None, "", span, Way.REMOVED, None, block, self._step)

    def _invisible(self, node: Node, block: str) -> Iterator[Setting]:
        """Yield an assignment that has no effect because its name has invisible characters."""
        found = ASSIGNMENT.fullmatch(self._text(node))
        if found is not None and not found[1].isidentifier():
            way = Way.COMMAND
            yield Setting(found[1], None, found[2], self._span(node), way, None, block, self._step)

    def _command(self, node: Node, block: str) -> Iterator[Item]:
        words = self._arguments(node)
        for found in launched(self._items_of(node, words, block), words):
            if not isinstance(found, Script):
                yield found
        program = started(words)
        if program:
            self._programs.append((self._span(node).line, program))

    def _arguments(self, node: Node) -> list[Word]:
        return self._spliced([self._word(item) for item in node.children_by_field_name("argument")])

    def _items_of(self, node: Node, words: list[Word], block: str) -> Iterator[Item]:
        assignments = [item for item in node.children if item.type == "variable_assignment"]
        name = node.child_by_field_name("name") or node
        alone = [item for item in assignments if self._apart(item, name)]
        for item in assignments:
            way = Way.ASSIGNED if item in alone else Way.COMMAND
            for setting in self._assignment(item, way, block):
                if isinstance(setting, Setting) and self._is_value(setting, name):
                    yield Trouble(
                        "blanks-around-equals", self._span(node), (("name", setting.name),)
                    )
                elif way is Way.COMMAND:
                    yield self._cut(setting, [name])
                else:
                    yield setting
        yield from self._invisible(name, block)
        if (assigned := printed(node)) is not None:
            yield self._set(node, assigned, Way.ASSIGNED, block)
        first, *before = self._spliced([self._word(name)], is_name=True)
        command = Command(
            first,
            [*before, *words],
            self._redirect(node),
            self._names,
            is_shown(node),
        )
        for word in words if command.name.text == ":" else ():
            yield from self._default(word, block)
        step, is_idle = self._step, command.name.text in IDLE
        for found in command_items(command, self._piece, block):
            yield from self._nested(found, step)
        if command.name.text in self._functions and not _SHOWS.fullmatch(command.name.text):
            for word in command.arguments:
                text = inside(word, self._piece) if word.quoted else None
                if text is not None and _IS_COMMAND.match(text.text):
                    yield from self._nested(Script(text), step)
        self._step += not is_idle

    def _nested(self, item: Found, step: int) -> Iterator[Item]:
        if isinstance(item, Script):
            inner = replace(item.piece, block=f"{item.piece.block}>{item.piece.starts[0]}")
            yield from read_shell(inner, self._names, self._depth - 1)
        elif isinstance(item, Setting):
            yield replace(item, step=step)
        else:
            yield item

    def _apart(self, assignment: Node, name: Node) -> bool:
        """Tell whether a line break ends an assignment before a command that is read as its own."""
        between = self._text_bytes[assignment.end_byte : name.start_byte]
        return b"\n" in between.replace(b"\\\n", b"")

    def _is_value(self, setting: Setting, name: Node) -> bool:
        """Tell whether `X= 0` was written: nothing is set, and `0` is the command."""
        return (
            setting.way is Way.COMMAND
            and setting.text == ""
            and setting.name in self._names
            and self._text(name).replace(",", "").isdigit()
        )

    def _redirect(self, node: Node) -> tuple[str, list[Script]]:
        """Return the file that a command writes to, and the heredocs that it reads."""
        bodies = [(body.start_point, self._text(body)) for body in heredocs_of(node)]
        parts = [self._piece.part((place.row, place.column), text) for place, text in bodies]
        return output_of(node), [Script(part) for part in parts]

    def _word(self, node: Node) -> Word:
        inner = node.named_children[0] if node.type == "command_name" else node
        value, default = evaluate(inner)
        place = self._point(node.start_point)
        inside = inner.type in ("string", "raw_string")
        return Word(value, self._text(node), place, self._point(node.end_point), inside, default)

    def _text(self, node: Node) -> str:
        return (node.text or b"").decode("utf-8", "replace")

    def _point(self, point: tuple[int, int]) -> tuple[int, int]:
        """Return a place with its column in characters, not bytes."""
        row, column = point
        if self._is_ascii:
            return row, column
        return row, len(self._lines[row][:column].decode("utf-8", "replace"))

    def _span(self, node: Node) -> Span:
        return self._piece.span(self._point(node.start_point), self._point(node.end_point))


def _shown(item: Item) -> Item:
    """Return an item without the marks for unknown parts."""
    if isinstance(item, Setting) and HOLE in item.text:
        return replace(item, text=_HOLES.sub("...", item.text))
    if isinstance(item, ConfigPiece) and HOLE in item.flag:
        return replace(item, flag=_HOLES.sub("...", item.flag))
    return item
