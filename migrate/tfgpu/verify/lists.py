"""Many things: the first of them as text, and those together that have something in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

_Thing = TypeVar("_Thing")
_Key = TypeVar("_Key", bound=Hashable)


def first_of(texts: Sequence[str], most: int, between: str = ", ") -> str:
    """Return the first of some texts, and how many more there are."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return between.join(texts[:most]) + more


def grouped(things: Iterable[_Thing], key: Callable[[_Thing], _Key]) -> dict[_Key, list[_Thing]]:
    """Return things by a key of theirs, in their order."""
    found: dict[_Key, list[_Thing]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return found
