"""Expressions that become other ones where they stand: queries, and names that got a better one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tfgpu.dataclass import replace
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import QueryForm
from tfgpu.flow.modern import name_parts
from tfgpu.options import Options
from tfgpu.rewrite.compose import Piece
from tfgpu.rulebook.book import Rulebook
from tfgpu.selection import Selection

if TYPE_CHECKING:
    from tfgpu.rewrite.changes import Plan


def replace_query(
    plan: Plan, form: QueryForm, code: str, gone: set[ast.AST], analysis: Analysis
) -> None:
    """Replace a device query as its rule's form says."""
    plan.replaced[form.node] = code
    plan.removed.update(form.statements)
    if form.node in gone:
        _replace_text(plan, analysis, form.node, code)


def rename(
    plan: Plan, analysis: Analysis, book: Rulebook, options: Options, gone: set[ast.AST]
) -> None:
    """Give names the spelling that `min_tf` has for them."""
    rule = book.names_rule
    if rule is None or plan.stays:
        return
    for old in analysis.facts.old_names:
        if old.problem is not None or old.rename.since > options.min_tf:
            continue
        if isinstance(old.node, ast.alias):
            statement = analysis.tree.statement(old.node)
            assert isinstance(statement, ast.ImportFrom) and statement.module is not None
            parts = [*statement.module.split(".")[: 1 - old.depth], *old.names]
            plan.imports.moved[old.node] = (".".join(parts[:-1]), parts[-1])
            continue
        plan.renamed[old.node] = old
        if old.node in gone:
            parts = analysis.tree.source(old.node).split(".")[: -old.depth]
            _replace_text(plan, analysis, old.node, ".".join([*parts, *old.names]))


def correct(plan: Plan, analysis: Analysis, book: Rulebook, selection: Selection) -> None:
    """Give misspelt names of tf.config the real ones; an unsafe fix: what never ran will run."""
    options = selection.options_of(analysis.tree.path)
    for old in analysis.facts.misspelt if options.unsafe_fixes else ():
        if old.problem is None:
            rename = replace(old.rename, name=book.spelling(old.rename.name, options.min_tf))
            _, before, names = name_parts(rename)
            assert isinstance(old.node, ast.Attribute)
            plan.renamed[old.node] = replace(old, depth=len(before), names=names)


def _replace_text(plan: Plan, analysis: Analysis, node: ast.expr, code: str) -> None:
    """Replace an expression that is gone in the code that came in its place, as a value."""
    before = analysis.tree.source(node)
    for pieces in plan.pieces.values():
        pieces[:] = [Piece(item.code.replace(before, code), item.origins) for item in pieces]
