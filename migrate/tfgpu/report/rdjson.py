"""Results as reviewdog's diagnostic format: one JSON document."""

from __future__ import annotations

import json

from tfgpu.place import in_cell, printable
from tfgpu.report.repository import Repository, rule_link
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import Finding, Result
from tfgpu.rulebook.book import Rulebook

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}

Json = dict[str, object]


class Writer(BaseWriter):
    """Writes one document with all diagnostics, at the end."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._repository = Repository()
        self._diagnostics: list[Json] = []

    def result(self, result: Result) -> None:
        """Keep the findings of one file, and its failure."""
        if result.reason is not None:
            at: Json = {"start": {"line": result.line}}
            known = at if result.line and not result.cell else None
            message = f"{in_cell(result.cell, result.line)}{result.reason}"
            self._add(result.path, message, known, "ERROR", {})
        for finding in result.findings:
            code: Json = {"value": f"{finding.code} {finding.name}"}
            rule = self._book.find(finding.code)
            link = None if rule is None else rule_link(rule)
            if link is not None:
                code["url"] = link
            message = f"{in_cell(finding.cell, finding.line)}{finding.message}\n{finding.todo}"
            severity = _SEVERITIES[finding.severity]
            self._add(result.path, message, _range(finding), severity, {"code": code})

    def _add(self, path: str, message: str, where: Json | None, severity: str, more: Json) -> None:
        location: Json = {"path": printable(self._repository.relative(path) or path)}
        if where:
            location["range"] = where
        text = printable(message, keep="\n")
        self._diagnostics.append(
            {"message": text, "location": location, "severity": severity, **more}
        )

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the document."""
        document = {"source": {"name": "tfgpu"}, "diagnostics": self._diagnostics}
        self._write(json.dumps(document, indent=2) + "\n")


def _range(finding: Finding) -> Json | None:
    """Return the range of a finding; its columns count bytes of UTF-8."""
    if finding.cell or not finding.line:
        return None
    column = _bytes(finding.snippet, finding.column)
    start = {"line": finding.line, **({"column": column} if column else {})}
    if not finding.end_line:
        return {"start": start}
    end = {"line": finding.end_line}
    if column and finding.end_line == finding.line:
        end["column"] = _bytes(finding.snippet, finding.end_column)
    return {"start": start, "end": end}


def _bytes(line: str, column: int) -> int:
    """Return the column in bytes of one in characters, 0 where it is not known."""
    if not column or column > len(line) + 1:
        return 0
    return len(line[: column - 1].encode("utf-8", "surrogatepass")) + 1
