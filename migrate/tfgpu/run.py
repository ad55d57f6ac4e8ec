"""Runs the analysis over many files and yields one result each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tfgpu.dataclass import replace
from tfgpu.files.discover import Unreadable, discover
from tfgpu.job import Job, Watch, no_watch
from tfgpu.memory import Memory
from tfgpu.program.around import Arounds, with_around
from tfgpu.reading import read
from tfgpu.results import Result


def run(
    paths: list[str],
    job: Job,
    jobs: int,
    watch: Watch = no_watch,
    memory: Memory | None = None,
    files: Iterable[str | Unreadable] | None = None,
    around: Arounds | None = None,
) -> Iterator[Result]:
    """Yield a result for every file below paths, in order; uses `jobs` processes.

    The files of each program are analysed as one. Of the many files without a word of interest only
    the names are kept meanwhile. `watch` is told how far the run is; `memory` has units of an
    earlier run, and takes those of this one. `files` are those below paths, where they are known,
    and `around` what `with_around` says of them.
    """
    excludes = None if job.config is None else job.config.excludes
    items = list(discover(paths, job.kinds, excludes) if files is None else files)
    names = [item for item in items if not isinstance(item, Unreadable)]
    found = read(items, job, jobs, watch)
    results = {result.path: result for result in found.results}
    if not any(result.old for result in found.results):
        yield from (_result(item, results) for item in items)
        return
    if around is None:
        around = {} if job.per_file else with_around(names, paths, excludes, found.deciding)
    from tfgpu.decided import Run, decided  # noqa: PLC0415 - most files hold nothing of interest

    state = Run(replace(job, rewrite=False), names, results)
    made = decided(state, paths, around, job, jobs, watch, memory)
    for item in items:
        yield _result(item, results) if isinstance(item, Unreadable) else next(made)


def _result(item: str | Unreadable, results: Mapping[str, Result]) -> Result:
    path = item.path if isinstance(item, Unreadable) else item
    return results.get(path) or Result(path)
