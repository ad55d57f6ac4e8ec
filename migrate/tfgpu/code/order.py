"""What runs before what in a program: the one answer for everybody who asks.

A place of the program is reached by *chains* of calls that start in an entry script: the module
code of the script, a call in it, a call in the function called there, and so on. Two places are
compared where their chains part. Whatever cannot be followed (a function that escapes into a
variable, a callback, a decorator, a special method that Python calls by itself) may run at any
time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations

from tfgpu.code.finders import Finders
from tfgpu.code.scripts import does_something, is_main_guard, is_test_module, may_be_run
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Scope, Tree
from tfgpu.code.when import When

# The function or module whose code runs a node, and the node; from the entry script to the place.
Step = tuple[ast.AST, ast.AST]
Chain = tuple[Step, ...]

_DEPTH = 12
_MOST_CHAINS = 24
_INLINE = (ast.ListComp, ast.SetComp, ast.DictComp)
_COMPREHENSIONS = (*_INLINE, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
# They call the function that they are given, or `main` of the module, once and at once.
_RUNNERS = frozenset(["tf.app.run", "absl.app.run", "app.run"])
# They leave a function what it was.
_TRANSPARENT = frozenset(["staticmethod", "classmethod", "abc.abstractmethod", "typing.overload"])
_DATA_CLASSES = frozenset(["dataclasses.dataclass", "attr.s", "functools.total_ordering"])


class Order:
    """What runs before what in one file, or in several that are read as one."""

    def __init__(self, tree: Tree, symbols: Symbols, finders: Finders) -> None:
        self._tree = tree
        self._symbols = symbols
        self._finders = finders
        self._chains: dict[ast.AST, tuple[Chain, ...] | None] = {}
        self._sites: dict[ast.AST, list[ast.AST] | None] = {}
        self._around: dict[ast.AST, frozenset[ast.AST]] = {}
        self._open: set[ast.AST] = set()
        self._is_cut = False
        self._entries: dict[Tree, frozenset[str]] = {}
        self._started: dict[Tree, bool] = {}

    # The questions.

    def before(self, one: ast.AST, other: ast.AST) -> When:
        """Tell whether a place is reached before another one is, in one process.

        ALWAYS is only answered where the two stand in one piece of code that runs once.
        """
        if not self.may_precede(one, other):
            return When.NEVER
        if self.may_precede(other, one) or self._tree.guards(one):
            return When.MAYBE
        return When.ALWAYS if self._home(one) is self._home(other) else When.MAYBE

    def follows(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether a run that reaches a place goes on to another one, as the text is written.

        What stands in an `if` or a handler is not sure to be reached; a loop is taken to run.
        """
        first, second = self.chains(one), self.chains(other)
        return any(self._goes_on(a, b) for a in first or () for b in second or ())

    def _goes_on(self, one: Chain, other: Chain) -> bool:
        if one == other:
            return any(self._loops(step) for _, step in one)
        if one[0][0] is not other[0][0] or not self._precedes(one, other):
            return False
        same = sum(1 for a, b in zip(one, other, strict=False) if a[1] is b[1])
        guards = self._doubts
        around = guards(one[same][1]) if same < len(one) else ()
        return all(
            guards(node)[: len(around)] == guards(node) if number == same else not guards(node)
            for number, (_, node) in enumerate(other)
            if number >= same
        )

    def _doubts(self, node: ast.AST) -> tuple[tuple[ast.AST, str], ...]:
        """Return the compound statements around a node that may leave it out."""
        return tuple(
            (around, part)
            for around, part in self._tree.guards(node)
            if not (part == "body" and isinstance(around, (*_LOOPS, ast.Try)))
        )

    def between(self, one: ast.AST, middle: ast.AST, other: ast.AST) -> When:
        """Tell whether a place is reached behind a first one and before another one."""
        if not (self.may_precede(one, middle) and self.may_precede(middle, other)):
            return When.NEVER
        return When.MAYBE

    def may_precede(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether a place may be reached before another one, in one process."""
        if not self.share_process(one, other):
            return False
        first, second = self.chains(one), self.chains(other)
        if not first or not second:
            home = self._home(one)
            if home is self._home(other) and first == second == ():
                return self._comes_first(home, one, other)  # If it should be called after all.
            # Whatever is never reached is not reached at any time.
            return first != () and second != ()
        return any(self._precedes(a, b) for a in first for b in second)

    @property
    def dynamic(self) -> tuple[ast.expr, ...]:
        """What imports files, or runs text, that only a run can tell."""
        return self._finders.dynamic

    @property
    def texts(self) -> tuple[ast.Call, ...]:
        """The calls that run text, or a file, that is not written there."""
        return self._finders.texts

    def share_process(self, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether two places may be reached in one process: some entry script imports both."""
        a, b = self._tree.file(one), self._tree.file(other)
        return a is b or not self.entries(a).isdisjoint(self.entries(b))

    def is_watchable(self, node: ast.AST) -> bool:
        """Tell whether a node runs whenever its statement does: it stands in no lambda."""
        return isinstance(self._home(node), ast.Module | ast.FunctionDef)

    def is_reached(self, node: ast.AST) -> bool:
        """Tell whether any run of the program may come to a node."""
        return self.chains(node) != ()

    def runs_once(self, node: ast.AST) -> bool:
        """Tell whether a node is reached at most once in a process."""
        found = self.chains(node)
        if found is None:
            return False
        # However many modules import one, its code runs once.
        ways = list(dict.fromkeys(map(_from_module, found)))
        if any(self._loops(step) for way in ways for _, step in way):
            return False
        return all(
            not self.share_process(one[0][0], other[0][0]) for one, other in combinations(ways, 2)
        )

    def entries(self, tree: Tree) -> frozenset[str]:
        """Return the entry scripts that import a file; a file that nothing imports is its own.

        pytest imports all test modules into one process: together they are one entry.
        """
        if tree not in self._entries:
            seen = {tree}
            waiting = [tree]
            while waiting:
                for other in self._importers.get(waiting.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
            self._entries[tree] = frozenset(
                "pytest" if is_test_module(item.path) else item.path
                for item in seen
                if self._starts(item)
            ) or frozenset(item.path for item in seen)
        return self._entries[tree]

    def where(self, node: ast.AST) -> str:
        """Return file and line of a node in words."""
        return self._tree.where(node)

    # Chains.

    def chains(self, node: ast.AST) -> tuple[Chain, ...] | None:
        """Return every way from an entry script to a node; None where not all of them are known."""
        home = self._home(node)
        ways = self._chains[home] if home in self._chains else self._follow(home)
        return None if ways is None else tuple((*way, (home, node)) for way in ways)

    def _follow(self, home: ast.AST) -> tuple[Chain, ...] | None:
        """Find the chains to the start of a function or module, and keep them if they are all."""
        if home in self._open and isinstance(home, ast.Module):
            # A module that is being imported is not run again by modules that it imports.
            self._is_cut = True
            return ()
        if home in self._open or len(self._open) > _DEPTH:
            return None
        outermost = not self._open
        self._open.add(home)
        before, self._is_cut = self._is_cut, False
        found = self._ways(home)
        self._open.discard(home)
        if outermost or not self._is_cut:
            self._chains[home] = found
        self._is_cut = before or self._is_cut
        return found

    def _ways(self, home: ast.AST) -> tuple[Chain, ...] | None:
        """Return the chains that lead to the start of a function or module."""
        if isinstance(home, ast.Module):
            sites: list[ast.AST] | None = self._imports_of(home)
            found: list[Chain] = [()] if self._is_entry(home) else []
        else:
            sites, found = self._sites_of(home), []
        if sites is None:
            return None
        for site in sites:
            ways = self.chains(site)
            if ways is None or len(found) + len(ways) > _MOST_CHAINS:
                return None
            found += ways
        return tuple(found)

    def _home(self, node: ast.AST) -> ast.AST:
        """Return the module, function or lambda whose code runs a node."""
        scope = self._tree.function(node)
        while isinstance(scope.node, _INLINE) and scope.parent is not None:
            scope = self._tree.function(scope.node)
        return scope.node

    def _precedes(self, one: Chain, other: Chain) -> bool:
        """Tell whether the end of one chain may be reached before the end of another one."""
        if one[0][0] is not other[0][0]:
            # Two processes, or two modules that pytest imports in an order of its own.
            homes = (one[0][0], other[0][0])
            return all(is_test_module(self._tree.file(home).path) for home in homes)
        for (home, first), (there, second) in zip(one, other, strict=False):
            if home is not there:
                return True  # One call that runs several functions, as that of a class may.
            if first is not second:
                return self._comes_first(home, first, second)
            if self._loops(first):
                return True
        return True

    def _comes_first(self, home: ast.AST, one: ast.AST, other: ast.AST) -> bool:
        """Tell whether one of two nodes of a function may run before the other one."""
        tree = self._tree
        if self._loop_set(one) & self._loop_set(other):
            return True
        if tree.exclusive(one, other):
            return False
        if other in set(tree.within(one)):
            # An argument, or the statement around it, whose effect comes behind.
            return True
        if one in set(tree.within(other)):
            # A compound statement begins before what stands in it; an expression ends behind it.
            return isinstance(one, ast.stmt)
        return self._turn(one, other) < self._turn(other, one)

    def _turn(self, node: ast.AST, other: ast.AST) -> tuple[int, tuple[int, int]]:
        """Return when a node of a function has its turn, to be compared with that of another one.

        Mostly that is the order of the text. The test of a conditional expression, the first
        iterable of a comprehension and the value of an assignment stand behind what they precede.
        """
        tree = self._tree
        shared = set(tree.within(other))
        child = node
        for around in tree.within(node):
            if around in shared:
                first: ast.AST | None = None
                if isinstance(around, ast.IfExp):
                    first = around.test
                elif isinstance(around, _COMPREHENSIONS):
                    first = around.generators[0]
                elif isinstance(around, ast.Assign | ast.AnnAssign):
                    first = around.value
                elif isinstance(around, ast.Call):
                    # `f(x=a(), *b())` looks at positional arguments first.
                    return int(isinstance(child, ast.keyword)), tree.position(node)
                return int(first is not None and child is not first), tree.position(node)
            child = around
        return 0, tree.position(node)

    def _loops(self, node: ast.AST) -> bool:
        return bool(self._loop_set(node))

    def _loop_set(self, node: ast.AST) -> frozenset[ast.AST]:
        """Return the loops that may reach a node again, in its module or function."""
        if node not in self._around:
            self._around[node] = frozenset(self._find_loops(node))
        return self._around[node]

    def _find_loops(self, node: ast.AST) -> Iterator[ast.AST]:
        home = self._home(node)
        child = node
        for around in self._tree.within(node):
            if around is home:
                return
            if (
                (isinstance(around, ast.While) and child not in around.orelse)
                or (isinstance(around, ast.For | ast.AsyncFor) and child in around.body)
                or (isinstance(around, _INLINE) and child is not around.generators[0])
            ):
                yield around
            child = around

    # Where functions and modules are started from.

    def _sites_of(self, function: ast.AST) -> list[ast.AST] | None:
        """Return the nodes that start a function; None where others may start it, at any time."""
        if function not in self._sites:
            self._sites[function] = self._find_sites(function)
        return self._sites[function]

    def _find_sites(self, function: ast.AST) -> list[ast.AST] | None:
        if not isinstance(function, ast.FunctionDef) or _is_generator(function):
            return None
        if any(not self._is_transparent(item) for item in function.decorator_list):
            return None
        scope = self._tree.scope(function)
        if scope.kind == "module" and function.name.startswith("__"):
            return None  # Python calls `__getattr__` and `__dir__` of a module.
        if scope.kind != "class":
            found = self._uses(function.name, scope, function)
            if found == [] and function.name == "main" and scope.kind == "module":
                # Whoever starts the program calls it, once its module is there.
                return [self._tree.file(function).module.body[-1]]
            if found == [] and not self._is_dead(function):
                return None
            return found
        owner = scope.node
        assert isinstance(owner, ast.ClassDef)
        if function.name == "__init__":
            return self._made(owner, frozenset())
        special = function.name.startswith("__") and function.name.endswith("__")
        if special or self._is_foreign(owner, frozenset()) or self._objects_escape(owner):
            return None
        return self._method_uses(function, owner)

    def _is_transparent(self, decorator: ast.expr) -> bool:
        name = self._symbols.name(decorator)
        if isinstance(decorator, ast.Name) and not self._tree.bindings(decorator):
            name = decorator.id
        return name in _TRANSPARENT

    def _uses(self, name: str, scope: Scope, named: ast.FunctionDef) -> list[ast.AST] | None:
        """Return the calls of a function or class by its name; None where it is used otherwise."""
        variable = (scope, name)
        if self._finders.finds(named) or self._symbols.is_replaced(variable):
            return None
        if any(binding.node is not named for binding in scope.bindings.get(name, [])):
            return None
        found: list[ast.AST] = []
        uses: list[ast.expr] = list(self._symbols.uses(variable))
        uses += self._unsure_uses(name, scope)
        for use in dict.fromkeys(uses):
            parent = self._tree.parent[use]
            if isinstance(parent, ast.Call) and parent.func is use:
                found.append(parent)
            elif (runner := self._runner(use)) is not None:
                found.append(runner)
            elif not self._is_harmless_use(use):
                return None
        if name == "main" and scope.kind == "module":
            # `tf.app.run()` runs the `main` of the script.
            home = self._tree.file(scope.node)
            for call in self._tree.calls:
                given = [*call.args, *call.keywords]
                if not given and self._is_runner(call) and self._tree.file(call) is home:
                    found.append(call)
        return found

    def _unsure_uses(self, name: str, scope: Scope) -> Iterator[ast.expr]:
        """Yield uses of a name in files that may have it from a module that is not resolved."""
        if scope.kind != "module":
            return
        home = self._tree.file(scope.node)
        for node in self._tree.names.get(name, []):
            there = self._tree.file(node)
            if (
                there is not home
                and there.star_imports
                and isinstance(node.ctx, ast.Load)
                and self._tree.owner(name, self._tree.scope(node)) is None
            ):
                yield node
        for item in self._symbols.importers((scope, name)):
            bindings = self._tree.bound(item)
            if len(bindings) > 1:
                # One of several things that a name may be.
                for node in self._tree.names.get(item.name, []):
                    if self._tree.bindings(node) is bindings and isinstance(node.ctx, ast.Load):
                        yield node
        for attribute in self._tree.attributes.get(name, []):
            if (
                isinstance(attribute.ctx, ast.Load)
                and self._symbols.variable(attribute) is None
                and self._may_be_file(attribute)
                and self._finders.may_be_module(attribute.value)
            ):
                yield attribute

    def _may_be_file(self, attribute: ast.Attribute) -> bool:
        paths = self._symbols.paths(attribute)
        return not paths or self._finders.may_be_file(paths)

    def _runner(self, use: ast.expr) -> ast.Call | None:
        """Return the call that runs a function which is given to it, once and at once."""
        parent = self._tree.parent[use]
        if isinstance(parent, ast.keyword):
            parent = self._tree.parent[parent]
        if isinstance(parent, ast.Call) and parent.func is not use and self._is_runner(parent):
            return parent
        return None

    def _is_runner(self, call: ast.Call) -> bool:
        return self._symbols.name(call.func) in _RUNNERS

    def _is_harmless_use(self, use: ast.expr) -> bool:
        """Tell whether a use does not let a function escape: an annotation, a test, `__name__`."""
        parent = self._tree.parent[use]
        if isinstance(parent, ast.Attribute):
            return parent.attr in ("__name__", "__doc__", "__module__", "__qualname__")
        return isinstance(parent, ast.arg) or (
            isinstance(parent, ast.FunctionDef) and parent.returns is use
        )

    def _made(self, owner: ast.ClassDef, seen: frozenset[ast.ClassDef]) -> list[ast.AST] | None:
        """Return the calls that make an object of a class, or of one that inherits from it."""
        if owner in seen or owner.keywords:
            return None
        if any(not self._is_data(item) for item in owner.decorator_list):
            return None
        scope = self._tree.scope(owner)
        variable = (scope, owner.name)
        if self._finders.finds(owner) or len(scope.bindings.get(owner.name, [])) > 1:
            return None
        found: list[ast.AST] = []
        uses = [*self._symbols.uses(variable), *self._unsure_uses(owner.name, scope)]
        for use in dict.fromkeys(uses):
            parent = self._tree.parent[use]
            if isinstance(parent, ast.Call) and parent.func is use:
                found.append(parent)
            elif isinstance(parent, ast.ClassDef) and use in parent.bases:
                more = self._made(parent, seen | {owner})
                if more is None:
                    return None
                found += more
            elif self._is_super(use) or self._is_harmless_use(use):
                continue
            elif isinstance(parent, ast.Attribute) and parent.attr == "__init__":
                continue  # `Base.__init__(self)` runs where the inheriting class is made.
            elif not self._is_check(use):
                return None
        if not found and not self._is_dead(owner):
            return None
        return found

    def _is_data(self, decorator: ast.expr) -> bool:
        named = decorator.func if isinstance(decorator, ast.Call) else decorator
        return self._symbols.name(named) in (
            "dataclasses.dataclass",
            "attr.s",
            "functools.total_ordering",
        )

    def _is_super(self, use: ast.expr) -> bool:
        parent = self._tree.parent[use]
        return (
            isinstance(parent, ast.Call)
            and isinstance(parent.func, ast.Name)
            and parent.func.id == "super"
        )

    def _is_check(self, use: ast.expr) -> bool:
        """Tell whether a class is only asked for: `isinstance(x, Trainer)`."""
        parent = self._tree.parent[use]
        if isinstance(parent, ast.Tuple):
            parent = self._tree.parent[parent]
        return (
            isinstance(parent, ast.Call)
            and isinstance(parent.func, ast.Name)
            and parent.func.id in ("isinstance", "issubclass")
        ) or isinstance(parent, ast.ExceptHandler)

    def _is_foreign(self, owner: ast.ClassDef, seen: frozenset[ast.ClassDef]) -> bool:
        """Tell whether a class inherits from something unknown, which may call its methods."""
        if owner in seen or owner.keywords:
            return True
        for base in owner.bases:
            if isinstance(base, ast.Name) and base.id == "object":
                continue
            known = self._class(base)
            if known is None or self._is_foreign(known, seen | {owner}):
                return True
        return False

    def _class(self, node: ast.expr) -> ast.ClassDef | None:
        variable = self._symbols.variable(node)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        found = bindings[0].node if len(bindings) == 1 else None
        return found if isinstance(found, ast.ClassDef) else None

    def _objects_escape(self, owner: ast.ClassDef) -> bool:
        """Tell whether objects of a class are given to code that may call any of their methods."""
        if owner not in self._escapes:
            self._escapes[owner] = True  # of classes that inherit from each other
            made = self._made(owner, frozenset())
            self._escapes[owner] = made is None or any(map(self._is_given_away, made))
        return self._escapes[owner]

    @cached_property
    def _escapes(self) -> dict[ast.ClassDef, bool]:
        return {}

    def _is_given_away(self, made: ast.AST) -> bool:
        """Tell whether an object, or a variable that holds it, is an argument of unknown code."""
        parent = self._tree.parent[made]
        if isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    named = [
                        item
                        for item in self._tree.names.get(target.id, [])
                        if isinstance(item.ctx, ast.Load)
                    ]
                    if any(map(self._is_argument, named)):
                        return True
                elif isinstance(target, ast.Attribute):
                    if any(map(self._is_argument, self._tree.attributes.get(target.attr, []))):
                        return True
                else:
                    return True
            return False
        if isinstance(parent, ast.Expr | ast.Return | ast.withitem):
            return False
        is_called = isinstance(parent, ast.Attribute)
        return not (is_called and isinstance(self._tree.parent[parent], ast.Call))

    def _is_argument(self, node: ast.expr) -> bool:
        """Tell whether an expression is given to a function that is none of the files."""
        child: ast.AST = node
        parent = self._tree.parent[node]
        while isinstance(parent, ast.List | ast.Tuple | ast.Dict | ast.keyword | ast.Starred):
            child, parent = parent, self._tree.parent[parent]
        if not isinstance(parent, ast.Call) or parent.func is child:
            return False
        if isinstance(parent.func, ast.Name) and not self._tree.bindings(parent.func):
            return parent.func.id not in ("print", "isinstance", "id", "type", "repr", "str")
        variable = self._symbols.variable(parent.func)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        return not bindings or any(
            not isinstance(item.node, ast.FunctionDef | ast.ClassDef) for item in bindings
        )

    def _method_uses(self, method: ast.FunctionDef, owner: ast.ClassDef) -> list[ast.AST] | None:
        """Return the calls of a method: all that call an attribute of its name on any object."""
        name = method.name
        if self._finders.finds(method):
            return None
        found: list[ast.AST] = []
        uses: list[ast.expr] = [
            item for item in self._tree.attributes.get(name, []) if isinstance(item.ctx, ast.Load)
        ]
        uses += [
            item
            for item in self._tree.names.get(name, [])
            if isinstance(item.ctx, ast.Load) and self._tree.scope(item) is self._tree.scope(method)
        ]
        for use in uses:
            if self._is_of_library(use):
                continue
            parent = self._tree.parent[use]
            if not (isinstance(parent, ast.Call) and parent.func is use):
                return None
            found.append(parent)
        if found or self._made(owner, frozenset()) == []:
            return found
        return None

    def _is_of_library(self, use: ast.expr) -> bool:
        """Tell whether an attribute certainly belongs to no object of a class of the files."""
        if self._symbols.paths(use):
            return True
        variable = self._symbols.variable(use)
        if variable is None:
            return False
        bindings = variable[0].bindings[variable[1]]
        return bool(bindings) and all(
            isinstance(item.node, ast.FunctionDef | ast.ClassDef) for item in bindings
        )

    def _is_dead(self, node: ast.AST) -> bool:
        """Tell whether what nothing calls is never called: a script imports it, or it is one."""
        entries = self.entries(self._tree.file(node))
        return "pytest" not in entries and entries <= self._scripts and not self._is_main(node)

    @staticmethod
    def _is_main(node: ast.AST) -> bool:
        """Tell whether an installed command may start with a function."""
        return getattr(node, "name", "") in ("main", "_main", "run", "cli")

    # Modules.

    def _is_entry(self, module: ast.Module) -> bool:
        return self._starts(self._tree.file(module))

    def _starts(self, tree: Tree) -> bool:
        """Tell whether a program starts with a file: it is run, or pytest imports it."""
        if tree not in self._started:
            self._started[tree] = (
                not self._importers.get(tree)
                or is_test_module(tree.path)
                or may_be_run(tree.text.encode(), lambda: self._imported_by(tree))
            )
        return self._started[tree]

    def _imported_by(self, tree: Tree) -> Iterator[str]:
        return (other.path for other, homes in self._importers.items() if tree in homes)

    @cached_property
    def _scripts(self) -> frozenset[str]:
        """The files that are run, and do something then."""
        return frozenset(
            tree.path
            for tree in self._tree.files
            if self._starts(tree) and any(map(does_something, tree.module.body))
        )

    def _imports_of(self, module: ast.Module) -> list[ast.AST] | None:
        """Return the statements that import a module, which run its code the first time."""
        return list(self._import_statements.get(self._tree.file(module), ()))

    @cached_property
    def _import_statements(self) -> dict[Tree, list[ast.AST]]:
        found: dict[Tree, dict[ast.AST, None]] = {}
        for statement, tree in self._linked():
            found.setdefault(tree, {})[statement] = None
        return {tree: list(statements) for tree, statements in found.items()}

    @cached_property
    def _importers(self) -> dict[Tree, list[Tree]]:
        found: dict[Tree, dict[Tree, None]] = {}
        for statement, tree in self._linked():
            home = self._tree.file(statement)
            if home is not tree:
                found.setdefault(tree, {})[home] = None
        return {tree: list(trees) for tree, trees in found.items()}

    def _linked(self) -> Iterator[tuple[ast.AST, Tree]]:
        """Yield every import statement with each module of the files that it runs."""
        for statement, tree in self._tree.imported_modules():
            if tree is not self._tree.file(statement):
                yield statement, tree
        # A name of a run may be that of any module; a text or a path that of any file.
        texts = set(self.texts)
        for node in self.dynamic:
            home = self._tree.file(node)
            prefix = self._finders.prefix(node)
            for tree in self._tree.files:
                dotted = "." + tree.path.rpartition(".")[0].replace("/", ".")
                if tree is home or f".{prefix}" not in dotted:
                    continue
                # What stands under a guard does not run where a module is imported.
                guarded = any(map(is_main_guard, tree.module.body))
                if node in texts or not guarded or self._reads(home, tree):
                    yield self._tree.statement(node), tree

    def _reads(self, home: Tree, tree: Tree) -> bool:
        """Tell whether a file may read a name of a module that it does not import by name."""
        return self._finders.modules_are_objects or any(
            self._tree.file(attribute) is home
            and not self._symbols.paths(attribute)
            and self._finders.may_be_module(attribute.value)
            for name in tree.root.bindings
            for attribute in self._tree.attributes.get(name, [])
        )


def _from_module(chain: Chain) -> Chain:
    """Return the part of a chain that starts in the module that its last functions are run from."""
    last = max(number for number, (home, _) in enumerate(chain) if isinstance(home, ast.Module))
    return chain[last:]


def _is_generator(function: ast.FunctionDef) -> bool:
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            stack += ast.iter_child_nodes(node)
    return False
