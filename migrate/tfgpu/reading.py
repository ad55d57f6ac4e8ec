"""Reads the files of a run for what can matter, in several processes where there are many files."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack

from tfgpu.dataclass import dataclass, field
from tfgpu.files.discover import Unreadable
from tfgpu.files.files import load
from tfgpu.files.kinds import kind_of_file
from tfgpu.files.pyfile import SourceError, as_utf8
from tfgpu.files.sieve import holds_any
from tfgpu.job import Job, Watch, no_watch
from tfgpu.pickled import dumps, loads
from tfgpu.program.around import decides
from tfgpu.results import Result
from tfgpu.rulebook.tokens import tokens

# A process is started for this many files.
_FILES_OF_PROCESS = 150
# No configuration is larger: such files are data, and are not read.
_LARGEST_JSON = 2**20


@dataclass(slots=True)
class Read:
    """What some files hold: failures and files to be analysed, and the bytes of those that decide.

    Those to be analysed have their bytes in `old`.
    """

    results: list[Result] = field(default_factory=list)
    deciding: dict[str, bytes] = field(default_factory=dict)

    def add(self, other: Read) -> None:
        """Add what other files hold."""
        self.results += other.results
        self.deciding |= other.deciding


def read(items: Sequence[str | Unreadable], job: Job, jobs: int, watch: Watch = no_watch) -> Read:
    """Read files in their order; `jobs` processes do so at the most."""
    many = max(1, min(jobs if hasattr(os, "fork") else 1, len(items) // _FILES_OF_PROCESS))
    size = max(1, -(-len(items) // many))
    first, *others = [items[at : at + size] for at in range(0, len(items), size)] or [items]
    if others:
        _load_rules(items, job)
    with ExitStack() as open_pipes:
        begun = [_begin(part, job) for part in others]
        pipes = [open_pipes.enter_context(os.fdopen(pipe, "rb")) for _, pipe in begun]
        found = _read(first, job, lambda done: watch(min(done * many, len(items)), 0))
        for part, (process, _), pipe in zip(others, begun, pipes, strict=True):
            found.add(_sent(pipe.read()) or _read(part, job))
            os.waitpid(process, 0)
    return found


def _load_rules(items: Iterable[str | Unreadable], job: Job) -> None:
    """Load what processes would load each for itself, and what the run asks for later."""
    paths = [item for item in items if isinstance(item, str)]
    firsts = {os.path.dirname(path): path for path in paths}  # noqa: PTH120 - for many files
    job.book(firsts.values())


def _begin(items: Sequence[str | Unreadable], job: Job) -> tuple[int, int]:
    """Start a process that reads files; return it, and the pipe with what it finds."""
    reads, writes = os.pipe()
    process = os.fork()
    if process:
        os.close(writes)
        return process, reads
    # Nothing of the process that was copied may go on here, whatever happens.
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.close(reads)
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(dumps(_read(items, job)))
    finally:
        os._exit(0)


def _sent(data: bytes) -> Read | None:
    """Return what a process has sent; None where it came to its end before."""
    try:
        found = next(loads(data), None)
    except (EOFError, pickle.UnpicklingError):
        return None
    return found if isinstance(found, Read) else None


def _read(
    items: Iterable[str | Unreadable], job: Job, watch: Callable[[int], None] = lambda _: None
) -> Read:
    found = Read()
    for done, item in enumerate(items, 1):
        watch(done)
        if isinstance(item, Unreadable):
            found.results.append(Result(item.path, item.reason))
            continue
        if item.endswith(".json") and _is_data(item):
            continue
        try:
            data = load(item)
        except SourceError as error:
            found.results.append(Result(item, str(error)))
            continue
        if decides(data):
            found.deciding[item] = data
        text = as_utf8(data)
        kind = kind_of_file(item, text)
        if holds_any(text, tokens(kind, job.book([item]), job.inventory)):
            found.results.append(Result(item, old=data))
    return found


def _is_data(path: str) -> bool:
    """Tell whether a JSON file is too large to be a configuration."""
    try:
        return os.stat(path).st_size > _LARGEST_JSON  # noqa: PTH116 - for many files
    except OSError:
        return False
