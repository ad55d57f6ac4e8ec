"""Results of audits for the tests of what is written about them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.tools import book
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.process import process
from tfgpu.report.summary import Statistics, Summary
from tfgpu.report.writer import make_writer
from tfgpu.results import ConfigResult, Finding, Result

FINDING = Finding(
    code="TFG101",
    name="allow-growth",
    line=5,
    column=5,
    message="allow_growth becomes set_memory_growth",
    todo="run tfgpu migrate",
    fix="safe",
    end_line=5,
    end_column=22,
    snippet="    a.allow_growth = True",
)
# What breaks formats that are put together carelessly.
HOSTILE = (
    "<script>document.title='out'</script>",
    "a\nb\r\nc\rd",
    "]]>",
    "<!-- --> -->",
    "a|b",
    "::error file=x,line=1::out",
    "100%0A, %3A",
    "\x00\x07\x1b[31m\x7f\x85\u2028\ufffe",
    "\udcff",
    "`code` *strong* [link](javascript:out) @someone #1 ```",
    "</details></table></textarea>",
    "&lt; &amp; &#60;",
    "\u202egpj.exe\u200b",
    "日本語 ☃ 🜁",
    "\"'`",
    "=cmd()",
    "",
)


def finding(**changes: Any) -> Finding:
    """Return a finding that differs in some fields from the usual one."""
    return replace(FINDING, **changes)


def result(path: str = "a.py", **values: Any) -> Result:
    """Return the result of a file that was parsed, if nothing else is said."""
    made = Result(path, parsed=True)
    for name, value in values.items():
        setattr(made, name, value)
    return made


def failed(path: str = "bad.py", reason: str = "not valid Python 3: no", line: int = 2) -> Result:
    """Return the result of a file that failed."""
    return Result(path, reason=reason, line=line)


def audited(text: str, path: str = "a.py", rewrite: bool = True) -> Result:
    """Return what a program comes to, with its new text."""
    return process({path: text.encode()}, Job(Options(), rewrite), book())[0]


def written(
    kind: str, results: Iterable[Result], statistics: bool = False, verbose: bool = False
) -> str:
    """Return what a format makes of results."""
    parts: list[str] = []
    writer = make_writer(kind, parts.append, book(), verbose)
    summary, counts = Summary(), Statistics(book())
    for item in results:
        summary.add(item)
        counts.add(item)
        writer.result(item)
    writer.end(summary, counts if statistics else None)
    return "".join(parts)


def hostile(text: str) -> list[Result]:
    """Return results that have a text in every place that text can come from."""
    bad = finding(message=text, todo=text, snippet=text, column=1, end_column=9, name="name")
    return [
        result(
            f"{text}.py",
            findings=[bad, replace(bad, fix="none"), replace(bad, cell=3, fix="unsafe")],
            configs=[ConfigResult(1, None), ConfigResult(2, "TFG925")],
        ),
        failed(f"{text}/b.py", text),
    ]


def in_repository(folder: Path) -> None:
    """Make a folder the root of a repository, and the current one."""
    (folder / ".git").mkdir()
    os.chdir(folder)
