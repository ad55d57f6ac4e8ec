"""Results as JUnit XML, for the test reports of GitLab and Jenkins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from tfgpu.place import place, printable
from tfgpu.report.excerpt import shortened
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import BaseWriter, Write
from tfgpu.results import Finding, Result
from tfgpu.rulebook.book import Rulebook

_LONGEST = 120
_HEAD = 4096  # as much of a line as a name is made of


class Writer(BaseWriter):
    """Writes a suite for each file that was parsed or failed, and a failed test for each finding.

    Tests are known by their names from one run to the next: line numbers are no part of them.
    """

    def __init__(self, write: Write, book: Rulebook) -> None:
        super().__init__(write, book)
        self._write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tfgpu">\n')

    def result(self, result: Result) -> None:
        """Write the suite of one file."""
        if not result.parsed and result.reason is None:
            return
        cases = list(_cases(result))
        failures, errors = len(result.findings), int(result.reason is not None)
        head = _attributes(
            name=result.path, tests=len(cases), failures=failures, errors=errors, skipped=0
        )
        body = "".join(f"    {case}\n" for case in cases)
        self._write(f"  <testsuite{head}>\n{body}  </testsuite>\n")

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Close the document."""
        self._write("</testsuites>\n")


def _cases(result: Result) -> Iterator[str]:
    if result.reason is not None:
        where = place(result.path, result.line, cell=result.cell)
        body = _element("error", result.reason, f"{where}: {result.reason}", "file failed")
        yield _case(result.path, "the file can be read", body)
    elif not result.findings:
        yield _case(result.path, "no findings", "")
    seen: Counter[str] = Counter()
    for finding in result.findings:
        name = _name(finding)
        seen[name] += 1
        if seen[name] > 1:
            name = f"{name} ({seen[name]})"
        where = place(result.path, finding.line, finding.column, finding.cell)
        text = f"{where}: {finding.message}\n{finding.todo}"
        if finding.snippet:
            text += f"\n\n{shortened(finding).strip()}"
        yield _case(result.path, name, _element("failure", finding.message, text, finding.code))


def _name(finding: Finding) -> str:
    line = " ".join(finding.snippet[:_HEAD].split())
    line = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return f"{finding.code} {finding.name}{': ' if line else ''}{line}"


def _case(path: str, name: str, body: str) -> str:
    head = _attributes(classname=path, name=name, file=path, time=0)
    return f"<testcase{head}>{body}</testcase>" if body else f"<testcase{head}/>"


def _element(tag: str, message: str, text: str, kind: str) -> str:
    return f"<{tag}{_attributes(message=message, type=kind)}>{_text(text)}</{tag}>"


def _attributes(**values: str | int) -> str:
    return "".join(f" {key}={_ascii(quoteattr(_safe(value)))}" for key, value in values.items())


def _text(text: str) -> str:
    return _ascii(escape(_safe(text)))


def _safe(value: str | int) -> str:
    """Return text without what XML cannot hold in any form, such as control characters."""
    return printable(str(value), keep="\n")


def _ascii(markup: str) -> str:
    """Write other characters as references, so that no encoding can get in the way."""
    return markup.encode("ascii", "xmlcharrefreplace").decode("ascii")
