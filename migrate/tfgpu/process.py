"""From the bytes of files to their results; a file that fails is a result like any other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from tfgpu.code.parse import parse
from tfgpu.dataclass import replace
from tfgpu.engine import FileResult, Text, analyse_together
from tfgpu.files.files import UNREADABLE, load
from tfgpu.files.kinds import REWRITTEN, Kind, kind_of, kind_of_file
from tfgpu.files.newer import newer_python
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError, as_text
from tfgpu.files.python2 import (
    MISSING,
    NotPython2Error,
    Python2,
    as_python3,
    is_installed,
    looks_like_python2,
)
from tfgpu.files.read import Module, read
from tfgpu.job import Job
from tfgpu.neighbours import NOTHING, Around
from tfgpu.results import ConfigResult, Finding, Result, Row
from tfgpu.rewrite.nesting import check_nesting
from tfgpu.rewrite.whitespace import check_whitespace
from tfgpu.rulebook.book import Rulebook

if TYPE_CHECKING:
    from tfgpu.code.forest import Find

# A line of the text in a message of Python's parser.
_LINE = expression(r"\bline (\d+)")
_TOO_DEEP = "too deeply nested"
_REFUSED = "cannot be rewritten, and was not changed: "
_Placed = TypeVar("_Placed", ConfigResult, Row)
# For files that cannot be read: those that they keep from being converted, each with one of them.
Concerned = Callable[[list[str]], Mapping[str, str]]


def process(
    files: Mapping[str, bytes],
    job: Job,
    book: Rulebook,
    around: Around = NOTHING,
    find: Find | None = None,
    concerned: Concerned | None = None,
) -> list[Result]:
    """Analyse the bytes of a file, or of several as one; with new texts where those are asked for.

    `find` tells which of several files an import means, `concerned` which of them have one that
    cannot be read in their programs.
    """
    results = {path: Result(path, old=data) for path, data in files.items()}
    if len(results) == 1:
        (only,) = results.values()
        kind = kind_of_file(only.path, only.old)
        if kind not in REWRITTEN:
            return [_audited(only, kind, job, book)]
    for result in results.values():
        _read(result, job)
    readable = {path: result for path, result in results.items() if result.source is not None}
    if not readable:
        return list(results.values())
    find = find if len(results) > 1 else None

    def analyse() -> dict[str, FileResult]:
        options = {path: job.options_for(path) for path in readable}
        known = _unreadable(results, around, concerned)
        return analyse_together(_texts(readable), book, options, known, find, job.inventory)

    try:
        analysed = analyse()
        if [path for path, result in readable.items() if _is_refused(result, analysed[path])]:
            analysed = analyse()
    except RecursionError:
        for result in readable.values():
            result.reason, result.source = _TOO_DEEP, None
        return list(results.values())
    for path, result in readable.items():
        _take(result, analysed[path], job)
        _add_magics(result, job, book)
    return list(results.values())


def _unreadable(
    results: Mapping[str, Result], around: Around, concerned: Concerned | None
) -> Around:
    """Return what is known around files, of which some failed: those keep configs."""
    broken = [path for path, result in results.items() if result.reason is not None]
    sharing = concerned(broken) if concerned is not None else {}
    unknown = {path: path for path in broken if results[path].source is not None}
    if not (unknown or sharing):
        return around
    return replace(around, unreadable={**around.unreadable, **sharing, **unknown})


def _is_refused(result: Result, analysed: FileResult) -> bool:
    """Tell whether a file that is to change cannot be rewritten, which is then why it fails.

    That shows in its text, so that an audit says it, too.
    """
    if result.reason is not None or not analysed.plan or result.source is None:
        return False
    try:
        check_nesting(parse(result.source.text, result.path))
        check_whitespace(result.source.text)
    except SourceError as error:
        result.reason = f"{_REFUSED}{error}"
        result.cell, result.line = result.source.cells.place(error.line)
        return True
    return False


def _read(result: Result, job: Job) -> None:
    """Read the module that a file holds, or say why that is not possible.

    A notebook of which cells cannot be read has a reason, and a source without those.
    """
    try:
        if result.old == UNREADABLE:
            load(result.path)  # the error of that is why
        source = read(result.path, result.old)
        try:
            result.source = _parsed(source, result.path, job)
        except SourceError as error:
            if kind_of(result.path) is not Kind.NOTEBOOK:
                raise
            source = _without_broken_cells(source, error, result.path, job)
            result.source = _parsed(source, result.path, job)
        broken: SourceError | None = getattr(source, "broken", None)
        if broken is not None:
            raise broken
    except SourceError as error:
        result.reason, result.line, result.cell = str(error), error.line, error.cell


def _parsed(source: Module, path: str, job: Job) -> Module:
    """Return a module that can be parsed, or the Python 3 that one of Python 2 is read as.

    Raises:
        SourceError: it cannot be read as either.
    """
    try:
        parse(source.text, path)
    except SyntaxError as error:
        if looks_like_python2(error, source.text):
            with suppress(ImportError, NotPython2Error, SyntaxError):
                read_as = as_python3(source, job.options_for(path).fix_python2)
                parse(read_as.text, path)
                return read_as
        cell, line = source.cells.place(error.lineno or 0)
        raise SourceError(_syntax_reason(error, source), line, cell) from error
    return source


def _without_broken_cells(source: Module, error: SourceError, path: str, job: Job) -> Module:
    """Return a notebook without the cells that cannot be parsed.

    Raises:
        SourceError: all can be, and the error is of the notebook as a whole.
    """
    from tfgpu.files.notebook import Notebook  # noqa: PLC0415 - most files are none

    assert isinstance(source, Notebook)
    broken: dict[int, SourceError] = {}
    for part in source.parts():
        try:
            _parsed(part, path, job)
        except SourceError as found:
            broken[found.cell] = found
    if not broken:
        raise error
    return source.without(broken)


def text_of(path: str, data: bytes, job: Job) -> Text | None:
    """Return the Python 3 text that a file is analysed as; None where it cannot be read."""
    result = Result(path, old=data)
    _read(result, job)
    return _texts({path: result}).get(path) if result.reason is None else None


def _texts(results: Mapping[str, Result]) -> dict[str, Text]:
    return {
        path: Text(result.source.text, result.source.cells, isinstance(result.source, Python2))
        for path, result in results.items()
        if result.source
    }


def _audited(result: Result, kind: Kind, job: Job, book: Rulebook) -> Result:
    """Read a file that is no Python."""
    from tfgpu.environment.report import file_findings  # noqa: PLC0415 - most runs need it not
    from tfgpu.ignores.apply import told  # noqa: PLC0415
    from tfgpu.ignores.comments import line_comments, mark_of  # noqa: PLC0415
    from tfgpu.texts.builders import NoGrammarError  # noqa: PLC0415

    try:
        text = as_text(result.old)
        try:
            found = file_findings(kind, text, book)
        except NoGrammarError as error:
            result.unread = error.language
            found = file_findings(kind, text, book, with_code=False)
        if job.inventory and not result.unread:
            from tfgpu.environment.rows import file_rows  # noqa: PLC0415 - few need it

            result.inventory = file_rows(kind, text, book)
    except SourceError as error:
        result.reason, result.line = str(error), error.line
        return result
    result.parsed = True
    comments = line_comments(text, mark_of(kind))
    lines = text.split("\n")
    options = job.options_for(result.path)
    result.findings = told(found, comments, options, book, lambda line: lines[line - 1])
    return result


def _take(result: Result, analysed: FileResult, job: Job) -> None:
    result.parsed = True
    result.changes = bool(analysed.plan) and result.reason is None
    assert result.source is not None
    result.findings = [placed(finding, result.source) for finding in analysed.findings]
    result.pending = [placed(finding, result.source) for finding in analysed.pending]
    result.configs = [_in_cell(config, result.source) for config in analysed.configs]
    result.inventory = [_in_cell(row, result.source) for row in analysed.inventory]
    result.early, result.kept_for = analysed.early, analysed.kept_for
    result.assumed, result.losses = analysed.assumed, analysed.losses
    if analysed.plan is not None:
        result.bridge = analysed.plan.bridge
        result.stays = analysed.plan.stays
    if job.rewrite and result.changes:
        _rewrite(result, analysed)


def _add_magics(result: Result, job: Job, book: Rulebook) -> None:
    """Add what is to be said about the lines of IPython in a notebook, and what these set."""
    source = result.source.inner if isinstance(result.source, Python2) else result.source
    magics = getattr(source, "magics", None)
    if not magics:
        return
    from tfgpu.environment.magics import magic_findings  # noqa: PLC0415 - for few files
    from tfgpu.ignores.apply import told  # noqa: PLC0415

    found = (
        finding
        for magic in magics
        for finding in magic_findings(magic.text, magic.cell, magic.line, book)
    )
    result.findings += told(found, [], job.options_for(result.path), book, str)
    result.findings.sort(key=lambda item: (item.cell, item.line, item.column))
    if job.inventory:
        from tfgpu.environment.rows import magic_rows  # noqa: PLC0415

        for magic in magics:
            result.inventory += magic_rows(magic.text, magic.cell, magic.line, book)
        result.inventory.sort(key=lambda row: (row.cell, row.line, row.column))


def placed(finding: Finding, source: Module) -> Finding:
    """Return a finding on the text of a file with its place in the file itself."""
    if seen := source.seen(finding.line, finding.column) if finding.line else None:
        snippet, column = seen
        end = source.seen(finding.end_line, finding.end_column) if finding.end_line else None
        end_column = finding.end_column if end is None else end[1]
        known = finding.end_line > 0 and end_column > 1
        finding = replace(
            finding,
            column=column,
            end_line=finding.end_line if known else 0,
            end_column=end_column if known else 0,
            snippet=snippet,
        )
    cell, line = source.cells.place(finding.line)
    _, end_line = source.cells.place(finding.end_line)
    return replace(finding, cell=cell, line=line, end_line=end_line)


def _in_cell(item: _Placed, source: Module) -> _Placed:
    cell, line = source.cells.place(item.line)
    return replace(item, cell=cell, line=line)


def _rewrite(result: Result, analysed: FileResult) -> None:
    from libcst import ParserSyntaxError  # noqa: PLC0415 - only where text will change

    from tfgpu.rewrite.calls import LocateError  # noqa: PLC0415
    from tfgpu.rewrite.displayed import shows_no_more  # noqa: PLC0415

    try:
        new_text = analysed.new_text()
        if new_text is not None and result.source is not None:
            new_text = shows_no_more(result.source, new_text)
            # Whether it can be put into the file shows here, and not where it is written.
            result.source.shown(new_text)
        result.new_text = new_text
    except SourceError as error:
        assert result.source is not None
        result.reason, result.cell, result.line = str(error), error.cell, error.line
        if not error.cell:
            result.cell, result.line = result.source.cells.place(error.line)
    except (LocateError, ParserSyntaxError, SyntaxError, RecursionError) as error:
        why = _TOO_DEEP if isinstance(error, RecursionError) else str(error).splitlines()[0]
        result.reason = f"{_REFUSED}{why}"


def _syntax_reason(error: SyntaxError, source: Module) -> str:
    text = (error.text or "").strip()
    if text.startswith(("%", "!")):
        return (
            f"an IPython command (`{text[:60]}`) is not Python: comment it out, or give tfgpu the "
            "notebook"
        )
    message = error.msg.partition(" (<unknown>")[0]
    message = _LINE.sub(lambda found: f"line {source.cells.words(int(found[1]))}", message)
    reason = f"not valid Python 3: {message}"
    version = newer_python(error)
    told = "" if version else source.text
    if looks_like_python2(error, told) and not is_installed():
        reason = MISSING
    if version:
        ours = "{}.{}".format(*sys.version_info)
        reason += f" (if it is syntax of Python {version}, run tfgpu on that; this is {ours})"
    return reason
