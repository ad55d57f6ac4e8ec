"""What a program writes into a file or a text, with all that it has: `pickle.dump(nets, file)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

from tfgpu.code.canonical import canonical
from tfgpu.code.classes import Classes
from tfgpu.code.observers import SERIALIZERS, WRITES_ALL
from tfgpu.code.origins import Origins
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

_WRITES = frozenset(["dump", "dumps", "dump_all", "safe_dump", "encode", "hash"])
_WRITERS = frozenset(
    [
        "numpy.save", "numpy.savez", "numpy.savez_compressed", "pandas.to_pickle",
        "six.moves.cPickle.dump", "six.moves.cPickle.dumps", "sklearn.externals.joblib.dump",
        "torch.save",
    ]
)  # fmt: skip
# They write their first argument, the others any: the first of `numpy.save` is the file.
_FIRST = frozenset(["dump", "dumps", "encode", "hash", "to_pickle"])
# Data that comes from more expressions than these may be anything.
_MOST = 2000
_VALUES = ("obj", "value", "data")
# Methods that write the object which has them.
_WRITES_ITSELF = ("to_pickle", "to_hdf")
# Functions of libraries that put the others of their arguments into the first.
_FILLS = frozenset(
    ["heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right", "setitem"]
)
# Builtins whose result has nothing of an object in it.
_OF_VALUES = frozenset(
    ["len", "str", "repr", "int", "float", "bool", "type", "id", "isinstance", "print", "hash"]
)


class Serialized:
    """Finds what writes objects of a class in some files, through variables, items and functions.

    Data is followed back by names: what an attribute holds, that an attribute of that name is set
    to anywhere may be; a parameter holds what calls by the name of its function are given.
    """

    def __init__(self, tree: Tree, symbols: Symbols, classes: Classes, origins: Origins) -> None:
        self._tree = tree
        self._symbols = symbols
        self._classes = classes
        self._origins = origins
        self._steps: dict[object, list[ast.expr]] = {}
        self._open: set[ast.arg] = set()

    def of(self, owner: ast.ClassDef) -> Iterator[ast.expr]:
        """Yield the code that may write an object of a class, a method of one, or what has one."""
        family = self._classes.relatives(owner)
        for node, written in self._writers:
            found = chain.from_iterable(map(self._class_of, written or ()))
            if written is None or not family.isdisjoint(found):
                yield node

    @cached_property
    def _writers(self) -> list[tuple[ast.expr, list[ast.expr] | None]]:
        """The code that writes objects, with all that each may write; None where that is any."""
        found: list[tuple[ast.expr, list[ast.expr] | None]] = [
            (call, None if function in WRITES_ALL else self._all(_given(call, function)))
            for call in self._tree.calls
            # A module may be one of two: `import cPickle as pickle`, or `import pickle`.
            for function in sorted(set(map(canonical, self._symbols.paths(call.func))))
            if function in WRITES_ALL or _writes(function)
        ]
        for name in _WRITES_ITSELF:
            for method in self._tree.attributes.get(name, ()):
                found.append((method, self._all([method.value])))
        for method in self._tree.attributes.get("dump", ()):
            call = self._tree.parent[method]
            if isinstance(call, ast.Call) and self._is_of(method.value, "Pickler"):
                found.append((call, self._all(call.args)))
            elif isinstance(call, ast.Call) and self._is_of(method.value, "numpy."):
                found.append((call, self._all([method.value])))
        for item in self._tree.nodes(ast.Subscript) if self._has_shelves else ():
            above = self._tree.parent[item]
            if isinstance(above, ast.Assign) and self._is_of(item.value, "shelve."):
                found.append((item, self._all([above.value])))
        return [*found, *((node, None) for node in self._by_value())]

    @property
    def _has_shelves(self) -> bool:
        return any("shelve" in file.words for file in self._tree.files)

    def _is_of(self, node: ast.expr, maker: str) -> bool:
        """Tell whether an object may come from something whose path has a part."""
        return any(isinstance(it, str) and maker in it for it in self._origins.of(node))

    def _by_value(self) -> Iterator[ast.expr]:
        """Yield functions that write, or show all of an object, as values: `map(dumps, nets)`."""
        for name in sorted(_WRITES):
            nodes = (*self._tree.names.get(name, ()), *self._tree.attributes.get(name, ()))
            for node in nodes:
                if self._is_value(node) and any(map(_writes, self._symbols.paths(node))):
                    yield node
        for use in self._tree.names.get("vars", ()):
            if self._is_value(use) and self._tree.builtin(use):
                yield use

    def _is_value(self, node: ast.expr) -> bool:
        """Tell whether a function may be called by another name than those that mean it."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Assign):
            return not any(any(map(_writes, self._symbols.paths(it))) for it in parent.targets)
        is_called = isinstance(parent, ast.Call) and parent.func is node
        return not is_called and not isinstance(parent, ast.Attribute | ast.Compare | ast.Expr)

    def _class_of(self, node: ast.expr) -> Iterator[ast.ClassDef]:
        own = self._classes.of_self(node) if isinstance(node, ast.Name) else None
        for item in (own, *self._origins.of(node)):
            if isinstance(item, ast.ClassDef):
                yield item

    def _all(self, given: Iterable[ast.expr]) -> list[ast.expr] | None:
        """Return what some expressions may hold; None where that comes from everywhere."""
        waiting = list(given)
        seen: dict[ast.expr, None] = {}
        named: set[object] = set()
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            if len(seen) > _MOST:
                return None
            seen[node] = None
            key = self._key(node)
            if key is None or key not in named:
                named.add(key)
                waiting += self._step(node, key)
            if isinstance(node, ast.Attribute) and self._classes.function(node) is not None:
                waiting.append(node.value)  # what a bound method is of
            for owner in self._class_of(node):
                for it in ast.walk(owner):
                    if isinstance(it, ast.Assign):
                        attributes = (to for to in it.targets if isinstance(to, ast.Attribute))
                        waiting += (it.value, *attributes)
        return list(seen)

    def _key(self, node: ast.expr) -> object:
        """Return what many expressions share that hold the same; None where no other does."""
        if isinstance(node, ast.Attribute):
            return node.attr
        return self._symbols.variable(node) if isinstance(node, ast.Name) else None

    def _step(self, node: ast.expr, key: object) -> list[ast.expr]:
        """Return what an expression is directly made of."""
        known = self._steps.get(key or node)
        if known is None:
            known = self._steps[key or node] = list(self._parts(node))
        return known

    def _parts(self, node: ast.expr) -> Iterator[ast.expr]:
        if isinstance(node, ast.Name | ast.Attribute):
            yield from self._put_into(node)
        elif isinstance(node, ast.Call):
            yield from self._result(node)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            yield node.elt
        elif isinstance(node, ast.DictComp):
            yield node.value
        elif isinstance(node, ast.Lambda):
            yield node.body
        else:
            yield from (it for it in ast.iter_child_nodes(node) if isinstance(it, ast.expr))

    def _result(self, call: ast.Call) -> Iterator[ast.expr]:
        """Yield what the result of a call may hold: what the function returns, or was given."""
        name = last_name(call.func)
        functions = [
            it for it in self._tree.functions.get(name, ()) if isinstance(it, ast.FunctionDef)
        ]
        for function in functions:
            yield from (it.value for it in self._tree.results(function) if it.value is not None)
        if functions or self._classes.defined(call.func) is not None:
            return
        if isinstance(call.func, ast.Attribute):
            yield call.func.value
        elif isinstance(call.func, ast.Name):
            values = (binding.value for binding in self._symbols.bindings(call.func))
            yield from (it for it in values if isinstance(it, ast.Lambda))
        if self._tree.builtin(call.func) not in _OF_VALUES:
            for given in (*call.args, *(item.value for item in call.keywords)):
                # What is called by `map(net.run, data)` is not in the result; in a partial it is.
                if self._classes.function(given) is None or name == "partial":
                    yield given

    def _put_into(self, node: ast.Name | ast.Attribute) -> Iterator[ast.expr]:
        """Yield what a variable or attribute is set to, and what its methods are given."""
        if isinstance(node, ast.Attribute):
            uses: Iterable[ast.expr] = self._tree.attributes.get(node.attr, ())
            for text in self._tree.texts.get(node.attr, ()):
                yield from self._set_by(self._tree.parent[text])
        else:
            variable = self._symbols.variable(node)
            uses = self._symbols.uses(variable) if variable is not None else ()
            for binding in self._symbols.bindings(node):
                if binding.value is not None:
                    yield binding.value
                elif binding.kind == "param":
                    yield from self._given_to(binding.node)
                else:
                    yield from self._unpacked(binding.node)
        for use in uses:
            yield from self._stored(use)

    def _stored(self, use: ast.expr) -> Iterator[ast.expr]:
        """Yield what is put into a variable where it is used: `nets.append(net)`."""
        if isinstance(use, ast.Attribute) and not isinstance(use.ctx, ast.Load):
            yield from self._unpacked(self._tree.parent[use])
        yield from self._set_by(self._tree.parent[use], use)
        yield from self._filled(use)
        part: ast.AST = use
        around = self._tree.parent[use]
        while isinstance(around, ast.Subscript | ast.Attribute) and around.value is part:
            part, around = around, self._tree.parent[around]
        if part is use:
            return
        if isinstance(around, ast.Assign):
            yield around.value
        elif isinstance(around, ast.Call) and around.func is part:
            is_own = isinstance(part, ast.Attribute) and part.attr in self._tree.functions
            yield from () if is_own else (*around.args, *(item.value for item in around.keywords))

    def _filled(self, given: ast.expr) -> Iterator[ast.expr]:
        """Yield what the function of a call puts into one of its arguments."""
        call = self._tree.parent[given]
        if not isinstance(call, ast.Call) or given not in call.args:
            return
        name = last_name(call.func)
        if name in _FILLS and given is call.args[0]:
            yield from call.args[1:]
        for function in self._tree.functions.get(name, ()):
            if not isinstance(function, ast.FunctionDef):
                continue
            is_method = isinstance(self._tree.parent[function], ast.ClassDef)
            place = call.args.index(given) + is_method
            parameters = [*function.args.posonlyargs, *function.args.args]
            for parameter in parameters[place : place + 1]:
                if parameter not in self._open:
                    self._open.add(parameter)
                    for use in self._uses_of(parameter, function):
                        yield from self._stored(use)
                    self._open.remove(parameter)

    def _uses_of(self, parameter: ast.arg, function: ast.AST) -> list[ast.Name]:
        names = self._tree.names.get(parameter.arg, ())
        return [it for it in names if self._tree.function(it).node is function]

    def _set_by(self, call: ast.AST, held: ast.expr | None = None) -> Iterator[ast.expr]:
        """Yield what `setattr` gives an attribute, or an object."""
        if not isinstance(call, ast.Call) or self._tree.builtin(call.func) != "setattr":
            return
        if held is None or held in call.args[:1]:
            yield from call.args[2:]

    def _unpacked(self, target: ast.AST) -> Iterator[ast.expr]:
        """Yield what a statement assigns to a target, or goes through."""
        while isinstance(target, ast.Tuple | ast.List | ast.Starred):
            target = self._tree.parent[target]
        if isinstance(target, ast.For | ast.AsyncFor | ast.comprehension):
            yield target.iter
        elif isinstance(target, ast.withitem):
            yield target.context_expr
        elif isinstance(target, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield from () if target.value is None else (target.value,)

    def _given_to(self, parameter: ast.AST) -> Iterator[ast.expr]:
        """Yield the arguments of calls that look like those of the function of a parameter."""
        function = self._tree.function(parameter).node
        name = getattr(function, "name", "")
        if isinstance(function, ast.Lambda):
            around = self._tree.parent[function]
            if isinstance(around, ast.Assign):
                name = last_name(around.targets[0])
            elif isinstance(around, ast.Call):  # `map(lambda net: ..., nets)`
                yield from (it for it in around.args if it is not function)
        is_method = isinstance(self._tree.parent.get(function), ast.ClassDef)
        if name == "__init__":
            name = getattr(self._tree.parent[function], "name", name)
        for callee in (*self._tree.names.get(name, ()), *self._tree.attributes.get(name, ())):
            call = self._tree.parent[callee]
            if isinstance(call, ast.Call) and call.func is callee:
                yield from call.args
                yield from (item.value for item in call.keywords)
                # A function of a module that became a method is given the object.
                if isinstance(callee, ast.Attribute) and not is_method:
                    yield callee.value


def _writes(function: str) -> bool:
    module, _, name = function.rpartition(".")
    return function in _WRITERS or (module.partition(".")[0] in SERIALIZERS and name in _WRITES)


def _given(call: ast.Call, function: str) -> list[ast.expr]:
    """Return what a call of a function that writes gives it to write."""
    given = [*call.args, *(item.value for item in call.keywords)]
    named = [item.value for item in call.keywords if item.arg in _VALUES]
    return (named or given[:1]) if function.rpartition(".")[2] in _FIRST else given
