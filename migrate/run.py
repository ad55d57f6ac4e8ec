"""Runs the analysis over many files and yields one result each; a file that fails is one too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from migrate.engine import ConfigResult, FileResult, Finding, analyse
from migrate.importers import Importers
from migrate.options import Options
from migrate.rulebook.book import Rulebook, load_rulebook
from migrate.source.discover import Unreadable, discover
from migrate.source.pyfile import Source, SourceError, decode, matters, write

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Starting processes and loading the rules in each costs more than this many files take.
_FEW = 12
_TOO_DEEP = "too deeply nested"


@dataclass(slots=True)
class Result:
    """What came of one file.

    `reason` says why it failed (at `line`, 0 for no line); `parsed` is false also for the many
    files that hold no token of interest. `old` and `new` are its bytes, `new` only where they
    change and were asked for.
    """

    path: str
    reason: str | None = None
    line: int = 0
    parsed: bool = False
    changes: bool = False
    findings: list[Finding] = field(default_factory=list)
    configs: list[ConfigResult] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)
    source: Source | None = None
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
    """What is to be done with each file: `rewrite` asks for the new text."""

    options: Options
    rewrite: bool


def run(paths: list[str], job: Job, jobs: int) -> Iterator[Result]:
    """Yield a result for every Python file below paths, in order; uses `jobs` processes."""
    book = load_rulebook()
    found = list(discover(paths))
    others = Importers(path for path in found if isinstance(path, str))
    with ExitStack() as stack:
        for result in _results(found, job, book, jobs, stack):
            elsewhere = others.of(result.path, result.exports) if result.exports else {}
            yield process(result.path, result.old, job, book, elsewhere) if elsewhere else result


def _results(
    found: list[str | Unreadable], job: Job, book: Rulebook, jobs: int, stack: ExitStack
) -> Iterator[Result]:
    """Read every file, and analyse those that matter: here, or in other processes if many."""
    read = _read(found, book.tokens)
    first: list[Result] = []
    waiting = 0
    for result in read:
        first.append(result)
        waiting += bool(result.old)
        if waiting > _FEW:
            break
    if waiting <= _FEW or jobs < 2:
        for result in chain(first, read):
            yield process(result.path, result.old, job, book) if result.old else result
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - for many files only

    pool = stack.enter_context(ProcessPoolExecutor(jobs))
    yield from _in_order(chain(first, read), job, pool)


def _in_order(results: Iterable[Result], job: Job, pool: Executor) -> Iterator[Result]:
    futures = [
        pool.submit(_process_there, result.path, result.old, job) if result.old else result
        for result in results
    ]
    for future in futures:
        yield future if isinstance(future, Result) else future.result()


def _process_there(path: str, data: bytes, job: Job) -> Result:
    return process(path, data, job, load_rulebook())


def _read(found: Iterable[str | Unreadable], tokens: tuple[bytes, ...]) -> Iterator[Result]:
    """Yield a result for every path; with its bytes in `old` where they are to be analysed."""
    for item in found:
        if isinstance(item, Unreadable):
            yield Result(item.path, item.reason)
            continue
        try:
            data = Path(item).read_bytes()
        except OSError as error:
            yield Result(item, error.strerror or str(error))
            continue
        yield Result(item, old=data) if matters(data, tokens) else Result(item)


def process(
    path: str,
    data: bytes,
    job: Job,
    book: Rulebook,
    used_elsewhere: dict[str, str] | None = None,
) -> Result:
    """Analyse the bytes of one file; with its new text where that is asked for.

    `used_elsewhere` names what other files import from this one, with the path of such a file.
    """
    result = Result(path, old=data)
    try:
        source = decode(data)
        analysed = analyse(source.text, book, job.options, used_elsewhere)
    except SourceError as error:
        result.reason, result.line = str(error), error.line
        return result
    except SyntaxError as error:
        result.reason, result.line = _syntax_reason(error, data), error.lineno or 0
        return result
    except RecursionError:
        result.reason = _TOO_DEEP
        return result
    result.source = source
    result.parsed = True
    result.changes = bool(analysed.plan)
    result.findings, result.configs = analysed.findings, analysed.configs
    result.exports = analysed.exports
    if job.rewrite and result.changes:
        _rewrite(result, analysed)
    return result


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
