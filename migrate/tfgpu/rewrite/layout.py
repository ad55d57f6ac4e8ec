"""Lays code out in a file: in front of which statements, in which names, with which imports."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cached_property
from itertools import pairwise

from tfgpu.dataclass import replace
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import opposed
from tfgpu.options import Options
from tfgpu.program.raw import V1
from tfgpu.rewrite import imports
from tfgpu.rewrite.changes import Plan
from tfgpu.rewrite.compose import CannotPlanError, Composer, Contribution, Piece, Spelling
from tfgpu.rewrite.style import FreshNames, fresh, is_asked, is_used, quote
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Helper

# Builtins that migrated code calls: a program may have given their names to something else.
_BUILTINS = ("range", "enumerate", "len", "int", "str", "float", "round", "min", "max", "list")


class Layout:
    """The new code of one file, which goes into its plan with the imports and helpers it needs."""

    def __init__(
        self, analysis: Analysis, plan: Plan, book: Rulebook, options: Options, starred: bool
    ) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._plan = plan
        self._book = book
        self._options = options
        self._starred = starred
        self._of_configs = imports.config_names(analysis)
        self._names = FreshNames(analysis, starred)
        self.composer = Composer(analysis, book)

    @cached_property
    def _quote(self) -> str:
        return quote(self._tree.text)

    def compose(self, contributions: list[Contribution]) -> None:
        """Put code for contributions into the plan, one piece for each run of statements."""
        by_statement: dict[ast.stmt, list[Contribution]] = {}
        for item in contributions:
            by_statement.setdefault(item.statement, []).append(item)
        self._names.inherited = any(self._tree.scope(one).kind == "class" for one in by_statement)
        for run in self._runs(by_statement):
            members = [
                replace(item, guard=None) if self._is_tested(item, run[0]) else item
                for statement in run
                for item in by_statement.get(statement, ())
            ]
            if members:
                pieces = self.pieces(members)
                self._plan.pieces[run[0]] = pieces
                self._need(members, "\n".join(piece.code for piece in pieces))

    def pieces(self, members: list[Contribution]) -> list[Piece]:
        """Return the code for contributions of one place."""
        name, is_own = self._tensorflow_for(members)
        pieces = self.composer.compose(members, self.spelled(name))
        if is_own:
            code = f"import tensorflow as {name}\n{pieces[0].code}"
            pieces[0] = replace(pieces[0], code=code)
        return pieces

    def _is_tested(self, item: Contribution, first: ast.stmt) -> bool:
        """Tell whether an `if` has just found the value of a setting true, as its guard would."""
        around = self._tree.parent.get(first)
        if (
            item.guard != "$value"
            or item.conditions
            or not isinstance(item.value, ast.Name | ast.Attribute)
            or not isinstance(around, ast.If)
            or around.body[0] is not first
        ):
            return False
        test, value = around.test, ast.unparse(item.value)
        parts = (
            test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
        )
        found = {ast.unparse(part) for part in parts}
        return not found.isdisjoint((value, f"{value} > 0", f"{value} > 0.0"))

    def _runs(self, by_statement: Iterable[ast.stmt]) -> list[list[ast.stmt]]:
        """Return the runs of neighbouring statements that go, with one that stays after each."""
        concerned = self._plan.removed.union(by_statement)
        ordered = sorted(concerned, key=self._tree.position)
        blocks = {id(block): block for block in map(self._tree.block, ordered)}
        runs: list[list[ast.stmt]] = []
        for block in blocks.values():
            run: list[ast.stmt] = []
            for statement in block:
                if statement in concerned:
                    run.append(statement)
                if run and statement not in self._plan.removed:
                    runs.append(run)
                    run = []
            runs.append(run)
        return [run for run in runs if run]

    def check_apart(self, contributions: list[Contribution]) -> None:
        """Refuse settings that only work together but stand in different places."""
        together = [item for item in contributions if item.emit.numbers_gpus]
        runs = {
            statement: number
            for number, run in enumerate(self._runs(item.statement for item in contributions))
            for statement in run
        }
        for one, other in pairwise(together):
            same = runs[one.statement] == runs[other.statement]
            if same and one.conditions == other.conditions:
                continue
            if self._tree.function(one.node) is not self._tree.function(other.node):
                continue
            exclusive = self._tree.exclusive(one.node, other.node)
            if exclusive or opposed(one.conditions, other.conditions):
                continue
            raise CannotPlanError(reasons.Apart(other.node, one.node))

    def _tensorflow_for(self, members: list[Contribution]) -> tuple[str, bool]:
        """Return the name of TensorFlow for contributions, and whether their code imports it."""
        name = self.tensorflow(members[0].statement)
        texts = "".join(text for item in members for text in item.emit.texts())
        calls = any(item.emit.asks_for_gpus or item.emit.options for item in members)
        if name is None and (calls or "tf." in texts):
            return self._add_tensorflow(members[0].statement)
        return name or "tf", False

    def _add_tensorflow(self, node: ast.stmt) -> tuple[str, bool]:
        """Import TensorFlow where the file does so for its configs, or else in their own code.

        Return its name, and whether that code has to import it.
        """
        known = imports.module_name(self._analysis, "tensorflow", node)
        if known is not None:
            return known, False
        plan, before = self._plan.imports, dict(self._plan.imports.added)
        name = self.add("tensorflow", before.get(V1) or self._free("tf"), node)
        if V1 in before and plan.beside is None:
            return name, False  # at the top
        place = imports.place_of_tensorflow(self._analysis, self._of_configs, node)
        if place is not None and V1 not in before:
            plan.beside = place
        position, beside = self._tree.position, plan.beside
        if place is not None and beside is not None and position(beside) <= position(place):
            return name, False
        if self._tree.scope(node).kind == "class":
            raise CannotPlanError(reasons.NameTaken(node, name))
        plan.added = before
        return name, True

    def tensorflow(self, node: ast.AST) -> str | None:
        """Return the name that TensorFlow has where a node is; None where it has none."""
        return imports.tensorflow_name(self._analysis, node, self._of_configs)

    def spelled(self, tensorflow: str) -> Spelling:
        """Return how code is spelled in the file, with a name for TensorFlow."""
        return Spelling(tensorflow, self._names, self._quote, self._options.min_tf)

    def _free(self, name: str) -> str:
        """Return a name for TensorFlow at the top of the file: with a number where it is taken."""
        if imports.module_name(self._analysis, "tensorflow", self._tree.module):
            return name
        return fresh(self._analysis, (name, f"{name}2"))

    def add(self, module: str, name: str, node: ast.AST) -> str:
        """Import a module at the top of the file, unless it is there already."""
        known = imports.module_name(self._analysis, module, node)
        if known is not None:
            return known
        owner = self._tree.owner(name, self._tree.scope(node))
        bindings = owner.bindings[name] if owner is not None else []
        # With `from module import *` the name comes to the other file, too.
        taken = self._starred and self._analysis.reflection.has_other_meaning(name, module)
        # `try: os` asks whether the name is there.
        is_free = owner is None and not self._tree.file(node).star_imports
        taken = taken or (is_free and name in self._tree.names)
        taken = taken or (owner is None and self._is_hidden(name, module))
        if (
            taken
            or owner not in (None, self._tree.root)
            or any(item.path != module for item in bindings)
        ):
            raise CannotPlanError(reasons.NameTaken(node, name))
        if not (module == "tensorflow" and V1 in self._plan.imports.added):
            self._plan.imports.added[module] = name
        return name

    def _is_hidden(self, name: str, module: str) -> bool:
        """Tell whether an import of a module hides something, or a star import hides it."""
        starred = self._analysis.symbols.starred(self._tree, name)
        known = starred[0].bindings.get(starred[1], []) if starred is not None else []
        is_other = starred is not None and not (known and all(one.path == module for one in known))
        return is_other or is_asked(self._analysis, name)

    def _need(self, members: list[Contribution], code: str) -> None:
        """Add the modules and helper functions that composed code calls."""
        for name in _BUILTINS:
            if self._is_bound(name, members[0].node) and re.search(rf"\b{name}\(", code):
                raise CannotPlanError(reasons.NameTaken(members[0].node, name))
        for item in members:
            if "os." in item.emit.environment:
                self._require("os", item.node)
            for name in item.emit.helpers:
                if f"{name}(" in code:
                    self._add_helper(self._book.helpers[name], item.node)

    def _is_bound(self, name: str, node: ast.AST) -> bool:
        """Tell whether a name is not that of Python's builtin where a node is."""
        starred = self._analysis.symbols.starred(self._tree, name)
        owner = self._tree.owner(name, self._tree.scope(node))
        return owner is not None or starred is not None

    def _require(self, module: str, node: ast.AST) -> None:
        if self.add(module, module, node) != module:
            raise CannotPlanError(reasons.NameTaken(node, module))

    def _add_helper(self, helper: Helper, node: ast.AST) -> None:
        code = helper.code.rstrip("\n")
        for name in _BUILTINS:
            if self._is_bound(name, self._tree.module) and re.search(rf"\b{name}\(", code):
                raise CannotPlanError(reasons.NameTaken(node, name))
        if is_used(self._analysis, helper.name):
            raise CannotPlanError(reasons.NameTaken(node, helper.name))
        for module in helper.imports:
            if module != "tf":
                self._require(module, node)
        name = "tf"
        if "tf" in helper.imports:
            known = imports.always_imported(self._analysis)
            name = known or name
            if known is None:
                # TensorFlow is imported in functions, or under conditions; so it is here.
                head, docstring, rest = code.split("\n", 2)
                code = "\n".join([head, docstring, "    import tensorflow as tf", "", rest])
        spelling = Spelling(name, {}, self._quote, self._options.min_tf)
        code = self.composer.spell(code, spelling)
        if code not in self._plan.helpers:
            self._plan.helpers.append(code)
