"""Results as a report of GitLab's Code Quality: one JSON list."""

from __future__ import annotations

import hashlib
import json

from tfgpu.place import in_cell, printable
from tfgpu.report.fingerprint import fingerprints
from tfgpu.report.repository import Repository
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import Result
from tfgpu.rulebook.book import Rulebook

_SEVERITIES = {"error": "critical", "warning": "major", "note": "info"}
_FAILED = "tfgpu-file-failed"


class Writer(BaseWriter):
    """Writes the list, at the end. A file that failed is an entry of the severity `blocker`."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._repository = Repository()
        self._entries: list[dict[str, object]] = []

    def result(self, result: Result) -> None:
        """Keep the findings of one file."""
        if result.reason is not None:
            text = f"{in_cell(result.cell, result.line)}{result.reason}"
            self._add(result.path, 0 if result.cell else result.line, text, _FAILED, "blocker", "")
        known = fingerprints(result.findings)
        for finding, fingerprint in zip(result.findings, known, strict=True):
            self._add(
                result.path,
                0 if finding.cell else finding.line,
                f"{in_cell(finding.cell, finding.line)}{finding.message}; {finding.todo}",
                f"{finding.code} {finding.name}",
                _SEVERITIES[finding.severity],
                fingerprint,
            )

    def _add(
        self, path: str, line: int, text: str, check: str, severity: str, fingerprint: str
    ) -> None:
        path = self._repository.relative(path) or path
        # GitLab wants another one for each entry of a report, whatever its file.
        unique = hashlib.sha256(f"{path}\0{check}\0{fingerprint}".encode("utf-8", "surrogatepass"))
        self._entries.append(
            {
                "description": printable(text),
                "check_name": check,
                "fingerprint": unique.hexdigest()[:32],
                "severity": severity,
                "location": {"path": printable(path), "lines": {"begin": max(line, 1)}},
            }
        )

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the list."""
        self._write(json.dumps(self._entries, indent=2) + "\n")
