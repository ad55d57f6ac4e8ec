"""What files lose when they are migrated: the switch of imports depends on what is left.

Results hold this: it loads nothing of the analysis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass

if TYPE_CHECKING:
    from tfgpu.program.switches import Obstacle, Spot


@dataclass(frozen=True, slots=True)
class Losses:
    """What a file loses when it is migrated, and what it would lose if its imports were switched.

    `gone` is where what it does not have any more started, `sessions` those of these places where
    a session for Keras is: it stays where graphs are built. `obstacles` are what would take
    settings from kept configs that are built there.
    """

    gone: frozenset[Spot] = frozenset()
    sessions: frozenset[Spot] = frozenset()
    obstacles: tuple[Obstacle, ...] = ()


NO_LOSSES = Losses()
