"""Plans the switch of the imports of small programs, given as texts."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from textwrap import dedent

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.options import Options
from tfgpu.program.entries import programs_of
from tfgpu.program.losses import Losses
from tfgpu.program.modules import Modules
from tfgpu.program.switch import plan_switches
from tfgpu.program.switches import Disable, Program, Switch, Switches, spot
from tfgpu.program.uses import Uses
from tfgpu.rulebook.book import load_rulebook


class Texts:
    """The files of a program, parsed once each; None for what is no Python 3."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.trees: dict[str, tuple[Tree, Symbols] | None] = {}
        for path, text in texts.items():
            try:
                tree = Tree(ast.parse(text), text, path)
            except SyntaxError:
                self.trees[path] = None
            else:
                self.trees[path] = tree, Symbols(tree)

    def __call__(self, path: str) -> tuple[Tree, Symbols] | None:
        return self.trees[path]


def plan(
    texts: Mapping[str, str],
    converted: Collection[str] | None = None,
    options: Options | None = None,
    removed: Mapping[str, str] | None = None,
    programs: Collection[Program] = (),
) -> Switches:
    """Plan the switch of some files; all are converted unless some are named.

    `removed` has, for a file, the start of the statements that its migration takes away.
    """
    texts = {path: dedent(text) for path, text in texts.items()}
    modules = Modules({path: text.encode() for path, text in texts.items()})
    files = Texts(texts)
    losses: dict[str, Losses] = {}
    for path, start in (removed or {}).items():
        found = files(path)
        assert found is not None
        tree = found[0]
        losses[path] = Losses(
            gone=frozenset(
                spot(inner)
                for node in tree.parent
                if isinstance(node, ast.stmt) and ast.unparse(node).startswith(start)
                for inner in ast.walk(node)
                if isinstance(inner, ast.Name)
            )
        )
    return plan_switches(
        programs or programs_of(modules),
        Uses(modules, files, load_rulebook()),
        options or Options(),
        texts if converted is None else converted,
        losses,
    )


def written(switches: Switches) -> dict[str, list[str]]:
    """Return what changes of the imports of each file, in words."""
    return {
        path: [
            *(f"{item.path}" for item in file.imports),
            *(f"{item.path}" for item in file.stars),
            *(_disabled(item) for item in file.disable),
        ]
        for path, file in switches.files.items()
        if isinstance(file, Switch)
    }


def _disabled(item: Disable) -> str:
    place = "top" if item.statement is None else str(item.statement[0])
    return f"disable {item.name} {place}"
