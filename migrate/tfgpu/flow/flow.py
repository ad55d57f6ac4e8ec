"""Follows configs through a file: from where they are built to the calls that take them.

Nothing is guessed: a use that is not understood becomes a problem of that config, with its place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import pairwise

from tfgpu.code.index import Binding, Import, Scope
from tfgpu.code.tree import Tree, text_of
from tfgpu.dataclass import replace
from tfgpu.flow import reasons
from tfgpu.flow.attributes import Attributes, is_declared
from tfgpu.flow.contents import Contents
from tfgpu.flow.copies import Copies
from tfgpu.flow.default_parameters import FilledParameters
from tfgpu.flow.facts import Config, Doubt, Sink, conditions
from tfgpu.flow.locations import VIRTUAL_DEVICES, Holder, Holders, Reading
from tfgpu.flow.objects import Objects
from tfgpu.flow.parameters import Parameters
from tfgpu.flow.reasons import Problem
from tfgpu.flow.records import Record, Records
from tfgpu.flow.sources import Sources
from tfgpu.flow.taken import Taken, module_import
from tfgpu.flow.unpacked import Unpacked
from tfgpu.flow.uses import Uses
from tfgpu.flow.versions import Versions
from tfgpu.flow.wrappers import wrapped
from tfgpu.rulebook.book import MESSAGES

# What a variable holds by statements that are no assignments, in words.
_GIVEN: dict[type[ast.AST], str] = {
    ast.FunctionDef: "a function",
    ast.AsyncFunctionDef: "a function",
    ast.ClassDef: "a class",
    ast.alias: "what is imported",
    ast.ImportFrom: "what `import *` may bring",
    ast.Delete: "nothing once it is deleted",
    ast.For: "the items of a loop",
    ast.withitem: "what a `with` statement gives",
    ast.ExceptHandler: "an exception",
    ast.Tuple: "one of several values",
}


class Flow:
    """The configs of one file, or of several that are read as one."""

    def __init__(self, reading: Reading) -> None:
        self._read = reading
        self._holders = Holders()
        self._versions = Versions(reading.tree, reading.symbols, reading.values)
        self.parameters = Parameters(reading)
        objects = Objects(reading, self.parameters)
        records = Records(reading, self.parameters)
        self._sources = Sources(reading, self._holders, self._versions, objects, records)
        self._copies = Copies(reading, self._holders, self._sources)
        self._unpacked = Unpacked(reading)
        self._contents = Contents(
            reading, self._holders, self._sources, self._copies, self._unpacked
        )
        self.filled = FilledParameters(reading, self.parameters)
        self._uses = Uses(
            reading,
            self._holders,
            self._sources,
            self._contents,
            self._copies,
            self.parameters,
            self._unpacked,
            self.filled,
        )
        self._attributes = Attributes(
            reading, self._holders, self._sources, self._uses, self.parameters, objects, records
        )

    @property
    def config_arguments(self) -> set[ast.expr]:
        """The arguments of sinks that are known configs."""
        return self._uses.config_arguments

    def hides_config(self, sink: Sink) -> bool:
        """Tell whether a config may be among what a call that seems to have none unpacks."""
        return sink.argument is None and self._unpacked.may_hold(
            sink.call, sink.rule.argument, self.parameters
        )

    def unpack_beside(self, config: Config) -> None:
        """Note what calls that take a config unpack beside it."""
        for sink in config.sinks:
            for end in sink.ends():
                self._unpacked.beside(end.call, config, self.parameters)

    def configs(self) -> list[Config]:
        """Return every config of the file in the order of their first constructor."""
        for call, name in self._read.symbols.calls(self._read.tree):
            prefix = MESSAGES.get(name)
            if prefix is not None and prefix != VIRTUAL_DEVICES:
                self._holders.reach(("site", call, ""), prefix, call)
        self._process_all()
        self._copies.settle(self._process_all)
        self._copies.check()
        groups: dict[Holder, Config] = {}
        for holder, facts in self._holders.facts.items():
            group = groups.setdefault(self._holders.find(holder), Config())
            for name in Config.__match_args__:
                getattr(group, name).extend(getattr(facts, name))
            group.exports.extend(self._exports(holder))
            group.bases.extend(self._bases(holder))
        for group in groups.values():
            # The first names the place of all: a whole config goes before its parts.
            group.built.sort(
                key=lambda call: (call not in group.roots, self._read.tree.position(call))
            )
            group.settings.sort(key=lambda setting: self._read.tree.position(setting.node))
            group.sinks.sort(key=lambda sink: self._read.tree.position(sink.call))
            if group.dictionaries and len(group.roots) > 1:
                # What is in a dictionary has to be this config's, and no other's.
                place = group.dictionaries[0]
                group.problems.append(reasons.Kwargs(place, place))
            group.problems.sort(key=lambda problem: self._read.tree.position(problem.node))
            first = group.built[0]
            # An attribute may be known to be filled only when all that it is set to is.
            group.problems[:] = [
                _of_config(item, first)
                for item in group.problems
                if not self.filled.is_tested(item.node)
            ]
            group.doubts[:] = [
                replace(item, problem=_of_config(item.problem, first)) for item in group.doubts
            ]
        made = list(wrapped(self._read))
        self.config_arguments.update(setting.value.node for one in made for setting in one.settings)
        found = [*groups.values(), *made]
        return sorted(found, key=lambda group: self._read.tree.position(group.built[0]))

    def _exports(self, holder: Holder) -> list[tuple[Tree, str]]:
        _, owner, name = holder
        if isinstance(owner, Record):
            owner, name = owner.variable
        if isinstance(owner, Scope) and owner.kind == "module":
            return [
                (self._read.tree.file(owner.node), name),
                *self._read.symbols.reexports((owner, name)),
            ]
        if isinstance(owner, ast.FunctionDef):
            return self._read.exported(owner)
        if isinstance(owner, ast.ClassDef):
            return [(self._read.tree.file(owner), f".{name}")]
        return []

    def _bases(self, holder: Holder) -> list[ast.expr]:
        """Return the bases of the class that a holder belongs to; they may use it too."""
        owner = holder[1]
        if isinstance(owner, ast.FunctionDef):
            owner = self._read.tree.scope(owner).node
        return owner.bases if isinstance(owner, ast.ClassDef) else []

    def _process_all(self) -> None:
        while (holder := self._holders.next()) is not None:
            self._process(holder)

    def _process(self, holder: Holder) -> None:
        _, owner, name = holder
        prefix = self._holders.prefix[holder]
        self._check_seen(holder)
        if isinstance(owner, ast.Call):
            self._holders.facts[holder].built.append(owner)
            if not prefix:
                self._holders.facts[holder].roots.append(owner)
            self._contents.construct(owner, holder, prefix)
            self._uses.use(owner, holder, prefix)
        elif isinstance(owner, Scope):
            if isinstance(owner.node, ast.ClassDef):
                self._attributes.in_body(holder, owner.node, name, prefix)
            version = self._versions.version(holder)
            for binding in version.bindings:
                self._bound(binding, holder, prefix)
            self._check_rebound(holder, version.bindings, prefix)
            here = self._read.tree.file(owner.node)
            taken = Taken((owner, name), self._read)
            for node in version.uses:
                if self._read.tree.file(node) is here or node in taken.given:
                    self._uses.use(node, holder, prefix)
            self._take(taken.imports, holder)
            for node in self._read.symbols.replacements((owner, name)):
                self._holders.problem(
                    holder, reasons.MixedOrigin(node, "what another file gives it")
                )
            for other in self._users(owner, name, taken):
                place = owner.bindings[name][0].node
                self._holders.problem(holder, reasons.UsedElsewhere(place, name, other.path))
        elif isinstance(owner, ast.ClassDef):
            self._attributes.process(holder, owner, name, prefix)
        elif isinstance(owner, Record):
            self._attributes.process_part(holder, owner, name, prefix)
        elif isinstance(owner, ast.FunctionDef):
            self._process_function(holder, owner, prefix)

    def _take(self, imports: list[Import], holder: Holder) -> None:
        """Note the imports of a config in other files that go with it, and what may see that."""
        facts, seen = self._holders.facts[holder], self._read.reflection
        facts.imports.extend(imports)
        for item in imports:
            statement = item.statement
            assert isinstance(statement, ast.ImportFrom)
            looks = [
                look
                for name in (item.name, module_import(statement)[1])
                for look in seen.of_variable(item.scope, name)
            ]
            facts.looks.extend(reasons.ConfigRead(look, look, "may be") for look in looks)
            listing = seen.of_new_names(item.statement)
            if listing is not None:
                facts.listings.append(reasons.ConfigRead(listing, listing, "may be"))

    def _users(self, owner: Scope, name: str, taken: Taken) -> list[Tree]:
        """Return the other files that use a variable, but for arguments: `config=settings.config`.

        A file that imports it by its name, and needs that, would find none.
        """
        tree, symbols = self._read.tree, self._read.symbols
        uses = [node for node in symbols.uses((owner, name)) if node not in taken.given]
        others = {tree.file(node): None for node in uses}
        others |= {
            tree.file(item.statement): None
            for item in symbols.importers((owner, name))
            if item not in taken.imports
        }
        home = tree.file(owner.node)
        known = symbols.users((owner, name))
        return [file for file in known if file in others or file is home]

    def _check_seen(self, holder: Holder) -> None:
        """Find code that would see that a variable or attribute is gone, or a new one there."""
        _, owner, name = holder
        facts = self._holders.facts[holder]
        looks: Iterable[ast.expr | ast.FunctionDef] = ()
        if isinstance(owner, ast.Call):
            listing = self._read.reflection.of_new_names(owner)
            if listing is not None:
                facts.listings.append(reasons.ConfigRead(listing, listing, "may be"))
        elif isinstance(owner, Scope):
            looks = self._read.reflection.of_variable(owner, name)
        elif isinstance(owner, ast.ClassDef):
            seen = self._read.reflection
            looks = (*seen.of_attribute(owner, name), *seen.of_class(owner, name))
        facts.looks.extend(reasons.ConfigRead(look, look, "may be") for look in looks)

    def _bound(self, binding: Binding, holder: Holder, prefix: str) -> None:
        """Check one binding of a variable that holds a config somewhere."""
        name = holder[2]
        if binding.value is None:
            # An item of a `with` header has no place of its own.
            has_place = hasattr(binding.node, "lineno")
            place = binding.node if has_place else self._read.tree.statement(binding.node)
            if binding.kind == "param":
                self._filled(holder, place)
            elif is_declared(place, self._read.tree) or (
                isinstance(place, ast.Delete) and self._is_last(place, holder)
            ):
                assert isinstance(place, ast.stmt)
                self._holders.goes(holder, place)
            else:
                what = _GIVEN.get(type(binding.node), "what another statement gives it")
                self._holders.problem(holder, reasons.MixedOrigin(place, what))
        elif isinstance(binding.node, ast.NamedExpr) and self._read.values.is_none(binding.value):
            self._holders.problem(holder, reasons.MixedOrigin(binding.node, "an expression"))
        else:
            self._sources.accept(binding.value, holder, prefix)
            if self._read.values.is_none(binding.value):
                targets = getattr(binding.node, "targets", ())
                named = [one for one in targets if isinstance(one, ast.Name) and one.id == name]
                self._holders.gives_none(holder, binding.node, named)

    def _is_last(self, statement: ast.Delete, holder: Holder) -> bool:
        """Tell whether a `del` of one variable finds it, and comes behind all its uses.

        It is bound in the same block, and nothing else deletes it.
        """
        tree = self._read.tree
        _, scope, name = holder
        assert isinstance(scope, Scope)
        nodes = [binding.node for binding in scope.bindings[name]]
        place = tree.position(statement)
        return (
            len(statement.targets) == 1
            and sum(isinstance(node, ast.Delete) for node in nodes) == 1
            and any(node in tree.block(statement) and tree.position(node) < place for node in nodes)
            and all(
                tree.function(use) is tree.function(statement) and tree.position(use) < place
                for use in self._read.symbols.uses((scope, name))
            )
        )

    def _filled(self, holder: Holder, place: ast.AST) -> None:
        """Take a parameter that holds a config: it has to be one that no call gives."""
        _, scope, name = holder
        assert isinstance(scope, Scope)
        passed = None
        if isinstance(scope.node, ast.FunctionDef):
            argument = self.parameters.argument(scope.node, name)
            passed = self.parameters.passed(scope.node, argument)
        problem = None
        if passed is None or self._read.values.is_none(passed.given):
            problem = self.filled.look(scope, name, self._holders.prefix[holder])
        is_filled = (scope, name) in self.filled.found
        if passed is not None and not is_filled:
            problem = None
            self._holders.facts[holder].passed.append(passed)
            self._sources.accept(passed.given, holder, self._holders.prefix[holder])
        if isinstance(scope.node, ast.FunctionDef):
            self._holders.facts[holder].exports.extend(self._read.exported(scope.node))
            if (mixed := self.filled.mixed.get((scope, name))) is not None:
                self._holders.facts[holder].fills.append(mixed)
            if problem is None:
                doubts = self.parameters.doubts_of(scope.node, place)
                self._holders.facts[holder].doubts.extend(doubts)
        if problem is not None:
            path = f"is stored in the parameter `{name}`, and {problem}"
            self._holders.problem(holder, reasons.Parameter(place, path))

    def _check_rebound(self, holder: Holder, bindings: list[Binding], prefix: str) -> None:
        """Find a part that is built twice under one name: the later one replaces the earlier."""
        built = [
            item
            for item in bindings
            if prefix and item.value is not None and not self._read.values.is_none(item.value)
        ]
        for one, other in pairwise(built):
            if not self._read.tree.exclusive(one.node, other.node):
                self._holders.problem(holder, reasons.MixedOrigin(other.node, "other options"))

    def _process_function(self, holder: Holder, function: ast.FunctionDef, prefix: str) -> None:
        """Follow what a function returns to where it is called."""
        for node in self._read.tree.results(function):
            if isinstance(node, ast.Yield | ast.YieldFrom):
                self._holders.problem(holder, reasons.ReturnedAway(node, function.name))
            elif isinstance(node, ast.Return):
                if node.value is None or self._read.values.is_none(node.value):
                    self._holders.facts[holder].nones.append(node)
                else:
                    self._sources.accept(node.value, holder, prefix)
        callees = self._read.callees
        is_property = callees.is_property(function)
        if self._may_be_found(function) or not (is_property or callees.is_plain(function)):
            self._holders.problem(holder, reasons.ReturnedAway(function, function.name))
        uses = list(self._function_uses(holder, function))
        seen: list[ast.expr] = []
        for use in uses:
            parent = self._read.tree.parent[use]
            is_called = isinstance(parent, ast.Call) and parent.func is use
            call = parent if is_called and not is_property else use
            taken_apart = is_property and (is_called or isinstance(parent, ast.Attribute))
            if isinstance(call, ast.expr) and callees.runs(call) is not None and not taken_apart:
                seen.append(call)
                self._holders.facts[holder].calls.append((call, conditions(call, self._read.tree)))
                self._uses.use(call, holder, prefix)
            else:
                self._holders.problem(holder, reasons.ReturnedAway(use, function.name))
        if not uses:
            # Python calls `__getattr__` by itself.
            is_special = function.name.startswith("__") and function.name.endswith("__")
            is_unsure = is_special or self._may_be_called(function.name)
            missing = reasons.ReturnedAway if is_unsure else reasons.Uncalled
            self._holders.problem(holder, missing(function, function.name))
        unknown = callees.finders.unknown_reads(function.name)
        at_top = self._read.tree.scope(function).kind == "module"
        if callees.finders.finds(function.name) or (at_top and any(unknown)):
            problem: Problem = reasons.ReturnedAway(function, function.name)
            if callees.finders.finds_any:
                first = callees.finders.not_plain[0]
                text = text_of(first, self._read.tree)
                problem = reasons.HiddenCall(function, function.name, text, first)
            self._holders.facts[holder].doubts.append(Doubt(problem, function, tuple(seen)))

    def _may_be_called(self, name: str) -> bool:
        """Tell whether a call may be of a function of that name, as far as its import tells."""
        tree, symbols = self._read.tree, self._read.symbols
        for node in (*tree.names.get(name, ()), *tree.attributes.get(name, ())):
            call = tree.parent[node]
            if not isinstance(call, ast.Call) or call.func is not node:
                continue
            bindings = tree.bindings(node) if isinstance(node, ast.Name) else ()
            paths = {*symbols.paths(node), *(item.path or "" for item in bindings)}
            if isinstance(node, ast.Name) and not bindings and tree.file(node).star_imports:
                return True
            is_imported = any(path.rpartition(".")[2] == name for path in paths)
            if is_imported and self._read.callees.runs(call) is None:
                return True
        return False

    def _may_be_found(self, function: ast.FunctionDef) -> bool:
        """Tell whether a string names a property, or another file imports a function of scripts."""
        scope, name = self._read.tree.scope(function), function.name
        if scope.kind == "module" and any(self._read.callees.finders.script_imports(name)):
            return True
        if not self._read.callees.is_property(function) or not isinstance(scope.node, ast.ClassDef):
            return False
        is_read = any(True for _ in self._read.reflection.of_property(scope.node, name))
        return is_read or self.parameters.by_string(name) is not None

    def _function_uses(self, holder: Holder, function: ast.FunctionDef) -> Iterator[ast.expr]:
        """Yield every expression that names a function or method."""
        scope = self._read.tree.scope(function)
        variable = (scope, function.name)
        if len(scope.bindings[function.name]) > 1 or self._read.symbols.is_replaced(variable):
            self._holders.problem(holder, reasons.ReturnedAway(function, function.name))
        yield from self._read.symbols.uses(variable)
        owner, classes = scope.node, self._read.callees.classes
        if isinstance(owner, ast.ClassDef):
            if self._read.callees.is_overridden(function, owner):
                self._holders.problem(holder, reasons.ReturnedAway(function, function.name))
            for node in self._read.tree.attributes.get(function.name, []):
                found = classes.method_class(node)
                if found is None or not classes.are_apart(found, owner):
                    if found is not owner:
                        self._holders.problem(holder, reasons.SharedAttribute(node, node))
                    yield node


def _of_config(problem: Problem, first: ast.Call) -> Problem:
    """Return a problem, with the place of its config where it names that."""
    if isinstance(problem, reasons.Parameter):
        return reasons.Parameter(problem.node, problem.path, first)
    return problem
