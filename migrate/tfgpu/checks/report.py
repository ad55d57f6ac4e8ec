"""What a check reports."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tfgpu.dataclass import dataclass, field


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """A finding of a check, which keeps no config: rule by name, place, values for its message.

    What is `pending` holds only where a launcher shows each process one GPU.
    """

    rule: str
    node: ast.AST
    details: Mapping[str, str] = field(default_factory=dict)
    pending: bool = False
