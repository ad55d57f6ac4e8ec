"""Compares the effective configuration: of sessions, environment, thread pools and training.

Fields that two legs may spell differently are in `meaning.toml`; fields that a rule drops because
TensorFlow 2 does the same by itself are in that rule.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path

from tfgpu.rulebook.book import load_rulebook
from tfgpu.rulebook.table import parse_toml
from tfgpu.verify.compare.pairing import (
    EAGER,
    NO_SESSION,
    NOTHING_RAN,
    has_eager_context,
    has_idle_context,
    idle_sessions,
    is_idle,
    nothing_to_compare,
    runs_eagerly,
    same_form,
    same_runtime,
    session_pairs,
)
from tfgpu.verify.lists import first_of
from tfgpu.verify.observation import Observation, Session, Told
from tfgpu.verify.verdict import Entry, Outcome

_GROWTH = "gpu_options.allow_growth"
_SOFT_PLACEMENT = "allow_soft_placement"
_SET_SOFT = "soft placement set for eager code"
_NO_FALLBACK = (
    "eager code has soft placement by itself; the session needed none, and the devices of "
    "operations are compared"
)
_NOTHING_PLACED = "eager code has soft placement by itself; nothing ran in the session"

# The pool of threads between operations, by the name that TensorFlow gives them.
_POOL = "tf_Compute"
# The subject of what is said of the constants of a graph.
CONSTANTS = "constants"
_THREADS, _THREADS_VARIABLE = "inter_op_parallelism_threads", "TF_NUM_INTEROP_THREADS"

# A server of this process gets any free port.
_LOCAL_PORT = re.compile(r"(?<=localhost):\d+$")
_NONE = "none"
_NOT_SET = "not set"  # what the recorder says of a variable that was there before
_MOST = 6
# What the subject of an entry begins with, for each kind.
_KINDS = ("callback", "hook", "optimizer", "training")
# Where one side only has one, its operations tell whether that matters: it may be left unused.
_SAVERS = "saver"
_POOLS = "pool"
_WORKER = "pool worker"


@dataclass(frozen=True, slots=True)
class Variable:
    """A field and the environment variable that goes before it."""

    field: str
    variable: str
    rule: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Shown:
    """A field or variable whose effect is compared itself, or that follows `beside`.

    `but` is a field below it that is compared all the same.
    """

    reason: str
    rule: str
    field: str = ""
    variable: str = ""
    beside: str = ""
    but: str = ""

    def covers(self, path: str) -> bool:
        """Tell whether this is about a field or variable."""
        if self.but and path.endswith(f".{self.but}"):
            return False
        if self.variable:
            return path == self.variable
        return path == self.field or path.startswith((f"{self.field}.", f"{self.field}["))


@cache
def meaning() -> tuple[list[Variable], list[Shown]]:
    """Return the table of `meaning.toml`."""
    table = parse_toml(Path(__file__).parents[1].joinpath("meaning.toml").read_text("utf-8"))
    variables = [Variable(**{"values": {}, **row}) for row in table["variable"]]
    return variables, [Shown(**row) for row in table["shown"]]


def deciding() -> list[str]:
    """Return the variables that decide in the place of what a program sets."""
    chosen = ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"]
    return [*chosen, *(one.variable for one in meaning()[0])]


def compare_configuration(before: Observation, after: Observation) -> list[Entry]:
    """Return what becomes of every setting."""
    entries: list[Entry] = []
    for left, right in session_pairs(before, after):
        if left is not None and right is not None:
            entries.extend(_session(left, right, before, after))
    if not entries and not before.sessions and not after.sessions:
        return [nothing_to_compare("sessions", NO_SESSION, before, after)]
    entries.extend(_variables(before, after))
    entries.extend(_threads(before, after))
    entries.extend(_settings(before, after))
    entries.extend(compare_told(before, after))
    entries.extend(compare_constants(before, after))
    return entries


def _session(
    left: Session, right: Session, before: Observation, after: Observation
) -> Iterator[Entry]:
    variables, shown = meaning()
    made = _has_its_gpus(left, before) and _has_its_gpus(right, after)
    idle = left.title == right.title == EAGER and has_idle_context(before, after)
    old, new = dict(left.config), dict(right.config)
    for row in variables:
        for config, leg in ((old, before), (new, after)):
            _apply(row, config, leg)
    for path in sorted({*old, *new}):
        mine, theirs = old.get(path, ""), new.get(path, "")
        outcome, reason, rule = Outcome.MATCH, "", ""
        if mine != theirs and idle:
            outcome, reason = Outcome.IGNORED, NOTHING_RAN
        elif mine != theirs and path == _GROWTH and made:
            outcome, reason = Outcome.IGNORED, "the GPUs are made already, and keep their mode"
        elif mine != theirs and path == _SOFT_PLACEMENT and _needs_none(left, right, before, after):
            outcome, reason = Outcome.IGNORED, _NO_FALLBACK
        elif (
            mine != theirs and path == _SOFT_PLACEMENT and _places_none(left, right, before, after)
        ):
            outcome, reason = Outcome.IGNORED, _NOTHING_PLACED
        elif mine != theirs:
            outcome, reason, rule = _differing(path, old, new, shown)
        yield Entry(path, outcome, mine, theirs, reason, rule, right.source, left.title)
    if _LOCAL_PORT.sub("", left.target) != _LOCAL_PORT.sub("", right.target):
        texts = (left.target, right.target)
        yield Entry("target", Outcome.MISMATCH, *texts, graph=left.title)


def _needs_none(left: Session, right: Session, before: Observation, after: Observation) -> bool:
    """Tell whether a session ran to its end without the soft placement that eager code has."""
    is_default = not after.settings.get(_SET_SOFT)
    return right.title == EAGER != left.title and is_default and before.failure is None


def _places_none(left: Session, right: Session, before: Observation, after: Observation) -> bool:
    """Tell whether nothing ran in a session that eager code made, as one that Keras is given."""
    if after.settings.get(_SET_SOFT) or not (runs_eagerly(before) and runs_eagerly(after)):
        return False
    ended = {before.ended, after.ended}
    return ended <= {"end", "exit"} and is_idle(left, before) and is_idle(right, after)


def _has_its_gpus(session: Session, leg: Observation) -> bool:
    """Tell whether the GPUs of a session were made for earlier ones, with their allocators.

    What an eager context came before does not count: version 1, for which it may stand, has none.
    """
    earlier = leg.sessions[: leg.sessions.index(session)]
    of_sessions = takewhile(lambda one: one.title != EAGER, earlier)
    known = {(one.name, one.bus) for other in of_sessions for one in other.devices}
    return all((one.name, one.bus) in known for one in session.devices if one.bus)


def _apply(row: Variable, config: dict[str, str], leg: Observation) -> None:
    """Put into a config what an environment variable makes of it.

    One that changed in front of a session which makes GPUs is noted there.
    """
    given = config.pop(f"environment.{row.variable}", leg.environment.get(row.variable))
    if given not in (None, _NOT_SET):
        value = row.values.get(given, "" if row.values else given)
        if value:
            config[row.field] = value
        else:
            config.pop(row.field, None)


def _differing(
    path: str, old: Mapping[str, str], new: Mapping[str, str], shown: list[Shown]
) -> tuple[Outcome, str, str]:
    """Return the outcome of a difference in one field, with its reason and rule."""
    for row in shown:
        if row.covers(path) and (not row.beside or old.get(row.beside) == new.get(row.beside)):
            return Outcome.IGNORED, row.reason, row.rule
    if path not in new:
        dropped = _dropped(path, old[path])
        if dropped:
            return Outcome.IGNORED, *dropped
    reason = f"{path} is {old.get(path, 'not set')} before and {new.get(path, 'not set')} after"
    rules = load_rulebook().fields.get(path, [])
    return Outcome.MISMATCH, reason, rules[0].code if rules else ""


def _dropped(path: str, value: str) -> tuple[str, str] | None:
    """Return why a rule drops a field with this value, and its code; None where none does."""
    for rule in load_rulebook().fields.get(path, []):
        for case in rule.cases:
            if case.drop and (case.values is None or value in map(str, case.values)):
                return case.drop, rule.code
    return None


def _variables(before: Observation, after: Observation) -> Iterator[Entry]:
    variables, shown = meaning()
    fields = {row.variable: row for row in variables}
    for name in sorted({*before.environment, *after.environment}):
        mine, theirs = before.environment.get(name, ""), after.environment.get(name, "")
        outcome, reason, rule = Outcome.MATCH, "", ""
        if mine != theirs:
            row = next((row for row in shown if row.covers(name)), None)
            outcome, reason = Outcome.MISMATCH, f"{name} is not the same in the environment"
            if name in fields:
                outcome, rule = Outcome.IGNORED, fields[name].rule
                reason = f"compared together with {fields[name].field}"
            elif row:
                outcome, reason, rule = Outcome.IGNORED, row.reason, row.rule
        yield Entry(name, outcome, mine, theirs, reason, rule, graph="environment")


def _settings(before: Observation, after: Observation) -> Iterator[Entry]:
    """Compare what no config holds; a leg that was cut short, or is another version, has less."""
    eager = has_eager_context(before) and has_eager_context(after) and same_form(before, after)
    eager = eager and not has_idle_context(before, after)
    alike = same_form(before, after) and same_runtime(before, after)
    for name in sorted(before.settings.keys() & after.settings.keys()):
        if name == _SET_SOFT or (name.endswith("eager code") and not eager):
            continue
        if name.startswith("options of") and not alike:
            continue
        mine, theirs = before.settings[name], after.settings[name]
        outcome = Outcome.MATCH if mine == theirs else Outcome.MISMATCH
        if name.startswith("options of") and mine != theirs:
            mine, theirs = _only(mine, theirs), _only(theirs, mine)
        reason = "" if mine == theirs else f"{name} is {mine} before and {theirs} after"
        yield Entry(name, outcome, mine, theirs, reason, graph="process")


def _only(texts: str, others: str) -> str:
    """Return those of some options that are not among others."""
    found = sorted({*texts.split("; ")} - {*others.split("; ")})
    return first_of(found or [_NONE], _MOST, "; ")


def _threads(before: Observation, after: Observation) -> Iterator[Entry]:
    """Compare the pool between operations, which the two thread settings and the runtime size."""
    if not before.threads or not after.threads:  # a leg that was cut short does not tell
        return
    mine, theirs = before.threads.get(_POOL, 0), after.threads.get(_POOL, 0)
    if not (mine or theirs) or not same_runtime(before, after) or not same_form(before, after):
        return
    if mine == theirs:
        outcome, reason = Outcome.MATCH, ""
    elif has_eager_context(before) != has_eager_context(after):
        outcome, reason = Outcome.IGNORED, "the eager context of one side has a pool of its own"
    elif idle_sessions(before) != idle_sessions(after):
        outcome, reason = Outcome.IGNORED, "a session that nothing runs in has threads of its own"
    elif mine and theirs:
        outcome, reason = Outcome.MISMATCH, _behind_threads(before, after)
    else:
        outcome, reason = Outcome.MISMATCH, "one side made no session that has such threads"
    yield Entry("threads between operations", outcome, str(mine), str(theirs), reason)


def _behind_threads(before: Observation, after: Observation) -> str:
    """Return what decides on a number of threads, named where a side sets it."""
    legs = (before, after)
    is_set = any(_THREADS in one.config for leg in legs for one in leg.sessions)
    if is_set or any(_THREADS_VARIABLE in leg.environment for leg in legs):
        return f"{_THREADS} decides the number, and what runs beside sessions"
    return f"neither side sets {_THREADS}: what runs beside sessions has threads, too"


def compare_told(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what one side only was told; two forms are compared where both were told of a kind."""
    alike = same_form(before, after)
    for what in _KINDS:
        mine, theirs = (_of_kind(what, leg) for leg in (before, after))
        if alike or (mine and theirs):
            yield from _compare_kind(what, mine, theirs, same_runtime(before, after))
    savers = [_of_kind(_SAVERS, leg) for leg in (before, after)]
    common = {one.name for one in savers[0]} & {one.name for one in savers[1]}
    for name in sorted(common):
        left, right = (_named(name, told) for told in savers)
        yield from _compare(f"{_SAVERS}: {name}", left, right, same_runtime(before, after))


def compare_pools(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield how many processes pools have, where their workers make sessions."""
    workers = [one for leg in (before, after) for one in leg.children if _WORKER in one.program]
    if workers:
        yield from _compare_kind(_POOLS, _of_kind(_POOLS, before), _of_kind(_POOLS, after))


def _of_kind(what: str, leg: Observation) -> list[Told]:
    return [one for one in leg.told if one.what == what]


def _compare_kind(
    what: str, mine: Sequence[Told], theirs: Sequence[Told], one_runtime: bool = True
) -> Iterator[Entry]:
    for name in sorted({one.name for one in (*mine, *theirs)}):
        left, right = (_named(name, told) for told in (mine, theirs))
        yield from _compare(f"{what}: {name}", left, right, one_runtime)


def compare_constants(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield the numbers that differ in graphs of two programs of one form, on one TensorFlow.

    Where one side only has more of them, operations differ, and those are compared by themselves.
    """
    if not same_runtime(before, after) or not same_form(before, after):
        return
    for title in sorted(before.constants.keys() & after.constants.keys()):
        old, new = Counter(before.constants[title]), Counter(after.constants[title])
        mine, theirs = old - new, new - old
        if not mine and not theirs:
            continue
        outcome = Outcome.INCONCLUSIVE if mine and theirs else Outcome.IGNORED
        reason = (
            "a constant is another one: it may decide behind the runs that were compared"
            if mine and theirs
            else "one side has more constants: they go with operations, which are compared"
        )
        yield Entry(CONSTANTS, outcome, _numbers(mine), _numbers(theirs), reason, graph=title)


def _numbers(counts: Counter[str]) -> str:
    found = sorted(counts.elements())
    return (", ".join(found[:_MOST]) + (" ..." if len(found) > _MOST else "")) or _NONE


def _named(name: str, told: Sequence[Told]) -> list[Told]:
    """Return those of a name, in an order of their own."""
    found = [one for one in told if one.name == name]
    return sorted(found, key=lambda one: sorted(one.values.items()))


def _compare(
    subject: str, left: Sequence[Told], right: Sequence[Told], one_runtime: bool
) -> Iterator[Entry]:
    if len(left) != len(right):
        texts = (str(len(left) or _NONE), str(len(right) or _NONE))
        reason = "what only one side has may act behind the runs that were compared"
        yield Entry(subject, Outcome.MISMATCH, *texts, reason, graph="training")
        return
    for mine, theirs in zip(left, right, strict=True):
        old, new = mine.values, theirs.values
        # Another TensorFlow, another Keras, or its optimizers of old have other attributes.
        alike = one_runtime and mine.kind == theirs.kind
        names = old.keys() | new.keys() if alike else old.keys() & new.keys()
        differ = [name for name in sorted(names) if old.get(name) != new.get(name)]
        texts = (_text(old, differ), _text(new, differ))
        outcome = Outcome.MISMATCH if differ else Outcome.MATCH
        reason = "it may act behind the runs that were compared" if differ else ""
        yield Entry(subject, outcome, *texts, reason, graph="training")


def _text(values: Mapping[str, str], names: Sequence[str]) -> str:
    return ", ".join(f"{name}={values.get(name, _NONE)}" for name in names)
