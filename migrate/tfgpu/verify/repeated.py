"""Leaves out names of files that a program does not choose alike in two runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import Observed


def settled(
    observed: Sequence[Observed], again: Callable[[], Observation]
) -> tuple[list[Observed], str]:
    """Return what the legs showed, without names of files that differ from run to run, and a note.

    Where the first legs have not the same names, `again` runs the program before once more.
    """
    own = observed[0]
    if own.before.files == own.after.files or own.before.ended not in ("end", "steps"):
        return list(observed), ""
    if again().files == own.before.files:
        return list(observed), ""
    bare = [
        replace(one, before=_unnamed(one.before), after=_unnamed(one.after)) for one in observed
    ]
    return bare, (
        "names of the files that the program before writes differ from run to run: what was "
        "written was not compared"
    )


def _unnamed(leg: Observation) -> Observation:
    return replace(leg, files=(), saves=())
