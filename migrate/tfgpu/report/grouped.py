"""Results for people: grouped by file, with the source lines."""

from __future__ import annotations

from click import style

from tfgpu.place import place, printable
from tfgpu.report.summary import Statistics, Summary, count, statistics_lines
from tfgpu.report.text import finding_lines
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import Result
from tfgpu.rulebook.book import Rulebook


class Writer(BaseWriter):
    """Writes a heading for each file, and for each finding the line that it is about."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._begun = False

    def result(self, result: Result) -> None:
        """Write the findings of one file."""
        if not result.findings:
            return
        self._gap()
        lines = [style(_heading(result), bold=True, underline=True)]
        for finding in result.findings:
            lines += finding_lines(result.path, finding)
        self._write("".join(f"{line}\n" for line in lines))

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the statistics."""
        if statistics is not None:
            self._gap()
            for line in statistics_lines(statistics, summary):
                self._line(line)

    def _gap(self) -> None:
        if self._begun:
            self._line("")
        self._begun = True

    def _line(self, line: str) -> None:
        self._write(f"{line}\n")


def _heading(result: Result) -> str:
    words = [count(len(result.findings), "finding")]
    if result.configs:
        migrating = sum(config.kept_by is None for config in result.configs)
        words.append(f"{count(len(result.configs), 'config')}, {migrating:,} convertible")
    return f"{printable(place(result.path))}: {'; '.join(words)}"
