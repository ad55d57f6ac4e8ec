"""Where Python runs code of a program without a call: operators, attributes, iteration, hooks."""

from __future__ import annotations

import ast
from functools import cached_property

from tfgpu.code.special import (
    OF_ATTRIBUTES,
    USUAL,
    SpecialMethods,
    described,
    has_loose_properties,
    special_methods,
)
from tfgpu.code.tree import Tree

# Builtins whose iterators run code of the program when they are used up.
_LAZY = frozenset(["map", "filter", "iter"])
# What makes Python run code of the program between any two statements.
_HOOKS = frozenset(
    [
        "settrace", "setprofile", "settrace_all_threads", "setprofile_all_threads", "addaudithook",
        "monitoring", "signal", "callbacks", "setitimer",
    ]
)  # fmt: skip
# Functions of absl that take functions which check, or read, the value of an option.
_VALIDATORS = (
    "validator", "register_validator", "multi_flags_validator", "register_multi_flags_validator",
    "DEFINE",
)  # fmt: skip


class Implicit:
    """What kinds of code run functions of some files without a call."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    @cached_property
    def _special(self) -> SpecialMethods:
        """The special methods that classes of the program have."""
        return special_methods(self._tree)

    @cached_property
    def finalizers(self) -> bool:
        """Whether giving up an object may run code of the program."""
        return "__del__" in self._special or any(
            item.path.partition(".")[0] == "weakref" for item in self._tree.imports
        )

    @cached_property
    def hooks(self) -> bool:
        """Whether code of the program may run between any two statements."""
        tree = self._tree
        return any(map(tree.attributes.get, _HOOKS)) or any(
            item.path.rpartition(".")[2] in _HOOKS for item in tree.imports
        )

    @cached_property
    def iterators(self) -> bool:
        """Whether iterating, or looking for something in what is iterated, may run code."""
        tree = self._tree
        lazy = (ast.Yield, ast.YieldFrom, ast.GeneratorExp)
        return any(map(tree.nodes, lazy)) or any(map(tree.names.get, _LAZY))

    @cached_property
    def operators(self) -> bool:
        """Whether operators and builtins may run code of the program."""
        return not self._special.keys() <= USUAL | OF_ATTRIBUTES | {"__del__"}

    @cached_property
    def attributes(self) -> bool:
        """Whether reading or setting any attribute may run code of the program."""
        return (
            self.validators
            or has_loose_properties(self._tree)
            or not OF_ATTRIBUTES.isdisjoint(self._special)
        )

    @cached_property
    def validators(self) -> bool:
        """Whether the options of the program run functions of it when one is read or set."""
        tree = self._tree
        return any(tree.attributes.get(name) or tree.names.get(name) for name in _VALIDATORS)

    @cached_property
    def module_attributes(self) -> bool:
        """Whether reading a name of a module may run code of the program."""
        return self.validators or any(
            function is None or self._tree.scope(function).kind != "class"
            for function in self._special.get("__getattr__", ())
        )

    @cached_property
    def properties(self) -> frozenset[str]:
        """The names of decorated functions in classes: reading one may run it.

        So may reading what a call gave to a class: `x = property(f)`.
        """
        return described(self._tree) | frozenset(
            name
            for name, functions in self._tree.functions.items()
            for function in functions
            if getattr(function, "decorator_list", None)
            and self._tree.scope(function).kind == "class"
        )
