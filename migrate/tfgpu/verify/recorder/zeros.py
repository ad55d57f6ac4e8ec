"""Zeros of the shape and type of a tensor, for what is not there or was not computed."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any


def zeros(kind: Any, shape: Any, first: int = 1) -> Any:
    """Return zeros, of text empty ones; sizes that are not known are 1, the first one `first`."""
    numpy: Any = importlib.import_module("numpy")
    kind = kind.base_dtype
    value = b"" if kind.name == "string" else 0
    return numpy.full(sizes(shape, first), value, kind.as_numpy_dtype)[()]


def sizes(shape: Any, first: int = 1) -> list[int]:
    """Return the sizes of a shape; without a known rank it is that of a number."""
    known = [] if shape.rank is None else shape.as_list()
    return [(1 if number else first) if size is None else size for number, size in enumerate(known)]


def examples(feeds: Mapping[Any, Any]) -> int:
    """Return the number of examples in what is fed: the first size where that is not declared."""
    found = set()
    for key, value in feeds.items():
        declared = (key.deref() if hasattr(key, "deref") else key).shape
        if declared.rank and declared.as_list()[0] is None:
            found.add(len(value))
    return found.pop() if len(found) == 1 else 1
