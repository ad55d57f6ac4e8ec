"""Puts the sessions that threads made into one order, since which comes first is left to chance."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from tfgpu.verify.compare.pairing import plain_sessions
from tfgpu.verify.observation import Observation, Placement, Runs, Session, Step

_TITLE = re.compile(r"^session \d+")
_Titled = TypeVar("_Titled", Placement, Step)


def in_order_of(before: Observation, after: Observation) -> Observation:
    """Return a leg with its sessions named in the order of the other's.

    Those of threads are told by their devices and by what ran where. Where these are not the same
    on both sides, the leg stays as it is.
    """
    left, right = plain_sessions(before), plain_sessions(after)
    if not any(one.apart for one in left) or len(left) != len(right):
        return after
    open_, titles = list(right), dict[str, str]()
    for mine in left:
        like = _sign(mine, before)
        found = next((one for one in open_ if _sign(one, after) == like), None)
        if found is None:
            return after
        open_.remove(found)
        titles[found.title] = mine.title
    return after if all(old == new for old, new in titles.items()) else _renamed(after, titles)


def _sign(session: Session, leg: Observation) -> object:
    """Return what tells a session; of one of the first thread, which of these it is."""
    if not session.apart:
        return [one.title for one in plain_sessions(leg) if not one.apart].index(session.title)
    ran = sorted(
        (operation.name, operation.device)
        for graph in leg.placements
        if graph.title == session.title
        for operation in graph.operations
    )
    return list(session.devices), ran


def _renamed(leg: Observation, titles: Mapping[str, str]) -> Observation:
    def name(text: str) -> str:
        return _TITLE.sub(lambda found: titles.get(found[0], found[0]), text)

    def runs(one: Runs) -> Runs:
        return replace(one, label=name(one.label))

    def titled(found: list[_Titled]) -> list[_Titled]:
        """Sort those of sessions among themselves."""
        sessions = iter(sorted((one for one in found if one.title in titles.values()), key=_number))
        return [next(sessions) if one.title in titles.values() else one for one in found]

    plain = sorted(
        (replace(one, title=titles[one.title]) for one in leg.sessions if one.title in titles),
        key=_number,
    )
    return replace(
        leg,
        sessions=[*(one for one in leg.sessions if one.title not in titles), *plain],
        placements=titled(
            [
                replace(
                    graph,
                    title=name(graph.title),
                    operations=[replace(one, name=name(one.name)) for one in graph.operations],
                )
                for graph in leg.placements
            ]
        ),
        work=titled(
            [
                replace(step, title=name(step.title), runs=step.runs and runs(step.runs))
                for step in leg.work
            ]
        ),
        runs=[runs(one) for one in leg.runs],
        graphs={name(title): size for title, size in leg.graphs.items()},
        constants=_constants(leg, titles),
    )


def _number(titled: Session | Placement | Step) -> int:
    return int(titled.title.rpartition(" ")[2])


def _constants(leg: Observation, titles: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """Return the numbers in graphs, which are those of sessions where each has its own."""
    own = [title for title in leg.constants if title.startswith("graph ")]
    if len(own) != len(titles):
        return leg.constants
    new = {
        old.replace("session", "graph"): one.replace("session", "graph")
        for old, one in titles.items()
    }
    return {new.get(title, title): found for title, found in leg.constants.items()}
