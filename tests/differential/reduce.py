"""Makes a program that differs smaller, while it still does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tests.differential.runner import MigrationFailedError, Program, Runner


def reduced(program: Program, runner: Runner) -> Program:
    """Return a smaller program that still differs in the same way.

    Entries, files and statements go one by one, larger ones first, until none can go.
    """
    wanted = _kinds(program, runner)
    if not wanted:
        return program
    smaller = True
    while smaller:
        smaller = False
        for tried in _smaller(program):
            if wanted & _kinds(tried, runner):
                program, smaller = tried, True
                break
    return program


def _kinds(program: Program, runner: Runner) -> set[str]:
    """Return the kinds of differences: their words without entries, names and numbers."""
    try:
        report = runner.compare(program)
    except MigrationFailedError:
        return set()
    return {
        text.partition(": ")[0].partition(" on ")[0]
        for ran in report.ran
        for text in (part.partition(": ")[2] if "session" in part else part
                     for part in ran.differences)
    }  # fmt: skip


def _smaller(program: Program) -> Iterator[Program]:
    for entry in program.entries[1:] if len(program.entries) > 1 else ():
        yield replace(program, entries=[one for one in program.entries if one is not entry])
    if len(program.entries) > 1:
        yield replace(program, entries=program.entries[1:])
    scripts = {entry.script for entry in program.entries}
    for path in program.files:
        if path not in scripts:
            yield replace(
                program, files={name: text for name, text in program.files.items() if name != path}
            )
    for path, text in program.files.items():
        if path.endswith(".py"):
            for shorter in _without_a_statement(text):
                yield replace(program, files={**program.files, path: shorter})


def _without_a_statement(text: str) -> Iterator[str]:
    """Yield a file without each of its statements, or with a block in the place of its head."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    lines = text.split("\n")
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for node in sorted(found, key=lambda one: one.lineno - (one.end_lineno or one.lineno)):
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))]) - 1
        last = node.end_lineno or node.lineno
        indent = " " * node.col_offset
        only = _is_alone(tree, node)
        yield "\n".join([*lines[:first], *([f"{indent}pass"] if only else []), *lines[last:]])
        body = getattr(node, "body", None)
        if isinstance(node, ast.If | ast.For | ast.Try | ast.With) and isinstance(body, list):
            inner = lines[body[0].lineno - 1 : body[-1].end_lineno]
            cut = body[0].col_offset - node.col_offset
            yield "\n".join([*lines[:first], *(line[cut:] for line in inner), *lines[last:]])


def _is_alone(tree: ast.Module, node: ast.stmt) -> bool:
    """Tell whether a statement is all of its block, and needs one in its place."""
    return any(
        block == [node] and not isinstance(node, ast.Pass)
        for owner in ast.walk(tree)
        for name in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(owner, name, None), list)
    )
