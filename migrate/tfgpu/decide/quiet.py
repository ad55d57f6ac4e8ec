"""Whether nothing of effect runs between the settings of a config and its session.

Python runs code of a program in more places than calls: properties and operators, `with`, imports,
`del`, iteration. Between two statements only what certainly runs none of it counts as quiet.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator

from tfgpu.code.evaluation import earlier_in_statement, later_in_statement, loop_before
from tfgpu.code.implicit import Implicit
from tfgpu.code.index import Scope
from tfgpu.code.origins import Origin
from tfgpu.code.tree import Tree
from tfgpu.decide.bound import is_bound, is_of_own_module
from tfgpu.decide.decision import Draft, Place
from tfgpu.decide.graphs import GRAPHS, Graphs
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Parameter, Sink

# Methods of messages that only change them.
_MESSAGE_METHODS = frozenset(["CopyFrom", "MergeFrom", "add", "append", "extend", "update"])
# Parameters that no call refuses a value of that is known to be right.
_PLAIN = frozenset(["config", "master", "is_chief", "start_standard_services"])
# The parameters of a session, and what it takes for its graph.
_OF_SESSION = ("target", "graph", "config")
_NONE: frozenset[Origin] = frozenset(["builtins.NoneType"])
_OF_GRAPH = GRAPHS | _NONE | {f"{graph}.as_default().__enter__()" for graph in GRAPHS}
# Calls and comparisons that no value makes raise an exception, and what some value does.
_NEVER_RAISES = frozenset(
    [
        "tf.Graph", "tf.get_default_graph", "os.environ.get", "os.getenv", "os.cpu_count",
        "multiprocessing.cpu_count", "psutil.cpu_count",
    ]
)  # fmt: skip
_COMPARES_ANY = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)
_RAISING = (
    ast.BinOp, ast.Subscript, ast.Starred, ast.Set, ast.For, ast.AugAssign, ast.Delete, ast.Assert,
    ast.Raise,
)  # fmt: skip
_NEVER = (
    ast.With, ast.AsyncWith, ast.Import, ast.ImportFrom, ast.ClassDef, ast.Raise, ast.Assert,
    ast.Await, ast.Yield, ast.YieldFrom, ast.AsyncFor, ast.Match,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_OPERATORS = (
    ast.BinOp, ast.Compare, ast.UnaryOp, ast.FormattedValue, ast.For, ast.AugAssign, ast.Starred,
    ast.If, ast.While, ast.IfExp, ast.BoolOp, ast.Dict, ast.Set,
)  # fmt: skip


class Quiet:
    """What certainly runs no code of a program, beside what is written there."""

    def __init__(self, decisions: Iterable[Draft], analysis: Analysis, graphs: Graphs) -> None:
        self._analysis = analysis
        self._graphs = graphs
        self._tree = analysis.tree
        self._implicit = Implicit(analysis.tree)
        self._origins = analysis.callees.finders.origins
        configs = [decision.config for decision in decisions]
        self._statements = {item for config in configs for item in config.statements}
        calls = {call for config in configs for call, _ in config.calls}
        self._own: set[ast.AST] = {
            *(item for config in configs for item in (*config.built, *config.dictionaries)),
            *calls,
        }
        # The attributes of messages, and the names of their classes.
        for call in list(self._own):
            if isinstance(call, ast.Call):
                self._own.update(ast.walk(call.func))

    def between(self, place: Place, sink: Sink) -> bool:
        """Tell whether nothing of effect runs between a setting and the session of its config."""
        tree = self._tree
        scope = tree.function(place.node)
        if (
            self._implicit.hooks
            or tree.function(sink.made) is not scope
            or self._leaves_block(place.node, sink.made)
        ):
            return False
        own = set(ast.walk(place.outcome.setting.value.node))
        for node in self._window(place, sink) - own:
            if not self._does_nothing(node):
                statement = tree.statement(node)
                if not (node is statement and node in self._around(sink.made)):
                    return False
        home = tree.function(place.outcome.setting.node)
        if home is not scope:
            # All of a function that a loop calls again comes behind its settings.
            again = loop_before(place.node, sink.made, tree) is not None
            run = tree.code(home) if again else self._behind(place.outcome.setting.node)
            if not all(map(self._does_nothing, run)):
                return False
        return sink.through is None or self._begins(sink.through)

    def _window(self, place: Place, sink: Sink) -> set[ast.stmt | ast.expr]:
        """Return what the function of a setting runs between it and the session of its config."""
        tree = self._tree
        scope = tree.function(place.node)
        loop = loop_before(place.node, sink.made, tree)
        again = [] if loop is None else [loop]
        first, last = tree.position(loop or place.node), tree.position(sink.made)
        given = (set(ast.walk(sink.made)) - {sink.made}) | set(self._passed(place.node))
        turned = (*later_in_statement(place.node, tree), *earlier_in_statement(sink.made, tree))
        return {*again, *tree.code(scope, first, last), *self._of(scope, given), *turned}

    def may_fail(self, place: Place, sink: Sink) -> bool:
        """Tell whether what runs between a setting and a session may raise an exception."""
        tree = self._tree
        found: set[ast.AST] = {*ast.walk(place.outcome.setting.value.node)}
        if tree.function(sink.made) is tree.function(place.node):
            found |= self._window(place, sink)
        home = tree.function(place.outcome.setting.node)
        if home is not tree.function(place.node):
            found |= self._behind(place.outcome.setting.node)
        through = sink.through
        while through is not None:
            end = through.sinks[0]
            found |= self._ahead(end.made)
            through = end.through
        return any(map(self._may_raise, found))

    def _may_raise(self, node: ast.AST) -> bool:
        """Tell whether an expression or statement, apart from its parts, may raise an exception."""
        tree = self._tree
        if node in self._own or self._is_of_message(node):
            return False
        if isinstance(node, ast.Call):
            return not self._graphs.is_made_default(node) and (
                self._analysis.symbols.name(node.func) not in _NEVER_RAISES
            )
        if isinstance(node, ast.Name):
            return isinstance(node.ctx, ast.Load) and not is_bound(node, tree)
        if isinstance(node, ast.Attribute):
            known = self._analysis.symbols.paths(node) and not is_of_own_module(node, tree)
            return isinstance(node.ctx, ast.Load) and not known
        if isinstance(node, ast.Compare):
            return not all(isinstance(item, _COMPARES_ANY) for item in node.ops)
        if isinstance(node, ast.UnaryOp):
            return not isinstance(node.op, ast.Not) and not isinstance(node.operand, ast.Constant)
        if isinstance(node, ast.FormattedValue):
            return node.format_spec is not None
        if isinstance(node, ast.Dict):
            return not all(isinstance(key, ast.Constant) for key in node.keys)
        if isinstance(node, ast.Tuple | ast.List):
            return isinstance(node.ctx, ast.Store) and not isinstance(tree.parent[node], ast.For)
        return isinstance(node, _RAISING)

    def _is_of_message(self, node: ast.AST) -> bool:
        """Tell whether an expression is what a statement that goes sets, or calls."""
        statement = self._tree.statement(node) if isinstance(node, ast.expr) else node
        if statement not in self._statements:
            return False
        value = getattr(statement, "value", None)
        around = [node, *self._tree.within(node)]
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            return value not in around
        return isinstance(value, ast.Call) and (node is value or value.func in around)

    def binds(self, statement: ast.Assign | ast.AnnAssign) -> bool:
        """Tell whether an assignment runs no `__setattr__`, `__setitem__` or property."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if isinstance(statement, ast.AnnAssign) and any(
            isinstance(node, ast.Call | ast.Subscript) for node in ast.walk(statement.annotation)
        ):
            return False
        return all(
            isinstance(item, ast.Name)
            or (
                isinstance(item, ast.Attribute)
                and isinstance(item.value, ast.Name)
                and not self._implicit.attributes
                and item.attr not in self._implicit.properties
            )
            for item in targets
        )

    def takes(self, sink: Sink) -> bool:
        """Tell whether what a call gives beside a config is certainly taken, down to the session.

        Calls that make more than a session look at what else they are given first.
        """
        call, through = sink.call, sink.through
        if through is not None:
            is_method = self._tree.scope(through.function).kind == "class"
            fits = _fits(call, through.function, is_method)
            return fits and all(map(self.takes, through.sinks))
        names = sink.rule.calls.get(sink.name or "", ())
        given = [*names[: len(call.args)], *(item.arg for item in call.keywords)]
        if len(call.args) > len(names) or len({*given} & {*names}) < len(given):
            return False
        if names != _OF_SESSION:
            return {*given} <= _PLAIN
        target, graph = (argument(call, name, names) for name in ("target", "graph"))
        is_odd = isinstance(target, ast.Constant) and target.value not in (None, "")
        origins = self._origins.of(graph) if graph is not None else _NONE
        return not is_odd and bool(origins) and origins <= _OF_GRAPH

    def _passed(self, place: ast.AST) -> Iterator[ast.AST]:
        """Yield what a statement does before it builds a config: settings come before all of it."""
        tree = self._tree
        statement = tree.statement(place)
        around = {place, *tree.within(place)}
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        stored = {node for target in targets for node in ast.walk(target)}
        for node in ast.walk(statement):
            if (
                isinstance(node, ast.expr)
                and node not in around
                and node not in stored
                and tree.position(node) < tree.position(place)
            ):
                yield node

    def _around(self, node: ast.AST) -> set[ast.AST]:
        """Return the `with` statement that makes a session before it enters anything but graphs."""
        statement = self._tree.statement(node)
        if not isinstance(statement, ast.With):
            return set()
        around = {node, *self._tree.within(node)}
        earlier = itertools.takewhile(lambda item: item not in around, statement.items)
        graphs = all(self._graphs.is_made_default(item.context_expr) for item in earlier)
        return {statement} if graphs else set()

    def _leaves_block(self, node: ast.AST, other: ast.AST) -> bool:
        """Tell whether a `with` or `try` ends between two nodes."""
        around = set(self._tree.within(other))
        return any(
            isinstance(item, ast.With | ast.AsyncWith | ast.Try) and item not in around
            for item in self._tree.within(node)
            if self._tree.function(item) is self._tree.function(node)
        )

    def _of(self, scope: Scope, nodes: Iterable[ast.AST]) -> Iterator[ast.stmt | ast.expr]:
        """Yield the statements and expressions among nodes that a function runs itself."""
        for node in nodes:
            if isinstance(node, ast.stmt | ast.expr) and self._tree.function(node) is scope:
                yield node

    def _ahead(self, node: ast.AST) -> set[ast.stmt | ast.expr]:
        """Return what a function runs before an expression in it."""
        tree = self._tree
        before = tree.code(tree.function(node), last=tree.position(node))
        return {*before, *earlier_in_statement(node, tree)}

    def _behind(self, node: ast.AST) -> set[ast.stmt | ast.expr]:
        """Return what a function runs after an expression in it."""
        tree = self._tree
        after = tree.code(tree.function(node), first=tree.position(node))
        return {*after, *later_in_statement(node, tree)}

    def _begins(self, through: Parameter) -> bool:
        """Tell whether a function does nothing of effect before it makes its one session."""
        tree = self._tree
        if len(through.sinks) != 1:
            return False
        sink = through.sinks[0]
        scope = tree.function(sink.made)
        if tree.in_loop(sink.made) or scope.node is not through.function:
            return False
        given = self._of(scope, set(ast.walk(sink.made)) - {sink.made})
        for node in {*self._ahead(sink.made), *given}:
            opens = node in self._around(sink.made)
            if not opens and not self._does_nothing(node):
                return False
        return sink.through is None or self._begins(sink.through)

    def _does_nothing(self, node: ast.AST) -> bool:
        """Tell whether a statement or expression, apart from its parts, runs no code."""
        if node in self._own:
            return True
        if isinstance(node, _NEVER):
            return False
        gone, implicit = self._tree.statement(node) in self._statements, self._implicit
        if isinstance(node, ast.Call):
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if gone and method in _MESSAGE_METHODS:
                return True
            uses_up = implicit.iterators and not all(
                _is_finished(item, self._tree) for item in node.args
            )
            # A format may read attributes: `"{0.x}".format(o)`.
            reads = method == "format" and bool(implicit.attributes or implicit.properties)
            quiet = not (implicit.operators or uses_up or reads)
            return quiet and self._analysis.values.quiet(node)
        if isinstance(node, ast.Attribute):
            if gone and not isinstance(node.ctx, ast.Load):
                return True
            known = bool(self._analysis.symbols.paths(node)) and not implicit.module_attributes
            return known or not (implicit.attributes or node.attr in implicit.properties)
        if isinstance(node, ast.Subscript | ast.Delete):
            return gone and isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.BitOr):
            return False  # It updates a dictionary, which may be os.environ.
        if isinstance(node, _OPERATORS):
            return not implicit.operators and not (
                implicit.iterators and _iterates(node, self._tree)
            )
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            unpacks = any(isinstance(item, ast.Tuple | ast.List) for item in targets)
            runs = unpacks and (implicit.operators or implicit.iterators)
            noted = isinstance(node, ast.AnnAssign) and not _is_plain(node.annotation)
            return gone or not (implicit.finalizers or runs or noted)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return not node.decorator_list and all(map(_is_plain, _annotations(node)))
        return True


def _fits(call: ast.Call, function: ast.AST, is_method: bool) -> bool:
    """Tell whether a function of the program can be called with these arguments."""
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    given = function.args
    positional = [item.arg for item in (*given.posonlyargs, *given.args)][int(is_method) :]
    named = {*positional, *(item.arg for item in given.kwonlyargs)}
    keywords = [item.arg for item in call.keywords]
    if any(isinstance(item, ast.Starred) for item in call.args) or None in keywords:
        return True
    taken = {*positional[: len(call.args)], *keywords}
    optional = positional[len(positional) - len(given.defaults) :] if given.defaults else []
    needed = {*positional} - {*optional}
    needed |= {
        item.arg
        for item, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if value is None
    }
    return (
        (len(call.args) <= len(positional) or given.vararg is not None)
        and ({*keywords} <= named or given.kwarg is not None)
        and needed <= taken
        and {*positional[: len(call.args)]}.isdisjoint(keywords)
    )


def _is_finished(node: ast.expr, tree: Tree) -> bool:
    """Tell whether iterating what an expression gives runs no code: a number, a text, a list."""
    if isinstance(node, ast.Call):
        return tree.builtin(node.func) == "range"
    return isinstance(
        node, ast.Constant | ast.JoinedStr | ast.Tuple | ast.List | ast.ListComp | ast.Compare
    )


def _iterates(node: ast.AST, tree: Tree) -> bool:
    """Tell whether an expression or loop may use an iterator up."""
    if isinstance(node, ast.For):
        return not _is_finished(node.iter, tree)
    if isinstance(node, ast.Compare):
        return any(isinstance(item, ast.In | ast.NotIn) for item in node.ops)
    if isinstance(node, ast.AugAssign):
        return not _is_finished(node.value, tree)
    return isinstance(node, ast.Starred)


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    given = node.args
    arguments = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    found = [None if argument is None else argument.annotation for argument in arguments]
    yield from (item for item in (*found, node.returns) if item is not None)


def _is_plain(annotation: ast.expr) -> bool:
    """Tell whether evaluating an annotation runs no code of the program."""
    return not any(isinstance(item, ast.Call | ast.NamedExpr) for item in ast.walk(annotation))
