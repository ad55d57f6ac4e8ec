"""The names of Python and of known libraries that are plain: see `rules/names/plain.txt`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from tfgpu.dataclass import dataclass

# What a module of Python has imported is no part of it; of libraries these modules count.
_MODULES = sys.stdlib_module_names
_REACHED = frozenset(
    ["os", "sys", "builtins", "importlib", "inspect", "multiprocessing", "pickle", "subprocess"]
)


@dataclass(frozen=True, slots=True)
class PlainNames:
    """Names that are plain: single ones, beginnings (`below`), and what of these is not.

    `unless` has functions that are plain where no call gives them the argument of that name.
    """

    names: frozenset[str]
    below: frozenset[str]
    others: frozenset[str]
    roots: frozenset[str]
    unless: Mapping[str, str]

    @classmethod
    def of(cls, lines: Iterable[str]) -> PlainNames:
        """Read the lines of the list."""
        names, unless = set[str](), dict[str, str]()
        for line in lines:
            name, _, argument = line.partition(" unless ")
            names.add(f"!{name}" if argument else name)
            unless.update({name: argument} if argument else {})
        below = frozenset(line[:-2] for line in names if line.endswith(".*"))
        others = frozenset(line[1:] for line in names if line.startswith("!"))
        single = frozenset(line for line in names if line[0] != "!" and line[-1] != "*")
        dotted = (line for line in (*single, *below) if "." in line or line in below)
        roots = frozenset(line.partition(".")[0] for line in dotted)
        return cls(single, below, others, roots, unless)

    def knows(self, path: str) -> bool:
        """Tell whether anything of the package of a dotted path is plain."""
        return path.partition(".")[0] in self.roots

    def is_builtin(self, name: str) -> bool:
        """Tell whether a name is that of a builtin that is plain."""
        return name in self.names

    def is_whole(self, module: str) -> bool:
        """Tell whether everything in a module is plain."""
        return module in self.below and not any(it.startswith(f"{module}.") for it in self.others)

    def has(self, path: str) -> bool:
        """Tell whether what a dotted path leads to is plain."""
        if path in self.names:
            return True
        parts = path.split(".")
        begins = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
        if not self.others.isdisjoint(begins):
            return False
        for count, begin in zip(range(len(parts), 0, -1), begins, strict=True):
            if begin in self.names or (begin in self.below and count < len(parts)):
                modules = _MODULES if parts[0] in _MODULES else _REACHED
                return not any(part[0] == "_" or part in modules for part in parts[count:])
        return False
