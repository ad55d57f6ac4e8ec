"""`tfgpu rules` and `tfgpu rule`: the rulebook, for reading."""

from __future__ import annotations

import pytest

from tests.cli.tools import ROOT, tfgpu
from tests.tools import book
from tfgpu.rulebook.model import Rule

RULE_FILES = [path for path in (ROOT / "rules").rglob("*.toml") if path.parent.name != "names"]


def test_one_line_for_each_rule_file_in_the_order_of_codes() -> None:
    result = tfgpu("rules")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert result.stderr == ""
    assert len(lines) == len(RULE_FILES) > 50
    codes = [line.split()[0] for line in lines]
    assert codes == sorted(codes)
    rows = [line.split()[:5] for line in lines]
    assert ["TFG101", "allow-growth", "warning", "safe", "exact"] in rows
    fixes = {line.split()[0]: line.split()[3] for line in lines}
    # Of each kind of rule, what becomes something else and what stays.
    wanted = {"TFG107": "none", "TFG802": "safe", "TFG701": "unsafe", "TFX001": "none"}
    wanted |= {"TFG801": "safe", "TFG804": "none", "TFG606": "none", "TFG102": "safe"}
    assert {code: fixes[code] for code in wanted} == wanted


def test_a_rule_by_its_name_and_by_its_code() -> None:
    by_name, by_code = tfgpu("rule", "allow-growth"), tfgpu("rule", "TFG101")
    assert by_name.exit_code == by_code.exit_code == 0
    assert by_name.stdout == by_code.stdout
    assert by_name.stdout.startswith("# TFG101 allow-growth\n")
    assert "gpu_options.allow_growth" in by_name.stdout
    assert "set_memory_growth(gpu, True)" in by_name.stdout
    assert by_name.stderr == ""


@pytest.mark.parametrize("rule", book().rules, ids=lambda rule: rule.code)
def test_every_rule_has_a_page(rule: Rule) -> None:
    page = tfgpu("rule", rule.name).stdout
    assert page.startswith(f"# {rule.code} {rule.name}\n\n{rule.summary}.\n")
    for example in rule.examples:
        assert example.before.strip() in page
        assert example.after.strip() in page


@pytest.mark.parametrize(
    ("name", "nearest"), [("alow-growth", "allow-growth"), ("allow_growth", "allow-growth")]
)
def test_a_wrong_name_is_a_usage_error_with_a_suggestion(name: str, nearest: str) -> None:
    result = tfgpu("rule", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"no rule '{name}'; did you mean {nearest}?" in result.stderr


def test_a_name_that_is_like_no_other() -> None:
    result = tfgpu("rule", "zzzzzzzzzzzz")
    assert result.exit_code == 2
    assert "no rule 'zzzzzzzzzzzz'" in result.stderr
    assert "did you mean" not in result.stderr


def test_a_rule_must_be_named() -> None:
    assert tfgpu("rule").exit_code == 2
