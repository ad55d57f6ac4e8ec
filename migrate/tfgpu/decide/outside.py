"""What is known of files that are analysed apart, and what follows for the configs at hand."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from tfgpu.dataclass import dataclass, field
from tfgpu.decide.decision import Decision
from tfgpu.decide.order import (
    exports,
)
from tfgpu.decide.together import HARMLESS
from tfgpu.decide.vary import take_defaults
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Problem
from tfgpu.rulebook.book import Rulebook
from tfgpu.selection import Selection


@dataclass(frozen=True, slots=True)
class Stop:
    """A config in another file of the same program that is kept: its place and its rule.

    `final` tells that TensorFlow 2 has nothing else for it.
    """

    place: str
    rule: str
    final: bool


@dataclass(frozen=True, slots=True)
class Differing:
    """A config in another file of the same program whose sessions have other values of fields."""

    place: str
    fields: Collection[str]


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known of files that are not analysed together with the ones at hand.

    `users` has a file for each name of a module (by the module's path) that is used there; the
    empty name stands for the import of the module. `stopped` are the files, by path, whose configs
    are kept because of one in another file, `differing` those whose sessions must not find what
    sessions of other files had. `switched` are those of a program that is made to run on TensorFlow
    2, and have their imports switched for that; `handed_on` names of modules that other files have
    their TensorFlow from ("*" for all). `starting` are imports, as the files at hand spell them, of
    modules that may initialise TensorFlow 2's runtime, `rebound` names of modules that other files
    assign to, and `graph_mode` files that import one which turns eager execution off. `started`
    are imports of modules that certainly initialise the runtime, by the importing file and what it
    imports: the call that does so, and its place.
    """

    users: Mapping[tuple[str, str], str] = field(default_factory=dict)
    stopped: Mapping[str, Stop] = field(default_factory=dict)
    differing: Mapping[str, Differing] = field(default_factory=dict)
    switched: frozenset[str] = frozenset()
    starting: frozenset[str] = frozenset()
    rebound: frozenset[tuple[str, str]] = frozenset()
    handed_on: frozenset[tuple[str, str]] = frozenset()
    graph_mode: frozenset[str] = frozenset()
    started: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)


NOTHING = Outside()


def other_files(
    decision: Decision,
    analysis: Analysis,
    book: Rulebook,
    outside: Outside,
    starts_runtime: bool,
) -> Problem | None:
    """Keep the sessions of a config from what sessions in other files of the program had."""
    first = decision.config.built[0]
    path = analysis.tree.file(first).path
    other = outside.differing.get(path)
    if other is None:
        return None
    details = {"place": other.place, "fields": ", ".join(sorted(other.fields))}
    graph_mode = path in outside.graph_mode
    for fields in (other.fields, frozenset(other.fields) - HARMLESS):
        if take_defaults(decision, fields, analysis, book, starts_runtime, graph_mode):
            return None
        left = ", ".join(sorted(frozenset(other.fields) & HARMLESS))
        decision.note = Problem("takes-on", first, {**details, "fields": left})
    return Problem("different-configs", first, details)


def unseen_callers(decision: Decision, analysis: Analysis, outside: Outside) -> Problem | None:
    """Find a file that is not analysed here and uses a name that must not be used more often."""
    for tree, name in analysis.facts.callers:
        path = outside.users.get((tree.path, name))
        if path is not None:
            details = {"name": name.lstrip("."), "path": path}
            return Problem("used-elsewhere", decision.config.built[0], details)
    return None


def outside_problems(
    decision: Decision,
    analysis: Analysis,
    selection: Selection,
    outside: Outside,
) -> Iterator[Problem]:
    """Find what the user, or another file, has against the conversion of a config."""
    for outcome in decision.outcomes:
        if not selection.selects(outcome.rule, outcome.setting.node):
            yield Problem("not-selected", outcome.setting.node, {"name": outcome.rule.name})
    first = decision.config.built[0]
    for tree, name in exports(decision, analysis):
        if name in tree.exported:
            yield Problem("used-elsewhere", first, {"name": name, "path": "__all__"})
        if (tree.path, name) in outside.users:
            reason = "used-elsewhere" if name else "import-effect"
            details = {"name": name.lstrip("."), "path": outside.users[tree.path, name]}
            yield Problem(reason, first, details)
    stop = outside.stopped.get(analysis.tree.file(first).path)
    if stop is not None:
        decision.final = stop.final
        yield Problem("program-kept", first, {"place": stop.place, "rule": stop.rule})
