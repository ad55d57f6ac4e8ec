"""The work: a function of one repository, for any executor, in this process or far away.

Each repository is read in a process of its own, which is ended when its time is over: what one of
them takes, or breaks, costs the others nothing.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from tfgpu import __version__
from tfgpu.dataclass import dataclass
from tfgpu.fleet.bounded import BoundedError, bounded
from tfgpu.fleet.rows import Tables, failed, with_columns
from tfgpu.fleet.sources import Source, clone, commit_of, remote_commit


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides on the rows of a repository, and the seconds that each may take."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    min_tf: tuple[int, int] | None = None
    seconds: float = 1800

    @property
    def key(self) -> str:
        """The options as every row has them."""
        chosen = {"select": self.select, "ignore": self.ignore, "min-tf": self.min_tf}
        return json.dumps({name: value for name, value in chosen.items() if value})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a repository: its rows, or None where those that are known still hold."""

    source: Source
    tables: Tables | None


def examine(source: Source, settings: Settings, known: str = "") -> Outcome:
    """Audit one repository. Nothing is done where its commit is `known` already.

    Whatever goes wrong with it is a row with the reason.
    """
    begun = time.monotonic()
    commit, clean = "", True
    try:
        if source.wrong:
            raise BoundedError(source.wrong)
        if source.is_url:
            commit = remote_commit(source.place, settings.seconds)
            if commit == known:
                return Outcome(source, None)
            with tempfile.TemporaryDirectory(
                prefix="tfgpu-fleet-", ignore_cleanup_errors=True
            ) as scratch:
                folder = Path(scratch, "clone")
                clone(source.place, folder, settings.seconds)
                commit, _ = commit_of(folder, settings.seconds)
                tables = _audited(folder, settings)
        else:
            commit, clean = commit_of(Path(source.place), settings.seconds)
            if clean and commit == known:
                return Outcome(source, None)
            tables = _audited(Path(source.place), settings)
    except (BoundedError, OSError) as error:
        tables = failed(str(error))
    return outcome_of(source, settings, tables, commit, clean, time.monotonic() - begun)


def outcome_of(
    source: Source,
    settings: Settings,
    tables: Tables,
    commit: str = "",
    clean: bool = True,
    seconds: float = 0.0,
) -> Outcome:
    """Return what came of a repository, its rows with the columns that every row has."""
    more = {
        "repository": source.name,
        "commit": commit,
        "tfgpu": __version__,
        "options": settings.key,
        "clean": clean,
        "seconds": round(seconds, 3),
    }
    return Outcome(source, with_columns(tables, more))


def _audited(folder: Path, settings: Settings) -> Tables:
    order = json.dumps({"folder": str(folder), **asdict(settings)}).encode()
    # No file of the repository is beside what starts.
    command = (sys.executable, "-m", "tfgpu.fleet.child")
    printed = bounded(command, settings.seconds, folder.absolute().anchor, order)
    found: dict[str, object] = json.loads(printed)
    if "error" in found:
        raise BoundedError(str(found["error"]))
    tables: Tables = found["tables"]  # type: ignore[assignment]
    return tables
