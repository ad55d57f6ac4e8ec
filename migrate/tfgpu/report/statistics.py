"""Findings by rule, and an estimate of the work that is left for hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tfgpu.dataclass import dataclass, field
from tfgpu.report.summary import Summary, count, share
from tfgpu.results import ConfigResult, Result
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import NamesRule, SettingRule, SinkRule

# Minutes for one piece of work of each kind. They were not measured: they are what an engineer who
# knows the program may need to read, decide and test, and are there to compare repositories by.
MINUTES = {
    "config that converts, to be read": 5,
    "unsafe fix, to be judged": 10,
    "config kept because of another one": 5,
    "config kept for which TensorFlow 2 has nothing else": 15,
    "config kept, to be moved by hand": 40,
    "name that TensorFlow 2 does not have, to be replaced": 30,
    "other finding, to be settled by hand": 15,
    "file that failed, to be read by hand": 20,
}
_MIGRATES, _UNSAFE, _BESIDE, _FINAL, _KEPT, _NAME, _OTHER, _FAILED = MINUTES
# Rules that only say that another config is in the way.
_BESIDE_RULES = ("beside-kept", "program-kept")


@dataclass(slots=True)
class Statistics:
    """Counts of findings by rule and by fix, and of pieces of work by kind (as in MINUTES)."""

    book: Rulebook
    rules: Counter[str] = field(default_factory=Counter)
    fixes: Counter[str] = field(default_factory=Counter)
    by_hand: int = 0
    work: Counter[str] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """Count one result."""
        self.work[_FAILED] += result.reason is not None
        for config in result.configs:
            self.work[self._config(config)] += 1
        reasons = {config.kept_by for config in result.configs}
        for finding in result.findings:
            self.rules[finding.code] += 1
            self.fixes[finding.fix] += 1
            self.by_hand += finding.by_hand
            rule = self.book.find(finding.code)
            # What is said about a config is part of its work.
            if finding.code in reasons or isinstance(rule, SettingRule | SinkRule | NamesRule):
                continue
            if finding.fix == "unsafe":
                self.work[_UNSAFE] += 1
            elif finding.fix == "none":
                kind = _NAME if finding.name in ("contrib", "removed-name") else _OTHER
                self.work[kind] += 1

    def _config(self, config: ConfigResult) -> str:
        if config.kept_by is None:
            return _MIGRATES
        rule = self.book.find(config.kept_by)
        if rule is not None and rule.name in _BESIDE_RULES:
            return _BESIDE
        return _FINAL if config.final else _KEPT

    @property
    def minutes(self) -> int:
        """The estimate of all work, in minutes."""
        return sum(MINUTES[kind] * number for kind, number in self.work.items())

    def as_dict(self) -> dict[str, object]:
        """Return the counts by name, for JSON."""
        return {
            "findings_by_rule": dict(self.rules.most_common()),
            "findings_by_fix": {name: self.fixes[name] for name in ("safe", "unsafe", "none")},
            "work": [
                {"what": kind, "count": self.work[kind], "minutes_each": minutes}
                for kind, minutes in MINUTES.items()
                if self.work[kind]
            ],
            "minutes": self.minutes,
        }


def statistics_lines(statistics: Statistics, summary: Summary) -> Iterator[str]:
    """Yield the statistics as lines for people."""
    for code, number in statistics.rules.most_common():
        rule = statistics.book.find(code)
        yield f"{number:6,} {code} {rule.name if rule is not None else ''}".rstrip()
    fixes = statistics.fixes
    yield (
        f"{count(summary.findings, 'finding')}: {fixes['safe']:,} with a safe fix, "
        f"{fixes['unsafe']:,} with an unsafe fix, {statistics.by_hand:,} by hand"
    )
    yield from shares(summary)
    yield f"work left, estimated: {duration(statistics.minutes)}"
    for kind, minutes in MINUTES.items():
        number = statistics.work[kind]
        if number:
            yield f"{number:6,} x {minutes} min: {kind}"


def shares(summary: Summary) -> Iterator[str]:
    """Yield what share of files was read and, if there are any, of configs migrates by itself."""
    files = summary.files_read + summary.files_unread
    good = files - summary.files_failed
    yield (
        f"{share(good, files)} of {count(files, 'file')} read without "
        f"failure, {summary.files_parsed:,} with names of GPU settings"
    )
    if summary.configs_found:
        part = share(summary.configs_convertible, summary.configs_found)
        yield f"configs that convert: {part} of {summary.configs_found:,}"


def duration(minutes: int) -> str:
    """Return an estimate in words: minutes, hours, or days of eight hours."""
    if minutes < 60:
        return count(minutes, "minute")
    if minutes < 16 * 60:
        return f"about {minutes / 60:.1f} hours"
    return f"about {minutes / 60 / 8:,.1f} working days"
