"""Analyses units of files: in this process or in others, or as an earlier run did."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, cast

from tfgpu.code.when import When
from tfgpu.dataclass import dataclass, replace
from tfgpu.engine import forget_trees
from tfgpu.forked import can_fork, forked
from tfgpu.garbage import collect_seldom
from tfgpu.job import Job
from tfgpu.memory import Entry, Memory
from tfgpu.neighbours import NOTHING, Around
from tfgpu.pickled import dumps, loads
from tfgpu.process import process
from tfgpu.program.asked import Asked, Question, answers
from tfgpu.program.modules import Modules
from tfgpu.program.units import matters
from tfgpu.program.written import written_modules
from tfgpu.results import CRASHED, Result, fault, may_pass
from tfgpu.surroundings import GraphModes, Libraries, OfTensorFlow1, Parsed

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

# Starting a pool of processes costs more than this many units take.
_FEW = 24
# Copying this process costs as much as analysing files of this many bytes.
_BYTES_OF_COPY = 40_000
# Of a unit that is remembered: its results, which files cannot be read, and graph modes.
_Kept = tuple[list[Result], dict[str, str], dict[str, When]]


@dataclass(slots=True)
class Unit:
    """Files that are analysed as one, with their bytes, and what is known around them.

    With `kept` their configs are kept whatever else there is in their programs. `questions` is what
    their analysis has asked `modules`.
    """

    files: dict[str, bytes]
    modules: Modules
    around: Around = NOTHING
    kept: bool = False
    questions: Iterable[Question] = ()


def _graph_modes(unit: Unit, parsed: Parsed) -> Mapping[str, When]:
    """Return the graph modes of a unit; nothing of a file that is decided on by itself."""
    return GraphModes(unit.files, parsed) if unit.modules.paths else {}


def _analyse(unit: Unit, job: Job) -> list[Result]:
    """Analyse the files of a unit; an error that nobody has foreseen costs these files only."""
    try:
        return _results(unit, job)
    except Exception as error:  # the other units are done
        return [Result(path, fault(error), old=data) for path, data in unit.files.items()]


def _results(unit: Unit, job: Job) -> list[Result]:
    files, modules = unit.files, Asked(unit.modules)
    unit.questions = modules.questions
    book = job.book(files)
    parsed = Parsed(modules, job)
    unit.around = replace(unit.around, tensorflow1=OfTensorFlow1(parsed))
    if not unit.kept:
        unit.around = replace(
            unit.around,
            graph_mode=_graph_modes(unit, parsed),
            left_out=Libraries(files, modules),
        )

    def concerned(broken: list[str]) -> dict[str, str]:
        """Return the files that share a program with one that cannot be read, or is not known."""
        unknown = {other: other for other in broken if matters().search(files[other])}
        for importer in files:
            for dotted, means in modules.unsure(importer).items():
                if not files.keys().isdisjoint(means):
                    name = f"the one of {len(means)} files that `{dotted}` means in {importer}"
                    unknown[importer] = name
        unknown.update(written_modules(files, modules))
        found = {
            path: name
            for path in files
            for other, name in unknown.items()
            if path != name and not modules.programs(path).isdisjoint(modules.programs(other))
        }
        unit.around = replace(unit.around, unreadable=found)
        return found

    known = None if job.per_file else concerned
    return process(files, job, book, unit.around, modules.find, known)


def analysed(
    todo: list[Unit], job: Job, jobs: int, memory: Memory | None
) -> Iterator[tuple[Unit, list[Result]]]:
    """Yield each unit with its results, those of an earlier run where they are the same.

    Other processes, `jobs` at the most, do the work if there is much of it.
    """
    if memory is None:
        yield from _done(todo, job, jobs)
        return
    keys = [_key(unit, job, memory) for unit in todo]
    known = {
        key: data
        for key, unit in zip(keys, todo, strict=True)
        if (data := memory.recall(key, unit.modules)) is not None
    }
    left = [unit for key, unit in zip(keys, todo, strict=True) if key not in known]
    fresh = _done(left, job, jobs)
    for key, unit in zip(keys, todo, strict=True):
        if key in known:
            yield unit, _recalled(unit, known.pop(key), job)
            continue
        _, found = next(fresh)
        if not any(may_pass(result.reason) for result in found):
            memory.keep(key, _entry(unit, found))
        yield unit, found


def _recalled(unit: Unit, data: bytes, job: Job) -> list[Result]:
    """Return the results of a unit that is remembered."""
    (kept,) = loads(data)
    found, unreadable, modes = cast("_Kept", kept)
    graph_mode = modes or _graph_modes(unit, Parsed(unit.modules, job))
    unit.around = replace(unit.around, unreadable=unreadable, graph_mode=graph_mode)
    for result in found:
        result.old = unit.files[result.path]
    return found


def _key(unit: Unit, job: Job, memory: Memory) -> bytes:
    around = unit.around
    return memory.key(
        unit.files,
        [job.options_for(path) for path in unit.files],
        unit.kept,
        bool(unit.modules.paths),
        sorted(around.beside),
        sorted(around.rebound),
        sorted(around.starred),
        sorted((path, sorted(words)) for path, words in around.asked.items()),
    )


def _entry(unit: Unit, found: list[Result]) -> Entry:
    """Return what is remembered of a unit: without the bytes of its files."""
    around = unit.around
    results = [replace(result, old=b"") for result in found]
    modes = around.graph_mode
    modes = modes.reached() if isinstance(modes, GraphModes) else dict(modes)
    data = dumps((results, dict(around.unreadable), modes))
    questions = tuple(unit.questions)
    return questions, answers(questions, unit.modules) or b"", data


def _answered(unit: Unit, around: Around, job: Job) -> Around:
    """Return what was asked of the files around a unit, without the trees that have the answers."""
    modes = around.graph_mode
    known = modes.reached() if isinstance(modes, GraphModes) else modes
    modes = known or _graph_modes(unit, Parsed(unit.modules, job))
    return replace(around, graph_mode=modes, tensorflow1=frozenset(), left_out={})


def _done(todo: list[Unit], job: Job, jobs: int) -> Iterator[tuple[Unit, list[Result]]]:
    """Yield each unit with its results; other processes do the work if there is much of it."""
    if len(todo) > _FEW and jobs > 1:
        yield from _in_order(todo, job, jobs)
        return
    here = _half(todo) if jobs > 1 and can_fork() else len(todo)
    with ExitStack() as copies:
        rest = todo[here:]
        meanwhile = copies.enter_context(forked(partial(_all, rest, job))) if rest else None
        for unit in todo[:here]:
            found = _analyse(unit, job)
            unit.around = _answered(unit, unit.around, job)
            forget_trees()
            yield unit, found
        if meanwhile is not None:
            known = meanwhile() or [(unit, _alone(unit, job)) for unit in rest]
            for unit, (done, found) in zip(rest, known, strict=True):
                unit.around = _answered(unit, done.around, job)
                unit.questions = done.questions
                yield unit, found


def _half(todo: list[Unit]) -> int:
    """Return how many of the first units have half of the bytes, all where there are few bytes."""
    ahead = list(accumulate(sum(map(len, unit.files.values())) for unit in todo))
    if not todo or ahead[-1] < 2 * _BYTES_OF_COPY:
        return len(todo)
    return max(1, sum(size <= ahead[-1] / 2 for size in ahead))


def _all(todo: list[Unit], job: Job) -> list[tuple[Unit, list[Result]]]:
    """Analyse units, and return what another process needs to know of each."""
    _work_here.append((todo, job))
    return [_work(number) for number in range(len(todo))]


def _in_order(todo: list[Unit], job: Job, jobs: int) -> Iterator[tuple[Unit, list[Result]]]:
    """Analyse units in other processes; one that ends before its time costs its unit only."""
    from concurrent.futures import Future  # noqa: PLC0415 - for many files
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    left = deque(todo)
    while left:
        waiting: deque[tuple[Unit, Future[tuple[Unit, list[Result]]]]] = deque()
        with suppress(BrokenProcessPool), _processes(jobs, list(left), job) as pool:
            with _no_interrupt():
                for number, unit in enumerate(left):
                    waiting.append((unit, pool.submit(_work, number)))
            while waiting:
                unit, future = waiting[0]
                done, found = future.result()
                unit.around = _answered(unit, done.around, job)
                unit.questions = done.questions
                waiting.popleft()
                left.popleft()
                yield unit, found
            return
        # Any of those at work may have been the cause; the first is, or is out of the way.
        first = left.popleft()
        yield first, _alone(first, job)


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Put off an interrupt: a process that is started meanwhile gets none before it is ready."""
    import signal  # noqa: PLC0415

    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# The units that a process is there for, and what is to be done with them.
_work_here: list[tuple[list[Unit], Job]] = []


def _work(number: int) -> tuple[Unit, list[Result]]:
    """Analyse a unit, given its number: units hold all files of a project, too much to send."""
    ((todo, job),) = _work_here
    unit = todo[number]
    found = _analyse(unit, job)
    forget_trees()
    return Unit({}, Modules({}), unit.around, questions=tuple(unit.questions)), found


def _alone(unit: Unit, job: Job) -> list[Result]:
    """Analyse a unit in a process that does nothing else."""
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    with _processes(1, [unit], job) as pool:
        try:
            with _no_interrupt():
                only = pool.submit(_work, 0)
            return only.result()[1]
        except BrokenProcessPool:
            return [Result(path, CRASHED) for path in unit.files]


@contextmanager
def _processes(jobs: int, todo: list[Unit], job: Job) -> Iterator[ProcessPoolExecutor]:
    """Start processes that analyse units; nobody who is interrupted waits for their results."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(todo, job))
    try:
        yield pool
    except BaseException as error:
        pool.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    pool.shutdown()


def _begin(todo: list[Unit], job: Job) -> None:
    """Take work, and let this process end when the one that started it does, even by SIGKILL."""
    import signal  # noqa: PLC0415
    from multiprocessing import connection, parent_process  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    # An interrupt is for the process that started this one: here it could leave the lock of a
    # queue behind, for which the others would wait.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    _work_here.append((todo, job))
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    Thread(target=watch, daemon=True).start()
