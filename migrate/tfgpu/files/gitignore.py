"""The patterns of .gitignore files, matched as git does it: one path after the other, top down.

pathspec, which matches whole paths, cannot tell a pattern that names a path from one that names a
folder above it; for `!folder/` the two differ.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tfgpu.dataclass import dataclass
from tfgpu.files.files import load
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError

_SPACES_AT_END = expression(r"(?<!\\) +$")
_ESCAPED = expression(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a .gitignore file; in `parts`, None means any number of folders."""

    ignores: bool
    only_folders: bool
    parts: tuple[re.Pattern[str] | None, ...]
    text: str

    def matches(self, names: Sequence[str], is_folder: bool) -> bool:
        """Tell whether this is a pattern for a path, given by its names below the file's folder."""
        return (is_folder or not self.only_folders) and _match(self.parts, names)


def read_patterns(folder: str | Path) -> list[Pattern]:
    """Return the patterns of the .gitignore file in a folder; none where it cannot be read.

    Of a link there are none: git does not follow it.
    """
    path = Path(folder, ".gitignore")
    try:
        text = "" if path.is_symlink() else os.fsdecode(load(str(path)))
    except SourceError:
        return []
    return parse_patterns(text.removeprefix(os.fsdecode(b"\xef\xbb\xbf")).split("\n"))


def parse_patterns(lines: Iterable[str]) -> list[Pattern]:
    """Return the patterns of lines as they stand in a .gitignore file."""
    return [pattern for line in lines if (pattern := _pattern(line)) is not None]


def names_no_file(line: str) -> bool:
    """Tell whether a pattern has `.` or `..` among its names: no path below its folder has."""
    return not line.startswith("#") and any(
        name.strip(" ") in (".", "..") for name in line.removeprefix("!").split("/")
    )


def _pattern(line: str) -> Pattern | None:
    line = _SPACES_AT_END.sub("", line.removesuffix("\r"))
    glob = line.removeprefix("!")
    path = glob.removesuffix("/")
    if line.startswith("#") or not path:
        return None
    names = path.removeprefix("/").split("/")
    if "/" not in path:
        names.insert(0, "**")
    if names[-1] == "**":
        names.append("*")
    parts = tuple(None if name == "**" else _name(name) for name in names)
    return Pattern(glob == line, glob != path, parts, line)


def _name(glob: str) -> re.Pattern[str]:
    """Compile a pattern for one name; fnmatch knows no backslash and no `[^a]`."""
    glob = _ESCAPED.sub(lambda found: re.sub(r"([*?[])", r"[\1]", found[1]), glob)
    return re.compile(fnmatch.translate(glob.replace("[^", "[!")))


def _match(parts: Sequence[re.Pattern[str] | None], names: Sequence[str]) -> bool:
    """Match from the end, where most patterns fail at once.

    `left` is how many names may be left to match in front of a part. There are no more of them than
    names, so that no pattern takes longer than its length times that of the path.
    """
    left = {len(names)}
    for part in reversed(parts):
        if part is None:
            left = set(range(max(left) + 1))
        else:
            left = {count - 1 for count in left if count and part.match(names[count - 1])}
        if not left:
            return False
    return 0 in left
