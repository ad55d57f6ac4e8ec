"""Whether anything of the user's changed while the legs ran."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tfgpu.verify.lists import first_of

# Folders of version control: what looks at a repository (an editor) refreshes them.
_PASSED_OVER = frozenset({".git", ".hg", ".svn"})
_MOST_FILES = 200_000
# The byte code of tfgpu itself, where it lies beside the program: Python writes it during a run.
_OWN = str(Path(__file__).parents[2])
_BYTE_CODE = "__pycache__"

_State = tuple[int, int, int, int]


class Touched(Exception):
    """Files of the user's changed while the legs ran; the message names them."""


@dataclass(slots=True)
class Snapshot:
    """The files below some folders as they were when this was made."""

    folders: Iterable[Path]
    _states: dict[str, _State] = field(default_factory=dict)
    # The clock of file systems is some milliseconds behind.
    _since: int = field(default_factory=lambda: time.time_ns() + 50_000_000)

    def __post_init__(self) -> None:
        self._states = _states(self.folders)

    def check(self, written: Collection[tuple[str, bool]]) -> None:
        """Compare with what is there now; `written` is that of `legs.Run`.

        All processes of the legs have ended: what is written on by another one, such as the log
        that the user lets this process write, is none of theirs.

        Raises:
            Touched: something changed.
        """
        now = _states(self.folders)
        changed = {
            path for path in {*self._states, *now} if self._states.get(path) != now.get(path)
        }
        own = {path for path, _ in written}
        logs = {path for path in changed - own if self._has_grown(path, now.get(path))}
        changed -= logs & set(_open_for_writing(logs))
        for path, removed in written:
            if path not in now and self._changed_since(path, removed):
                changed.add(path)
        if changed:
            shown = first_of(sorted(changed), 10)
            raise Touched(
                f"files changed while the programs ran, by them or by something else: {shown}"
            )

    def _has_grown(self, path: str, now: _State | None) -> bool:
        """Tell whether a file is new, or has more at its end, as what others write on has."""
        old = self._states.get(path)
        return now is not None and (old is None or (old[::3] == now[::3] and old[1] <= now[1]))

    def _changed_since(self, path: str, removed: bool) -> bool:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return removed
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and found.st_ctime_ns > self._since


def _open_for_writing(paths: Collection[str]) -> Iterator[str]:
    """Yield those of some files that a process has open to write there."""
    for table in Path("/proc").glob("[0-9]*/fd") if paths else ():
        with suppress(OSError):  # it has ended, or is somebody else's
            for one in table.iterdir():
                found = str(one.readlink())
                told = (table.with_name("fdinfo") / one.name).read_text("ascii")
                flags = int(re.findall(r"^flags:\s+(\d+)", told, re.M)[0], 8)
                if found in paths and flags & os.O_ACCMODE != os.O_RDONLY:
                    yield found


def _states(folders: Iterable[Path]) -> dict[str, _State]:
    found: dict[str, _State] = {}
    waiting = [str(folder) for folder in folders]
    while waiting and len(found) < _MOST_FILES:
        try:
            with os.scandir(waiting.pop()) as listed:
                entries = list(listed)
        except OSError:  # not to be read, or gone
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                own = entry.name == _BYTE_CODE and entry.path.startswith(_OWN)
                if entry.name not in _PASSED_OVER and not own:
                    waiting.append(entry.path)
                continue
            try:
                one = entry.stat(follow_symlinks=False)
            except OSError:
                continue
            found[entry.path] = (one.st_ino, one.st_size, one.st_mtime_ns, one.st_mode)
    return found
