"""Results as annotations of GitHub Actions: workflow commands on standard output."""

from __future__ import annotations

from collections import Counter

from tfgpu.place import in_cell, place, printable
from tfgpu.report.repository import Repository
from tfgpu.report.summary import Statistics, Summary, count
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import SESSION, SETTING, Finding, Result
from tfgpu.rulebook.book import Rulebook

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
# GitHub shows ten annotations of a kind for each step; one notice is for how many there are more.
_MOST = {"error": 10, "warning": 10, "notice": 9}


class Writer(BaseWriter):
    """Writes as many annotations as GitHub shows, and counts the others."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._repository = Repository()
        self._written: Counter[str] = Counter()
        self._left_out = 0

    def result(self, result: Result) -> None:
        """Write the annotations of one file."""
        if result.reason is not None:
            where = _lines(result.line, 0) if not result.cell else {}
            cell = f"{place('', result.line, cell=result.cell)[1:]}: " if result.cell else ""
            title = "tfgpu: the file failed"
            self._command("error", result.path, where, title, f"{cell}{result.reason}")
        for finding in result.findings:
            # What only stays beside what keeps its config would take the place of other findings.
            if finding.caused_by and finding.part in (SETTING, SESSION):
                continue
            cell = in_cell(finding.cell, finding.line, finding.column)
            self._command(
                _COMMANDS[finding.severity],
                result.path,
                _where(finding),
                f"{finding.code} {finding.name}",
                f"{cell}{finding.message}\n{finding.todo}",
            )

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Say how many annotations are left out."""
        if self._left_out:
            text = (
                f"{count(self._left_out, 'more annotation')}; GitHub shows ten of a kind, "
                "tfgpu audit --format text shows all"
            )
            self._write(f"::notice title=tfgpu::{_data(text)}\n")

    def _command(
        self, name: str, path: str, where: dict[str, int], title: str, message: str
    ) -> None:
        if self._written[name] == _MOST[name]:
            self._left_out += 1
            return
        self._written[name] += 1
        properties = {"file": self._repository.relative(path) or path, **where, "title": title}
        made = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
        self._write(f"::{name} {made}::{_data(message)}\n")


def _where(finding: Finding) -> dict[str, int]:
    # Lines of a cell are not those of the file that GitHub shows.
    if finding.cell:
        return {}
    where = _lines(finding.line, finding.end_line)
    if finding.line and finding.end_line == finding.line:
        where |= {"col": finding.column, "endColumn": finding.end_column}
    return where


def _lines(line: int, end: int) -> dict[str, int]:
    if not line:
        return {}
    return {"line": line, "endLine": end} if end else {"line": line}


def _data(text: str) -> str:
    """Escape a message, in which line ends are allowed."""
    text = printable(text, keep="\r\n")
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
