"""Which dotted paths lead to libraries that are not read, and not known to do nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cached_property

from tfgpu.code.canonical import FLAGS, canonical
from tfgpu.code.held import PYTHON, is_held, root_of
from tfgpu.code.index import Import
from tfgpu.code.origins import UNKNOWN, Origins
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.dataclass import replace
from tfgpu.files.pattern import expression
from tfgpu.flow.replaced import stored_paths

# By file and dotted path of an import: the libraries that the file imports which it means.
LeftOut = Mapping[tuple[str, str], frozenset[str]]

# A text that is a path of a module.
_FILE = expression(r"(?:^|[/\\])([A-Za-z_]\w*)\.py$")
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


class Libraries:
    """The libraries of some files that are read as one.

    `known` tells of a library whether it is known to do nothing, or what. `left_out` has the
    libraries that files of the project import which are not analysed, as nothing in them matters.
    """

    def __init__(
        self,
        tree: Tree,
        symbols: Symbols,
        origins: Origins,
        known: Callable[[str], bool],
        left_out: LeftOut,
    ) -> None:
        self._tree = tree
        self._symbols = symbols
        self._origins = origins
        self._known = known
        self._left_out = left_out

    def is_import_unread(self, item: Import) -> bool:
        """Tell whether an import runs a library that is not read."""
        return whole_import(item).path in self._absent or (
            self.is_unread(item.path) and self._tree.linked(item) is None
        )

    def is_unread(self, path: str) -> bool:
        """Tell whether a dotted path leads to a library that is not known to do nothing."""
        if f"{path}.".startswith(self._absent_names):
            return True
        return not self.is_known(path) and not f"{path}.".startswith(self._read)

    def is_known(self, path: str) -> bool:
        """Tell whether a dotted path leads to Python, or to a library that is known."""
        root = root_of(path)
        if root in self._files or f"{path}.".startswith(self._stored):
            return False
        return root in PYTHON or not root or self._known(root)

    @cached_property
    def _stored(self) -> tuple[str, ...]:
        found = stored_paths(self._tree, self._symbols)
        paths = [path for path, node in found if not self._is_plain_flag(path, node)]
        return tuple(f"{path}{end}" for path in paths for end in ".([")

    def _is_plain_flag(self, path: str, node: ast.AST) -> bool:
        """Tell whether a flag gets a text or a number: `FLAGS.folder = os.path.join(...)`."""
        parent = self._tree.parent[node]
        if canonical(path).rpartition(".")[0] not in FLAGS or not isinstance(parent, _ASSIGNMENTS):
            return False
        return parent.value is not None and all(
            isinstance(one, str)
            and one != UNKNOWN
            and not is_held(one)
            and (root_of(one) in PYTHON or canonical(one).rpartition(".")[0] in FLAGS)
            for one in self._origins.of(parent.value) or {UNKNOWN}
        )

    @cached_property
    def _files(self) -> frozenset[str]:
        """The names of modules that texts name with their suffix: the program may write them."""
        found = map(_FILE.search, self._tree.texts)
        return frozenset(match[1] for match in found if match is not None)

    def is_left_out(self, statement: ast.stmt, path: str) -> bool:
        """Tell whether an import is of a file in which nothing matters, nor in what it imports."""
        inner = self._left_out.get((self._tree.file(statement).path, path))
        return inner is not None and all(map(self.is_known, inner))

    @cached_property
    def _read(self) -> tuple[str, ...]:
        """The paths of imported modules that are files of the program."""
        tree = self._tree
        found = {
            item.path
            for item in tree.imports
            if tree.linked(item) is not None
            or (not self.is_known(item.path) and self.is_left_out(item.statement, item.path))
        }
        # `import tools.util` binds `tools`, which may be a folder and no module.
        for statement, other in tree.imported_modules():
            for alias in statement.names if isinstance(statement, ast.Import) else ():
                if alias.name.replace(".", "/") in other.path:
                    found.add(alias.name.partition(".")[0])
            if not isinstance(statement, ast.Import | ast.ImportFrom):
                # `import_module("tools.util")`
                for node in ast.walk(statement):
                    name = node.value if isinstance(node, ast.Constant) else None
                    if isinstance(name, str) and name and name.replace(".", "/") in other.path:
                        found.add(name)
        return tuple(f"{path}." for path in found)

    @cached_property
    def _absent(self) -> frozenset[str]:
        """The imports of what is in no module of the program: a package may have other folders."""
        whole = map(whole_import, self._tree.imports)
        return frozenset(item.path for item in whole if self._is_absent(item))

    @cached_property
    def _absent_names(self) -> tuple[str, ...]:
        return tuple(f"{path}." for path in self._absent)

    def _is_absent(self, item: Import, seen: frozenset[Import] = frozenset()) -> bool:
        """Tell whether an import takes something from a package that does not have it."""
        tree, linked = self._tree, self._tree.linked(item)
        if linked is None:
            path = tree.file(item.statement).path
            inside = item.path.startswith(".") or f"{item.path}.".startswith(self._read)
            return inside and self._left_out.get((path, item.path)) is None
        module, name = linked
        if not name or name.startswith("__") or module.star_imports or item in seen:
            return item in seen
        names = module.root.bindings
        if name not in names:
            # A module that is no package has no other folders.
            return module.path.endswith("__init__.py") and "__getattr__" not in names
        imports = (tree.imported.get(binding.node) for binding in names[name])
        return all(other is not None and self._is_absent(other, seen | {item}) for other in imports)


def whole_import(item: Import) -> Import:
    """Return an import with the path of all that it runs: `import tools.util` binds `tools`."""
    return replace(item, path=item.alias.name) if isinstance(item.statement, ast.Import) else item
