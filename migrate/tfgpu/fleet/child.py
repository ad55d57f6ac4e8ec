"""The process that audits one repository: the order is its input, the rows are what it prints."""

from __future__ import annotations

import json
import os
import sys

from tfgpu.config.find import Configurations, decided
from tfgpu.files.kinds import EVERY
from tfgpu.fleet.rows import Tables, tables_of
from tfgpu.fleet.work import Settings
from tfgpu.garbage import collect_seldom
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.rulebook.table import RuleError
from tfgpu.run import run


def audited(settings: Settings) -> Tables:
    """Return the rows of the repository that is the current folder.

    Raises:
        RuleError: its configuration is wrong.
    """
    select, ignore = tuple(settings.select), tuple(settings.ignore)
    # JSON has lists.
    min_tf = None if settings.min_tf is None else (settings.min_tf[0], settings.min_tf[1])
    options, keys = decided(Options(select=select, ignore=ignore), min_tf)
    config = Configurations(options, keys)
    job = Job(options, rewrite=False, kinds=EVERY, inventory=True, config=config)
    config.of_target(".")
    results = list(run(["."], job, 1))
    return tables_of(results, job.whole_book())


def main() -> None:
    """Do what the order says."""
    order = json.load(sys.stdin)
    # The repository is the current folder from here on: nothing may be imported from it.
    sys.path[:] = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100
    os.chdir(order.pop("folder"))
    collect_seldom()
    try:
        answer: dict[str, object] = {"tables": audited(Settings(**order))}
    except RuleError as error:
        answer = {"error": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
