"""Which rules hold where: by the options for a file, and by the comments in it."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tfgpu.code.tree import Tree
from tfgpu.ignores.comments import Comment, python_comments
from tfgpu.options import Named, Options, names


class Selection:
    """The options, by path, and the comments of one file, or of several that are read as one."""

    def __init__(self, tree: Tree, options: Mapping[str, Options]) -> None:
        self._tree = tree
        self._options = options
        self._comments = {file.path: python_comments(file.text) for file in tree.files}

    @property
    def unsafe_fixes(self) -> bool:
        """Whether changes are made whose meaning can differ; that is one choice for all files."""
        return any(options.unsafe_fixes for options in self._options.values())

    @property
    def assume(self) -> bool:
        """Whether configs are converted on assumptions; that is one choice for all files."""
        return any(options.unsafe_fixes or options.assume for options in self._options.values())

    @property
    def refuted(self) -> frozenset[tuple[str, str, str]]:
        """What a run has shown not to hold, as `Options.refuted`."""
        return frozenset().union(*(options.refuted for options in self._options.values()))

    @property
    def gpu_memory(self) -> int:
        """The total of each GPU in MiB, as `Options.gpu_memory`; one choice for all files."""
        return max(options.gpu_memory for options in self._options.values())

    def options(self, node: ast.AST) -> Options:
        """Return the options for the file of a node."""
        return self._options[self._tree.file(node).path]

    def options_of(self, path: str) -> Options:
        """Return the options for a file."""
        return self._options[path]

    def comments(self, path: str) -> list[Comment]:
        """Return the comments to tfgpu in a file."""
        return self._comments[path]

    def selects(self, rule: Named, node: ast.AST) -> bool:
        """Tell whether a rule is selected in the file of a node."""
        return self.options(node).selects(rule)

    def ignores(self, rule: Named, node: ast.AST) -> bool:
        """Tell whether a comment ignores what a rule says about a node."""
        comments = self._comments[self._tree.file(node).path]
        if not comments:
            return False
        line, _ = self._tree.position(node)
        return any(
            names(pattern, rule)
            for comment in comments
            if comment.is_about(line)
            for pattern in comment.rules or ()
        )

    def wants(self, rule: Named, node: ast.AST) -> bool:
        """Tell whether a rule is selected and not ignored in the file of a node."""
        return self.selects(rule, node) and not self.ignores(rule, node)
