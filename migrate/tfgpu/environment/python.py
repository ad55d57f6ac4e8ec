"""What Python code sets in the environment, as settings, and the findings on it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfgpu.code.tree import Tree, last_name
from tfgpu.environment.hazards import comes_late, hazards
from tfgpu.environment.jobs import ACCELERATORS
from tfgpu.environment.magics import magic_writes
from tfgpu.environment.mapping import json_pieces
from tfgpu.environment.model import ConfigPiece, Item, Setting, Span, Trouble, Way
from tfgpu.environment.piece import Piece, joined
from tfgpu.environment.report import Told, as_finding, is_understood, tell
from tfgpu.files.pattern import expression
from tfgpu.findings import Found
from tfgpu.flow.collect import Analysis
from tfgpu.flow.destinations import PROCESS, destination, mapping_of
from tfgpu.flow.named_variables import named_writes
from tfgpu.flow.serialized import from_bytes, from_json
from tfgpu.flow.started_commands import Started, started_commands
from tfgpu.flow.strings import HOLE, Strings
from tfgpu.flow.variables import Write, writes
from tfgpu.rulebook.book import Rulebook
from tfgpu.texts.looks import IS_JSON, LOOKS_LIKE
from tfgpu.texts.prototext import RUN_TIME, Field
from tfgpu.texts.stored import NotAConfigError, fields_of

_OPENING = expression(r"[rRuU]?(?:\"{3}|'{3}|\"|')")
# Arguments that are read by people.
_PROSE = frozenset(["help", "description", "epilog", "usage", "doc", "msg", "message"])
# Functions that show a text to people, or compare it; and methods whose result is still the text.
_TELLS = expression(
    r"print|pprint|debug|info|warn|warning|error|exception|critical|fatal|log|vlog|echo|fail"
    r"|(?:assert|expect)\w*|check_equal\w*"
)
# Turns the growth of all GPUs on, or off.
_GROWTH = "TF_FORCE_GPU_ALLOW_GROWTH"
_TRIMS = frozenset(["strip", "lstrip", "rstrip", "dedent", "format", "encode", "str"])
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
        for write, setting in magic_writes(tree, book.variable_names):
            yield write.node, setting


def _tell(analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    found = _writes(analysis, book)
    told = [
        write
        for write in found
        if not _is_growth_of_all(write, analysis)
        and (write.how in ("child", "removed") or comes_late(write, analysis, book) is None)
    ]
    items = [item for _, item in _items_of_file(told, analysis, book)]
    yield from tell(items, book, analysis.tree.cells)
    # What `%env` does is said of its line.
    by_magic = [write for write, _ in magic_writes(analysis.tree, book.variable_names)]
    yield from hazards([*found, *by_magic], analysis, book)


def _is_growth_of_all(write: Write, analysis: Analysis) -> bool:
    """Tell whether a file asks for the growth of all GPUs where nobody asked for anything else.

    That is what migrate writes where some session of the program has limits, and no news.
    """
    if write.name != _GROWTH or analysis.values.known(write.value) != "true":
        return False
    branch = analysis.tree.parent[analysis.tree.statement(write.node)]
    test = ast.unparse(branch.test) if isinstance(branch, ast.If) else ""
    return write.how == "setdefault" or test == f"os.environ.get({_GROWTH!r}) != 'false'"


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
    yield from _accelerators(analysis)
    yield from _configs(analysis)
    yield from _serialized(analysis)


def _command(started: Started, tree: Tree) -> Piece:
    """Return a command that is started as shell."""
    block = f"at {tree.position(started.node)[0]}"
    places = [(text, tree.position(node)) for text, node in started.words]
    if started.is_shell:
        ((text, (line, column)),) = places
        return Piece(text, ((line, column + started.exact),), started.exact, block, ends=True)
    return joined([Piece(text, (place,)) for text, place in places], block)


def _spark(analysis: Analysis) -> Iterator[tuple[ast.AST, Setting]]:
    """Yield the GPUs that Spark is asked for: `.config(KEY, 1)`, `.set(KEY, 1)`, `{KEY: 1}`."""
    tree = analysis.tree
    if ".resource.gpu.amount" not in tree.text:
        return
    from tfgpu.environment.starters import SPARK  # noqa: PLC0415 - few files need it

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


def _accelerators(analysis: Analysis) -> Iterator[tuple[ast.AST, Setting]]:
    """Yield the GPUs that jobs of Vertex AI are given."""
    tree = analysis.tree
    if "accelerator_count" not in tree.text:
        return
    for call in tree.calls:
        named = {item.arg: item for item in call.keywords}
        count = named.get("accelerator_count")
        if count is not None and "accelerator_type" in named:
            known = analysis.values.known(count.value)
            value, text = None if known is None else str(known), tree.source(count.value)
            yield count, Setting(ACCELERATORS, value, text, _span(count, tree), Way.REQUEST)


def _serialized(analysis: Analysis) -> Iterator[tuple[ast.AST, ConfigPiece | Trouble]]:
    """Yield the ConfigProtos that a file takes from bytes, and from JSON."""
    tree, symbols = analysis.tree, analysis.symbols
    if "FromString" in tree.text:
        for call, data in from_bytes(tree, symbols):
            span, piece = _span(call, tree), Piece("", (tree.position(call),), exact=False)
            fields = _fields(data)
            if fields:
                yield call, ConfigPiece(piece, span=span, language="bytes", fields=fields)
            else:
                why = "its fields come as bytes"
                why = why if data is None else "protobuf takes its bytes for no ConfigProto"
                details = (("text", tree.source(call)), ("why", why))
                yield call, Trouble("config-not-read", span, details)
    if "Parse(" in tree.text and IS_JSON.search(tree.text):
        for text in from_json(tree, symbols):
            for config in json_pieces(_piece(text, str(text.value), tree), ""):
                yield text, config


def _fields(data: bytes | None) -> tuple[Field, ...]:
    """Return the fields that bytes set; nothing where they are not known, or no ConfigProto."""
    try:
        return fields_of(data) if data is not None else ()
    except NotAConfigError:
        return ()


def _configs(analysis: Analysis) -> Iterator[tuple[ast.AST, ConfigPiece]]:
    """Yield the strings of a file that are ConfigProtos as text."""
    tree = analysis.tree
    if LOOKS_LIKE.search(tree.text) is None:
        return
    for text in tree.nodes(ast.Constant):
        value = text.value
        is_value = not isinstance(tree.parent[text], ast.Expr | ast.JoinedStr)
        is_config = is_value and isinstance(value, str) and LOOKS_LIKE.search(value)
        if isinstance(value, str) and is_config and not _is_read(text, analysis):
            yield text, ConfigPiece(_piece(text, value, tree), merges=_is_merged(text, tree))
    for node in tree.nodes(ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else RUN_TIME for part in node.values)
        value = "".join(map(str, parts))
        if LOOKS_LIKE.search(value) and not _is_read(node, analysis):
            piece = Piece(value, (tree.position(node),), exact=False)
            yield node, ConfigPiece(piece, merges=_is_merged(node, tree))


def _is_read(text: ast.expr, analysis: Analysis, is_named: bool = False) -> bool:
    """Tell whether a string is only for people, or what something is compared with."""
    tree, parent = analysis.tree, analysis.tree.parent[text]
    while isinstance(parent, ast.BinOp | ast.Tuple | ast.List | ast.Attribute) or (
        isinstance(parent, ast.Call) and last_name(parent.func) in _TRIMS
    ):
        parent = tree.parent[parent]
    if isinstance(parent, ast.Call):
        is_error = isinstance(tree.parent[parent], ast.Raise)
        return is_error or _TELLS.fullmatch(last_name(parent.func)) is not None
    if isinstance(parent, ast.Assign) and not is_named:
        named = [item for item in parent.targets if isinstance(item, ast.Name)]
        variables = [analysis.symbols.variable(item) for item in named]
        uses = [use for item in variables if item for use in analysis.symbols.uses(item)]
        known = [use for use in uses if tree.holds(use)]
        return bool(uses) and known == uses and all(_is_read(use, analysis, True) for use in uses)
    return isinstance(parent, ast.Compare | ast.Assert) or getattr(parent, "arg", "") in _PROSE


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
    found = {write.node: write for write in named_writes(tree, symbols, book.variable_names)}
    found.update((write.node, write) for write in writes(tree, symbols))
    return sorted(found.values(), key=lambda write: tree.position(write.node))


def _items(write: Write, analysis: Analysis, book: Rulebook) -> Iterator[Item]:
    tree = analysis.tree
    span = _span(write.node, tree)
    text = tree.source(write.value)
    counts = write.name in book.variable_names
    goes = destination(write, tree, analysis.symbols) if counts else PROCESS
    number = None
    if counts and _takes_strings(write, tree) and _is_no_string(write.value):
        if goes == PROCESS:
            yield Trouble("not-a-string", span, (("name", write.name), ("text", text)))
            return
        # Some make a text of a number; nobody a setting of the rest.
        number = _number(write.value)
        if number is None:
            return
    if write.how == "putenv" and write.name in book.variable_names:
        yield Trouble("putenv", span, (("name", write.name),))
    block, step = _moment(write, tree)
    if write.how == "removed":
        yield Setting(write.name, None, "", span, Way.REMOVED, None, block, step)
        return
    value = write.known if write.known is not None else _value(write.value, analysis)
    value = number if number is not None else value
    default = _default(write.value, analysis)
    item = Setting(write.name, value, text, span, _WAYS[write.how], default, block, step)
    # Of a dictionary that may be anything, a value that is none of the variable says that it is.
    if goes or is_understood(item, book):
        yield item


def _default(node: ast.expr, analysis: Analysis) -> str | None:
    """Return what a variable is set to where the environment has nothing: `os.getenv(X, "0")`."""
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return None
    if analysis.symbols.name(node.func) not in ("os.environ.get", "os.getenv"):
        return None
    known = analysis.values.known(node.args[1])
    return known if isinstance(known, str) else None


def _takes_strings(write: Write, tree: Tree) -> bool:
    """Tell whether a variable is set in a dictionary, and not by a call of some function."""
    node = write.node
    if write.how == "removed":
        return False
    if isinstance(node, ast.keyword):
        return last_name(getattr(tree.parent[node], "func", node)) in ("dict", "update")
    return (
        isinstance(node, ast.Subscript)
        or isinstance(tree.parent[node], ast.Dict)
        or write.how in ("setdefault", "putenv")
        or (write.how == "child" and mapping_of(write, tree) is not None)
    )


def _is_no_string(node: ast.expr) -> bool:
    """Tell whether a value is certainly no string, which os.environ and Popen refuse."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str | bytes)
    return isinstance(node, ast.List | ast.Tuple | ast.Dict | ast.Set)


def _number(node: ast.expr) -> str | None:
    """Return a whole number as text, None for anything else."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    is_number = isinstance(inner, ast.Constant) and type(inner.value) is int
    return ast.unparse(node) if is_number else None


def _value(node: ast.expr, analysis: Analysis) -> str | None:
    """Return the text that a variable is set to, where it is known."""
    known = analysis.values.known(node)
    if isinstance(known, str):
        return known
    called = analysis.tree.builtin(node.func) if isinstance(node, ast.Call) else ""
    if isinstance(node, ast.Call) and called == "str" and len(node.args) == 1:
        try:
            return str(ast.literal_eval(node.args[0]))
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            pass
    is_bytes = isinstance(node, ast.Constant) and isinstance(node.value, bytes)
    if is_bytes or isinstance(node, ast.Call | ast.JoinedStr | ast.BinOp):
        text = Strings(analysis.tree, analysis.symbols).one(node)
        return text if HOLE not in text else None
    return None


def _moment(write: Write, tree: Tree) -> tuple[str, int]:
    """Return the block that a variable is set in, and how much was run in it before.

    Only calls, and statements with others inside, can use a variable.
    """
    statement = tree.statement(write.node)
    block = tree.block(statement)
    before = block[: block.index(statement)]
    step = sum(any(map(_may_use, ast.walk(item))) for item in before)
    return f"{write.how} {statement.col_offset} {id(block)} {_dictionary(write, tree)}", step


def _dictionary(write: Write, tree: Tree) -> str:
    """Return what tells the dictionary of a variable from others: its name, or where it is."""
    mapping = mapping_of(write, tree) if write.how == "child" else None
    if mapping is None:
        return ""
    parent = tree.parent[mapping]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        mapping = parent.targets[0]
    is_name = isinstance(mapping, ast.Name | ast.Attribute)
    return ast.unparse(mapping) if is_name else str(tree.position(mapping))


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
