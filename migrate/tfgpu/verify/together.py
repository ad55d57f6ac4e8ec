"""Compares the legs of all scenarios: what only all of them show, what a reader must know of it.

A statement of the change that ran in one scenario did run, if the legs match there: what it does
was compared. So was an assumption that held; one that failed in any scenario has failed, and so is
one unknown that may have failed behind the end of a run.

Left out is what differs in two runs of one program: names of files, numbers in graphs. Whatever
else differs in them proves nothing, either: sizes of random data, for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from tfgpu.verify.assumptions import FAILED, HELD, UNKNOWN, Checked
from tfgpu.verify.compare import compare
from tfgpu.verify.compare.errors import refused_alike
from tfgpu.verify.compare.pairing import same_kind
from tfgpu.verify.isolation.mechanism import Mechanism
from tfgpu.verify.keras import notes_on_keras
from tfgpu.verify.lists import first_of
from tfgpu.verify.memory.predict import without_kernels
from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import Observed
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome

# Aspects that tell of what ran.
_OF_WORK = ("placement", "memory")
# So many things that got synthetic data are named.
_MOST_MADE = 10
# What a program sets does not differ by chance; nor does whether it takes memory in advance.
_SET = ("devices", "configuration")
_MODE = "mode"
# Runs of a program that are made to see what varies, at most.
_MOST_REPEATED = 3

_Key = tuple[str, str, str]
_Numbers = Mapping[str, Sequence[str]]


def comparisons(observed: Sequence[Observed], simulated: bool) -> list[Comparison]:
    """Return the comparison of each scenario, the own one first."""
    own = observed[0]
    found = [_compared(one, _bare(one.before), _bare(one.after), simulated) for one in observed]
    alike = [
        one
        for one, compared in zip(observed, found, strict=True)
        if compared.outcome is Outcome.MATCH
    ]
    before = _gathered(own.before, [one.before for one in alike], [one.before for one in observed])
    after = _gathered(own.after, [one.after for one in alike], [one.after for one in observed])
    found[0] = _compared(own, before, after, simulated)
    return found


def _compared(
    one: Observed, before: Observation, after: Observation, simulated: bool
) -> Comparison:
    aspects = compare(before, after, simulated)
    if not one.scenario.asked:
        if not _has_gpus(before) and not _has_gpus(after):
            aspects = [_changed(each, _for_no_gpu) for each in aspects]
        aspects = [_changed(each, refused_alike) for each in aspects]
        if _is_refused_in_two_forms(before, after):
            aspects = [
                _changed(each, _until_refused) if each.name in _OF_WORK else each
                for each in aspects
            ]
    return Comparison(one.scenario, before, after, aspects)


def _changed(aspect: Aspect, change: Callable[[Entry], Entry]) -> Aspect:
    return replace(aspect, entries=list(map(change, aspect.entries)))


def _unless_match(entry: Entry, reason: str) -> Entry:
    """Return what an entry comes to where a difference proves nothing, for a reason."""
    if entry.outcome is not Outcome.MISMATCH:
        return entry
    return replace(entry, outcome=Outcome.INCONCLUSIVE, reason=reason)


def _has_gpus(leg: Observation) -> bool:
    """Tell whether a leg found a GPU: there may be none, or it chose among others."""
    return bool(leg.physical) or any(
        device.name.startswith("GPU:") for session in leg.sessions for device in session.devices
    )


def _for_no_gpu(entry: Entry) -> Entry:
    """Return what an entry comes to where there are no GPUs: what configures them does nothing."""
    if entry.outcome is not Outcome.MISMATCH or not entry.subject.startswith("gpu_options."):
        return entry
    return replace(entry, outcome=Outcome.IGNORED, reason="there is no GPU that it could be about")


def _is_refused_in_two_forms(before: Observation, after: Observation) -> bool:
    """Tell whether TensorFlow refuses both, a graph and eager code, with an exception of one type.

    A graph that asks for a GPU that is not there runs nothing, eager code all that comes before.
    """
    mine, theirs = before.failure, after.failure
    if not mine or not theirs or mine.kind != theirs.kind or same_kind(before, after):
        return False
    return mine.from_tensorflow and theirs.from_tensorflow


def _until_refused(entry: Entry) -> Entry:
    """Return what an entry comes to that may be about what ran before both were refused."""
    return _unless_match(entry, "both are refused, the one before it runs anything")


def _bare(leg: Observation) -> Observation:
    """Return a leg without what all scenarios show together."""
    return replace(leg, changed=(), not_run=(), assumptions=())


def _gathered(
    own: Observation, alike: Sequence[Observation], all_: Sequence[Observation]
) -> Observation:
    """Return the own leg with what ran and held in it or in a scenario that matches."""
    not_run = [place for place in own.not_run if all(place in leg.not_run for leg in alike)]
    assumptions = [
        _checked(
            [leg.assumptions[number] for leg in (own, *alike)],
            [leg.assumptions[number] for leg in all_],
        )
        for number in range(len(own.assumptions))
    ]
    return replace(own, not_run=not_run, assumptions=assumptions)


def _checked(alike: Sequence[Checked], all_: Sequence[Checked]) -> Checked:
    """Return what became of one assumption."""
    failed = [one for one in all_ if one.status == FAILED]
    unknown = [one for one in alike if one.status == UNKNOWN]
    held = [one for one in alike if one.status == HELD]
    return [*failed, *unknown, *held, *alike][0]


def notes_on(compared: Sequence[Comparison], mechanism: Mechanism) -> Iterator[str]:
    """Yield what a reader of a verdict must know about how its programs were run."""
    before = [one.before for one in compared]
    legs = [*before, *(one.after for one in compared)]
    if any(leg.stands_in for leg in before):
        yield (
            f"before: tensorflow stood for tensorflow.compat.v1 of {before[0].tensorflow}, with "
            "the behaviour of TensorFlow 2 off, since the program does not run as it is; where "
            "graph code makes an eager context before the session (Dataset.map, for one), only "
            "TensorFlow 1.15 shows what version 1 did (--before-python)"
        )
    if any(one.after.stands_in for one in compared):
        yield (
            "after: the same, since its imports are left alone: the program runs on TensorFlow "
            "1.15, and not on TensorFlow 2 as it stands"
        )
    after = compared[0].after
    if before[0].stands_in and not after.stands_in and _lacks_a_name(after):
        yield (
            "after: nothing stood for version 1 of TensorFlow here: this is to be the program "
            "after its migration, and has names that TensorFlow 2 has not"
        )
    yield from notes_on_keras(compared[0].before, compared[0].after)
    if any(one.scenario.horovod_stands_in for one in compared):
        yield (
            "a stand-in took the place of Horovod: it tells each process its rank, and reduces and "
            "broadcasts nothing"
        )
    if any(leg.ended == "steps" for leg in legs):
        yield (
            f"stopped after {max(leg.steps for leg in legs)} runs of the same step; what a program "
            "does after that was not compared"
        )
    if any(leg.ended == "session" for leg in legs):
        yield (
            "stopped in front of the first step: each graph was placed, none was run; each device "
            "of each session computed one product; what comes behind was not compared"
        )
    own = compared[0].scenario.machine
    if own.simulated:
        yield f"simulated: {own.description}"
        for version in sorted({leg.tensorflow for leg in legs}):
            yield from without_kernels(own.simulated, version)
    made = sorted({what for leg in legs for what in leg.synthetic})
    if made:
        yield f"synthetic data: {first_of(made, _MOST_MADE, '; ')}"
    yield mechanism.words
    read_only = sorted({path for leg in legs for path in leg.read_only})
    if read_only:
        yield f"neither run could write below {', '.join(read_only)}"


def _lacks_a_name(leg: Observation) -> bool:
    """Tell whether a program ended for want of a name of TensorFlow's, or of a Keras's."""
    failure = leg.failure
    return (
        failure is not None
        and failure.kind in ("AttributeError", "ImportError")
        and re.search(r"tensorflow|keras", failure.message) is not None
    )


def settled(
    observed: Sequence[Observed], again: Callable[[], Observation]
) -> tuple[list[Observed], list[str]]:
    """Return what the legs showed, without what differs from run to run, and notes on that.

    Where the first legs do not show the same, `again` runs the program before once more.
    """
    own, found = observed[0], list(observed)
    if _vary_alike(own.before, own.after) or own.before.ended not in ("end", "steps"):
        return found, []
    other = again()
    notes = []
    if other.files != own.before.files:
        notes.append(
            "names of the files that the program before writes differ from run to run: what was "
            "written was not compared"
        )
        found = [
            replace(one, before=_unnamed(one.before), after=_unnamed(one.after)) for one in found
        ]
    if other.commands != own.before.commands:
        notes.append(
            "commands that the program before starts differ from run to run: they were not compared"
        )
        found = [
            replace(one, before=_bare_of_commands(one.before), after=_bare_of_commands(one.after))
            for one in found
        ]
    ends = {PurePath(name).suffix for name in own.before.read.keys() ^ other.read.keys()}
    if ends:
        kinds = first_of(sorted(one or "no suffix" for one in ends), _MOST_MADE)
        notes.append(
            f"which files the program before reads differs from run to run ({kinds}): these were "
            "not compared"
        )
        found = [
            replace(
                one,
                before=_unread(one.before, one.after, ends),
                after=_unread(one.after, one.before, ends),
            )
            for one in found
        ]
    varying = dict(_varying(own.before.constants, other.constants))
    if varying:
        notes.append(
            f"{sum(varying.values())} numbers in graphs of the program before differ from run to "
            "run: as many of each side were not compared"
        )
        found = [_without(one, varying) for one in found]
    return found, notes


def _vary_alike(before: Observation, after: Observation) -> bool:
    """Tell whether two legs have in common what may differ in two runs of one program."""
    return (
        before.files == after.files
        and before.constants == after.constants
        and before.commands == after.commands
        and before.read == after.read
    )


def _bare_of_commands(leg: Observation) -> Observation:
    return replace(leg, commands=(), own_commands=())


def _unread(leg: Observation, other: Observation, ends: Collection[str]) -> Observation:
    """Return a leg without the files that it alone reads and whose names end so."""
    kept = {
        name: content
        for name, content in leg.read.items()
        if name in other.read or PurePath(name).suffix not in ends
    }
    return replace(leg, read=kept)


def _unnamed(leg: Observation) -> Observation:
    return replace(leg, files=(), saves=())


def _varying(one: _Numbers, other: _Numbers) -> Iterator[tuple[str, int]]:
    """Yield the graphs in which two runs of a program have other numbers, and how many."""
    for title in one.keys() & other.keys():
        mine, theirs = Counter(one[title]), Counter(other[title])
        if mine != theirs and mine.total() == theirs.total():
            yield title, (mine - theirs).total()


def _without(one: Observed, varying: Mapping[str, int]) -> Observed:
    """Return a pair of legs without numbers that only one has, so many of each graph at most."""
    before, after = dict(one.before.constants), dict(one.after.constants)
    for title, count in varying.items():
        mine, theirs = Counter(before.get(title, ())), Counter(after.get(title, ()))
        if max((mine - theirs).total(), (theirs - mine).total()) <= count:
            before[title] = after[title] = sorted((mine & theirs).elements())
    return replace(
        one,
        before=replace(one.before, constants=before),
        after=replace(one.after, constants=after),
    )


def without_chance(
    compared: Sequence[Comparison], again: Callable[[Scenario], Observation], simulated: bool
) -> list[Comparison]:
    """Return comparisons where what two runs of the program before differ in is inconclusive.

    Where the verdict would be a mismatch in what ran only, `again` runs that program once more, and
    up to three times where that varies, but in something else.
    """
    found, varying = list(compared), set[_Key]()
    if any(
        aspect.name in _SET and aspect.outcome is Outcome.MISMATCH
        for one in compared
        for aspect in one.aspects
    ):
        return found
    for _ in range(_MOST_REPEATED):
        wrong = next((one for one in found if one.outcome is Outcome.MISMATCH), None)
        if wrong is None:
            break
        aspects = compare(wrong.before, again(wrong.scenario), simulated)
        new = {
            key
            for aspect in aspects
            for entry in aspect.entries
            if entry.outcome is Outcome.MISMATCH
            for key in (*_keys(aspect, entry), (aspect.name, "", ""))
        }
        if not new:
            break
        varying |= new
        found = [
            replace(one, aspects=[_unproven(aspect, varying) for aspect in one.aspects])
            for one in compared
        ]
    return found


def _keys(aspect: Aspect, entry: Entry) -> Iterator[_Key]:
    """Yield what tells the entries that vary with one.

    Where threads share what runs, chance decides on other operations each time. What is said of all
    graphs together, such as shapes, varies with any of them.
    """
    yield aspect.name, entry.graph, entry.subject
    if aspect.name == "placement":
        yield aspect.name, entry.graph, ""


def _unproven(aspect: Aspect, varying: set[_Key]) -> Aspect:
    """Return an aspect in which differences that come from run to run prove nothing.

    Sizes of memory are powers of two, and may be the same of other work: they go with the rest.
    """
    reason = "what the program before does differs from run to run, too"
    sizes = aspect.name == "memory" and bool(varying)

    def unproven(entry: Entry) -> Entry:
        varies = not varying.isdisjoint(_keys(aspect, entry)) or (sizes and entry.subject != _MODE)
        return _unless_match(entry, reason) if varies else entry

    return _changed(aspect, unproven)
