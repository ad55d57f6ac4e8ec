"""Counts over all results of a run; findings by rule, and an estimate of the work left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tfgpu.dataclass import dataclass, field
from tfgpu.results import CAUSE, ConfigResult, Finding, Result
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
class Summary:
    """Files read, parsed and failed; findings; configs found, convertible, and kept by reason.

    `files_unread` are paths that are not there, or cannot be read; they count as failed.

    `files_found` are the files with findings; `notes` are the findings that ask for nothing.

    `kept_programs` has the entry points of the programs that were kept, by the one config that kept
    them: its place and its rule. `causes` has, for the finding that keeps configs, by its key, the
    places of these configs. `configs_assumable` would convert on assumptions, `configs_unsafe` of
    them with unsafe fixes only,
    `configs_losing` are the others of which TensorFlow 2 would ignore settings, `configs_failing`
    those that every TensorFlow refuses; `stops` are the
    findings on names without which a program does not start on TensorFlow 2. `unread` counts the
    files of other languages that name a ConfigProto, and have no grammar installed.
    """

    files_read: int = 0
    files_unread: int = 0
    files_parsed: int = 0
    files_failed: int = 0
    files_found: int = 0
    findings: int = 0
    notes: int = 0
    configs_found: int = 0
    configs_convertible: int = 0
    kept_by_reason: Counter[str] = field(default_factory=Counter)
    kept_programs: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    causes: dict[str, set[str]] = field(default_factory=dict)
    configs_assumable: int = 0
    configs_unsafe: int = 0
    configs_losing: int = 0
    configs_failing: int = 0
    errors: int = 0
    stops: int = 0
    unread: Counter[str] = field(default_factory=Counter)

    @property
    def configs_kept(self) -> int:
        """The configs that were not converted."""
        return self.configs_found - self.configs_convertible

    def add(self, result: Result) -> None:
        """Count one result."""
        is_read = result.reason is None or bool(result.old)
        self.files_read += is_read
        self.files_unread += not is_read
        self.files_parsed += result.parsed
        self.files_failed += result.reason is not None
        if result.unread:
            self.unread[result.unread] += 1
        self.files_found += bool(result.findings)
        self.findings += len(result.findings)
        for finding in result.findings:
            self.notes += finding.severity == "note"
            self.errors += finding.severity == "error"
            self.stops += bool(stopping(finding))
            if finding.part == CAUSE:
                cause = finding.caused_by or finding.key(result.path)
                self.causes.setdefault(cause, set()).add(finding.config)
        if result.kept_for is not None:
            keeper = (result.kept_for.place, result.kept_for.rule)
            self.kept_programs.setdefault(keeper, set()).update(result.kept_for.programs)
        for config in result.configs:
            self.configs_found += 1
            # A file that failed is as it was, and its configs with it; where it only could not be
            # written, they convert all the same.
            is_done = result.reason is None or result.unwritten
            self.configs_convertible += config.kept_by is None and is_done
            self.configs_assumable += config.assumable
            self.configs_unsafe += config.needs_unsafe
            self.configs_failing += config.fails
            self.configs_losing += config.loses and not (config.assumable or config.fails)
            if config.kept_by is not None:
                self.kept_by_reason[config.kept_by] += 1

    def ordered_causes(self) -> list[tuple[str, set[str]]]:
        """Return what keeps configs with their places; what keeps most of them comes first."""
        return sorted(self.causes.items(), key=lambda item: -len(item[1]))

    def exit_code(self, found: bool) -> int:
        """Return 1 where something was found, 2 where a file failed, 3 for both, else 0."""
        return 2 * bool(self.files_failed) + found

    def as_dict(self) -> dict[str, object]:
        """Return the counts by name, for JSON."""
        return {
            "files_read": self.files_read,
            "files_parsed": self.files_parsed,
            "files_failed": self.files_failed,
            "findings": self.findings,
            "notes": self.notes,
            **({"unread": dict(sorted(self.unread.items()))} if self.unread else {}),
            "configs_found": self.configs_found,
            "configs_convertible": self.configs_convertible,
            "configs_kept": self.configs_kept,
            "kept_by_reason": dict(self.kept_by_reason.most_common()),
            "kept_programs": [
                {"programs": sorted(programs), "because_of": place, "rule": rule}
                for (place, rule), programs in self.kept_programs.items()
            ],
            "causes": [
                {"cause": cause, "configs": sorted(configs)}
                for cause, configs in self.ordered_causes()
            ],
        }


def stopping(finding: Finding) -> tuple[str, ...]:
    """Return names of a finding without which a program does not start on a recent TensorFlow 2."""
    return ("tf.estimator",) if finding.name == "estimator-config" else finding.names


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def share(part: int, whole: int) -> str:
    """Return a part of a whole in percent; of nothing it is all. Only the whole is 100 %."""
    tenths = 1000 * part // whole if whole else 1000
    return "100 %" if tenths == 1000 else f"{tenths / 10:.1f} %"


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
