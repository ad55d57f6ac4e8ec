"""Regular expressions that many files are searched for, most of which have none."""

from __future__ import annotations

import re
from functools import cached_property

from tfgpu.files.sieve import holds_any


class Pattern:
    """Words and expressions of which bytes may hold one.

    Words are found many times faster than expressions are, and an expression that begins with
    letters faster than another one: what has to precede it goes into a lookbehind.
    """

    def __init__(self, words: tuple[bytes, ...], *expressions: bytes) -> None:
        self.words = words
        self.texts = expressions

    @cached_property
    def _expressions(self) -> tuple[re.Pattern[bytes], ...]:
        return tuple(map(re.compile, self.texts))

    def search(self, data: bytes) -> bool:
        """Tell whether bytes hold one of the words, or match one of the expressions."""
        return holds_any(data, self.words) or any(item.search(data) for item in self._expressions)
