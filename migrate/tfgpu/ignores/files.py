"""Writes comments that ignore all findings of a run into its files."""

from __future__ import annotations

from collections.abc import Iterable

from tfgpu.dataclass import dataclass, field
from tfgpu.files.files import write
from tfgpu.files.pyfile import SourceError
from tfgpu.files.read import Module
from tfgpu.ignores.add import Spans, with_ignores
from tfgpu.ignores.apply import is_unused
from tfgpu.results import Result

# Findings on comments to tfgpu are about the comments.
_ABOUT_COMMENTS = "TFX"


@dataclass(slots=True)
class _File:
    """A file as it was, and the line and name of every rule that is to be ignored in it.

    What is `dropped` was ignored for nothing once the rest was, and is not tried again.
    """

    source: Module
    wanted: set[tuple[int, str]] = field(default_factory=set)
    dropped: set[tuple[int, str]] = field(default_factory=set)


class Adding:
    """The comments that a run adds, audit by audit, each for the same reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason
        self._files: dict[str, _File] = {}

    @property
    def paths(self) -> list[str]:
        """The files that have comments to add."""
        return [path for path, file in self._files.items() if file.wanted]

    def add(self, results: Iterable[Result]) -> bool:
        """Write a comment for every finding in Python source; tell whether a file changed.

        What is ignored keeps configs, which can make other findings come or go: this is to be done
        again until no file changes. A file that cannot be written is a result that failed.
        """
        changed = [self._add(result) for result in results]
        return any(changed)

    def _add(self, result: Result) -> bool:
        if result.source is None or result.reason is not None or not result.findings:
            return False
        file = self._files.setdefault(result.path, _File(result.source))
        self._look(result, file)
        try:
            text = with_ignores(file.source.text, file.wanted, self._reason)
            if text == result.source.text:
                return False
            write(result.path, result.old, file.source.encode(text))
        except SourceError as error:
            result.reason, result.line = str(error), error.line
            return False
        return True

    def _look(self, result: Result, file: _File) -> None:
        """Add the findings of an audit; comments are added at line ends, so that lines stay."""
        spans = Spans(file.source.text)
        count = len(file.source.text.splitlines()) + 1
        lines = {file.source.cells.place(number): number for number in range(count, 0, -1)}
        for finding in result.findings:
            line = lines.get((finding.cell, finding.line), 0)
            if not finding.code.startswith(_ABOUT_COMMENTS):
                file.wanted.add((line, finding.name))
            else:
                file.dropped |= {
                    (other, name)
                    for other, name in file.wanted
                    if is_unused(finding, name) and spans.of(other) == spans.of(line)
                }
        file.wanted -= file.dropped
