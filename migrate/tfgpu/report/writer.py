"""The interface of output formats, and the list of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from tfgpu.report.summary import Statistics, Summary
from tfgpu.results import Result
from tfgpu.rulebook.book import Rulebook

# Takes text; line ends are part of it.
Write = Callable[[str], None]

# Each format is a class `Writer` in a module of its name, which is imported when it is asked for;
# that of "text" is `folded`, or `grouped`.
FORMATS = (
    "text", "concise", "json", "jsonl", "github", "gitlab", "sarif", "rdjson", "junit", "markdown",
    "html",
)  # fmt: skip
# Formats that have the new text of files, so that it has to be made.
WITH_EDITS = frozenset({"sarif"})
# Formats without a place for statistics, which go to standard error.
WITHOUT_STATISTICS = frozenset({"github", "gitlab", "sarif", "rdjson", "junit"})


class BaseWriter:
    """Writes results one by one, in order, and then the end of the report."""

    def __init__(self, write: Write, book: Rulebook) -> None:
        self._write = write
        self._book = book
        self._results: list[Result] = []

    def result(self, result: Result) -> None:
        """Write one result, or keep of it what is written later."""
        raise NotImplementedError

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the end of the report, with statistics if they were asked for."""
        raise NotImplementedError


def make_writer(name: str, write: Write, book: Rulebook, verbose: bool) -> BaseWriter:
    """Return the writer of a format, by its name; text that is verbose folds nothing."""
    if name == "text":
        name = "grouped" if verbose else "folded"
    module = importlib.import_module(f"tfgpu.report.{name}")
    return cast(BaseWriter, module.Writer(write, book))
