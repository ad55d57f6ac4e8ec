"""Sessions that no call of a known name makes: by subclasses, strings, tests, Keras, estimators.

A class of sessions that goes where it is not followed (a dictionary, an argument, an attribute) may
make sessions at any time; that is said, and never guessed away.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

from tfgpu.code.canonical import canonical
from tfgpu.code.index import Variable
from tfgpu.code.origins import UNKNOWN
from tfgpu.code.tree import last_name
from tfgpu.code.when import When
from tfgpu.flow.callees import argument
from tfgpu.flow.facts import PossibleSession
from tfgpu.flow.keras import keras_sessions
from tfgpu.flow.locations import Reading
from tfgpu.flow.looked_up import looked_up
from tfgpu.flow.makers import makers_elsewhere
from tfgpu.flow.owners import made_by

# Functions that look at a class, and make no object of it.
_LOOKS = frozenset(
    ["isinstance", "issubclass", "hasattr", "super", "print", "repr", "str", "dir", "help",
     "id", "callable", "cast", "TypeVar", "NewType"]
)  # fmt: skip
_RUNS_TEXT = frozenset(["eval", "exec", "compile", "execfile"])
_TEST_CASES = ("tf.test.TestCase", "tf.python.framework.test_util.", "tf.python.platform.test.")
_PLAIN_BASES = ("unittest.", "object")
_NAMED_TESTS = ("TestCase", "Test", "TestBase")
# Functions that get an attribute of a module by its name, or may.
_GETTERS = frozenset(["operator.attrgetter", "operator.methodcaller", "functools.reduce"])
# Functions that show what an object has.
_OBJECTS = frozenset(["vars", "getattr", "inspect.getmembers", "operator.attrgetter"])
_POSSIBLE = (When.ALWAYS, When.MAYBE)
_ESTIMATORS = ("tf.estimator.", "tf.contrib.learn.")
_BASE_METHODS = ("__call__", "__new__")
# Special attributes of a class that give no class and make no object.
_PLAIN_ATTRIBUTES = frozenset(
    ["__name__", "__qualname__", "__doc__", "__module__", "__enter__", "__exit__", "__del__"]
)
# Last parts of paths that TensorFlow's names may have behind them in any module.
_HANDED_ON = ("tf", "tensorflow", "v1")


class Sessions:
    """The sessions of some files that are no sinks of a rule; `sinks` are the calls that are."""

    def __init__(self, reading: Reading, sinks: Container[ast.AST]) -> None:
        self._read = reading
        self._sinks = sinks
        self._kinds = reading.book.sessions
        self._classes = frozenset(name for name, kind in self._kinds.items() if kind == "class")
        self._last_names = {name.rpartition(".")[2] for name in self._classes}
        self._origins = reading.callees.finders.origins
        self._found: dict[ast.expr, PossibleSession] = {}
        self._seen: set[Variable] = set()

    def find(self) -> list[PossibleSession]:
        """Return all sessions, in the order of the source."""
        tree = self._read.tree
        if not any(canonical(item.path).startswith(("tf", "keras")) for item in tree.imports) and (
            not any(map(self._read.symbols.string_import, tree.calls))
        ):
            return []
        for expression, names in list(self._named()):
            self._use(expression, names)
        self._subclasses()
        self._of_objects()
        self._texts()
        self._unresolved()
        for node, name in looked_up(self._read, self._kinds):
            self._add(node, name, anywhere=not isinstance(node, ast.Call))
        self._tests()
        self._calls()
        return sorted(self._found.values(), key=lambda item: tree.position(item.node))

    def _add(
        self, node: ast.expr, name: str, anywhere: bool = False, config: ast.expr | None = None
    ) -> None:
        if node not in self._sinks and node not in self._found:
            kind = self._kinds.get(name, "class")
            self._found[node] = PossibleSession(node, name, kind, anywhere, config)

    def looks(self) -> Iterator[ast.expr]:
        """Yield the code that may read the config of a session: `sess._config`."""
        tree = self._read.tree
        attributes = tree.attributes.get("_config", [])
        is_own = "_config" in tree.set_attributes
        for node in (*attributes, *tree.attributes.get("__dict__", [])):
            of_self = isinstance(node.value, ast.Name) and (
                self._read.callees.classes.of_self(node.value) is not None
            )
            known = of_self or is_own or node.attr == "__dict__"
            origins = self._origins.of(node.value)
            if self._is_session(node.value) in _POSSIBLE or (not known and UNKNOWN in origins):
                yield node
        for call in self._read.symbols.calls_of(tree, _OBJECTS):
            if not call.args or self._is_session(call.args[0]) not in _POSSIBLE:
                continue
            name = call.args[1] if len(call.args) > 1 else None
            if name is None or self._read.values.known(name) in (None, "_config"):
                yield call

    # Names of classes.

    def _names(self, node: ast.expr) -> frozenset[str]:
        """Return the classes of sessions that an expression may refer to."""
        paths = map(canonical, self._read.symbols.paths(node))
        return self._classes.intersection(paths)

    def _named(self) -> Iterator[tuple[ast.expr, frozenset[str]]]:
        """Yield the expressions that may refer to a class of sessions of TensorFlow."""
        tree = self._read.tree
        for last in sorted(self._last_names):
            for attribute in tree.attributes.get(last, []):
                names = self._names(attribute)
                if names:
                    yield attribute, names
            for name in tree.names.get(last, []):
                names = self._names(name)
                if names and isinstance(name.ctx, ast.Load):
                    yield name, names
        for item in tree.imports:
            names = self._classes.intersection([canonical(item.path)])
            owner = tree.owner(item.name, item.scope) if names else None
            if owner is not None and item.name not in self._last_names:
                for use in self._read.symbols.uses((owner, item.name)):
                    yield use, self._names(use) or names
        for getter in tree.names.get("getattr", []):
            call = tree.parent[getter]
            if isinstance(call, ast.Call) and call.func is getter:
                names = self._names(call) or self._got(call)
                if names:
                    yield call, names

    def _got(self, call: ast.Call) -> frozenset[str]:
        """Return what `getattr` of a module may give, where its name or a default is not known."""
        if len(call.args) < 2:
            return frozenset()
        modules = {canonical(path) for path in self._read.symbols.paths(call.args[0])}
        key = call.args[1]
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            return self._classes.intersection(f"{module}.{key.value}" for module in modules)
        found = {name for name in self._classes if name.rpartition(".")[0] in modules}
        parent = self._read.tree.parent[call]
        if not isinstance(parent, ast.Call) or parent.func is not call:
            is_session = "sess" in self._read.tree.source(key).lower()
            return frozenset(found) if is_session else frozenset()
        # Operations take their tensors by position; sessions hardly ever do.
        return frozenset() if parent.args else frozenset(found)

    def _use(self, node: ast.expr, names: frozenset[str]) -> None:
        """Classify what is done with a class of sessions."""
        tree = self._read.tree
        name = min(names)
        if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            self._add(node, name, anywhere=True)  # It is replaced by something else.
            return
        parent = tree.parent[node]
        while isinstance(parent, ast.IfExp | ast.BoolOp) and node is not getattr(
            parent, "test", None
        ):
            node, parent = parent, tree.parent[parent]
        if isinstance(parent, ast.Call) and parent.func is node:
            self._call(parent, names)
        elif isinstance(parent, ast.Attribute):
            if self._makes_by(parent):
                self._add(node, name, anywhere=True)
        elif isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr) and (
            parent.value is node
        ):
            self._assigned(parent, node, names)
        elif not self._only_looked_at(node):
            self._add(node, name, anywhere=True)

    def _makes_by(self, attribute: ast.Attribute) -> bool:
        """Tell whether an attribute of a class of sessions may make one, or give such a class.

        The `__init__` of a class that inherits from it is run for what that class makes.
        """
        name = attribute.attr
        if name == "__init__":
            around = self._read.tree.function(attribute).node
            return getattr(around, "name", "") != "__init__"
        return name == "mro" or (name.startswith("__") and name not in _PLAIN_ATTRIBUTES)

    def _call(self, call: ast.Call, names: frozenset[str]) -> None:
        name = min(names)
        rule = self._read.book.sinks.get(name)
        if rule is None or rule.maker is not None:
            return  # What makes its session later does that by a call that is seen.
        self._add(call, name, config=argument(call, rule.argument, rule.calls[name]))

    def _assigned(
        self, statement: ast.Assign | ast.AnnAssign | ast.NamedExpr, node: ast.expr,
        names: frozenset[str],
    ) -> None:  # fmt: skip
        """Follow a class to the variables that it is assigned to."""
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            variable = self._read.symbols.variable(target)
            if variable is None or variable[0].kind == "class":
                self._add(node, min(names), anywhere=True)
            elif variable not in self._seen:
                self._seen.add(variable)
                for use in list(self._read.symbols.uses(variable)):
                    self._use(use, self._names(use) or names)
        if isinstance(statement, ast.NamedExpr):
            self._use(statement, names)

    def _only_looked_at(self, node: ast.expr) -> bool:
        """Tell whether a use of a class cannot create objects of it."""
        tree = self._read.tree
        child: ast.AST = node
        parent = tree.parent[child]
        while isinstance(parent, ast.expr | ast.keyword):
            if isinstance(parent, ast.Compare | ast.JoinedStr):
                return True
            if isinstance(parent, ast.Call) and child is not parent.func:
                function = parent.func
                last = last_name(function)
                return last in _LOOKS or (last == "type" and len(parent.args) == 1)
            if isinstance(parent, ast.Subscript) and child is parent.slice:
                known = self._read.symbols.name(parent.value) or ""
                if known.startswith(("typing.", "collections.abc.")):
                    return True
            elif not isinstance(parent, ast.Tuple | ast.List | ast.BinOp | ast.Subscript):
                return False
            child, parent = parent, tree.parent[parent]
        if isinstance(parent, ast.AnnAssign | ast.arg):
            return child is parent.annotation
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            return child is parent.returns
        return isinstance(parent, ast.Expr | ast.ExceptHandler | ast.ClassDef)

    # Classes of the files that inherit from them.

    def _subclasses(self) -> None:
        tree = self._read.tree
        known: dict[ast.ClassDef, frozenset[str]] = {}
        classes = [item for item in tree.nodes(ast.ClassDef) if item.bases]
        changed = True
        while changed:
            changed = False
            for owner in classes:
                names = frozenset[str]().union(
                    *(self._names(base) or self._inherited(base, known) for base in owner.bases)
                )
                if names != known.get(owner, frozenset()):
                    known[owner] = names
                    changed = True
        for owner, names in known.items():
            scope = tree.scope(owner)
            uses = list(self._read.symbols.uses((scope, owner.name)))
            if scope.kind == "class":
                uses += tree.attributes.get(owner.name, [])
            for use in uses:
                self._use(use, names)

    def _inherited(
        self, base: ast.expr, known: dict[ast.ClassDef, frozenset[str]]
    ) -> frozenset[str]:
        nodes = [binding.node for binding in self._read.symbols.bindings(base)]
        found = (known.get(node) for node in nodes if isinstance(node, ast.ClassDef))
        return frozenset[str]().union(*filter(None, found))

    # The class of an object.

    def _of_objects(self) -> None:
        """Find calls of the class of an object that may be a session: `type(sess)()`."""
        for call in self._read.tree.calls:
            target = self._class_of(call.func)
            if target is not None and self._is_session(target, call) in _POSSIBLE:
                self._add_call(call)
        for node in self._read.tree.attributes.get("__init__", []):
            again = self._read.tree.parent[node]
            if (
                isinstance(again, ast.Call)
                and not isinstance(node.value, ast.Call)
                and self._is_session(node.value, again) in _POSSIBLE
            ):
                self._add_call(again)
        for node in self._read.tree.attributes.get("__class__", []):
            if self._is_handed_on(node) and self._is_session(node.value) is When.ALWAYS:
                self._add(node, "tf.Session", anywhere=True)
        for name in self._read.tree.names.get("type", []):
            made = self._read.tree.parent[name]
            target = self._class_of(made) if isinstance(made, ast.Call) else None
            if target is None or self._is_session(target) is not When.ALWAYS:
                continue
            assert isinstance(made, ast.Call)
            if self._is_handed_on(made):
                self._add(made, "tf.Session", anywhere=True)

    def _add_call(self, call: ast.Call) -> None:
        config = argument(call, "config", ("target", "graph", "config"))
        self._add(call, "tf.Session", config=config)

    def _is_handed_on(self, node: ast.expr) -> bool:
        """Tell whether a class is passed to code that may create objects of it."""
        parent = self._read.tree.parent[node]
        named = isinstance(parent, ast.Attribute) and parent.attr not in _BASE_METHODS
        called = isinstance(parent, ast.Call) and parent.func is node
        return not (named or called or self._only_looked_at(node))

    def _class_of(self, node: ast.expr) -> ast.expr | None:
        """Return the object whose class an expression is; None otherwise."""
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            return node.value
        is_type = (
            isinstance(node, ast.Call)
            and len(node.args) == 1
            and self._read.tree.builtin(node.func) == "type"
        )
        return node.args[0] if is_type and isinstance(node, ast.Call) else None

    def _is_session(self, node: ast.expr, call: ast.Call | None = None) -> When:
        """Tell whether an object is a session; one that is not known, by how its class is called.

        Sessions hardly ever take arguments by position.
        """
        if isinstance(node, ast.Name) and self._read.callees.classes.of_self(node):
            return When.NEVER  # Subclasses are found by their names.
        found = set()
        for origin in self._origins.of(node):
            name = origin.removesuffix(".__enter__()") if isinstance(origin, str) else ""
            if name.removesuffix("()") in self._classes:
                found.add(When.ALWAYS)
            elif origin == UNKNOWN:
                found.add(When.NEVER if call is None or call.args else When.MAYBE)
            else:
                found.add(When.NEVER)
        if len(found) == 1:
            return found.pop()
        return When.NEVER if not found else When.MAYBE

    # Text that is run, and names that are not resolved.

    def _texts(self) -> None:
        tree = self._read.tree
        for call in self._read.symbols.calls_of(tree, _RUNS_TEXT):
            if self._read.tree.builtin(call.func) and call.args:
                for node in ast.walk(call.args[0]):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        name = next((item for item in self._last_names if item in node.value), None)
                        if name is not None:
                            self._add(call, "tf.Session", anywhere=True)
        for call in self._read.symbols.calls_of(tree, _GETTERS):
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and node.value in self._last_names:
                    self._add(call, "tf.Session", anywhere=True)
        for use in makers_elsewhere(self._read, self._classes):
            called = isinstance(use, ast.Call)
            self._add(use, "tf.Session", anywhere=not called)

    def _unresolved(self) -> None:
        """Find calls of something that is named like a class of sessions, wherever it is from."""
        tree = self._read.tree
        for call in tree.calls:
            function = call.func
            last = last_name(function)
            if isinstance(function, ast.Subscript):
                key = function.slice
                last = str(key.value) if isinstance(key, ast.Constant) else ""
            if last not in self._last_names:
                continue
            paths = self._read.symbols.paths(function)
            if paths and not any(map(_may_be_tensorflow, paths)):
                continue
            is_known = self._read.symbols.variable(function) is not None
            is_member = isinstance(function, ast.Attribute) and bool(
                self._read.callees.classes.member(function)
            )
            if not is_known and not is_member and last != "Supervisor":
                found = (item for item in sorted(self._classes) if item.endswith(f".{last}"))
                config = next((item.value for item in call.keywords if item.arg == "config"), None)
                self._add(call, next(found), config=config)

    # Tests, Keras and estimators.

    def _tests(self) -> None:
        """Find the sessions of TensorFlow's test cases."""
        tree, classes = self._read.tree, self._read.callees.classes
        methods = [name for name, kind in self._kinds.items() if kind == "test"]
        for name in methods:
            last = name.rpartition(".")[2]
            for node in tree.attributes.get(last, []):
                call = tree.parent[node]
                if not isinstance(call, ast.Call) or call.func is not node or classes.member(node):
                    continue
                owner = classes.self_class(node)
                if owner is not None:
                    possible = self._may_be_test_case(owner, frozenset())
                else:
                    is_named = last in ("test_session", "cached_session")
                    possible = is_named and not self._read.symbols.paths(node)
                if possible:
                    rule = self._read.book.sinks.get(name)
                    config = argument(call, "config", rule.calls[name]) if rule else None
                    self._add(call, name, config=config)

    def _may_be_test_case(self, owner: ast.ClassDef, seen: frozenset[ast.ClassDef]) -> bool:
        """Tell whether a class may inherit from TensorFlow's test case."""
        for base in owner.bases if owner not in seen else ():
            bindings = self._read.symbols.bindings(base)
            name = self._read.symbols.name(base) or ""
            classes = [item.node for item in bindings if isinstance(item.node, ast.ClassDef)]
            if name.startswith(_TEST_CASES):
                return True
            if classes:
                if any(self._may_be_test_case(item, seen | {owner}) for item in classes):
                    return True
            elif not name.startswith(_PLAIN_BASES) and last_name(base).endswith(_NAMED_TESTS):
                return True
        return False

    def _calls(self) -> None:
        """Find calls that make sessions inside: functions by their names, methods of objects."""
        tree, symbols = self._read.tree, self._read.symbols
        direct = {"call", "keras", "estimator"}
        uses_estimators = any(
            name.startswith(("tf.estimator", "tf.contrib.learn"))
            for node in (*tree.attributes.get("estimator", []), *tree.attributes.get("learn", []))
            for name in map(canonical, symbols.paths(node))
        ) or any(canonical(item.path).startswith("tf.estimator") for item in tree.imports)
        for call in tree.calls:
            paths = symbols.paths(call.func)
            for name in map(canonical, paths):
                kind = self._kinds.get(name)
                if kind in direct:
                    self._add(call, name)
            if paths or not isinstance(call.func, ast.Attribute):
                continue
            if self._kinds.get(f".{call.func.attr}") == "method" and uses_estimators:
                made = made_by(call.func, _ESTIMATORS, self._origins, self._read.callees)
                if made in _POSSIBLE:
                    self._add(call, "tf.estimator.train_and_evaluate")
        for call in keras_sessions(self._read, self._origins):
            self._add(call, "keras.backend.get_session")


def _may_be_tensorflow(path: str) -> bool:
    """Tell whether a path may be a name of TensorFlow through another module: `lib.tf.Session`."""
    parts = path.split(".")
    return len(parts) > 2 and parts[-2] in _HANDED_ON and parts[0] not in ("tf", "tensorflow")
