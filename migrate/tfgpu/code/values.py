"""What is known about the value of an expression without running it."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from tfgpu.code.index import Variable
from tfgpu.code.lookups import names_set
from tfgpu.code.reads import Reads
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass
from tfgpu.rulebook.book import MESSAGES
from tfgpu.rulebook.model import Literal

if TYPE_CHECKING:
    from tfgpu.code.options import Options

# Calls whose result does not depend on when they are made, and that change nothing.
_QUIET_CALLS = frozenset(
    [
        "str", "int", "float", "bool", "len", "max", "min", "sum", "abs", "round",
        "os.environ.get", "os.getenv", "os.cpu_count", "os.path.join",
        "multiprocessing.cpu_count", "psutil.cpu_count", "tf.Graph", "tf.get_default_graph",
    ]
)  # fmt: skip
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARING = frozenset(["max", "min"])
_QUIET_METHODS = frozenset(["format", "join", "split", "as_default"])
_RANKS = frozenset(["local_rank", "rank", "local_size", "size"])
# The libraries whose functions of these names only tell a number.
_TELLING = frozenset(["horovod", "byteps", "bagua", "smdistributed", "herring", "torch", "oneccl"])


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum constant of a TensorFlow message, by its last name (`ON_1`), and that message."""

    name: str
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """The value of a setting: its expression and, where it is known, what that is.

    `constant` is the one value that the expression has whenever it is evaluated, as a parameter may
    that all calls leave at its default: it is still written as it was.
    """

    node: ast.expr
    text: str
    known: Literal | Enum | None
    constant: Literal | Enum | None = None

    @property
    def number(self) -> float | None:
        """The value as a number, where it is one."""
        known = self.known
        return known if isinstance(known, int | float) and not isinstance(known, bool) else None


class Values:
    """Evaluates expressions of one file, or of several that are read as one.

    `rebound` are names of modules (each with the module's path) that other files assign to,
    `may_bind` tells of variables whether the files may bind them without naming them.
    """

    def __init__(
        self,
        tree: Tree,
        symbols: Symbols,
        rebound: Collection[tuple[str, str]] = (),
        may_bind: Callable[[Variable], bool] = lambda _: False,
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._rebound = rebound
        self._may_bind = may_bind
        self._reads = Reads(tree)

    @cached_property
    def _options(self) -> Options:
        from tfgpu.code.options import Options  # noqa: PLC0415 - few need it

        return Options(self._tree, self._symbols, self._is_rebound)

    def value(self, node: ast.expr) -> Value:
        """Return what is known of an expression."""
        known = self.known(node)
        return Value(node, self._tree.source(node), known, known)

    def names(self, node: ast.expr) -> str | None:
        """Return the canonical symbol that an expression names."""
        return self._symbols.name(node)

    def builtin(self, node: ast.expr) -> str:
        """Return the name of the builtin that an expression names; nothing for others."""
        return self._tree.builtin(node)

    def known(self, node: ast.expr, depth: int = 4) -> Literal | Enum | None:
        """Return the literal or enum constant that an expression refers to, or None.

        Follows names that are bound once to such a value, `depth` steps far.
        """
        if isinstance(node, ast.Constant):
            value = node.value
            return value if isinstance(value, bool | int | float | str) else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.known(node.operand, depth)
            return -number if isinstance(number, int | float) else None
        if isinstance(node, ast.BinOp):
            return self._computed(node, depth)
        if isinstance(node, ast.Attribute):
            message, _, constant = (self._symbols.name(node) or "").rpartition(".")
            if message in MESSAGES:
                return Enum(constant, MESSAGES[message])
        if isinstance(node, ast.Name | ast.Attribute) and depth:
            variable = self._symbols.variable(node)
            bindings = variable[0].bindings[variable[1]] if variable is not None else []
            if variable is None or self._is_rebound(variable):
                return None
            if len(bindings) == 1 and bindings[0].value is not None:
                return self.known(bindings[0].value, depth - 1)
        return None

    def _computed(self, node: ast.BinOp, depth: int) -> float | None:
        """Return the result of arithmetic with numbers."""
        compute = _ARITHMETIC.get(type(node.op))
        numbers = self.known(node.left, depth), self.known(node.right, depth)
        one, other = (item if isinstance(item, int | float) else None for item in numbers)
        if compute is None or one is None or other is None:
            return None
        if compute is operator.truediv and (
            not other or (isinstance(one + other, int) and self._tree.file(node).floors)
        ):
            return None
        return compute(one, other)

    def _is_rebound(self, variable: Variable) -> bool:
        scope, name = variable
        others = scope.kind == "module" and (
            (self._tree.file(scope.node).path, name) in self._rebound
        )
        return others or self._may_bind(variable)

    def is_none(self, node: ast.expr) -> bool:
        """Tell whether an expression is the literal None."""
        return isinstance(node, ast.Constant) and node.value is None

    def is_option_without_value(self, name: str) -> bool:
        """Tell whether an option of the program with a name may be None by default."""
        return self._options.may_be_none(name)

    def is_option_with_text(self, name: str) -> bool:
        """Tell whether an option of the program with a name is a text where it is given."""
        return self._options.may_be_text(name)

    def is_option_with_bool(self, name: str) -> bool:
        """Tell whether an option of the program with a name is True or False."""
        return self._options.may_be_bool(name)

    def quiet(self, node: ast.expr) -> bool:
        """Tell whether evaluating an expression elsewhere, or more often, makes no difference.

        Calls do make one, except those that only compute, ask for the machine or for a rank; reads
        do where classes of the files make them do something.
        """
        for inner in ast.walk(node):
            if isinstance(inner, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
                return False
            if isinstance(inner, ast.Call) and not self._is_quiet_call(inner):
                return False
            if isinstance(inner, ast.expr) and self._reads.does_something(inner):
                return False
        return True

    def computed(self, node: ast.expr) -> bool:
        """Tell whether code of the files may compute some part of an expression, from anything."""
        parts = (inner for inner in ast.walk(node) if isinstance(inner, ast.expr))
        return any(map(self._reads.computes, parts))

    def _is_quiet_call(self, call: ast.Call) -> bool:
        if self.is_rank(call):
            return True
        if isinstance(call.func, ast.Attribute) and call.func.attr in _QUIET_METHODS:
            return not self._reads.calls_own(call.func)
        if builtin := self.builtin(call.func):
            # `max(l, key=f)` calls the function.
            calls = builtin in _COMPARING and any(
                item.arg in (None, "key") for item in call.keywords
            )
            return builtin in _QUIET_CALLS and not calls
        return self._symbols.name(call.func) in _QUIET_CALLS

    def is_rank(self, node: ast.expr) -> bool:
        """Tell whether an expression is a rank of Horovod or its kin: `hvd.local_rank()`.

        A function of the program may tell one, too, also of a module that stands in for a library.
        """
        if not isinstance(node, ast.Call) or node.args or node.keywords:
            return False
        function = node.func
        if not isinstance(function, ast.Attribute) or function.attr not in _RANKS:
            return False
        own: list[Variable] = []
        outside: Collection[str] = self._symbols.paths(function)
        if not outside or not _tell_ranks(outside):
            # A module of the program may stand in for a library that is not there.
            own = self._own_functions(function)
            alternatives = self._symbols.alternatives(function)
            outside = [path for path in alternatives if isinstance(path, str)]
        if not _tell_ranks(outside) or (outside and function.attr in self._patched):
            return False
        made = [item.node for scope, name in own for item in scope.bindings[name]]
        return bool(outside or own) and all(map(self._reads.tells, made))

    def _own_functions(self, node: ast.expr) -> list[Variable]:
        """Return the variables of the files that the name of a function may be."""
        found = self._symbols.alternatives(node)
        return [variable for variable in found if not isinstance(variable, str)]

    @cached_property
    def _patched(self) -> frozenset[str]:
        """The names that the program may store in a library."""
        stored = frozenset(
            name
            for name in _RANKS
            for node in self._tree.attributes.get(name, ())
            if isinstance(node.ctx, ast.Store) and self._symbols.paths(node.value)
        )
        return stored | names_set(self._tree)

    def is_count(self, node: ast.expr) -> bool:
        """Tell whether an expression is known to be an integer that is not negative."""
        known = self.known(node)
        if known is not None:
            return isinstance(known, int) and known >= 0
        if isinstance(node, ast.Call) and self.is_rank(node):
            return all(map(self._reads_environment, self._own_functions(node.func)))
        if isinstance(node, ast.IfExp):
            return self.is_count(node.body) and self.is_count(node.orelse)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            builtin = self.builtin(node.func)
            if builtin == "int" and len(node.args) == 1:
                return isinstance(node.args[0], ast.Compare)
            return builtin == "len"
        if isinstance(node, ast.Name):
            bindings = self._tree.bindings(node)
            return len(bindings) == 1 and self._is_range_variable(bindings[0].node)
        return False

    def is_whole(self, node: ast.expr, depth: int = 4) -> bool:
        """Tell whether an expression is known to be a whole number, `depth` steps far."""
        if not depth:
            return False
        if isinstance(node, ast.Call) and self.builtin(node.func) == "int":
            return True
        if isinstance(node, ast.BinOp) and isinstance(
            node.op, ast.Add | ast.Sub | ast.Mult | ast.Mod | ast.FloorDiv
        ):
            parts = (node.left, node.right)
            return all(self.is_whole(part, depth - 1) for part in parts)
        if isinstance(node, ast.Call) and self._returns_whole(node, depth - 1):
            return True
        if isinstance(node, ast.Attribute) and self._options.is_whole(node):
            return True
        variable = self._symbols.variable(node) if isinstance(node, ast.Name) else None
        if variable is not None and self._is_rebound(variable):
            return False
        if isinstance(node, ast.Name) and self.known(node) is None:
            bindings = self._tree.bindings(node)
            value = bindings[0].value if len(bindings) == 1 else None
            if value is not None and bindings[0].kind == "assign":
                return self.is_whole(value, depth - 1)
        return self.is_count(node)

    def _reads_environment(self, variable: Variable | None, depth: int = 4) -> bool:
        """Tell whether a function returns what the environment says, which is no rank below 0."""
        if variable is None or self._is_rebound(variable) or not depth:
            return False
        made = [item.node for item in variable[0].bindings[variable[1]]]
        function = made[0] if len(made) == 1 else None
        if not isinstance(function, ast.FunctionDef):
            return False
        given = [getattr(result, "value", None) for result in self._tree.results(function)]
        return bool(given) and all(self._is_of_environment(item, depth) for item in given)

    def _is_of_environment(self, node: ast.expr | None, depth: int) -> bool:
        """Tell whether an expression is a number in the environment, or one that is written."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if not isinstance(node, ast.Call):
            return False
        if self._tree.builtin(node.func) != "int":
            return self._reads_environment(self._symbols.variable(node.func), depth - 1)
        asked = node.args[0] if len(node.args) == 1 else None
        if isinstance(asked, ast.Subscript):
            return self._symbols.name(asked.value) == "os.environ"
        named = self._symbols.name(asked.func) if isinstance(asked, ast.Call) else ""
        return named in ("os.environ.get", "os.getenv")

    def _returns_whole(self, call: ast.Call, depth: int) -> bool:
        """Tell whether a function of the files that is called returns a whole number."""
        made = [item.node for item in self._symbols.bindings(call.func)]
        function = made[0] if len(made) == 1 else None
        variable = self._symbols.variable(call.func)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return False
        if variable is None or self._is_rebound(variable) or self._tree.attributes.get("__code__"):
            return False
        return isinstance(function.body[-1], ast.Return) and all(
            isinstance(result, ast.Return)
            and result.value is not None
            and self.is_whole(result.value, depth)
            for result in self._tree.results(function)
        )

    def _is_range_variable(self, loop: ast.AST) -> bool:
        if not isinstance(loop, ast.For | ast.comprehension):
            return False
        call = loop.iter
        return (
            isinstance(call, ast.Call)
            and self.builtin(call.func) in ("range", "xrange")
            and len(call.args) == 1
        )


def _tell_ranks(paths: Collection[str]) -> bool:
    """Tell whether all paths are of libraries whose functions for ranks only tell a number."""
    return all(path.partition(".")[0] in _TELLING for path in paths)
