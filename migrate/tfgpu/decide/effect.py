"""One thing that a program does."""

from __future__ import annotations

import ast

from tfgpu.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """One thing that a program does: the node that does it, and its name in words.

    With `in_session` it runs in a session, which has to be made first. Where it is not `certain`, a
    call may do it that is not known to.
    """

    node: ast.AST
    name: str
    in_session: bool = False
    certain: bool = True
