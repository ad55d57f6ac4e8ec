"""Which statements differ between two versions of a program, and what decides whether they run."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from tfgpu.code.tree import TRY
from tfgpu.verify.recorder.parts import Part, is_dictionary, kept_names, parts_of

# More conditions than this say no more.
MOST_GUARDS = 3

# Functions that tell of an error, and those that make a text for that.
_TELLING = re.compile(r"print|(?:\w*log\w*|warnings|tf\.(?:compat\.v1\.)?logging)\.\w+", re.I)
_TEXTS = re.compile(r"str|repr|.*\.format")

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CONDITIONS = (ast.If, ast.While, ast.For, ast.AsyncFor)

# What a statement has other statements in.
INNER = (ast.stmt, ast.excepthandler, ast.match_case)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that differs, or a part of one that need not run where the statement does.

    `path` is its file, `line` and `column` where the statement begins, `guards` are the conditions
    that it stands under. `part` is the number of the part (see `recorder/parts.py`), 0 for the
    statement. `by_name` tells that its file is imported by a name known only at run time, if it is
    at all.
    """

    path: Path
    line: int
    guards: tuple[str, ...] = ()
    column: int = 0
    part: int = 0
    by_name: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """A statement with the conditions that it stands under.

    `lines` are its own, without those of the statements in it, and those of the header that it
    stands behind, such as `except` or `else`. `around` is the statement whose condition decides
    whether it runs, where it is the first of a block.
    """

    statement: ast.stmt
    guards: tuple[str, ...]
    lines: frozenset[int]
    around: ast.stmt | None


def changed_statements(
    path: Path, text: str, module: ast.Module, other: str, helpers: Collection[str] = ()
) -> list[Statement]:
    """Return the statements of a file that are not in another version of it, in their order.

    So are the parts of these, but for those of conditional expressions that the changed statements
    of the other version have, too; entries of dictionaries and defaults of functions are parts
    where the other version has another one of that name; and where a condition is not in the other
    version, the first statement of each block that it decides about.

    `helpers` are functions that a migration writes, as code. What is in one stands for what
    TensorFlow did inside: that it is defined and called counts, not which way it goes.
    """
    known = {ast.dump(one) for code in helpers for one in ast.parse(code).body}
    found = _changed(text, module, other, known)
    others = _changed(other, ast.parse(other), text, known)
    other_parts = [part for one in others for part in parts_of(one.statement)]
    alike = {ast.dump(part.whole) for part in other_parts}
    named = {repr(part.name) for part in other_parts}
    named |= {repr(name) for one in others for name in kept_names(one.statement)}
    statements = []
    for one in found:
        line, column = one.statement.lineno, one.statement.col_offset
        statements.append(Statement(path, line, one.guards[-MOST_GUARDS:], column))
        for number, part in enumerate(parts_of(one.statement), 1):
            is_new = part.name is not None and repr(part.name) not in named
            if ast.dump(part.whole) not in alike and not is_new:
                guards = (*one.guards, guard_of(part))[-MOST_GUARDS:]
                statements.append(Statement(path, line, guards, column, number))
    return statements


def _changed(text: str, module: ast.Module, other: str, known: Collection[str]) -> list[_Found]:
    lines = text.splitlines()
    matcher = SequenceMatcher(None, lines, other.splitlines(), autojunk=False)
    wanted = {
        number
        for kind, start, end, _, _ in matcher.get_opcodes()
        if kind != "equal"
        for number in range(start + 1, end + 1)
        if lines[number - 1].strip() and not lines[number - 1].lstrip().startswith("#")
    }
    found: dict[ast.stmt, _Found] = {}
    for one in _statements(module.body, (), known):
        if one.lines & wanted or one.around in found:
            found[one.statement] = one
    return sorted(found.values(), key=lambda one: (one.statement.lineno, one.statement.col_offset))


def decided_by(
    body: Sequence[ast.stmt],
) -> Iterator[tuple[ast.stmt, ast.stmt, tuple[str, ...]]]:
    """Yield the first statement of each block with the condition above it, and its guards."""
    for one in _statements(body, (), ()):
        if one.around is not None:
            yield one.around, one.statement, one.guards[-MOST_GUARDS:]


def all_statements(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, tuple[str, ...]]]:
    """Yield all statements of a module that can be seen to run, with what they stand under."""
    for one in _statements(body, (), ()):
        yield one.statement, one.guards[-MOST_GUARDS:]


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement without those of the statements in it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [one for one in ast.iter_child_nodes(node) if not isinstance(one, INNER)]


def _statements(
    body: Sequence[ast.stmt],
    guards: tuple[str, ...],
    known: Collection[str],
    header: Collection[int] = (),
    around: ast.stmt | None = None,
) -> Iterator[_Found]:
    """Yield the statements of a block; `header` are the lines that it stands behind."""
    for statement in body:
        if _runs(statement):
            yield _Found(statement, guards, frozenset({*_own_lines(statement), *header}), around)
            header, around = (), None
        if isinstance(statement, ast.FunctionDef) and known and ast.dump(statement) in known:
            continue
        end = 0
        decides = statement if _decides(statement) else None
        for inner, guard in _blocks(statement):
            if inner:
                behind = range(end + 1, inner[0].lineno) if end else ()
                end = inner[-1].end_lineno or 0
                within = (*guards, guard) if guard else guards
                yield from _statements(inner, within, known, behind, decides)


def _decides(statement: ast.stmt) -> bool:
    """Tell whether a statement decides what its block does: a condition, a decorator (`jit`)."""
    return isinstance(statement, _CONDITIONS) or (
        isinstance(statement, _FUNCTIONS) and bool(statement.decorator_list)
    )


def guard_of(part: Part) -> str:
    """Return what decides whether a part of a statement runs."""
    holder = part.holder
    if isinstance(holder, ast.IfExp):
        test = ast.unparse(holder.test)
        return f"if {test}" if part.field == "body" else f"not {test}"
    if isinstance(holder, ast.Lambda):
        return "the lambda is called"
    if part.is_taken:
        return f"the default {ast.unparse(part.whole.value)} is taken"  # type: ignore[attr-defined]
    if is_dictionary(holder):
        return f"the entry {part.name!r} is asked for"
    if isinstance(holder, ast.arguments):
        return f"{part.name} is not given"
    if isinstance(holder, ast.BoolOp):
        word = "and" if isinstance(holder.op, ast.And) else "or"
        return f"{ast.unparse(holder.values[(part.index or 1) - 1])} {word}"
    if isinstance(holder, ast.Compare):
        return ast.unparse(holder)
    return " ".join(ast.unparse(one).strip() for one in holder.generators)


def _runs(statement: ast.stmt) -> bool:
    """Tell whether a statement does anything that can be seen to run: a text by itself does not."""
    if isinstance(statement, ast.Global | ast.Nonlocal):
        return False
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return False
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not is_text


def _blocks(statement: ast.stmt) -> Iterator[tuple[Sequence[ast.stmt], str]]:
    """Yield the blocks of a statement, each with what decides whether it runs."""
    if isinstance(statement, ast.If | ast.While):
        test = ast.unparse(statement.test)
        word = "if" if isinstance(statement, ast.If) else "while"
        yield statement.body, f"{word} {test}"
        yield statement.orelse, f"not {test}" if word == "if" else ""
    elif isinstance(statement, ast.For | ast.AsyncFor):
        loop = f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
        yield statement.body, loop
        yield statement.orelse, ""
    elif isinstance(statement, _FUNCTIONS):
        yield statement.body, f"{statement.name}() is called"
    elif isinstance(statement, ast.ClassDef | ast.With | ast.AsyncWith):
        yield statement.body, ""
    elif isinstance(statement, ast.Match):
        for case in statement.cases:
            yield case.body, f"case {ast.unparse(case.pattern)}"
    elif isinstance(statement, TRY):
        yield statement.body, ""
        for handler in statement.handlers:
            if _only_tells(handler.body):
                continue  # No error, nothing to tell: no other run need be found.
            yield handler.body, f"except {ast.unparse(handler.type)}" if handler.type else "except"
        yield statement.orelse, ""
        yield statement.finalbody, ""


def _only_tells(body: Sequence[ast.stmt]) -> bool:
    """Tell whether a handler does no more than print, or log, its error."""
    calls = [
        node.value if isinstance(node, ast.Expr) else None
        for node in body
        if not isinstance(node, ast.Pass)
    ]
    return all(isinstance(call, ast.Call) and only_tells(call) for call in calls)


def only_tells(call: ast.Call) -> bool:
    """Tell whether a call does no more than print, or log, some values."""
    return _TELLING.fullmatch(ast.unparse(call.func)) is not None and all(
        _TEXTS.fullmatch(ast.unparse(node.func)) is not None
        for given in (*call.args, *call.keywords)
        for node in ast.walk(given)
        if isinstance(node, ast.Call)
    )


def _own_lines(statement: ast.stmt) -> range:
    """Return the lines of a statement without those of the statements in it."""
    start = min(
        [statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))]
    )
    inner = [block[0].lineno for block, _ in _blocks(statement) if block]
    end = (min(inner) if inner else (statement.end_lineno or statement.lineno) + 1) - 1
    return range(start, max(end, statement.lineno) + 1)
