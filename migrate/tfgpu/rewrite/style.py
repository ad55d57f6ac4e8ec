"""How a file writes code: the names it uses, its quotes and its indentation."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import filterfalse
from pathlib import Path

from tfgpu.code.tree import Tree
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis

_CHOICES = {
    "gpus": ("gpus", "physical_gpus", "gpu_devices"),
    "gpu": ("gpu", "physical_gpu", "gpu_device"),
    "index": ("index", "gpu_index", "gpu_number"),
    "limit": ("limit", "memory_limit", "gpu_memory_limit"),
}
_STRING = expression(r"""(?<![\w'"\\])[rbuRBU]{0,2}(['"])(?!\1\1)""")


class FreshNames(dict[str, str]):
    """A name for each variable of migrated code that nothing uses, found when it is needed.

    `hidden` names begin with an underscore, so that no star import takes them. `inherited` names
    are in the body of a class: one that any file of the program has, or asks an object for, may be
    an attribute.
    """

    def __init__(self, analysis: Analysis, hidden: bool) -> None:
        super().__init__()
        self._analysis = analysis
        self._start = "_" if hidden else ""
        self.inherited = False

    def __missing__(self, name: str) -> str:
        choices = tuple(f"{self._start}{choice}" for choice in _CHOICES.get(name, (name,)))
        if self.inherited:
            choices = tuple(filterfalse(self._analysis.reflection.may_be_attribute, choices))
        self[name] = fresh(self._analysis, choices or (f"{self._start}tf_{name}",))
        return self[name]


def fresh(analysis: Analysis, choices: tuple[str, ...]) -> str:
    """Return the first name that nothing uses, with a number after it if all are used."""
    numbered = (f"{choices[0]}_{number}" for number in range(2, 99))
    return next(name for name in (*choices, *numbered) if not is_used(analysis, name))


def is_used(analysis: Analysis, name: str) -> bool:
    """Tell whether a file uses a name, or any code may ask the module for it."""
    return name in analysis.tree.words or is_asked(analysis, name)


def is_asked(analysis: Analysis, name: str) -> bool:
    """Tell whether any code may ask a module for a name that is not in it, or a submodule has it.

    A name of a package hides its submodule: `from package import gpu` takes the name then.
    """
    path = Path(analysis.tree.path)
    is_submodule = path.stem == "__init__" and (
        (path.parent / name).exists() or any(path.parent.glob(f"{name}.*"))
    )
    return is_submodule or analysis.reflection.asks_module(analysis.tree, name)


def quote(text: str) -> str:
    """Return the quote that most strings of a file start with."""
    counts = Counter(_STRING.findall(text))
    return "'" if counts["'"] > counts['"'] else '"'


def indentation(module: ast.Module, tree: Tree) -> str:
    """Return one level of indentation of a file."""
    for node in ast.walk(module):
        body = getattr(node, "body", None)
        if not isinstance(node, ast.stmt) or not body or body[0].lineno == node.lineno:
            continue
        outer, inner = tree.line(node.lineno), tree.line(body[0].lineno)
        before = outer[: len(outer) - len(outer.lstrip())]
        after = inner[: len(inner) - len(inner.lstrip())]
        if after.startswith(before) and after != before:
            return after[len(before) :]
    return "    "
