"""Savers that may be sharded: on TensorFlow 2 their making makes the eager context."""

from __future__ import annotations

import ast
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.imported import Names
from tfgpu.code.tree import last_name
from tfgpu.decide.effect import Effect
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.rulebook.book import Rulebook

# The parameters of tf.train.Scaffold.
_SCAFFOLD = (
    "init_op", "init_feed_dict", "init_fn", "ready_op", "ready_for_local_init_op", "local_init_op",
    "summary_op", "saver",
)  # fmt: skip
_SAVERS = frozenset(["tf.train.Saver", "tf.python.training.saver.Saver"])


class Savers:
    """What makes Savers in some files."""

    def __init__(self, analysis: Analysis, book: Rulebook, names: Names) -> None:
        self._analysis = analysis
        self._tree = analysis.tree
        self._symbols = analysis.symbols
        self._book = book
        self._names = names

    def may_shard(self, call: ast.AST) -> bool:
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
        found: list[ast.AST] = [call for call, name in symbols.calls(tree) if name in _SAVERS]
        for node, path in self._names.found:
            if canonical(path) not in _SAVERS or not self._names.is_whole(node):
                continue
            parent = tree.parent[node]
            if isinstance(parent, ast.ClassDef):
                variable = (tree.scope(parent), parent.name)
                found += [tree.parent[use] for use in symbols.uses(variable)]
                found += [item for item in ast.walk(parent) if _initialises(item)]
            else:
                found.append(parent)
        return frozenset(
            call for call in found if isinstance(call, ast.Call) and self._says_sharded(call)
        )

    def _says_sharded(self, call: ast.Call) -> bool:
        """Tell whether arguments of a call may say `sharded`, the third parameter of a Saver."""
        given = [item.value for item in call.keywords if item.arg in (None, "sharded")]
        given += [item for item in call.args if isinstance(item, ast.Starred)] or call.args[2:3]
        return not all(map(self._is_false, given))

    def _is_false(self, node: ast.expr) -> bool:
        known = self._analysis.values.known(node)
        is_none = isinstance(node, ast.Constant) and node.value is None
        return is_none or (known is not None and not known)

    @cached_property
    def sinks(self) -> list[Effect]:
        """The names of sinks that may make a sharded Saver, wherever they are called."""
        return [
            Effect(node, self._tree.source(node))
            for node, path in self._names.found
            if canonical(path) in self._makers and self._names.is_whole(node)
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
        hidden = any(map(self._says_sharded, calls))
        return calls if names == {f"tf.train.{kind}"} and not hidden else []

    @cached_property
    def _makers(self) -> frozenset[str]:
        """The sinks that may make a sharded Saver."""
        rules = self._book.sinks.values()
        return frozenset().union(*(rule.makes_eager_context for rule in rules))


def _initialises(node: ast.AST) -> bool:
    """Tell whether a node is a call of some `__init__`."""
    return isinstance(node, ast.Call) and last_name(node.func) == "__init__"
