"""Errors that do not end the program: of threads, pools, tasks and callbacks, and refusals.

Python prints them, or keeps them for somebody who asks; what the program does with them stays what
it is. An error is told by who had it (the outermost function of the program's own) and its type.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from typing import Any

from .alias import is_own
from .failures import describe, text_of
from .importing import see_module
from .pools import see_failed

# What ends the work of a thread whose session another thread has closed: a matter of time.
_OF_CLOSING = ("CancelledError", "AbortedError")
_CLOSED = "closed Session"

# More of one kind tell nothing: a pool may make workers that fail for ever.
_MOST_ALIKE = 100

_SETTERS = ("set_visible_devices", "set_memory_growth", "set_logical_device_configuration")


class Errors:
    """What one process shows of them."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._counts: dict[tuple[str, str, str], int] = {}
        self._kept: dict[int, tuple[Any, dict[str, Any]]] = {}  # in futures: nobody has asked yet

    def forget(self) -> None:
        """Begin anew, as a fork does."""
        self._counts, self._kept = {}, {}

    def watch(self) -> None:
        """Watch this process from now on."""
        _watch_threads(self)
        hook = sys.unraisablehook if hasattr(sys, "unraisablehook") else None

        def unraisable(given: Any) -> None:
            if given.exc_value is not None:
                self.note("ignored by Python", given.exc_value)
            assert hook is not None
            hook(given)

        if hook is not None:
            sys.unraisablehook = unraisable
        for name, watch in _MODULES.items():
            see_module(name, functools.partial(watch, self))

    def note(self, how: str, error: BaseException) -> None:
        """Note an error of the program's own, or what TensorFlow has refused it."""
        with contextlib.suppress(Exception):  # what is noted must not change what the program does
            line = self._line(how, error)
            if line is not None and not isinstance(error, SystemExit):
                self._write(line)

    def ends_thread(self, thread: Any) -> None:
        """Note the error that is being handled, which ends a thread."""
        error = sys.exc_info()[1]
        if error is not None:
            self.note("ends a thread", error)
            see_failed(self._observer, thread, describe(error, self._observer.root))

    def keep(self, holder: Any, how: str, error: BaseException) -> None:
        """Note an error that a future holds, unless somebody asks for it."""
        with contextlib.suppress(Exception):
            line = self._line(how, error)
            if line is not None:
                number = id(holder)
                # The error itself would keep its frames alive, and with them sessions.
                gone = weakref.ref(holder, lambda _: self._lost(number))
                self._kept[number] = (gone, line)

    def asked(self, holder: Any) -> None:
        """Note that somebody asks for the error of a future."""
        self._kept.pop(id(holder), None)

    def finish(self) -> None:
        """Write those that nobody has asked for by the end of the program."""
        for number in list(self._kept):
            self._lost(number)

    def _lost(self, number: int) -> None:
        _, line = self._kept.pop(number, (None, None))
        if line is not None:
            self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        key = line["how"], line["who"], line["failure"]["kind"]
        with self._observer.lock:
            self._counts[key] = self._counts.get(key, 0) + 1
            if self._counts[key] <= _MOST_ALIKE:
                self._observer.stream.write("error", **line)

    def _line(self, how: str, error: BaseException) -> dict[str, Any] | None:
        """Return what is told of an error, None where nothing of the program is in it."""
        own = next(_own_functions(error, self._observer.root), "")
        if not own and not getattr(error, "_tfgpu_refused", False):
            return None
        return self._told(how, error, own)

    def _told(self, how: str, error: BaseException, who: str) -> dict[str, Any]:
        observer = self._observer
        chance = (
            type(error).__name__ in _OF_CLOSING
            or _CLOSED in text_of(error)
            or bool(observer.job.get("until") and type(error).__name__ == "OutOfRangeError")
        )
        failure = describe(error, observer.root)
        failure["source"] = failure["source"] or observer.place()
        told = {"how": how, "who": who, "chance": chance, "failure": failure}
        return {**told, "stale": observer.steps.skips}  # it may come of old results

    def refusing(self, what: str, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a call of TensorFlow that notes what is refused in it."""

        @functools.wraps(call)
        def called(*arguments: Any, **options: Any) -> Any:
            try:
                return call(*arguments, **options)
            except Exception as error:
                self._refused(what, error)
                raise

        return called

    def _refused(self, what: str, error: Any) -> None:
        with contextlib.suppress(Exception):  # what is noted must not change what the program does
            if not getattr(error, "_tfgpu_refused", False):
                error._tfgpu_refused = True
                self._write(self._told("refused", error, what))


def watch_settings(errors: Errors) -> None:
    """Watch the calls of tf.config that may be refused, and the making of the eager context."""
    context: Any = importlib.import_module("tensorflow.python.eager.context")
    for name in (*_SETTERS, "ensure_initialized"):
        if hasattr(context.Context, name):
            what = "eager context" if name == "ensure_initialized" else f"tf.config: {name}"
            setattr(context.Context, name, errors.refusing(what, getattr(context.Context, name)))


def _own_functions(error: BaseException, root: str) -> Iterator[str]:
    """Yield the functions of the program that an error went through, the outermost first."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if is_own(frame.f_code.co_filename, root):
            yield f"{frame.f_code.co_name}()"
    for line in text_of(error.__cause__ or Exception()).splitlines():  # of a process
        words = line.strip().split('"')
        if len(words) == 3 and words[0] == "File " and is_own(words[1], root):
            yield f"{words[2].rsplit(' ', 1)[-1]}()"


def _watch_threads(errors: Errors) -> None:
    """See what ends a thread where Python looks for the hook, whatever hook is set."""
    module: Any = threading
    if hasattr(module, "_make_invoke_excepthook"):
        make = module._make_invoke_excepthook

        def made() -> Callable[[Any], None]:
            invoke = make()

            def invoked(thread: Any) -> None:
                errors.ends_thread(thread)
                invoke(thread)

            return invoked

        module._make_invoke_excepthook = made
    elif hasattr(module, "_format_exc"):  # Python 3.7
        text = module._format_exc

        def formatted(*arguments: Any) -> Any:
            errors.ends_thread(threading.current_thread())
            return text(*arguments)

        module._format_exc = formatted


def _watch_futures(errors: Errors, module: Any) -> None:
    future = module.Future
    set_exception, add_callback = future.set_exception, future.add_done_callback

    def kept(self: Any, error: Any) -> None:
        if isinstance(error, BaseException) and not self._done_callbacks:
            errors.keep(self, "kept by a future", error)
        set_exception(self, error)

    def called_back(self: Any, function: Any) -> None:
        errors.asked(self)
        add_callback(self, function)

    future.set_exception, future.add_done_callback = kept, called_back
    for name in ("result", "exception"):
        setattr(future, name, _asking(errors, getattr(future, name)))


def _watch_pools(errors: Errors, module: Any) -> None:
    for kind in (module.ApplyResult, module.MapResult):
        kind._set = _keeping(errors, kind._set)
    module.ApplyResult.get = _asking(errors, module.ApplyResult.get)


def _keeping(errors: Errors, settle: Callable[..., Any]) -> Callable[..., Any]:
    def settled(self: Any, number: int, given: Any) -> None:
        if not given[0] and isinstance(given[1], BaseException) and not self._error_callback:
            errors.keep(self, "kept by a pool", given[1])
        settle(self, number, given)

    return settled


def _asking(errors: Errors, ask: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(ask)
    def asked(self: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return ask(self, *arguments, **options)
        finally:
            errors.asked(self)

    return asked


def _watch_tasks(errors: Errors, module: Any) -> None:
    loop = module.BaseEventLoop
    handle = loop.call_exception_handler

    def handled(self: Any, context: Any) -> None:
        error = context.get("exception")
        if error is not None:
            errors.note("kept by a task", error)
        handle(self, context)

    loop.call_exception_handler = handled


_MODULES: dict[str, Callable[[Errors, Any], None]] = {
    "concurrent.futures._base": _watch_futures,
    "multiprocessing.pool": _watch_pools,
    "asyncio.base_events": _watch_tasks,
}
