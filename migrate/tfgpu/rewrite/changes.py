"""All changes of one file, as they are planned: what goes, what comes, and where."""

from __future__ import annotations

import ast

from tfgpu.dataclass import dataclass, field
from tfgpu.flow.modern import OldName
from tfgpu.program.switches import Obstacle, Spot
from tfgpu.rewrite.compose import Piece
from tfgpu.rewrite.imports import Imports


@dataclass(slots=True)
class Plan:
    """All changes of one file, in terms of its syntax tree.

    `removed` statements go (of `returns` a bare `return` stays), `pieces` of code come before
    statements, `dropped` are calls, and dictionaries, that lose a value, `entered` the calls that
    make a plain session and enter it instead, `parameters` functions that lose a parameter,
    `shortened` the calls of those, `flags` functions of which a parameter becomes a flag, with its
    name, `told` calls that give one, with the argument that was there, the name of the flag and its
    value, `methods` properties that become plain methods, `typeless` functions that return nothing
    any more, `opened` conditions whose body stays, `replaced` expressions that become other code,
    `called` calls of something else, `renamed` names that get a better one, `helpers` functions to
    add, `cut` targets of assignments that have others, `unbound` names that `global` and `nonlocal`
    statements lose, `moved_to` statements that settings move in front of, `gone` where what the
    file does not have any more started, `sessions` where a session is that Keras is given. `behind`
    are pieces of code that come right after a statement, or first in the block of a `with`.
    `bridge` tells that settings are spelled with names of TensorFlow 1.15, and imports stay.
    `stays` tells that the file is TensorFlow 1 code before and after: no TensorFlow that runs it
    has the names of migrated code. `obstacle` keeps the imports of its whole program, `for_graphs`
    the sessions that Keras is given.
    """

    removed: set[ast.stmt] = field(default_factory=set)
    returns: set[ast.stmt] = field(default_factory=set)
    pieces: dict[ast.stmt, list[Piece]] = field(default_factory=dict)
    dropped: dict[ast.expr, ast.expr] = field(default_factory=dict)
    entered: set[ast.Call] = field(default_factory=set)
    parameters: dict[ast.FunctionDef, ast.arg] = field(default_factory=dict)
    shortened: set[ast.Call] = field(default_factory=set)
    flags: dict[ast.FunctionDef, tuple[ast.arg, str]] = field(default_factory=dict)
    told: dict[ast.Call, tuple[ast.expr, str, str]] = field(default_factory=dict)
    methods: set[ast.FunctionDef] = field(default_factory=set)
    typeless: set[ast.FunctionDef] = field(default_factory=set)
    opened: set[ast.stmt] = field(default_factory=set)
    replaced: dict[ast.expr, str] = field(default_factory=dict)
    called: dict[ast.Call, str] = field(default_factory=dict)
    renamed: dict[ast.Attribute, OldName] = field(default_factory=dict)
    helpers: list[str] = field(default_factory=list)
    imports: Imports = field(default_factory=Imports)
    cut: set[ast.expr] = field(default_factory=set)
    unbound: set[tuple[ast.stmt, str]] = field(default_factory=set)
    moved_to: set[ast.stmt] = field(default_factory=set)
    gone: frozenset[Spot] = frozenset()
    sessions: set[Spot] = field(default_factory=set)
    behind: dict[ast.stmt, list[Piece]] = field(default_factory=dict)
    bridge: bool = False
    stays: bool = False
    obstacle: Obstacle | None = None
    for_graphs: Obstacle | None = None

    def __bool__(self) -> bool:
        return bool(
            self.removed
            or self.pieces
            or self.dropped
            or self.told
            or self.replaced
            or self.renamed
        ) or bool(self.imports)
