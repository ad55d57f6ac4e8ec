"""Results as JSON, one record on each line, as soon as it is known."""

from __future__ import annotations

import json

from tfgpu.report.json import VERSION, finding_records
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import BaseWriter
from tfgpu.results import Result


class Writer(BaseWriter):
    """Writes records of the kinds `finding`, `failure`, and one `summary` at the end."""

    def result(self, result: Result) -> None:
        """Write the findings of one file, and its failure."""
        lines = [_line("finding", record) for record in finding_records(result)]
        if lines:
            self._write("".join(lines))
        if result.reason is not None:
            place = {"path": result.path, "cell": result.cell, "line": result.line}
            self._record("failure", {**place, "reason": result.reason})

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the summary, and the statistics as part of it."""
        record = {"version": VERSION, **summary.as_dict()}
        if statistics is not None:
            record["statistics"] = statistics.as_dict()
        self._record("summary", record)

    def _record(self, kind: str, record: dict[str, object]) -> None:
        self._write(_line(kind, record))


def _line(kind: str, record: dict[str, object]) -> str:
    return json.dumps({"kind": kind, **record}) + "\n"
