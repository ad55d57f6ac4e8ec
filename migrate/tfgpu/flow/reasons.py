"""Why a config is kept, or what is said about one: a type for each reason, with what it is about.

A reason is built where it is found, of nodes and names, and becomes words in `filled` only. Its
rule, in `rules/`, has the name of the type and its text, with a placeholder for each field.
A `Consequence` names its `cause`, the problem of the config for whose sake another one is kept:
`cause.node` is the place of that, `cause.rule(book)` its rule. A cause is no consequence itself.
"""

# ruff: noqa: D101 - what a reason means is said by its rule

from __future__ import annotations

import ast
import re
from functools import lru_cache

from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Something that a rule has words for, and the place that it is told of."""

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


@dataclass(frozen=True, slots=True, eq=False)
class NotConverted(Problem):
    """A setting or a sink that its own rule keeps: `named` is that rule, `why` what it says."""

    named: str
    why: str

    @property
    def reason(self) -> str:
        """The name of the rule."""
        return self.named


@dataclass(frozen=True, slots=True, eq=False)
class Consequence(Problem):
    """A config that is kept for the sake of another one: `cause` is what keeps that."""

    cause: Problem


@dataclass(frozen=True, slots=True, eq=False)
class Apart(Problem):
    line: ast.AST


@dataclass(frozen=True, slots=True, eq=False)
class BesideKept(Consequence):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class CaughtError(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class ConfigRead(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class Contrib(Problem):
    names: str


@dataclass(frozen=True, slots=True, eq=False)
class DifferentConfigs(Problem):
    place: ast.AST
    fields: str


@dataclass(frozen=True, slots=True, eq=False)
class DynamicImport(Problem):
    callee: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class EagerCode(Problem):
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class EnvironmentRead(Problem):
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationOrder(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class ForeignConfig(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class Fork(Problem):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class GivenUp(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class GpuOutOfRange(Problem):
    device: str
    line: ast.AST
    count: str


@dataclass(frozen=True, slots=True, eq=False)
class Ignored(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class ImportEffect(Problem):
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class ImportedByString(Problem):
    line: ast.AST


@dataclass(frozen=True, slots=True, eq=False)
class Kwargs(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class LateEnvironment(Problem):
    name: str
    line: ast.AST


@dataclass(frozen=True, slots=True, eq=False)
class MixedOrigin(Problem):
    source: str | ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class NameTaken(Problem):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class NeedsUnsafe(Problem):
    why: str


@dataclass(frozen=True, slots=True, eq=False)
class NoPlace(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class NotSelected(Problem):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class OwnSettings(Problem):
    callee: str


@dataclass(frozen=True, slots=True, eq=False)
class Parameter(Problem):
    path: str
    line: ast.AST | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PassedOn(Problem):
    callee: str | ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class ProbeFirst(Problem):
    callee: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class ProgramKept(Consequence):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Python2Division(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class RemoteTarget(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class ReturnedAway(Problem):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class RuntimeFirst(Problem):
    callee: str


@dataclass(frozen=True, slots=True, eq=False)
class SessionElsewhere(Problem):
    maker: str


@dataclass(frozen=True, slots=True, eq=False)
class SessionWithoutConfig(Problem):
    fields: str


@dataclass(frozen=True, slots=True, eq=False)
class SetLate(Problem):
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class SetTwice(Problem):
    field: str
    line: ast.AST


@dataclass(frozen=True, slots=True, eq=False)
class SharedAttribute(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class SharedHelper(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Stored(Problem):
    text: str | ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class Uncalled(Problem):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class UnfollowedSetting(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class UnknownField(Problem):
    field: str
    hint: str


@dataclass(frozen=True, slots=True, eq=False)
class UnknownObject(Problem):
    method: str
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class UnreadableModule(Problem):
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class UnresolvedName(Problem):
    text: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class UnusedConfig(Problem):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class UsedElsewhere(Problem):
    name: str
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Varies(Problem):
    field: str


@dataclass(frozen=True, slots=True, eq=False)
class WrongType(Problem):
    field: str
    text: str
    type: str


@dataclass(frozen=True, slots=True, eq=False)
class XlaDevice(Problem):
    name: str


def filled(problem: Problem, tree: Tree, book: Rulebook) -> dict[str, str]:
    """Return what the words of a problem are filled with, by placeholder."""
    found: dict[str, str] = {}
    names: tuple[str, ...] = problem.__match_args__
    for name in names:
        value = getattr(problem, name)
        if isinstance(value, str):
            found[name] = value
        elif name == "line":
            found[name] = tree.where_from(value, problem.node).removeprefix("line ")
        elif name == "place":
            found[name] = tree.where_from(value, problem.node)
        elif name == "source":
            found[name] = f"`{tree.source(value)}`"
        elif isinstance(value, ast.expr) and name != "node":
            found[name] = tree.source(value)
    if isinstance(problem, Consequence):
        rule = problem.cause.rule(book)
        found["rule"] = f"{rule.code} {rule.name}"
        found["place"] = tree.where_from(problem.cause.node, problem.node)
    return found


def cause_of(problem: Problem) -> Problem:
    """Return what keeps a config in the end: a problem of its own, or of another config."""
    return problem.cause if isinstance(problem, Consequence) else problem


@lru_cache(maxsize=128)
def _name(words: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])", "-", words).lower()
