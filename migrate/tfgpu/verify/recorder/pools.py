"""Notes how many processes pools have, and ends a leg whose pool waits for ever.

That one does where each of its workers fails before it works: `multiprocessing.Pool` puts a new
worker in the place of one that ended, also where its initializer fails, or where it cannot load
what it is sent.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import inspect
import json
import os
import time
import weakref
from typing import Any

from .importing import see_module

# So many processes more than a pool has have to fail, one after another.
_MORE = 2

_OF_PROCESSES = ("processes", "max_workers", "maxtasksperchild", "max_tasks_per_child")

_THREAD_POOLS: Any = weakref.WeakSet()


def watch(observer: Any, folder: str) -> None:
    """Watch the pools of this process; the parts of its workers are in a folder."""
    see_module("multiprocessing.pool", functools.partial(_watch, observer, folder))
    for module, kind in (
        ("multiprocessing.pool", "Pool"),
        ("concurrent.futures.process", "ProcessPoolExecutor"),
    ):
        see_module(module, functools.partial(_tell, observer, kind))
    see_module("multiprocessing.pool", functools.partial(_record_tasks, observer))
    see_module("concurrent.futures.process", functools.partial(_record_results, observer))


def _record_tasks(observer: Any, module: Any) -> None:
    """Write what a worker gave its GPUs behind each task: a pool may end it any time."""
    work = module.worker

    @functools.wraps(work)
    def working(inqueue: Any, outqueue: Any, *arguments: Any, **options: Any) -> Any:
        put = outqueue.put

        def putting(*given: Any) -> Any:
            observer.record_launches()
            return put(*given)

        with contextlib.suppress(AttributeError):
            outqueue.put = putting
        return work(inqueue, outqueue, *arguments, **options)

    module.worker = working


def _record_results(observer: Any, module: Any) -> None:
    """Do the same for workers of `concurrent.futures`."""
    send = getattr(module, "_sendback_result", None)  # from 3.7 on
    if send is None:
        return

    @functools.wraps(send)
    def sending(*arguments: Any, **options: Any) -> Any:
        observer.record_launches()
        return send(*arguments, **options)

    module._sendback_result = sending


def _tell(observer: Any, name: str, module: Any) -> None:
    """Note what a pool is made with that decides how many processes share the GPUs."""
    kind = getattr(module, name)
    made = kind.__init__
    signature = inspect.signature(made)

    @functools.wraps(made)
    def making(pool: Any, *arguments: Any, **options: Any) -> None:
        if type(pool).__name__ == name:  # no pool of threads
            with contextlib.suppress(TypeError):  # it will refuse the arguments, too
                bound = signature.bind(pool, *arguments, **options).arguments
                values = {one: repr(bound.get(one)) for one in _OF_PROCESSES if one in bound}
                observer.told.note("pool", name, kind, values)
        made(pool, *arguments, **options)

    kind.__init__ = making


def _watch(observer: Any, folder: str, module: Any) -> None:
    kind = module.Pool
    is_static = isinstance(vars(kind)["_join_exited_workers"], staticmethod)  # from 3.8 on
    join = kind._join_exited_workers
    failed: dict[int, int] = {}  # how many, one after another, of each pool

    def joined(pool: Any) -> Any:
        workers = pool if is_static else pool._pool
        for worker in [one for one in workers if one.exitcode is not None]:
            failed[id(workers)] = failed.get(id(workers), 0) + 1 if worker.exitcode else 0
            if failed[id(workers)] >= len(workers) + _MORE:
                _end(observer, _failure(folder, worker.pid))
        return join(pool)

    kind._join_exited_workers = staticmethod(joined) if is_static else joined
    made = module.ThreadPool.__init__

    @functools.wraps(made)
    def making(pool: Any, *arguments: Any, **options: Any) -> None:
        _THREAD_POOLS.add(pool)
        made(pool, *arguments, **options)

    module.ThreadPool.__init__ = making


def see_failed(observer: Any, thread: Any, failure: dict[str, Any]) -> None:
    """End the leg where all threads of a pool have failed: it starts no others, and waits."""
    thread._tfgpu_failed = True
    # A pool starts a worker before it is among its workers: wait for that while one is not whole.
    for _ in range(200 if type(thread).__name__ == "DummyProcess" else 0):
        waits = False
        for pool in list(_THREAD_POOLS):
            workers = list(getattr(pool, "_pool", ()))
            is_whole = len(workers) >= getattr(pool, "_processes", 1)
            if thread in workers:
                if is_whole and all(hasattr(worker, "_tfgpu_failed") for worker in workers):
                    _end(observer, failure)
                return
            waits = waits or not is_whole
        if not waits:
            return
        time.sleep(0.01)


def _end(observer: Any, failure: dict[str, Any]) -> None:
    message = (
        "a pool waits for its workers without end, since each fails before it works, in its "
        f"initializer or with what it is sent: {failure['kind']}: {failure['message']}"
    )
    observer.fail({**failure, "message": message, "tensorflow": False})


def _failure(folder: str, process: int) -> dict[str, Any]:
    """Return the error that ended a worker, as its part of the record says."""
    for path in glob.glob(os.path.join(glob.escape(folder), f"*-{process}.jsonl")):
        with contextlib.suppress(OSError, ValueError), open(path, encoding="utf-8") as file:
            for line in map(json.loads, file):
                if line["kind"] == "end" and line["failure"]:
                    return dict(line["failure"])
    none = {"kind": "an error", "message": "not known", "source": "", "traceback": ""}
    return {**none, "modules": []}
