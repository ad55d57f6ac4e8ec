"""What a reader of a verdict must know about how the comparison was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tfgpu.verify.isolation.mechanism import Mechanism
from tfgpu.verify.keras import notes_on_keras
from tfgpu.verify.memory.confidence import without_kernels
from tfgpu.verify.verdict import Comparison

# So many things that got synthetic data are named.
_MOST_MADE = 10


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
            "after: the same, since the migration leaves the imports alone: the program runs on "
            "TensorFlow 1.15, and not on TensorFlow 2 as it stands"
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
        more = f" and {len(made) - _MOST_MADE} more" if len(made) > _MOST_MADE else ""
        yield f"synthetic data: {'; '.join(made[:_MOST_MADE])}{more}"
    yield mechanism.words
    read_only = sorted({path for leg in legs for path in leg.read_only})
    if read_only:
        yield f"neither run could write below {', '.join(read_only)}"
