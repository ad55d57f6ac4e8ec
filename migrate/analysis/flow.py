"""Follows configs through a file: from where they are built to the calls that take them.

A *holder* is what can hold a config, or a part of one such as GPUOptions: the constructor call
itself, a variable, an attribute of `self`, or what a function returns. Holders are linked where one
is assigned to, passed into or copied into another; linked holders are one config. Nothing is
guessed: a use that is not understood becomes a problem of that config, with its place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from migrate.analysis.callees import Callees
from migrate.analysis.facts import Conditions, Config, Problem, Setting
from migrate.analysis.symbols import Symbols
from migrate.analysis.tree import Binding, Scope, Tree
from migrate.analysis.values import Values
from migrate.rulebook.book import MESSAGES, Rulebook

Holder = tuple[str, object, str]
VIRTUAL_DEVICES = "gpu_options.experimental.virtual_devices"
_FACTS = ("built", "settings", "sinks", "statements", "calls", "roots", "problems", "nones")
_COPIES = ("CopyFrom", "MergeFrom")
_ADDS = ("add", "append", "extend")


def join(prefix: str, name: str) -> str:
    """Return the path of a field of a message."""
    return f"{prefix}.{name}" if prefix else name


def conditions(node: ast.AST, tree: Tree) -> Conditions:
    """Return the tests of conditional expressions around a node, outermost first, with outcomes."""
    found = []
    child = node
    for parent in tree.within(node):
        if isinstance(parent, ast.stmt):
            break
        if isinstance(parent, ast.IfExp) and child is not parent.test:
            found.append((parent.test, child is parent.body))
        child = parent
    return tuple(reversed(found))


class Flow:
    """The configs of one file."""

    def __init__(
        self, tree: Tree, symbols: Symbols, values: Values, callees: Callees, book: Rulebook
    ) -> None:
        self._tree = tree
        self._callees = callees
        self._symbols = symbols
        self._values = values
        self._book = book
        self._prefix: dict[Holder, str] = {}
        self._links: dict[Holder, Holder] = {}
        self._facts: dict[Holder, Config] = {}
        self._todo: list[Holder] = []
        self._copies: dict[ast.Call, tuple[Holder, str]] = {}
        self._copied: dict[ast.Call, tuple[Holder, str]] = {}
        self._handed: dict[Holder, list[ast.Call]] = {}
        self.config_arguments: set[ast.expr] = set()

    def configs(self) -> list[Config]:
        """Return every config of the file in the order of their first constructor."""
        for call in self._tree.calls:
            prefix = self._message(call)
            if prefix is not None and prefix != VIRTUAL_DEVICES:
                self._reach(("site", call, ""), prefix, call)
        while self._todo:
            self._process(self._todo.pop())
        self._settle_copies()
        self._check_handed()
        groups: dict[Holder, Config] = {}
        for holder, facts in self._facts.items():
            group = groups.setdefault(self._find(holder), Config())
            for name in (
                "built",
                "settings",
                "sinks",
                "statements",
                "calls",
                "roots",
                "problems",
                "nones",
            ):
                getattr(group, name).extend(getattr(facts, name))
            group.exports += self._exports(holder)
        for group in groups.values():
            group.built.sort(key=self._tree.position)
            group.settings.sort(key=lambda setting: self._tree.position(setting.node))
            group.sinks.sort(key=lambda sink: self._tree.position(sink.call))
            group.problems.sort(key=lambda problem: self._tree.position(problem.node))
        return sorted(groups.values(), key=lambda group: self._tree.position(group.built[0]))

    def _exports(self, holder: Holder) -> list[tuple[Tree, str]]:
        _, owner, name = holder
        if isinstance(owner, Scope) and owner.kind == "module":
            return [(self._tree.file(owner.node), name)]
        if isinstance(owner, ast.FunctionDef) and self._tree.scope(owner).kind == "module":
            return [(self._tree.file(owner), owner.name)]
        return []

    # Holders and links.

    def _message(self, call: ast.Call) -> str | None:
        return MESSAGES.get(self._symbols.name(call.func) or "")

    def _reach(self, holder: Holder, prefix: str, node: ast.AST) -> None:
        """Note that a holder holds the message at `prefix`; `node` is where this is seen."""
        known = self._prefix.setdefault(holder, prefix)
        if holder not in self._facts:
            self._facts[holder] = Config()
            self._links[holder] = holder
            self._todo.append(holder)
        if known != prefix:
            self._problem(holder, "mixed-origin", node, source="another kind of message")

    def _find(self, holder: Holder) -> Holder:
        while self._links[holder] != holder:
            holder = self._links[holder]
        return holder

    def _link(self, one: Holder, other: Holder, prefix: str, node: ast.AST) -> None:
        self._reach(other, prefix, node)
        self._links[self._find(other)] = self._find(one)

    def _problem(self, holder: Holder, reason: str, node: ast.AST, **details: str) -> None:
        self._facts[holder].problems.append(Problem(reason, node, details))

    def _goes(self, holder: Holder, statement: ast.stmt) -> None:
        """Note a statement that goes when the config is converted."""
        self._facts[holder].statements.append(statement)

    def _process(self, holder: Holder) -> None:
        _, owner, name = holder
        prefix = self._prefix[holder]
        if isinstance(owner, ast.Call):
            self._facts[holder].built.append(owner)
            if not prefix:
                self._facts[holder].roots.append(owner)
            self._construct(owner, holder, prefix)
            self._use(owner, holder, prefix)
        elif isinstance(owner, Scope):
            if owner.kind == "class":
                self._problem(holder, "stored", owner.node, text=f"class attribute `{name}`")
            for binding in owner.bindings[name]:
                self._bound(binding, holder, prefix)
            self._check_rebound(holder, owner.bindings[name], prefix)
            here = self._tree.file(owner.node)
            for node in self._symbols.uses((owner, name)):
                if self._tree.file(node) is here:
                    self._use(node, holder, prefix)
            for other in self._symbols.users((owner, name)):
                place = owner.bindings[name][0].node
                self._problem(holder, "used-elsewhere", place, name=name, path=other.path)
        elif isinstance(owner, ast.ClassDef):
            self._process_self(holder, owner, name, prefix)
        elif isinstance(owner, ast.FunctionDef):
            self._process_function(holder, owner, prefix)

    def _bound(self, binding: Binding, holder: Holder, prefix: str) -> None:
        """Check one binding of a variable that holds a config somewhere."""
        if binding.value is None:
            # An item of a `with` header has no place of its own.
            has_place = hasattr(binding.node, "lineno")
            place = binding.node if has_place else self._tree.statement(binding.node)
            what = {"param": "a parameter", "def": "a function", "class": "a class"}
            reason = "parameter" if binding.kind == "param" else "mixed-origin"
            self._problem(
                holder, reason, place, source=what.get(binding.kind, "another statement"),
                name=holder[2],
            )  # fmt: skip
        else:
            self._accept(binding.value, holder, prefix)
            if self._values.is_none(binding.value):
                self._goes(holder, self._tree.statement(binding.node))
                self._facts[holder].nones.append(binding.node)

    def _check_rebound(self, holder: Holder, bindings: list[Binding], prefix: str) -> None:
        """Find a part that is built twice under one name: the later one replaces the earlier."""
        built = [
            item
            for item in bindings
            if prefix and item.value is not None and not self._values.is_none(item.value)
        ]
        for one, other in pairwise(built):
            if not self._tree.exclusive(one.node, other.node):
                self._problem(holder, "mixed-origin", other.node, source="other options")

    def _process_self(self, holder: Holder, owner: ast.ClassDef, name: str, prefix: str) -> None:
        for node in self._tree.attributes[name]:
            if self._callees.self_class(node) is owner:
                if isinstance(node.ctx, ast.Load):
                    self._use(node, holder, prefix)
                    continue
                assign = self._tree.parent[node]
                if isinstance(assign, ast.Assign) and node in assign.targets:
                    self._accept(assign.value, holder, prefix)
                    if self._values.is_none(assign.value):
                        self._goes(holder, assign)
                        self._facts[holder].nones.append(assign)
                else:
                    self._problem(holder, "mixed-origin", node, source="another statement")
            elif not self._symbols.paths(node):
                self._problem(holder, "shared-attribute", node, text=self._tree.source(node))

    def _process_function(self, holder: Holder, function: ast.FunctionDef, prefix: str) -> None:
        """Follow what a function returns to where it is called."""
        for node in self._own_nodes(function):
            if isinstance(node, ast.Yield | ast.YieldFrom):
                self._problem(holder, "returned-away", node, name=function.name)
            elif isinstance(node, ast.Return):
                if node.value is None or self._values.is_none(node.value):
                    self._facts[holder].nones.append(node)
                else:
                    self._accept(node.value, holder, prefix)
        if function.decorator_list:
            self._problem(holder, "returned-away", function, name=function.name)
        uses = list(self._function_uses(holder, function))
        for use in uses:
            call = self._tree.parent[use]
            if isinstance(call, ast.Call) and call.func is use:
                self._facts[holder].calls.append((call, conditions(call, self._tree)))
                self._use(call, holder, prefix)
            else:
                self._problem(holder, "returned-away", use, name=function.name)
        if not uses:
            self._problem(holder, "returned-away", function, name=function.name)

    def _own_nodes(self, function: ast.FunctionDef) -> Iterator[ast.AST]:
        """Yield what a function itself returns or yields."""
        for node in ast.walk(function):
            if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) and (
                self._tree.function(node).node is function
            ):
                yield node

    def _function_uses(self, holder: Holder, function: ast.FunctionDef) -> Iterator[ast.expr]:
        """Yield every expression that names a function or method."""
        scope = self._tree.scope(function)
        variable = (scope, function.name)
        if len(scope.bindings[function.name]) > 1 or self._symbols.is_replaced(variable):
            self._problem(holder, "returned-away", function, name=function.name)
        yield from self._symbols.uses(variable)
        if scope.kind == "class":
            if self._callees.is_overridden(function, scope):
                self._problem(holder, "returned-away", function, name=function.name)
            for node in self._tree.attributes.get(function.name, []):
                if self._callees.self_class(node) is not scope.node:
                    text = self._tree.source(node)
                    self._problem(holder, "shared-attribute", node, text=text)
                yield node

    # What a message is made of.

    def _construct(self, call: ast.Call, holder: Holder, prefix: str) -> None:
        if call.args:
            self._problem(holder, "stored", call, text=self._tree.source(call))
        for keyword in call.keywords:
            if keyword.arg is None:
                self._problem(holder, "kwargs", call, text=self._tree.source(keyword.value))
            elif not self._values.is_none(keyword.value):
                self._field(join(prefix, keyword.arg), keyword.value, keyword, holder)

    def _field(self, path: str, value: ast.expr, node: ast.AST, holder: Holder) -> None:
        """Take one field of a constructor: a message inside this one, or a setting."""
        if path == "device_count":
            self._device_count(value, node, holder)
        elif path in self._book.messages and path != VIRTUAL_DEVICES:
            if isinstance(value, ast.Dict):
                for key, item in zip(value.keys, value.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self._field(join(path, key.value), item, node, holder)
                    else:
                        self._problem(holder, "kwargs", value, text=self._tree.source(value))
            else:
                self._accept(value, holder, path)
        else:
            self._setting(path, value, node, holder)

    def _setting(self, path: str, value: ast.expr, node: ast.AST, holder: Holder) -> None:
        self._facts[holder].settings.append(
            Setting(
                path,
                self._values.value(value),
                node,
                self._tree.statement(node),
                conditions(node, self._tree),
                self._prefix[holder],
            )
        )

    def _device_count(self, value: ast.expr, node: ast.AST, holder: Holder) -> None:
        """Take a device_count: one setting for each device type where they are literal."""
        items: list[tuple[object, ast.expr]] = []
        if isinstance(value, ast.Dict):
            items = [
                (key.value if isinstance(key, ast.Constant) else None, item)
                for key, item in zip(value.keys, value.values, strict=True)
            ]
        elif (
            isinstance(value, ast.Call)
            and self._callees.builtin(value.func) == "dict"
            and not value.args
        ):
            items = [(keyword.arg, keyword.value) for keyword in value.keywords]
        if items and all(isinstance(key, str) for key, _ in items):
            for key, item in items:
                self._setting(f"device_count.{key}", item, node, holder)
        else:
            self._setting("device_count", value, node, holder)

    def _accept(self, node: ast.expr, holder: Holder, prefix: str) -> None:
        """Link what an expression holds to a holder that it flows into."""
        if self._values.is_none(node):
            return
        if isinstance(node, ast.IfExp):
            for branch in (node.body, node.orelse):
                self._accept(branch, holder, prefix)
                if self._values.is_none(branch):
                    self._facts[holder].nones.append(node)
            return
        source = self._holder(node, prefix)
        if source is None:
            self._problem(holder, "mixed-origin", node, source=f"`{self._tree.source(node)}`")
        else:
            self._link(holder, *source, node)

    def _holder(self, node: ast.expr, prefix: str) -> tuple[Holder, str] | None:
        """Return the holder that an expression names and what message that holder holds.

        `prefix` is the message that the expression itself stands for.
        """
        if isinstance(node, ast.Call):
            message = self._message(node)
            if message is not None:
                return ("site", node, ""), message
            function = self._callees.function(node.func)
            return (("return", function, ""), prefix) if function is not None else None
        variable = self._symbols.variable(node)
        if variable is not None:
            return ("name", *variable), prefix
        if isinstance(node, ast.Attribute):
            owner_class = self._callees.self_class(node)
            if owner_class is not None:
                return ("self", owner_class, node.attr), prefix
            whole, _, part = prefix.rpartition(".")
            if prefix and part == node.attr:
                # A name for a part: `options = config.gpu_options`.
                return self._holder(node.value, whole)
        return None

    # What is done with a message.

    def _use(self, node: ast.expr, holder: Holder, prefix: str) -> None:
        """Classify what an expression that holds a message is used for."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Attribute):
            if parent.attr in (*_COPIES, *_ADDS):
                self._method(parent, holder, prefix)
            else:
                self._path(parent, holder, join(prefix, parent.attr))
        elif isinstance(parent, ast.keyword):
            call = self._tree.parent[parent]
            assert isinstance(call, ast.Call)
            self._argument(call, node, parent.arg, holder, prefix)
        elif isinstance(parent, ast.Call) and node in parent.args:
            self._argument(parent, node, parent.args.index(node), holder, prefix)
        elif isinstance(parent, ast.IfExp) and node is not parent.test:
            if not isinstance(node, ast.Call | ast.IfExp):
                # What a name holds was set before, whatever the condition.
                self._problem(holder, "given-up", node)
            self._use(parent, holder, prefix)
        elif isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is node:
            self._assigned(parent, holder, prefix)
        elif isinstance(parent, ast.Return):
            function = self._tree.function(parent).node
            if isinstance(function, ast.FunctionDef):
                self._goes(holder, parent)
                self._link(holder, ("return", function, ""), prefix, parent)
            else:
                self._problem(holder, "returned-away", parent, name="a coroutine")
        elif isinstance(parent, ast.Expr):
            self._goes(holder, parent)
        else:
            around = parent if isinstance(parent, ast.expr) else node
            self._problem(holder, "stored", node, text=self._tree.source(around))

    def _assigned(self, statement: ast.Assign | ast.AnnAssign, holder: Holder, prefix: str) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        target = self._holder(targets[0], prefix) if len(targets) == 1 else None
        if target is None or target[0][0] not in ("name", "self") or target[1] != prefix:
            self._problem(
                holder, "stored", statement, text=", ".join(map(self._tree.source, targets))
            )
        else:
            self._goes(holder, statement)
            self._link(holder, *target, statement)

    def _path(self, node: ast.Attribute, holder: Holder, path: str) -> None:
        """Classify what is done with a field of a message."""
        parent = self._tree.parent[node]
        statement = self._tree.statement(node)
        if isinstance(node.ctx, ast.Store):
            if (
                isinstance(statement, ast.Assign)
                and statement.targets == [node]
                and path not in self._book.messages
            ):
                self._goes(holder, statement)
                self._setting(path, statement.value, node, holder)
            else:
                self._problem(holder, "config-read", node, text=self._tree.source(node))
        elif isinstance(parent, ast.Expr):
            # A field that is only named, as in `config.inter_op_parallelism_threads`: no effect.
            self._goes(holder, parent)
        elif path == "device_count" and isinstance(parent, ast.Subscript):
            self._count_item(parent, holder)
        elif path in self._book.messages:
            self._use(node, holder, path)
        elif isinstance(parent, ast.Attribute):
            if isinstance(self._tree.parent[parent], ast.Call):
                self._method(parent, holder, path)
            else:
                self._path(parent, holder, join(path, parent.attr))
        else:
            self._problem(holder, "config-read", node, text=self._tree.source(node))

    def _count_item(self, item: ast.Subscript, holder: Holder) -> None:
        """Take `config.device_count["GPU"] = n`."""
        assign = self._tree.parent[item]
        key = item.slice
        if (
            isinstance(assign, ast.Assign)
            and assign.targets == [item]
            and isinstance(key, ast.Constant)
            and isinstance(key.value, str)
        ):
            self._goes(holder, assign)
            self._setting(f"device_count.{key.value}", assign.value, item, holder)
        else:
            self._problem(holder, "config-read", item, text=self._tree.source(item))

    def _method(self, method: ast.Attribute, holder: Holder, path: str) -> None:
        """Take a call of a method of a message or of a repeated field."""
        call = self._tree.parent[method]
        statement = self._tree.parent[call]
        if not (isinstance(call, ast.Call) and isinstance(statement, ast.Expr)):
            self._problem(holder, "config-read", method, text=self._tree.source(method))
            return
        is_message = path in self._book.messages and path != VIRTUAL_DEVICES
        if method.attr in _COPIES and is_message:
            self._copied[call] = (holder, path)
        elif method.attr == "update" and path == "device_count" and len(call.args) == 1:
            self._device_count(call.args[0], call, holder)
        elif method.attr in _ADDS and not is_message:
            self._setting(path, call, call, holder)
        else:
            self._problem(holder, "config-read", call, text=self._tree.source(call))
        self._goes(holder, statement)

    def _settle_copies(self) -> None:
        """Link the messages that are copied into a part of a config."""
        for call, (holder, path) in self._copied.items():
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                self._accept(argument, holder, path)
            while self._todo:
                self._process(self._todo.pop())
        for call, (holder, prefix) in self._copies.items():
            if self._copied.get(call, (None, None))[1] != prefix:
                self._problem(holder, "passed-on", call, callee=self._tree.source(call.func))

    def _check_handed(self) -> None:
        """Find parts that are changed when they were copied into their config already."""
        position = self._tree.position
        for holder, calls in self._handed.items():
            first = min(map(position, calls))
            for setting in self._facts[holder].settings:
                if position(setting.node) > first and holder[0] != "site":
                    self._problem(holder, "set-late", setting.node, field=setting.field)
        for call, (holder, path) in self._copied.items():
            for setting in self._facts[holder].settings:
                cleared = setting.field.startswith(f"{path}.") and setting.through == ""
                if cleared and position(setting.node) < position(call):
                    line = str(position(setting.node)[0])
                    self._problem(holder, "set-twice", call, field=setting.field, line=line)

    def _argument(
        self,
        call: ast.Call,
        node: ast.expr,
        place: str | int | None,
        holder: Holder,
        prefix: str,
    ) -> None:
        """Classify a call that a message is an argument of, by keyword or position."""
        message = self._message(call)
        callee = self._tree.source(call.func)
        sink = self._callees.sink(call)
        if message is not None and isinstance(place, str) and join(message, place) == prefix:
            self._handed.setdefault(holder, []).append(call)
            self._link(holder, ("site", call, ""), message, call)
        elif (
            sink is not None
            and not prefix
            and sink.argument is node
            and sink.rule.converts != "gone"
        ):
            self.config_arguments.add(node)
            self._facts[holder].sinks.append(sink)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in _COPIES and place == 0:
            self._copies[call] = (holder, prefix)
            self._handed.setdefault(holder, []).append(call)
        elif (function := self._callees.function(call.func)) is not None:
            self._problem(
                holder, "parameter", call, source=f"a parameter of `{function.name}`", name=callee
            )
        else:
            self._problem(holder, "passed-on", call, callee=callee)
