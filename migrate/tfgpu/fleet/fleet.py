"""All repositories of a fleet, on an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, as_completed

from tfgpu import __version__
from tfgpu.fleet.dataset import Dataset
from tfgpu.fleet.rows import failed
from tfgpu.fleet.sources import Source
from tfgpu.fleet.work import Outcome, Settings, examine, outcome_of

# Takes how many repositories are done, of how many.
Watch = Callable[[int, int], None]


def run_fleet(
    sources: Iterable[Source],
    settings: Settings,
    dataset: Dataset,
    executor: Executor,
    watch: Watch,
) -> Iterator[Outcome]:
    """Yield what came of each repository, once it is in the dataset; those that are known too.

    Raises:
        DatasetError: the dataset cannot be written.
    """
    waiting: dict[Future[Outcome], Source] = {}
    for source in sources:
        known = dataset.known(source.name, settings.key)
        waiting[executor.submit(examine, source, settings, known)] = source
    total = len(waiting)
    watch(0, total)
    for done, future in enumerate(as_completed(list(waiting)), 1):
        outcome = _outcome(future, waiting.pop(future), settings)
        if outcome.tables is not None:
            dataset.put(outcome.tables)
        watch(done, total)
        yield outcome


def _outcome(future: Future[Outcome], source: Source, settings: Settings) -> Outcome:
    """Return what came of a repository; where its worker did not do it, a row that says why."""
    try:
        outcome = future.result()
        tables = outcome.tables
        if tables is None or (theirs := tables["repositories"][0]["tfgpu"]) == __version__:
            return outcome
        reason = f"its worker has tfgpu {theirs}, and this is {__version__}"
    except (Exception, CancelledError) as error:
        said = str(error).strip().splitlines()
        reason = f"its worker was lost: {type(error).__name__}" + (f": {said[0]}" if said else "")
    return outcome_of(source, settings, failed(reason))
