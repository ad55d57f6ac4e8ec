"""Findings told as one: a config with all of it, a cause with what it keeps, repetitions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.tools import GROWTH, KEPT, QUERY, document, tfgpu, write

# One program: the session of the second file cannot be converted, so the first stays, too.
MAIN = """\
import tensorflow as tf
import other

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
other.run()
sess = tf.Session(config=config)
"""
OTHER = """\
import tensorflow as tf

def run():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    config.graph_options.timeline_step = 3
    config.graph_options.build_cost_model = 3
    return tf.Session(config=config)
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def heads(text: str) -> list[str]:
    """Return the first line of each finding, without its words."""
    return re.findall(r"^(\S+?:\d+)(?::\d+)?: (?:config converts|(?:TF|HO)\w+)", text, re.M)


def test_a_config_that_converts_is_one_line(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    assert tfgpu("audit", "a.py").stdout == (
        "a.py:4: config converts: allow-growth (line 5), session-config (line 6)\n"
    )


def test_a_config_that_is_kept_is_one_finding_with_its_cause(tmp_path: Path) -> None:
    write(tmp_path / "other.py", OTHER)
    text = tfgpu("audit", "other.py").stdout
    assert heads(text) == ["other.py:6"]
    # All that keeps it, and what stays with it.
    assert "    and TFG521 graph-options-v1-only in line 7: " in text
    assert "    stays with it: allow-growth (line 5), session-config (line 8)\n" in text
    assert len(heads(tfgpu("audit", "-v", "other.py").stdout)) == 4


def test_what_a_cause_keeps_elsewhere_belongs_to_it(tmp_path: Path) -> None:
    write(tmp_path / "main.py", MAIN)
    write(tmp_path / "other.py", OTHER)
    text = tfgpu("audit", "main.py", "other.py").stdout
    assert heads(text) == ["other.py:6"]
    assert "    keeps 1 more config: main.py:4\n" in text


def test_the_cause_is_named_where_it_is_not_among_the_files(tmp_path: Path) -> None:
    write(tmp_path / "main.py", MAIN)
    write(tmp_path / "other.py", OTHER)
    assert heads(tfgpu("audit", "--ignore", "TFG5", "main.py", "other.py").stdout)


def test_the_same_words_elsewhere_are_counted(tmp_path: Path) -> None:
    for number in range(9):
        write(tmp_path / f"{number}.py", QUERY)
    text = tfgpu("audit").stdout
    assert len(heads(text)) == 1
    assert "    also in 8 more places: ./1.py:4, ./2.py:4, ./3.py:4, ./4.py:4, ...\n" in text


def test_every_config_is_in_the_text(tmp_path: Path) -> None:
    write(tmp_path / "main.py", MAIN)
    write(tmp_path / "other.py", OTHER)
    write(tmp_path / "a.py", GROWTH)
    write(tmp_path / "b.py", KEPT)
    result = tfgpu("audit", "main.py", "other.py", "a.py", "b.py")
    found = document("main.py", "other.py", "a.py", "b.py")
    for file in found["files"]:
        assert file["path"] in result.stdout
    assert {item["cause"] for item in found["summary"]["causes"]} == {
        "other.py:6 TFG521", "other.py:7 TFG521", "b.py:6 TFG521",
    }  # fmt: skip


class TestJson:
    def test_parts_name_their_config_and_what_keeps_it(self, tmp_path: Path) -> None:
        write(tmp_path / "main.py", MAIN)
        write(tmp_path / "other.py", OTHER)
        found = document("main.py", "other.py")["findings"]
        parts = {(item["path"], item["line"]): item for item in found}
        growth = parts["other.py", 5]
        assert (growth["config"], growth["part"]) == ("other.py:4", "setting")
        assert growth["caused_by"] == "other.py:6 TFG521"
        beside = [item for item in found if item["path"] == "main.py" and item["part"] == "cause"]
        assert [item["caused_by"] for item in beside] == ["other.py:6 TFG521"]

    def test_a_config_that_converts_has_no_cause(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        found = document("a.py")["findings"]
        assert [(item["part"], item["caused_by"]) for item in found] == [
            ("setting", ""),
            ("session", ""),
        ]


class TestNext:
    def test_after_an_audit(self, tmp_path: Path) -> None:
        write(tmp_path / "a b.py", GROWTH)
        assert "tfgpu migrate --write 'a b.py'" in tfgpu("audit", "a b.py").stderr

    def test_names_that_stop_the_program(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH + "\nslim = tf.contrib.slim\n")
        assert "1 use of names that TensorFlow 2 does not have" in tfgpu("audit", "a.py").stderr

    def test_a_config_that_stays_works_all_the_same(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", KEPT)
        for name in ("audit", "migrate"):
            assert "as tf.compat.v1.ConfigProto" in tfgpu(name, "a.py").stderr


def test_no_message_of_what_stays_says_that_it_changes(tmp_path: Path) -> None:
    write(tmp_path / "main.py", MAIN)
    write(tmp_path / "other.py", OTHER)
    found = document("main.py", "other.py")["findings"]
    assert found
    for item in found:
        if item["part"] in ("setting", "session"):
            assert not re.search(r"lose|lost|becomes|goes", item["message"]), item["message"]
