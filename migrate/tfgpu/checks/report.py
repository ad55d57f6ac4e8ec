"""What a check reports."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tfgpu.dataclass import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """Something that no config is kept for: a check rule by name, a place, and what to fill in.

    What is `pending` holds only where a launcher shows each process one GPU.
    """

    rule: str
    node: ast.AST
    details: Mapping[str, str] = field(default_factory=dict)
    pending: bool = False
