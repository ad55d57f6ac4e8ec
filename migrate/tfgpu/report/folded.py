"""Results for people: one finding for each config and each cause, with what belongs to it below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from click import style

from tfgpu.dataclass import dataclass, field
from tfgpu.place import place, printable
from tfgpu.report.summary import Statistics, Summary, count, statistics_lines
from tfgpu.report.text import finding_lines, fix_colour
from tfgpu.report.writer import BaseWriter
from tfgpu.results import ASSUMPTION, CAUSE, Finding, Result

# Places that are named before the others are only counted.
_MOST = 4
# A finding and the file that it is in.
Told = tuple[str, Finding]


class Writer(BaseWriter):
    """Writes the findings at the end, when it is known what belongs together."""

    def result(self, result: Result) -> None:
        """Keep the findings of one file."""
        if result.findings:
            self._results.append(result)

    def end(self, summary: Summary, statistics: Statistics | None) -> None:
        """Write the findings, and the statistics."""
        groups = fold(self._results)
        lines = [line for group in groups for line in group_lines(group)]
        if statistics is not None:
            lines += [*([""] if lines else []), *statistics_lines(statistics, summary)]
        if lines:
            self._write("".join(f"{line}\n" for line in lines))


def group_lines(group: Group, source: bool = True) -> Iterator[str]:
    """Yield the lines of a finding and of what belongs to it, with its source line."""
    if group.converts:
        yield from _converted(group)
        return
    yield from finding_lines(group.path, group.head, source)
    yield from _more_causes(group)
    kept = [item for item in group.parts if item[1].part != CAUSE]
    if kept:
        yield f"    stays with it: {_names(group.path, kept)}"
    if group.again:
        again = [place(other.path, other.head.line, cell=other.head.cell) for other in group.again]
        yield f"    also in {_places(again, 'more place')}"
    own = [(led.path, led.head) for led in group.keeps if not led.head.config]
    if own:
        yield f"    belongs to it: {_names(group.path, own)}"
    others = [config for config in group.configs if config != group.head.config]
    others = [config for config in others if config not in {g.head.config for g in group.again}]
    if others:
        yield f"    keeps {_places(others, 'more config')}"


def _converted(group: Group) -> Iterator[str]:
    head = style(f"{printable(group.head.config)}:", bold=True)
    told = [(group.path, group.head), *group.parts]
    settings = [item for item in told if item[1].part != ASSUMPTION]
    kind = "converts" if group.head.fix == "safe" else "converts [unsafe fix]"
    yield f"{head} {style('config', fg=fix_colour(group.head))} {kind}: " + _names(
        group.head.config.rpartition(":")[0] if not group.head.cell else group.path, settings
    )
    for _, finding in told:
        if finding.part == ASSUMPTION:
            yield f"    {finding.code} {finding.name}: {printable(finding.message)}"


def _more_causes(group: Group) -> Iterator[str]:
    """Yield what else keeps a config: all of it has to be gone before it converts."""
    for path, finding in group.parts:
        if finding.part == CAUSE:
            where = printable(_where(group.path, path, finding))
            yield f"    and {finding.code} {finding.name} in {where}: {printable(finding.message)}"


def _where(here: str, path: str, finding: Finding) -> str:
    if path != here:
        return place(path, finding.line, cell=finding.cell)
    return f"cell {finding.cell}:{finding.line}" if finding.cell else f"line {finding.line}"


def _names(here: str, told: Sequence[Told]) -> str:
    """Return the rules of findings with their lines."""
    return printable(", ".join(f"{one.name} ({_where(here, path, one)})" for path, one in told))


def _places(found: Sequence[str], noun: str) -> str:
    """Return how many places there are, and the first of them."""
    named = ", ".join(found[:_MOST])
    more = ", ..." if len(found) > _MOST else ""
    return printable(f"{count(len(found), noun)}: {named}{more}")


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
