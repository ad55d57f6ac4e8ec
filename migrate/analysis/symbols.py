"""Resolves names to TensorFlow symbols: every spelling of one symbol is one canonical name.

A canonical name starts with `tf.` or `keras.`; `tf.compat.v1.Session`, `tensorflow.Session` and
`from tensorflow.python.client.session import Session` are all `tf.Session`.
"""

from __future__ import annotations

import ast

from migrate.analysis.tree import Binding, Scope, Tree

# Longest prefix first; what stands on the left is one namespace with what stands on the right.
_PREFIXES = (
    ("tensorflow.core.protobuf.config_pb2", "tf"),
    ("tensorflow.core.protobuf.rewriter_config_pb2", "tf"),
    ("tensorflow.core.protobuf.cluster_pb2", "tf"),
    ("tensorflow.python.client.session", "tf"),
    ("tensorflow.contrib.keras.python.keras", "keras"),
    ("tensorflow.contrib.keras.api.keras", "keras"),
    ("tensorflow.contrib.keras", "keras"),
    ("tensorflow.compat.v1.keras", "keras"),
    ("tensorflow.compat.v2.keras", "keras"),
    ("tensorflow.python.keras", "keras"),
    ("tensorflow.keras", "keras"),
    ("tensorflow.compat.v1", "tf"),
    ("tensorflow.compat.v2", "tf"),
    ("tensorflow", "tf"),
    ("tf_keras", "keras"),
    ("keras", "keras"),
)
_KERAS_BACKENDS = ("keras.backend.tensorflow_backend", "keras.src.backend")


def canonical(path: str) -> str:
    """Return the canonical name of a dotted path; a path outside TensorFlow is its own."""
    for prefix, name in _PREFIXES:
        if path == prefix or path.startswith(prefix + "."):
            path = name + path[len(prefix) :]
            break
    for backend in _KERAS_BACKENDS:
        if path == backend or path.startswith(backend + "."):
            return "keras.backend" + path[len(backend) :]
    return path


class Symbols:
    """The symbols of one file."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._variables: dict[tuple[Scope, str], frozenset[str]] = {}
        self._open: set[tuple[Scope, str]] = set()

    def paths(self, node: ast.expr) -> frozenset[str]:
        """Return the dotted import paths that an expression can stand for; empty if unknown."""
        base, tail = _split(node)
        if base is None:
            return frozenset()
        return frozenset(path + tail for path in self._base(base))

    def name(self, node: ast.expr) -> str | None:
        """Return the one canonical name that an expression stands for."""
        names = {canonical(path) for path in self.paths(node)}
        return names.pop() if len(names) == 1 else None

    def _base(self, name: ast.Name) -> frozenset[str]:
        owner = self._tree.owner(name.id, self._tree.scope(name))
        if owner is None:
            is_star = "tensorflow" in self._tree.star_imports.values()
            return frozenset([f"tensorflow.{name.id}"] if is_star else [])
        variable = (owner, name.id)
        if variable not in self._variables:
            self._open.add(variable)
            self._variables[variable] = self._variable(owner.bindings[name.id])
            self._open.remove(variable)
        return self._variables[variable]

    def _variable(self, bindings: list[Binding]) -> frozenset[str]:
        """Return what a variable can stand for; empty if one of its bindings is unknown."""
        found: set[str] = set()
        for binding in bindings:
            paths = self._binding(binding)
            if paths is None:
                return frozenset()
            found |= paths
        return frozenset(found)

    def _binding(self, binding: Binding) -> frozenset[str] | None:
        """Return what a binding stands for; empty where others decide, None if unknown."""
        if binding.path is not None:
            return frozenset([binding.path])
        if binding.value is None:
            return None
        if isinstance(binding.value, ast.Constant) and binding.value.value is None:
            # A failed import.
            return frozenset()
        base, _ = _split(binding.value)
        if base is not None:
            owner = self._tree.owner(base.id, self._tree.scope(base))
            if owner is not None and (owner, base.id) in self._open:
                # Assigned from itself, as in `tf = tf.compat.v1`.
                return frozenset()
        return self.paths(binding.value) or None


def _split(node: ast.expr) -> tuple[ast.Name | None, str]:
    """Return the name that a dotted expression starts with, and the rest with its dots."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    tail = "".join(f".{name}" for name in reversed(attributes))
    return (node if isinstance(node, ast.Name) else None), tail
