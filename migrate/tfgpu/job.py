"""What is to be done with each file of a run, and by which options and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tfgpu.config.find import Configurations
from tfgpu.dataclass import dataclass
from tfgpu.files.kinds import REWRITTEN, Kind
from tfgpu.options import Options
from tfgpu.rulebook.book import Rulebook, load_rulebook

# Takes how many files are done, of how many; of 0 while it is not known yet.
Watch = Callable[[int, int], None]


def no_watch(done: int, of: int) -> None:
    """Show nothing of how far a run is."""


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done with each file: `rewrite` asks for the new text, `inventory` for rows.

    `edits` asks for the results of an audit, with the new text of files that change alone.
    `per_file` decides on each file by itself, whatever imports it. `kinds` are the files to read.
    `options` hold where there is no `config`, which has the options for each file.
    """

    options: Options
    rewrite: bool
    per_file: bool = False
    kinds: frozenset[Kind] = REWRITTEN
    inventory: bool = False
    edits: bool = False
    config: Configurations | None = None

    def options_for(self, path: str) -> Options:
        """Return the options for a file."""
        return self.options if self.config is None else self.config.options(path)

    def book(self, paths: Iterable[str]) -> Rulebook:
        """Return the rules for files that are analysed together: the house rules of all."""
        found = dict.fromkeys(item for path in paths for item in self.options_for(path).rules)
        return load_rulebook(extra=tuple(sorted(found)))

    def whole_book(self) -> Rulebook:
        """Return the rules for everything that was read so far: all house rules."""
        return load_rulebook(
            extra=self.options.rules if self.config is None else self.config.rules()
        )
