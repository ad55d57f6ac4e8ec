"""The functions that threads call, in an order that does not change from run to run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tfgpu.verify.lists import grouped
from tfgpu.verify.observation import Observation
from tfgpu.verify.recorded import Kinds
from tfgpu.verify.recorder.running import OF_A_THREAD

_TITLE = re.compile(rf"function .*{OF_A_THREAD}(?: \d+)?$")
_NUMBER = re.compile(r"(?: \d+)?$")
_TITLED = ("operations", "step", "constants")


def functions_in_order(kinds: Kinds) -> Kinds:
    """Return the lines with the functions of threads numbered by what they do.

    The recorder numbers functions of one name as they are called, and which of its threads calls
    first is chance.
    """
    lines = [line for kind in _TITLED for line in kinds.get(kind, ())]
    does = grouped((one for one in lines if _TITLE.match(one["title"])), lambda one: one["title"])
    titles: dict[str, str] = {}
    for name, alike in grouped(does, lambda title: _NUMBER.sub("", title)).items():
        ordered = sorted(alike, key=lambda title: _does(does[title]))
        for number, title in enumerate(ordered, 1):
            titles[title] = name + (f" {number}" if number > 1 else "")
    if not titles:
        return kinds
    finish = [{**line, "runs": _runs(line, titles)} for line in kinds.get("finish", ())]
    return {**kinds, "finish": finish, **{kind: _titled(kinds, kind, titles) for kind in _TITLED}}


def functions_of_threads(leg: Observation) -> set[str]:
    """Return the titles of the functions that threads of a leg called, side by side or not."""
    return {placement.title for placement in leg.placements if _TITLE.match(placement.title)}


def _does(lines: Sequence[Mapping[str, Any]]) -> tuple[object, ...]:
    """Return what tells functions apart: first what runs where, since names may be chance."""
    ran = sorted(
        [kind, device]
        for line in lines
        if line["kind"] == "operations"
        for _, kind, device in line["operations"]
    )
    steps = sorted(repr(sorted(map(str, line["items"]))) for line in lines if "items" in line)
    return ran, steps, sorted(str(line["found"]) for line in lines if "found" in line)


def _titled(kinds: Kinds, kind: str, titles: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the lines of a kind with the new titles, those of threads in their order."""
    lines = kinds.get(kind, ())
    renamed = [
        {**line, "title": titles[line["title"]]} for line in lines if line["title"] in titles
    ]
    order = {title: number for number, title in enumerate(titles.values())}
    of_threads = iter(sorted(renamed, key=lambda line: order[line["title"]]))
    return [next(of_threads) if line["title"] in titles else line for line in lines]


def _runs(line: Mapping[str, Any], titles: Mapping[str, str]) -> list[list[Any]]:
    return [[titles.get(label, label), *others] for label, *others in line["runs"]]
