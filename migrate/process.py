"""From the bytes of files to their results; a file that fails is a result like any other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from migrate.analysis.decide import NOTHING, Outside
from migrate.analysis.forest import Find
from migrate.engine import ConfigResult, FileResult, analyse_together
from migrate.findings import Finding
from migrate.inventory import Row
from migrate.options import Options
from migrate.rulebook.book import Rulebook
from migrate.source.kinds import REWRITTEN, Kind, kind_of_file
from migrate.source.pyfile import SourceError, as_text, write
from migrate.source.read import Module, read

_TOO_DEEP = "too deeply nested"


@dataclass(frozen=True, slots=True)
class KeptFor:
    """Why a program was kept: the place of the config, its rule, and the entry points."""

    place: str
    rule: str
    programs: tuple[str, ...]


@dataclass(slots=True)
class Result:
    """What came of one file.

    `reason` says why it failed (at `line` of `cell`, 0 for none); `parsed` is false also for the
    many files that hold no token of interest. `old` and `new` are its bytes, `new` only where they
    change and were asked for. `inventory` has its settings, where the job asks for them. `exports`
    and `wanted` are those of `engine.FileResult`. `kept_for` is set where a config elsewhere in the
    program keeps the ones here.
    """

    path: str
    reason: str | None = None
    line: int = 0
    cell: int = 0
    parsed: bool = False
    changes: bool = False
    findings: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    inventory: list[Row] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    kept_for: KeptFor | None = None
    source: Module | None = None
    old: bytes = b""
    new_text: str | None = None

    @property
    def new(self) -> bytes | None:
        """The new bytes of the file."""
        if self.new_text is None or self.source is None:
            return None
        return self.source.encode(self.new_text)


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done with each file: `rewrite` asks for the new text, `inventory` for rows.

    `edits` asks for the results of an audit, with the new text of files that change alone.

    `per_file` decides on each file by itself, whatever imports it. `kinds` are the files to read.
    """

    options: Options
    rewrite: bool
    per_file: bool = False
    kinds: frozenset[Kind] = REWRITTEN
    inventory: bool = False
    edits: bool = False


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
    if len(results) == 1:
        (only,) = results.values()
        kind = kind_of_file(only.path, only.old)
        if kind not in REWRITTEN:
            return [_audited(only, kind, job, book)]
    for result in results.values():
        try:
            result.source = read(result.path, result.old)
        except SourceError as error:
            result.reason, result.line, result.cell = str(error), error.line, error.cell
    if any(result.source is None for result in results.values()):
        return list(results.values())
    texts = {path: result.source.text for path, result in results.items() if result.source}
    try:
        analysed = analyse_together(texts, book, job.options, outside, find, job.inventory)
    except (SyntaxError, RecursionError) as error:
        for result in results.values():
            result.reason, line = _failure(error, result.old)
            if line and result.source is not None:
                result.cell, result.line = result.source.place(line)
            result.source = None
        return list(results.values())
    for path, result in results.items():
        _take(result, analysed[path], job)
    return list(results.values())


def _audited(result: Result, kind: Kind, job: Job, book: Rulebook) -> Result:
    """Read a file that is no Python."""
    from migrate.environment.report import file_findings  # noqa: PLC0415 - most runs need it not

    try:
        text = as_text(result.old)
        found = file_findings(kind, text, book)
        if job.inventory:
            from migrate.environment.rows import file_rows  # noqa: PLC0415 - few need it

            result.inventory = file_rows(kind, text, book)
    except SourceError as error:
        result.reason, result.line = str(error), error.line
        return result
    result.parsed = True
    result.findings = [item for item in found if job.options.selects(item)]
    return result


def _take(result: Result, analysed: FileResult, job: Job) -> None:
    result.parsed = True
    result.changes = bool(analysed.plan)
    assert result.source is not None
    result.findings = [placed(finding, result.source) for finding in analysed.findings]
    result.configs = [_placed_config(config, result.source) for config in analysed.configs]
    result.inventory = [_placed_row(row, result.source) for row in analysed.inventory]
    result.exports, result.wanted = analysed.exports, analysed.wanted
    if job.rewrite and result.changes:
        _rewrite(result, analysed)


def placed(finding: Finding, source: Module) -> Finding:
    """Return a finding on the text of a file with its place in the file itself."""
    cell, line = source.place(finding.line)
    _, end_line = source.place(finding.end_line)
    return replace(finding, cell=cell, line=line, end_line=end_line)


def _placed_config(config: ConfigResult, source: Module) -> ConfigResult:
    cell, line = source.place(config.line)
    return replace(config, cell=cell, line=line)


def _placed_row(row: Row, source: Module) -> Row:
    cell, line = source.place(row.line)
    return replace(row, cell=cell, line=line)


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
