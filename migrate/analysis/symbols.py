"""Resolves names to TensorFlow symbols: every spelling of one symbol is one canonical name.

A canonical name starts with `tf.` or `keras.`; `tf.compat.v1.Session`, `tensorflow.Session` and
`from tensorflow.python.client.session import Session` are all `tf.Session`.
"""

from __future__ import annotations

import ast

from migrate.analysis.tree import Binding, Tree

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
        self._paths: dict[ast.expr, frozenset[str]] = {}

    def paths(self, node: ast.expr) -> frozenset[str]:
        """Return the dotted import paths that an expression can stand for; empty if unknown."""
        found = self._paths.get(node)
        if found is None:
            # A name that is assigned from itself resolves to nothing while it is looked up.
            self._paths[node] = frozenset()
            found = self._paths[node] = self._resolve(node)
        return found

    def name(self, node: ast.expr) -> str | None:
        """Return the one canonical name that an expression stands for."""
        names = {canonical(path) for path in self.paths(node)}
        return names.pop() if len(names) == 1 else None

    def _resolve(self, node: ast.expr) -> frozenset[str]:
        attributes: list[str] = []
        base = node
        while isinstance(base, ast.Attribute):
            attributes.append(base.attr)
            base = base.value
        if not isinstance(base, ast.Name):
            return frozenset()
        tail = "".join(f".{name}" for name in reversed(attributes))
        return frozenset(path + tail for path in self._base(base))

    def _base(self, name: ast.Name) -> frozenset[str]:
        bindings = self._tree.bindings(name)
        if not bindings and "tensorflow" in self._tree.star_imports.values():
            return frozenset([f"tensorflow.{name.id}"])
        found: set[str] = set()
        for binding in bindings:
            paths = self._binding(binding)
            if paths is None:
                return frozenset()
            found |= paths
        return frozenset(found)

    def _binding(self, binding: Binding) -> frozenset[str] | None:
        """Return what a binding stands for; empty for None (a failed import), None if unknown."""
        if binding.path is not None:
            return frozenset([binding.path])
        if isinstance(binding.value, ast.Constant) and binding.value.value is None:
            return frozenset()
        if binding.value is not None:
            return self.paths(binding.value) or None
        return None
