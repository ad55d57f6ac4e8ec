"""Compares how two legs ended, and shows what they printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tfgpu.verify.assumptions import HELD
from tfgpu.verify.compare.errors import compare_errors
from tfgpu.verify.compare.files import compare_files, compare_read
from tfgpu.verify.compare.pairing import (
    EAGER,
    differing_runs,
    ending_text,
    has_idle_context,
    runs_by_label,
    same_form,
    same_kind,
    same_runtime,
    same_words,
    session_pairs,
)
from tfgpu.verify.compare.settings import ALL, differing
from tfgpu.verify.inputs import ARGUMENTS
from tfgpu.verify.lists import first_of
from tfgpu.verify.observation import Observation, Runs
from tfgpu.verify.verdict import HOW_IT_ENDED, Entry, Outcome

# Places named in a reason.
_MOST_PLACES = 6
_MOST_SHAPES = 3
# A step that is fed as many shapes, or more, is fed what differs from run to run.
_VARIED = 4
_OUT_OF_MEMORY = "ResourceExhaustedError"
# Errors that no setting of a GPU brings about.
_OF_CODE = ("ImportError", "ModuleNotFoundError", "NameError", "SyntaxError")


def compare_result(before: Observation, after: Observation, simulated: bool) -> list[Entry]:
    """Return how the legs ended, why one proves nothing, and what they printed."""
    entries = [
        Entry(f"{name} leg", Outcome.INCONCLUSIVE, "", "", reason)
        for name, leg in (("before", before), ("after", after))
        for reason in leg.trouble
    ]
    return [
        *entries,
        ending(before, after),
        *compare_errors(before, after),
        *proof(before, after),
        *_graphs(before, after),
        *_unread(after),
        *_constants(after),
        *compare_read(before, after),
        *_commands(before, after),
        *_steps(before, after),
        *compare_files(before, after),
        _output(before, after, simulated),
    ]


def proof(before: Observation, after: Observation) -> list[Entry]:
    """Return whether two legs show what no match is without, however alike they are."""
    return [*_evidence(before, after), *_changed(before, after), *_assumed(before, after)]


def ending(before: Observation, after: Observation) -> Entry:
    """Return how two legs, or children of them, ended."""
    texts = ending_text(before), ending_text(after)
    failure = after.failure or before.failure
    source = failure.source if failure else ""

    def entry(outcome: Outcome, reason: str = "") -> Entry:
        return Entry(HOW_IT_ENDED, outcome, *texts, reason, source=source)

    ended = {before.ended, after.ended}
    forms = ended == {"end", "steps"} and not same_form(before, after)
    if before.behind != after.behind and (forms or ended == {"steps"}):
        reason = "behind the wanted steps the sides end differently, which may come of old results"
        return entry(Outcome.INCONCLUSIVE, reason)
    if forms:
        reason = "one form of the program was stopped in its steps, the other came to its end"
        return entry(Outcome.IGNORED, reason)
    if "blocked" in ended:
        return entry(Outcome.INCONCLUSIVE, "one side could not be run")
    if len(ended) > 1 or before.status != after.status:
        behind = _behind(before, after)
        reason = f"the two sides end differently{behind and ': '}{behind}"
        return entry(Outcome.MISMATCH, reason)
    if ended & {"timeout", "signal"}:
        return entry(Outcome.INCONCLUSIVE, "neither side got to its end")
    if before.reached and after.reached and _same_failure(before, after):
        return entry(Outcome.MATCH, "behind the first session, where both sides were to stop")
    if ended == {"exit"}:
        unseen = "" if before.status else ", and what they did at last was not seen"
        return entry(Outcome.INCONCLUSIVE, f"both sides end with {texts[0]}{unseen}")
    mine, theirs = before.failure, after.failure
    if mine is None or theirs is None:
        return entry(Outcome.MATCH)
    if mine.kind != theirs.kind:
        return entry(Outcome.MISMATCH, "another exception")
    if not (mine.from_tensorflow and theirs.from_tensorflow):
        reason = "both sides fail in the program itself; what would come after was not compared"
        return entry(Outcome.INCONCLUSIVE, reason)
    rest = "what would come after was not compared"
    if same_words(mine, theirs):
        return entry(Outcome.INCONCLUSIVE, f"the same error on both sides; {rest}")
    if mine.kind == _OUT_OF_MEMORY:
        reason = f"both run out of memory, where depends on the order of operations; {rest}"
        return entry(Outcome.INCONCLUSIVE, reason)
    if not same_runtime(before, after) or not same_kind(before, after):
        reason = f"the same error, worded differently by two versions or forms; {rest}"
        return entry(Outcome.INCONCLUSIVE, reason)
    return entry(Outcome.MISMATCH, "the same exception with another message")


def _same_failure(before: Observation, after: Observation) -> bool:
    mine, theirs = before.failure, after.failure
    if mine is None or theirs is None:
        return mine is theirs
    return mine.kind == theirs.kind and same_words(mine, theirs)


def _evidence(before: Observation, after: Observation) -> list[Entry]:
    """Return why there is too little to compare: there are GPUs and nothing ran on one."""
    if not any(gpus_of(before, after)):
        return []
    if any(one.on_gpus for leg in (before, after) for one in (leg, *leg.children)):
        return []
    reason = "there are GPUs, and no operation ran on one, on either side"
    return [Entry("operations on GPUs", Outcome.INCONCLUSIVE, "none", "none", reason)]


def gpus_of(before: Observation, after: Observation) -> tuple[int, int]:
    """Return how many GPUs the sessions of each leg had, its processes' too: the most of one."""
    idle = has_idle_context(before, after)
    counts = [
        max(
            (
                sum(one.name.startswith("GPU:") for one in session.devices)
                for process in (leg, *leg.children)
                for session in process.sessions
                if not (idle and session.title == EAGER)
            ),
            default=0,
        )
        for leg in (before, after)
    ]
    return counts[0], counts[1]


def _graphs(before: Observation, after: Observation) -> list[Entry]:
    """Return whether graphs that were not run would put out as much on both sides."""
    if not same_runtime(before, after) or before.graphs == after.graphs:
        return []
    texts = tuple(
        "; ".join(f"{title}: {size:,} bytes" for title, size in leg.graphs.items()) or "none"
        for leg in (before, after)
    )
    reason = "what the graphs would put out differs, and none was run"
    return [Entry("results of graphs", Outcome.INCONCLUSIVE, texts[0], texts[1], reason)]


def _changed(before: Observation, after: Observation) -> list[Entry]:
    """Return whether all statements that the two sides do not share did run."""
    if not before.changed and not after.changed:
        return []
    texts = _ran(before), _ran(after)
    missing = [
        f"{name}: {place}"
        for name, leg in (("before", before), ("after", after))
        for place in leg.not_run
    ]
    if not missing:
        return [Entry("changed statements", Outcome.MATCH, *texts)]
    places = first_of(missing, _MOST_PLACES, "; ")
    reason = "; ".join([f"what was changed did not all run: {places}", *_ways(before, after)])
    return [Entry("changed statements", Outcome.INCONCLUSIVE, *texts, reason)]


def _ways(before: Observation, after: Observation) -> Iterator[str]:
    """Yield what may reach the changed statements that did not run, nothing behind an error."""
    legs = [one for one in (before, after) if one.not_run and one.ended != "exception"]
    if any(one.ended == "steps" for one in legs):
        yield "they may stand behind the runs of a step that were done: --steps 0 runs to the end"
    if any(one.takes_arguments for one in legs):
        yield "other arguments may reach it: --args 'A LIST OF THEM', once for each list"


def _unread(after: Observation) -> list[Entry]:
    """Return what the program after is told in vain, where nothing told it in these runs."""
    if not after.unread:
        return []
    names = ", ".join(after.unread)
    # Variables of the environment and standard input are what they are where tfgpu was started.
    way = (
        "no list of arguments gives it: --args 'A LIST' with it shows whether that matters"
        if any(one.startswith("-") or one == ARGUMENTS for one in after.unread)
        else "what each other value of it would do before was not compared: read it there, too"
    )
    reason = f"the program after does not read {names} any more, and {way}"
    return [Entry("inputs", Outcome.INCONCLUSIVE, names, "not read", reason)]


def _constants(after: Observation) -> list[Entry]:
    """Return the constants of the program that were changed."""
    if not after.new_constants:
        return []
    texts = first_of(after.new_constants, _MOST_PLACES, "; ")
    reason = (
        f"constants were changed: {texts}; where nothing else differs, no evidence shows what they "
        "do: leave them as they were, and change them apart from the migration"
    )
    old, new = "as before the change", "changed"
    return [Entry("constants of the program", Outcome.INCONCLUSIVE, old, new, reason)]


def _commands(before: Observation, after: Observation) -> list[Entry]:
    """Return the commands that one side only starts, of which no record tells what they do."""
    sides = (before.commands, after.commands)
    if not same_runtime(before, after):  # whose libraries start others
        sides = (before.own_commands, after.own_commands)
    if sorted(sides[0]) == sorted(sides[1]):
        return []
    mine, theirs = map(Counter, sides)
    if {before.ended, after.ended} != {"end"}:
        mine, theirs = Counter(mine.keys()), Counter(theirs.keys())
    only = ([*(mine - theirs).elements()], [*(theirs - mine).elements()])
    if not any(only):
        return []
    texts = tuple(first_of(one, _MOST_PLACES, "; ") for one in only)
    reason = "other commands are started, and nothing records what these do"
    return [Entry("commands", Outcome.INCONCLUSIVE, texts[0], texts[1], reason)]


def _assumed(before: Observation, after: Observation) -> list[Entry]:
    """Return what became of the assumptions of the migration, whichever side shows it."""
    entries = []
    for name, leg in (("before", before), ("after", after)):
        for one in leg.assumptions:
            outcome = Outcome.MATCH if one.status == HELD else Outcome.INCONCLUSIVE
            texts = (one.status, "") if name == "before" else ("", one.status)
            because = f" ({one.detail})" if one.detail else ""
            reason = f"the migration rests on: {one.assumption.text}; {one.status}{because}"
            subject = f"assumption {one.assumption.id}"
            entries.append(Entry(subject, outcome, *texts, reason, source=one.assumption.place))
    return entries


def _ran(leg: Observation) -> str:
    return f"{len(leg.changed) - len(leg.not_run)} of {len(leg.changed)} ran"


def _behind(before: Observation, after: Observation) -> str:
    """Return which settings differ, since one of them may decide how a leg ends."""
    if any(leg.failure and leg.failure.kind in _OF_CODE for leg in (before, after)):
        return ""
    found = [
        text
        for pair in session_pairs(before, after)
        for text in differing(ALL, before, after, pair)
    ]
    return "; ".join(dict.fromkeys(found))


def _steps(before: Observation, after: Observation) -> list[Entry]:
    if before.ended != after.ended or not same_form(before, after):
        return []
    if before.steps != after.steps:
        texts = (str(before.steps), str(after.steps))
        return [Entry("steps", Outcome.MISMATCH, *texts, "one side runs more steps than the other")]
    left, right = runs_by_label(before), runs_by_label(after)
    reason = "this step runs more often on one side"
    return [*_fed(left, right)] + [
        Entry("runs of a step", Outcome.INCONCLUSIVE, *told, reason, graph=label)
        for label in sorted(left.keys() & right.keys())
        if before.ended == "end" and (told := differing_runs(left[label], right[label]))
    ]


def _fed(before: Mapping[str, Runs], after: Mapping[str, Runs]) -> Iterator[Entry]:
    """Yield steps that are fed other shapes on one side, which need other memory."""
    for label in sorted(before.keys() & after.keys()):
        left, right = before[label].fed, after[label].fed
        if left == right:
            continue
        texts = _shapes(left), _shapes(right)
        fewer = min(len(left), len(right))
        # A loop that time ends sees as many of its random shapes as it comes to.
        by_chance = fewer >= _VARIED and 2 * len(left & right) >= fewer
        if by_chance and differing_runs(before[label], after[label]):
            outcome = Outcome.INCONCLUSIVE
            reason = "this step is fed shapes that vary, and runs more often on one side"
        else:
            outcome, reason = Outcome.MISMATCH, "this step is fed other shapes on one side"
        yield Entry("shapes fed", outcome, *texts, reason, graph=label)


def _shapes(fed: frozenset[str]) -> str:
    return first_of(sorted(fed) or ["none"], _MOST_SHAPES, "; ")


def _lines(leg: Observation) -> str:
    return f"{len(leg.stdout.splitlines())} lines"


def _output(before: Observation, after: Observation, simulated: bool) -> Entry:
    texts = _lines(before), _lines(after)
    if simulated:
        reason = "simulated GPUs compute zeros: what the programs print is shown, not compared"
        return Entry("printed output", Outcome.IGNORED, *texts, reason)
    if before.stdout == after.stdout:
        return Entry("printed output", Outcome.MATCH, *texts)
    reason = "numbers may differ from run to run on a GPU: compare what the programs print by eye"
    return Entry("printed output", Outcome.IGNORED, *texts, reason)
