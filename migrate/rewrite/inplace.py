"""Expressions that become other ones where they stand: queries, and names that got a better one."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from migrate.analysis.collect import Analysis
from migrate.analysis.facts import QueryForm
from migrate.analysis.modern import OldName, name_parts
from migrate.hazards.misspelt import misspelt_names
from migrate.options import Options
from migrate.rewrite.compose import Piece
from migrate.rulebook.book import Rulebook
from migrate.selection import Selection

if TYPE_CHECKING:
    from migrate.rewrite.plan import Plan


def replace_query(
    plan: Plan, form: QueryForm, code: str, gone: set[ast.AST], analysis: Analysis
) -> None:
    """Let a query become what its form says."""
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
    rule = book.find("unknown-name")
    options = selection.options_of(analysis.tree.path)
    if rule is None or not options.unsafe_fixes:
        return
    for node, near in misspelt_names(analysis, book):
        if not selection.wants(rule, node):
            continue
        rename = replace(near, name=book.spelling(near.name, options.min_tf))
        _, old, new = name_parts(rename)
        plan.renamed[node] = OldName(node, rename, len(old), new, None)


def _replace_text(plan: Plan, analysis: Analysis, node: ast.expr, code: str) -> None:
    """Replace an expression that is gone in the code that came in its place, as a value."""
    before = analysis.tree.source(node)
    for pieces in plan.pieces.values():
        pieces[:] = [Piece(item.code.replace(before, code), item.origins) for item in pieces]
