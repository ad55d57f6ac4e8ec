"""Reasons why a config is kept, or reported: a type for each, with the nodes concerned.

A reason is built where it is found, of nodes and names, and becomes words in `filled` only. Its
rule, in `rules/`, has the name of the type and its text, with a placeholder for each field.
A `Consequence` names its `cause`, the problem of the config for whose sake another one is kept:
`cause.node` is the place of that, `cause.rule(book)` its rule. A cause is no consequence itself.
"""

# ruff: noqa: D101, E701, E702 - a table: what a reason means is said by its rule

from __future__ import annotations

import ast
import re
from functools import lru_cache

from tfgpu.code.tree import Tree
from tfgpu.dataclass import Record
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule


class Problem(Record):
    """A problem that a rule describes, and its place."""

    node: ast.AST

    @property
    def reason(self) -> str:
        """The name of the rule."""
        return _name(type(self).__name__)

    def rule(self, book: Rulebook) -> Rule:
        """Return the rule that has the words."""
        rule = book.find(self.reason)
        assert rule is not None, self.reason
        return rule


class NotConverted(Problem):
    """A setting or a sink that its own rule keeps: `named` is that rule, `why` what it says.

    `todo` is the way out. It goes with the problem, as one node may have several settings.
    """

    named: str
    why: str
    todo: str

    @property
    def reason(self) -> str:
        """The name of the rule."""
        return self.named


class Consequence(Problem):
    """A config that is kept because of another one: `cause` keeps that one."""

    cause: Problem


# fmt: off
class Apart(Problem): place: ast.AST
class BesideKept(Consequence): pass
class CaughtError(Problem): pass
class ConfigRead(Problem): text: ast.expr | ast.FunctionDef; certainty: str = "is"
class Contrib(Problem): names: str
class DifferentConfigs(Problem): place: ast.AST; fields: str
class DynamicImport(Problem): callee: ast.expr
class EagerCode(Problem): field: str
class EnvironmentRead(Problem): text: str
class EvaluationOrder(Problem): text: ast.expr
class ForeignConfig(Problem): text: ast.expr
class Fork(Problem): name: str
class GivenUp(Problem): pass
class GpuOutOfRange(Problem): device: str; place: ast.AST; count: str; hint: str
class HiddenCall(Problem): name: str; callee: str; place: ast.AST
class Ignored(Problem): pass
class ImportEffect(Problem): path: str
class ImportedByString(Problem): place: ast.AST
class Kwargs(Problem): text: ast.expr
class LateEnvironment(Problem): name: str; place: ast.AST
class MixedOrigin(Problem): source: str | ast.expr
class NameTaken(Problem): name: str
class NeedsUnsafe(Problem): why: str
class NoPlace(Problem): pass
class NotHandedOn(Problem): name: str
class NotNamed(Problem): path: str
class NotSelected(Problem): name: str
class OwnSettings(Problem): callee: str
class Parameter(Problem): path: str; place: ast.AST | None = None
class PassedOn(Problem): callee: str | ast.expr
class ProbeFirst(Problem): callee: ast.expr
class ProgramKept(Consequence): pass
class Python2Division(Problem): text: ast.expr
class ReadIn(Problem): callee: str
class RemoteTarget(Problem): pass
class Refused(Problem): what: str; way: str
class ReplacedName(Problem): name: str; place: ast.AST
class ReturnedAway(Problem): name: str
class RuntimeFirst(Problem): callee: str; place: ast.AST
class SessionElsewhere(Problem): maker: str
class SessionWithoutConfig(Problem): fields: str; session: str
class SetLate(Problem): field: str
class SetTwice(Problem): field: str; place: ast.AST
class SharedAttribute(Problem): text: ast.expr
class SharedHelper(Problem): pass
class Stored(Problem): text: str | ast.expr
class Uncalled(Problem): name: str
class UnfollowedSetting(Problem): text: ast.expr
class UnknownField(Problem): field: str; hint: str
class UnknownObject(Problem): method: str; text: ast.expr
class UnreadCode(Problem): callee: str; place: ast.AST
class UnreadFirst(Problem): callee: str; place: ast.AST; through: str = ""
class UnreadableModule(Problem): path: str
class UnresolvedName(Problem): text: ast.expr
class UnusedConfig(Problem): pass
class UsedElsewhere(Problem): name: str; path: str
class Varies(Problem): field: str
class WrittenOut(Problem): callee: str
class WrongType(Problem): field: str; text: str; type: str
class XlaDevice(Problem): name: str
# fmt: on


def filled(problem: Problem, tree: Tree, book: Rulebook) -> dict[str, str]:
    """Return the values for the placeholders of a problem's message."""
    found: dict[str, str] = {}
    for name, value in problem.items():
        if isinstance(value, str):
            found[name] = value
        elif name == "place":
            found[name] = tree.where_from(value, problem.node)
        elif name == "source":
            found[name] = f"`{tree.source(value)}`"
        elif isinstance(value, ast.FunctionDef) and name == "text":
            found[name] = value.name
        elif isinstance(value, ast.expr) and name != "node":
            found[name] = tree.source(value)
    if isinstance(problem, Consequence):
        rule = problem.cause.rule(book)
        found["rule"] = f"{rule.code} {rule.name}"
        found["place"] = tree.where_from(problem.cause.node, problem.node)
    return found


def cause_of(problem: Problem) -> Problem:
    """Return the root cause: a problem of the config itself, or of another config."""
    return problem.cause if isinstance(problem, Consequence) else problem


@lru_cache(maxsize=128)
def _name(words: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])", "-", words).lower()
