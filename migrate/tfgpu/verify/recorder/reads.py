"""Notes which files a run reads, and what was in them.

Python is compared by its statements where the program's code leads to it, but not where it reads it
as a text and executes that (`exec(open("settings.py").read())`), or where only the run knows the
file (a shell script starts it, plug-ins of a folder). What the run itself has written is left out,
and so is what belongs to the system, to Python and its packages, and caches. Python tells of the
files that it opens, and of the code that it runs; TensorFlow's readers open theirs by themselves,
and are asked.
"""

from __future__ import annotations

import builtins
import contextlib
import hashlib
import importlib
import io
import os
import re
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from .alias import is_installed, is_own

# What tools keep beside a program.
_LEFT_OUT = re.compile(
    r"\.(py[cdio]|ipynb|so)$|/(\.git|\.hg|\.svn|__pycache__|[^/]+\.(egg|dist)-info)(/|$)"
)
# Folders of the system, and those where libraries keep what they need.
_OF_SYSTEM = re.compile(
    r"^/(proc|sys|dev|usr|lib\w*|s?bin|run|boot|var/cache|var/lib)/"
    r"|/\.(cache|nv|matplotlib|ipython|triton)/"
)
# What reads Python to import it, to show lines of it, or to keep a copy.
_NOT_TO_RUN = re.compile(r"^<frozen |/(importlib/\w+|linecache|shutil|tarfile|zipfile)\.py$")
_READERS = ("TFRecordDatasetV2", "TextLineDatasetV2", "FixedLengthRecordDatasetV2")
_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # verify, in tfgpu
_PYTHON = (".py", ".pyw")
# So many files are noted; of one that is larger than two such parts, the first and the last.
_MOST = 2_000
_PART = 4 * 2**20


class Reads:
    """Watches what one process reads."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._script = os.path.dirname(observer.job["script"])
        compared = (observer.job["script"], *observer.job["marks"])
        self._compared = {os.path.realpath(one) for one in compared}  # by their statements
        self._known = {os.path.realpath(one) for one in observer.job["known"]} | self._compared
        self._seen: set[str] = set()
        self._inside: set[int] = set()  # threads that look into a file themselves
        if hasattr(sys, "addaudithook"):  # since Python 3.8
            sys.addaudithook(self._audited)
        else:
            builtins.open = io.open = self._telling(builtins.open, _opened)

    def watch(self) -> None:
        """Watch what TensorFlow reads by itself; it has been imported."""
        files: Any = importlib.import_module("tensorflow.python.lib.io.file_io").FileIO
        files._preread_check = self._telling(files._preread_check, lambda file, *_: file.name)
        readers: Any = importlib.import_module("tensorflow.python.data.ops.readers")
        for name in _READERS:
            kind = getattr(readers, name)
            kind.__init__ = self._telling(kind.__init__, _records)

    def _telling(
        self, function: Callable[..., Any], named: Callable[..., Any]
    ) -> Callable[..., Any]:
        """Return a function that looks at the files that its arguments name, and calls another."""

        def telling(*args: Any, **given: Any) -> Any:
            with contextlib.suppress(Exception):  # a tensor; arguments that it will refuse
                names = named(*args, **given)
                for name in names if isinstance(names, (list, tuple)) else [names]:
                    self._look(name)
            return function(*args, **given)

        return telling

    def _audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec" and threading.get_ident() not in self._inside:
            with contextlib.suppress(OSError, TypeError, ValueError, AttributeError):
                self._runs(os.path.abspath(arguments[0].co_filename))
        if event == "open" and threading.get_ident() not in self._inside:
            flags = arguments[2] if isinstance(arguments[2], int) else 0
            if flags & os.O_ACCMODE != os.O_WRONLY and not flags & os.O_TRUNC:
                with contextlib.suppress(OSError, TypeError, ValueError):
                    self._look(arguments[0])

    def _runs(self, path: str) -> None:
        """Note Python of the program that runs here, and that is not compared by its statements."""
        is_python = path.endswith(_PYTHON) and is_own(path, self._observer.root)
        if is_python and os.path.realpath(path) not in self._known:
            self._note(path)

    def _look(self, name: Any) -> None:
        """Note a file that is read."""
        path = os.path.abspath(os.fsdecode(name))
        if not path.endswith(_PYTHON) or (
            is_own(path, self._observer.root) and self._is_text(path)
        ):
            self._note(path)

    def _note(self, path: str) -> None:
        """Note a file, the first time that it is read or run."""
        if path in self._seen or len(self._seen) >= _MOST or _LEFT_OUT.search(path):
            return
        observer = self._observer
        own = is_own(path, observer.root)
        if observer.is_trial or not (own or self._is_outside(path)):
            return
        thread = threading.get_ident()
        self._inside.add(thread)
        try:
            status = os.stat(path)
            if not os.path.isfile(path) or status.st_mtime > observer.job["begun"]:
                return  # it is not there, or the run has written it
            self._seen.add(path)
            place = os.path.relpath(path, self._script) if own else path
            observer.stream.write("read", path=place, content=_digest(path, status.st_size))
        finally:
            self._inside.discard(thread)

    def _is_text(self, path: str) -> bool:
        """Tell whether the program reads a file with Python for what is in it, not to import it."""
        frame: FrameType | None = sys._getframe(1)
        while frame and not is_own(frame.f_code.co_filename, self._observer.root):
            if _NOT_TO_RUN.search(frame.f_code.co_filename):
                return False
            frame = frame.f_back
        return frame is not None and os.path.realpath(path) not in self._compared

    def _is_outside(self, path: str) -> bool:
        """Tell whether a file outside of the program's folder is none of what runs it."""
        job = self._observer.job
        run_by = (
            os.path.dirname(_HERE),
            os.path.dirname(job["out"]),
            *(sys.prefix, sys.base_prefix, sys.exec_prefix, self._observer.root),
        )
        beside = any(path.startswith(folder.rstrip(os.sep) + os.sep) for folder in run_by)
        return not (beside or is_installed(path) or _OF_SYSTEM.search(path))


def _opened(file: Any, mode: str = "r", *_: Any, **__: Any) -> Any:
    return [] if set(mode) & set("wxa") else file


def _records(_: Any, filenames: Any, *__: Any, **___: Any) -> Any:
    return filenames


def _digest(path: str, size: int) -> str:
    """Return what tells the contents of a file from others."""
    found = hashlib.sha256(str(size).encode())
    with open(path, "rb") as file:
        found.update(file.read(_PART))
        if size > 2 * _PART:
            file.seek(-_PART, os.SEEK_END)
        found.update(file.read(_PART))
    return found.hexdigest()
