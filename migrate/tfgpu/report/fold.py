"""Findings put together: a config is one, and what a finding causes or repeats belongs to it."""

from __future__ import annotations

from collections.abc import Iterable

from tfgpu.dataclass import dataclass, field
from tfgpu.results import CAUSE, Finding, Result

# A finding and the file that it is in.
Told = tuple[str, Finding]


@dataclass(slots=True, eq=False)
class Group:
    """A finding, the first of those that are told as one.

    `parts` are the other findings about its config, `again` findings elsewhere in the same words,
    `keeps` the configs that are kept for the sake of this one.
    """

    path: str
    head: Finding
    parts: list[Told] = field(default_factory=list)
    again: list[Group] = field(default_factory=list)
    keeps: list[Group] = field(default_factory=list)

    @property
    def converts(self) -> bool:
        """Whether this is a config that is converted."""
        return bool(self.head.config) and self.head.part != CAUSE and not self.head.caused_by

    @property
    def key(self) -> str:
        """What `caused_by` of other findings names this one by."""
        return self.head.key(self.path)

    @property
    def configs(self) -> list[str]:
        """The places of the configs that this keeps, its own among them."""
        found = [self.head.config] if self.head.config and not self.converts else []
        for group in (*self.again, *self.keeps):
            found += group.configs
        return list(dict.fromkeys(found))


def fold(results: Iterable[Result]) -> list[Group]:
    """Return the findings of a run as groups, in the order in which their first ones come."""
    configs: dict[str, list[Told]] = {}
    groups: list[Group | str] = []
    for result in results:
        for finding in result.findings:
            if not finding.config:
                groups.append(Group(result.path, finding))
                continue
            if finding.config not in configs:
                groups.append(finding.config)
            configs.setdefault(finding.config, []).append((result.path, finding))
    made = [_config(configs[item]) if isinstance(item, str) else item for item in groups]
    return _repeated(_caused(made))


def _config(told: list[Told]) -> Group:
    """Return the group of a config: the head is why it is kept, else what comes first."""
    causes = [item for item in told if item[1].part == CAUSE]
    head = next((item for item in causes if item[1].caused_by), (causes or told)[0])
    return Group(*head, parts=[item for item in told if item is not head])


def _caused(groups: list[Group]) -> list[Group]:
    """Put what is caused by a group of the run below that."""
    by_key = {group.key: group for group in reversed(groups)}
    top = []
    for group in groups:
        cause = by_key.get(group.head.caused_by)
        if cause is None or cause is group or cause.head.caused_by:
            top.append(group)
        else:
            cause.keeps.append(group)
    return top


def _repeated(groups: list[Group]) -> list[Group]:
    """Put what says the same as an earlier group below that."""
    first: dict[tuple[str, ...], Group] = {}
    top = []
    for group in groups:
        head = group.head
        words = (head.code, head.message, head.todo, head.fix, head.severity)
        if group.converts or first.setdefault(words, group) is group:
            top.append(group)
        else:
            first[words].again.append(group)
    return top
