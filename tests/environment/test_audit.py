"""The commands over files of every kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.tools import tfgpu
from tests.environment.reading import D
from tests.tools import book
from tfgpu.report.rules import rule_page
from tfgpu.rulebook.load import parse_rule
from tfgpu.rulebook.table import RuleError

CONFIG = """\
import tensorflow as tf


def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
"""
USER = """\
import tensorflow as tf
from config import make

sess = tf.Session(config=make())
"""


def test_audit_reads_what_migrate_leaves_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(f"export {D}=0\npython x.py\n")
    (tmp_path / "job").write_text(f"#!/bin/bash\nexport {D}=0\npython x.py\n")
    (tmp_path / "other.sh").write_text("ls\n")
    result = tfgpu("audit", "--format", "concise", ".")
    assert [line.partition(" ")[0] for line in result.stdout.splitlines()] == [
        "./job:2:8:",
        "./run.sh:1:8:",
    ]
    assert "Scanned 3 files: " in result.stderr
    assert "Scanned 0 files" in tfgpu("migrate", ".").stderr
    assert tfgpu("audit", "--format", "concise", "job").stdout.startswith("job:2:8: TFE001")


def test_a_file_that_cannot_be_read_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yml").write_text(f"env:\n  {D}: [0\nb: 1\n")
    (tmp_path / "b.yml").write_text("env:\n  A: [0\nb: 1\n")
    result = tfgpu("audit", ".")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ./a.yml:3: not valid YAML: ")
    assert "1 failed" in result.stderr


def test_a_shell_script_without_a_suffix_is_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.py").write_text(CONFIG)
    (tmp_path / "train.py").write_text(USER)
    alone = tfgpu("audit", "--format", "concise", ".").stdout
    # What it says would keep the config if it were Python (it names sessions and forks).
    (tmp_path / "start").write_text("#!/bin/sh\nimport train Session fork\nif cd x; then\n")
    for paths in (["."], [".", "start"]):
        result = tfgpu("audit", "--format", "concise", *paths)
        assert result.stdout == alone
        assert "failed" not in result.stderr
    assert "1 of 1 config converts" in result.stderr


def test_a_script_beside_a_module_of_its_name_is_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.py").write_text(CONFIG)
    (tmp_path / "train.py").write_text(USER)
    alone = tfgpu("audit", "--format", "concise", ".").stdout
    (tmp_path / "config.sh").write_text(f"export {D}=$1\n")
    assert "allow-growth" in alone
    with_script = tfgpu("audit", "--format", "concise", ".").stdout
    assert [line for line in with_script.splitlines() if "TFG" in line] == [
        line for line in alone.splitlines() if "TFG" in line
    ]


def test_rules_are_selected_in_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(f"{D}=[0] python x.py\n{D}=0 python y.py\n")
    assert "TFE051" not in tfgpu("audit", "--ignore", "device-list-cut", ".").stdout
    assert "TFE001" not in tfgpu("audit", "--select", "TFE05", ".").stdout


def test_the_page_of_a_variable() -> None:
    rule = book().find("gpu-allocator")
    assert rule is not None
    page = rule_page(rule)
    assert "Variables: `TF_GPU_ALLOCATOR`" in page
    assert "| `cuda_malloc_async` | " in page
    assert re.search(r"^\| any other \| .* \(TFE050\) \|$", page, re.M)
    listed = book().find("cuda-visible-devices")
    assert listed is not None
    assert "## Example that is left in peace: `notes.sh`" in rule_page(listed)
    assert "stays as it is" not in rule_page(listed)


def test_a_variable_needs_a_meaning_for_every_value() -> None:
    text = """
kind = "variable"
code = "TFE900"
name = "x"
equivalence = "environment"
variables = ["X"]
todo = "t"
summary = "s"
why = "w"
source = "s"

[[meaning]]
value = ["1"]
says = "one"

[[example]]
path = "a.sh"
before = "export X=1"
"""
    with pytest.raises(RuleError, match="a last meaning without values"):
        parse_rule(text, "environment/x.toml")
