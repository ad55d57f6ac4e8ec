"""Results of earlier runs over the same files, in the user's cache folder.

A run is found again by a digest of everything that decides on it: the names and contents of all
files that it reads, what git ignores (by the files that are left), options and configuration for
each file, house rules, where projects begin, tfgpu's code and rules, and Python with what is
installed. A file of the cache is written at once, so that processes can share a folder.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from tfgpu import __version__
from tfgpu.files.discover import Unreadable, discover
from tfgpu.files.files import load
from tfgpu.files.pyfile import SourceError
from tfgpu.process import Job, Result
from tfgpu.program.projects import by_project
from tfgpu.rulebook.book import RULES
from tfgpu.run import CRASHED, Watch, run

# Of fewer files a run costs little more than looking for it.
_FEW_FILES = 20
_HEADER = b"tfgpu cache 1\n"
_DIGEST_SIZE = 32
_MOST_BYTES = 2**28
# What is older, or the oldest of what is more than this together, is removed.
_MOST_SECONDS = 30 * 86_400
_MOST_BYTES_TOGETHER = 2**30
# Where the classes of results are; nothing else is made from what a cache holds.
_MODULES = ("process", "findings", "engine", "inventory", "files.", "program.switches")
_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - at each start

# Takes a line about the cache.
Say = Callable[[str], None]


def default_folder() -> Path:
    """Return the folder for caches of this user."""
    from platformdirs import user_cache_path  # noqa: PLC0415 - only where a cache is used

    return user_cache_path("tfgpu", appauthor=False)


def cached_run(
    paths: list[str], job: Job, jobs: int, watch: Watch, folder: Path | None, say: Say
) -> Iterator[Result]:
    """Yield what `run` yields, from the cache in a folder if it is there; None stands for no cache.

    What is wrong with the cache is said in a line; the run is done as if there were none.
    """
    key = None if folder is None or job.options.assume else _key(paths, job)
    if folder is None or key is None:
        yield from run(paths, job, jobs, watch)
        return
    path = folder / f"{key}.run"
    found = _loaded(path, say)
    if found is not None:
        yield from found
        return
    packer = zlib.compressobj(1)
    packed, complete = [], True
    for result in run(paths, job, jobs, watch):
        # As it is now: who takes it may change it.
        packed.append(packer.compress(pickle.dumps(result, protocol=5)))
        complete = complete and result.reason != CRASHED
        yield result
    data = b"".join([*packed, packer.flush()])
    # Only what was there before and after the run is what it has read.
    if complete and len(data) <= _MOST_BYTES and _key(paths, job) == key:
        _store(path, data, say)


def _key(paths: list[str], job: Job) -> str | None:
    """Return the digest of everything that decides on a run; None where it is a small one."""
    excludes = None if job.config is None else job.config.excludes
    found = list(discover(paths, job.kinds, excludes))
    if len(found) < _FEW_FILES:
        return None
    digest = hashlib.blake2b(digest_size=24)

    def add(*parts: object) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            digest.update(b"%d " % len(data))
            digest.update(data)

    add(__version__, _code(), sys.version, sys.platform, _installed())
    add(os.path.realpath(os.curdir), paths, [os.path.realpath(path) for path in paths])
    add(job.rewrite, job.per_file, job.inventory, job.edits, sorted(map(str, job.kinds)))
    add(job.options)
    folders: dict[str, str] = {}
    for item in found:
        if isinstance(item, Unreadable):
            add(item.path, item.reason)
            continue
        above = os.path.dirname(item)  # noqa: PTH120 - for each file
        if above not in folders:
            folders[above] = os.path.realpath(above)
        add(item, folders[above], job.options_for(item), _contents(item))
    files = [item for item in found if isinstance(item, str)]
    add(sorted(by_project(files, paths).items()))
    for rules in () if job.config is None else job.config.rules():
        for rule in sorted(Path(rules).rglob("*")):
            add(str(rule), _contents(str(rule)))
    return digest.hexdigest()


def _contents(path: str) -> bytes | tuple[str]:
    """Return the bytes of a file, or what is wrong with it."""
    try:
        return load(path)
    except SourceError as error:
        return (str(error),)


def _code() -> list[tuple[str, int, int]]:
    """Return the files of tfgpu and of its rules, by what Python goes by, too: size and time."""
    found = []
    waiting = [_HERE, *([str(RULES)] if RULES.is_dir() else [])]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        waiting.append(entry.path)
                else:
                    status = entry.stat()
                    found.append((entry.path, status.st_size, status.st_mtime_ns))
    return sorted(found)


def _installed() -> list[list[str]]:
    """Return where modules are found, and what is there: versions are in the names."""
    found = []
    for path in sys.path:
        with suppress(OSError):
            names = sorted(os.listdir(path)) if "-packages" in path else []  # noqa: PTH208
            found.append([path, *names])
    return found


class _Unpickler(pickle.Unpickler):
    """Makes results, and nothing else that a file could ask for."""

    def find_class(self, module_name: str, name: str) -> type:
        """Return a class of the modules that results consist of."""
        if module_name.removeprefix("tfgpu.").startswith(_MODULES):
            found = super().find_class(module_name, name)
            if isinstance(found, type) and found.__module__ == module_name:
                return found
        raise pickle.UnpicklingError(f"{module_name}.{name}")


def _loaded(path: Path, say: Say) -> list[Result] | None:
    """Return the results in a file of the cache; None where it is not there, or not to be used."""
    try:
        with path.open("rb") as file:
            if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
                say(f"cache ignored: {path} is another user's")
                return None
            header, checked = file.read(len(_HEADER)), file.read(_DIGEST_SIZE)
            data = file.read()
        if header != _HEADER or hashlib.sha256(data).digest() != checked:
            raise ValueError("damaged")
        whole = io.BytesIO(zlib.decompress(data))
        found = []
        while whole.tell() < len(whole.getbuffer()):
            found.append(_Unpickler(whole).load())
        with suppress(OSError):
            os.utime(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        say(f"cache ignored: {path}: {error.strerror or error}")
        return None
    except Exception:  # whatever damaged data leads to
        say(f"cache ignored: {path} is damaged, or no cache of tfgpu")
        return None
    return found


def _store(path: Path, data: bytes, say: Say) -> None:
    temporary = path.with_name(f".{os.getpid()}-{os.urandom(4).hex()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            temporary.write_bytes(_HEADER + hashlib.sha256(data).digest() + data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _clean(path.parent)
    except OSError as error:
        say(f"cache not written: {path.parent}: {error.strerror or error}")


def _clean(folder: Path) -> None:
    """Remove what was not used for long, and the oldest of what is too much."""
    files = [(path, path.stat()) for path in folder.glob("*.run")]
    files.sort(key=lambda item: -item[1].st_mtime)
    size, now = 0, time.time()
    for path, status in files:
        size += status.st_size
        if size > _MOST_BYTES_TOGETHER or now - status.st_mtime > _MOST_SECONDS:
            path.unlink(missing_ok=True)
