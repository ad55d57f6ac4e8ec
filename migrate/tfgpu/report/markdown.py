"""Results as Markdown, for the description of a pull request or a comment on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tfgpu.place import printable
from tfgpu.report.summary import Statistics, Summary, count, shares, statistics_lines
from tfgpu.report.writer import BaseWriter
from tfgpu.results import Finding, Result

# What GitHub takes, in characters.
LIMIT = 65_536
_ROOM = 400  # for the line that says what was left out
_FIXES = {"safe": "safe", "unsafe": "unsafe", "none": "by hand"}
_SPECIAL = frozenset("\\`*_[]<>&|~$#")
_CALLS_SOMEONE = re.compile(r"(@|&#35;)(?=\w)")
_MOST_FAILURES = 50


class Writer(BaseWriter):
    """Writes totals, a table of rules, and the findings of each file folded away, at the end."""

    def result(self, result: Result) -> None:
        """Keep a result that has something to tell."""
        if result.findings or result.reason is not None:
            self._results.append(result)

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the page, as much of it as GitHub takes."""
        parts = list(self._head(summary))
        if statistics is not None:
            lines = "\n".join(statistics_lines(statistics, summary))
            parts.append(_folded("Statistics", f"```text\n{lines}\n```"))
        parts += _failures([result for result in self._results if result.reason is not None])
        files = [(_file(result), len(result.findings)) for result in self._results]
        self._write(_cut(parts, [(text, number) for text, number in files if number]))

    def _head(self, summary: Summary) -> Iterator[str]:
        files = sum(bool(result.findings) for result in self._results)
        found = count(summary.findings, "finding")
        where = f" in {count(files, 'file')}" if files else ""
        yield f"## tfgpu audit: {found}{where}\n"
        yield "".join(f"- {line}\n" for line in shares(summary))
        counts: dict[str, list[Finding]] = {}
        for result in self._results:
            for finding in result.findings:
                counts.setdefault(finding.code, []).append(finding)
        if counts:
            rows = sorted(counts.items(), key=lambda item: (-len(item[1]), item[0]))
            yield _table(
                ("rule", "findings", "what becomes of it"),
                (self._rule(code, findings) for code, findings in rows),
            )

    def _rule(self, code: str, findings: list[Finding]) -> Sequence[str]:
        rule = self._book.find(code)
        summary = rule.summary if rule is not None else ""
        return plain(f"{code} {findings[0].name}"), f"{len(findings):,}", plain(summary)


def _failures(failed: list[Result]) -> Iterator[str]:
    if failed:
        rows = [
            (code(result.path), _line(result.cell, result.line), plain(result.reason or ""))
            for result in failed[:_MOST_FAILURES]
        ]
        left = len(failed) - len(rows)
        yield f"### {count(len(failed), 'file')} failed\n"
        yield _table(("file", "line", "reason"), rows)
        if left:
            yield f"and {left:,} more\n"


def _file(result: Result) -> str:
    title = f"{code(result.path)}: {count(len(result.findings), 'finding')}"
    rows = (
        (
            _line(finding.cell, finding.line),
            plain(f"{finding.code} {finding.name}"),
            _FIXES[finding.fix] if finding.fix != "none" or finding.by_hand else "",
            f"{plain(finding.message)}<br>{plain(finding.todo)}",
        )
        for finding in result.findings
    )
    return _folded(title, _table(("line", "rule", "fix", "finding"), rows))


def _cut(parts: list[str], files: list[tuple[str, int]]) -> str:
    """Return as many files as there is room for, and say what is left out."""
    kept = list(parts)
    room = LIMIT - _ROOM - sum(len(part) + 1 for part in parts)
    left: list[int] = []
    for text, number in files:
        if len(text) < room:
            room -= len(text) + 1
            kept.append(text)
        else:
            left.append(number)
    if left:
        kept.append(
            f"**Left out: {count(len(left), 'file')} with {count(sum(left), 'finding')}**, "
            f"for a comment holds {LIMIT:,} characters. `tfgpu audit --format html` has them.\n"
        )
    return "\n".join(kept)


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _line(cell: int, line: int) -> str:
    where = f"cell {cell}, " if cell else ""
    return f"{where}{line}" if line else where.rstrip(", ")


def code(text: str) -> str:
    """Return text as code; between backticks the escapes of `plain` would be shown as they are."""
    return f"<code>{plain(text)}</code>"


def plain(text: str) -> str:
    """Return text that is shown as it is: no markup, no mention of people or issues."""
    made = "".join(f"&#{ord(char)};" if char in _SPECIAL else char for char in printable(text))
    return _CALLS_SOMEONE.sub(r"\1<!-- -->", made)
