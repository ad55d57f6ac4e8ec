"""Look-ups in all rules together."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.tools import book
from tfgpu.files.kinds import Kind
from tfgpu.rulebook.book import RULES, read_rulebook
from tfgpu.rulebook.model import SettingRule, SinkRule
from tfgpu.rulebook.table import RuleError
from tfgpu.rulebook.tokens import tokens


@pytest.mark.parametrize(
    ("field", "present", "name"),
    [
        ("gpu_options.allow_growth", set(), "allow-growth"),
        (
            "gpu_options.allow_growth",
            {"gpu_options.per_process_gpu_memory_fraction"},
            "growth-with-limit",
        ),
        ("gpu_options.allow_growth", {"allow_soft_placement"}, "allow-growth"),
        ("device_count.GPU", set(), "device-count-gpu"),
        ("device_count.TPU", set(), "device-count-keys"),
        ("device_count", set(), "device-count-keys"),
        ("rpc_options.use_rpc_for_inprocess_master", set(), "rpc-options"),
        ("rpc_options.a.b", set(), "rpc-options"),
    ],
)
def test_rule_for_a_field(field: str, present: set[str], name: str) -> None:
    rule = book().rule_for(field, frozenset(present))
    assert rule is not None
    assert rule.name == name


@pytest.mark.parametrize(
    "field",
    ["allow_growth", "gpu_options.growth", "gpu_options", "", "experimental.nothing", "x.y.z"],
)
def test_no_rule_for_what_is_no_field(field: str) -> None:
    assert book().rule_for(field, frozenset()) is None


@pytest.mark.parametrize(
    ("field", "nearest"),
    [
        ("gpu_options.alow_growth", "gpu_options.allow_growth"),
        ("gpu_option.allow_growth", "gpu_options.allow_growth"),
        ("allow_growth", "gpu_options.allow_growth"),
        ("alow_soft_placement", "allow_soft_placement"),
        ("q", None),
    ],
)
def test_nearest_field(field: str, nearest: str | None) -> None:
    assert book().nearest_field(field) == nearest


def test_nearest_rule() -> None:
    assert book().nearest_rule("alow-growth") == "allow-growth"
    assert book().nearest_rule("TFG11") in {rule.code for rule in book().rules}
    assert book().nearest_rule("?") is None


def test_find_by_code_and_name() -> None:
    rule = book().find("TFG101")
    assert rule is not None
    assert book().find("allow-growth") is rule
    assert book().find("TFG1") is None


@pytest.mark.parametrize(
    ("name", "min_tf", "spelling"),
    [
        ("tf.config.list_physical_devices", (2, 1), "tf.config.list_physical_devices"),
        ("tf.config.list_physical_devices", (2, 0), "tf.config.experimental.list_physical_devices"),
        ("tf.config.set_visible_devices", (1, 15), "tf.config.experimental.set_visible_devices"),
        ("tf.config.set_soft_device_placement", (1, 15), "tf.config.set_soft_device_placement"),
    ],
)
def test_spelling(name: str, min_tf: tuple[int, int], spelling: str) -> None:
    assert book().spelling(name, min_tf) == spelling


def test_tokens_of_the_gate() -> None:
    words = tokens(Kind.PYTHON, book())
    assert {b"ConfigProto", b"GPUOptions", b"set_session", b"is_gpu_available"} <= set(words)
    assert b"Experimental" not in words


def test_helpers_exist_for_every_rule_that_names_one() -> None:
    for rule in book().rules:
        if isinstance(rule, SettingRule):
            for case in rule.cases:
                if case.emit is not None:
                    assert set(case.emit.helpers) <= set(book().helpers), rule.path


def test_sinks_and_queries() -> None:
    assert book().sinks["tf.Session"].name == "session-config"
    assert book().sink_methods["managed_session"] == "tf.train.Supervisor.managed_session"
    assert book().makers["tf.train.MonitoredSession"].handed == "session_creator"
    assert book().queries["tf.test.is_gpu_available"].forms.keys() == {"value"}
    assert "gpu_options" in book().messages


def test_what_tensorflow_removed() -> None:
    slim, estimator = (
        book().removed("tf.contrib.slim.learning.train"),
        book().removed("tf.estimator"),
    )
    assert slim is not None
    assert estimator is not None
    assert (slim.name, slim.since, estimator.since) == ("tf.contrib.slim", "2.0", "2.16")
    assert book().removed("tf.estimators") is None
    assert book().removed("") is None


def test_two_rules_for_one_field_are_an_error(tmp_path: Path) -> None:
    shutil.copytree(RULES, tmp_path / "rules")
    rule = tmp_path / "rules" / "memory" / "allow_growth.toml"
    text = rule.read_text().replace("TFG101", "TFG199").replace('"allow-growth"', '"again"')
    rule.with_name("again.toml").write_text(text)
    with pytest.raises(RuleError, match=r"allow_growth.toml: settings: .* none that TFG199"):
        read_rulebook(tmp_path / "rules")


def test_every_rule_that_keeps_something_has_a_way_out() -> None:
    """Settings have it with each case; a sink that always converts keeps no config itself."""
    without = [
        rule.name
        for rule in book().rules
        if not isinstance(rule, SettingRule)
        and not (isinstance(rule, SinkRule) and rule.converts in ("always", "gone"))
        and not getattr(rule, "todo", "")
    ]
    assert without == []
    cases = [case for rule in book().rules for case in getattr(rule, "cases", ())]
    assert cases
    assert all(case.todo for case in cases if case.keep is not None)
