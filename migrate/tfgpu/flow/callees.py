"""What calls name: builtins, functions and methods of the file, and calls that take a config."""

from __future__ import annotations

import ast
from itertools import combinations

from tfgpu.code.class_methods import ClassMethods
from tfgpu.code.classes import Classes
from tfgpu.code.finders import Finders
from tfgpu.code.imported import Names
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.flow.facts import Sink
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import SinkRule

_METHODS = ("staticmethod", "classmethod")
# What a class that makes sessions for a MonitoredSession inherits from.
_CREATORS = ("tf.train.SessionCreator", "tf.python.training.monitored_session.SessionCreator")


class Callees:
    """The callees of one file."""

    def __init__(self, tree: Tree, symbols: Symbols, book: Rulebook) -> None:
        self.classes = Classes(tree, symbols)
        self.class_methods = ClassMethods(tree, symbols, self.classes)
        self.names = Names(tree, symbols)
        self.finders = Finders(tree, symbols, self.classes, self.names, book.plain)
        self._tree = tree
        self._symbols = symbols
        self._book = book

    def is_plain(self, function: ast.FunctionDef) -> bool:
        """Tell whether a call of a function, by whatever names it, just runs it."""
        return all(self._tree.builtin(item) in _METHODS for item in function.decorator_list)

    def called(self, node: ast.expr) -> ast.FunctionDef | None:
        """Return the function that takes the arguments of a call: of a class its `__init__`."""
        owner = self.classes.named(node) or self.classes.only_class(node)
        if owner is not None:
            return self.classes.initializer(owner)
        if isinstance(node, ast.Attribute):
            return self.classes.method(node)
        return self.classes.function(node)

    def is_property(self, function: ast.FunctionDef) -> bool:
        """Tell whether reading an attribute runs a function, and does nothing else."""
        return [self._tree.builtin(item) for item in function.decorator_list] == ["property"]

    def runs(self, node: ast.expr) -> ast.FunctionDef | None:
        """Return the function whose result an expression is: that of a call, or a property."""
        if isinstance(node, ast.Call):
            return self.classes.function(node.func)
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return None
        found = self.classes.function(node)
        is_read = found is not None and self.is_property(found) and self.classes.is_object(node)
        return found if is_read else None

    def field_set(self, call: ast.Call) -> str | None:
        """Return the literal name in a statement `setattr(thing, "name", value)`."""
        if self._tree.builtin(call.func) != "setattr" or len(call.args) != 3:
            return None
        name = call.args[1]
        if call.keywords or not isinstance(self._tree.parent[call], ast.Expr):
            return None
        literal = name.value if isinstance(name, ast.Constant) else None
        return literal if isinstance(literal, str) else None

    def is_overridden(self, function: ast.FunctionDef, owner: ast.ClassDef) -> bool:
        """Tell whether a class that may be related to that of a method has one of its name, too."""
        name, classes = function.name, self.classes
        return classes.may_have_more(name) or any(
            name in classes.members(other) and not classes.is_abstract(other, name)
            for other in classes.relatives(owner) - {owner}
        )

    def sink(self, call: ast.Call) -> Sink | None:
        """Return the sink that a call is, if it takes a config."""
        name = self._symbols.one_of(call.func, self._book.sinks)
        known = name is not None
        if (
            not known
            and isinstance(call.func, ast.Attribute)
            and not self._symbols.paths(call.func)
            and (name := self._book.sink_methods.get(call.func.attr)) is not None
        ):
            # A function of the files may have the name of such a method.
            is_own = self.runs(call) is not None or self.classes.is_own(call.func)
            name = None if is_own else name
            known = name is not None and self._class_of(call.func.value) == name.rpartition(".")[0]
        rule = self._book.sinks.get(name or "")
        if rule is None or name is None:
            return None
        return Sink(
            call,
            rule,
            argument(call, rule.argument, rule.calls[name]),
            argument(call, rule.target, rule.calls[name]),
            self._tree.statement(call),
            name if known else None,
            call if rule.maker is None else self._maker(call, rule),
        )

    def maker(self, call: ast.Call) -> Sink | None:
        """Return what a call does that makes a session from an object that took a config.

        An object that is seen being made in this file is the sink, and nothing is left to say.
        One of a class of the program makes its session itself, by its `create_session`.
        """
        rule = self._book.makers.get(self._symbols.name(call.func) or "")
        if rule is None:
            return None
        handed = argument(call, rule.handed, (rule.handed,))
        made = self.creators(handed)
        if any(sink.session is call for sink in map(self.sink, made) if sink):
            return None
        if made and all(self._makes_sessions(item.func) for item in made):
            return None
        return Sink(call, rule, handed, None, self._tree.statement(call), rule.maker, call)

    def _makes_sessions(self, name: ast.expr) -> bool:
        """Tell whether a name is that of a class of creators with its own `create_session`."""
        owner = self.classes.named(name)
        if owner is None or "create_session" not in self._tree.scope(owner.body[0]).bindings:
            return False
        return len(owner.bases) == 1 and self._symbols.name(owner.bases[0]) in _CREATORS

    def creators(self, handed: ast.expr | None) -> list[ast.Call]:
        """Return the calls that make an object, where all of them can be seen."""
        made: list[ast.expr | None] = [handed]
        if isinstance(handed, ast.Name):
            made = [binding.value for binding in self._tree.bindings(handed)]
        calls = [item for item in made if isinstance(item, ast.Call)]
        return calls if len(calls) == len(made) else []

    def _class_of(self, node: ast.expr) -> str | None:
        """Return the canonical name of the class that an object is made from, wherever it is."""
        made: list[ast.expr | None] = [node]
        if isinstance(node, ast.Name):
            made = [binding.value for binding in self._tree.bindings(node)]
        elif isinstance(node, ast.Attribute):
            owner = self.classes.self_class(node)
            stores = [
                item
                for item in self._tree.attributes[node.attr]
                if not isinstance(item.ctx, ast.Load)
            ]
            made = [
                self._assigned(item)
                if owner is not None and self.classes.self_class(item) is owner
                else None
                for item in stores
            ]
        names = {
            self._symbols.name(item.func) if isinstance(item, ast.Call) else None for item in made
        }
        return names.pop() if len(names) == 1 else None

    def _assigned(self, target: ast.expr) -> ast.expr | None:
        """Return the value that is assigned to an attribute."""
        statement = self._tree.parent[target]
        return statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None

    def _maker(self, call: ast.Call, rule: SinkRule) -> ast.Call | None:
        """Return the call that makes a session from the object that a call makes.

        The object is handed over right there, or through a variable that serves for nothing else;
        such a variable may get its object on several branches.
        """
        node: ast.expr = call
        statement = self._tree.parent[call]
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0]
            variable = self._symbols.variable(name)
            reads = list(self._symbols.uses(variable)) if variable is not None else []
            made = self.creators(name)
            if len(statement.targets) > 1 or len(reads) != 1 or not made:
                return None
            if any(self._symbols.name(item.func) not in rule.calls for item in made) or any(
                not self._tree.exclusive(one, other) for one, other in combinations(made, 2)
            ):
                return None
            node = reads[0]
        parent = self._tree.parent[node]
        if isinstance(parent, ast.keyword):
            parent = self._tree.parent[parent]
        is_maker = isinstance(parent, ast.Call) and self._symbols.name(parent.func) == rule.maker
        if not is_maker or self._tree.function(parent) is not self._tree.function(call):
            return None
        assert isinstance(parent, ast.Call)
        return parent if argument(parent, rule.handed, (rule.handed,)) is node else None


def argument(call: ast.Call, name: str | None, parameters: tuple[str, ...]) -> ast.expr | None:
    """Return the argument of a call for a parameter."""
    if name is None:
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    position = parameters.index(name) if name in parameters else len(call.args)
    return call.args[position] if position < len(call.args) else None
