"""One line for each finding, for grep and editors."""

from __future__ import annotations

from tfgpu.place import place, printable
from tfgpu.report.summary import Statistics, Summary, statistics_lines
from tfgpu.report.writer import BaseWriter
from tfgpu.results import Finding, Result


class Writer(BaseWriter):
    """Writes `path:line:column: CODE name message`."""

    def result(self, result: Result) -> None:
        """Write the findings of one file."""
        lines = [f"{_line(result.path, finding)}\n" for finding in result.findings]
        if lines:
            self._write("".join(lines))

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the statistics."""
        for line in statistics_lines(statistics, summary) if statistics is not None else ():
            self._write(f"{line}\n")


def _line(path: str, finding: Finding) -> str:
    where = place(path, finding.line, finding.column, finding.cell)
    return printable(f"{where}: {finding.code} {finding.name} {finding.message}")
