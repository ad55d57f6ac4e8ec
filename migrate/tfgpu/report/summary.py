"""Counts over all results of a run."""

from __future__ import annotations

from collections import Counter

from tfgpu.dataclass import dataclass, field
from tfgpu.results import CAUSE, Result

# Names that are in no TensorFlow 2, or in no recent one: a program with them does not start there.
STOPS = ("contrib", "removed-name", "estimator-config")


@dataclass(slots=True)
class Summary:
    """Files read, parsed and failed; findings; configs found, convertible, and kept by reason.

    `files_unread` are paths that are not there, or cannot be read; they count as failed.

    `files_found` are the files with findings; `notes` are the findings that ask for nothing.

    `kept_programs` has the entry points of the programs that were kept, by the one config that kept
    them: its place and its rule. `causes` has, for the finding that keeps configs, by its key, the
    places of these configs. `configs_assumable` would convert on assumptions,
    `configs_losing` are the others of which TensorFlow 2 would ignore settings; `stops` are the
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
    configs_losing: int = 0
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
            self.stops += finding.name in STOPS
            if finding.part == CAUSE:
                cause = finding.caused_by or finding.key(result.path)
                self.causes.setdefault(cause, set()).add(finding.config)
        if result.kept_for is not None:
            keeper = (result.kept_for.place, result.kept_for.rule)
            self.kept_programs.setdefault(keeper, set()).update(result.kept_for.programs)
        for config in result.configs:
            self.configs_found += 1
            self.configs_convertible += config.kept_by is None
            self.configs_assumable += config.assumable
            self.configs_losing += config.loses and not config.assumable
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


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def share(part: int, whole: int) -> str:
    """Return a part of a whole in percent; of nothing it is all. Only the whole is 100 %."""
    tenths = 1000 * part // whole if whole else 1000
    return "100 %" if tenths == 1000 else f"{tenths / 10:.1f} %"
