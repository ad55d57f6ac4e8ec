"""Results as SARIF 2.1.0, for code scanning and for editors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import shorten

from tfgpu import __version__
from tfgpu.place import in_cell, place, printable
from tfgpu.report.edits import replacements
from tfgpu.report.excerpt import shortened
from tfgpu.report.fingerprint import fingerprints
from tfgpu.report.repository import Repository, rule_link
from tfgpu.report.rules import rule_page
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import Finding, Result
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import Rule

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_LONGEST = 1024  # characters of a description, for GitHub
_FINGERPRINT = "tfgpuFinding/v1"
# What GitHub calls the levels of findings that are no security problems.
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}

Json = dict[str, object]


class Writer(BaseWriter):
    """Writes one log with one run, at the end."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._repository = Repository()
        self._rules: dict[str, tuple[int, str]] = {}
        self._found: list[Json] = []
        self._notifications: list[Json] = []

    def result(self, result: Result) -> None:
        """Keep the findings of one file."""
        if result.reason is not None:
            self._notifications.append(self._failure(result))
        fix = self._fix(result)
        known = fingerprints(result.findings)
        for finding, fingerprint in zip(result.findings, known, strict=True):
            index, _ = self._rules.setdefault(finding.code, (len(self._rules), finding.name))
            cell = in_cell(finding.cell, finding.line, finding.column)
            made: Json = {
                "ruleId": finding.code,
                "ruleIndex": index,
                "level": finding.severity,
                "message": {"text": printable(f"{cell}{finding.message}. {_way(finding)}")},
                "locations": [self._location(result.path, finding)],
                "partialFingerprints": {_FINGERPRINT: fingerprint},
                "properties": {"fix": finding.fix, **_belongs(finding)},
            }
            if fix is not None and finding.fix == "safe":
                made["fixes"] = [fix]
            self._found.append(made)

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the log."""
        driver = {
            "name": "tfgpu",
            "version": __version__,
            "rules": [self._rule(code, name) for code, (_, name) in self._rules.items()],
        }
        invocation = {
            "executionSuccessful": not summary.files_failed,
            "toolExecutionNotifications": self._notifications,
        }
        run = {
            "tool": {"driver": driver},
            "invocations": [invocation],
            "originalUriBaseIds": {_ROOT: {"description": _text("The root of the repository.")}},
            "columnKind": "unicodeCodePoints",
            "results": self._found,
            "properties": {"summary": summary.as_dict()},
        }
        log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
        self._write(json.dumps(log, indent=2) + "\n")

    def _rule(self, code: str, name: str) -> Json:
        made: Json = {"id": code, "name": name}
        rule = self._book.find(code)
        if rule is not None:
            made |= _described(rule)
        return made

    def _artifact(self, path: str) -> Json:
        uri, relative = self._repository.uri(path)
        return {"uri": uri, "uriBaseId": _ROOT} if relative else {"uri": uri}

    def _location(self, path: str, finding: Finding) -> Json:
        physical: Json = {"artifactLocation": self._artifact(path)}
        location: Json = {"physicalLocation": physical}
        if finding.cell:
            # A line of a cell is none of the file: the cell is its place. Code scanning of GitHub
            # takes no region without a line.
            physical["region"] = {"startLine": 1}
            name = f"cell {finding.cell}"
            location["logicalLocations"] = [{"name": name, "kind": "member"}]
        else:
            physical["region"] = _region(finding)
            if finding.snippet and shortened(finding) == finding.snippet:
                line: Json = {"startLine": finding.line, "snippet": _text(finding.snippet)}
                if finding.end_line > finding.line:
                    line["endLine"] = finding.end_line
                    del line["snippet"]
                physical["contextRegion"] = line
        return location

    def _failure(self, result: Result) -> Json:
        physical: Json = {"artifactLocation": self._artifact(result.path)}
        where = ""
        if result.cell:
            where = f"{place('', result.line, cell=result.cell)[1:]}: "
        elif result.line:
            physical["region"] = {"startLine": result.line}
        return {
            "level": "error",
            "message": _text(f"{where}{result.reason}"),
            "locations": [{"physicalLocation": physical}],
        }

    def _fix(self, result: Result) -> Json | None:
        """Return the edit of a file: all of it, for its settings are converted together or not."""
        edits = replacements(result)
        if not edits:
            return None
        change = {
            "artifactLocation": self._artifact(result.path),
            "replacements": [
                {
                    "deletedRegion": {
                        "startLine": edit.line,
                        "startColumn": 1,
                        "endLine": edit.end_line,
                        "endColumn": edit.end_column,
                    },
                    "insertedContent": {"text": edit.text},
                }
                for edit in edits
            ],
        }
        return {
            "description": _text("What tfgpu migrate makes of the file, all in one."),
            "artifactChanges": [change],
        }


def _described(rule: Rule) -> Json:
    link = rule_link(rule)
    made: Json = {
        "shortDescription": _text(rule.summary),
        "fullDescription": _text(shorten(f"{rule.summary}. {rule.why}", _LONGEST, placeholder="…")),
        "help": {"text": rule.why.strip(), "markdown": rule_page(rule)},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {
            "tags": ["gpu", rule.group],
            "problem.severity": _PROBLEM[rule.severity],
            "equivalence": rule.equivalence,
        },
    }
    return made if link is None else made | {"helpUri": link}


def _text(text: str) -> Mapping[str, str]:
    return {"text": printable(text, keep="\t\n")}


def _way(finding: Finding) -> str:
    """Return what to do as a sentence; a name that it begins with stays as it is."""
    first = finding.todo.partition(" ")[0].rstrip(",:;")
    begin = finding.todo[:1].upper() if first.isalpha() else finding.todo[:1]
    return f"{begin}{finding.todo[1:]}."


def _belongs(finding: Finding) -> Json:
    """Return what a finding is of which config, and the finding that causes it."""
    known = {"config": finding.config, "part": finding.part, "causedBy": finding.caused_by}
    return {name: printable(text) for name, text in known.items() if text}


def _region(finding: Finding) -> Json:
    region: Json = {"startLine": finding.line, "startColumn": finding.column}
    if finding.end_line:
        region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
    return region
