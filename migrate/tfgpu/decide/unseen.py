"""What else may call the functions that a config goes through, or read the names that hold it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.code.tree import Tree
from tfgpu.decide.assumptions import Assumption, unless_behind, unless_called, unless_together
from tfgpu.decide.decision import Draft
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.reasons import Problem


def unseen_uses(
    decision: Draft, analysis: Analysis, order: Order
) -> Iterator[Problem | Assumption]:
    """Yield the functions that may have other callers, and the names that others may read."""
    doubts = {doubt.function: doubt for doubt in decision.config.doubts}
    for doubt in doubts.values():
        yield unless_called(doubt, order)
    first = decision.config.built[0]
    for problem in decision.config.looks:
        if _acts_later(problem.node, analysis.tree):
            yield problem
        else:
            yield unless_behind(problem.node, first, problem, order)
    for problem in (*decision.config.listings, *_listed_helpers(decision, analysis)):
        # Imports and helpers are there before the settings are made.
        yield from unless_together(problem.node, first, problem, order)
    for tree, name in _variables(decision, analysis):
        for node in _other_reads(tree, name, analysis):
            text = analysis.tree.source(node) if isinstance(node, ast.expr) else name
            place = f"`{text}` in {analysis.tree.where(node)}"
            problem = reasons.UsedElsewhere(first, name, place)
            yield unless_behind(node, first, problem, order)


def _acts_later(node: ast.AST, tree: Tree) -> bool:
    """Tell whether what may read a config does not do so where it stands: then no run shows it.

    So it is with the header of a class, with what its body binds, with a text that a name has, and
    with one that a call may keep.
    """
    parent = tree.parent.get(node)
    if isinstance(node, ast.FunctionDef) or parent is None:
        return False
    if isinstance(parent, ast.ClassDef):
        return True
    if isinstance(parent, ast.Assign | ast.AnnAssign):
        return isinstance(node, ast.Constant) or isinstance(tree.parent.get(parent), ast.ClassDef)
    if isinstance(parent, ast.Call):
        return isinstance(node, ast.Constant) and not tree.builtin(parent.func)
    return isinstance(node, ast.Constant) and not isinstance(parent, ast.Attribute)


def _listed_helpers(decision: Draft, analysis: Analysis) -> Iterator[Problem]:
    """Yield what lists the names of a module, where functions come to it with the settings."""
    first = decision.config.built[0]
    emitted = (item.case.emit for item in decision.outcomes if item.case is not None)
    if any(emit is not None and emit.helpers for emit in emitted):
        home = analysis.tree.file(first).module.body[0]
        listing = analysis.reflection.of_new_names(home)
        if listing is not None:
            yield reasons.ConfigRead(listing, listing, "may be")


def _variables(decision: Draft, analysis: Analysis) -> Iterator[tuple[Tree, str]]:
    """Yield the names of modules that hold a config, and go with it."""
    tree = analysis.tree
    targets: list[ast.expr | None] = [*decision.config.targets]
    for statement in decision.config.statements:
        targets += [getattr(statement, "target", None), *getattr(statement, "targets", ())]
    for target in targets:
        if isinstance(target, ast.Name) and tree.function(target).kind == "module":
            yield tree.file(target), target.id
    for item in decision.config.imports:
        yield tree.file(item.statement), item.name


def _other_reads(home: Tree, name: str, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield what may read a name of a module that does not say which: `__main__.config`."""
    finders = analysis.callees.finders
    yield from finders.script_imports(name)
    loaded = finders.modules_are_objects or finders.dynamic or finders.renames_modules
    for node in finders.unknown_reads(name) if loaded else ():
        if analysis.tree.file(node) is not home:
            yield node
