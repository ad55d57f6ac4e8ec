"""Runs the analysis over many files and yields one result each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from migrate.process import Job, Result, process
from migrate.programs.settle import Settled, settle
from migrate.rulebook.book import Rulebook, load_rulebook
from migrate.source.discover import Unreadable, discover
from migrate.source.kinds import REWRITTEN, kind_of_file
from migrate.source.pyfile import matters

if TYPE_CHECKING:
    from concurrent.futures import Executor

# Starting processes and loading the rules in each costs more than this many files take.
_FEW = 12


def run(paths: list[str], job: Job, jobs: int) -> Iterator[Result]:
    """Yield a result for every Python file below paths, in order; uses `jobs` processes.

    Every file is analysed by itself first. Then those that pass configs to each other are analysed
    together, and all of a program is decided together.
    """
    book = load_rulebook()
    found = list(discover(paths, job.kinds))
    with ExitStack() as stack:
        first = _results(found, replace(job, rewrite=False), book, jobs, stack)
        settled = settle(list(first), replace(job, rewrite=job.rewrite or job.edits), book)
        if job.rewrite:
            yield from _rewritten(settled, job, book)
        else:
            yield from _edited(settled, job, book) if job.edits else settled.results


def _rewritten(settled: Settled, job: Job, book: Rulebook) -> Iterator[Result]:
    """Yield the results in order, those of files that change with their new text."""
    done: dict[str, Result] = {}
    for result in settled.results:
        if result.path not in done and settled.may_change(result):
            for made in settled.process(result.path, job, book):
                done[made.path] = made
        yield done.get(result.path, result)


def _edited(settled: Settled, job: Job, book: Rulebook) -> Iterator[Result]:
    """Yield the results in order, those of files that change alone with their new text.

    Files of a program change together or not at all: the new text of one of them is no fix.
    """
    alone = settled.alone()
    for result in settled.results:
        if result.path in alone:
            (made,) = settled.process(result.path, replace(job, rewrite=True), book)
            result.source, result.new_text = made.source, made.new_text
        yield result


def _results(
    found: list[str | Unreadable], job: Job, book: Rulebook, jobs: int, stack: ExitStack
) -> Iterator[Result]:
    """Read every file, and analyse those that matter: here, or in other processes if many."""
    read = _read(found, book, job)
    first: list[Result] = []
    waiting = 0
    for result in read:
        first.append(result)
        waiting += bool(result.old)
        if waiting > _FEW:
            break
    if waiting <= _FEW or jobs < 2:
        for result in chain(first, read):
            yield process({result.path: result.old}, job, book)[0] if result.old else result
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
    return process({path: data}, job, load_rulebook())[0]


def _read(found: Iterable[str | Unreadable], book: Rulebook, job: Job) -> Iterator[Result]:
    """Yield a result for every path; with its bytes in `old` where they are to be analysed."""
    python_tokens = (*book.tokens, *book.setter_tokens) if job.inventory else book.tokens
    for item in found:
        if isinstance(item, Unreadable):
            yield Result(item.path, item.reason)
            continue
        try:
            data = Path(item).read_bytes()
        except OSError as error:
            yield Result(item, error.strerror or str(error))
            continue
        python = kind_of_file(item, data) in REWRITTEN
        tokens = python_tokens if python else book.environment_tokens
        yield Result(item, old=data) if matters(data, tokens) else Result(item)
