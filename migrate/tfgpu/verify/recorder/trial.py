"""Runs a program as it is first, where `tensorflow` may have to stand for `compat.v1`.

A program that mentions names of TensorFlow 1 may run on TensorFlow 2 all the same (it asks for the
version, or catches the error). So a fork goes on with TensorFlow as it is, from its import on; only
where that fails does the leg itself go on, with the stand-in, and what the fork left is taken back.
The fork fails, too, where it takes a name of TensorFlow 1 for granted, whatever becomes of the
error: a handler for all errors, a thread, a pool may swallow it. A program that asks (`hasattr`,
`getattr` with a default, a handler for AttributeError, or one that then takes what TensorFlow 2
has) is for both versions.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import FrameType, ModuleType
from typing import Any

from .alias import is_own
from .stream import flush

# What a child writes that takes a name of TensorFlow 1 for granted, beside its part.
TAKEN = "version1"

_POLL = 0.02
_API = "tensorflow._api.v2."
_ASKS = {"hasattr": 2, "getattr": 3}  # with the number of arguments
_FOR_ALL = (Exception, BaseException)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def runs_as_it_is(observer: Any, paths: list[str]) -> bool:
    """Fork; return True in the fork, and False where that failed. Where it did not, end like it.

    `paths` are files to take back: what the fork adds to them goes, and so do the parts of its
    children.
    """
    flush()
    parts = _parts(observer.parts)
    sizes = {path: os.path.getsize(path) if os.path.exists(path) else 0 for path in paths}
    streams = {stream: _position(stream) for stream in (1, 2)}
    observer.is_trial = True
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        observer.goes_on_here()
        observer.tries = observer.process
        return True
    taken = os.path.join(observer.parts, TAKEN)
    if _ends_well(child, taken):
        os._exit(0)
    with contextlib.suppress(OSError):  # nothing is left of it
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.remove(taken)
    for path, size in sizes.items():
        if os.path.exists(path):
            os.truncate(path, size)
    for part in _parts(observer.parts) - parts:
        with contextlib.suppress(OSError):  # gone
            os.remove(os.path.join(observer.parts, part))
    for stream, position in streams.items():
        with contextlib.suppress(OSError):  # no file
            os.ftruncate(stream, position)
            os.lseek(stream, position, os.SEEK_SET)
    observer.is_trial = False
    return False


def _ends_well(child: int, taken: str) -> bool:
    """Wait for the try; one whose child takes a name for granted may wait for that without end."""
    while not os.path.exists(taken):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0 and not os.path.exists(taken)
        time.sleep(_POLL)
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def watch_names(package: ModuleType, observer: Any) -> None:
    """Let a try fail at once, and a child tell, where they take a name of version 1 for granted."""
    version1: Any = importlib.import_module("tensorflow.compat.v1")

    def taken() -> None:
        if os.getpid() == observer.tries:
            flush()
            os._exit(1)
        if not observer.parts:  # a child
            path = os.path.join(os.path.dirname(observer.job["out"]), TAKEN)
            with contextlib.suppress(OSError), open(path, "w", encoding="ascii"):
                pass

    def missing(module: ModuleType, name: str, frame: FrameType) -> AttributeError:
        path = [part for part in module.__name__[len(_API) :].split(".") if part]
        if is_own(frame.f_code.co_filename, observer.root) and _has(version1, [*path, name]):
            texts = {observer.job["script"]: observer.job["source"]}
            if not _Lookup(name, observer.root, texts).is_asked(frame):
                taken()
        return AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

    for name, module in list(sys.modules.items()):
        is_part = name.startswith(_API) and ".compat." not in name
        if module is package or (is_part and type(module) is ModuleType):
            _watch(module, missing)


def _parts(folder: str) -> set[str]:
    return {name for name in os.listdir(folder) if ".jsonl" in name} if folder else set()


def _position(stream: int) -> int:
    try:
        return os.lseek(stream, 0, os.SEEK_CUR)
    except OSError:
        return 0


def _watch(module: Any, missing: Callable[[ModuleType, str, FrameType], AttributeError]) -> None:
    """See the names that a module does not have; its type stays, since some pickle by that."""
    given = getattr(module, "__getattr__", None)

    def find(name: str) -> Any:
        if given is not None:
            with contextlib.suppress(AttributeError):
                return given(name)
        raise missing(module, name, sys._getframe(1))

    module.__getattr__ = find


def _has(module: Any, path: list[str]) -> bool:
    for name in path:
        module = getattr(module, name, None)
    return module is not None


class _Lookup:
    """A lookup of a name that is not there, in files whose texts may be known."""

    def __init__(self, name: str, root: str, texts: dict[str, Any]) -> None:
        self._name = name
        self._root = root
        self._texts = texts

    def is_asked(self, frame: FrameType | None) -> bool:
        """Tell whether the program asks for the name; what cannot be told is taken for that."""
        first = frame
        while frame is not None:
            if is_own(frame.f_code.co_filename, self._root):
                try:
                    found = self._in_frame(frame, frame is first)
                except Exception:  # a file that is gone, a type that is none, an old Python
                    return True
                if found is not None:
                    return found
            frame = frame.f_back
        return False

    def _in_frame(self, frame: FrameType, is_first: bool) -> bool | None:
        path = frame.f_code.co_filename
        text = self._texts.get(path)
        if text is None:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        around = list(_around(ast.parse(text), frame.f_lineno))
        if is_first and any(map(self._asks, around)):
            return True
        is_import = is_first and any(isinstance(node, ast.ImportFrom) for node in around)
        error = ImportError if is_import else AttributeError
        for node in reversed(_of_scope(around, frame.f_code.co_name)):
            found = _handled(node, frame, error)
            if found is not None:
                return found
        return None

    def _asks(self, node: ast.AST) -> bool:
        """Tell whether a node is a call that is there to ask, for this name or a variable's."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return False
        if len(node.args) != _ASKS.get(node.func.id):
            return False
        name = node.args[1]
        return not isinstance(name, ast.Constant) or name.value == self._name


def _around(tree: ast.AST, line: int) -> Iterator[Any]:
    """Yield all nodes that are on a line or around it, the outer ones first."""
    for node in ast.iter_child_nodes(tree):
        first = getattr(node, "lineno", None)
        if first is None:
            yield from _around(node, line)
        elif first <= line <= (getattr(node, "end_lineno", None) or first):
            yield node
            yield from _around(node, line)


def _of_scope(around: list[Any], name: str) -> list[Any]:
    """Return those of the innermost function, or of the module's own code."""
    if name == "<lambda>":
        return []
    starts = [
        number
        for number, node in enumerate(around)
        if isinstance(node, _SCOPES) and getattr(node, "name", "") == name
    ]
    return around[starts[-1] :] if starts else around


def _handled(node: Any, frame: FrameType, error: type) -> bool | None:
    """Tell whether a statement handles an error on purpose; None where it does not handle it."""
    line = frame.f_lineno
    if isinstance(node, ast.Try) and _spans(node.body, line):
        for handler in node.handlers:
            kinds = _kinds(handler.type, frame) if handler.type else (BaseException,)
            if not any(issubclass(error, kind) for kind in kinds):
                continue
            if any(kind not in _FOR_ALL and issubclass(error, kind) for kind in kinds):
                return True
            if any(isinstance(one, ast.Raise) and one.exc is None for one in handler.body):
                return None
            return any(_takes_version2(one, frame) for one in ast.walk(handler))
    if isinstance(node, (ast.With, ast.AsyncWith)) and _spans(node.body, line):
        for item in node.items:
            kinds = _suppressed(item.context_expr, frame)
            if any(issubclass(error, kind) for kind in kinds):
                return any(kind not in _FOR_ALL and issubclass(error, kind) for kind in kinds)
    return None


def _spans(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or line)


def _kinds(node: ast.expr, frame: FrameType) -> tuple[type, ...]:
    """Return the types that an expression of a handler means."""
    names = {**vars(builtins), **frame.f_globals, **frame.f_locals}
    found = eval(compile(ast.Expression(node), "<handler>", "eval"), names)
    return found if isinstance(found, tuple) else (found,)


def _suppressed(node: ast.expr, frame: FrameType) -> tuple[type, ...]:
    if not isinstance(node, ast.Call) or not node.args:
        return ()
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name not in ("suppress", "raises", "assertRaises"):
        return ()
    return tuple(kind for one in node.args for kind in _kinds(one, frame))


def _takes_version2(node: ast.AST, frame: FrameType) -> bool:
    """Tell whether a node takes what TensorFlow 2 has in place of names of version 1."""
    if isinstance(node, ast.Import):
        return any(one.name.startswith("tensorflow.") for one in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] == "tensorflow"
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return False
    module = {**frame.f_globals, **frame.f_locals}.get(node.value.id)
    return node.attr in ("compat", "config") and getattr(module, "__name__", "") == "tensorflow"
