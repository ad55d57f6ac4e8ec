"""Runs the analysis over many files and yields one result each."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from tfgpu.dataclass import replace
from tfgpu.files.discover import Unreadable, discover
from tfgpu.files.files import load
from tfgpu.files.kinds import REWRITTEN, kind_of_file
from tfgpu.files.pyfile import SourceError
from tfgpu.files.sieve import holds_any
from tfgpu.process import Job, Result, process
from tfgpu.program.settle import Settled, settle

# Starting processes and loading the rules in each costs more than this many files take.
_FEW = 12


def run(paths: list[str], job: Job, jobs: int) -> Iterator[Result]:
    """Yield a result for every file below paths, in order; uses `jobs` processes.

    Every file is analysed by itself first. Then those that pass configs to each other are analysed
    together, and all of a program is decided together. Of the many files without a word of interest
    only the names are kept meanwhile.
    """
    names: list[str] = []
    excludes = None if job.config is None else job.config.excludes
    read = _read(discover(paths, job.kinds, excludes), job, names)
    first = list(_results(read, replace(job, rewrite=False), jobs))
    changing = replace(job, rewrite=job.rewrite or job.edits)
    settled = settle(names, first, changing, job.whole_book())
    yield from _edited(settled, job) if job.edits else _rewritten(settled, job)


def _rewritten(settled: Settled, job: Job) -> Iterator[Result]:
    """Yield the results in order; those of files that change with their new text, if asked for."""
    done: dict[str, Result] = {}
    for result in settled.results():
        if job.rewrite and result.path not in done and settled.may_change(result):
            for made in settled.process(result.path, job):
                done[made.path] = made
        yield done.pop(result.path, result)


def _edited(settled: Settled, job: Job) -> Iterator[Result]:
    """Yield the results in order, those of files that change alone with their new text.

    Files of a program change together or not at all: the new text of one of them is no fix.
    """
    alone = settled.alone()
    for result in settled.results():
        if result.path in alone:
            (made,) = settled.process(result.path, replace(job, rewrite=True))
            result.source, result.new_text = made.source, made.new_text
        yield result


def _results(read: Iterator[Result], job: Job, jobs: int) -> Iterator[Result]:
    """Analyse the files that were read: here, or in other processes if they are many."""
    first: list[Result] = []
    waiting = 0
    for result in read:
        first.append(result)
        waiting += bool(result.old)
        if waiting > _FEW:
            break
    if waiting <= _FEW or jobs < 2:
        for result in chain(first, read):
            yield _process_here(result.path, result.old, job) if result.old else result
        return
    yield from _in_order(chain(first, read), job, jobs)


def _in_order(results: Iterable[Result], job: Job, jobs: int) -> Iterator[Result]:
    """Analyse files in other processes; one that ends before its time costs its file only."""
    from concurrent.futures import Future, ProcessPoolExecutor  # noqa: PLC0415 - for many files
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    left = iter(results)
    while True:
        waiting: deque[tuple[Result, Future[Result] | None]] = deque()
        with ProcessPoolExecutor(jobs, initializer=_end_with_parent) as pool:
            try:
                for result in left:
                    waiting.append((result, None))
                    if result.old:
                        alone = job.alone(result.path)
                        future = pool.submit(_process_here, result.path, result.old, alone)
                        waiting[-1] = (result, future)
                while waiting:
                    result, done = waiting[0]
                    result = done.result() if done else result
                    waiting.popleft()
                    yield result
                return
            except BrokenProcessPool:
                left = chain([result for result, _ in waiting], left)
        # Any of those at work may have been the cause; the first is, or is out of the way.
        first = next(left)
        yield _alone(first, job) if first.old else first


def _alone(result: Result, job: Job) -> Result:
    """Analyse a file in a process that does nothing else."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    alone = job.alone(result.path)
    with ProcessPoolExecutor(1, initializer=_end_with_parent) as pool:
        try:
            return pool.submit(_process_here, result.path, result.old, alone).result()
        except BrokenProcessPool:
            return Result(result.path, "the process that analysed it crashed, or was killed")


def _end_with_parent() -> None:
    """Let this process end when the one that started it does, even by SIGKILL."""
    from multiprocessing import connection, parent_process  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def _process_here(path: str, data: bytes, job: Job) -> Result:
    return process({path: data}, job, job.book([path]))[0]


def _read(found: Iterable[str | Unreadable], job: Job, names: list[str]) -> Iterator[Result]:
    """Yield what can matter: failures, and files to be analysed with their bytes in `old`.

    The paths of all files are added to `names`.
    """
    for item in found:
        if isinstance(item, Unreadable):
            names.append(item.path)
            yield Result(item.path, item.reason)
            continue
        names.append(item)
        try:
            data = load(item)
        except SourceError as error:
            yield Result(item, str(error))
            continue
        if holds_any(data, _tokens(item, data, job)):
            yield Result(item, old=data)


def _tokens(path: str, data: bytes, job: Job) -> tuple[bytes, ...]:
    """Return the words of which a file that can matter holds one."""
    book = job.book([path])
    if kind_of_file(path, data) not in REWRITTEN:
        return book.environment_tokens
    return (*book.tokens, *book.setter_tokens) if job.inventory else book.tokens
