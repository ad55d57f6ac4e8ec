"""What a finding is known by from one run to the next, wherever its line has moved to."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from tfgpu.results import Finding


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """Return the fingerprint of each finding of one file, in their order.

    It is made of the rule's code, the source line whatever its spaces, and how many findings of
    that kind come before it in the file: a line that moves, or comes and goes, changes no other.
    The path is no part of it.
    """
    # A line with many findings is taken apart once, and hashed once for each rule.
    lines: dict[str, str] = {}
    kinds: dict[tuple[str, str], _Kind] = {}
    made = [""] * len(findings)
    for place in sorted(range(len(findings)), key=lambda place: _order(findings[place])):
        code, snippet = findings[place].code, findings[place].snippet
        if snippet not in lines:
            lines[snippet] = " ".join(snippet.split())
        key = (code, lines[snippet])
        if key not in kinds:
            kinds[key] = _Kind(*key)
        made[place] = kinds[key].next()
    return made


class _Kind:
    """The findings of one rule in lines of one text."""

    def __init__(self, code: str, line: str) -> None:
        self._hash = hashlib.sha256(f"{code}\0{line}\0".encode("utf-8", "surrogatepass"))
        self._seen = 0

    def next(self) -> str:
        """Return the fingerprint of one more."""
        self._seen += 1
        made = self._hash.copy()
        made.update(str(self._seen).encode())
        return made.hexdigest()[:16]


def _order(finding: Finding) -> tuple[int, int, int, str]:
    return finding.cell, finding.line, finding.column, finding.message
