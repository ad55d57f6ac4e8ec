"""Whether anything of the user's changed while the legs ran."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable
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

    def check(self, written: Iterable[tuple[str, bool]]) -> None:
        """Compare with what is there now; `written` is that of `legs.Run`.

        Raises:
            Touched: something changed.
        """
        now = _states(self.folders)
        changed = {
            path for path in {*self._states, *now} if self._states.get(path) != now.get(path)
        }
        for path, removed in written:
            if path not in now and self._changed_since(path, removed):
                changed.add(path)
        if changed:
            shown = first_of(sorted(changed), 10)
            raise Touched(
                f"files changed while the programs ran, by them or by something else: {shown}"
            )

    def _changed_since(self, path: str, removed: bool) -> bool:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return removed
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and found.st_ctime_ns > self._since


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
