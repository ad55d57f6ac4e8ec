"""Results as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from migrate.process import Result
from migrate.report.summary import Summary


def document(results: Iterable[Result], summary: Summary) -> str:
    """Return a document with `files`, `findings` and `summary`; places count from 1.

    `files` lists those that were parsed or failed. For a config, `kept_by` is the rule that kept
    it, and `none_by` the one that says that tf.config has nothing for it; null where there is none.
    """
    results = list(results)
    files = [_file(result) for result in results if result.parsed or result.reason]
    findings = [
        {"path": result.path, **asdict(finding)}
        for result in results
        for finding in result.findings
    ]
    return json.dumps(
        {"files": files, "findings": findings, "summary": summary.as_dict()}, indent=2
    )


def _file(result: Result) -> Mapping[str, object]:
    entry: dict[str, object] = {
        "path": result.path,
        "changes": result.changes,
        "configs": [
            {"line": config.line, "kept_by": config.kept_by, "none_by": result.none_by(config)}
            for config in result.configs
        ],
    }
    if result.reason is not None:
        entry["error"] = {"reason": result.reason, "line": result.line}
    return entry
