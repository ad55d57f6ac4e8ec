"""Numbers and texts of the program's own classes, as values of settings.

A message takes them for what they are; tf.config, and the code around it, compares and computes
with them, and so runs methods of the program that did not run before. Arrays of NumPy are such
values, too: tf.config keeps them where a message copies their numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from tfgpu.code.origins import UNKNOWN, Origin, Origins
from tfgpu.code.special import OF_ATTRIBUTES, USUAL, special_methods
from tfgpu.code.values import Value
from tfgpu.decide.decision import Draft
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Setting
from tfgpu.flow.reasons import NotConverted

# Beginnings of origins of which the class is not known.
_UNSEEN = (UNKNOWN, "builtins.type()")
# A message takes objects of these classes, and those that tell a whole number, or any one.
_TAKEN = frozenset(["int", "float", "str", "bytes", "bool"])
_WHOLE, _ANY = "__index__", "__float__"
_HARMLESS = USUAL | OF_ATTRIBUTES | {"__new__", "__repr__", "__del__"}


def own_objects(decision: Draft, analysis: Analysis, origins: Origins) -> Iterator[NotConverted]:
    """Find settings whose value may be an object with special methods of the program."""
    for outcome in decision.outcomes:
        setting = outcome.setting
        if outcome.case is None or setting.value.known is not None:
            continue
        found = origins.of(setting.value.node) or {UNKNOWN}
        keeps = outcome.case.emit is not None and ".threading." in outcome.case.emit.statements
        if keeps and (_is_array(found) or _changes_in_place(setting.value, analysis)):
            why = f"`{setting.value.text}` may be an array, and tf.config reads it later"
            yield NotConverted(setting.node, outcome.rule.name, why, _todo(setting))
        telling = (_WHOLE, _ANY) if outcome.rule.type == "number" else (_WHOLE,)
        if not _has_numbers(analysis, telling):
            continue
        if any(isinstance(it, ast.ClassDef) or it.startswith(_UNSEEN) for it in found):
            why = f"`{setting.value.text}` may be an object that computes by code of the program"
            yield NotConverted(setting.node, outcome.rule.name, why, _todo(setting))


def _todo(setting: Setting) -> str:
    return (
        f"give the field a constant, or what int(), float() or str() make of `{setting.value.text}`"
    )


def _is_array(origins: Collection[Origin]) -> bool:
    return any(isinstance(origin, str) and origin.startswith("numpy.") for origin in origins)


def _changes_in_place(value: Value, analysis: Analysis) -> bool:
    """Tell whether a value may be an array that the program counts up or down: `n -= 2`."""
    tree = analysis.tree
    changed = (ast.unparse(node.target) for node in tree.nodes(ast.AugAssign))
    has_arrays = any(item.path.partition(".")[0] == "numpy" for item in tree.imports)
    return (
        has_arrays
        and not analysis.values.is_whole(value.node)
        and ast.unparse(value.node) in changed
    )


@lru_cache(maxsize=2)
def _has_numbers(analysis: Analysis, telling: tuple[str, ...]) -> bool:
    """Tell whether the program has classes of numbers or texts with special methods of its own."""
    tree, classes = analysis.tree, analysis.callees.classes
    special = special_methods(tree)
    # Those that are given to a class outside of its body may be given to any.
    given = any(
        function is None or tree.scope(function).kind != "class"
        for name in special.keys() - _HARMLESS
        for function in special[name]
    )
    for owner in tree.nodes(ast.ClassDef):
        line = classes.relatives(owner)
        members = {name for item in line for name in tree.scope(item.body[0]).bindings}
        if not members.isdisjoint(telling):
            return True
        bases = [base for item in line for base in item.bases]
        if any(map(_is_taken, bases)) and (given or members & special.keys() - _HARMLESS):
            return True
    # `type("Level", (int,), {"__gt__": ...})`
    made = [call.args[1] for call in tree.calls if given and len(call.args) == 3]
    return any(_is_taken(node) for bases in made for node in ast.walk(bases))


def _is_taken(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in _TAKEN
