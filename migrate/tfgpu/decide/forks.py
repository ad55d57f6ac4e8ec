"""What may fork the process: functions that do, and the methods and values that lead to them.

A process forks where it is started, not where its object is made; an executor, where it is first
given something to do. A function that forks, and becomes a value, may be called by any call of
which it is not known what it calls.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.held import is_held
from tfgpu.code.imported import Names
from tfgpu.code.order import Order
from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.code.tree import text_of
from tfgpu.decide.effect import Effect
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis

# Functions that fork the process, and libraries that may, for their workers.
FORKS = (
    "multiprocessing",
    "concurrent.futures.ProcessPoolExecutor",
    "concurrent.futures.process",
    "os.fork",
    "os.forkpty",
    "posix.fork",
    "posix.forkpty",
    "pty.fork",
    "joblib",
    "sklearn.externals.joblib",
    "scipy.optimize.brute",
    "scipy.optimize.differential_evolution",
    "tqdm.contrib.concurrent.process_map",
    "ray",
    "pathos",
    "billiard",
)
_FORKING = expression(rf"(?:{'|'.join(map(re.escape, FORKS))})\b")
# Names of these modules that start no process.
NO_FORK = frozenset(
    [
        "cpu_count", "current_process", "freeze_support", "set_start_method", "Lock", "RLock",
        "Queue", "SimpleQueue", "JoinableQueue", "Value", "Array", "Event", "Semaphore",
        "BoundedSemaphore", "Condition", "Pipe", "dump", "load", "Memory", "get_logger",
        "dummy", "parent_process", "active_children", "hash", "shared_memory", "Barrier",
    ]
)  # fmt: skip
# What sends functions of a script as code, to processes that run none of its module; so does what
# is told a number of workers, which joblib starts (`GridSearchCV(net, n_jobs=2)`).
_SENDS_CODE = (
    "joblib", "sklearn.externals.joblib", "ray", "pathos", "pyspark", "horovod.run",
    "horovod.spark", "horovod.ray", "n_jobs",
)  # fmt: skip
_SENDING_CODE = expression(rf"(?:{'|'.join(map(re.escape, _SENDS_CODE))})\b")
# Names of these modules that send no object to a process which is there already, or is not forked.
_SENDS_NOTHING = frozenset(["fork", "forkpty", "Process", "ThreadPool", *NO_FORK]) - {
    "Queue",
    "SimpleQueue",
    "JoinableQueue",
    "Pipe",
    "set_start_method",
}
# Methods of processes and of what makes them; those of executors, which make them when needed.
_STARTS = ("start", "Process", "Pool", "Manager", "ProcessPoolExecutor")
_EXECUTES = ("submit", "map", "run_in_executor")
_EXECUTORS = "concurrent.futures"
# Event loops are given executors.
_LOOPS = "asyncio."
# The argument of `subprocess.Popen` that runs in a fork.
_IN_FORK = "preexec_fn"
_TENSORFLOW = ("tf.", "keras.", "tensorflow.")


class Forks:
    """Finds what may fork the process, in one file or in several that are read as one."""

    def __init__(self, analysis: Analysis, names: Names, origins: Origins, order: Order) -> None:
        self._tree = analysis.tree
        self._classes = analysis.callees.classes
        self._symbols = analysis.symbols
        self._names = names
        self._origins = origins
        self._order = order

    def find(self) -> Iterator[Effect]:
        """Yield each thing that may fork the process, a call or a name of what does."""
        known = [*self._named, *self._started, *self._before_programs]
        yield from known
        values = [item.node for item in known if self._names.is_value(item.node)]
        homes = {self._tree.file(node).module for node in values}
        for file in self._tree.files:
            if any(self._order.share_process(home, file.module) for home in homes):
                calls = [call for call in file.calls if not self._is_certain(call.func)]
                # A library that has it may call it until the end: a timer, `atexit`.
                for node in (*calls, *file.module.body[-1:]):
                    yield Effect(node, text_of(node, self._tree), certain=False)

    @cached_property
    def _named(self) -> list[Effect]:
        """The names of what forks, or gives an object that does."""
        return [
            Effect(node, path)
            for node, path in self._names.found
            if isinstance(node.ctx, ast.Load) and _forks(path) and self._names.is_whole(node)
        ]

    @cached_property
    def _started(self) -> list[Effect]:
        """The methods that start a process, of objects that may be one; none without such names."""
        lazy = any(item.name.startswith(_EXECUTORS) for item in self._named)
        return [
            Effect(node, text_of(node, self._tree))
            for method in ((*_STARTS, *_EXECUTES) if lazy else _STARTS)
            if self._named
            for node in self._tree.attributes.get(method, ())
            if any(map(self._may_fork, self._origins.of(node.value)))
        ]

    @property
    def _before_programs(self) -> Iterator[Effect]:
        """The functions that `subprocess` runs in a fork, in front of another program."""
        given = (item.value for item in self._tree.nodes(ast.keyword) if item.arg == _IN_FORK)
        for node in (*given, *self._tree.texts.get(_IN_FORK, ())):
            if not (isinstance(node, ast.Constant) and node.value is None):
                yield Effect(node, _IN_FORK)

    def _may_fork(self, origin: Origin) -> bool:
        """Tell whether an object of an origin may be a process, or make one."""
        if not isinstance(origin, str):
            return any(
                any(map(self._may_fork, self._origins.of(base)))
                for owner in self._classes.relatives(origin)
                for base in owner.bases
                if self._classes.named(base) is None
            )
        held = is_held(origin) or origin.startswith(_LOOPS)
        return origin == UNKNOWN or held or _forks(origin)

    def _is_certain(self, callee: ast.expr) -> bool:
        """Tell whether a call is known to call code of the files, or a function by its name."""
        if self._tree.builtin(callee) in vars(builtins) or self._symbols.paths(callee):
            return True  # Those of what forks are found by their names.
        bindings = self._symbols.bindings(callee)
        if bindings:
            kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
            return all(isinstance(item.node, kinds) for item in bindings)
        origins = self._origins.of(callee)
        return all(isinstance(item, str) and item.startswith(_TENSORFLOW) for item in origins)


def sends(path: str) -> bool:
    """Tell whether something of Python, or of a library, may send objects to other processes."""
    sends_some = sends_code(path) or _FORKING.match(path) is not None
    return sends_some and _SENDS_NOTHING.isdisjoint(path.split("."))


def sends_code(path: str) -> bool:
    """Tell whether what sends objects sends functions of a script without its module."""
    return _SENDING_CODE.match(path) is not None


def _forks(path: str) -> bool:
    # A module as a value may be asked for anything: `getattr(multiprocessing, "Pool")`.
    forks = path == _EXECUTORS or _FORKING.match(path) is not None
    return forks and NO_FORK.isdisjoint(path.split("."))
