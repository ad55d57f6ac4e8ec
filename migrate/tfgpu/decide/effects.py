"""What a program does, besides its configs, that a conversion has to be compared with.

Sessions that a config does not make, queries that make GPU devices, writes of CUDA's environment
variables, forks, and calls that make TensorFlow 2's eager context: each with the node that does it.
What only may do so counts as doing it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from functools import cached_property
from itertools import chain

from tfgpu.code.order import Order
from tfgpu.code.origins import Origins
from tfgpu.code.symbols import canonical
from tfgpu.code.tree import Tree, last_name
from tfgpu.code.when import When
from tfgpu.dataclass import dataclass
from tfgpu.decide.early import Early
from tfgpu.decide.graphs import Graphs
from tfgpu.decide.starts import starts
from tfgpu.decide.unread import LeftOut, Unread
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.datasets import Datasets
from tfgpu.flow.environment import environment_writes
from tfgpu.program.uses import needs_tensorflow1
from tfgpu.rulebook.book import Rulebook

_FORKS = (
    "multiprocessing",
    "concurrent.futures.ProcessPoolExecutor",
    "os.fork",
    "os.forkpty",
    "pty.fork",
    "joblib",
    "ray",
    "pathos",
    "billiard",
)
_BELOW_FORKS = tuple(f"{name}." for name in _FORKS)
_CHILDREN = ("subprocess.", "os.system", "os.popen", "os.spawn", "os.exec", "multiprocessing.")
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
# Compiled when first asked, like the next one: few files need them.
_OWN_SETTINGS = (
    r"^tf\.config\.(?:experimental\.|optimizer\.|threading\.)?(?:set_|get_)(?!experimental_options$)"
    r"|^tf\.config\.(?:experimental\.)?(?:list_logical|enable_|disable_)"
    r"|^tf\.debugging\.set_log_device_placement|^tf\.config\.optimizer\.set_experimental_options"
    r"|^tf\.python\.eager\.context\."
)
# Names of these modules that start no process.
_NO_FORK = frozenset(
    [
        "cpu_count", "current_process", "freeze_support", "set_start_method", "Lock", "RLock",
        "Queue", "SimpleQueue", "JoinableQueue", "Value", "Array", "Event", "Semaphore",
        "BoundedSemaphore", "Condition", "Pipe", "dump", "load", "Memory", "get_logger",
        "dummy", "parent_process", "active_children", "hash", "shared_memory", "Barrier",
    ]
)  # fmt: skip
# Calls of TensorFlow that make no eager context: texts, configs, graphs, settings, flags, logging.
_QUIET = (
    r"^tf\.(?:__version__\.|VERSION\.|compat\.as_|"
    r"config\.(?!.*logical)|app\b|flags\b|logging\b|compat\.v1\.logging|get_logger|"
    r"autograph\.set_verbosity|Session$|InteractiveSession$|ConfigProto|GPUOptions|GraphOptions|"
    r"OptimizerOptions|RewriterConfig|ClusterDef|Graph$|disable_|enable_|reset_default_graph$|"
    r"get_default_graph$|executing_eagerly$|test\.(?:main|is_built_with_cuda)$|"
    r"sysconfig\.|version\.|random\.set_seed$|set_random_seed$|function$|gfile\.|io\.gfile\.)"
    r"|^keras\.backend\.(?:set_session|clear_session|get_session|set_image_data_format|"
    r"image_data_format|set_floatx|floatx|set_epsilon|epsilon|backend|set_learning_phase)$"
    r"|^keras\.utils\.(?:np_utils\.)?(?:set_random_seed|to_categorical|normalize|get_file)$"
    r"|^keras\.(?:callbacks|datasets|regularizers|initializers|constraints)\."
    r"|^keras\.preprocessing\.(?!.*dataset)"
)
# A function by its name, and no type of values.
_FUNCTION = (
    r"^(?:tf|keras)\.(?:.*\.)?(?!(?:q?u?int|float|bfloat|complex)\d+$|"
    r"(?:half|double|bool|string|resource|variant)$)[a-z]\w*$"
)
# Operations that call Python.
_PYTHON_OPERATIONS = frozenset(
    ["tf.py_func", "tf.py_function", "tf.numpy_function", "tf.contrib.eager.py_func"]
)
# The parameters of tf.train.Scaffold.
_SCAFFOLD = (
    "init_op", "init_feed_dict", "init_fn", "ready_op", "ready_for_local_init_op", "local_init_op",
    "summary_op", "saver",
)  # fmt: skip
# What turns behaviour of TensorFlow 2 off that decides how control flow is built.
_MODES = frozenset(
    ["tf.disable_v2_behavior", "tf.disable_control_flow_v2", "tf.disable_eager_execution"]
)
# What turns eager execution on in TensorFlow 1.
EAGER = ("enable_eager_execution", "enable_v2_behavior")
# What traces a function in the Keras of TensorFlow 2 in any mode: layers, and models with them.
_TRACED_LAYERS = (
    r"^keras\.(?:layers\.(?:\w+\.)*(?:LSTM|GRU)|models\.(?:load_model|clone_model|model_from_\w+))$"
)
_SAVERS = frozenset(["tf.train.Saver", "tf.python.training.saver.Saver"])
_DATA = ("tensorflow.data", "tensorflow.contrib.data", "tensorflow.compat.v1.data")


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """One thing that a program does: the node that does it, and its name in words.

    With `in_session` it runs in a session, which has to be made first.
    """

    node: ast.AST
    name: str
    in_session: bool = False


class Effects:
    """The effects of one file, or of several that are read as one."""

    def __init__(self, analysis: Analysis, book: Rulebook, left_out: LeftOut | None = None) -> None:
        self._left_out = {} if left_out is None else left_out
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._book = book
        self._with_data: dict[Tree, bool] = {}

    @cached_property
    def order(self) -> Order:
        """What runs before what in the files."""
        return Order(self._tree, self._symbols, self._analysis.callees.finders)

    @cached_property
    def environment(self) -> list[Effect]:
        """The writes of environment variables that CUDA reads when it is initialised."""
        return [Effect(node, name) for name, node in environment_writes(self._tree, self._symbols)]

    @cached_property
    def unread(self) -> list[Effect]:
        """What may run code that is not read, and so do anything."""
        # Rules say what sessions these libraries make.
        said = [name for name, rule in self._book.sinks.items() if rule.setting is not None]
        known = frozenset(name.partition(".")[0] for name in said)
        found = Unread(
            self._analysis, self.origins, self.order, self._paths, known, self._left_out
        ).places()
        return [Effect(node, _text(node, self._tree)) for node in found]

    @cached_property
    def own_settings(self) -> list[Effect]:
        """The program's own calls of tf.config that set, or read, what settings would change."""
        return [
            Effect(call, _text(call, self._tree))
            for call, name in self._symbols.calls(self._tree)
            if re.match(_OWN_SETTINGS, name)
        ]

    @cached_property
    def children(self) -> list[Effect]:
        """What starts processes that inherit the environment of this one, or hands that on."""
        return [
            Effect(node, path)
            for node, path in self._paths
            if isinstance(node.ctx, ast.Load)
            and path.startswith(_CHILDREN)
            and _NO_FORK.isdisjoint(path.split("."))
            and self._is_whole(node)
        ]

    @cached_property
    def environment_reads(self) -> list[Effect]:
        """Code that reads the whole environment, or a variable that settings may become."""
        return [
            Effect(node, self._tree.source(node))
            for node, path in self._paths
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
        return any(path.startswith(_THREADS) for _, path in self._paths)

    @cached_property
    def forks(self) -> list[Effect]:
        """Calls that may fork the process."""
        found = [
            Effect(node, path)
            for node, path in self._paths
            if isinstance(node.ctx, ast.Load) and self._forks(path) and self._is_whole(node)
        ]
        # A class that inherits from Process is started by its method.
        starts = self._tree.attributes.get("start", [])
        if any(isinstance(self._tree.parent[item.node], ast.ClassDef) for item in found):
            found += [Effect(node, "multiprocessing.Process") for node in starts]
        return found

    @cached_property
    def _paths(self) -> list[tuple[ast.Name | ast.Attribute, str]]:
        """Every name and attribute of the files that refers to something imported, and what."""
        tree = self._tree
        named: Iterator[ast.Name | ast.Attribute] = chain(*tree.names.values())
        imported = self._symbols.imported_parts()
        return [
            (node, path)
            for node in chain(named, *tree.attributes.values())
            if node in imported
            for path in sorted(self._symbols.paths(node))
        ]

    def _forks(self, path: str) -> bool:
        # A module as a value may be asked for anything: `getattr(multiprocessing, "Pool")`.
        forks = path == "concurrent.futures" or f"{path}.".startswith(_BELOW_FORKS)
        return forks and _NO_FORK.isdisjoint(path.split("."))

    def _is_whole(self, node: ast.expr) -> bool:
        """Tell whether a name is not just the beginning of a longer one."""
        parent = self._tree.parent[node]
        return not (isinstance(parent, ast.Attribute) and self._symbols.paths(parent))

    @cached_property
    def eager_starts(self) -> list[Effect]:
        """What makes TensorFlow 2's eager context in a program that builds graphs."""
        tree, symbols = self._tree, self._symbols
        found = [Effect(call, _text(call, tree)) for call in tree.calls if self._starts_eager(call)]
        found += self._handed_on
        for function in self._traced:
            found.append(Effect(function, f"`{getattr(function, 'name', 'lambda')}`"))
        for call in tree.calls:
            if symbols.name(call.func) == "tf.function" or self.makes_sharded_saver(call):
                found.append(Effect(call, _text(call, tree)))
        return [*found, *self._traced_layers, *self._control_flow, *self._python_operations]

    @cached_property
    def _traced_layers(self) -> list[Effect]:
        """The layers that trace a function when they are called, and what may make some."""
        return [
            Effect(call, _text(call, self._tree))
            for call, name in self._symbols.calls(self._tree)
            if re.match(_TRACED_LAYERS, name) and not self._is_of_version_1(call.func)
        ]

    def _is_of_version_1(self, node: ast.expr) -> bool:
        """Tell whether something of Keras is asked of TensorFlow 1, or of what stands for it."""
        while isinstance(node, ast.Attribute):
            node = node.value
        bindings = self._tree.bindings(node) if isinstance(node, ast.Name) else []
        paths = [binding.path or "" for binding in bindings]
        switched = self.is_of_tensorflow1(node)
        return bool(paths) and all(
            path.startswith("tensorflow.compat.v1") or (path == "tensorflow" and switched)
            for path in paths
        )

    @cached_property
    def _control_flow(self) -> list[Effect]:
        """The calls that trace functions, where control flow of version 2 is on."""
        tree, known = self._tree, self._book.control_flow
        calls = [call for call, name in self._symbols.calls(tree) if known.has(name)]
        traces = {file: self._has_control_flow(file) for file in set(map(tree.file, calls))}
        return [Effect(call, _text(call, tree)) for call in calls if traces[tree.file(call)]]

    def _has_control_flow(self, tree: Tree) -> bool:
        """Tell whether control flow of version 2 is on in the programs of a file, once migrated.

        What is switched has the behaviour of version 2 off, unless it turned eager execution off.
        """
        around = {
            name
            for call, name in self._mode_calls
            if self.order.share_process(self._tree.file(call).module, tree.module)
        }
        if not {"tf.disable_v2_behavior", "tf.disable_control_flow_v2"}.isdisjoint(around):
            return False
        return "tf.disable_eager_execution" in around or not self.is_of_tensorflow1(tree.module)

    @cached_property
    def _mode_calls(self) -> list[tuple[ast.Call, str]]:
        """The calls that turn off eager execution, or what decides on control flow."""
        calls = self._symbols.calls(self._tree)
        return [(call, name) for call, name in calls if name in _MODES]

    def makes_sharded_saver(self, call: ast.AST) -> bool:
        """Tell whether a call may make a sharded Saver, as monitored sessions do by themselves."""
        if not isinstance(call, ast.Call) or call in self._savers:
            return call in self._savers
        name = self._symbols.name(call.func) or ""
        is_scaffold = isinstance(call.func, ast.Attribute) and call.func.attr == "finalize"
        return (is_scaffold and not call.args) or (
            name in self._makers and not self._has_own_saver(call, name)
        )

    @cached_property
    def _savers(self) -> frozenset[ast.AST]:
        """The calls that may make a sharded Saver, by its class or one of the files, or hand on."""
        tree, symbols = self._tree, self._symbols
        found: list[ast.AST] = [call for call in tree.calls if symbols.name(call.func) in _SAVERS]
        for node, path in self._paths:
            if canonical(path) not in _SAVERS or not self._is_whole(node):
                continue
            parent = tree.parent[node]
            if isinstance(parent, ast.ClassDef):
                variable = (tree.scope(parent), parent.name)
                found += [tree.parent[use] for use in symbols.uses(variable)]
                found += [item for item in ast.walk(parent) if _initialises(item)]
            else:
                found.append(parent)
        return frozenset(
            call for call in found if isinstance(call, ast.Call) and self._may_shard(call)
        )

    def _may_shard(self, call: ast.Call) -> bool:
        """Tell whether arguments of a call may say `sharded`, the third parameter of a Saver."""
        given = [item.value for item in call.keywords if item.arg in (None, "sharded")]
        given += [item for item in call.args if isinstance(item, ast.Starred)] or call.args[2:3]
        return not all(map(self._is_false, given))

    def _is_false(self, node: ast.expr) -> bool:
        known = self._analysis.values.known(node)
        is_none = isinstance(node, ast.Constant) and node.value is None
        return is_none or (known is not None and not known)

    @cached_property
    def sharded_savers(self) -> list[Effect]:
        """The names of sinks that may make a sharded Saver, wherever they are called."""
        return [
            Effect(node, self._tree.source(node))
            for node, path in self._paths
            if canonical(path) in self._makers and self._is_whole(node)
        ]

    def _has_own_saver(self, call: ast.Call, name: str) -> bool:
        """Tell whether a call is given a scaffold with a Saver that is not sharded."""
        rule = self._book.sinks.get(name)
        parameters = () if rule is None else rule.calls[name]
        scaffold = argument(call, "scaffold", parameters)
        savers = [argument(item, "saver", _SCAFFOLD) for item in self._made(scaffold, "Scaffold")]
        return bool(savers) and all(self._made(saver, "Saver") for saver in savers)

    def _made(self, node: ast.expr | None, kind: str) -> list[ast.Call]:
        """Return the calls of a class of tf.train that make an object; none if not all are seen."""
        calls = self._analysis.callees.creators(node)
        names = {self._symbols.name(call.func) for call in calls}
        hidden = any(map(self._may_shard, calls))
        return calls if names == {f"tf.train.{kind}"} and not hidden else []

    @cached_property
    def _makers(self) -> frozenset[str]:
        """The sinks that may make a sharded Saver."""
        rules = self._book.sinks.values()
        return frozenset().union(*(rule.makes_eager_context for rule in rules))

    @cached_property
    def _python_operations(self) -> list[Effect]:
        """The calls that may run an operation which calls Python."""
        tree = self._tree
        if not any(self._symbols.name(node) in _PYTHON_OPERATIONS for node, _ in self._paths):
            return []
        uses = [*tree.attributes.get("run", []), *tree.attributes.get("eval", [])]
        parents = [(use, tree.parent[use]) for use in uses]
        return [
            Effect(call, _text(call, tree), in_session=True)
            for use, call in parents
            if isinstance(call, ast.Call) and call.func is use
        ]

    def starts(self, graph_mode: bool) -> list[Effect]:
        """Return what makes the eager context; `graph_mode` tells that operations do not."""
        return [*self.eager_starts, *(self._early if graph_mode else self._operations)]

    def eager_before(self, graph_mode: bool, node: ast.AST) -> list[Effect]:
        """Return what makes the eager context in the program of a node before its migration.

        TensorFlow 1 has no such context, unless a program turns eager execution on.
        """
        if self.is_of_tensorflow1(node) and (graph_mode or not self._turns_eager_on):
            return self._early
        return [*self.eager_starts, *self._early] if graph_mode else self.eager_code

    @cached_property
    def _turns_eager_on(self) -> bool:
        """Whether anything in the files turns eager execution on in TensorFlow 1."""
        return any(self._tree.attributes.get(name) or self._tree.names.get(name) for name in EAGER)

    def is_of_tensorflow1(self, node: ast.AST) -> bool:
        """Tell whether the program of a node does not run on TensorFlow 2 as it is."""
        return any(
            self.order.share_process(file.module, node) for file in self._files_of_tensorflow1
        )

    @cached_property
    def _files_of_tensorflow1(self) -> list[Tree]:
        symbols, book = self._symbols, self._book
        return [file for file in self._tree.files if needs_tensorflow1(file, symbols, book)]

    @cached_property
    def eager_code(self) -> list[Effect]:
        """What makes the eager context in code that no graph is the default one of."""
        outside = (item for item in self._operations if not self.graphs.surround(item.node))
        return [*self.eager_starts, *outside]

    def uses_of_cuda(self, graph_mode: bool) -> list[Effect]:
        """Return what initialises CUDA without a session: the eager context, and queries."""
        return [*self.starts(graph_mode), *self._queries]

    @cached_property
    def _queries(self) -> list[Effect]:
        tree = self._tree
        asked = [query.call for query in self._analysis.facts.queries]
        asked += [
            call for call, name in self._symbols.calls(tree) if name.endswith("_physical_devices")
        ]
        return [Effect(call, _text(call, tree)) for call in asked]

    @cached_property
    def certain_starts(self) -> frozenset[ast.AST]:
        """The calls that make the eager context wherever they are reached."""
        found = starts(self._analysis, self._book)
        return frozenset(start.call for start in found if not start.silent)

    @cached_property
    def _early(self) -> list[Effect]:
        """The operations that may run before a program of TensorFlow 2 turns graph mode on."""
        return [effect for effect in self._operations if self._start_of_graphs.has(effect.node)]

    def graphs_behind(self, node: ast.AST) -> list[ast.Call]:
        """Return the calls that may turn graph mode on in TensorFlow 2 only behind a node."""
        return self._start_of_graphs.behind(node)

    @cached_property
    def _start_of_graphs(self) -> Early:
        return Early(self._analysis, self.origins, self.order)

    @cached_property
    def _operations(self) -> list[Effect]:
        """The calls of TensorFlow or Keras in eager code, and of libraries that may call them."""
        found = []
        for call, name in self._symbols.calls(self._tree):
            root = name.partition(".")[0]
            if root in ("tf", "keras") and not re.search(_QUIET, name):
                found.append(Effect(call, _text(call, self._tree)))
        return [*found, *self._given, *self._of_own_classes]

    @cached_property
    def _of_own_classes(self) -> list[Effect]:
        """The calls of classes that inherit from those of Keras, and of objects of these classes.

        What such an object is asked for may run in methods of Keras, or is called back by them.
        """
        tree, origins = self._tree, self.origins
        own = {item for item in tree.nodes(ast.ClassDef) if self._is_of_keras(item)}
        names = {item.name for item in own}
        return [
            Effect(call, _text(call, tree))
            for call in (tree.calls if own else ())
            for used in (call.func, *_holder(call.func))
            if last_name(used) in names or not own.isdisjoint(origins.of(used))
        ]

    def _is_of_keras(self, owner: ast.ClassDef) -> bool:
        """Tell whether a class inherits from one of Keras that computes, directly or not."""
        bases = [
            base for item in self._analysis.callees.classes.relatives(owner) for base in item.bases
        ]
        names = [self._symbols.name(base) or "" for base in bases]
        return any(name.startswith("keras.") and not re.search(_QUIET, name) for name in names)

    @cached_property
    def _given(self) -> list[Effect]:
        """The functions of TensorFlow or Keras that calls and parameters take, to run later."""
        return [
            Effect(node, self._tree.source(node))
            for node, path in self._paths
            if self._is_given(node)
            and self._is_whole(node)
            and re.match(_FUNCTION, name := canonical(path))
            and not re.search(_QUIET, name)
        ]

    def _is_given(self, node: ast.expr) -> bool:
        """Tell whether a node is handed to a call or a parameter, and not just asked for a name."""
        around = self._tree.parent[node]
        if isinstance(around, ast.arguments):
            return True
        call = self._tree.parent[around] if isinstance(around, ast.keyword) else around
        return (
            isinstance(call, ast.Call)
            and call.func is not node
            and last_name(call.func) not in ("hasattr", "getattr")
        )

    def position(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column of a node in its file."""
        return self._tree.position(node)

    @cached_property
    def _traced(self) -> list[ast.AST]:
        """The functions that tf.function wraps by a decorator: calling them makes the context."""
        return [
            function
            for functions in self._tree.functions.values()
            for function in functions
            for decorator in getattr(function, "decorator_list", [])
            if self._symbols.name(_called(decorator)) == "tf.function"
        ]

    @cached_property
    def _handed_on(self) -> list[Effect]:
        """What makes the eager context and is no call itself: it is called later, if ever."""
        tree = self._tree
        known = self._book.starts_runtime
        named = [
            node
            for node, path in self._paths
            if isinstance(node.ctx, ast.Load)
            and self._is_whole(node)
            and _is_callable(canonical(path), known.names)
            and known.has(canonical(path))
        ]
        methods = [
            node
            for method in known.methods
            for node in tree.attributes.get(method, [])
            if isinstance(node.ctx, ast.Load)
            and self._uses_data(tree.file(node))
            and self._datasets.is_method(node, When.NEVER) is not When.NEVER
        ]
        return [
            Effect(node, tree.source(node))
            for node in (*named, *methods)
            if not isinstance(parent := tree.parent[node], ast.Call) or parent.func is not node
        ]

    def _starts_eager(self, call: ast.Call) -> bool:
        name = self._symbols.name(call.func)
        known = self._book.starts_runtime
        if name is not None and known.has(name):
            return True
        if _finds_method(call, known.methods):
            return self._uses_data(self._tree.file(call))
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in known.methods:
            return False
        unknown = When.MAYBE if self._uses_data(self._tree.file(call)) else When.NEVER
        return self._datasets.is_method(call.func, unknown) is not When.NEVER

    @cached_property
    def graphs(self) -> Graphs:
        """The statements that make a graph the default one."""
        return Graphs(self._tree, self.origins, self.order)

    @cached_property
    def _datasets(self) -> Datasets:
        return Datasets(self._tree, self._symbols, self._analysis.callees.classes)

    @property
    def origins(self) -> Origins:
        """Where objects of the files come from."""
        return self._datasets.origins

    def _uses_data(self, tree: Tree) -> bool:
        """Tell whether objects in a file may be datasets of TensorFlow."""
        if tree not in self._with_data:
            self._with_data[tree] = any(
                self.order.share_process(file.module, tree.module) for file in self._data_files
            )
        return self._with_data[tree]

    @cached_property
    def _data_files(self) -> list[Tree]:
        """The files that name tf.data."""
        return [
            file
            for file in self._tree.files
            if any(path.startswith(_DATA) for path in self._data_paths(file))
        ]

    def _data_paths(self, tree: Tree) -> Iterator[str]:
        for attribute in tree.attributes.get("data", []):
            yield from self._symbols.paths(attribute)
        for item in tree.imports:
            yield item.path


def _is_callable(name: str, known: Container[str]) -> bool:
    """Tell whether a name is one of a function, or of a class that does something when it is made.

    Others are constants, and classes that are only asked for: `tf.data.Dataset`.
    """
    last = name.rpartition(".")[2]
    return last[:1].islower() or name in known or (last.endswith("Dataset") and last != "Dataset")


def _finds_method(call: ast.Call, known: Container[str]) -> bool:
    """Tell whether a call finds a method by its name: one of those known, or a computed one."""
    name = last_name(call.func)
    place = {"getattr": 1, "methodcaller": 0, "attrgetter": 0}.get(name)
    if place is None or len(call.args) <= place:
        return False
    method = call.args[place]
    return not isinstance(method, ast.Constant) or method.value in known


def _holder(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the object that a method is asked of."""
    if isinstance(node, ast.Attribute):
        yield node.value


def _called(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _text(node: ast.AST, tree: Tree) -> str:
    """Return what is called, or else run, in words that fit into a message."""
    whole = node.func if isinstance(node, ast.Call) else node
    text = tree.source(whole) if isinstance(whole, ast.expr) else ast.unparse(whole)
    if len(text) < 50:
        return text
    if isinstance(whole, ast.Import | ast.ImportFrom):
        named = getattr(whole, "module", None) or whole.names[0].name
        return f"import of {named}"
    return whole.attr if isinstance(whole, ast.Attribute) else "the call"


def _initialises(node: ast.AST) -> bool:
    """Tell whether a node is a call of some `__init__`."""
    return isinstance(node, ast.Call) and last_name(node.func) == "__init__"
