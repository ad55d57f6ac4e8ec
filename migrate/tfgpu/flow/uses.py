"""Where a message goes: what is done with the expressions that hold it."""

from __future__ import annotations

import ast

from tfgpu.code.dotted import base_of
from tfgpu.files.kinds import Kind, kind_of
from tfgpu.flow import reasons
from tfgpu.flow.contents import METHODS, Contents
from tfgpu.flow.copies import COPIES, Copies
from tfgpu.flow.default_parameters import FilledParameters
from tfgpu.flow.facts import Given, Sink
from tfgpu.flow.locations import Holder, Holders, Reading, join
from tfgpu.flow.parameters import Parameters
from tfgpu.flow.records import Record
from tfgpu.flow.refused import field_of_config, refused_by, unassignable
from tfgpu.flow.sources import Sources, choices
from tfgpu.flow.unpacked import Unpacked

# What makes a text or bytes of a message, and what takes the fields of one from them.
_TO_TEXT = frozenset(
    f"google.protobuf.{name}"
    for name in ("text_format.MessageToString", "json_format.MessageToJson")
)
_WRITERS = _TO_TEXT | frozenset(
    ["google.protobuf.json_format.MessageToDict", "google.protobuf.text_format.PrintMessage"]
    + [f"{module}.{name}" for module in ("pickle", "cPickle", "dill") for name in ("dump", "dumps")]
)
_LOG = frozenset(["debug", "info", "warning", "warn", "error", "critical", "exception", "fatal"])


class Uses:
    """Classifies what is done with messages; `config_arguments` are the arguments of sinks."""

    def __init__(
        self,
        reading: Reading,
        holders: Holders,
        sources: Sources,
        contents: Contents,
        copies: Copies,
        parameters: Parameters,
        unpacked: Unpacked,
        filled: FilledParameters,
    ) -> None:
        self._read = reading
        self._holders = holders
        self._sources = sources
        self._contents = contents
        self._copies = copies
        self._parameters = parameters
        self._unpacked = unpacked
        self._filled = filled
        self.config_arguments: set[ast.expr] = set()
        self._chosen: set[ast.expr] = set()

    def use(self, node: ast.expr, holder: Holder, prefix: str) -> None:
        """Classify what an expression that holds a message is used for."""
        taker, given = self._unpacked.taker(node), self._sources.records.made_with(node)
        if self._is_shown(node):
            self._holders.facts[holder].shown.append(node)
        elif taker is not None:
            self._unpack(*taker, node, holder, prefix)
        elif given is not None:
            self._give(*given, node, holder, prefix)
        else:
            self._use(node, holder, prefix)

    def _use(self, node: ast.expr, holder: Holder, prefix: str) -> None:
        """Classify what an expression is used for that is in no dictionary."""
        parent = self._read.tree.parent[node]
        if isinstance(parent, ast.Attribute):
            if parent.attr in METHODS:
                self._contents.method(parent, holder, prefix)
            else:
                self._path(parent, holder, join(prefix, parent.attr))
        elif isinstance(parent, ast.keyword):
            call = self._read.tree.parent[parent]
            assert isinstance(call, ast.Call)
            self._argument(call, node, parent.arg, holder, prefix)
        elif isinstance(parent, ast.Call) and node in parent.args:
            self._argument(parent, node, parent.args.index(node), holder, prefix)
        elif self._filled.is_tested(node):
            pass
        elif isinstance(parent, ast.expr) and node in choices(parent):
            if not isinstance(node, ast.Call | ast.IfExp):
                # What a name holds was set before, whatever the condition.
                self._holders.problem(holder, reasons.GivenUp(node))
            if parent not in self._chosen:
                self._chosen.add(parent)
                self._sources.accept(parent, holder, prefix)
            self.use(parent, holder, prefix)
        elif isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is node:
            self._assigned(parent, holder, prefix)
        elif isinstance(parent, ast.NamedExpr):
            found = self._sources.holder(parent.target, prefix)
            assert found is not None
            self._holders.link(holder, *found, parent)
            self.use(parent, holder, prefix)
        elif isinstance(parent, ast.Return):
            function = self._read.tree.function(parent).node
            if isinstance(function, ast.FunctionDef):
                self._holders.goes(holder, parent)
                self._holders.link(holder, ("return", function, ""), prefix, parent)
            else:
                self._holders.problem(holder, reasons.ReturnedAway(parent, "a coroutine"))
        elif isinstance(parent, ast.Expr):
            self._named(node, parent, holder)
        elif isinstance(parent, ast.Compare | ast.UnaryOp):
            self._holders.problem(holder, reasons.ConfigRead(node, parent))
        elif node is getattr(parent, "test", None) and not isinstance(node, ast.NamedExpr):
            self._holders.problem(holder, reasons.ConfigRead(node, node))
        else:
            self._holders.problem(holder, reasons.Stored(node, self._place(parent, node)))

    def _give(self, record: Record, name: str, node: ast.expr, holder: Holder, prefix: str) -> None:
        """Take a message that a record is made with; what else that is made with comes first."""
        others = [value for value in record.given.values() if value is not node]
        if prefix or not all(map(self._read.values.quiet, others)):
            self._holders.problem(holder, reasons.Stored(node, record.made))
        else:
            self._holders.facts[holder].given.append(Given(record.made, name, node))
            self._holders.link(holder, ("part", record, name), prefix, node)

    def _place(self, parent: ast.AST, node: ast.expr) -> ast.expr | str:
        """Return where a config is stored that is a part of something larger."""
        if isinstance(parent, ast.arguments):
            name = getattr(self._read.tree.parent[parent], "name", "")
            return f"def {name}(...)" if name else "lambda"
        return parent if isinstance(parent, ast.expr) else node

    def _is_shown(self, node: ast.expr) -> bool:
        """Tell whether a variable is only printed or logged, as it is or in a text."""
        tree = self._read.tree
        if not isinstance(node, ast.Name) or any(
            binding.kind != "assign" for binding in tree.bindings(node)
        ):
            return False
        child: ast.AST = node
        parent = tree.parent[node]
        while isinstance(parent, ast.FormattedValue | ast.JoinedStr | ast.Tuple) or (
            (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod))
            or (isinstance(parent, ast.Call) and self._makes_text(parent))
        ):
            child, parent = parent, tree.parent[parent]
        return (
            isinstance(parent, ast.Call)
            and child in parent.args
            and isinstance(tree.parent[parent], ast.Expr)
            and (tree.builtin(parent.func) == "print" or self._logs(parent.func))
        )

    def _makes_text(self, call: ast.Call) -> bool:
        """Tell whether a call only makes a text of its argument."""
        name = self._read.tree.builtin(call.func)
        return name in ("str", "repr") or self._read.symbols.name(call.func) in _TO_TEXT

    def _logs(self, function: ast.expr) -> bool:
        """Tell whether a callee writes to a log: a function of `logging`, a method of a logger."""
        if not isinstance(function, ast.Attribute) or function.attr not in _LOG:
            return False
        made: ast.expr | None = function.value
        if isinstance(made, ast.Name) and self._read.symbols.name(made) is None:
            values = [item.value for item in self._read.tree.bindings(made)]
            made = values[0] if len(values) == 1 else None
        if isinstance(made, ast.Call):
            return self._read.symbols.name(made.func) in ("logging.getLogger", "tf.get_logger")
        name = None if made is None else self._read.symbols.name(made)
        return name in ("logging", "tf.logging", "absl.logging")

    def _unpack(
        self, call: ast.Call, key: str, node: ast.expr, holder: Holder, prefix: str
    ) -> None:
        """Classify a call that takes a message out of a dictionary, under a key."""
        rule = self._unpacked.keeper(call)
        if rule is not None and not prefix and key == rule.argument:
            name = self._read.symbols.name(call.func)
            statement = self._read.tree.statement(call)
            sink = Sink(call, rule, node, None, statement, name, None)
            self._holders.facts[holder].sinks.append(sink)
        else:
            self._argument(call, node, key, holder, prefix)

    def _assigned(self, statement: ast.Assign | ast.AnnAssign, holder: Holder, prefix: str) -> None:
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in targets:
            found = self._sources.holder(target, prefix)
            if (
                found is None
                or found[0][0] in ("site", "return")
                or found[1] != prefix
                # `config = config` is an error where it has no value.
                or (isinstance(statement.value, ast.Name | ast.Attribute) and found[0] == holder)
            ):
                refused = field_of_config(target, prefix, self._read)
                self._holders.problem(holder, refused or reasons.Stored(statement, target))
            else:
                self._holders.link(holder, *found, statement)
        self._holders.goes(holder, statement)

    def _path(self, node: ast.Attribute, holder: Holder, path: str) -> None:
        """Classify what is done with a field of a message."""
        parent = self._read.tree.parent[node]
        statement = self._read.tree.statement(node)
        if isinstance(node.ctx, ast.Store):
            if (
                isinstance(statement, ast.Assign)
                and (statement.targets == [node] or self._sets_only(statement, node))
                and path not in self._read.book.messages
            ):
                self._holders.goes(holder, statement)
                self._contents.setting(path, statement.value, node, holder)
            elif path in self._read.book.messages:
                self._holders.problem(holder, unassignable(node, self._read.tree))
            else:
                self._holders.problem(holder, reasons.ConfigRead(node, node))
        elif isinstance(parent, ast.Expr):
            self._named(node, parent, holder)
        elif path == "device_count" and isinstance(parent, ast.Subscript):
            self._contents.count_item(parent, holder)
        elif path in self._read.book.messages:
            self.use(node, holder, path)
        elif isinstance(parent, ast.Attribute):
            if isinstance(self._read.tree.parent[parent], ast.Call):
                self._contents.method(parent, holder, path)
            else:
                self._path(parent, holder, join(path, parent.attr))
        else:
            self._holders.problem(holder, reasons.ConfigRead(node, node))

    def _named(self, node: ast.expr, statement: ast.Expr, holder: Holder) -> None:
        """Classify a statement that only names a message, or a field.

        A notebook may show what it names, and a name without a value is an error.
        """
        has_value = isinstance(node, ast.NamedExpr) or holder[0] in ("return", "site")
        is_shown = kind_of(self._read.tree.file(node).path) is Kind.NOTEBOOK
        if isinstance(node, ast.Call) or (has_value and not is_shown):
            self._holders.goes(holder, statement)
        else:
            self._holders.problem(holder, reasons.ConfigRead(node, node))

    def _sets_only(self, statement: ast.Assign, node: ast.Attribute) -> bool:
        """Tell whether a chained assignment sets fields of one message to a constant."""
        variables = {self._read.symbols.variable(base_of(item)) for item in statement.targets}
        return (
            isinstance(statement.value, ast.Constant)
            and node in statement.targets
            and all(isinstance(item, ast.Attribute) for item in statement.targets)
            and len(variables) == 1
            and None not in variables
        )

    def _argument(
        self,
        call: ast.Call,
        node: ast.expr,
        place: str | int | None,
        holder: Holder,
        prefix: str,
    ) -> None:
        """Classify a call that a message is an argument of, by keyword or position."""
        message = self._read.message(call)
        sink = self._read.callees.sink(call)
        if message is not None and isinstance(place, str) and join(message, place) == prefix:
            self._copies.handed(holder, call)
            self._holders.link(holder, ("site", call, ""), message, call)
        elif (
            sink is not None
            and not prefix
            and sink.argument is node
            and sink.rule.converts != "gone"
        ):
            self.config_arguments.add(node)
            self._holders.facts[holder].sinks.append(sink)
        elif isinstance(call.func, ast.Attribute) and call.func.attr in COPIES and place == 0:
            self._copies.copied(call, holder, prefix)
        elif place == 0 and (field := self._read.callees.field_set(call)) is not None:
            self._contents.set_by_name(call, join(prefix, field), holder)
        elif (function := self._read.callees.called(call.func)) is not None:
            found = self._parameters.follow(call, function, place) if not prefix else None
            argument = self._parameters.taker(call, function, place)
            passed = self._parameters.passed(function, argument)
            if passed is not None and not isinstance(found, Sink):
                self._holders.link(holder, self._sources.parameter(passed), prefix, call)
            elif isinstance(found, Sink):
                assert found.argument is not None
                self.config_arguments.add(found.argument)
                self._holders.facts[holder].sinks.append(found)
                self._holders.facts[holder].doubts.extend(self._parameters.doubts(found))
            else:
                path = found or f"is passed to `{function.name}`"
                self._holders.problem(holder, reasons.Parameter(call, path))
        else:
            self._handed_on(call, place, holder, prefix)

    def _handed_on(
        self, call: ast.Call, place: str | int | None, holder: Holder, prefix: str
    ) -> None:
        """Classify a call of a library that takes a message."""
        callee = self._read.tree.source(call.func)
        paths = self._read.symbols.paths(call.func)
        problem: reasons.Problem = reasons.PassedOn(call, callee)
        if (refused := refused_by(call, place, prefix, self._read)) is not None:
            problem = refused
        elif paths and paths <= _WRITERS:
            problem = reasons.WrittenOut(call, callee)
        elif self._sources.parsed(call) is not None and place == 1:
            if self._read.values.known(call.args[0]) is None:
                problem = reasons.ReadIn(call, callee)
            self.use(call, holder, prefix)
        self._holders.problem(holder, problem)
