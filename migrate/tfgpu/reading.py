"""Reads the files of a run for what can matter, in several processes where there are many files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial

from tfgpu.dataclass import dataclass, field
from tfgpu.files.discover import Unreadable
from tfgpu.files.files import load
from tfgpu.files.kinds import REWRITTEN, kind_of_file
from tfgpu.files.pyfile import SourceError, as_utf8
from tfgpu.files.sieve import holds_any
from tfgpu.forked import can_fork, forked
from tfgpu.job import Job, Watch, no_watch
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
    many = max(1, min(jobs if can_fork() else 1, len(items) // _FILES_OF_PROCESS))
    size = max(1, -(-len(items) // many))
    first, *others = [items[at : at + size] for at in range(0, len(items), size)] or [items]
    if others:
        _load_rules(items, job)
    with ExitStack() as copies:
        meanwhile = [copies.enter_context(forked(partial(_read, part, job))) for part in others]
        found = _read(first, job, lambda done: watch(min(done * many, len(items)), 0))
        for part, result in zip(others, meanwhile, strict=True):
            found.add(result() or _read(part, job))
    return found


def _load_rules(items: Iterable[str | Unreadable], job: Job) -> None:
    """Load what processes would load each for itself, and what the run asks for later."""
    paths = [item for item in items if isinstance(item, str)]
    firsts = {os.path.dirname(path): path for path in paths}  # noqa: PTH120 - for many files
    job.book(firsts.values())


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
        words = tokens(kind, job.book([item]), job.inventory)
        # The switch of imports is for programs without a setting, too.
        is_switched = job.options.imports and kind in REWRITTEN and b"tensorflow" in text
        if is_switched or holds_any(text, words):
            found.results.append(Result(item, old=data))
    return found


def _is_data(path: str) -> bool:
    """Tell whether a JSON file is too large to be a configuration."""
    try:
        return os.stat(path).st_size > _LARGEST_JSON  # noqa: PTH116 - for many files
    except OSError:
        return False
