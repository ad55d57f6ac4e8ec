"""From the bytes of files to their results; a file that fails is a result like any other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from migrate.analysis.decide import NOTHING, Outside
from migrate.analysis.forest import Find
from migrate.engine import ConfigResult, FileResult, analyse_together
from migrate.findings import Finding
from migrate.options import Options
from migrate.rulebook.book import Rulebook
from migrate.source.kinds import REWRITTEN, Kind
from migrate.source.pyfile import SourceError, write
from migrate.source.read import Module, read

_TOO_DEEP = "too deeply nested"


@dataclass(frozen=True, slots=True)
class KeptFor:
    """Why a program was kept: the place of the config, its rule, and the entry points.

    `none_by` is the rule that says that tf.config has nothing for that config, if there is one.
    """

    place: str
    rule: str
    programs: tuple[str, ...]
    none_by: str | None


@dataclass(slots=True)
class Result:
    """What came of one file.

    `reason` says why it failed (at `line`, 0 for no line); `parsed` is false also for the many
    files that hold no token of interest. `old` and `new` are its bytes, `new` only where they
    change and were asked for. `exports` and `wanted` are those of `engine.FileResult`. `kept_for`
    is set where a config elsewhere in the program keeps the ones here.
    """

    path: str
    reason: str | None = None
    line: int = 0
    parsed: bool = False
    changes: bool = False
    findings: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    kept_for: KeptFor | None = None
    source: Module | None = None
    old: bytes = b""
    new_text: str | None = None

    def none_by(self, config: ConfigResult) -> str | None:
        """Return the rule by which tf.config has nothing for a config, or for what keeps it."""
        return config.none_by or (self.kept_for.none_by if self.kept_for else None)

    @property
    def new(self) -> bytes | None:
        """The new bytes of the file."""
        if self.new_text is None or self.source is None:
            return None
        return self.source.encode(self.new_text)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done with each file: `rewrite` asks for the new text.

    `per_file` decides on each file by itself, whatever imports it. `kinds` are the files to read.
    """

    options: Options
    rewrite: bool
    per_file: bool = False
    kinds: frozenset[Kind] = REWRITTEN


def process(
    files: Mapping[str, bytes],
    job: Job,
    book: Rulebook,
    outside: Outside = NOTHING,
    find: Find | None = None,
) -> list[Result]:
    """Analyse the bytes of a file, or of several as one; with new texts where those are asked for.

    `find` tells which of several files an import means.
    """
    results = {path: Result(path, old=data) for path, data in files.items()}
    for result in results.values():
        try:
            result.source = read(result.path, result.old)
        except SourceError as error:
            result.reason, result.line = str(error), error.line
    if any(result.source is None for result in results.values()):
        return list(results.values())
    texts = {path: result.source.text for path, result in results.items() if result.source}
    try:
        analysed = analyse_together(texts, book, job.options, outside, find)
    except (SyntaxError, RecursionError) as error:
        for result in results.values():
            result.source = None
            result.reason, result.line = _failure(error, result.old)
        return list(results.values())
    for path, result in results.items():
        _take(result, analysed[path], job)
    return list(results.values())


def _take(result: Result, analysed: FileResult, job: Job) -> None:
    result.parsed = True
    result.changes = bool(analysed.plan)
    assert result.source is not None
    result.findings = [placed(finding, result.source) for finding in analysed.findings]
    result.configs = analysed.configs
    result.exports, result.wanted = analysed.exports, analysed.wanted
    if job.rewrite and result.changes:
        _rewrite(result, analysed)


def placed(finding: Finding, source: Module) -> Finding:
    """Return a finding on the text of a file with its place in the file itself."""
    cell, line = source.place(finding.line)
    _, end_line = source.place(finding.end_line)
    return replace(finding, cell=cell, line=line, end_line=end_line)


def _failure(error: SyntaxError | RecursionError, data: bytes) -> tuple[str, int]:
    if isinstance(error, RecursionError):
        return _TOO_DEEP, 0
    return _syntax_reason(error, data), error.lineno or 0


def _rewrite(result: Result, analysed: FileResult) -> None:
    from libcst import ParserSyntaxError  # noqa: PLC0415 - only where text will change

    from migrate.rewrite.locate import LocateError  # noqa: PLC0415

    try:
        result.new_text = analysed.new_text()
    except (LocateError, ParserSyntaxError, SyntaxError, RecursionError) as error:
        why = _TOO_DEEP if isinstance(error, RecursionError) else str(error).splitlines()[0]
        result.reason = f"cannot be rewritten, and was left alone: {why}"


def _syntax_reason(error: SyntaxError, data: bytes) -> str:
    message = error.msg.partition(" (<unknown>")[0]
    is_python2 = "print" in message or re.search(
        rb"^\s*(print |exec |except \w+, \w+:)", data, re.M
    )
    return f"Python 2 code? {message}" if is_python2 else f"not valid Python 3: {message}"


def save(result: Result) -> None:
    """Write the new bytes of a file.

    Raises:
        SourceError: the file changed meanwhile, or cannot be written.
    """
    assert result.new is not None
    write(result.path, result.old, result.new)
