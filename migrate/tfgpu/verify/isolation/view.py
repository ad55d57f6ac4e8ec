"""The files as one leg sees them: all as they are, with what it writes in layers of its own.

Every folder on the top level becomes an overlay: reading shows the user's files, writing goes to a
layer that the other leg does not see. A folder that something is mounted in is rebuilt entry by
entry, since an overlay shows no mounts below it and, in a user namespace, is refused there. Where
an overlay is not possible (a file system that cannot be one's lower layer), files are read-only.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field

from tfgpu.verify.isolation import system

# A folder with mounts in it and more entries than this would take too many mounts.
_MOST_ENTRIES = 10_000

_FLAGS = {
    "nosuid": system.MS_NOSUID,
    "nodev": system.MS_NODEV,
    "noexec": system.MS_NOEXEC,
    "noatime": system.MS_NOATIME,
    "nodiratime": system.MS_NODIRATIME,
    "relatime": system.MS_RELATIME,
}
# Devices, processes and the kernel's own settings: no files of the user's. They stay as they are.
DEVICES = "/dev"
KEPT = (DEVICES, "/proc", "/sys")
# Memory that processes share by name, which are files all the same.
_SHARED_MEMORY = "/dev/shm"


@dataclass(slots=True)
class View:
    """Builds the view of a leg in the mount namespace of this process.

    `work` is the folder of the whole verification, which no leg sees; `root`, `memory` and `layers`
    are empty folders in it. `privileged` tells that this is no user namespace.
    """

    work: str
    root: str
    memory: str
    layers: str
    privileged: bool
    read_only: list[str] = field(default_factory=list)
    _mounts: dict[str, Mount] = field(default_factory=dict)
    _uppers: list[tuple[str, int]] = field(default_factory=list)
    # The entries of each rebuilt folder, with the inodes of links: all else is mounted.
    _rebuilt: dict[str, dict[str, int]] = field(default_factory=dict)

    def build(self) -> None:
        """Mount everything below `root`.

        Raises:
            OSError: the system does not allow it.
        """
        system.mount("none", "/", flags=system.MS_REC | system.MS_PRIVATE)
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            self._mounts = parse_mounts(file.read())
        system.mount("tmpfs", self.root, "tmpfs", options="mode=755")
        system.mount("tmpfs", self.memory, "tmpfs", options="mode=700")
        self._rebuild("/")

    def show(self, folder: str) -> None:
        """Let the leg see one folder of `work` as it is, and write there; nothing else of it."""
        place = self.root + self.work
        system.mount("tmpfs", place, "tmpfs", options="mode=755")
        target = self.root + folder
        os.makedirs(target)
        system.mount(folder, target, flags=system.MS_BIND)

    def written(self) -> list[tuple[str, bool]]:
        """Return the files that were made, changed or removed, and whether they were removed."""
        found: list[tuple[str, bool]] = []
        for path, upper in self._uppers:
            for here, _, files, folder in os.fwalk(".", dir_fd=upper):
                start = os.path.normpath(os.path.join(path, here))
                for name in files:
                    one = os.stat(name, dir_fd=folder, follow_symlinks=False)
                    removed = stat.S_ISCHR(one.st_mode) and one.st_rdev == 0
                    found.append((os.path.join(start, name), removed))
        for path, entries in self._rebuilt.items():
            found += _written_beside(path, entries)
        return found

    # --- one place ---

    def _cover(self, path: str) -> None:
        """Let a leg see a file or folder."""
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(path), self.root + path)
        elif not stat.S_ISDIR(mode):
            with open(self.root + path, "wb"):
                pass
            self._bind(path, read_only=not (stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)))
        elif path == DEVICES or (below(path, self._mounts) and not is_kept(path)):
            os.mkdir(self.root + path)
            self._rebuild(path)
        elif is_kept(path):
            os.mkdir(self.root + path)
            if path != "/proc":  # one of its own follows
                self._bind(path, read_only=False)
        else:
            os.mkdir(self.root + path)
            self._overlay(path)

    def _rebuild(self, path: str) -> None:
        """Let a leg see a folder that holds mounts: an own folder with the same entries."""
        own = os.stat(path)
        with contextlib.suppress(PermissionError):
            os.chown(self.root + path, own.st_uid, own.st_gid)
        try:
            entries = os.listdir(path)
        except PermissionError:
            entries = []  # nor does the leg get to see them
        if len(entries) > _MOST_ENTRIES:
            raise OSError(0, f"{path} holds mounts and more than {_MOST_ENTRIES} entries")
        known = self._rebuilt.setdefault(path, {})
        for name in entries:
            with contextlib.suppress(FileNotFoundError):  # gone in the meantime
                self._cover(os.path.join(path, name))
                made = os.lstat(self.root + os.path.join(path, name))
                known[name] = made.st_ino if stat.S_ISLNK(made.st_mode) else 0
        with contextlib.suppress(PermissionError):
            os.chmod(self.root + path, stat.S_IMODE(own.st_mode))

    def _overlay(self, path: str) -> None:
        if self._mount_of(path).read_only:
            self._bind(path, read_only=True)
            return
        lower = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        # A layer cannot lie in the folder that it is laid over.
        bases = [self.memory] if is_above(path, self.work) else [self.layers, self.memory]
        try:
            for base in bases:
                if self._laid(path, lower, base):
                    return
        finally:
            os.close(lower)
        self._bind(path, read_only=True)
        self.read_only.append(path)

    def _laid(self, path: str, lower: int, base: str) -> bool:
        """Lay an overlay over a folder, with its layer in `base`; tell whether that worked."""
        number = f"{base}/{len(self._uppers)}"
        upper, work = number + "-upper", number + "-work"
        os.mkdir(upper)
        os.mkdir(work)
        own = os.stat(path)
        with contextlib.suppress(PermissionError):
            os.chown(upper, own.st_uid, own.st_gid)
        os.chmod(upper, stat.S_IMODE(own.st_mode))
        held = os.open(upper, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        inner = os.open(work, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        folders = ",".join(
            f"{name}=/proc/self/fd/{file}"
            for name, file in (("lowerdir", lower), ("upperdir", held), ("workdir", inner))
        )
        how = "redirect_dir=on" if self.privileged else "userxattr"
        try:
            system.mount("overlay", self.root + path, "overlay", options=f"{folders},{how}")
        except OSError:
            os.close(held)
            return False
        finally:
            os.close(inner)
        self._uppers.append((path, held))
        return True

    def _bind(self, path: str, read_only: bool) -> None:
        target = self.root + path
        system.mount(path, target, flags=system.MS_BIND | system.MS_REC)
        if read_only:
            mount = self._mount_of(path)
            flags = system.MS_REMOUNT | system.MS_BIND | system.MS_RDONLY
            for option in mount.options:
                flags |= _FLAGS.get(option, 0)
            system.mount("none", target, flags=flags)

    def _mount_of(self, path: str) -> Mount:
        """Return the mount that a path lies in."""
        while path not in self._mounts:
            path = os.path.dirname(path)
        return self._mounts[path]


def _written_beside(path: str, entries: dict[str, int]) -> list[tuple[str, bool]]:
    """Return what a leg made, replaced or removed in a rebuilt folder, apart from these entries."""
    found: list[tuple[str, bool]] = []
    with os.scandir(path) as listed:
        there = {one.name: one for one in listed}
    for name, one in there.items():
        if name in entries:
            if entries[name] and one.inode() != entries[name]:
                found.append((one.path, False))
        elif one.is_dir(follow_symlinks=False):
            for here, _, files in os.walk(one.path):
                found += [(os.path.join(here, each), False) for each in files]
        else:
            found.append((one.path, False))
    return found + [(os.path.join(path, name), True) for name in entries.keys() - there.keys()]


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system: where, what kind, with which options."""

    point: str
    kind: str
    options: frozenset[str]

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written there."""
        return "ro" in self.options


def parse_mounts(text: str) -> dict[str, Mount]:
    """Read /proc/self/mountinfo: what is mounted at each place, the topmost one."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        kind = words[words.index("-") + 1]
        point = _plain(words[4])
        found[point] = Mount(point, kind, frozenset(words[5].split(",")))
    return found


def _plain(path: str) -> str:
    """Return a path of /proc/mounts with its octal escapes decoded."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def is_kept(path: str) -> bool:
    """Tell whether a place is left as it is in every leg."""
    return path != _SHARED_MEMORY and any(
        path == folder or path.startswith(folder + "/") for folder in KEPT
    )


def below(path: str, points: Iterable[str]) -> list[str]:
    """Return the mount points below a folder."""
    start = path.rstrip("/") + "/"
    return [point for point in points if point.startswith(start) and point != path]


def is_above(path: str, other: str) -> bool:
    """Tell whether a folder is another one or holds it."""
    return other == path or other.startswith(path.rstrip("/") + "/")
