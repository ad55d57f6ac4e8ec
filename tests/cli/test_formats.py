"""`tfgpu audit` in each of its formats, to standard output and to a file."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.tools import BROKEN, CLEAN, GROWTH, KEPT, started, tfgpu, write
from tfgpu.report.writer import FORMATS


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("kind", FORMATS)
class TestEach:
    def test_the_file_has_what_standard_output_would(self, tmp_path: Path, kind: str) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", BROKEN)
        shown = tfgpu("audit", "--format", kind)
        saved = tfgpu("audit", "--format", kind, "--output", "report")
        assert shown.exit_code == saved.exit_code == 3
        assert saved.stdout == ""
        assert saved.stderr == shown.stderr
        assert (tmp_path / "report").read_text(encoding="utf-8") == shown.stdout

    def test_the_exit_status_is_that_of_the_text(self, tmp_path: Path, kind: str) -> None:
        for number, text in enumerate((CLEAN, KEPT, BROKEN)):
            write(tmp_path / f"{number}.py", text)
            assert tfgpu("audit", f"{number}.py", "--format", kind).exit_code == number

    def test_nothing_is_changed(self, tmp_path: Path, kind: str) -> None:
        path = write(tmp_path / "a.py", GROWTH)
        tfgpu("audit", "--format", kind)
        assert path.read_text() == GROWTH


class TestFile:
    def test_no_colours_in_a_file(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        tfgpu("audit", "-o", "report")
        assert "\x1b" not in (tmp_path / "report").read_text()

    def test_a_file_that_cannot_be_written_is_a_usage_error(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        result = tfgpu("audit", "-o", "missing/report")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "missing/report: No such file or directory" in result.stderr

    def test_where_the_run_goes_wrong_the_old_report_stays(self, tmp_path: Path) -> None:
        (tmp_path / "report").write_text("old")
        result = tfgpu("audit", "--select", "TFG999", "-o", "report")
        assert result.exit_code == 2
        assert (tmp_path / "report").read_text() == "old"


class TestStatistics:
    def test_they_come_behind_the_findings(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        lines = tfgpu("audit", "--statistics").stdout.splitlines()
        assert lines[-8:] == [
            "",
            "     1 TFG101 allow-growth",
            "     1 TFG601 session-config",
            "2 findings: 2 with a safe fix, 0 with an unsafe fix, 0 by hand",
            "100 % of 1 file read without failure, 1 with names of GPU settings",
            "configs that convert: 100 % of 1",
            "work left, estimated: 5 minutes",
            "     1 x 5 min: config that converts, to be read",
        ]

    def test_formats_without_room_for_them_have_them_beside(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        for kind in ("github", "sarif", "junit"):
            result = tfgpu("audit", "--format", kind, "--statistics")
            assert "work left, estimated: 5 minutes" in result.stderr
            assert result.stdout == tfgpu("audit", "--format", kind).stdout


def test_a_locale_without_unicode(tmp_path: Path) -> None:
    write(tmp_path / "é☃.py", GROWTH.replace("config =", "é = 1; config ="))
    for kind in FORMATS:
        done = started(
            "audit", "--format", kind, folder=tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C",
            PYTHONUTF8="0",
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        text = done.stdout.decode("ascii")
        if kind in ("json", "sarif"):
            json.loads(text)
        if kind == "junit":
            assert len(ElementTree.fromstring(text)) == 1
        if kind == "sarif":
            assert '"uri": "%C3%A9%E2%98%83.py"' in text


def test_sarif_has_the_new_text(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    log = json.loads(tfgpu("audit", "--format", "sarif").stdout)
    results = log["runs"][0]["results"]
    assert results
    assert all(found["fixes"] for found in results)


MAIN = """\
import tensorflow as tf
from settings import make

def main():
    return tf.Session(config=make())
"""
SETTINGS = """\
import tensorflow as tf

def make():
    return tf.ConfigProto(allow_soft_placement=True)
"""
MODEL = """\
import tensorflow as tf
from train import train

graph = tf.get_default_graph()
"""


class TestFixes:
    def fixed(self) -> set[str]:
        """Return the files whose findings bring a fix; the findings must be those of the JSON."""
        log = json.loads(tfgpu("audit", "--format", "sarif").stdout)
        found = log["runs"][0]["results"]
        findings = json.loads(tfgpu("audit", "--format", "json").stdout)["findings"]
        assert [item["ruleId"] for item in found] == [item["code"] for item in findings]
        return {
            item["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for item in found
            if "fixes" in item
        }

    def test_a_file_that_changes_alone(self, tmp_path: Path) -> None:
        write(tmp_path / "a.py", GROWTH)
        write(tmp_path / "b.py", GROWTH)
        write(tmp_path / "c.py", KEPT)
        assert self.fixed() == {"a.py", "b.py"}

    def test_files_that_only_change_together_have_none(self, tmp_path: Path) -> None:
        write(tmp_path / "settings.py", SETTINGS)
        write(tmp_path / "main.py", MAIN)
        write(tmp_path / "other.py", GROWTH)
        assert self.fixed() == {"other.py"}

    def test_nor_files_whose_program_has_another_import_to_be_switched(
        self, tmp_path: Path
    ) -> None:
        write(tmp_path / "train.py", GROWTH)
        write(tmp_path / "model.py", MODEL)
        assert "+import tensorflow.compat.v1 as tf" in tfgpu("migrate", "model.py", ".").stdout
        assert self.fixed() == set()

    def test_a_file_that_cannot_be_rewritten_has_no_fixes(self, tmp_path: Path) -> None:
        # libcst does not give a form feed back.
        write(tmp_path / "a.py", GROWTH.replace("    config =", "\x0c    config ="))
        assert tfgpu("migrate").exit_code == 2
        assert self.fixed() == set()
        assert tfgpu("audit", "--format", "sarif").exit_code == 3
