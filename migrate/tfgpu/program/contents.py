"""What single files of a run hold: their bytes, their code, and the words and names in it."""

from __future__ import annotations

from collections.abc import Mapping

from tfgpu.code.spelled import is_build_script, spelled
from tfgpu.files.files import UNREADABLE, load
from tfgpu.files.kinds import Kind, kind_of
from tfgpu.files.pattern import Pattern, expression
from tfgpu.files.pyfile import SourceError
from tfgpu.files.read import code_of
from tfgpu.program.dotted_paths import dotted_paths, starred_paths

_ASSIGNED = expression(rb"\.(\w+)[ \t]*=(?!=)")
_WORD = expression(rb"\w+")
# So many bytes of files that hold no word of interest are kept for the next question about them.
_MOST_KEPT = 64 * 2**20


class Contents:
    """Files by path, with their bytes where they are known already.

    Others are read once, at the first question.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._bytes = dict(files)
        self._code: dict[str, bytes] = {}
        self._holds: dict[tuple[Pattern, str], bool] = {}
        self._kept: dict[str, bytes] = {}
        self._left = _MOST_KEPT
        self._words: dict[str, frozenset[bytes]] = {}
        self._stars: dict[str, list[str]] = {}
        self._assigned: dict[str, frozenset[bytes]] = {}
        self._dotted: dict[str, list[str]] = {}
        self._spelled: dict[str, list[str]] = {}

    def __getstate__(self) -> dict[str, object]:
        """Leave out what other processes can read, and search, themselves."""
        return {**self.__dict__, "_kept": {}, "_holds": {}, "_left": _MOST_KEPT}

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; `UNREADABLE` where it cannot be read."""
        data = self._bytes[path] or self._kept.get(path)
        if data is None:
            try:
                data = load(path)
            except SourceError:
                data = UNREADABLE
            if len(data) <= self._left:
                self._left -= len(data)
                self._kept[path] = data
        return data

    def _take(self, other: Contents) -> None:
        """Take from other modules what is known of single files, which is the same in these."""
        self._kept, self._code, self._holds = other._kept, other._code, other._holds
        self._words, self._stars, self._assigned = other._words, other._stars, other._assigned
        self._dotted, self._spelled = other._dotted, other._spelled

    def code_of_command(self, path: str) -> bytes:
        """Return the code of a path that is no file, but a place where a command runs code."""
        return self._bytes[path]

    def code(self, path: str) -> bytes:
        """Return the code of a file: its bytes, and of a notebook the text of its cells."""
        if kind_of(path) is not Kind.NOTEBOOK:
            return self.read(path)
        if path not in self._code:
            self._code[path] = code_of(path, self.read(path))
        return self._code[path]

    def holds(self, pattern: Pattern, path: str) -> bool:
        """Tell whether a pattern is found in the code of a file."""
        # Programs share most of their files, and each is searched for each of them.
        if (pattern, path) not in self._holds:
            self._holds[pattern, path] = pattern.search(self.code(path))
        return self._holds[pattern, path]

    def words(self, path: str) -> frozenset[bytes]:
        """Return every name and word in a file."""
        if path not in self._words:
            self._words[path] = frozenset(_WORD.findall(self.code(path)))
        return self._words[path]

    def has_star(self, path: str) -> bool:
        """Tell whether a file imports everything from a module."""
        return bool(self.stars(path))

    def stars(self, path: str) -> list[str]:
        """Return the dotted paths of what a file imports everything from."""
        if path not in self._stars:
            self._stars[path] = starred_paths(self.code(path))
        return self._stars[path]

    def assigned(self, path: str) -> frozenset[bytes]:
        """Return the names of what a file may assign to in other modules: `module.name = ...`."""
        if path not in self._assigned:
            self._assigned[path] = frozenset(_ASSIGNED.findall(self.code(path)))
        return self._assigned[path]

    def dotted(self, path: str) -> list[str]:
        """Return the dotted path of everything that a file may import."""
        known = self._dotted.get(path)
        if known is None:
            known = self._dotted[path] = list(dict.fromkeys(dotted_paths(self.code(path))))
        return known

    def spelled(self, path: str) -> list[str]:
        """Return the dotted path of everything that texts of a file may have imported."""
        if path not in self._spelled:
            names = () if is_build_script(path) else spelled(self.code(path))
            self._spelled[path] = list(dict.fromkeys(names))
        return self._spelled[path]
