"""Results of earlier runs over the same files, in the user's cache folder.

A run is found again by a digest of everything that decides on it: the names and contents of all
files that it reads, what git ignores (by the files that are left), options and configuration for
each file, house rules, where projects begin, tfgpu's code and rules, and Python with what is
installed. Beside it, the last run of the same command is there by units, for one where some files
have changed. A file of the cache is written at once, so that processes can share a folder.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import cast

from tfgpu import __version__
from tfgpu.digest import SIZE, blake2b
from tfgpu.files.discover import Unreadable, discover
from tfgpu.files.files import load
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError
from tfgpu.job import Job, Watch
from tfgpu.pickled import dumps, loads
from tfgpu.program.around import decides, with_around
from tfgpu.program.links import further_places, real_places
from tfgpu.program.modules import Modules
from tfgpu.program.projects import by_project
from tfgpu.results import Result, may_pass
from tfgpu.rulebook.book import RULES
from tfgpu.rulebook.compiled import origin

_HEADER = b"tfgpu cache 2\n"
_MOST_BYTES = 2**28
# What is older, or the oldest of what is more than this together, is removed.
_MOST_SECONDS = 30 * 86_400
_MOST_BYTES_TOGETHER = 2**30
# The names of what is written: results, and what a run that was killed left behind.
_OWN_NAME = expression(rf"[0-9a-f]{{{2 * SIZE}}}\.(?:run|units)|\.\d+-[0-9a-f]{{8}}")
_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - at each start

# The files of a run, each with what `_contents` says about it.
Files = Mapping[str | Unreadable, bytes | str]
# Takes a line about the cache.
Say = Callable[[str], None]


def default_folder() -> Path | None:
    """Return the folder for caches of this user; None for one without a home."""
    if sys.platform == "win32":
        names = [os.environ.get("LOCALAPPDATA") or "~/AppData/Local", "tfgpu", "Cache"]
    elif sys.platform == "darwin":
        names = ["~/Library/Caches", "tfgpu"]
    else:
        names = [os.environ.get("XDG_CACHE_HOME") or "~/.cache", "tfgpu"]
    # A path that is not absolute would be below whatever folder this is.
    found = Path(os.path.expanduser(os.path.join(*names)))  # noqa: PTH111, PTH118 - never raises
    return found if found.is_absolute() else None


def cached_run(
    paths: list[str], job: Job, jobs: int, watch: Watch, folder: Path | None, say: Say
) -> Iterator[Result]:
    """Yield what `run` yields, from the cache in a folder if possible; None is no cache.

    Where some files have changed, the units that do not depend on them are taken from the last run.
    What is wrong with the cache is said in a line; the run is done as if there were none.
    """
    if folder is None or job.options.assume:
        from tfgpu.run import run  # noqa: PLC0415 - costs 0.1 s

        yield from run(paths, job, jobs, watch)
        return
    excludes = None if job.config is None else job.config.excludes
    deciding: dict[str, bytes] = {}
    files = {item: _contents(item, deciding) for item in discover(paths, job.kinds, excludes)}
    names = [item for item in files if not isinstance(item, Unreadable)]
    modules = {} if job.per_file else with_around(names, paths, excludes, deciding)
    beside = {
        path: found.code_of_command(path)
        for found in modules.values()
        if isinstance(found, Modules)
        for path in found.beside
    }
    around, whole = keys = _keys(paths, job, files, beside)
    path = folder / f"{whole}.run"
    found = _loaded(path, say)
    if found is not None:
        results = {result.path: result for result in cast("list[Result]", found)}
        for item in files:
            name = item.path if isinstance(item, Unreadable) else item
            yield results.get(name) or Result(name)
        return
    import zlib  # noqa: PLC0415 - few need it

    from tfgpu.memory import Entry, Memory  # noqa: PLC0415 - as `run`
    from tfgpu.run import run  # noqa: PLC0415

    units = folder / f"{around}.units"
    (known,) = cast("list[dict[bytes, Entry]]", _loaded(units, say) or [{}])
    memory = Memory(around, known)
    packer = zlib.compressobj(1)
    packed, complete = [], True
    for result in run(paths, job, jobs, watch, memory, files, modules):
        # As it is now: who takes it may change it. Most files have nothing that is told of them.
        if result != Result(result.path):
            packed.append(packer.compress(dumps(result)))
        complete = complete and not may_pass(result.reason)
        yield result
    data = b"".join([*packed, packer.flush()])
    # Only what was there before and after the run is what it has read.
    files = {item: _contents(item) for item in files}
    if complete and _keys(paths, job, files, beside) == keys:
        written = {path: data}
        if memory.is_new:
            written[units] = zlib.compress(dumps(memory.entries), 1)
        try:
            _store(folder, written)
        except OSError as error:
            say(f"cache not written: {folder}: {error.strerror or error}")


class _Digest:
    """A digest of parts; a part is never taken for two."""

    def __init__(self) -> None:
        self._digest = blake2b(digest_size=SIZE)

    def add(self, *parts: object) -> None:
        """Add some parts."""
        for part in parts:
            data = part if isinstance(part, bytes) else repr(part).encode()
            self._digest.update(b"%d " % len(data))
            self._digest.update(data)

    def hex(self) -> str:
        """Return the digest of what was added."""
        return self._digest.hexdigest()


def _keys(paths: list[str], job: Job, files: Files, beside: Mapping[str, bytes]) -> tuple[str, str]:
    """Return digests of what decides on a run: all but the files that it reads, and all.

    Files of `beside` were not named, and decide with the others; of code of commands it has the
    bytes.
    """
    inside, around = _Digest(), _Digest()
    _add_files(inside, paths, job, files)
    for path in sorted(beside):
        inside.add(path, beside[path] or _contents(path), job.options_for(path))
    names = [item for item in files if not isinstance(item, Unreadable)]
    inside.add(list(further_places(real_places([*names, *beside]))))
    around.add(__version__, origin(_HERE, *([str(RULES)] if RULES.is_dir() else [])))
    around.add(sys.version, sys.platform, _installed())
    around.add(os.path.realpath(os.curdir), paths, [os.path.realpath(path) for path in paths])
    around.add(job.rewrite, job.per_file, job.inventory, job.edits, sorted(map(str, job.kinds)))
    around.add(job.options)
    for rules in () if job.config is None else job.config.rules():
        for rule in sorted(Path(rules).rglob("*")):
            around.add(str(rule), _contents(str(rule)))
    inside.add(around.hex())
    return around.hex(), inside.hex()


def _add_files(digest: _Digest, paths: list[str], job: Job, files: Files) -> None:
    """Add the files of a run, with the options for each and the projects that they belong to."""
    folders: dict[str, str] = {}
    options = None
    names = [item for item in files if not isinstance(item, Unreadable)]
    for item, contents in files.items():
        if isinstance(item, Unreadable):
            digest.add(item.path, item.reason)
            continue
        above = os.path.dirname(item)  # noqa: PTH120 - for each file
        if above not in folders:
            folders[above] = os.path.realpath(above)
        if (found := job.options_for(item)) is not options:
            options = found
            digest.add("options", options)
        digest.add((item, folders[above], contents))
    digest.add(sorted(by_project(names, paths).items()))


def _contents(item: str | Unreadable, deciding: dict[str, bytes] | None = None) -> bytes | str:
    """Return a digest of the bytes of a file, or what is wrong with it.

    The bytes of those that decide on others are added to `deciding`.
    """
    if isinstance(item, Unreadable):
        return item.reason
    try:
        data = load(item)
    except SourceError as error:
        return str(error)
    if deciding is not None and decides(data):
        deciding[item] = data
    return blake2b(data, digest_size=SIZE).digest()


def _installed() -> list[list[str]]:
    """Return where modules are found, and what is there: versions are in the names."""
    found = []
    for path in sys.path:
        with suppress(OSError):
            names = sorted(os.listdir(path)) if "-packages" in path else []  # noqa: PTH208
            found.append([path, *names])
    return found


def _loaded(path: Path, say: Say) -> list[object] | None:
    """Return what is in a file of the cache; None where it is not there, or not to be used."""
    import zlib  # noqa: PLC0415 - few need it

    try:
        with open(path, "rb", opener=_opened) as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and status.st_uid != os.getuid():
                say(f"cache ignored: {path} is another user's")
                return None
            if not stat.S_ISREG(status.st_mode) or status.st_size > 2 * _MOST_BYTES:
                raise ValueError("no file that is written here")
            header, checked = file.read(len(_HEADER)), file.read(SIZE)
            data = file.read()
        if header != _HEADER or blake2b(data, digest_size=SIZE).digest() != checked:
            raise ValueError("damaged")
        found = list(loads(zlib.decompress(data)))
        with suppress(OSError):
            os.utime(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        say(f"cache ignored: {path}: {error.strerror or error}")
        return None
    except Exception:  # whatever damaged data leads to
        say(f"cache ignored: {path} is damaged, or no cache of tfgpu")
        return None
    return found


def _opened(path: str, flags: int) -> int:
    """Open a file; a pipe in its place is not waited for."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _store(folder: Path, files: Mapping[Path, bytes]) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path, data in files.items():
        if len(data) > _MOST_BYTES:
            continue
        temporary = path.with_name(f".{os.getpid()}-{os.urandom(4).hex()}")
        try:
            temporary.write_bytes(_HEADER + blake2b(data, digest_size=SIZE).digest() + data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        # Looking at all files costs more than one of them.
        if path.name.startswith("0"):
            _clean(folder)


def _clean(folder: Path) -> None:
    """Remove what was not used for long, and the oldest of what is too much.

    The folder can be somebody's: other files stay.
    """
    files = []
    for path in folder.glob("*.*"):
        if _OWN_NAME.fullmatch(path.name) is None:
            continue
        with suppress(FileNotFoundError):  # another process has removed it
            files.append((path, path.lstat()))
    files.sort(key=lambda item: -item[1].st_mtime)
    size, now = 0, time.time()
    for path, status in files:
        size += status.st_size
        if size > _MOST_BYTES_TOGETHER or now - status.st_mtime > _MOST_SECONDS:
            path.unlink(missing_ok=True)
