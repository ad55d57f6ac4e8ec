"""The answers to questions about runs of a program that reading it may leave open."""

from __future__ import annotations

import enum


class When(enum.Enum):
    """Whether something happens in a run of a program: unknown is a value of its own."""

    NEVER = "never"
    MAYBE = "maybe"
    ALWAYS = "always"
