"""What the decision on one config consists of."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from tfgpu.dataclass import dataclass, field
from tfgpu.decide.assumptions import Assumption
from tfgpu.flow.facts import Config, Setting, Sink
from tfgpu.flow.match import constant
from tfgpu.flow.reasons import NeedsUnsafe, Problem
from tfgpu.rulebook.model import Case, SettingRule


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A setting, the rule and case that hold for it, and the variables of the case's templates.

    `case` is None for a setting that a later one overwrites.
    """

    setting: Setting
    rule: SettingRule
    case: Case | None
    variables: Mapping[str, str]

    @property
    def is_per_session(self) -> bool:
        """Whether TensorFlow 1 applied the setting to each session, not to GPUs or the process."""
        return self.rule.scope_of(self.case) == "session"


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a setting acts: at its own place, or where the function that makes it is called.

    `always` tells that it acts whenever the config is built there, `constant` that it then has the
    same value each time.
    """

    node: ast.AST
    outcome: Outcome
    always: bool
    constant: bool


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The decision on one config; it converts if there is no problem.

    `resets` put defaults back where the config is built, before its own settings, `put_back` does
    so after its session. `final` tells that it was kept because TensorFlow 2 has nothing but the
    compat.v1 config for it. `wrong` are its fields and values that no ConfigProto takes. `unsafe`
    says what can differ when it converts, and where that comes from, `moved` is the statement that
    the settings move in front of, where they cannot stay. `entered` are sinks that become plain
    sessions which are entered. `assumptions` are what the conversion rests on, and `assumable`
    tells of a config that is kept that it would convert with some, `needs_unsafe` that it takes an
    unsafe fix, which no run checks without being asked to. With `in_graphs` its session for
    Keras stays, and so graphs do, as its settings would come too late for eager code.
    """

    config: Config
    outcomes: tuple[Outcome, ...]
    resets: tuple[Outcome, ...]
    put_back: tuple[Outcome, ...]
    problem: Problem | None
    final: bool
    wrong: tuple[Problem, ...]
    unsafe: tuple[NeedsUnsafe, ...]
    entered: tuple[Sink, ...]
    moved: ast.stmt | None
    assumptions: tuple[Assumption, ...]
    assumable: bool
    needs_unsafe: bool
    in_graphs: bool


@dataclass(slots=True, eq=False)
class Draft:
    """A decision that is being made; its fields are those of `Decision`."""

    config: Config
    outcomes: list[Outcome] = field(default_factory=list)
    resets: list[Outcome] = field(default_factory=list)
    put_back: list[Outcome] = field(default_factory=list)
    problem: Problem | None = None
    final: bool = False
    wrong: list[Problem] = field(default_factory=list)
    unsafe: list[NeedsUnsafe] = field(default_factory=list)
    entered: list[Sink] = field(default_factory=list)
    moved: ast.stmt | None = None
    assumptions: list[Assumption] = field(default_factory=list)
    assumable: bool = False
    needs_unsafe: bool = False
    in_graphs: bool = False
    # What `places` found last, for what the settings and their place were then.
    placed: tuple[object, list[Place]] | None = None

    def decided(self) -> Decision:
        """Return what was decided, which nobody changes any more."""
        return Decision(
            self.config,
            tuple(self.outcomes),
            tuple(self.resets),
            tuple(self.put_back),
            self.problem,
            self.final,
            tuple(self.wrong),
            tuple(self.unsafe),
            tuple(self.entered),
            self.moved,
            tuple(self.assumptions),
            self.assumable,
            self.needs_unsafe,
            self.in_graphs,
        )

    @property
    def is_eager(self) -> bool:
        """Whether the config is given to TensorFlow 1 to run eagerly, and to no session."""
        return all(sink.rule.converts == "eager" for sink in self.config.sinks)

    def untouched(self, problem: Problem | None = None) -> Draft:
        """Return a copy, with a problem or without, which what is compared may change."""
        return Draft(
            self.config,
            list(self.outcomes),
            problem=problem,
            final=self.final,
            wrong=list(self.wrong),
            unsafe=list(self.unsafe),
            assumptions=list(self.assumptions),
            entered=list(self.entered),
        )

    def become(self, other: Draft) -> None:
        """Become another draft for the same config."""
        for name in self.__slots__:
            setattr(self, name, getattr(other, name))

    def signature(self, scope: str, settings: Iterable[Setting] | None = None) -> frozenset[str]:
        """Return the settings of one scope that have an effect, comparable between configs.

        A value that is not known is like no other one.
        """
        chosen = None if settings is None else set(settings)
        return frozenset(
            f"{outcome.setting.field}={constant(outcome.setting.value, outcome.rule)}"
            if outcome.setting.value.constant is not None
            else f"{outcome.setting.field}={id(outcome.setting)}"
            for outcome in self.outcomes
            if outcome.is_per_session == (scope == "session")
            and outcome.case is not None
            and outcome.case.drop is None
            and (chosen is None or outcome.setting in chosen)
        )
