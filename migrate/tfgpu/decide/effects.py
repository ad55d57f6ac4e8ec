"""What a program does, besides its configs, that a conversion has to be compared with.

Sessions that a config does not make, queries that make GPU devices, writes of CUDA's environment
variables, forks, and calls that make TensorFlow 2's eager context: each with the node that does it.
What only may do so counts as doing it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tfgpu.code.order import Order
from tfgpu.code.tree import text_of
from tfgpu.decide.eager import Eager
from tfgpu.decide.effect import Effect
from tfgpu.decide.forks import FORKS, NO_FORK, Forks, sends
from tfgpu.decide.libraries import LeftOut, Libraries
from tfgpu.decide.unread import Unread
from tfgpu.flow.collect import Analysis
from tfgpu.rulebook.book import Rulebook

if TYPE_CHECKING:
    from tfgpu.decide.closure import Closure

_CHILDREN = (
    "subprocess.", "os.system", "os.popen", "os.spawn", "os.exec", "os.posix_spawn",
    "posix.posix_spawn", "pty.spawn", "asyncio.create_subprocess", "asyncio.subprocess",
    "distutils.spawn", "pexpect", "plumbum", *FORKS,
)  # fmt: skip
# Methods of event loops that start processes.
_OF_LOOPS = ("subprocess_exec", "subprocess_shell")
_ENVIRONMENTS = ("os.environ", "os.environb", "os.getenv", "os.path.expandvars")
_OF_ONE = ("get", "setdefault", "pop", "__contains__", "__getitem__")
# The variables that settings become.
_BECOMES = frozenset(
    ["TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_ALLOCATOR", "TF_DEVICE_MIN_SYS_MEMORY_IN_MB"]
)
_THREADS = (
    "threading.Thread",
    "threading.Timer",
    "_thread",
    "concurrent.futures",
    "multiprocessing.pool",
    "multiprocessing.dummy",
    "asyncio",
    "tensorflow.train.Coordinator",
)
_TENSORFLOW = ("tf", "keras", "tensorflow")
# What sets, or reads, what settings would change; the others of these modules do neither.
_MODULES = ("tf.config.", "tf.python.framework.config.")
_GROUPS = ("", "experimental.", "optimizer.", "threading.")
_VERBS = (
    *(f"{group}{verb}" for group in _GROUPS for verb in ("set_", "get_")),
    *(
        f"{group}{verb}"
        for group in _GROUPS[:2]
        for verb in ("list_logical", "enable_", "disable_")
    ),
)
_OWN_SETTINGS = (
    "tf.debugging.set_log_device_placement",
    "tf.config.optimizer.set_experimental_options",
    "tf.python.eager.context.",
)
_OPTIONS = (".set_experimental_options", ".get_experimental_options")
# The last names of what counts the devices of the eager context, and parts of them.
_STRATEGIES = (
    r"(?:CentralStorage|CollectiveAllReduce|Mirrored|MultiWorkerMirrored|OneDevice|ParameterServer"
    r"|TPU)Strategy(?:V[12])?|\w*ClusterResolver|all_local_devices"
)
_OF_STRATEGIES = ("Strategy", "ClusterResolver", "all_local_devices")


class Effects:
    """The effects of one file, or of several that are read as one."""

    def __init__(self, analysis: Analysis, book: Rulebook, left_out: LeftOut | None = None) -> None:
        self._left_out = {} if left_out is None else left_out
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._book = book
        self._names = analysis.callees.names

    @cached_property
    def order(self) -> Order:
        """What runs before what in the files."""
        finders = self._analysis.callees.finders
        return Order(self._tree, self._symbols, finders, bool(self._not_analysed))

    @cached_property
    def _not_analysed(self) -> list[ast.stmt]:
        """The imports of files of the project that are not analysed."""
        return [
            item.statement
            for item in self._tree.imports
            if self._left_out.get((self._tree.file(item.statement).path, item.path)) is not None
        ]

    @cached_property
    def eager(self) -> Eager:
        """What makes TensorFlow 2's eager context."""
        return Eager(self._analysis, self._book, self._names, self.order)

    @cached_property
    def environment(self) -> list[Effect]:
        """The writes of environment variables that CUDA reads when it is initialised."""
        from tfgpu.flow.environment import environment_writes  # noqa: PLC0415 - few need it

        return [Effect(node, name) for name, node in environment_writes(self._tree, self._symbols)]

    def unread(self, graph_mode: bool) -> list[Effect]:
        """Return what may run code that is not read, and so do anything.

        `graph_mode` tells that operations compute in graphs only: no object of TensorFlow makes the
        eager context by itself then, and what is not known is TensorFlow's, Python's, or is read,
        where nothing else comes in.
        """
        return self._unread_in_graphs if graph_mode else self._unread_code

    @cached_property
    def _unread_in_graphs(self) -> list[Effect]:
        return [item for item in self._unread_code if not self._is_closed(item.node)]

    @cached_property
    def _unread_code(self) -> list[Effect]:
        return [Effect(node, text_of(node, self._tree)) for node in self._found_unread.places]

    @cached_property
    def _found_unread(self) -> Unread:
        # Rules say what sessions these libraries make.
        said = [name for name, rule in self._book.sinks.items() if rule.setting is not None]
        known = self._book.plain.roots | {name.partition(".")[0] for name in (*said, *_TENSORFLOW)}
        analysis, origins = self._analysis, self.eager.origins
        return Unread(
            analysis,
            origins,
            self.order,
            self._names.found,
            Libraries(analysis.tree, analysis.symbols, origins, known.__contains__, self._left_out),
            analysis.callees.finders.plain.unread,
        )

    def _is_closed(self, node: ast.AST) -> bool:
        """Tell whether a place runs no code that is not read, as its process has none."""
        return (
            self._closure.has(node)
            and not self.eager.is_early(node)
            and node not in self._found_unread.sure
        )

    @cached_property
    def _closure(self) -> Closure:
        from tfgpu.decide.closure import Closure  # noqa: PLC0415 - few need it

        return Closure(
            self._analysis,
            self._book,
            self.order,
            self._names,
            self._found_unread.foreign,
            [item.node for item in self.forks],
            self._not_analysed,
        )

    @cached_property
    def own_settings(self) -> list[Effect]:
        """The program's own calls of tf.config that set, or read, what settings would change."""
        words = {
            name.rpartition(".")[2] for name in self._book.config_names if _is_own_setting(name)
        }
        called = [
            Effect(call, text_of(call, self._tree))
            for call, name in self._symbols.calls(self._tree)
            if _is_own_setting(name)
        ]
        mentioned = self._mentioned(words, "|".join(sorted(words)))
        return [*called, *mentioned, *self._asked("tf.config")]

    @cached_property
    def strategies(self) -> list[Effect]:
        """Objects of tf.distribute that count the devices of the eager context."""
        called = [
            Effect(call, text_of(call, self._tree))
            for call, name in self._symbols.calls(self._tree)
            if name.startswith(
                ("tf.distribute.", "tf.contrib.distribute.", "tf.python.distribute.")
            )
        ]
        mentioned = self._mentioned(_OF_STRATEGIES, _STRATEGIES)
        return [*called, *mentioned, *self._asked("tf.distribute")]

    def _mentioned(self, parts: Collection[str], words: str) -> list[Effect]:
        """Return what may lead to functions with these last names, but for calls of them.

        A variable, an attribute of an object that is not known, a text that is looked up or run.
        `words` is an expression for the names, and each of them has one of the `parts`.
        """
        tree = self._tree
        if not any(part in file.text for part in parts for file in tree.files):
            return []
        pattern = re.compile(rf"\b(?:{words})\b")
        named: Mapping[str, Sequence[ast.expr]]
        nodes: list[ast.expr] = []
        for named in (tree.attributes, tree.names):
            found = (one for name in named if pattern.fullmatch(name) for one in named[name])
            nodes += (one for one in found if isinstance(getattr(one, "ctx", None), ast.Load))
        texts = [
            node for text, found in tree.texts.items() if pattern.search(text) for node in found
        ]
        calls = {call.func for call in tree.calls if self._symbols.paths(call.func)}
        return [Effect(node, text_of(node, tree)) for node in (*nodes, *texts) if node not in calls]

    def _asked(self, module: str) -> list[Effect]:
        """Return where a module is asked for something by a name that is not known."""
        return [
            Effect(call, text_of(call, self._tree))
            for call in self._tree.calls
            if self._tree.builtin(call.func) == "getattr"
            and f"{self._symbols.name(call.args[0]) if call.args else ''}.".startswith(f"{module}.")
            and self._symbols.name(call) is None
        ]

    @cached_property
    def children(self) -> list[Effect]:
        """What starts processes that inherit the environment of this one, or hands that on."""
        found = [
            Effect(node, path)
            for node, path in self._names.found
            if isinstance(node.ctx, ast.Load)
            and path.startswith(_CHILDREN)
            and NO_FORK.isdisjoint(path.split("."))
            and self._names.is_whole(node)
        ]
        methods = (node for name in _OF_LOOPS for node in self._tree.attributes.get(name, ()))
        return [*found, *(Effect(node, self._tree.source(node)) for node in methods)]

    @cached_property
    def senders(self) -> list[Effect]:
        """What may send objects to other processes, which take nothing else from this one."""
        values = self._analysis.values
        workers = [
            Effect(item.value, f"{item.arg}={text_of(item.value, self._tree)}")
            for item in self._tree.nodes(ast.keyword)
            if item.arg == "n_jobs"
            and not (values.is_none(item.value) or values.known(item.value) == 1)
        ]
        named = [
            Effect(node, path)
            for node, path in self._names.found
            if isinstance(node.ctx, ast.Load)
            and sends(path)
            and self._names.is_whole(node)
            and not self._forks_them(node)
        ]
        return named + workers

    def _forks_them(self, node: ast.expr) -> bool:
        """Tell whether a name chooses how processes start, and that they are forked."""
        call = self._tree.parent[node]
        given = call.args[0] if isinstance(call, ast.Call) and call.args else None
        return given is not None and self._analysis.values.known(given) == "fork"

    @cached_property
    def environment_reads(self) -> list[Effect]:
        """Code that reads the whole environment, or a variable that settings may become."""
        return [
            Effect(node, self._tree.source(node))
            for node, path in self._names.found
            if path in _ENVIRONMENTS and not self._names_variable(node)
        ]

    def _names_variable(self, node: ast.expr) -> bool:
        """Tell whether only a variable of another name is asked for, or written, in a place."""
        around = self._tree.parent[node]
        key: ast.expr | None = None
        if isinstance(around, ast.Subscript):
            key = around.slice
        elif isinstance(around, ast.Compare) and node in around.comparators:
            key = around.left
        elif isinstance(around, ast.Attribute):
            call = self._tree.parent[around]
            if not isinstance(call, ast.Call) or call.func is not around:
                return False
            if around.attr == "update":
                return isinstance(self._tree.parent[call], ast.Expr)
            if around.attr in _OF_ONE and call.args:
                key = call.args[0]
        elif isinstance(around, ast.Call) and around.func is node and around.args:
            key = around.args[0]
        name = None if key is None else self._analysis.values.known(key)
        return isinstance(name, str) and not any(item in name for item in _BECOMES)

    @cached_property
    def threads(self) -> bool:
        """Whether the program may run code in several threads."""
        return any(path.startswith(_THREADS) for _, path in self._names.found)

    @cached_property
    def forks(self) -> list[Effect]:
        """What may fork the process."""
        return list(Forks(self._analysis, self._names, self.eager.origins, self.order).find())

    def uses_of_cuda(self, graph_mode: bool) -> list[Effect]:
        """Return what initialises CUDA without a session: the eager context, and queries."""
        return [*self.eager.starts(graph_mode), *self._queries]

    @cached_property
    def _queries(self) -> list[Effect]:
        tree = self._tree
        asked = [query.call for query in self._analysis.facts.queries]
        asked += [
            call for call, name in self._symbols.calls(tree) if name.endswith("_physical_devices")
        ]
        return [Effect(call, text_of(call, tree)) for call in asked]


def _is_own_setting(name: str) -> bool:
    """Tell whether a name is that of a function that sets, or reads, what settings would change."""
    module = next(filter(name.startswith, _MODULES), None)
    is_verb = module is not None and name.removeprefix(module).startswith(_VERBS)
    return (is_verb and not name.endswith(_OPTIONS)) or name.startswith(_OWN_SETTINGS)
