"""Imports of a config by its name in other files: `from settings import config`, or with a star.

One that gives the config to sessions, and nothing else, goes with it. The module is still imported,
as it makes the settings; its own name must be free for that. An import without a use may be there
for others; one of a package, or of a file whose names others take with a star, is what they get.
"""

from __future__ import annotations

import ast
from pathlib import PurePath

from tfgpu.code.index import Import, Variable
from tfgpu.dataclass import replace
from tfgpu.flow.locations import Reading


class Taken:
    """The uses of a variable of a module in other files, as far as they give it to sessions.

    `given` are those, `imports` the imports that serve them and nothing else.
    """

    def __init__(self, variable: Variable, reading: Reading) -> None:
        self._read = reading
        self._variable = variable
        tree, symbols = reading.tree, reading.symbols
        self._uses = list(symbols.uses(variable))
        self.imports = list(filter(self._may_go, symbols.importers(variable)))
        by_name = {tree.file(item.statement): item.name for item in self.imports}
        self.given = [
            node
            for node in filter(self._is_argument, self._uses)
            if isinstance(node, ast.Attribute)
            or (isinstance(node, ast.Name) and by_name.get(tree.file(node)) == node.id)
            or (isinstance(node, ast.Name) and self._is_starred(node))
        ]

    def _is_starred(self, node: ast.Name) -> bool:
        """Tell whether a star import of the module, and nothing else, gives a file this name.

        Such an import brings what the module has, be it without the config.
        """
        whole = self._read.tree
        tree, home = whole.file(node), whole.file(self._variable[0].node)
        others = [file for file in whole.starred(tree) if file is not home]
        return (
            tree is not home
            and not any(node.id in file.root.bindings for file in others)
            and all(whole.star_binders(file, node.id) in ([], [home]) for file in others)
            and node.id == self._variable[1]
            and whole.star_binders(tree, node.id) == [home]
            and node.id not in tree.root.bindings
            and PurePath(tree.path).name != "__init__.py"
        )

    def _is_argument(self, node: ast.expr) -> bool:
        """Tell whether an expression is the config that a call makes a session with."""
        parent = self._read.tree.parent[node]
        call = self._read.tree.parent[parent] if isinstance(parent, ast.keyword) else parent
        sink = self._read.callees.sink(call) if isinstance(call, ast.Call) else None
        return sink is not None and sink.argument is node

    def _may_go(self, item: Import) -> bool:
        """Tell whether an import serves nothing but given uses, and its module can do without."""
        tree, statement = self._read.tree.file(item.statement), item.statement
        home = self._read.tree.file(self._variable[0].node)
        if (
            not isinstance(statement, ast.ImportFrom)
            or statement not in tree.module.body
            or not statement.module
            or tree is home
            or PurePath(tree.path).name == "__init__.py"
            or any(tree in self._read.tree.starred(file) for file in self._read.tree.files)
            or len(item.scope.bindings[item.name]) != 1
            or self._read.tree.linked(item) != (home, self._variable[1])
            or self._read.tree.linked(replace(item, path=item.path.rpartition(".")[0]))
            != (home, "")
        ):
            return False
        _, free = module_import(statement)
        bound = [found.node for found in tree.root.bindings.get(free, ())]
        users = [node for node in self._uses if tree.holds(node)]
        others = (
            node
            for node in tree.names.get(free, ())
            if tree.owner(free, tree.scope(node)) in (None, tree.root)
        )
        return (
            bool(users)
            and all(node is item.alias for node in bound)
            and all(map(self._is_argument, (*users, *others)))
        )


def module_import(statement: ast.ImportFrom) -> tuple[str, str]:
    """Return the import of the module that a statement takes names from, and the name it binds."""
    module = statement.module or ""
    if not statement.level:
        return f"import {module}", module.partition(".")[0]
    package, _, name = module.rpartition(".")
    return f"from {'.' * statement.level}{package} import {name}", name
