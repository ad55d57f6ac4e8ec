"""Which configuration holds for a file: the nearest one, in its folder or above."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tfgpu.dataclass import dataclass, replace
from tfgpu.files.files import load
from tfgpu.files.gitignore import Pattern, names_no_file, parse_patterns
from tfgpu.files.pyfile import SourceError
from tfgpu.options import Options
from tfgpu.rulebook.book import Rulebook, load_rulebook
from tfgpu.rulebook.model import SEVERITIES
from tfgpu.rulebook.table import RuleError, Table, parse_toml, version

# All names of an absolute path without links.
Place = tuple[str, ...]
# A folder's own file goes before the one that it shares with other tools.
NAMES = ("tfgpu.toml", "pyproject.toml")


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
            # What is there and cannot be read, as a link to nothing, is an error.
            if os.path.lexists(path):
                found = read_configuration(path)
                if found is not None:
                    return found
        return None


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file says for the files below its folder; empty, or None, is what it does not say.

    `path` is the file as it is told to people, `folder` absolute and without links; `rules` are
    folders of house rules, `baseline` is a file.
    """

    path: str
    folder: Path
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    per_file_ignores: tuple[tuple[tuple[Pattern, ...], tuple[str, ...]], ...]
    exclude: tuple[Pattern, ...]
    min_tf: tuple[int, int] | None
    rules: tuple[str, ...]
    severity: tuple[tuple[str, str], ...]
    baseline: Path | None

    def options(self, names: Sequence[str], chosen: Options, fixed: frozenset[str]) -> Options:
        """Return the options for a file, given by its names below the folder.

        `chosen` is what the command line says, `fixed` are the keys that it decides on.
        """
        select = chosen.select if "select" in fixed else self.select
        ignore = chosen.ignore if "ignore" in fixed else self.ignore
        for patterns, rules in self.per_file_ignores:
            if _holds(patterns, names):
                ignore += rules
        return replace(
            chosen,
            min_tf=chosen.min_tf if "min-tf" in fixed else self.min_tf or chosen.min_tf,
            select=select,
            ignore=ignore,
            severity=self.severity,
            rules=self.rules,
        )

    def excludes(self, names: Sequence[str], is_folder: bool) -> bool:
        """Tell whether a path is excluded itself; the last pattern that holds decides."""
        for pattern in reversed(self.exclude):
            if pattern.matches(names, is_folder):
                return pattern.ignores
        return False


def _holds(patterns: Sequence[Pattern], names: Sequence[str]) -> bool:
    """Tell whether patterns hold for a file, or for a folder around it."""
    return any(
        pattern.matches(names[:count], count < len(names))
        for pattern in patterns
        for count in range(1, len(names) + 1)
    )


def decided(options: Options, min_tf: tuple[int, int] | None) -> tuple[Options, frozenset[str]]:
    """Return options with the lowest version, if one is given, and the keys that they decide on."""
    given = {"select": options.select, "ignore": options.ignore, "min-tf": min_tf}
    keys = frozenset(key for key, value in given.items() if value)
    return options if min_tf is None else replace(options, min_tf=min_tf), keys


def read_configuration(path: Path, trusted: bool = False) -> Configuration | None:
    """Return what a file says, None for a pyproject.toml that is not about tfgpu.

    A file that is not `trusted` was found, not named by the user: its rules and its baseline are
    files of its own repository, and so is what it leads to as a link.

    Raises:
        RuleError: it cannot be read, or says what means nothing; or a house rule is wrong.
    """
    is_shared = path.name == "pyproject.toml"
    try:
        text = load(str(path)).decode("utf-8-sig")
        if is_shared and "tfgpu" not in text:
            return None
        if path.is_symlink() and not trusted and not _is_inside(path.parent.resolve(), path.name):
            expected = "a file of its own repository; --config takes others"
            raise RuleError(str(path), "the file", "a link out of it", expected)
        data = parse_toml(text)
    except (SourceError, ValueError) as error:
        raise RuleError(str(path), "the file", str(error), "TOML") from error
    prefix = ""
    if is_shared:
        tool = data.get("tool")
        own = tool.get("tfgpu") if isinstance(tool, dict) else None
        if own is None:
            return None
        prefix = "tool.tfgpu."
        if not isinstance(own, dict):
            raise RuleError(str(path), "tool.tfgpu", own, "a table")
        data = own
    elif isinstance(data.get("tool"), dict) and "tfgpu" in data["tool"]:
        expected = "its keys at the top of the file; only a pyproject.toml has this table"
        raise RuleError(str(path), "tool.tfgpu", "a table", expected)
    table = Table(data, str(path), prefix)
    if data.get("select") == []:
        raise table.error("select", [], "one rule at least; without the key, all are selected")
    return _parse(table, path, trusted)


def _parse(table: Table, path: Path, trusted: bool) -> Configuration:
    folder = path.parent.resolve()
    texts, baseline = table.texts("rules", []), table.text("baseline", None)
    for key, text in (*(("rules", text) for text in texts), ("baseline", baseline)):
        if text is not None and not trusted and not _is_inside(folder, text):
            raise table.error(key, text, f"a path inside the repository of {folder}")
        if text == "":
            raise table.error(key, text, "a path")
    for text in texts:
        if not (folder / text).exists():
            raise table.error("rules", text, "a folder, or a file, that exists")
    rules = tuple(str((folder / item).resolve()) for item in texts)
    book = load_rulebook(extra=rules)
    found = Configuration(
        path=str(path),
        folder=folder,
        select=_rules(table, "select", book),
        ignore=_rules(table, "ignore", book),
        per_file_ignores=_per_file_ignores(table, book),
        exclude=_patterns(table, "exclude", table.texts("exclude", [])),
        min_tf=_version(table),
        rules=rules,
        severity=_severity(table, book),
        baseline=None if baseline is None else folder / baseline,
    )
    table.close()
    return found


def _is_inside(folder: Path, text: str) -> bool:
    """Tell whether a path, seen from a folder, lies in the repository of the folder.

    Without a repository it is the folder itself that it has to be in.
    """
    tops = (above for above in (folder, *folder.parents) if (above / ".git").exists())
    try:
        return (folder / text).resolve().is_relative_to(next(tops, folder))
    except (OSError, RuntimeError, ValueError):  # a loop of links, a null character
        return False


def _patterns(table: Table, key: str, lines: Sequence[str]) -> tuple[Pattern, ...]:
    for line in lines:
        if names_no_file(line):
            expected = "a pattern without `.` and `..`, for files below the folder of this file"
            raise table.error(key, line, expected)
    return tuple(parse_patterns(lines))


def _rules(table: Table, key: str, book: Rulebook) -> tuple[str, ...]:
    found = table.texts(key, [])
    for pattern in found:
        _check(table, key, pattern, book)
    return found


def _check(table: Table, key: str, pattern: str, book: Rulebook) -> None:
    if not book.knows(pattern):
        nearest = book.nearest_rule(pattern)
        hint = f"; did you mean {nearest}?" if nearest else ""
        raise table.error(key, pattern, f"the name of a rule, or the start of its code{hint}")


def _per_file_ignores(
    table: Table, book: Rulebook
) -> tuple[tuple[tuple[Pattern, ...], tuple[str, ...]], ...]:
    key = "per-file-ignores"
    expected = "a table of lists of rules"
    found = []
    for glob, rules in table.mapping(key, list, expected).items():
        for pattern in rules:
            if not isinstance(pattern, str):
                raise table.error(f"{key}.{glob}", rules, expected)
            _check(table, f"{key}.{glob}", pattern, book)
        files = _patterns(table, f"{key}.{glob}", [glob])
        if glob.startswith("!"):
            raise table.error(f"{key}.{glob}", glob, "a pattern without `!` in front")
        found.append((files, tuple(rules)))
    return tuple(found)


def _version(table: Table) -> tuple[int, int] | None:
    text = table.text("min-tf", None)
    try:
        return None if text is None else version(text)
    except ValueError:
        raise table.error("min-tf", text, "a version of TensorFlow 2, such as 2.4") from None


def _severity(table: Table, book: Rulebook) -> tuple[tuple[str, str], ...]:
    expected = "one of " + ", ".join(SEVERITIES)
    found: dict[str, str] = table.mapping("severity", str, expected)
    for pattern, word in found.items():
        _check(table, f"severity.{pattern}", pattern, book)
        if word not in SEVERITIES:
            raise table.error(f"severity.{pattern}", word, expected)
    return tuple(found.items())
