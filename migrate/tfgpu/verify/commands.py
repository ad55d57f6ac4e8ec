"""Commands that a leg's processes start, as far as their own records do not tell what they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tfgpu.verify.recorded import Kinds, last


def commands(told: Sequence[Kinds]) -> list[str]:
    """Return what shows of the commands that the processes of a leg, with these records, start.

    Of a command that starts a process with a record of its own, that is what decides on its
    libraries, and the status with which it failed.
    """
    known = _known(told)
    failed = {tuple(line["of"]): line["status"] for line in _lines(told, "command ended")}
    found = []
    for line in _lines(told, "command"):
        is_known = tuple(line["order"]) in known
        given = line["loader"] if is_known else [*line["loader"], *line["environment"]]
        status = failed.get(tuple(line["of"]))
        if given or status or not is_known:
            words = "Python" if is_known else line["words"]
            told_it = f" with {', '.join(given)}" if given else ""
            found.append(f"{words}{told_it}{f': exit status {status}' if status else ''}")
    return found


def own_commands(told: Sequence[Kinds]) -> list[str]:
    """Return those that the program's own code starts, and of which no record tells what they do.

    Only their words: libraries, and what is around them, are others with another TensorFlow.
    """
    known = _known(told)
    return [
        line["words"]
        for line in _lines(told, "command")
        if line["own"] and tuple(line["order"]) not in known
    ]


def _known(told: Sequence[Kinds]) -> set[tuple[int, ...]]:
    """Return the places in the order of starts of what has a record of its own."""
    orders = [tuple(last(one, "start").get("order", ())) for one in told]
    return {order[:length] for order in orders for length in range(1, len(order) + 1)}


def _lines(told: Sequence[Kinds], kind: str) -> Iterator[Mapping[str, Any]]:
    for one in told:
        yield from one.get(kind, [])
