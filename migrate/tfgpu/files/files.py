"""Files on disk: read whole up to a limit, and replaced at once.

Whatever happens to this process, or to its whole group, a file is its old or its new self, and
nothing else is left: a child that signals to them do not reach does what needs a second name.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tfgpu.files.pyfile import SourceError

# No source file is larger; what is larger is not read at all.
MAX_READ = 64 * 2**20
# In the place of the bytes of a file that cannot be read: no Python, so that it is not taken for an
# empty one, which does nothing.
UNREADABLE = b"\0"
# A pipe is not waited for. Plain calls of the system: for many small files half the time of `open`.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


# Digests of the contents of files, by their real paths.
_instead: dict[str, bytes] = {}


@contextlib.contextmanager
def instead(contents: Mapping[str, bytes]) -> Iterator[None]:
    """Let this process read other contents for some files, which are open in an editor."""
    _instead.update(contents)
    try:
        yield
    finally:
        _instead.clear()


def load(path: str) -> bytes:
    """Return the bytes of a file.

    Raises:
        SourceError: no file, too large, or it cannot be read.
    """
    if _instead and (text := _instead.get(os.path.realpath(path))) is not None:
        return text
    try:
        handle = os.open(path, _READ)
        try:
            return _contents(handle)
        finally:
            os.close(handle)
    except OSError as error:
        raise SourceError(error.strerror or str(error)) from error


def load_if_readable(path: str) -> bytes:
    """Return the bytes of a file; none where it cannot be read."""
    try:
        return load(path)
    except SourceError:
        return b""


def _contents(handle: int) -> bytes:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        raise SourceError("not a regular file")
    if status.st_size > MAX_READ:
        size = status.st_size / 2**20
        raise SourceError(f"{size:.1f} MiB; files above 64 MiB are not read")
    data = os.read(handle, status.st_size + 1)
    # Where the size does not say how much there is: it grows, or comes in pieces.
    while len(data) != status.st_size and (more := os.read(handle, 2**16)):
        data += more
    return data


def write(path: str, old: bytes, new: bytes) -> None:
    """Replace the contents of a file, atomically, with its mode kept, and its owner if allowed.

    Extended attributes are kept.

    Raises:
        SourceError: as of `writable`, or the file cannot be written.
    """
    target, before = writable(path, old)
    temporary = target.with_name(f".tfgpu-{os.urandom(8).hex()}")
    try:
        try:
            _apart(lambda: _replace(target, temporary, new, before))
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise SourceError(error.strerror or str(error)) from error


def writable(path: str, old: bytes) -> tuple[Path, os.stat_result]:
    """Return the file to replace where a path is to be written, and its status; nothing is written.

    A link is written through to a file below the folder that it is in, and left alone where it
    leads elsewhere; so is a file in a folder that is reached by such a link, and one with several
    names.

    Raises:
        SourceError: the file does not hold `old` any more, or is not to be replaced.
    """
    try:
        target = target_of(Path(path))
        before = target.stat()
        if target.read_bytes() != old:
            raise SourceError("changed while it was read; not written")
        # The mode says what its owner wants, root or not.
        if not before.st_mode & 0o222 or not os.access(target, os.W_OK):
            raise SourceError("read-only; not changed")
        folder = target.parent
        if not folder.stat().st_mode & 0o222 or not os.access(folder, os.W_OK | os.X_OK):
            raise SourceError("in a read-only folder; not changed")
        if before.st_nlink > 1:
            raise SourceError("has hard links, which would keep the old text; not changed")
    except OSError as error:
        raise SourceError(error.strerror or str(error)) from error
    return target, before


def target_of(path: Path) -> Path:
    """Return the file to replace where a path is to be written.

    Raises:
        SourceError: the path is a link out of its folder.
    """
    # Links above the current folder are the machine's own.
    here = Path(os.path.abspath(path))  # noqa: PTH100 - links stay
    for folder in here.parents:
        if folder.is_symlink() and folder.is_relative_to(Path.cwd()):
            target = folder.resolve(strict=True)
            if not target.is_relative_to(folder.parent.resolve()):
                raise SourceError(
                    "in a folder behind a symbolic link out of its folder; not changed"
                )
    if not path.is_symlink():
        return path
    target = path.resolve(strict=True)
    if not target.is_relative_to(path.parent.resolve()):
        raise SourceError("a symbolic link out of its folder; not changed")
    return target


def _replace(target: Path, temporary: Path, new: bytes, before: os.stat_result) -> None:
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR)
        with os.fdopen(handle, "wb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "chown"):
            with contextlib.suppress(PermissionError):
                os.chown(temporary, before.st_uid, before.st_gid)
        temporary.chmod(stat.S_IMODE(before.st_mode))
        _copy_attributes(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def _copy_attributes(target: Path, temporary: Path) -> None:
    """Give a file the extended attributes of the one that it replaces.

    Raises:
        OSError: one cannot be set; then nothing is replaced.
    """
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(target)
    except OSError:  # a file system without them
        return
    for name in names:
        # What the system sets by itself is not for us.
        if not name.startswith(("security.", "system.")):
            os.setxattr(temporary, name, os.getxattr(target, name))


def _apart(act: Callable[[], None]) -> None:
    """Do something in a process that outlives this one; here, where there is no `fork`."""
    if not hasattr(os, "fork"):
        act()
        return
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # About threads. The child takes none of their locks.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:  # pragma: no cover - another process
        try:
            os.write(writing, bytes([_status(act)]))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    with contextlib.suppress(ChildProcessError):  # where children are not waited for
        os.waitpid(child, 0)
    # A child that says nothing was killed.
    status = answer[0] if answer else errno.EINTR
    if status:
        raise OSError(status, os.strerror(status))


def _status(act: Callable[[], None]) -> int:  # pragma: no cover - runs in another process
    """Do something out of the reach of signals to the group; return the error number, 0 if none."""
    os.setsid()
    try:
        act()
    except OSError as error:
        return error.errno or errno.EIO
    return 0
