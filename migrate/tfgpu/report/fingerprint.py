"""What a finding is known by from one run to the next, wherever its line has moved to."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from tfgpu.findings import Finding


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """Return the fingerprint of each finding of one file, in their order.

    It is made of the rule's code, the source line whatever its spaces, and how many findings of
    that kind come before it in the file: a line that moves, or comes and goes, changes no other.
    The path is no part of it.
    """
    seen: Counter[str] = Counter()
    made = [""] * len(findings)
    for place in sorted(range(len(findings)), key=lambda place: _order(findings[place])):
        finding = findings[place]
        key = f"{finding.code}\0{' '.join(finding.snippet.split())}"
        seen[key] += 1
        text = f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")
        made[place] = hashlib.sha256(text).hexdigest()[:16]
    return made


def _order(finding: Finding) -> tuple[int, int, int, str]:
    return finding.cell, finding.line, finding.column, finding.message
