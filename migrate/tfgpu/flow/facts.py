"""The facts of one file: what settings there are, on which configs, and where the configs go."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from tfgpu.code.index import Import, Scope
from tfgpu.code.tree import Tree
from tfgpu.code.values import Value
from tfgpu.dataclass import dataclass, field
from tfgpu.flow import reasons
from tfgpu.flow.modern import OldName
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.model import QueryRule, SinkRule

Conditions = tuple[tuple[ast.expr, bool], ...]


def conditions(node: ast.AST, tree: Tree) -> Conditions:
    """Return the tests of conditional expressions around a node, outermost first, with outcomes."""
    found = []
    child = node
    for parent in tree.within(node):
        if isinstance(parent, ast.stmt):
            break
        if isinstance(parent, ast.IfExp) and child is not parent.test and parent not in tree.opened:
            found.append((parent.test, child is parent.body))
        child = parent
    return tuple(reversed(found))


def opposed(one: Conditions, other: Conditions) -> bool:
    """Tell whether two things stand on different sides of one conditional expression."""
    return any((test, not outcome) in other for test, outcome in one)


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One field set: its path in ConfigProto, its value and the expression that sets it.

    `statement` is the statement that it is in, `conditions` are the tests of conditional
    expressions around it, each with the outcome under which the setting counts, and `through` is
    the path of the message that it is set through: a config, or a part that is built by itself.
    """

    field: str
    value: Value
    node: ast.AST
    statement: ast.stmt
    conditions: Conditions = ()
    through: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Sink:
    """A call that takes a config: its rule and the argument that carries the config.

    `target` is the address of another process, where it is given one. `name` is its canonical name,
    None for a method of an object whose class is not known, and `session` the call that makes the
    session, None where that is not known. `through` is the parameter of a function of the files
    that takes the config on to other sinks; `rule` is then the one of them that allows the least.
    """

    call: ast.Call
    rule: SinkRule
    argument: ast.expr | None
    target: ast.expr | None
    statement: ast.stmt
    name: str | None
    session: ast.Call | None
    through: Parameter | None = None

    @property
    def made(self) -> ast.Call:
        """The call that makes the session, as far as it is known."""
        return self.session or self.call

    def ends(self) -> list[Sink]:
        """Return the calls of TensorFlow that the config finally reaches."""
        if self.through is None:
            return [self]
        return [end for sink in self.through.sinks for end in sink.ends()]

    def way(self) -> list[Parameter]:
        """Return the parameters that the config may go through."""
        if self.through is None:
            return []
        return [self.through, *(item for sink in self.through.sinks for item in sink.way())]


@dataclass(frozen=True, slots=True, eq=False)
class PossibleSession:
    """An expression that makes a session, or may, and is no call that a rule knows as a sink.

    With `anywhere`, it is no call, but lets a class of sessions go where it is not followed: the
    session may be made at any later time, by any code. `name` is the canonical name that makes the
    session, and `kind` that of the name in `names/sessions.txt`: sessions of "class", "test" and
    "call" take what tf.config has set, "keras" makes Keras's own session where it has none,
    "estimator" sessions have a config of their own. `config` is the argument that may carry a
    config, None where there is none.
    """

    node: ast.expr
    name: str
    kind: str
    anywhere: bool = False
    config: ast.expr | None = None

    @property
    def made(self) -> ast.expr:
        """The expression that makes the session, as far as it is known."""
        return self.node

    @property
    def takes_settings(self) -> bool:
        """Whether the session has no config of its own, as far as is known, nor Keras's."""
        return self.kind in ("class", "test", "call")


# What makes a session.
Made = Sink | PossibleSession


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """What gives a parameter a config where a call gives none.

    `test` decides on it by what it has `asked`, which is true where none is given if `missing`, and
    false else; `inside` is what is reached only then.
    """

    test: ast.If | ast.IfExp | ast.BoolOp
    asked: ast.expr
    missing: bool
    inside: frozenset[ast.AST]


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter that does nothing but take a config on to sinks in its function.

    `calls` are all calls of the function that are seen, with the argument for the parameter where
    they give one; `default` is None where each must. `fill` is what gives it a config where a call
    gives none: then the function has to be told, by a parameter that is called `flag`, whether its
    caller has made the settings. So has one that hands its parameter on to such a function.
    """

    function: ast.FunctionDef
    argument: ast.arg
    sinks: tuple[Sink, ...]
    calls: tuple[tuple[ast.Call, ast.expr | None], ...]
    default: ast.expr | None
    fill: Fill | None = None
    flag: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Passed:
    """A parameter that stands for what the only call of its function gives for it."""

    function: ast.FunctionDef
    argument: ast.arg
    call: ast.Call
    given: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """A config that a dictionary, or a namespace, is `made` with, under a name."""

    made: ast.expr
    name: str
    value: ast.expr


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """A problem that there is if more than the calls that are seen run a function.

    `calls` are these calls, or reads of a property.
    """

    problem: Problem
    function: ast.FunctionDef
    calls: tuple[ast.expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """A parameter that no call gives, and what fills it, which has nothing to test then.

    `calls` are all calls of the function that are seen; some may give None.
    """

    function: ast.FunctionDef
    argument: ast.arg
    test: ast.If | ast.IfExp | ast.BoolOp
    calls: tuple[tuple[ast.Call, ast.expr | None], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Config:
    """A ConfigProto with its messages, settings, sinks, and the statements that carry it.

    `built` are the constructor calls (the first one names the config's place), `statements` those
    that only build, pass on or change the config and go when it is converted, `calls` the calls of
    functions of the file, and reads of properties, that return it, with the conditions that they
    stand under. `exports` are
    names of modules that hold it, or return it, and that another file could use, those of classes
    with a dot before them, `bases` what these classes inherit from, `nones` where it becomes None
    instead, `dictionaries` those that are unpacked into it, `shown` where it is printed or logged,
    `doubts` are about functions that it goes through, `looks` about code that may read it without
    naming it, and `listings` about code that would see the names that come in its place. `fills`
    are parameters that it is given to where a call gives none, `passed` those that stand for it or
    for a part of it, `imports` those of it in other
    files, which go with it, as do `targets`: what becomes None together with other variables.
    `copies` are the calls that copy a message into it that is built elsewhere, `given` the
    dictionaries and namespaces that are made with it.
    """

    built: list[ast.Call] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)
    sinks: list[Sink] = field(default_factory=list)
    statements: list[ast.stmt] = field(default_factory=list)
    targets: list[ast.expr] = field(default_factory=list)
    calls: list[tuple[ast.expr, Conditions]] = field(default_factory=list)
    roots: list[ast.Call] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    exports: list[tuple[Tree, str]] = field(default_factory=list)
    bases: list[ast.expr] = field(default_factory=list)
    nones: list[ast.AST] = field(default_factory=list)
    dictionaries: list[ast.expr] = field(default_factory=list)
    shown: list[ast.expr] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    looks: list[Problem] = field(default_factory=list)
    listings: list[Problem] = field(default_factory=list)
    fills: list[Parameter] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    imports: list[Import] = field(default_factory=list)
    copies: list[ast.Call] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)

    @property
    def leaves(self) -> bool:
        """Whether the config escapes the analysis: any code may make a session with it."""
        return any(not isinstance(problem, _STAYS) for problem in self.problems)


# Problems of configs that stay where they are.
_STAYS = (
    reasons.SetLate, reasons.SetTwice, reasons.GivenUp, reasons.NotHandedOn,
    reasons.UnusedConfig, reasons.ImportedByString,
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class SessionUse:
    """A Keras `set_session` call and the session that it takes, with the statements around it.

    There is no session where it has other uses, too, or is not known: then the call stays.
    """

    call: ast.Call
    rule: SinkRule
    session: ast.Call | None
    statements: tuple[ast.stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QueryForm:
    """What a query is part of, and the code that can stand there instead.

    `initialises` tells whether that code initialises the GPUs, too; `statements` go.
    """

    node: ast.expr
    code: str
    initialises: bool
    statements: tuple[ast.stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A call that asks for devices and initialises the GPUs.

    Without a form it stays, and `problem` says why.
    """

    call: ast.Call
    rule: QueryRule
    form: QueryForm | None
    problem: str


@dataclass(frozen=True, slots=True, eq=False)
class Facts:
    """All facts of one file, in the order of the source.

    `possible_sessions` are expressions that make sessions, or may, beside the calls that are
    `plain_sinks`. `unresolved` are calls such as `tf.ConfigProto()` where `tf` is not known to be
    TensorFlow, `parameters` and `filled` the parameters that go with the configs that they take.
    `callers` are names of modules, and members of classes, whose uses in any file decide how often
    code runs. `by_file` are the facts of each file, by its scope, once they were asked for.
    """

    configs: list[Config]
    plain_sinks: list[Sink]
    foreign_sinks: list[Sink]
    session_uses: list[SessionUse]
    queries: list[Query]
    unresolved: list[ast.Call]
    old_names: list[OldName] = field(default_factory=list)
    misspelt: list[OldName] = field(default_factory=list)
    device_problems: list[Problem] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    filled: list[Filled] = field(default_factory=list)
    callers: dict[tuple[Tree, str], None] = field(default_factory=dict)
    possible_sessions: list[PossibleSession] = field(default_factory=list)
    by_file: dict[Scope, Facts] = field(default_factory=dict)

    def parameter(self, call: ast.AST) -> Parameter | None:
        """Return the parameter that a call gives a config to."""
        return next(
            (item for item in self.parameters if any(call is other for other, _ in item.calls)),
            None,
        )

    def of(self, tree: Tree, whole: Tree) -> Facts:
        """Return the facts of one of the files that are read as one, once all facts are there."""
        if not self.by_file:
            for file in whole.files:
                facts = Facts(
                    [], [], [], [], [], [], parameters=self.parameters, filled=self.filled
                )
                self.by_file[file.root] = facts
            for name, node in _NODES.items():
                for item in getattr(self, name):
                    getattr(self.by_file[whole.file(node(item)).root], name).append(item)
        return self.by_file[tree.root]


# The node that says which file a fact is of.
_NODES: Mapping[str, Callable[[Any], ast.AST]] = {
    "configs": lambda config: config.built[0],
    "plain_sinks": attrgetter("call"),
    "foreign_sinks": attrgetter("call"),
    "session_uses": attrgetter("call"),
    "queries": attrgetter("call"),
    "unresolved": lambda call: call,
    "old_names": attrgetter("node"),
    "misspelt": attrgetter("node"),
    "device_problems": attrgetter("node"),
    "possible_sessions": attrgetter("node"),
}
