"""Which statements differ between two versions of a program, and what decides whether they run."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

# More conditions than this say no more.
_MOST_GUARDS = 3

_TRY: tuple[type[ast.Try], ...] = (ast.Try, getattr(ast, "TryStar", ast.Try))


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that differs: its file, its first line, the conditions that it stands under.

    `by_name` tells that its file is imported by a name that only a run knows, if it is at all.
    """

    path: Path
    line: int
    guards: tuple[str, ...] = ()
    by_name: bool = False


def changed_statements(
    path: Path, text: str, module: ast.Module, other: str, helpers: Collection[str] = ()
) -> list[Statement]:
    """Return the statements of a file that are not in another version of it, in their order.

    `helpers` are functions that a migration writes, as code. What is in one stands for what
    TensorFlow did inside: that it is defined and called counts, not which way it goes.
    """
    known = {ast.dump(one) for code in helpers for one in ast.parse(code).body}
    lines = text.splitlines()
    matcher = SequenceMatcher(None, lines, other.splitlines(), autojunk=False)
    wanted = {
        number
        for kind, start, end, _, _ in matcher.get_opcodes()
        if kind != "equal"
        for number in range(start + 1, end + 1)
        if lines[number - 1].strip() and not lines[number - 1].lstrip().startswith("#")
    }
    found = {}
    for statement, guards in _statements(module.body, (), known):
        if wanted & set(_own_lines(statement)):
            found[statement.lineno] = Statement(path, statement.lineno, guards[-_MOST_GUARDS:])
    return [found[line] for line in sorted(found)]


def _statements(
    body: Sequence[ast.stmt], guards: tuple[str, ...], known: Collection[str]
) -> Iterator[tuple[ast.stmt, tuple[str, ...]]]:
    for number, statement in enumerate(body):
        if _runs(statement, first=number == 0):
            yield statement, guards
        if isinstance(statement, ast.FunctionDef) and known and ast.dump(statement) in known:
            continue
        for inner, guard in _blocks(statement):
            yield from _statements(inner, (*guards, guard) if guard else guards, known)


def _runs(statement: ast.stmt, first: bool) -> bool:
    """Tell whether a statement does anything that can be seen to run."""
    if isinstance(statement, ast.Global | ast.Nonlocal):
        return False
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return False
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not (first and is_text)


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
    elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        yield statement.body, f"{statement.name}() is called"
    elif isinstance(statement, ast.ClassDef | ast.With | ast.AsyncWith):
        yield statement.body, ""
    elif isinstance(statement, ast.Match):
        for case in statement.cases:
            yield case.body, f"case {ast.unparse(case.pattern)}"
    elif isinstance(statement, _TRY):
        yield statement.body, ""
        for handler in statement.handlers:
            yield handler.body, f"except {ast.unparse(handler.type)}" if handler.type else "except"
        yield statement.orelse, ""
        yield statement.finalbody, ""


def _own_lines(statement: ast.stmt) -> range:
    """Return the lines of a statement without those of the statements in it."""
    start = min(
        [statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))]
    )
    inner = [block[0].lineno for block, _ in _blocks(statement) if block]
    end = (min(inner) if inner else (statement.end_lineno or statement.lineno) + 1) - 1
    return range(start, max(end, statement.lineno) + 1)
