"""Methods that make sessions where no call of a rule shows it: `make = sv.managed_session`.

A method that is not called where it is named may be called at any later time, by any code.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from tfgpu.flow.locations import Reading

_CREATES = "create_session"  # of a session creator


def makers_elsewhere(reading: Reading, classes: Collection[str]) -> Iterator[ast.expr]:
    """Yield the names of such methods that are no calls, or texts, and calls of `create_session`.

    `classes` are those of sessions, and of objects that make them.
    """
    tree = reading.tree
    names = {
        last
        for name in reading.book.sinks
        for owner, _, last in [name.rpartition(".")]
        if owner in classes
    }
    if any(name.endswith("SessionCreator") for name in (*tree.attributes, *tree.names)):
        names.add(_CREATES)
    for name in sorted(names & tree.attributes.keys()):
        for node in tree.attributes[name]:
            call = tree.parent[node]
            called = isinstance(call, ast.Call) and call.func is node
            if reading.callees.classes.member(node) or not isinstance(node.ctx, ast.Load):
                continue
            if not called:
                yield node
            elif name == _CREATES and isinstance(call, ast.Call):
                yield call
    for name in sorted(names):
        yield from tree.texts.get(name, ())
