"""What a leg's processes did, or would have done, that nothing recorded."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tfgpu.verify.legs import RECORDER, Run
from tfgpu.verify.recorded import Kinds, last

# What runs Python, or may start it later.
_STARTS_PYTHON = re.compile(
    r"(?:\S*/)?-?(?:python|pypy|(?:ba|da|z|k|c|tc|fi|a)?sh|env|nohup|nice|setsid|timeout|xargs|sudo)"
    r"[\d.]*(?:\s|$)"
)
_NO_TENSORFLOW = "No module named 'tensorflow'"


def unseen(run: Run, own: Kinds, parts: Sequence[Kinds], ended: str) -> Iterator[str]:
    """Yield why what a leg's processes do is not known; `ended` is how the leg did."""
    yield from _not_waited_for(parts)
    yield from _without_recorder(run, [own, *parts])
    yield from _without_tensorflow(parts)
    # Where the program was stopped, so were they.
    stopped = any("reached" in one or last(one, "end").get("behind") for one in (own, *parts))
    if ended in ("end", "steps") and not stopped:
        yield from _left_behind(run, parts)


def _not_waited_for(parts: Sequence[Kinds]) -> Iterator[str]:
    for one in parts:
        if "imports" in one and "end" not in one and "session" not in one:
            yield (
                f"a child process ({one['imports'][0]['what']}) imports TensorFlow and did not "
                "come to its end before the program did, so that what it does was not seen"
            )


def _without_recorder(run: Run, records: Sequence[Kinds]) -> Iterator[str]:
    """Name the processes that had TensorFlow in their memory and wrote nothing."""
    known = {line["process"] for one in records for line in one.get("start", [])}
    tries = [line["tried"] for one in records for line in one.get("stands in", [])]
    for one in run.loaded:
        of_a_try = any(begun <= one.first and one.last <= end for begun, end in tries)
        if one.process not in known and not of_a_try:
            yield (
                f"a child process ({_short(run, one.command)}) loads TensorFlow, and was started "
                "without what the run's environment holds (PYTHONPATH, LD_LIBRARY_PATH), so that "
                "what it does was not seen"
            )


def _without_tensorflow(parts: Sequence[Kinds]) -> Iterator[str]:
    """Name the processes whose Python has no TensorFlow, other than that of the program."""
    for one in parts:
        failure = last(one, "end").get("failure") or {}
        if failure.get("kind") == "ModuleNotFoundError" and _NO_TENSORFLOW in failure["message"]:
            yield (
                f"a child process ({last(one, 'child').get('what', '')}) runs a Python that has no "
                "TensorFlow, so that what it would do was not seen: let PATH lead to the one that "
                "has"
            )


def _left_behind(run: Run, parts: Sequence[Kinds]) -> Iterator[str]:
    """Name the processes that could have come to TensorFlow, had they not been ended."""
    own = {line["process"]: one for one in parts for line in one.get("start", [])}
    for process, command in run.left:
        record = own.get(process, {})
        is_told = "end" in record or ("imports" in record and "session" not in record)
        if not is_told and (record or _STARTS_PYTHON.match(command)):
            yield (
                f"a child process ({_short(run, command)}) was still there when the program had "
                "ended, and was ended with it, so that what it would have done was not seen"
            )


def _short(run: Run, command: str) -> str:
    """Return a command without the folder of the program and that of its interpreter.

    A fork has the command of the leg, which is none of the program's.
    """
    if str(RECORDER) in command:
        return f"a fork of {run.program.script.name}"
    shorter = command.replace(f"{run.program.root}{os.sep}", "")
    return shorter.replace(run.program.python, Path(run.program.python).name)
