"""Results as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from tfgpu.report.excerpt import shortened
from tfgpu.report.fingerprint import fingerprints
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import BaseWriter
from tfgpu.results import INNER, Finding, Result

# Goes up when a key goes away or means something else; keys can be added without.
VERSION = 1
_FIELDS = tuple(field.name for field in fields(Finding) if field.name not in INNER)


class Writer(BaseWriter):
    """Writes one document, at the end."""

    def result(self, result: Result) -> None:
        """Keep a result that has something to tell."""
        if result.parsed or result.reason is not None:
            self._results.append(result)

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the document."""
        self._write(document(self._results, summary, statistics) + "\n")


def document(
    results: Iterable[Result], summary: Summary, statistics: Statistics | None = None
) -> str:
    """Return a document with `version`, `files`, `findings` and `summary`; places count from 1.

    `files` lists those that were parsed or failed; `statistics` is there if it was asked for. For a
    config, `kept_by` is the rule that kept it, and `none_by` the one that says that tf.config has
    nothing for it; null where there is none.
    """
    results = list(results)
    made: dict[str, object] = {
        "version": VERSION,
        "files": [_file(result) for result in results if result.parsed or result.reason],
        "findings": [finding for result in results for finding in finding_records(result)],
        "summary": summary.as_dict(),
    }
    if statistics is not None:
        made["statistics"] = statistics.as_dict()
    return json.dumps(made, indent=2)


def finding_records(result: Result) -> Iterator[dict[str, object]]:
    """Yield the findings of a file, each with all its fields, the path and the fingerprint."""
    for finding, known_by in zip(result.findings, fingerprints(result.findings), strict=True):
        record = {name: getattr(finding, name) for name in _FIELDS}
        record["snippet"] = shortened(finding)
        yield {"path": result.path, **record, "fingerprint": known_by}


def _file(result: Result) -> Mapping[str, object]:
    entry: dict[str, object] = {
        "path": result.path,
        "changes": result.changes,
        "configs": [
            {name: getattr(config, name) for name in ("line", "cell", "kept_by", "none_by")}
            for config in result.configs
        ],
    }
    if result.reason is not None:
        entry["error"] = {"reason": result.reason, "line": result.line, "cell": result.cell}
    return entry
