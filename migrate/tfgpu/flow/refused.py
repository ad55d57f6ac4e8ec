"""Ways to hand over a config, or a part of one, that no TensorFlow takes."""

from __future__ import annotations

import ast

from tfgpu.code.tree import Tree
from tfgpu.flow import reasons
from tfgpu.flow.locations import Reading

# Their first parameter is the target, a text.
_SESSIONS = frozenset(["tf.Session", "tf.InteractiveSession"])


def refused_by(
    call: ast.Call, place: str | int | None, prefix: str, read: Reading
) -> reasons.Refused | None:
    """Return why a session, or a message, does not take a config, or the part `prefix` of one."""
    callee = read.tree.source(call.func)
    if read.symbols.name(call.func) in _SESSIONS:
        what = f"a {_message(prefix)}" if prefix else "a config"
        if prefix and place == "config":
            return reasons.Refused(
                call,
                f"{callee} takes a ConfigProto, and gets {what}",
                f"write `config=tf.ConfigProto({prefix.rpartition('.')[2]}=...)`",
            )
        if place == 0:
            why = f"the first argument of {callee} is its target, a text, and {what} is given"
            return reasons.Refused(call, why, "write `config=` in front of it")
    elif read.message(call) is not None and isinstance(place, int):
        return by_place(call, prefix.rpartition(".")[2], read)
    return None


def by_place(call: ast.Call, name: str, read: Reading) -> reasons.Refused | None:
    """Return why a message does not take fields by their places; None where there may be none."""
    if all(isinstance(one, ast.Starred) for one in call.args):
        return None
    why = f"{read.tree.source(call.func)} takes its fields by name only"
    way = f"write `{name}=` in front of it" if name else "give each field its name"
    return reasons.Refused(call, why, way)


def field_of_config(target: ast.expr, prefix: str, read: Reading) -> reasons.Refused | None:
    """Return why the part `prefix` of a config is not assigned, where that is what is tried."""
    if not isinstance(target, ast.Attribute) or prefix != target.attr:
        return None
    values = [binding.value for binding in read.symbols.bindings(target.value)]
    is_config = values and all(
        isinstance(value, ast.Call) and read.message(value) == "" for value in values
    )
    return unassignable(target, read.tree) if is_config else None


def unassignable(field: ast.Attribute, tree: Tree) -> reasons.Refused:
    """Return why a field that is a message is not assigned."""
    text = tree.source(field)
    return reasons.Refused(
        field, f"`{text}` is a message, which is not assigned", f"write `{text}.CopyFrom(...)`"
    )


def _message(prefix: str) -> str:
    """Return what a message is called by the name of its field: `gpu_options` is a GPUOptions."""
    words = prefix.rpartition(".")[2].split("_")
    return "".join("GPU" if word == "gpu" else word.capitalize() for word in words)
