"""Classes that may inherit from any one of the files: their bases are values, and no names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.dotted import split_name
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

# A call of one of these in the body of a class may bind any name there.
_BINDERS = ("locals", "vars", "exec", "eval")


class Bases:
    """What the classes of some files may inherit from, and whether that is known."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols

    def is_hidden(self, owner: ast.ClassDef) -> bool:
        """Tell whether a class has a base that may be any class of the files.

        `class B(base)` for a parameter or another name of a class, `class B(bases[0])`,
        `class B(with_metaclass(Meta, A))`. One of a library is none of the files.
        """
        return any(map(self._may_be_any, owner.bases))

    def _may_be_any(self, base: ast.expr) -> bool:
        if isinstance(self._symbols.definition(base), ast.ClassDef):
            return False
        if isinstance(base, ast.Subscript):
            base = base.value  # `Generic[T]`
        return any(map(self._is_value, ast.walk(base)))

    def _is_value(self, node: ast.AST) -> bool:
        """Tell whether a part of a base is none that a library, or Python, has by a name."""
        if isinstance(node, ast.Call):  # `getattr(module, name)`
            return self._tree.builtin(node.func) not in ("", "type")
        if isinstance(node, ast.Attribute):  # `import_module(name).Trainer`
            return split_name(node)[0] is None
        if not isinstance(node, ast.Name) or self._tree.builtin(node):
            return False
        paths = self._symbols.paths(node)
        return not paths or any(map(self._tree.means, paths))

    def may_give(self, name: str) -> bool:
        """Tell whether such a class, or one that a call makes, may have an attribute of a name.

        What else it inherits from may come in front of any class: `class B(Mixin, base)`.
        """
        return self._any_name or any(
            name in self._tree.scope(owner.body[0]).bindings
            or bool(owner.decorator_list or owner.keywords)
            or self.binds_any(owner)
            for owner in self._joined
        )

    def binds_any(self, owner: ast.ClassDef) -> bool:
        """Tell whether code in the body of a class may bind names that it does not write."""
        return any(
            self._tree.scope(node).node is owner and self._tree.builtin(node)
            for word in _BINDERS
            for node in self._tree.names.get(word, ())
        )

    @cached_property
    def _hidden(self) -> tuple[ast.ClassDef, ...]:
        return tuple(filter(self.is_hidden, self._tree.nodes(ast.ClassDef)))

    @cached_property
    def _joined(self) -> tuple[ast.ClassDef, ...]:
        """The hidden classes, with those of the files that they are known to inherit from."""
        found = list(self._hidden)
        for owner in found:
            bases = map(self._symbols.definition, owner.bases)
            found += [it for it in bases if isinstance(it, ast.ClassDef) and it not in found]
        return tuple(found)

    @cached_property
    def _any_name(self) -> bool:
        """Whether classes of the files may get other bases, or be those of a class that is made."""
        if "__bases__" in self._tree.set_attributes:
            return True
        if any(map(self._joins_any, self._hidden)):
            return True
        return any(self._is_of_files(base) for call in self._tree.calls for base in _bases(call))

    def _joins_any(self, owner: ast.ClassDef) -> bool:
        """Tell whether a class may inherit from any two: `class B(*bases)`, `B(one, two)`."""
        unknown = list(filter(self._may_be_any, owner.bases))
        return len(unknown) > 1 or any(
            isinstance(base, ast.Starred) or (isinstance(base, ast.Call) and len(base.args) > 2)
            for base in unknown
        )

    def _is_of_files(self, bases: ast.expr) -> bool:
        """Tell whether a class of the files may be among the bases of one that is made."""
        if not isinstance(bases, ast.Tuple | ast.List):
            return True
        return any(
            isinstance(self._symbols.definition(base), ast.ClassDef) or self._may_be_any(base)
            for base in bases.elts
        )


def _bases(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a call gives as the bases of a class that it makes: `type(name, bases, {})`."""
    yield from (item.value for item in call.keywords if item.arg == "bases")
    # A metaclass, too, is given a text, bases and members.
    is_like = len(call.args) == 3 and isinstance(call.args[2], ast.Dict)
    name = last_name(call.func)
    if len(call.args) > 1 and (
        name == "new_class"
        or (len(call.args) == 3 and name == "type")
        or (is_like and isinstance(call.args[1], ast.Tuple))
    ):
        yield call.args[1]
