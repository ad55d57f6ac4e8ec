"""Configs in attributes: of `self`, of objects whose class is known, and of classes themselves."""

from __future__ import annotations

import ast

from tfgpu.code.dotted import tail_of
from tfgpu.code.index import Binding
from tfgpu.code.tree import Tree
from tfgpu.flow import reasons
from tfgpu.flow.locations import Holder, Holders, Reading
from tfgpu.flow.objects import Objects
from tfgpu.flow.parameters import Parameters
from tfgpu.flow.records import Record, Records
from tfgpu.flow.sources import Sources
from tfgpu.flow.uses import Uses


class Attributes:
    """What flows into attributes that hold configs, and where it goes from there."""

    def __init__(
        self,
        reading: Reading,
        holders: Holders,
        sources: Sources,
        uses: Uses,
        parameters: Parameters,
        objects: Objects,
        records: Records,
    ) -> None:
        self._read = reading
        self._classes = reading.callees.classes
        self._holders = holders
        self._sources = sources
        self._uses = uses
        self._parameters = parameters
        self._objects = objects
        self._records = records

    def in_body(self, holder: Holder, owner: ast.ClassDef, name: str, prefix: str) -> None:
        """Follow a variable of the body of a class to what reads it from the class."""
        if self._classes.are_plain(owner):
            found = self._classes.highest(owner, name)
            self._holders.link(holder, ("self", found, name), prefix, owner)
        else:
            self._holders.problem(holder, reasons.Stored(owner, f"{owner.name}.{name}"))

    def process(self, holder: Holder, owner: ast.ClassDef, name: str, prefix: str) -> None:
        """Follow an attribute of a class, and of those that are related to it."""
        if self._classes.may_have_more(name):
            self._holders.problem(holder, reasons.Stored(owner, f"{owner.name}.{name}"))
        for binding in self._classes.body_bindings(owner, name):
            self._bound(binding, holder, prefix)
        mixed = self._set_elsewhere(owner, name)
        if mixed is not None:
            self._holders.problem(holder, reasons.SharedAttribute(mixed, mixed))
        of_one = self._set_for_one(owner, name)
        if of_one is not None:
            self._holders.problem(holder, reasons.Stored(of_one, of_one))
        for node in self._read.tree.attributes.get(name, ()):
            if self._objects.owner(node) is not owner:
                if not (
                    self._read.symbols.paths(node)
                    or self._records.holds(node)
                    or self._is_of_another(node, owner)
                    or self._is_module(node)
                ):
                    self._holders.problem(holder, reasons.SharedAttribute(node, node))
            elif isinstance(node.ctx, ast.Load):
                self._handed(node, holder)
                self._uses.use(node, holder, prefix)
            else:
                self._handed(node, holder)
                self._stored(node, holder, prefix)

    def process_part(self, holder: Holder, record: Record, name: str, prefix: str) -> None:
        """Follow a part of a dictionary, or of a namespace."""
        facts, records, tree = self._holders.facts[holder], self._records, self._read.tree
        seen = records.seen(record, name)
        if seen is not None:
            around = tree.parent[seen]
            around = tree.parent[around] if isinstance(around, ast.keyword) else around
            text = around if isinstance(around, ast.expr) else seen
            self._holders.problem(holder, reasons.ConfigRead(seen, text, "may be"))
        home = record.variable[0]
        for scope, variable in records.variables(record):
            looks = self._read.reflection.of_variable(scope, variable)
            facts.looks.extend(reasons.ConfigRead(look, look, "may be") for look in looks)
            if isinstance(scope.node, ast.FunctionDef) and scope is not home:
                facts.exports.extend(self._read.exported(scope.node))
                facts.doubts.extend(self._parameters.doubts_of(scope.node, scope.node))
        if name in record.given:
            self._sources.accept(record.given[name], holder, prefix)
        for node in records.parts(record, name):
            if isinstance(node.ctx, ast.Load):
                self._uses.use(node, holder, prefix)
            elif home.kind == "module" or tree.scope(node) is home:
                self._stored(node, holder, prefix)
            else:
                # A function that is called for one of several objects only.
                self._holders.problem(holder, reasons.Stored(node, node))

    def _handed(self, node: ast.Attribute, holder: Holder) -> None:
        """Note the functions that are handed the object that an attribute is read from."""
        facts = self._holders.facts[holder]
        for function in self._objects.takers(node):
            facts.exports.extend(self._read.exported(function))
            facts.doubts.extend(self._parameters.doubts_of(function, node))

    def _set_elsewhere(self, owner: ast.ClassDef, name: str) -> ast.Attribute | None:
        """Find where an attribute is set that another class, or the class itself, may not get.

        `self.config = ...` is none of `cls.config`, nor that of a subclass one of its base.
        """
        found = self._read.tree.attributes.get(name, ())
        uses = [node for node in found if self._objects.owner(node) is owner]
        of_class = [node for node in uses if not self._objects.is_object(node)]
        read = any(isinstance(node.ctx, ast.Load) for node in of_class)
        several = len(self._classes.relatives(owner)) > 1
        for node in (node for node in uses if isinstance(node.ctx, ast.Store)):
            if several if node in of_class else read:
                return node
        return None

    def _set_for_one(self, owner: ast.ClassDef, name: str) -> ast.Attribute | None:
        """Find where an attribute is set for one object of several: `train.config = config`."""
        tree, symbols = self._read.tree, self._read.symbols
        makes = (
            use
            for item in self._classes.relatives(owner)
            for use in symbols.uses((tree.scope(item), item.name))
            if getattr(tree.parent[use], "func", None) is use
        )
        stores = (
            node
            for node in tree.attributes.get(name, ())
            if isinstance(node.ctx, ast.Store) and self._classes.self_class(node) is None
            if self._objects.owner(node) is owner
        )
        return next(stores, None) if sum(1 for _ in makes) > 1 else None

    def _bound(self, binding: Binding, holder: Holder, prefix: str) -> None:
        """Take what the body of a class gives an attribute."""
        statement, value = binding.node, binding.value
        if value is not None and self._read.values.is_none(value):
            # What an object has that sets nothing.
            self._holders.facts[holder].nones.append(statement)
            return
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        named = [item for item in targets if isinstance(item, ast.Name) and item.id == holder[2]]
        found = self._sources.holder(named[0], prefix) if named and value is not None else None
        if found is None:
            self._holders.problem(holder, reasons.MixedOrigin(statement, "a class body"))
        else:
            self._holders.link(holder, *found, statement)

    def _stored(self, node: ast.Attribute | ast.Subscript, holder: Holder, prefix: str) -> None:
        """Take what a statement gives an attribute, or an item."""
        assign = self._read.tree.parent[node]
        value = _value_of(assign, node)
        if value is not None:
            self._sources.accept(value, holder, prefix)
            if self._read.values.is_none(value):
                self._holders.gives_none(holder, assign, [node])
        elif is_declared(assign, self._read.tree):
            self._holders.goes(holder, self._read.tree.statement(node))
        else:
            problem = reasons.MixedOrigin(node, "what another statement gives it")
            self._holders.problem(holder, problem)

    def _is_of_another(self, node: ast.Attribute, owner: ast.ClassDef) -> bool:
        """Tell whether an attribute belongs to objects that are certainly not of a class."""
        classes = self._classes
        other = self._objects.owner(node)
        if other is None or not classes.are_apart(other, owner):
            return False
        is_set = classes.stores(other, node.attr) or classes.body_bindings(other, node.attr)
        return bool(is_set)

    def _is_module(self, node: ast.Attribute) -> bool:
        """Tell whether an attribute is tf.config: what is called on it has a name of that."""
        name = f"tf.{node.attr}{tail_of(node, self._read.tree)}"
        return name in self._read.book.config_names


def is_declared(place: ast.AST, tree: Tree) -> bool:
    """Tell whether a statement only says of which type a variable is; a field is more."""
    is_type = isinstance(place, ast.AnnAssign) and place.value is None
    return is_type and tree.scope(place).kind != "class"


def _value_of(statement: ast.AST, target: ast.expr) -> ast.expr | None:
    """Return what an assignment gives a target of it, None where it does not say."""
    if isinstance(statement, ast.Assign) and target in statement.targets:
        return statement.value
    if isinstance(statement, ast.AnnAssign) and statement.target is target:
        return statement.value
    return None
