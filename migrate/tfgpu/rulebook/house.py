"""House rules: a team's own rule files, beside the built-in ones and of the same form."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tfgpu.files.files import load
from tfgpu.files.pyfile import SourceError
from tfgpu.rulebook.book import SUBJECTS, Rulebook, add_subjects, subjects
from tfgpu.rulebook.load import parse_rule
from tfgpu.rulebook.model import CallRule, Rule, SettingRule, SinkRule
from tfgpu.rulebook.table import RuleError


def house_rules(book: Rulebook, places: Iterable[str]) -> list[Rule]:
    """Load the rules of folders, or single files, that join the built-in ones.

    Raises:
        RuleError: a file cannot be read, is wrong, or is about what another rule is about.
    """
    rules: list[Rule] = []
    known = {subject: rule for rule in book.rules for subject in subjects(rule)}
    called = {key: rule for rule in book.rules for key in (rule.code, rule.name)}
    for path in dict.fromkeys(path for place in places for path in _files(Path(place))):
        rule = _read(path)
        for key in (rule.code, rule.name):
            if key in called:
                raise RuleError(str(path), "code or name", key, f"none that {called[key].path} has")
            called[key] = rule
        add_subjects(known, rule, str(path))
        if isinstance(rule, SinkRule | CallRule) and rule.setting is not None:
            _check_field(rule.setting, book, str(path))
        rules.append(rule)
    return rules


def _files(place: Path) -> list[Path]:
    if place.is_dir():
        found = sorted(place.rglob("*.toml"))
        top = place.resolve()
        for path in found:
            if path.is_symlink() and not path.resolve().is_relative_to(top):
                raise RuleError(str(path), "the file", "a link out of it", f"a file below {place}")
        return found
    if place.is_file():
        return [place]
    raise RuleError(str(place), "rules", str(place), "a folder, or a file, that exists")


def _read(path: Path) -> Rule:
    try:
        text = load(str(path)).decode("utf-8")
    except (SourceError, UnicodeDecodeError) as error:
        raise RuleError(str(path), "the file", str(error), "a file of UTF-8 text") from error
    rule = parse_rule(text, str(path))
    if rule.code.startswith("TF"):
        expected = "one that does not start with TF: those are tfgpu's own"
        raise RuleError(str(path), "code", rule.code, expected)
    if type(rule) not in SUBJECTS:
        raise RuleError(str(path), "kind", rule.code, "a setting, sink, query or call")
    for symbol in () if isinstance(rule, SettingRule) else subjects(rule):
        if "." not in symbol:
            raise RuleError(str(path), SUBJECTS[type(rule)], symbol, "a name with its module")
    return rule


def _check_field(field: str, book: Rulebook, path: str) -> None:
    if book.rule_for(field, frozenset()) is None:
        nearest = book.nearest_field(field)
        hint = f"; did you mean {nearest}?" if nearest else ""
        raise RuleError(path, "setting", field, f"a field of ConfigProto{hint}")
