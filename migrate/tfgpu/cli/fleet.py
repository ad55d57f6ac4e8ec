"""`tfgpu fleet`: many repositories, each by itself, as one dataset."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from tfgpu.cli.common import (
    Refusal,
    display,
    ignore_option,
    min_tf_option,
    say,
    select_option,
)
from tfgpu.cli.words import check_rules
from tfgpu.fleet.bounded import end_all
from tfgpu.fleet.dataset import Dataset, DatasetError
from tfgpu.fleet.fleet import run_fleet
from tfgpu.fleet.page import Rollup, rollup_page
from tfgpu.fleet.rows import FAILED, Tables
from tfgpu.fleet.sources import listed, sources
from tfgpu.fleet.work import Settings
from tfgpu.place import printable
from tfgpu.report.output import replaced
from tfgpu.report.summary import count, share
from tfgpu.rulebook.book import load_rulebook

_SECONDS_TO_CONNECT = 10


@click.command()
@click.argument("repositories", nargs=-1)
@click.option(
    "--from", "lists", multiple=True, metavar="FILE",
    type=click.File(encoding="utf-8-sig", errors="surrogateescape"),
    help="A list of repositories, one on each line; - is standard input.",
)  # fmt: skip
@click.option(
    "--dataset", required=True, type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="The folder of the dataset and its page, index.html; created if missing.",
)  # fmt: skip
@click.option("--parquet", is_flag=True, help="Also write the tables as Parquet.")
@click.option(
    "--against", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
    help="An earlier dataset, for the trend on the page.",
)  # fmt: skip
@select_option
@ignore_option
@min_tf_option
@click.option(
    "--timeout", type=click.FloatRange(0, min_open=True), default=1800, show_default=True,
    metavar="SECONDS", help="The time limit for a repository, and for each call of git.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, metavar="N",
    help="Repositories to read in parallel.  [default: one per core]",
)  # fmt: skip
@click.option("--dask", metavar="ADDRESS", help="Work on the Dask cluster of this scheduler.")
@click.option("-q", "--quiet", is_flag=True, help="Show errors only.")
def fleet(
    repositories: tuple[str, ...],
    lists: tuple[Any, ...],
    dataset: Path,
    parquet: bool,
    against: Path | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    min_tf: tuple[int, int] | None,
    timeout: float,
    jobs: int,
    dask: str | None,
    quiet: bool,
) -> None:
    """Audit repositories one by one, and write the findings as one dataset.

    REPOSITORIES are clones, folders of clones, or URLs for git, which are cloned for the time of
    the audit. A repository whose commit is in the dataset already, with the same options and
    version of tfgpu, is not read again. Without any, only the tables and the page are written.

    Exit status: 0, or 2 if a repository failed, or its part of the dataset cannot be read.
    """
    check_rules((*select, *ignore), load_rulebook())
    if parquet:
        _need("pyarrow", "--parquet", "parquet")
    named = [*repositories, *(line for file in lists for line in listed(file))]
    data = Dataset(dataset)
    settings = Settings(select, ignore, min_tf, timeout)
    failures = done = 0
    try:
        if not named and not data.is_there:
            raise click.UsageError(f"no repositories are named, and {dataset} is no dataset")
        earlier = None if against is None else _earlier(against)
        data.create()
        with _executor(dask, jobs) as executor, display(quiet, "repositories") as watch:
            for outcome in run_fleet(sources(named), settings, data, executor, watch):
                done += outcome.tables is not None
                if outcome.tables is not None and _is_failed(outcome.tables):
                    failures += 1
                    reason = outcome.tables["repositories"][0]["reason"]
                    say(printable(f"{outcome.source.name}: {reason}"), err=True)
        rollup = Rollup()
        data.write_tables(_counted(data.repositories(), rollup), parquet)
        made = rollup_page(rollup, earlier)
        with replaced(str(dataset / "index.html")) as file:
            file.write(made)
    except DatasetError as error:
        raise Refusal(printable(str(error))) from None
    except BrokenPipeError:  # nobody reads what is said
        raise
    except OSError as error:
        raise Refusal(printable(f"{dataset}: {error.strerror or error}")) from None
    _say_unreadable(data)
    if not quiet:
        for line in _summary(rollup, done, failures, dataset):
            say(line, err=True)
    sys.exit(2 if failures or data.unreadable else 0)


def _is_failed(tables: Tables) -> bool:
    return tables["repositories"][0]["state"] == FAILED


def _counted(repositories: Iterable[Tables], rollup: Rollup) -> Iterator[Tables]:
    for tables in repositories:
        rollup.add(tables)
        yield tables


def _earlier(folder: Path) -> Rollup:
    """Return the counts over an earlier dataset.

    Raises:
        Refusal: it is none that can be read.
    """
    data, found = Dataset(folder), Rollup()
    for tables in data.repositories() if data.is_there else ():
        found.add(tables)
    _say_unreadable(data)
    if not found.repositories:
        raise Refusal(printable(f"--against: {folder} is no dataset that this version reads"))
    return found


def _say_unreadable(data: Dataset) -> None:
    for path in sorted(data.unreadable):
        words = (
            "of another version, or damaged, and left out: audit its repository again, or remove it"
        )
        say(printable(f"{path}: {words}"), err=True)


def _summary(rollup: Rollup, done: int, failures: int, dataset: Path) -> Iterator[str]:
    configs, converted = rollup.total("configs"), rollup.total("configs_converted")
    assumable = rollup.total("configs_assumable")
    more = f", {assumable:,} more on assumptions" if assumable else ""
    failed = f" ({failures:,} failed)" if failures else ""
    yield (
        f"{done:,} read now{failed}, {len(rollup.repositories):,} in the dataset; "
        f"{converted:,} of {count(configs, 'config')} ({share(converted, configs)}) convert{more}"
    )
    yield printable(f"Next: open {dataset / 'index.html'}")


def _need(module: str, option: str, extra: str) -> None:
    from importlib.util import find_spec  # noqa: PLC0415 - for options of extras only

    if find_spec(module) is None:
        raise click.UsageError(f"{option} needs {module}: pip install 'tfgpu[{extra}]'")


@contextmanager
def _executor(dask: str | None, jobs: int) -> Iterator[Executor]:
    """Give what runs the work: threads that wait for processes of this machine, or a cluster.

    Raises:
        Refusal: the scheduler does not answer.
    """
    if dask is None:
        executor = ThreadPoolExecutor(jobs)
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            end_all()
            raise
        executor.shutdown()
        return
    _need("distributed", "--dask", "dask")
    import distributed  # noqa: PLC0415 - an extra

    cluster: Any = distributed

    try:
        client = cluster.Client(dask, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Refusal(printable(f"no Dask scheduler at {dask}: {why}")) from None
    with client, client.get_executor(pure=False) as executor:
        yield executor
