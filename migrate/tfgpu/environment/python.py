"""What Python code sets in the environment, as settings, and the findings on it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tfgpu.code.tree import Tree
from tfgpu.environment.hazards import hazards
from tfgpu.environment.model import ConfigPiece, Item, Setting, Span, Trouble, Way
from tfgpu.environment.piece import Piece, joined
from tfgpu.environment.report import Told, as_finding, tell
from tfgpu.findings import Found
from tfgpu.flow.collect import Analysis
from tfgpu.flow.commands import Started, started_commands
from tfgpu.flow.environment import Write, child_writes, writes
from tfgpu.rulebook.book import Rulebook
from tfgpu.texts.prototext import LOOKS_LIKE, RUN_TIME

_OPENING = re.compile(r"[rRuU]?(?:\"{3}|'{3}|\"|')")
# Arguments that are read by people.
_PROSE = frozenset(["help", "description", "epilog", "usage", "doc", "msg", "message"])
_WAYS = {
    "environ": Way.PROCESS,
    "setdefault": Way.DEFAULT,
    "putenv": Way.PROCESS,
    "child": Way.CHILD,
}


def environment_findings(
    files: Iterable[Tree], analysis: Analysis, book: Rulebook
) -> Iterator[Found]:
    """Yield the findings on what some files of an analysis set in the environment."""
    for tree in files:
        here = analysis.of(tree)
        lines = tree.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for told in _tell(here, book):
            yield tree.module, as_finding(told, lines)


def environment_items(analysis: Analysis, book: Rulebook) -> Iterator[tuple[ast.AST, Item]]:
    """Yield what the files of an analysis set in the environment, each with its node."""
    for tree in analysis.tree.files:
        here = analysis.of(tree)
        yield from _items_of_file(_writes(here, book), here, book)


def _tell(analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    found = _writes(analysis, book)
    told = [write for write in found if not _is_growth_of_all(write, analysis)]
    items = [item for _, item in _items_of_file(told, analysis, book)]
    yield from tell(items, book, analysis.tree.cells)
    yield from hazards(found, analysis, book)


def _is_growth_of_all(write: Write, analysis: Analysis) -> bool:
    """Tell whether a file asks for the growth of all GPUs where nobody asked for anything else.

    That is what migrate writes where some session of the program has limits, and no news.
    """
    asked = ("TF_FORCE_GPU_ALLOW_GROWTH", "setdefault")
    return (write.name, write.how) == asked and analysis.values.known(write.value) == "true"


def _items_of_file(
    found: list[Write], analysis: Analysis, book: Rulebook
) -> Iterator[tuple[ast.AST, Item]]:
    for write in found:
        for item in _items(write, analysis, book):
            yield write.node, item
    for started in started_commands(analysis.tree, analysis.symbols):
        from tfgpu.environment.shell import read_shell  # noqa: PLC0415 - for commands only

        for item in read_shell(_command(started, analysis.tree), book.variable_names):
            if not isinstance(item, ConfigPiece) or item.flag:
                yield started.node, item
    yield from _spark(analysis)
    yield from _configs(analysis.tree)


def _command(started: Started, tree: Tree) -> Piece:
    """Return a command that is started as shell."""
    block = f"at {tree.position(started.node)[0]}"
    places = [(text, tree.position(node)) for text, node in started.words]
    if started.is_shell:
        ((text, (line, column)),) = places
        return Piece(text, ((line, column + started.exact),), started.exact, block)
    return joined([Piece(text, (place,)) for text, place in places], block)


def _spark(analysis: Analysis) -> Iterator[tuple[ast.AST, Setting]]:
    """Yield the GPUs that Spark is asked for: `.config(KEY, 1)`, `.set(KEY, 1)`, `{KEY: 1}`."""
    tree = analysis.tree
    if ".resource.gpu.amount" not in tree.text:
        return
    from tfgpu.environment.commands import SPARK  # noqa: PLC0415 - few files need it

    pairs = [(call.args[0], call.args[1]) for call in tree.calls if len(call.args) == 2]
    for entries in tree.nodes(ast.Dict):
        both = zip(entries.keys, entries.values, strict=True)
        pairs += [(key, value) for key, value in both if key is not None]
    for key, amount in pairs:
        name = key.value if isinstance(key, ast.Constant) else None
        if isinstance(name, str) and SPARK.fullmatch(name):
            known = analysis.values.known(amount)
            value = None if known is None else str(known)
            text = tree.source(amount)
            yield key, Setting(f"spark {name}", value, text, _span(key, tree), Way.REQUEST)


def _configs(tree: Tree) -> Iterator[tuple[ast.AST, ConfigPiece]]:
    """Yield the strings of a file that are ConfigProtos as text."""
    if LOOKS_LIKE.search(tree.text) is None:
        return
    for text in tree.nodes(ast.Constant):
        value = text.value
        is_value = not isinstance(tree.parent[text], ast.Expr | ast.JoinedStr)
        is_value = is_value and getattr(tree.parent[text], "arg", "") not in _PROSE
        if is_value and isinstance(value, str) and LOOKS_LIKE.search(value):
            yield text, ConfigPiece(_piece(text, value, tree), merges=_is_merged(text, tree))
    for node in tree.nodes(ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else RUN_TIME for part in node.values)
        value = "".join(map(str, parts))
        if LOOKS_LIKE.search(value):
            piece = Piece(value, (tree.position(node),), exact=False)
            yield node, ConfigPiece(piece, merges=_is_merged(node, tree))


def _is_merged(text: ast.expr, tree: Tree) -> bool:
    """Tell whether a string is handed to text_format.Merge."""
    call = tree.parent[text]
    name = call.func if isinstance(call, ast.Call) else None
    return getattr(name, "attr", getattr(name, "id", "")) == "Merge"


def _piece(node: ast.Constant, value: str, tree: Tree) -> Piece:
    """Return the text of a string with its places, where it is in the file as it is."""
    row, column = tree.position(node)
    lines = [tree.line(row)[column - 1 :]]
    lines += [tree.line(number) for number in range(row + 1, tree.end(node)[0] + 1)]
    opening = _OPENING.match(lines[0])
    length = 0 if opening is None else opening.end()
    starts = [(row, column + length)]
    starts += [(number, 1) for number in range(row + 1, row + len(lines))]
    is_plain = "\n".join(lines)[length:].startswith(value)
    return Piece(value, tuple(starts), is_plain, f"at {row}")


def _writes(analysis: Analysis, book: Rulebook) -> list[Write]:
    """Return what a file sets, in order: what counts, and what looks like it."""
    tree, symbols = analysis.tree, analysis.symbols
    found = list(writes(tree, symbols))
    known = {write.node for write in found}
    found += [
        write
        for write in child_writes(tree, symbols)
        if write.name in book.variable_names and write.node not in known
    ]
    return sorted(found, key=lambda write: tree.position(write.node))


def _items(write: Write, analysis: Analysis, book: Rulebook) -> Iterator[Item]:
    tree = analysis.tree
    span = _span(write.node, tree)
    text = tree.source(write.value)
    if write.name in book.variable_names and _is_no_string(write.value):
        yield Trouble("not-a-string", span, (("name", write.name), ("text", text)))
        return
    if write.how == "putenv" and write.name in book.variable_names:
        yield Trouble("putenv", span, (("name", write.name),))
    block, step = _moment(write, tree)
    value = _value(write.value, analysis)
    default = _default(write.value, analysis)
    yield Setting(write.name, value, text, span, _WAYS[write.how], default, block, step)


def _default(node: ast.expr, analysis: Analysis) -> str | None:
    """Return what a variable is set to where the environment has nothing: `os.getenv(X, "0")`."""
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return None
    if analysis.symbols.name(node.func) not in ("os.environ.get", "os.getenv"):
        return None
    known = analysis.values.known(node.args[1])
    return known if isinstance(known, str) else None


def _is_no_string(node: ast.expr) -> bool:
    """Tell whether a value is certainly no string, which os.environ and Popen refuse."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str | bytes)
    return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set)


def _value(node: ast.expr, analysis: Analysis) -> str | None:
    """Return the text that a variable is set to, where it is known."""
    known = analysis.values.known(node)
    if isinstance(known, str):
        return known
    is_str = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    if is_str and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        assert isinstance(node.func, ast.Name)
        argument = node.args[0]
        if node.func.id == "str" and not analysis.tree.bindings(node.func):
            try:
                return str(ast.literal_eval(argument))
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                number = analysis.values.known(argument)
                return str(number) if isinstance(number, int | str) else None
    return None


def _moment(write: Write, tree: Tree) -> tuple[str, int]:
    """Return the block that a variable is set in, and how much was run in it before.

    Only calls, and statements with others inside, can use a variable.
    """
    statement = tree.statement(write.node)
    block = tree.block(statement)
    before = block[: block.index(statement)]
    step = sum(any(map(_may_use, ast.walk(item))) for item in before)
    return f"{write.how} {statement.col_offset} {id(block)}", step


def _may_use(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        function = node.func
        return not (
            (isinstance(function, ast.Name) and function.id == "print")
            or (isinstance(function, ast.Attribute) and function.attr in ("setdefault", "putenv"))
        )
    return isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.Return)


def _span(node: ast.AST, tree: Tree) -> Span:
    return Span(*tree.position(node), *tree.end(node))
