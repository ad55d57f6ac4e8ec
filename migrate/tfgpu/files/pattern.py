"""Regular expressions: compiled late, and such that many files are searched for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tfgpu.files.sieve import holds_any

if TYPE_CHECKING:
    expression = re.compile
else:

    class expression:
        """A regular expression that is compiled when it is first used, as few are in most runs."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self.pattern = pattern
            self._flags = flags

        def __getattr__(self, name: str) -> Any:
            """Return a method, which is an attribute from then on."""
            method = getattr(re.compile(self.pattern, self._flags), name)
            setattr(self, name, method)
            return method


class Pattern:
    """Words and expressions of which bytes may hold one.

    Words are found many times faster than expressions are, and an expression that begins with
    letters faster than another one: what has to precede it goes into a lookbehind.
    """

    def __init__(self, words: tuple[bytes, ...], *texts: bytes) -> None:
        self.words = words
        self.texts = texts
        self._expressions = tuple(map(expression, texts))

    def search(self, data: bytes) -> bool:
        """Tell whether bytes hold one of the words, or match one of the expressions."""
        return holds_any(data, self.words) or any(item.search(data) for item in self._expressions)
