"""Which processes have no object of code that is not read, so that one not known has none either.

An object comes from Python, TensorFlow, a library that is known to do nothing, or code that is
read, where no other library is imported, no module is found by a computed name, and nothing makes
objects of what a text says: pickle, plugins, fixtures of pytest. What code that is read does is
followed however it is called. What TensorFlow's functions and classes do is known by their names,
so none may be a value, but those that only build a graph.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.imported import Names
from tfgpu.code.order import Order
from tfgpu.code.scripts import is_test_module
from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis
from tfgpu.rulebook.book import Rulebook

# What of TensorFlow may be handed on: what builds nothing but a graph, in any order and place.
_PLAIN = expression(
    r"^tf\.(?:(?:nn|math|layers|losses|metrics|initializers|keras\.initializers|errors|logging|"
    r"flags|app\.flags|GraphKeys|estimator\.ModeKeys|dtypes|image)\.\w+|"
    r"summary\.(?:scalar|histogram|image|merge|merge_all|FileWriter)|"
    r"contrib\.(?:slim|layers)\.(?:conv\w*|fully_connected|batch_norm|max_pool\w*|avg_pool\w*|"
    r"dropout|separable_conv\w*|model_variable|variable|flatten)|(?:train|optimizers|contrib\.opt)\.\w*Optimizer|"
    r"q?u?(?:int|float|bfloat|complex)\d+|bool|string|half|double|resource|variant|"
    r"\w+_initializer|contrib\.layers\.\w+_(?:initializer|regularizer|norm)|AUTO_REUSE|"
    r"Tensor|Variable|Graph|Operation|SparseTensor|TensorShape|placeholder|get_variable|"
    r"VERSION|__version__|newaxis|flags|app\.flags|logging|nn|"
    r"identity|tanh|sigmoid|square|sqrt|exp|log|abs|add|subtract|multiply|matmul|maximum|minimum|"
    r"reduce_\w+|concat|stack|reshape|transpose|squeeze|expand_dims|to_float|to_int32|cast)$"
    r"|^keras\.(?:metrics|losses|activations|initializers|regularizers|constraints)\.\w+$"
)
_TENSORFLOW = ("tf", "keras", "tensorflow", "tf_slim")
# Names of what makes sessions in methods, or in calls of objects, that names tell only in part.
_MAKING = expression(
    r"^keras\b|^tf\.(?:estimator|contrib\.learn)\b|^tf\.train\.(?:Supervisor|Session\w+|\w+Creator)$"
)
# What starts a process, or gives one something to do: methods of processes, pools and executors.
_STARTS = frozenset(
    [
        "start", "run", "submit", "apply", "apply_async", "map", "map_async", "imap",
        "imap_unordered", "starmap", "starmap_async", "Process", "Pool", "fork", "forkpty",
    ]
)  # fmt: skip
# Methods that make sessions of what objects of TensorFlow were given.
_CREATES = "create_session"


class Closure:
    """Tells which places are in processes that have no object of code that is not read.

    `foreign` are the places that name such code, and `forks` those that may fork the process.
    """

    def __init__(
        self,
        analysis: Analysis,
        book: Rulebook,
        order: Order,
        names: Names,
        foreign: Iterable[ast.AST],
        forks: Collection[ast.AST],
        not_analysed: Iterable[ast.AST],
    ) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._book = book
        self._order = order
        self._names = names
        self._foreign = [*foreign]
        self._forks = forks
        self._not_analysed = not_analysed
        self._known: dict[Tree, bool] = {}
        self._opening: list[ast.AST] | None = None

    def has(self, node: ast.AST) -> bool:
        """Tell whether what is not known at a place is none of code that is not read."""
        home = self._tree.file(node)
        if home not in self._known:
            self._known[home] = not any(
                self._order.share_process(one, home.module) for one in self._opens()
            )
        return self._known[home] and not self._may_do_more(node)

    def _may_do_more(self, node: ast.AST) -> bool:
        """Tell whether what is known only by its name may be asked for: a fork, a session."""
        method = last_name(node.func) if isinstance(node, ast.Call) else ""
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if any(self._order.share_process(fork, node) for fork in self._forks):
            return not named or method in _STARTS
        if not named and self._makes_sessions:
            return True  # A layer that is called may make Keras's session.
        return method in (_CREATES, *self._book.sink_methods)

    @cached_property
    def _makes_sessions(self) -> bool:
        paths = [*(path for _, path in self._names.found), *(it.path for it in self._tree.imports)]
        return any(_MAKING.search(canonical(path)) for path in dict.fromkeys(paths))

    def _opens(self) -> list[ast.AST]:
        """Return what may bring in objects of any code."""
        if self._opening is None:
            tree = self._tree
            self._opening = [
                *self._foreign,
                *self._not_analysed,
                *self._analysis.callees.finders.not_plain,
                *(
                    item.statement
                    for item in tree.imports
                    if item.scope.kind == "class" and canonical(item.path).startswith(_TENSORFLOW)
                ),
                *(node for node, path in self._names.found if self._is_open(node, path)),
                *(file.module for file in tree.files if is_test_module(file.path)),
            ]
        return self._opening

    def _is_open(self, node: ast.Name | ast.Attribute, path: str) -> bool:
        """Tell whether a name is one of TensorFlow as a value."""
        name = canonical(path)
        return (
            isinstance(node.ctx, ast.Load)
            and name.partition(".")[0] in _TENSORFLOW
            and self._names.is_value(node)
            and not self._is_plain(name)
        )

    def _is_plain(self, name: str) -> bool:
        """Tell whether something of TensorFlow only builds a graph, or is no function."""
        if self._book.control_flow.has(name) or self._book.starts_runtime.has(name):
            return False
        return _PLAIN.match(name) is not None or name.rpartition(".")[2].isupper()
