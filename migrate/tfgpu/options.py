"""What the user chose, for all commands alike."""

from __future__ import annotations

from typing import Protocol

from tfgpu.dataclass import dataclass


class Named(Protocol):
    """What has a code and a readable name: a rule, or a finding."""

    @property
    def code(self) -> str:
        """The code, as in TFG101."""

    @property
    def name(self) -> str:
        """The readable name, as in allow-growth."""


@dataclass(frozen=True, slots=True)
class Options:
    """The lowest TensorFlow version to support, kinds of fixes, and the selection of rules.

    `assume` converts on assumptions that a run can check, as `unsafe_fixes` does, apart from those
    that are `refuted`: each by its kind and its two places, the second maybe empty.
    `select` (empty: all), `extend_select` and `ignore` hold code prefixes and readable names;
    `severity` has them
    with the word for how much their findings matter, the last that holds decides. `rules` are
    folders of house rules. `imports` switches the imports of programs without conversions, too;
    `bridge` leaves imports alone and spells settings with names that TensorFlow 1.15 has.
    `fix_python2` writes files of Python 2 that change in the syntax of Python 3. `gpu_memory` is
    the total of each GPU in MiB where the user says it, 0 where not.
    """

    min_tf: tuple[int, int] = (2, 4)
    unsafe_fixes: bool = False
    assume: bool = False
    keep_imports: bool = False
    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fix_python2: bool = False
    severity: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()
    imports: bool = False
    bridge: bool = False
    refuted: frozenset[tuple[str, str, str]] = frozenset()
    gpu_memory: int = 0

    def selects(self, rule: Named) -> bool:
        """Tell whether a rule, or a finding of one, is selected."""
        wanted = (*self.select, *self.extend_select) if self.select else ()
        if wanted and not any(names(pattern, rule) for pattern in wanted):
            return False
        return not self.ignores(rule)

    def ignores(self, rule: Named) -> bool:
        """Tell whether a rule, or a finding of one, is ignored."""
        return any(names(pattern, rule) for pattern in self.ignore)

    def severity_of(self, rule: Named, usual: str) -> str:
        """Return how much a finding of a rule matters, given how much it usually does."""
        found = [word for pattern, word in self.severity if names(pattern, rule)]
        return found[-1] if found else usual


def names(pattern: str, rule: Named) -> bool:
    """Tell whether a pattern is the name of a rule, or the start of its code."""
    return rule.name == pattern or rule.code.startswith(pattern)
