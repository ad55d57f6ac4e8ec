"""Which configuration holds for a file: the nearest one, in its folder or above."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tfgpu.config.configuration import NAMES, Configuration, read_configuration
from tfgpu.dataclass import replace
from tfgpu.files.gitignore import parse_patterns
from tfgpu.options import Options
from tfgpu.rulebook.table import RuleError

# All names of an absolute path without links.
Place = tuple[str, ...]


def below(place: Place, folder: Place) -> Place:
    """Return the names of a path below a folder; of a path elsewhere all names."""
    return place[len(folder) :] if place[: len(folder)] == folder else place[1:]


def named_configuration(path: Path) -> Configuration:
    """Return a configuration that the user named, whose patterns are seen from the current folder.

    Raises:
        RuleError: it cannot be read, says what means nothing, or nothing about tfgpu.
    """
    found = read_configuration(path, trusted=True)
    if found is None:
        raise RuleError(str(path), "tool.tfgpu", None, "a table")
    return replace(found, folder=Path.cwd().resolve())


class Configurations:
    """The configurations of a run, each read once.

    `chosen` is what the command line says, `fixed` the keys of a configuration that it decides on,
    `exclude` the patterns that it adds, as seen from the current folder. The configuration `named`
    holds for all files; of `isolated` files none does.
    Every method raises RuleError where a configuration, or a house rule of one, is wrong.
    """

    def __init__(
        self,
        chosen: Options,
        fixed: frozenset[str] = frozenset(),
        named: Configuration | None = None,
        isolated: bool = False,
        exclude: Sequence[str] = (),
    ) -> None:
        self._chosen = chosen
        self._fixed = fixed
        self._for_all = isolated or named is not None
        self._named = named
        self._exclude = parse_patterns(exclude)
        self._here = Path.cwd().resolve().parts if exclude else ()
        self._folders: dict[Path, Configuration | None] = {}
        self._places: dict[str, Path] = {}
        self._found: dict[str, Configuration | None] = {}
        self._options: dict[str, Options] = {}
        self._rules: set[str] = set()
        self._excluded: dict[Path, bool] = {}
        self._around: dict[Place, Configuration | None] = {}

    def of_folder(self, folder: Path) -> Configuration | None:
        """Return the configuration for the files of a folder (absolute, without links)."""
        if self._for_all:
            return self._named
        if folder not in self._folders:
            found = self._read(folder)
            if found is None and folder.parent != folder:
                found = self.of_folder(folder.parent)
            self._folders[folder] = found
        return self._folders[folder]

    def of(self, path: str) -> Configuration | None:
        """Return the configuration for a file."""
        above = os.path.dirname(path)  # noqa: PTH120 - for each file
        if above not in self._found:
            self._found[above] = self.of_folder(self._folder(above))
        return self._found[above]

    def of_target(self, path: str) -> Configuration | None:
        """Return the configuration for a path that was named: a folder's is the one in it."""
        is_folder = Path(path).is_dir()
        found = self.of_folder(Path(path).resolve()) if is_folder else self.of(path)
        if found is not None:
            self._rules.update(found.rules)
        return found

    def rules(self) -> tuple[str, ...]:
        """Return the folders of house rules for all files that were asked for so far."""
        return tuple(sorted(self._rules))

    def options(self, path: str) -> Options:
        """Return the options for a file."""
        above, name = os.path.split(path)
        known = self._options.get(above)
        if known is not None:
            return known
        folder = self._folder(above)
        found = self.of_folder(folder)
        if found is None:
            options = self._chosen
        else:
            names = below((*folder.parts, name), found.folder.parts)
            options = found.options(names, self._chosen, self._fixed)
            self._rules.update(found.rules)
            if found.per_file_ignores:
                return options
        self._options[above] = options
        return options

    def excludes(self, place: Place, is_folder: bool) -> bool:
        """Tell whether a path is excluded itself; folders around it are another question."""
        if self._exclude:
            names = below(place, self._here)
            held = [one.ignores for one in self._exclude if one.matches(names, is_folder)]
            if held and held[-1]:
                return True
        above = place[:-1]
        if above not in self._around:
            self._around[above] = self.of_folder(Path(*above))
        found = self._around[above]
        if found is None or not found.exclude:
            return False
        return found.excludes(below(place, found.folder.parts), is_folder)

    def leaves_out(self, path: str) -> bool:
        """Tell whether a path that was named is excluded, or a folder around it in its repository.

        So it is left out just where a walk from the top would leave it out.
        """
        try:
            resolved = Path(path).resolve()
            is_folder = resolved.is_dir()
        except (OSError, RuntimeError):  # a loop of links; reading it will tell
            return False
        if resolved.parent == resolved:
            return False
        around = self._is_left_out(resolved.parent)
        return around or self.excludes(resolved.parts, is_folder)

    def _is_left_out(self, folder: Path) -> bool:
        if folder not in self._excluded:
            is_top = folder.parent == folder or (folder / ".git").exists()
            self._excluded[folder] = not is_top and (
                self._is_left_out(folder.parent) or self.excludes(folder.parts, True)
            )
        return self._excluded[folder]

    def _folder(self, path: str) -> Path:
        """Return a folder, absolute and without links."""
        if path not in self._places:
            self._places[path] = Path(path).resolve()
        return self._places[path]

    @staticmethod
    def _read(folder: Path) -> Configuration | None:
        for name in NAMES:
            path = folder / name
            # Unlike `Path.is_file` it does not fail on a path that is too long.
            if os.path.isfile(path):  # noqa: PTH113
                found = read_configuration(path)
                if found is not None:
                    return found
        return None
